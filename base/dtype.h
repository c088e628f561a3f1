// The element types by name, from base/dtypes.def. runtime/element/dtype.h says what they compute.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace shard {

enum class DType {
#define SHARD_DTYPE(dtype, ...) dtype,
#define SHARD_DTYPE_ALIAS(word, dtype, place)
#include "base/dtypes.def"
};

struct DTypeInfo {
  DType dtype;
  std::string_view name;
  int bits;
  int significand;  // bits, including the hidden one; 0 for integers
  DType accumulation;
  double lowest;
  double largest;  // finite
  double underflow;
  std::string_view npy;  // "" where a file has none
  DType saved_as;
  DType rated_as;
};
std::span<const DTypeInfo> dtypes();
const DTypeInfo& info_of(DType dtype);
// Canonical spelling: "bf16", "fp32", "int8", "fp8" (E4M3), "fp8e5m2", ...
std::string_view name_of(DType dtype);

// Where a spelling is a type rather than a name.
enum class DTypePlace { Anywhere, AfterColon };

struct DTypeAlias {
  std::string_view word;
  DType dtype;
  DTypePlace place;
};
std::span<const DTypeAlias> dtype_aliases();

// Any spelling from the tables ("bfloat16", "f32", "float32", "s8", …), in any letter case: what may follow a colon.
std::optional<DType> parse_dtype(std::string_view word);
// The type that a word before brackets stands for; lower case only.
std::optional<DType> bracket_dtype(std::string_view word);

}  // namespace shard
