#include "grammar/names.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace shard {
namespace {

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool equal_without_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

// Several axes that differ in case only cannot be told apart by a word in another case.
std::optional<std::string> axis_without_case(std::string_view word, const Names& names) {
  std::optional<std::string> found;
  for (const std::string& axis : names.axes) {
    if (!equal_without_case(axis, word)) continue;
    if (found) return std::nullopt;
    found = axis;
  }
  return found;
}

std::optional<std::string> find_axis(std::string_view word, const Names& names, bool any_case) {
  if (names.has_axis(word)) return std::string(word);
  return any_case ? axis_without_case(word, names) : std::nullopt;
}

// Longest first, with a step back where the longest leaves a rest that is no axis. `dead` remembers rests that
// failed, so that a hostile word costs quadratic time at most.
bool split_from(std::string_view word, std::size_t begin, const Names& names, bool any_case,
                std::vector<bool>& dead, std::vector<std::string>& axes) {
  if (begin == word.size()) return true;
  if (dead[begin]) return false;
  for (std::size_t length = word.size() - begin; length > 0; --length) {
    const auto axis = find_axis(word.substr(begin, length), names, any_case);
    if (!axis) continue;
    axes.push_back(*axis);
    if (split_from(word, begin + length, names, any_case, dead, axes)) return true;
    axes.pop_back();
  }
  dead[begin] = true;
  return false;
}

// Subscripts longer than this are one name; it bounds the recursion above.
constexpr std::size_t kLongestSubscript = 64;

}  // namespace

std::string name_key(std::string_view name) {
  if (name.substr(0, 3) == "dL/") name.remove_prefix(3);
  std::string key;
  for (const char c : name) {
    if (c != '_' && c != '{' && c != '}') key += c;
  }
  return key;
}

bool Names::has_axis(std::string_view name) const { return contains(axes, name); }
bool Names::has_dimension(std::string_view name) const { return contains(dimensions, name); }

std::vector<std::string> split_letters(std::string_view word) {
  const auto all = [&](auto holds) { return std::all_of(word.begin(), word.end(), holds); };
  const bool capitals = all([](char c) { return c >= 'A' && c <= 'Z'; });
  const bool usual =
      all([](char c) { return std::string_view("XYZxyz").find(c) != std::string_view::npos; });
  if ((!capitals && !usual) || word.size() > kLongestSubscript) return {std::string(word)};
  std::vector<std::string> letters;
  for (const char c : word) letters.emplace_back(1, c);
  return letters;
}

std::optional<std::vector<std::string>> split_axes(std::string_view word, const Names& names) {
  if (names.axes.empty()) return split_letters(word);
  if (names.has_axis(word)) return std::vector<std::string>{std::string(word)};
  if (word.empty() || word.size() > kLongestSubscript) return std::nullopt;
  for (const bool any_case : {false, true}) {
    std::vector<bool> dead(word.size(), false);
    std::vector<std::string> axes;
    if (split_from(word, 0, names, any_case, dead, axes)) return axes;
  }
  return std::nullopt;
}

std::optional<std::string> canonical_dtype(std::string_view word) {
  static const std::vector<std::pair<std::string_view, std::string_view>> spellings = {
      {"bf16", "bf16"},    {"bfloat16", "bf16"}, {"fp64", "fp64"},       {"f64", "fp64"},
      {"float64", "fp64"}, {"fp32", "fp32"},     {"f32", "fp32"},        {"float32", "fp32"},
      {"fp16", "fp16"},    {"f16", "fp16"},      {"float16", "fp16"},    {"fp8", "fp8"},
      {"f8", "fp8"},       {"float8", "fp8"},    {"fp8e5m2", "fp8e5m2"}, {"float8_e5m2", "fp8e5m2"},
      {"int32", "int32"},  {"s32", "int32"},     {"i32", "int32"},       {"u32", "u32"},
      {"uint32", "u32"},   {"int8", "int8"},     {"s8", "int8"},         {"i8", "int8"},
      {"int4", "int4"},    {"s4", "int4"},       {"i4", "int4"}};
  for (const auto& [spelling, canonical] : spellings) {
    if (spelling == word) return std::string(canonical);
  }
  return std::nullopt;
}

}  // namespace shard
