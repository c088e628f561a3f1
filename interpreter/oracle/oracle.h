// The unsharded computation that `--verify` compares with: every array of a script whole, in fp64, with a bound on how
// far rounding may take a sharded one from it. Shares no code with planning or the runtime.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "base/numbers.h"
#include "interpreter/checked.h"
#include "interpreter/oracle/watch.h"
#include "interpreter/scope.h"

namespace shard::oracle {

// A whole array, row-major. |rounded − value| ≤ bound, element by element, for any computation of it that rounds each
// named result to its dtype once and sums in the accumulation type, in whatever order.
struct Array {
  std::vector<std::int64_t> shape;
  Numbers value;
  Numbers bound;
};

// The element of an input at a global row-major index, as the devices hold it.
using InputElement =
    std::function<double(const InputStep& input, std::uint64_t index, DType dtype)>;

class Oracle {
 public:
  // REQUIRES: every dimension that is computed with has a length.
  // Works as `watch` says, whose `look` may end the computation with an exception. Results are the same bits for any number
  // of threads; with more than one `input` is called on any of them.
  Oracle(const Scope& scope, const Mesh& mesh, InputElement input, Watch watch = Watch())
      : scope_(scope), mesh_(mesh), input_(std::move(input)), watch_(std::move(watch)) {}

  // Computes the target of a flow from the arrays before it. Running error analysis (Higham, "Accuracy and Stability
  // of Numerical Algorithms", 3.1 and 3.3): a sum of n products errs by at most n·u·Σ|a||b| in any order, and each
  // operand's own bound is carried through. What is no number or overflows may be anything.
  void run(const checked::Flow& flow);
  // REQUIRES: an input, or the target of a flow that was run.
  const Array& array(ArrayId id) { return *kept(id); }

 private:
  // What is no number, or has no bound, is settled (elements.h); arrays that are used are not copied.
  std::shared_ptr<const Array> evaluate(const checked::Operation& operation, DType dtype);
  Array settled(const checked::Operation& operation, DType dtype);
  Array unsettled(const checked::Operation& operation, DType dtype);
  Array multiply(const checked::Product& product, const std::vector<DimensionId>& labels,
                 DType dtype);
  // What works element by element, and reductions (elements.cpp). Operands come with their labels.
  Array compute(const checked::Elementwise& elements, const std::vector<DimensionId>& labels,
                DType dtype);
  Array reduce(const checked::Reduction& reduction, const std::vector<DimensionId>& labels,
               DType dtype);
  Array softmax(const checked::Softmax& softmax, const std::vector<DimensionId>& labels,
                DType dtype);
  Array select(const checked::Selection& selection, const std::vector<DimensionId>& labels,
               DType dtype);
  Array shift(const checked::Collective& collective, const checked::Operation& operation,
              DType dtype);
  Array reorder(Array from, const std::vector<DimensionId>& from_labels,
                const std::vector<DimensionId>& to_labels) const;
  std::int64_t length(DimensionId label) const;

  const Scope& scope_;
  const Mesh& mesh_;  // only a Shift depends on it
  InputElement input_;
  Watch watch_;
  std::shared_ptr<const Array> kept(ArrayId id);
  std::map<ArrayId, std::shared_ptr<const Array>> arrays_;
};

}  // namespace shard::oracle
