// Elementwise computations, reductions and selections of whole arrays, in fp64, with bounds on rounding.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "interpreter/ir/checked.h"
#include "interpreter/reference/array.h"

namespace shard::oracle {

// The program on whole arrays; operands that lack one of `labels` are repeated along it. Each operation in fp32 (fp64
// for `dtype` fp64 and integers) errs by its own rounding, a few ulps for exp and its kin, and propagates the bounds of
// its arguments: by |f(x ± δ) − f(x)| for monotone functions, by the Lipschitz constant 1.13 for gelu and silu, by (δa
// + |a/b|·δb) / (|b| − δb) for quotients. If the bounds leave a comparison open, either answer is right. NaN, and
// numbers beyond fp32, may be anything. For partial sums, each device rounds its own part.
Array element_values(const ElementProgram& program, const std::vector<Labelled>& operands,
                     const std::vector<int>& labels, const std::vector<std::int64_t>& shape,
                     DType dtype, const Mode& mode);

// A sum of n terms errs by n·u·Σ(|a| + δ) in any order, where u is that of the coarser of the two types in which
// operand and result are summed; a maximum does not err. If Σ(|a| + δ) exceeds these types, some order overflows, and
// the sum may be anything.
Array reduced_values(ReductionKind kind, const Labelled& operand, const std::vector<int>& labels,
                     DType dtype, DType result_dtype, const Mode& mode);

// e / sum_S e with e = exp(x − max_S x). An error common to a row cancels, so values whose arguments err by at most δ
// are right to within a factor of exp(2δ), times what exp and the roundings of e and of its sum to `dtype` add. None
// exceeds 1.
Array softmax_values(const Labelled& operand, const std::vector<int>& along,
                     const std::vector<int>& labels, DType dtype, const Mode& mode);

// operand[… i …], where i, along each dimension of `along`, is an element of the index in its place, or `fixed` if there are
// none; negative ones count from the end. If rounding decides the index, any element may come out (selection.cpp).
Array gathered_values(const Labelled& operand, std::span<const Labelled> indices,
                      const std::vector<int>& along, std::int64_t fixed,
                      const std::vector<int>& labels, const std::vector<std::int64_t>& shape,
                      const Mode& mode);
// The elements from `begin` on along a dimension, as many as the label is long that the operand lacks.
Array part_values(const Labelled& operand, int along, std::int64_t begin,
                  const std::vector<int>& labels, const std::vector<std::int64_t>& shape,
                  const Mode& mode);
// The sums of each row up to each of its elements, of which one of k terms errs as a sum of k terms does.
Array cumsum_values(const Labelled& operand, int along, const std::vector<int>& labels,
                    const std::vector<std::int64_t>& shape, DType dtype, DType result_dtype,
                    const Mode& mode);
// The operands one after the other along a label, and zeros behind them.
Array joined_values(const std::vector<Labelled>& operands, int along,
                    const std::vector<int>& labels, const std::vector<std::int64_t>& shape,
                    const Mode& mode);
// The operand with `value` put at [… i …], or along its own dimension from `fixed` on; the last one put at a place stands.
Array updated_values(const Labelled& operand, const Labelled& value,
                     std::span<const Labelled> indices, const std::vector<int>& along,
                     std::int64_t fixed, const Mode& mode);
// The sums of the operand's elements at the places along `along` that the indices say, each of which errs as a sum of as many terms
// does (`reduced_values`). If rounding decides an index, any of the places may be anything.
Array scattered_values(const Labelled& operand, std::span<const Labelled> indices,
                       const std::vector<int>& along, const std::vector<int>& labels,
                       const std::vector<std::int64_t>& shape, DType dtype, DType result_dtype,
                       const Mode& mode);
// For each row along a dimension the indices of its largest elements, or the index of the largest; of equal ones the smaller index comes first. Open
// where the bounds of two elements overlap.
Array largest_values(const Labelled& operand, int along, const std::vector<int>& labels,
                     const std::vector<std::int64_t>& shape, const Mode& mode);

}  // namespace shard::oracle
