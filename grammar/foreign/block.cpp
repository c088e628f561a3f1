// Blocks of Python and C: their lines in braces.
#include "grammar/foreign/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/foreign/token.h"
#include "grammar/foreign/tree.h"
#include "grammar/foreign/writer.h"
#include "grammar/tree/keyword.h"

namespace shard {

using ForeignKind = ForeignToken::Kind;

std::vector<ForeignBlockLine> foreign_lines(std::string_view text) {
  std::vector<ForeignBlockLine> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::string_view code = line.substr(0, line.find('#'));
    const std::string_view bare = bare_text(code);
    if (!bare.empty()) lines.push_back({static_cast<std::size_t>(bare.data() - code.data()), bare});
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return lines;
}

std::optional<ForeignHeader> foreign_header(std::string_view text) {
  const auto tokens = foreign_tokens(text);
  if (!tokens || tokens->size() < 4) return std::nullopt;
  std::size_t i = 1;
  if ((*tokens)[i].kind != ForeignKind::Word || (*tokens)[i + 1].text != "(") return std::nullopt;
  ForeignHeader header{std::string((*tokens)[i].text), {}};
  int depth = 0;
  bool begins = true;
  for (i = 2; i < tokens->size(); ++i) {
    const ForeignToken& token = (*tokens)[i];
    const bool opens = token.text == "(" || token.text == "[";
    const bool closes = token.text == ")" || token.text == "]";
    if (closes && --depth == 0) return header;
    // Behind the name of a parameter.
    if (token.text == "[" && depth == 1 && token.glued && !begins && !header.parameters.empty() &&
        (*tokens)[i - 1].text == header.parameters.back()) {
      const std::size_t close = text.find(']', token.begin);
      if (close != std::string_view::npos)
        header.written[header.parameters.back()] =
            text.substr((*tokens)[i - 1].begin, close + 1 - (*tokens)[i - 1].begin);
    }
    if (depth == 1 && begins && token.kind == ForeignKind::Word && token.text != "self")
      header.parameters.emplace_back(token.text);
    if (depth == 1 && !begins && !header.parameters.empty() &&
        (token.text == "Array" || token.text == "Tensor" || token.text == "ndarray"))
      header.arrays.push_back(header.parameters.back());
    if (depth == 1 && !begins && !header.parameters.empty() &&
        (token.text == "int" || token.text == "float" || token.text == "=" || token.text == "bool"))
      header.numbers.push_back(header.parameters.back());
    if (opens) ++depth;
    begins = (opens && depth == 1) || (depth == 1 && token.text == ",");
  }
  return std::nullopt;
}

namespace {

// Lines from `next` on that are indented deeper than `outside`, as statements in braces.
class BlockWriter {
 public:
  BlockWriter(std::vector<ForeignBlockLine> lines, const ForeignNames& names)
      : lines_(std::move(lines)), names_(names) {}

  // nullopt where a line has no counterpart.
  std::optional<std::string> block(std::size_t& next, std::size_t outside,
                                   std::vector<std::string>* parts = nullptr) {
    std::vector<std::string> statements;
    for (; next < lines_.size() && lines_[next].indent > outside;) {
      auto statement = one(next);
      if (!statement) return std::nullopt;
      if (!statement->empty()) statements.push_back(*std::move(statement));
    }
    if (parts != nullptr) *parts = statements;
    return "{ " + join(statements, "; ") + " }";
  }

  // The header at `next` with its block.
  std::optional<std::string> with_block(std::size_t& next) {
    const ForeignBlockLine header = lines_[next];
    const auto head = header_of(header.text);
    if (!head) return std::nullopt;
    ++next;
    const auto body = block(next, header.indent);
    if (!body) return std::nullopt;
    std::string text = *head + " " + *body;
    while (next < lines_.size() && lines_[next].indent == header.indent &&
           continues(lines_[next].text)) {
      const auto more = with_block(next);
      if (!more) return std::nullopt;
      text += " " + *more;
    }
    return text;
  }

  MoreForeignNames& names() { return names_; }
  const std::map<std::string, ForeignArray>& invented() const { return invented_; }

 private:
  static bool continues(std::string_view text) {
    return text.starts_with("else") || text.starts_with("elif");
  }

