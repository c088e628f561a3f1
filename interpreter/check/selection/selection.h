// Elements picked or put by their place: what indices, `Reshape` and `top` have in common (design: language, "Arrays,
// layouts and copies"). Private to their files.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "interpreter/check/operation.h"

namespace shard {

// What one pair of brackets after an array says: a number, or an array of them.
struct CheckedIndex {
  DimensionId along;
  std::optional<checked::Operation> array;
  Formula position;
};
// Reports UnknownName, UnknownDimension, BadIndex.
std::optional<CheckedIndex> check_index(const ast::Index& index, const checked::Operation& operand,
                                        CheckContext& context);

// Whether the array may be indices into a dimension that it does not have. Reports BadIndex.
bool check_index_array(const checked::Operation& index, DimensionId along, CheckContext& context);

// `0:J/2` in the place of a dimension: a part that is not all of it.
struct DimensionPart {
  std::size_t dimension;
  Formula begin;
  std::int64_t length;
  std::optional<DimensionId> name;  // of `0:K` and `K:J`: K
  Span span;
};
struct PartsOfArray {
  checked::Operation whole;
  std::vector<DimensionPart> parts;
};
// The array whose parts these are, and the parts, which are to be changed. REQUIRES: `has_part`.
std::optional<PartsOfArray> check_parts(const ast::ArrayRef& array, CheckContext& context);

// The operation of a selection whose operands are checked, with what it leaves locally.
checked::Operation selection_of(checked::Selection selection, std::vector<DimensionId> labels,
                                DType dtype, Span span, const Scope& scope);

// Partial results that were written may be put nowhere, and be no index; `what` says so. Reports UnreducedOperand.
bool check_reduced(const checked::Operation& operation, std::string_view what,
                   CheckContext& context);

// Whether both are one array as it is used, or what is picked of one in the same way.
bool same_use(const checked::Operation& a, const checked::Operation& b);

}  // namespace shard
