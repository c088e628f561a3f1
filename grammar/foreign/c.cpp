// Declarations of C and C++: `float A[64][128];`, `std::vector<float> q(B * D);`.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/dtype.h"
#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/translate/token.h"
#include "grammar/tree/names.h"

namespace shard {
namespace {

using ForeignKind = ForeignToken::Kind;
using Tokens = ForeignTokens;

constexpr std::string_view kCQualifiers[] = {"const",    "static",     "constexpr",    "volatile",
                                             "register", "__shared__", "__restrict__", "__device__",
                                             "extern",   "mut",        "unsigned",     "local"};
// Others whose arguments in angles begin with a type of elements.
constexpr std::string_view kCContainers[] = {"vector",     "array",     "valarray", "unique_ptr",
                                             "shared_ptr", "span",      "Tensor",   "Matrix",
                                             "Array",      "GlobalMem", "Vec"};
// Types of other languages by names that no element type here has.
struct CType {
  std::string_view word;
  DType dtype;
};
constexpr CType kCTypes[] = {
    {"int32_t", DType::Int32},  {"int64_t", DType::Int32},   {"size_t", DType::Int32},
    {"long", DType::Int32},     {"short", DType::Int8},      {"char", DType::Int8},
    {"int8_t", DType::Int8},    {"uint32_t", DType::UInt32}, {"half_t", DType::Fp16},
    {"bool", DType::Int8},      {"bfloat16_t", DType::Bf16}, {"nv_bfloat16", DType::Bf16},
    {"float32_t", DType::Fp32}, {"float16_t", DType::Fp16}};

template <class Words>
bool is_one(std::string_view word, const Words& words) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// `__bf16`, `float`, `int32_t`
std::optional<DType> c_type(std::string_view word) {
  while (word.starts_with('_')) word.remove_prefix(1);
  const auto* known = std::find_if(std::begin(kCTypes), std::end(kCTypes),
                                   [&](const CType& type) { return type.word == word; });
  if (known != std::end(kCTypes)) return known->dtype;
  return parse_dtype(word);
}

// What stands in front of the name of an array: `const float*`, `std::vector<float>`.
struct TypeWords {
  DType dtype;
  bool container;
  std::size_t end;  // the token of the name
};
std::optional<TypeWords> type_words(const Tokens& tokens) {
  std::size_t i = 0;
  while (is_one(tokens[i].text, kCQualifiers)) ++i;
  const bool path = is(tokens[i + 1], ":") || is(tokens[i + 1], "::");
  if (tokens[i].kind == ForeignKind::Word && path) {
    do {
      ++i;
    } while (is(tokens[i], ":") || is(tokens[i], "::"));
  }
  std::optional<DType> dtype = c_type(tokens[i].text);
  const bool container = is_one(tokens[i].text, kCContainers) && is(tokens[i + 1], "<");
  if (container) {
    for (++i; i + 1 < tokens.size() && !is(tokens[i], ">") && !is(tokens[i], ">>"); ++i) {
      if (!dtype) dtype = c_type(tokens[i].text);
    }
    if (is(tokens[i + 1], ">")) ++i;
  }
  if (!dtype || tokens[i].kind == ForeignKind::End) return std::nullopt;
  ++i;
  while (is(tokens[i], "*") || is(tokens[i], "**") || is(tokens[i], "&")) ++i;
  if (tokens[i].kind != ForeignKind::Word || i == 0) return std::nullopt;
  return TypeWords{*dtype, container, i};
}

// Adds `B`, `D` of `B * D` between tokens; false if anything else stands there.
bool add_sizes(const Tokens& tokens, std::size_t begin, std::size_t end,
               std::vector<std::string>& sizes) {
  for (std::size_t i = begin; i < end; i += 2) {  // a size and the `*` after it
    const bool size = tokens[i].kind == ForeignKind::Word || tokens[i].kind == ForeignKind::Number;
    const bool last = i + 1 == end || is(tokens[i + 1], "*");
    if (!size || !last || c_type(tokens[i].text)) return false;
    sizes.emplace_back(tokens[i].text);
  }
  return begin < end;
}

// `[B][D]`, `(B * D)`, `= new float[B * D]`, each name of a length a dimension; nothing if it is anything else.
std::vector<std::string> c_sizes(const Tokens& tokens, std::size_t name) {
  std::vector<std::string> sizes;
  std::size_t i = name + 1;
  if (is(tokens[i], "=") && is(tokens[i + 1], "new")) i += 3;
  const bool parenthesis = is(tokens[i], "(");
  while (is(tokens[i], "[") || (parenthesis && is(tokens[i], "("))) {
    const std::size_t behind = behind_group(tokens, i);
    if (behind >= tokens.size() || !add_sizes(tokens, i + 1, behind - 1, sizes)) return {};
    i = behind;
  }
  const bool filled = is(tokens[i], "=") && is(tokens[i + 1], "{");
  if (filled) i = behind_group(tokens, i + 1);
  while (is(tokens[i], ";")) ++i;
  const bool twice = std::set<std::string>(sizes.begin(), sizes.end()).size() != sizes.size();
  if (twice || i < tokens.size() - 1) return {};
  return sizes;
}

}  // namespace

std::optional<ForeignMistake> read_c_declaration(std::string_view text, const ForeignTokens& tokens,
                                                 const ForeignNames& names) {
  const auto type = type_words(tokens);
  // `bf16 A[I_X, J]` has the types of the notation.
  if (!type || is_dtype(tokens[0].text)) return std::nullopt;
  const ForeignToken& next = tokens[type->end + 1];
  const bool made = is(next, "=") && is(tokens[type->end + 2], "new");
  const bool open = type->container && (is(next, ";") || next.kind == ForeignKind::End);
  if (!is(next, "[") && !is(next, "(") && !made && !open) return std::nullopt;
  std::vector<std::string> sizes = c_sizes(tokens, type->end);
  if (open) {
    sizes = names.dimensions();
    constexpr std::size_t kRank = 2;
    if (sizes.size() < kRank) sizes = {"I", "J"};
    sizes.resize(kRank);
  }
  // `int f(int a) { … }`
  if (is(next, "(") && sizes.empty()) return std::nullopt;
  // `float A[I_X, J]`: the brackets are those of the notation.
  const std::size_t behind = is(next, "[") ? behind_group(tokens, type->end + 1) : 0;
  const bool own = sizes.empty() && behind > 0 && behind < tokens.size() &&
                   (tokens[behind].kind == ForeignKind::End || is(tokens[behind], ";"));
  const std::size_t begin = tokens[0].begin;
  const std::size_t end = tokens[type->end - 1].end;
  ForeignMistake mistake = foreign_mistake(
      begin, end,
      fmt::format("`{}` is no word here: an array is declared with its type after the name",
                  text.substr(begin, end - begin)));
  if (!sizes.empty())
    offer_line(mistake, fmt::format("{}: {}[{}]", tokens[type->end].text, name_of(type->dtype),
                                    join(sizes, ", ")));
  if (own)
    offer_line(mistake, fmt::format("{}: {}{}", tokens[type->end].text, name_of(type->dtype),
                                    text.substr(next.begin, tokens[behind - 1].end - next.begin)));
  mistake.made = std::string(tokens[type->end].text);
  return mistake;
}

}  // namespace shard
