#include "grammar/tree/names.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/contains.h"
#include "base/dtype.h"
#include "base/words.h"

namespace shard {
namespace {

bool equal_without_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

// Among axes that differ only in case, a word in another case cannot choose.
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

// Longest first, backtracking if the rest is not an axis. `dead` remembers rests that failed, so that even a hostile
// word takes at most quadratic time.
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

// All splits into axes of exactly this spelling, up to two: more than one is ambiguous, however many there are.
bool collect_splits(std::string_view word, std::size_t begin, const Names& names,
                    std::vector<bool>& dead, AxisRow& axes, std::vector<AxisRow>& splits) {
  if (begin == word.size()) {
    splits.push_back(axes);
    return true;
  }
  if (dead[begin]) return false;
  bool found = false;
  for (std::size_t length = word.size() - begin; length > 0 && splits.size() < 2; --length) {
    if (!names.has_axis(word.substr(begin, length))) continue;
    axes.emplace_back(word.substr(begin, length));
    found = collect_splits(word, begin + length, names, dead, axes, splits) || found;
    axes.pop_back();
  }
  dead[begin] = !found;
  return found;
}

constexpr std::string_view kDerivative = "dL/";  // of the loss: `dL/dOut` is `dOut`

bool has_no_say(char c) { return c == '_' || c == '{' || c == '}'; }

// The key of a name: the name itself if nothing has to be left out, else built in `key`.
std::string_view key_in(std::string_view name, std::string& key) {
  if (std::none_of(name.begin(), name.end(), has_no_say) && !name.starts_with(kDerivative))
    return name;
  key = name_key(name);
  return key;
}

// Longer subscripts are taken as one name. This bounds the recursion above.
constexpr std::size_t kLongestSubscript = 64;

}  // namespace

std::string name_key(std::string_view name) {
  if (name.starts_with(kDerivative)) name.remove_prefix(kDerivative.size());
  std::string key(name);
  std::erase_if(key, has_no_say);
  return key;
}

const std::string* NameSet::find(std::string_view key) const {
  const auto found = keys_.find(key);
  return found == keys_.end() ? nullptr : &found->second;
}

void NameSet::add_under(std::string_view key, std::string_view name) {
  if (keys_.find(key) != keys_.end()) return;
  keys_.emplace(key, name);
  order_.emplace_back(name);
}

void NameSet::shrink_by(std::string (*key_of)(std::string_view name), std::size_t size) {
  while (order_.size() > size) {
    keys_.erase(key_of(order_.back()));
    order_.pop_back();
  }
}

void NameSet::shrink(std::size_t size) {
  shrink_by([](std::string_view name) { return std::string(name); }, size);
}

void ArrayNames::add(std::string_view name) {
  std::string key;
  add_under(key_in(name, key), name);
}

const std::string* ArrayNames::first_spelling(std::string_view word) const {
  std::string key;
  return find(key_in(word, key));
}

std::string ArrayNames::spelling(std::string_view word) const {
  const std::string* first = first_spelling(word);
  return first == nullptr ? std::string(word) : *first;
}

bool Names::has_axis(std::string_view name) const { return contains(axes, name); }

AxisRow split_letters(std::string_view word) {
  const auto all = [&](auto holds) { return std::all_of(word.begin(), word.end(), holds); };
  const bool capitals = all([](char c) { return c >= 'A' && c <= 'Z'; });
  const bool usual =
      all([](char c) { return std::string_view("XYZxyz").find(c) != std::string_view::npos; });
  if ((!capitals && !usual) || word.size() > kLongestSubscript) return {std::string(word)};
  std::vector<std::string> letters;
  for (const char c : word) letters.emplace_back(1, c);
  return letters;
}

std::optional<AxisRow> split_axes(std::string_view word, const Names& names) {
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

std::vector<AxisRow> exact_splits(std::string_view word, const Names& names) {
  if (word.empty() || word.size() > kLongestSubscript) return {};
  if (names.axes.empty()) {
    const bool usual = word.find_first_not_of("XYZ") == std::string_view::npos ||
                       word.find_first_not_of("xyz") == std::string_view::npos;
    return usual ? std::vector<AxisRow>{split_letters(word)} : std::vector<AxisRow>{};
  }
  if (names.has_axis(word)) return {AxisRow{std::string(word)}};
  std::vector<bool> dead(word.size(), false);
  std::vector<AxisRow> splits;
  AxisRow axes;
  collect_splits(word, 0, names, dead, axes, splits);
  return splits;
}

std::vector<CutWord> cut_word(std::string_view word, const Names& names) {
  std::vector<CutWord> readings;
  if (word.size() < 2 || word.size() > 2 * kLongestSubscript) return readings;
  const auto add = [&](std::size_t place) {
    const std::string_view tail = word.substr(place);
    std::vector<AxisRow> rows = exact_splits(tail, names);
    if (rows.empty() && !names.axes.empty()) {
      if (auto row = split_axes(tail, names)) rows.push_back(std::move(*row));
    }
    for (AxisRow& row : rows)
      readings.push_back({std::string(word.substr(0, place)), std::move(row)});
  };
  for (std::size_t place = 1; place < word.size(); ++place) {
    if (names.has_dimension(word.substr(0, place))) add(place);
  }
  const bool capital = word[0] >= 'A' && word[0] <= 'Z';
  const bool axis = names.axes.empty()
                        ? std::string_view("XYZ").find(word[0]) != std::string_view::npos
                        : names.has_axis(word.substr(0, 1));
  if (readings.empty() && capital && !axis) add(1);
  return readings;
}

bool is_array_word(std::string_view word) {
  const char first = word[word.size() > 1 && word[0] == 'd' ? 1 : 0];
  return first >= 'A' && first <= 'Z';
}

bool is_english_word(std::string_view word) {
  return word.size() > 2 &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

bool is_dtype(std::string_view word) { return bracket_dtype(word).has_value(); }

std::optional<std::string> canonical_dtype(std::string_view word) {
  const bool lower =
      std::all_of(word.begin(), word.end(), [](char c) { return c < 'A' || c > 'Z'; });
  const auto dtype = lower ? parse_dtype(word) : std::nullopt;
  return dtype ? std::optional<std::string>(name_of(*dtype)) : std::nullopt;
}

}  // namespace shard
