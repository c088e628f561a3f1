// Declarations of arrays as other languages have them: types and layouts in another place, or by another name.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/translate/language.h"
#include "grammar/translate/token.h"
#include "grammar/translate/writer.h"
#include "grammar/tree/names.h"

namespace shard {
namespace {

using ForeignKind = ForeignToken::Kind;
using Tokens = ForeignTokens;

void offer_declaration(ForeignMistake& mistake, std::string line) {
  line = std::string(bare_text(line));
  if (is_readable(line)) mistake.help.push_back(std::move(line));
}

// `bf16[I_X, J] A`, `bf16 A[I_X, J]`, `A: bf16(I_X, J)`
std::optional<ForeignMistake> read_declaration(std::string_view text, const Tokens& tokens) {
  const bool type_first = tokens[0].kind == ForeignKind::Word && is_dtype(tokens[0].text);
  const ForeignToken& last = tokens[tokens.size() - 2];
  if (type_first && is(tokens[1], "[") && last.kind == ForeignKind::Word &&
      is(tokens[tokens.size() - 3], "]")) {
    ForeignMistake mistake = foreign_mistake(last, "the name of an array stands before its type");
    offer_declaration(mistake,
                      fmt::format("{}: {}", last.text, bare_text(text.substr(0, last.begin))));
    return mistake;
  }
  if (type_first && tokens[1].kind == ForeignKind::Word && is(tokens[2], "[")) {
    ForeignMistake mistake =
        foreign_mistake(tokens[0], "the name of an array stands before its type");
    offer_declaration(mistake, fmt::format("{}: {}{}", tokens[1].text, tokens[0].text,
                                           bare_text(text.substr(tokens[1].end))));
    return mistake;
  }
  const bool parens = is(tokens[1], ":") && tokens[2].kind == ForeignKind::Word &&
                      is_dtype(tokens[2].text) && is(tokens[3], "(") && is(last, ")");
  if (!parens) return std::nullopt;
  ForeignMistake mistake =
      foreign_mistake(tokens[3], "the dimensions of an array stand in brackets");
  offer_declaration(mistake, fmt::format("{}[{}]", text.substr(0, tokens[3].begin),
                                         text.substr(tokens[3].end, last.begin - tokens[3].end)));
  return mistake;
}

// `A: fp32[B, S] = np.dot(Q, T)`: a declaration with a value that is foreign.
std::optional<ForeignMistake> read_typed_result(std::string_view text, const Tokens& tokens,
                                                const ForeignNames& names) {
  if (tokens[0].kind != ForeignKind::Word) return std::nullopt;
  const auto behind_brackets = [&](std::size_t i) {
    if (i < tokens.size() && is(tokens[i], "[")) i = behind_group(tokens, i);
    if (i < tokens.size() && is(tokens[i], "{")) i = behind_group(tokens, i);
    return i;
  };
  const std::size_t colon = behind_brackets(1);
  if (colon + 2 >= tokens.size() || !is(tokens[colon], ":") ||
      tokens[colon + 1].kind != ForeignKind::Word || !is_dtype(tokens[colon + 1].text))
    return std::nullopt;
  const std::size_t sign = behind_brackets(colon + 2);
  const bool bracketed = (colon > 1) != (sign > colon + 2);
  if (!bracketed || sign + 1 >= tokens.size() || !is(tokens[sign], "=")) return std::nullopt;
  const std::string_view value = bare_text(text.substr(tokens[sign].end));
  const std::string_view declared = bare_text(text.substr(0, tokens[sign].begin));
  const std::string before = fmt::format("{} = ", tokens[0].text);
  const auto foreign = read_foreign_line(before + std::string(value), names);
  if (!foreign || foreign->line.empty()) return std::nullopt;
  ForeignMistake mistake = foreign->mistake;
  mistake.help.clear();
  if (mistake.begin >= before.size()) {
    const auto place = static_cast<std::size_t>(value.data() - text.data());
    mistake.begin += place - before.size();
    mistake.end += place - before.size();
  }
  // One line makes the array, or several do.
  const std::size_t sign_here = foreign->line.find(" = ");
  const bool alone = sign_here != std::string::npos && foreign->line.find(';') == std::string::npos;
  offer_declaration(mistake, fmt::format("{}{}{}", declared, alone ? "" : "; ",
                                         alone ? foreign->line.substr(sign_here) : foreign->line));
  mistake.made = std::string(tokens[0].text);
  return mistake;
}

// What others call the type of an array that says nothing of its elements.
constexpr std::string_view kArrayTypes[] = {"Tensor",  "Array",       "ndarray",
                                            "DTensor", "FloatTensor", "DeviceArray"};

// `torch.float16` at token `i`; nothing if it is no such name. `end` is after it.
struct ForeignType {
  std::string path;
  std::string dtype;
  std::size_t end;
};
std::optional<ForeignType> type_at(const Tokens& tokens, std::size_t i) {
  if (i >= tokens.size() || tokens[i].kind != ForeignKind::Word) return std::nullopt;
  ForeignType type{std::string(tokens[i].text), {}, i + 1};
  ForeignTree last{.kind = ForeignTree::Kind::Name, .text = type.path};
  while (type.end + 1 < tokens.size() && is(tokens[type.end], ".") &&
         tokens[type.end + 1].kind == ForeignKind::Word) {
    last.text = std::string(tokens[type.end + 1].text);
    type.path += "." + last.text;
    type.end += 2;
  }
  const bool array = is_foreign_array_type(last.text);
  const bool path = type.path != last.text;
  if (!array && !path && is_dtype(last.text)) return std::nullopt;
  type.dtype = array ? "bf16" : foreign_dtype(last);
  return type.dtype.empty() ? std::nullopt : std::optional(std::move(type));
}

// `x: torch.float16[B, D]`, `x: jax.Array[B, D]`
std::optional<ForeignMistake> read_module_type(std::string_view text, const Tokens& tokens) {
  if (tokens[0].kind != ForeignKind::Word) return std::nullopt;
  for (std::size_t i = 1; i + 2 < tokens.size(); ++i) {
    if (is(tokens[i], "=") || is(tokens[i], "(")) return std::nullopt;
    if (!is(tokens[i], ":")) continue;
    const auto type = type_at(tokens, i + 1);
    if (!type || type->end >= tokens.size()) return std::nullopt;
    const bool goes_on = is(tokens[type->end], "[") || tokens[type->end].kind == ForeignKind::End;
    if (!goes_on) return std::nullopt;
    const std::string_view language =
        foreign_language(std::string_view(type->path).substr(0, type->path.find('.')));
    ForeignToken place = tokens[i + 1];
    place.end = tokens[type->end - 1].end;
    ForeignMistake mistake = foreign_mistake(
        place, fmt::format("`{}` is {}: the type of elements is a word alone, `{}`", type->path,
                           language.empty() ? "Python" : language, type->dtype));
    offer_declaration(mistake, fmt::format("{}{}{}", text.substr(0, place.begin), type->dtype,
                                           text.substr(place.end)));
    if (mistake.help.empty()) return std::nullopt;
    mistake.made = std::string(tokens[0].text);
    return mistake;
  }
  return std::nullopt;
}

// Types of elements as jaxtyping has them, in front of `[Array, "B D"]`.
struct AnnotatedType {
  std::string_view word;
  std::string_view dtype;
};
constexpr AnnotatedType kAnnotatedTypes[] = {
    {"Float", "bf16"},   {"Num", "bf16"},      {"Inexact", "bf16"}, {"Real", "bf16"},
    {"Shaped", "bf16"},  {"BFloat16", "bf16"}, {"Float16", "fp16"}, {"Half", "fp16"},
    {"Float32", "fp32"}, {"Float64", "fp64"},  {"Int", "int32"},    {"Integer", "int32"},
    {"Int8", "int8"},    {"Int16", "int16"},   {"Int32", "int32"},  {"Int4", "int4"},
    {"UInt8", "uint8"},  {"UInt", "uint32"},   {"UInt32", "uint32"}};

// `x: Float[Array, "B D"]`
std::optional<ForeignMistake> read_annotation(const Tokens& tokens) {
  constexpr std::size_t kLeast = 8;  // with the end
  if (tokens.size() < kLeast || tokens[0].kind != ForeignKind::Word || !is(tokens[1], ":"))
    return std::nullopt;
  const auto type =
      std::find_if(std::begin(kAnnotatedTypes), std::end(kAnnotatedTypes),
                   [&](const AnnotatedType& known) { return known.word == tokens[2].text; });
  if (type == std::end(kAnnotatedTypes) || !is(tokens[3], "[")) return std::nullopt;
  // `Array`, or the path to it.
  std::size_t text = 5;
  while (text + 2 < tokens.size() && is(tokens[text], ".")) text += 2;
  if (text + 3 >= tokens.size() || !is(tokens[text], ",") ||
      tokens[text + 1].kind != ForeignKind::Text || !is(tokens[text + 2], "]") ||
      !is_foreign_array_type(tokens[text - 1].text))
    return std::nullopt;
  ForeignToken place = tokens[2];
  place.end = tokens[text + 2].end;
  ForeignMistake mistake =
      foreign_mistake(place, "dimensions stand in the brackets after the type, without quotes");
  std::istringstream words{std::string(tokens[text + 1].text)};
  const std::vector<std::string> dimensions{std::istream_iterator<std::string>(words), {}};
  offer_declaration(mistake,
                    fmt::format("{}: {}[{}]", tokens[0].text, type->dtype, join(dimensions, ", ")));
  mistake.made = std::string(tokens[0].text);
  return mistake;
}

// `W: bf16[D, F] placements=[Replicate(), Shard(1)]`, `W: bf16[D, F] @ P(None, 'tp')`: a layout after the brackets.
std::optional<ForeignMistake> read_layout_behind(std::string_view text, const Tokens& tokens,
                                                 const ForeignNames& names) {
  if (tokens[0].kind != ForeignKind::Word) return std::nullopt;
  std::size_t open = 1;
  while (open < tokens.size() && !is(tokens[open], "[") && !is(tokens[open], "(")) ++open;
  const bool declares = std::any_of(tokens.begin(), tokens.end(),
                                    [](const ForeignToken& token) { return is(token, ":"); });
  if (!declares || open >= tokens.size() || !is(tokens[open], "[")) return std::nullopt;
  const std::size_t close = behind_group(tokens, open);
  if (close + 1 >= tokens.size()) return std::nullopt;
  // Up to the name of the layout: `, sharding=`, `with`, `@`, or a type after the brackets.
  std::size_t begin = close;
  std::size_t behind_type = close;
  if (is(tokens[begin], ":") && begin + 2 < tokens.size()) {
    begin += 2;
    behind_type = begin;
  }
  if (is(tokens[begin], ",") || is(tokens[begin], "@") || is(tokens[begin], "with")) ++begin;
  if (begin + 2 < tokens.size() && tokens[begin].kind == ForeignKind::Word &&
      (is(tokens[begin + 1], "=") || is(tokens[begin + 1], ":")))
    begin += 2;
  else if (is(tokens[begin], "="))
    ++begin;
  if (begin + 1 >= tokens.size() || is(tokens[begin], ":")) return std::nullopt;
  const auto tree = read_foreign_expression(text.substr(tokens[begin].begin));
  if (!tree || tree->kind == ForeignTree::Kind::Name) return std::nullopt;
  const auto layout = ForeignWriter(names).layout_of(*tree);
  const std::size_t inner = tokens[open].end;
  std::vector<std::string> dimensions = written_dimensions(
      fmt::format("A{}",
                  text.substr(tokens[open].begin, tokens[close - 1].end - tokens[open].begin)),
      "A");
  if (!layout || layout->size() > dimensions.size()) return std::nullopt;
  for (std::size_t i = 0; i < layout->size(); ++i) dimensions[i] += axes_text((*layout)[i]);
  ForeignToken place = tokens[behind_type];
  place.end =
      bare_text(text).size() + static_cast<std::size_t>(bare_text(text).data() - text.data());
  ForeignMistake mistake =
      foreign_mistake(place, "the layout of an array stands in its brackets, after each dimension");
  offer_declaration(
      mistake, fmt::format("{}{}{}", text.substr(0, inner), join(dimensions, ", "),
                           text.substr(tokens[close - 1].begin,
                                       tokens[behind_type - 1].end - tokens[close - 1].begin)));
  if (mistake.help.empty()) return std::nullopt;
  mistake.made = std::string(tokens[0].text);
  return mistake;
}

}  // namespace

bool is_foreign_array_type(std::string_view word) {
  return std::find(std::begin(kArrayTypes), std::end(kArrayTypes), word) != std::end(kArrayTypes);
}

std::optional<ForeignMistake> read_foreign_declaration(std::string_view text,
                                                       const ForeignNames& names) {
  const auto tokens = foreign_tokens(text);
  if (!tokens || tokens->size() < 4) return std::nullopt;
  if (auto mistake = read_layout_behind(text, *tokens, names)) return mistake;
  if (auto mistake = read_module_type(text, *tokens)) return mistake;
  if (auto mistake = read_annotation(*tokens)) return mistake;
  if (tokens->size() < 5) return std::nullopt;
  if (auto mistake = read_typed_result(text, *tokens, names)) return mistake;
  return read_declaration(text, *tokens);
}

}  // namespace shard
