// The element types by name, from base/dtypes.def. What they compute is said in runtime/element/dtype.h.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace shard {

enum class DType {
#define SHARD_DTYPE(dtype, name, bits, significand, accumulation) dtype,
#define SHARD_DTYPE_ALIAS(word, dtype, place)
#include "base/dtypes.def"
};

struct DTypeInfo {
  DType dtype;
  std::string_view name;
  int bits;
  int significand;  // bits of it, the hidden one counted; 0 for integers
  DType accumulation;
};
std::span<const DTypeInfo> dtypes();
const DTypeInfo& info_of(DType dtype);
// Canonical spelling: "bf16", "fp32", "int8", "fp8" (E4M3), "fp8e5m2", ...
std::string_view name_of(DType dtype);

// Where a spelling is the type and no name.
enum class DTypePlace { Anywhere, AfterColon };

struct DTypeAlias {
  std::string_view word;
  DType dtype;
  DTypePlace place;
};
std::span<const DTypeAlias> dtype_aliases();

// Any spelling of the tables ("bfloat16", "f32", "float32", "s8", …), letter case ignored: what stands behind a colon.
std::optional<DType> parse_dtype(std::string_view word);
// The type of a word in front of brackets; in lower case.
std::optional<DType> bracket_dtype(std::string_view word);

}  // namespace shard
