// The names that are known so far, as far as reading needs them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shard {

// Equal for spellings of one name: `Win`, `W_in`, `W_{in}`.
std::string name_key(std::string_view name);

// Grows statement by statement while a text is parsed; the REPL passes the same one in again. Subscripts and words
// whose underscore was lost are cut by what is known here.
struct Names {
  std::vector<std::string> axes;        // of the mesh in force, as declared
  std::vector<std::string> dimensions;  // names with a size, or seen inside brackets
  std::vector<std::string> arrays;      // declared or assigned

  bool has_axis(std::string_view name) const;
  bool has_dimension(std::string_view name) const;
};

// `XY` as axes: the exact declared axis first, then split into declared axes, longest first, letter case last of all
// (only where it is unambiguous; the declared spelling comes back). Without any mesh as `split_letters`. nullopt if no
// split fits.
std::optional<std::vector<std::string>> split_axes(std::string_view word, const Names& names);

// `XY` as single letters if it is capitals only, or letters of x, y, z only; any other word is one name (`data`).
std::vector<std::string> split_letters(std::string_view word);

// The canonical spelling of an element type ("bfloat16" gives "bf16"); nullopt if `word` is none.
std::optional<std::string> canonical_dtype(std::string_view word);

}  // namespace shard
