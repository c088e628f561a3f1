// Functions of C, and functions and groups that `end` closes.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>

#include "base/words.h"
#include "grammar/foreign/block.h"
#include "grammar/foreign/line.h"
#include "grammar/translate/token.h"

namespace shard {
namespace {

using ForeignKind = ForeignToken::Kind;

// `void f(float* a, int n)`, whose lines change elements, as a function of arrays.
std::string function_of_pointers(const ForeignTokens& tokens, std::size_t end,
                                 std::string_view name, const ForeignNames& names) {
  const std::vector<std::string> known = names.dimensions();
  const std::vector<std::string> dimensions = known.size() < 2
                                                  ? std::vector<std::string>{"B", "D"}
                                                  : std::vector<std::string>{known[0], known[1]};
  std::vector<std::string> parameters;
  std::string first;
  for (std::size_t i = 3; i < end; ++i) {
    const bool last = is(tokens[i + 1], ",") || is(tokens[i + 1], ")") || is(tokens[i + 1], "[");
    if (tokens[i].kind != ForeignKind::Word || !last || is(tokens[i - 1], "[")) continue;
    const bool array = is(tokens[i - 1], "*") || is(tokens[i + 1], "[");
    if (first.empty() || (array && parameters.back().find('[') == std::string::npos))
      first = std::string(tokens[i].text);
    parameters.push_back(array ? fmt::format("{}[{}]", tokens[i].text, join(dimensions, ", "))
                               : std::string(tokens[i].text));
  }
  return first.empty()
             ? ""
             : fmt::format("fn {}({}) {{ return 2 * {} }}", name, join(parameters, ", "), first);
}

// `int twice(int n) { return 2 * n; }`, `function twice(n) { … }`
std::optional<ForeignMistake> read_c_function(std::string_view text, const ForeignNames& names) {
  static constexpr std::string_view kTypes[] = {"void", "int",  "float", "double",   "auto",
                                                "long", "bool", "func",  "function", "def"};
  const auto tokens = foreign_tokens(text);
  if (!tokens || tokens->size() < 5) return std::nullopt;
  const bool typed =
      std::find(std::begin(kTypes), std::end(kTypes), (*tokens)[0].text) != std::end(kTypes);
  if (!typed || (*tokens)[1].kind != ForeignKind::Word || (*tokens)[2].text != "(")
    return std::nullopt;
  std::vector<std::string> parameters;
  std::size_t i = 3;
  for (; i + 1 < tokens->size() && (*tokens)[i].text != ")"; ++i) {
    const std::string_view next = (*tokens)[i + 1].text;
    const bool last = next == "," || next == ")" || next == ":";
    if ((*tokens)[i].kind == ForeignKind::Word && last && (*tokens)[i - 1].text != ":")
      parameters.emplace_back((*tokens)[i].text);
  }
  const std::size_t brace = text.find('{');
  if (brace == std::string_view::npos || brace < (*tokens)[i].begin) return std::nullopt;
  ForeignMistake mistake =
      foreign_mistake(0, (*tokens)[0].end,
                      fmt::format("`{}` is no word here: a function is `fn`", (*tokens)[0].text));
  mistake.made = std::string((*tokens)[1].text);
  std::string line = fmt::format("fn {}({}) {}", mistake.made, join(parameters, ", "),
                                 bare_text(text.substr(brace)));
  if (!is_readable(line)) line = function_of_pointers(*tokens, i, mistake.made, names);
  if (is_readable(line)) mistake.help = {std::move(line)};
  return mistake;
}

// Behind the parenthesis that closes the parameters; npos if nothing does.
std::size_t behind_parameters(std::string_view text) {
  int depth = 0;
  for (std::size_t i = text.find('('); i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

// `x` of `x: int`, `x[b, d]` of `x: bf16[b, d]` and of `x[b, d]: bf16`.
std::string without_type(std::string_view parameter) {
  parameter = bare_text(parameter);
  const std::size_t colon = parameter.find(':');
  if (colon == std::string_view::npos) return std::string(parameter);
  const std::string_view name = bare_text(parameter.substr(0, colon));
  const std::string_view type = bare_text(parameter.substr(colon + 1));
  const std::size_t brackets = type.find('[');
  if (name.ends_with(']') || brackets == std::string_view::npos) return std::string(name);
  return fmt::format("{}{}", name, type.substr(brackets));
}

// The parameters between parentheses, each without its type.
std::string without_types(std::string_view list) {
  std::vector<std::string> parameters;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c != ',' || (depth > 0 && i < list.size())) continue;
    const std::string parameter = without_type(list.substr(begin, i - begin));
    if (!parameter.empty()) parameters.push_back(parameter);
    begin = i + 1;
  }
  return join(parameters, ", ");
}

// `fn f(x[b, d]) -> bf16[b, f] { … }`, `fn f(x: bf16[b, d]) { … }`: without types.
std::optional<ForeignMistake> read_typed_function(std::string_view text) {
  if (!text.starts_with("fn ")) return std::nullopt;
  const std::size_t open = text.find('(');
  const std::size_t head = behind_parameters(text);
  if (head == std::string_view::npos) return std::nullopt;
  std::size_t brace = text.find('{', head);
  // `{U_X}` belongs to the type.
  if (brace != std::string_view::npos && brace > head && text[brace - 1] == ']')
    brace = text.find('{', brace + 1);
  const std::size_t type_end = std::min({brace, text.find('\n', head), text.size()});
  const std::string_view type = bare_text(text.substr(head, type_end - head));
  const std::string_view list = text.substr(open + 1, head - open - 2);
  const std::string parameters = without_types(list);
  const std::size_t colon = text.find(':', open);
  const bool typed_list = colon < head;
  if (type.empty() && !typed_list) return std::nullopt;
  const auto begin = type.empty() ? colon : static_cast<std::size_t>(type.data() - text.data());
  ForeignMistake mistake = foreign_mistake(
      begin, type.empty() ? colon + 1 : begin + type.size(),
      type.empty() ? "parameters have no types: an array is passed with the type that it has"
                   : "a function says no type of its result: that is what `return` gives");
  mistake.made = std::string(bare_text(text.substr(3, open - 3)));
  std::string body(brace < text.size() ? bare_text(text.substr(brace)) : std::string_view{});
  // `fn f(n): return 2 * n`, `fn f(n) = 2 * n`
  const bool equals = type.starts_with('=');
  const std::size_t returns = type.find("return ");
  if (body.empty() && returns != std::string_view::npos)
    body = fmt::format("{{ {} }}", type.substr(returns));
  else if (body.empty() && equals)
    body = fmt::format("{{ return {} }}", bare_text(type.substr(type.starts_with("=>") ? 2 : 1)));
  // `fn f(n): 2 * n`
  const std::string alone =
      type.starts_with(':') ? fmt::format("{{ return {} }}", bare_text(type.substr(1))) : "";
  const bool value = body.empty() && !alone.empty() && type.find(' ') != std::string_view::npos &&
                     is_readable("return_value = " + std::string(bare_text(type.substr(1))));
  if (value) body = alone;
  if (equals || value || returns != std::string_view::npos)
    mistake.message = "the block of a function stands in braces";
  const std::string line = fmt::format("{}({}) {}", text.substr(0, open), parameters, body);
  if (!body.empty() && is_readable(line)) mistake.help = {line};
  if (mistake.help.empty())
    mistake.help = {fmt::format("write its head {}({}) {{", text.substr(0, open), parameters)};
  return mistake;
}

// `x[B, D]` where the header says so, or where the body tells what the array has.
std::string parameter_text(const ForeignHeader& header, const ForeignBody& body,
                           const std::string& name) {
  const auto written = header.written.find(name);
  if (written != header.written.end()) return written->second;
  const auto array = body.invented.find(name);
  if (array == body.invented.end()) return name;
  std::vector<std::string> dimensions;
  for (const ForeignDimension& dimension : array->second.dimensions)
    dimensions.push_back(dimension.name);
  return fmt::format("{}[{}]", name, join(dimensions, ", "));
}

// The lines of a block to an `end` as those of Python: headers end with a colon, indentation ends blocks. `texts` holds what
// is written anew.
std::vector<ForeignBlockLine> by_indentation(const std::vector<ForeignBlockLine>& lines,
                                             std::deque<std::string>& texts) {
  static constexpr std::string_view kHeaders[] = {"if ",   "elseif ",  "elsif ",
                                                  "elif ", "else if ", "for "};
  std::vector<ForeignBlockLine> all;
  for (const ForeignBlockLine& line : lines) {
    const bool ends =
        line.text.starts_with("end") && std::all_of(line.text.begin(), line.text.end(), is_letter);
    if (ends) continue;
    const auto* header =
        std::find_if(std::begin(kHeaders), std::end(kHeaders),
                     [&](std::string_view word) { return line.text.starts_with(word); });
    std::string_view text = line.text;
    for (const std::string_view closer : {" then", " do", ":"}) {
      if (text.ends_with(closer)) text = bare_text(text.substr(0, text.size() - closer.size()));
    }
    if (header == std::end(kHeaders) && text != "else") {
      all.push_back(line);
      continue;
    }
    const bool other = header != std::end(kHeaders) && header->starts_with("els");
    texts.push_back(other ? fmt::format("elif {}:", text.substr(header->size()))
                          : fmt::format("{}:", text));
    all.push_back({line.indent, texts.back()});
  }
  return all;
}

// `if n > 2 then … else … end`
std::optional<ForeignMistake> read_branch_to_end(std::string_view text, const ForeignNames& names) {
  const std::vector<ForeignBlockLine> lines = foreign_lines(text);
  if (!text.starts_with("if ") || lines.size() < 3 || !lines.back().text.starts_with("end"))
    return std::nullopt;
  std::string python;
  std::deque<std::string> texts;
  for (const ForeignBlockLine& line : by_indentation(lines, texts))
    python += std::string(line.indent, ' ') + std::string(line.text) + "\n";
  const auto read = read_foreign_block(python, names);
  ForeignMistake mistake = foreign_mistake(0, 2, "the block of an `if` stands in braces");
  if (read) mistake.help = read->help;
  return mistake;
}

// `function scale(x) … end`, `function y = scale(x) … end`
std::optional<ForeignMistake> read_function_to_end(std::string_view text,
                                                   const ForeignNames& names) {
  static constexpr std::string_view kWords[] = {"function", "def", "proc", "sub",
                                                "func",     "fn",  "fun",  "subroutine"};
  const auto tokens = foreign_tokens(text);
  std::vector<ForeignBlockLine> lines = foreign_lines(text);
  if (!tokens || tokens->size() < 5 || lines.size() < 3) return std::nullopt;
  const bool word = std::any_of(std::begin(kWords), std::end(kWords),
                                [&](std::string_view one) { return is((*tokens)[0], one); });
  if (!word || !lines.back().text.starts_with("end")) return std::nullopt;
  const bool result = (*tokens)[2].text == "=" && (*tokens)[1].kind == ForeignKind::Word;
  const std::size_t head = result ? (*tokens)[2].end : 0;
  const std::string rest =
      (result ? "function " : "") + std::string(bare_text(lines[0].text.substr(head)));
  const auto header = foreign_header(rest);
  if (!header) return std::nullopt;
  ForeignMistake mistake =
      foreign_mistake(0, (*tokens)[0].end, "a function is `fn`, and its block stands in braces");
  mistake.made = header->name;
  std::deque<std::string> texts;
  lines = by_indentation(lines, texts);
  for (ForeignBlockLine& line : lines) line.indent = &line == lines.data() ? 0 : line.indent + 1;
  auto body = foreign_body(lines, names, header->parameters);
  if (!body || body->statements.empty()) return mistake;
  // The value of the last line is returned in some of these languages.
  std::string& last = body->statements.back();
  const bool returns = last.starts_with("return");
  const auto made = foreign_tokens(last);
  const bool assigns =
      made && made->size() > 3 && made->front().kind == ForeignKind::Word && is((*made)[1], "=");
  if (!result && assigns)
    body->statements.push_back(fmt::format("return {}", made->front().text));
  else if (result)
    body->statements.push_back(fmt::format("return {}", (*tokens)[1].text));
  else if (!returns && is_readable("return_value = " + last))
    last = "return " + last;
  std::vector<std::string> parameters;
  for (const std::string& name : header->parameters)
    parameters.push_back(parameter_text(*header, *body, name));
  std::string line =
      fmt::format("fn {}({}) {}", header->name, join(parameters, ", "), body->text());
  if (is_readable(line)) mistake.help = {std::move(line)};
  return mistake;
}

// `begin … end`, `if n > 2 … end`
std::optional<ForeignMistake> read_group_to_end(std::string_view text, const ForeignNames& names) {
  std::vector<ForeignBlockLine> lines = foreign_lines(text);
  if (lines.size() < 3 || !lines.back().text.starts_with("end")) return std::nullopt;
  const bool group = lines[0].text == "begin" || lines[0].text == "do";
  if (!group) return std::nullopt;
  lines.pop_back();
  const auto body = foreign_body(lines, names);
  ForeignMistake mistake = foreign_mistake(0, lines[0].text.size(), "a block stands in braces");
  if (body && is_readable(body->text())) mistake.help = {body->text()};
  return mistake;
}

}  // namespace

std::optional<ForeignMistake> read_foreign_end(std::string_view text, const ForeignNames& names) {
  if (auto mistake = read_typed_function(text)) return mistake;
  if (auto mistake = read_c_function(text, names)) return mistake;
  if (auto mistake = read_function_to_end(text, names)) return mistake;
  if (auto mistake = read_branch_to_end(text, names)) return mistake;
  return read_group_to_end(text, names);
}

}  // namespace shard
