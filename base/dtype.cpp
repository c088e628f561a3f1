#include "base/dtype.h"

#include <algorithm>
#include <iterator>

#include "base/words.h"

namespace shard {
namespace {

constexpr DTypeInfo kDTypes[] = {
#define SHARD_DTYPE(dtype, name, bits, significand, accumulation, lowest, largest, underflow, npy, \
                    saved_as, rated_as)                                                            \
  {DType::dtype, name,      bits, significand,     DType::accumulation, lowest,                    \
   largest,      underflow, npy,  DType::saved_as, DType::rated_as},
#define SHARD_DTYPE_ALIAS(word, dtype, place)
#include "base/dtypes.def"
};

constexpr DTypeAlias kDTypeAliases[] = {
#define SHARD_DTYPE(...)
#define SHARD_DTYPE_ALIAS(word, dtype, place) {word, DType::dtype, DTypePlace::place},
#include "base/dtypes.def"
};

constexpr const DTypeInfo& row_of(DType dtype) { return kDTypes[static_cast<std::size_t>(dtype)]; }

static_assert(std::all_of(std::begin(kDTypes), std::end(kDTypes),
                          [](const DTypeInfo& type) {
                            const DTypeInfo& saved = row_of(type.saved_as);
                            return !saved.npy.empty() && saved.saved_as == saved.dtype &&
                                   saved.lowest <= type.lowest && type.largest <= saved.largest;
                          }),
              "every type is saved as one that NumPy has and that holds its numbers");
static_assert(std::all_of(std::begin(kDTypes), std::end(kDTypes),
                          [](const DTypeInfo& type) {
                            return row_of(type.rated_as).rated_as == type.rated_as &&
                                   type.lowest < type.largest;
                          }),
              "every type is rated as one with a rate of its own");

template <class IsWord>
std::optional<DType> find_dtype(const IsWord& is_word, bool after_colon) {
  for (const DTypeInfo& type : kDTypes) {
    if (is_word(type.name)) return type.dtype;
  }
  for (const DTypeAlias& alias : kDTypeAliases) {
    if ((after_colon || alias.place == DTypePlace::Anywhere) && is_word(alias.word))
      return alias.dtype;
  }
  return std::nullopt;
}

}  // namespace

std::span<const DTypeInfo> dtypes() { return kDTypes; }
std::span<const DTypeAlias> dtype_aliases() { return kDTypeAliases; }

const DTypeInfo& info_of(DType dtype) { return row_of(dtype); }

std::string_view name_of(DType dtype) { return info_of(dtype).name; }

std::optional<DType> parse_dtype(std::string_view word) {
  const auto alike = [](char c, char lower) {
    return c == lower || (is_letter(c) && (c | ' ') == lower);
  };
  const auto is_word = [&](std::string_view name) {
    return std::equal(word.begin(), word.end(), name.begin(), name.end(), alike);
  };
  return find_dtype(is_word, true);
}

std::optional<DType> bracket_dtype(std::string_view word) {
  // Most words are names, which start with a capital: reject those before searching the tables.
  if (word.empty() || word.front() < 'a' || word.front() > 'z') return std::nullopt;
  return find_dtype([&](std::string_view name) { return name == word; }, false);
}

}  // namespace shard