  std::optional<std::string> one(std::size_t& next) {
    const std::string_view text = lines_[next].text;
    if (text.back() == ':') return with_block(next);
    ++next;
    if (text == "pass" || text.starts_with("\"\"\"") || text.starts_with("'''")) return "";
    if (text.starts_with("assert ") || text.starts_with("import ")) return "";
    // What is foreign goes before: `2 ** n` may be read as something else.
    if (const auto line = read_foreign_line(text, names_)) {
      if (line->line.empty()) return std::nullopt;
      if (!line->mistake.made.empty()) names_.add(line->mistake.made, line->mistake.array);
      for (const auto& [name, array] : line->invented) {
        invented_.try_emplace(name, array);
        names_.add(name, array);
      }
      return line->line;
    }
    if (const auto signs = read_foreign_signs(text, names_)) {
      if (!signs->help.empty()) return signs->help.front();
    }
    if (const auto words = read_foreign_words(text, names_)) {
      if (!words->help.empty() && is_readable(words->help.front())) return words->help.front();
    }
    if (is_readable(std::string(text)) || text.starts_with("return")) return std::string(text);
    return std::nullopt;
  }

  // `for i in range(3):`, `if x > 4:`, `else:`
  std::optional<std::string> header_of(std::string_view text) {
    text = bare_text(text.substr(0, text.size() - 1));
    if (text == "else") return "else";
    const bool elif = text.starts_with("elif ");
    if (elif || text.starts_with("if ")) {
      const auto tree = read_foreign_expression(text.substr(elif ? 5 : 3));
      const std::string condition(bare_text(text.substr(elif ? 5 : 3)));
      if (!tree) return std::nullopt;
      std::string written = condition;
      if (const auto signs = read_foreign_signs(condition, names_); signs && !signs->help.empty())
        written = signs->help.front();
      return fmt::format("{}if {}", elif ? "else " : "", written);
    }
    if (text.starts_with("for ")) return foreign_loop_header(text);
    return std::nullopt;
  }

