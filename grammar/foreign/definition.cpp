// Functions of Python: `def`, also with decorators in front, and `lambda`.
#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "grammar/foreign/block.h"
#include "grammar/foreign/block_writer.h"
#include "grammar/foreign/line.h"
#include "grammar/translate/token.h"

namespace shard {
namespace {

using ForeignKind = ForeignToken::Kind;

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

// The block of a function without the brackets of an array that is read: there they would ask for the whole array on each device,
// and what a pattern takes is split as it comes.
std::string with_bare_array(std::string block, const std::string& name,
                            const std::string& brackets) {
  const std::string written = name + brackets;
  for (std::size_t at = block.find(written); at != std::string::npos;
       at = block.find(written, at + 1)) {
    const bool is_read = block.compare(at + written.size(), 3, " = ") != 0;
    if (is_read && !is_name_character(block[at - 1]))
      block.erase(at + name.size(), brackets.size());
  }
  return block;
}

std::optional<ForeignMistake> read_function(std::string_view text, const ForeignNames& names,
                                            bool of_arrays = false) {
  const std::size_t word = text.starts_with("async def ") ? 10 : 4;
  if (!text.starts_with("def ") && word == 4) return std::nullopt;
  const std::string_view head = bare_text(text.substr(0, text.find('\n')));
  const auto header = foreign_header(head.substr(word == 4 ? 0 : 6));
  ForeignMistake mistake = foreign_mistake(
      0, word - 1, "`def` is Python: a function is `fn`, and its block stands in braces");
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
  ForeignBlockWriter writer(lines, names);
  for (const std::string& parameter : header->parameters) writer.names().hide(parameter);
  std::size_t next = 1;
  auto body = lines.size() > 1 ? writer.block(next, lines[0].indent) : std::nullopt;
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
    const std::string brackets = fmt::format("[{}]", join(dimensions, ", "));
    if (body && !dimensions.empty()) body = with_bare_array(*std::move(body), name, brackets);
    const auto written = header->written.find(name);
    parameters.push_back(written != header->written.end() ? written->second
                         : dimensions.empty()             ? name
                                                          : name + brackets);
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

std::optional<ForeignMistake> read_foreign_definition(std::string_view text,
                                                      const ForeignNames& names) {
  if (auto mistake = read_decorated(text, names)) return mistake;
  if (auto mistake = read_function(text, names)) return mistake;
  return read_lambda(text, names);
}

}  // namespace shard
