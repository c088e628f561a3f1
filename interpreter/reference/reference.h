// What a statement computes without shards, against which `--verify` compares: whole arrays in fp64, with a bound on
// how far rounding may move the devices' results away from them. Shares no code with planning or the runtime.
//
// In this folder:
//   reference.h, unsharded.h               one statement, and a whole script, without shards
//   array.h, strides.h                     whole arrays, and where their elements lie
//   einsum.h, elements.h, product_bound.h  products and elements, and the bounds of products
//   bounded.h, rounding_error.h            a number with its bound; what rounding may do to an array
//   parallel.h, loop_options.h             loops on several threads, until Ctrl-C
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "interpreter/ir/checked.h"
#include "interpreter/ir/symbols.h"
#include "interpreter/reference/array.h"

namespace shard::oracle {

class Oracle {
 public:
  // What an array holds before the statement. If bounds are kept, NaN is settled (rounding_error.h).
  using Operand = std::function<std::shared_ptr<const Array>(ArrayId)>;

  // Works as `mode` says; its watch may end the computation with an exception. Results are the same bits for any number
  // of threads. REQUIRES: every dimension that is computed with has a length.
  Oracle(const Scope& scope, const Mesh& mesh, Operand operand, Mode mode)
      : scope_(scope), mesh_(mesh), operand_(std::move(operand)), mode_(std::move(mode)) {}

  // The target of a flow, from the arrays before it. `partial`: it is kept as partial sums, which are not yet rounded
  // to its type. This is running error analysis (Higham, "Accuracy and Stability of Numerical Algorithms", 3.1 and
  // 3.3): a sum of n products errs by at most n·u·Σ|a||b| in any order, and each operand's own bound is propagated. NaN
  // and numbers that overflow may be anything. REQUIRES: the flow makes a new array.
  Array result(const checked::Flow& flow, bool partial);

 private:
  // NaN, and numbers without a bound, are settled (rounding_error.h); arrays that are only used are not copied.
  std::shared_ptr<const Array> evaluate(const checked::Operation& operation, DType dtype);
  Array settled(const checked::Operation& operation, DType dtype);
  Array unsettled(const checked::Operation& operation, DType dtype);
  Array multiply(const checked::Product& product, const std::vector<DimensionId>& labels,
                 DType dtype);
  // Elementwise computations and reductions (elements.cpp). Operands come with their labels.
  Array compute(const checked::Elementwise& elements, const std::vector<DimensionId>& labels,
                DType dtype);
  Array reduce(const checked::Reduction& reduction, const std::vector<DimensionId>& labels,
               DType dtype);
  Array softmax(const checked::Softmax& softmax, const checked::Operation& operation, DType dtype);
  Array select(const checked::Selection& selection, const std::vector<DimensionId>& labels,
               DType dtype);
  Array move(const checked::Collective& collective, const checked::Operation& operation,
             DType dtype);
  Array shift(const checked::Collective& collective, const checked::Operation& operation,
              DType dtype);
  Array reorder(Array from, const std::vector<DimensionId>& from_labels,
                const std::vector<DimensionId>& to_labels) const;
  Labelled labelled(const checked::Operation& operand);
  std::vector<std::int64_t> shape_of(const std::vector<DimensionId>& labels) const;

  const Scope& scope_;
  const Mesh& mesh_;  // only a Shift, and what is added up, depends on it
  Operand operand_;
  Mode mode_;
};

// The length of a dimension. REQUIRES: it has one.
std::int64_t length_of(DimensionId label, const Scope& scope);

}  // namespace shard::oracle
