// What local computations cost, as numbers, each kind of split priced once.
#pragma once

#include <array>
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

// Of one term. Its costs depend on the axes that split the operands and the result, and not on where they do.
class LocalPrice {
 public:
  LocalPrice(const Term& term, const Machine& machine);

  // REQUIRES: a product, elementwise computation, reduction or softmax, whose first operand and result these are. Of a product
  // `second` is the right operand.
  Weight weight(const Places& first, const Places& second, const Places& result);
  // No split takes less.
  double least_seconds() const { return least_seconds_; }

 private:
  Weight exact(const Places& first, const Places& second, const Places& result) const;
  void calibrate(const Product& product);
  double size(AxisMask axes) const;

  const Term& term_;
  const Machine& machine_;
  std::vector<double> sizes_;  // of the axes
  std::vector<AxisId> ids_;
  double least_seconds_ = 0;
  // Of a product with sizes: seconds on one device, of its FLOPs and of the bytes of each array.
  struct OnOne {
    double math;
    std::array<double, 3> hbm;
  };
  std::optional<OnOne> on_one_;
  std::unordered_map<std::uint64_t, Weight> known_;
};

}  // namespace shard::planning
