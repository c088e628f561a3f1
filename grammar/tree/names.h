// The names known so far, as far as reading needs them.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace shard {

// Equal for spellings of one name: `Win`, `W_in`, `W_{in}`; `dL/dOut` and `dOut`.
std::string name_key(std::string_view name);

// Behind the name that a pattern gives any number of a dimension's axes, also none: `Y…` of `D_{Y…}`.
inline constexpr std::string_view kAllAxes = "…";
inline bool names_all_axes(std::string_view axis) { return axis.ends_with(kAllAxes); }
inline std::string_view without_all_axes(std::string_view axis) {
  return names_all_axes(axis) ? axis.substr(0, axis.size() - kAllAxes.size()) : axis;
}

// For maps that are searched by parts of texts. Not noexcept: the library then stores the hashes with the names and
// compares few names.
struct NameHash {
  using is_transparent = void;  // NOLINT(readability-identifier-naming): the library's name
  std::size_t operator()(std::string_view name) const {
    return std::hash<std::string_view>()(name);
  }
};

// Names in the order in which they became known.
class NameSet {
 public:
  NameSet() = default;
  NameSet(std::initializer_list<std::string> names) {
    for (const std::string& name : names) add(name);
  }

  bool contains(std::string_view name) const { return find(name) != nullptr; }
  void add(std::string_view name) { add_under(name, name); }
  std::size_t size() const { return order_.size(); }
  const std::vector<std::string>& in_order() const { return order_; }
  // Drops all but the first `size` names.
  void shrink(std::size_t size);
  friend bool operator==(const NameSet& a, const NameSet& b) { return a.order_ == b.order_; }
  friend bool operator==(const NameSet& set, const std::vector<std::string>& names) {
    return set.order_ == names;
  }

 protected:
  // The first spelling that was added under the key; null if there is none.
  const std::string* find(std::string_view key) const;
  // Does nothing if there already is a name under the key.
  void add_under(std::string_view key, std::string_view name);
  void shrink_by(std::string (*key_of)(std::string_view name), std::size_t size);

 private:
  std::vector<std::string> order_;
  std::unordered_map<std::string, std::string, NameHash, std::equal_to<>> keys_;  // to the spelling
};

// Arrays, each in the spelling that was seen first.
class ArrayNames : public NameSet {
 public:
  ArrayNames() = default;
  ArrayNames(std::initializer_list<std::string> names) {
    for (const std::string& name : names) add(name);
  }

  bool contains(std::string_view name) const { return first_spelling(name) != nullptr; }
  void add(std::string_view name);
  void shrink(std::size_t size) { shrink_by(name_key, size); }
  // The first spelling of that array; null if there is no such array.
  const std::string* first_spelling(std::string_view word) const;
  // The first spelling, or else the word itself.
  std::string spelling(std::string_view word) const;
};

// Grows statement by statement while a text is parsed; the REPL passes it on from input to input. Subscripts, and words
// that have lost their underscore, are split by the names known here.
struct Names {
  std::vector<std::string> axes = {};  // of the current mesh, as declared
  NameSet dimensions = {};             // names with a size, or seen inside brackets
  ArrayNames arrays = {};              // declared or assigned

  // What was known at a point of a text; what became known since is forgotten again.
  struct Mark {
    std::vector<std::string> axes;
    std::size_t dimensions = 0;
    std::size_t arrays = 0;
  };
  Mark mark() const { return {axes, dimensions.size(), arrays.size()}; }
  void go_back_to(Mark mark) {
    axes = std::move(mark.axes);
    dimensions.shrink(mark.dimensions);
    arrays.shrink(mark.arrays);
  }

  bool has_axis(std::string_view name) const;
  bool has_dimension(std::string_view name) const { return dimensions.contains(name); }
};

// A word as a row of axes.
using AxisRow = std::vector<std::string>;

// `XY` as axes: first the declared axis of exactly this name, then a split into declared axes, longest first, and last
// without regard to case if that is unambiguous (in the declared spelling). Without a mesh as `split_letters`. nullopt
// if no split fits.
std::optional<AxisRow> split_axes(std::string_view word, const Names& names);

// Every way to split `word` into declared axes of exactly this spelling, up to two; without a mesh into letters of X,
// Y, Z or of x, y, z.
std::vector<AxisRow> exact_splits(std::string_view word, const Names& names);

// `XY` as single letters if it has only capitals, or only letters of x, y, z; any other word is one name (`data`).
AxisRow split_letters(std::string_view word);

// A dimension's name and its axes, read from a word that has lost its underscore.
struct CutWord {
  std::string dimension;
  AxisRow axes;
};

// Readings of a word inside brackets as a dimension followed by axes: a declared dimension and declared axes; if there
// is no such reading, one capital that is not an axis, and axes. Not for a word that is itself a dimension.
std::vector<CutWord> cut_word(std::string_view word, const Names& names);

// Whether it is spelt like an array: `Win`, `dOut`.
bool is_array_word(std::string_view word);
// Whether it is spelt like an English word: `gathered`.
bool is_english_word(std::string_view word);

// Whether the word is an element type before brackets.
bool is_dtype(std::string_view word);
// The canonical spelling of an element type ("bfloat16" gives "bf16"), without capitals; nullopt if `word` is none.
std::optional<std::string> canonical_dtype(std::string_view word);

}  // namespace shard
