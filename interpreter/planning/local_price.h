// What local computations cost, as numbers, each kind of split priced once.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "interpreter/planning/search/relayout.h"
#include "interpreter/planning/term.h"
#include "runtime/cost/cost.h"

namespace shard::planning {

Cost cost_of_product(const Product& product, const Term& term, const Layout& left,
                     const Layout& right, const Layout& result, const Machine& machine);
// Copies that several operands read are read once.
Cost cost_of_elementwise(const Elementwise& elements, const Term& term,
                         const std::vector<Layout>& operands, const Layout& result,
                         const Machine& machine);

// Of an array in this layout; symbols have their reference values (weight.h).
double bytes_on_device(const Shape& shape, const Layout& layout, const Mesh& mesh);
// The first operand before this one that reads the same array, with its dimensions in the same order.
std::optional<std::size_t> same_before(const std::vector<Term>& operands, std::size_t i);

// Of one term. Its costs depend on the axes that split the operands and the result, and not on where they do.
class LocalPrice {
 public:
  // Weights are `ordered` by the aim's objective.
  LocalPrice(const Term& term, const Machine& machine, const Aim& aim);

  // REQUIRES: a product, elementwise computation, reduction or softmax, whose first operand and result these are. Of a product
  // `second` is the right operand.
  Weight weight(const Places& first, const Places& second, const Places& result) {
    return ordered(timed(first, second, result), objective_);
  }
  // No split takes less.
  double least_seconds() const { return objective_ == Objective::Bytes ? 0 : least_seconds_; }
  // Bytes of operands and result on a device, of operands that read the same those of one. REQUIRES: the aim limits them.
  double held(const Places& first, const Places& second, const Places& result) const;

 private:
  Weight timed(const Places& first, const Places& second, const Places& result);
  Weight exact(const Places& first, const Places& second, const Places& result) const;
  void add_arrays();
  void calibrate(const Product& product);
  double size(AxisMask axes) const;

  const Term& term_;
  const Machine& machine_;
  Objective objective_;
  std::vector<double> sizes_;  // of the axes
  std::vector<AxisId> ids_;
  double least_seconds_ = 0;
  // Of a product with sizes: seconds on one device, of its FLOPs and of the bytes of each array.
  struct OnOne {
    double math;
    std::array<double, 3> hbm;
  };
  std::optional<OnOne> on_one_;
  // An operand or the result: bytes of all of it, and of elementwise operands which dimensions of the result it has.
  struct Array {
    double bytes;
    std::uint32_t dimensions;
  };
  std::vector<Array> arrays_;  // the operands, then the result
  std::unordered_map<std::uint64_t, Weight> known_;
};

}  // namespace shard::planning