 private:
  std::vector<ForeignBlockLine> lines_;
  MoreForeignNames names_;
  std::map<std::string, ForeignArray> invented_;
};

ForeignMistake mistake_of(std::string_view text, std::size_t begin, std::size_t length,
                          std::string message) {
  return {.begin = begin,
          .end = std::min(begin + length, text.size()),
          .message = std::move(message),
          .help = {},
          .made = {},
          .array = {}};
}

// `[B, D]`, where nothing tells the dimensions of a parameter that is an array.
std::vector<std::string> usual_dimensions(const ForeignNames& names) {
  constexpr std::size_t kRank = 2;
  std::vector<std::string> dimensions = names.dimensions();
  std::erase_if(dimensions, [](const std::string& name) { return name[0] < 'A' || name[0] > 'Z'; });
  if (dimensions.size() < kRank) return {"B", "D"};
  dimensions.resize(kRank);
  return dimensions;
}

// The dimensions of what stands next to a sign of this notation, `x ·_D w`; nothing where it does not.
std::vector<std::string> multiplied_dimensions(std::string_view text, std::string_view name,
                                               const ForeignNames& names) {
  constexpr std::string_view kSign = "·_";
  for (std::size_t i = text.find(kSign); i != std::string_view::npos; i = text.find(kSign, i + 1)) {
    const std::string_view behind = text.substr(i + kSign.size());
    std::size_t end = 0;
    while (end < behind.size() && (is_letter(behind[end]) || is_digit(behind[end]))) ++end;
    const std::string summed(behind.substr(0, end));
    const std::string before = fmt::format(" {}", bare_text(text.substr(0, i)));
    const std::string after = fmt::format("{} ", bare_text(behind.substr(end)));
    const bool left =
        before.ends_with(name) && !is_name_character(before[before.size() - name.size() - 1]);
    const bool right = after.starts_with(name) && !is_name_character(after[name.size()]);
    if (summed.empty() || (!left && !right)) continue;
    std::vector<std::string> others = names.dimensions();
    others.insert(others.end(), {"I", "J", "K"});
    std::erase(others, summed);
    // Each side has one of its own.
    return left ? std::vector{others[0], summed} : std::vector{summed, others[1]};
  }
  return {};
}

std::optional<ForeignMistake> read_function(std::string_view text, const ForeignNames& names,
                                            bool of_arrays = false) {
  const std::size_t word = text.starts_with("async def ") ? 10 : 4;
  if (!text.starts_with("def ") && word == 4) return std::nullopt;
  const std::string_view head = bare_text(text.substr(0, text.find('\n')));
  const auto header = foreign_header(head.substr(word == 4 ? 0 : 6));
  ForeignMistake mistake = mistake_of(
      text, 0, word - 1, "`def` is Python: a function is `fn`, and its block stands in braces");
  if (!header) {
    mistake.help = {"fn twice(n) { return 2 * n }"};
    return mistake;
  }
  mistake.made = header->name;
  std::vector<ForeignBlockLine> lines = foreign_lines(text);
  // It is none of Python's, and its last line may be what it returns.
  if (lines.back().text == "end") return std::nullopt;
  // `def f(x): return x`
  const std::size_t colon = lines[0].text.rfind(':');
  if (lines.size() == 1 && colon != std::string_view::npos && colon + 1 < lines[0].text.size())
    lines.push_back({lines[0].indent + 1, bare_text(lines[0].text.substr(colon + 1))});
  BlockWriter writer(lines, names);
  for (const std::string& parameter : header->parameters) writer.names().hide(parameter);
  std::size_t next = 1;
  const auto body = lines.size() > 1 ? writer.block(next, lines[0].indent) : std::nullopt;
  std::vector<std::string> parameters;
  for (const std::string& name : header->parameters) {
    const auto array = writer.invented().find(name);
    std::vector<std::string> dimensions;
    if (array != writer.invented().end()) {
      for (const ForeignDimension& dimension : array->second.dimensions)
        dimensions.push_back(dimension.name);
    }
    const bool number =
        std::find(header->numbers.begin(), header->numbers.end(), name) != header->numbers.end();
    const bool is_array =
        (of_arrays && !number) ||
        std::find(header->arrays.begin(), header->arrays.end(), name) != header->arrays.end();
    if (dimensions.empty()) dimensions = multiplied_dimensions(text, name, names);
    if (dimensions.empty() && is_array) dimensions = usual_dimensions(names);
    const auto written = header->written.find(name);
    parameters.push_back(written != header->written.end() ? written->second
                         : dimensions.empty()
                             ? name
                             : fmt::format("{}[{}]", name, join(dimensions, ", ")));
  }
  std::string line = fmt::format("fn {}({}) {}", header->name, join(parameters, ", "),
                                 body.value_or("{ return … }"));
  if (!body || !is_readable(line)) line = fmt::format("fn {}(n) {{ return 2 * n }}", header->name);
  mistake.help = {std::move(line)};
  return mistake;
}

// `@jax.jit` in front of `def`.
std::optional<ForeignMistake> read_decorated(std::string_view text, const ForeignNames& names) {
  const std::size_t function = text.find("\ndef ");
  if (!text.starts_with('@') || function == std::string_view::npos) return std::nullopt;
  auto mistake = read_function(text.substr(function + 1), names, true);
  if (!mistake) return std::nullopt;
  const std::string_view decorator = bare_text(text.substr(0, text.find('\n')));
  mistake->begin = 0;
  mistake->end = decorator.size();
  mistake->message = fmt::format(
      "a function is `fn`, its block stands in braces, and it is called as it is, without `{}`",
      decorator);
  return mistake;
}

// `for i in range(3):` and `if x > 4:` with their lines.
std::optional<ForeignMistake> read_python_block(std::string_view text, const ForeignNames& names) {
  const bool loop = text.starts_with("for ");
  const bool branch = text.starts_with("if ");
  const std::string_view head = bare_text(text.substr(0, text.find('\n')));
  if ((!loop && !branch) || head.find('{') != std::string_view::npos) return std::nullopt;
  const std::vector<ForeignBlockLine> all = foreign_lines(text);
  const std::size_t colon = all[0].text.rfind(':');
  const bool ends = colon != std::string_view::npos &&
                    (colon + 1 == all[0].text.size() || all[0].text[colon + 1] == ' ');
  if (!ends || (loop && all[0].text.find(" in ") == std::string_view::npos)) return std::nullopt;
  std::vector<ForeignBlockLine> lines = all;
  if (colon + 1 < all[0].text.size()) {
    lines[0].text = all[0].text.substr(0, colon + 1);
    lines.insert(lines.begin() + 1, {all[0].indent + 1, bare_text(all[0].text.substr(colon + 1))});
  }
  const std::size_t range = text.find("range(");
  ForeignMistake mistake =
      loop && range != std::string_view::npos
          ? mistake_of(
                text, range, text.find(')', range) + 1 - range,
                "`range` is Python: numbers from 0 on are written `0..3`, and the block of a "
                "loop stands in braces")
          : mistake_of(
                text, static_cast<std::size_t>(all[0].text.data() - text.data()) + colon, 1,
                fmt::format("the block of {} stands in braces", loop ? "a loop" : "an `if`"));
  BlockWriter writer(lines, names);
  std::size_t next = 0;
  const auto written = lines.size() > 1 ? writer.with_block(next) : std::nullopt;
  if (written && is_readable(*written)) mistake.help = {*written};
  if (loop && lines.size() == 2) {
    const auto header = foreign_loop_header(lines[0].text.substr(0, lines[0].text.size() - 1));
    const auto sum = header ? foreign_sum(*header, lines[1].text, names) : std::nullopt;
    if (sum) {
      mistake.message = sum->message;
      mistake.help = sum->help;
    }
  }
  if (mistake.help.empty() && loop) {
    const auto header = foreign_loop_header(all[0].text.substr(0, colon));
    mistake.help = {header.value_or("for i in 0..3") + " { … }"};
  }
  if (mistake.help.empty()) mistake.help = {"if 2 > 3 { print 2 } else { print 3 }"};
  return mistake;
}

// A statement of another language as it is here; as it is written if nothing is known of it.
std::string own_statement(std::string_view text, const ForeignNames& names) {
  text = bare_text(text);
  while (text.ends_with(';')) text = bare_text(text.substr(0, text.size() - 1));
  if (const auto line = read_foreign_line(text, names); line && !line->line.empty())
    return line->line;
  for (const auto& read : {read_foreign_signs(text, names), read_foreign_words(text, names)}) {
    if (read && !read->help.empty() && is_readable(read->help.front())) return read->help.front();
  }
  return std::string(text);
}

// The token after the condition of an `if`: `then`, a colon, or the word that begins its statement. 0 if there is none.
std::size_t behind_condition(const ForeignTokens& tokens) {
  int depth = 0;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    const ForeignToken& token = tokens[i];
    if (is(token, "(") || is(token, "[")) ++depth;
    if (is(token, ")") || is(token, "]")) --depth;
    if (depth > 0) continue;
    const bool closes = i > 1 && is(token, ")") && is(tokens[1], "(");
    const bool statement = tokens[i + 1].kind == ForeignKind::Word && is(tokens[i + 2], "=");
    if (closes && statement) return i + 1;
    const Keyword* keyword =
        token.kind == ForeignToken::Kind::Word ? find_keyword(token.text) : nullptr;
    const bool command = is(token, "assert") || (keyword != nullptr && keyword->does == Does::Acts);
    if (i > 1 && (is(token, "then") || is(token, ":") || is(token, "{") || command)) return i;
  }
  return 0;
}

// `if n > 2 { print n } else: print 3`: what stands after `else`, in braces.
std::optional<ForeignMistake> read_other_branch(std::string_view text, const ForeignTokens& tokens,
                                                std::size_t open, const ForeignNames& names) {
  int depth = 0;
  std::size_t i = open;
  for (; i + 2 < tokens.size(); ++i) {
    if (is(tokens[i], "{")) ++depth;
    if (is(tokens[i], "}") && --depth == 0) break;
  }
  if (i + 2 >= tokens.size() || !is(tokens[i + 1], "else")) return std::nullopt;
  const ForeignToken& next = tokens[i + 2];
  const std::size_t begin = is(next, ":") ? next.end : next.begin;
  const std::string_view rest = bare_text(text.substr(std::min(begin, text.size())));
  if (rest.empty() || rest.starts_with('{') || rest.starts_with("if ")) return std::nullopt;
  ForeignMistake mistake = mistake_of(text, next.begin, next.end - next.begin,
                                      "the block of an `else` stands in braces");
  std::string line =
      fmt::format("{} {{ {} }}", text.substr(0, tokens[i + 1].end), own_statement(rest, names));
  if (!is_readable(line)) return std::nullopt;
  mistake.help = {std::move(line)};
  return mistake;
}

// `if n > 2 then print n else print 3`, `if n > 2: print n`, `if (n > 2) print n;`: on one line, without braces.
std::optional<ForeignMistake> read_branch_on_line(std::string_view text,
                                                  const ForeignNames& names) {
  const bool branch = text.starts_with("if ") || text.starts_with("if(");
  const auto tokens = branch ? foreign_tokens(text) : std::nullopt;
  if (!tokens || text.find('\n') != std::string_view::npos) return std::nullopt;
  const std::size_t split = behind_condition(*tokens);
  if (split == 0) return std::nullopt;
  if (is((*tokens)[split], "{")) return read_other_branch(text, *tokens, split, names);
  const ForeignToken& sign = (*tokens)[split];
  const bool sign_goes = is(sign, "then") || is(sign, ":");
  const std::size_t begin = sign_goes ? sign.end : sign.begin;
  std::size_t other = split;
  while (other < tokens->size() && !is((*tokens)[other], "else")) ++other;
  const bool has_other = other < tokens->size();
  const std::size_t body_end = has_other ? (*tokens)[other].begin : text.size();
  const std::string_view condition =
      bare_text(text.substr((*tokens)[0].end, sign.begin - (*tokens)[0].end));
  std::string_view first = bare_text(text.substr(begin, body_end - begin));
  if (first.empty()) return std::nullopt;
  if (first.ends_with(" end")) first = bare_text(first.substr(0, first.size() - 4));
  std::string written(condition);
  if (const auto signs = read_foreign_signs(condition, names); signs && !signs->help.empty())
    written = signs->help.front();
  const auto block = [&](std::string_view body) {
    return body.starts_with('{') ? std::string(body)
                                 : fmt::format("{{ {} }}", own_statement(body, names));
  };
  std::string line = fmt::format("if {} {}", written, block(first));
  if (has_other) {
    std::string_view rest = bare_text(text.substr((*tokens)[other].end));
    if (rest.starts_with(':')) rest = bare_text(rest.substr(1));
    if (rest.ends_with(" end")) rest = bare_text(rest.substr(0, rest.size() - 4));
    line += fmt::format(" else {}", rest.starts_with("if ") ? std::string(rest) : block(rest));
  }
  ForeignMistake mistake =
      mistake_of(text, sign.begin, sign.end - sign.begin, "the block of an `if` stands in braces");
  if (!is_readable(line)) return std::nullopt;
  mistake.help = {std::move(line)};
  return mistake;
}

// `double = lambda n: n * 2`
std::optional<ForeignMistake> read_lambda(std::string_view text, const ForeignNames& names) {
  const std::size_t word = text.find("= lambda ");
  const std::size_t colon = text.find(':');
  if (word == std::string_view::npos || colon == std::string_view::npos || colon < word)
    return std::nullopt;
  const std::string as_function = fmt::format(
      "def {}({}): return {}", bare_text(text.substr(0, word)),
      bare_text(text.substr(word + 9, colon - word - 9)), bare_text(text.substr(colon + 1)));
  auto mistake = read_function(as_function, names);
  if (!mistake) return std::nullopt;
  mistake->begin = word + 2;
  mistake->end = word + 8;
  mistake->message = "`lambda` is Python: a function is `fn`, with a name";
  return mistake;
}

}  // namespace

std::optional<ForeignBody> foreign_body(std::vector<ForeignBlockLine> lines,
                                        const ForeignNames& names,
                                        const std::vector<std::string>& parameters) {
  if (lines.size() < 2) return std::nullopt;
  for (ForeignBlockLine& line : lines) {
    while (!line.text.empty() && line.text.back() == ';') line.text.remove_suffix(1);
  }
  BlockWriter writer(lines, names);
  for (const std::string& parameter : parameters) writer.names().hide(parameter);
  ForeignBody body;
  std::size_t next = 1;
  const auto written = writer.block(next, lines[0].indent, &body.statements);
  if (!written || next != lines.size()) return std::nullopt;
  body.invented = writer.invented();
  return body;
}

std::string ForeignBody::text() const { return "{\n  " + join(statements, "\n  ") + "\n}"; }

std::optional<ForeignMistake> read_foreign_block(std::string_view text, const ForeignNames& names) {
  if (auto mistake = read_decorated(text, names)) return mistake;
  if (auto mistake = read_function(text, names)) return mistake;
  if (auto mistake = read_lambda(text, names)) return mistake;
  if (auto mistake = read_branch_on_line(text, names)) return mistake;
  if (auto mistake = read_python_block(text, names)) return mistake;
  if (auto mistake = read_foreign_end(text, names)) return mistake;
  return read_foreign_loop(text, names);
}

}  // namespace shard
