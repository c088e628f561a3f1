#include "interpreter/planning/local_layout.h"

#include <algorithm>
#include <set>

#include "base/contains.h"

namespace shard::planning {

namespace {

using Axes = std::vector<AxisId>;

// Whether the layout is reduced or holds partial sums, as opposed to partial maxima or minima.
bool is_sum(const Layout& layout) {
  return layout.unreduced.empty() || layout.combination == Combination::Sum;
}

Axes all_unreduced(const std::vector<Layout>& layouts) {
  std::set<AxisId> axes;
  for (const Layout& layout : layouts)
    axes.insert(layout.unreduced.begin(), layout.unreduced.end());
  return {axes.begin(), axes.end()};
}

// Finds the operand that stops the program from being linear in partial sums over `axes`: one that is unreduced but
// should not be, one that is reduced while the others are not, or one that uses the axes in another way.
std::optional<Misfit> misfit_of_sums(const ElementProgram& program,
                                     const std::vector<Layout>& operands, const Axes& axes) {
  if (axes.empty()) return std::nullopt;
  std::vector<bool> partial;
  std::size_t unreduced = operands.size();
  for (std::size_t i = 0; i < operands.size(); ++i) {
    partial.push_back(!operands[i].unreduced.empty());
    if (partial.back() && unreduced == operands.size()) unreduced = i;
    const bool consistent =
        partial.back() ? operands[i].unreduced == axes && is_sum(operands[i])
                       : std::none_of(axes.begin(), axes.end(),
                                      [&](AxisId axis) { return uses(operands[i], axis); });
    if (!consistent) {
      return Misfit{.reason = Misfit::Reason::NotLinear,
                    .axis = axes.front(),
                    .operand = partial.back() ? i : std::min(unreduced, i)};
    }
  }
  if (is_linear_in(program, partial)) return std::nullopt;
  return Misfit{.reason = Misfit::Reason::NotLinear, .axis = axes.front(), .operand = unreduced};
}

}  // namespace

std::optional<Misfit> add_places(const Layout& operand, Layout& result) {
  for (const Placement& place : operand.placed) {
    const auto known = place_on(result, place.axis);
    if (known && *known != place.coordinate)
      return Misfit{.reason = Misfit::Reason::PlacesDiffer, .axis = place.axis};
    if (!known) result.placed.edit().push_back(place);
  }
  result.placed.sort();
  return std::nullopt;
}

std::variant<Layout, Misfit> local_product(const Labels& left_labels, const Layout& left,
                                           const Labels& right_labels, const Layout& right,
                                           const Labels& result_labels) {
  Layout product{.dims = std::vector<Axes>(result_labels.size()), .unreduced = left.unreduced};
  for (const Layout* operand : {&left, &right}) {
    if (!is_sum(*operand))
      return Misfit{.reason = Misfit::Reason::NotLinear, .axis = operand->unreduced.front()};
  }
  for (const AxisId axis : right.unreduced) {
    if (uses(left, axis)) return Misfit{.reason = Misfit::Reason::NotLinear, .axis = axis};
    product.unreduced.edit().push_back(axis);
  }
  for (const AxisId axis : left.unreduced) {
    if (uses(right, axis)) return Misfit{.reason = Misfit::Reason::NotLinear, .axis = axis};
  }
  for (std::size_t i = 0; i < left_labels.size(); ++i) {
    const auto other = position_of(right_labels, left_labels[i]);
    const auto place = position_of(result_labels, left_labels[i]);
    if (other && right.dims[*other] != left.dims[i]) {
      return Misfit{
          .reason = place ? Misfit::Reason::BatchDiffer : Misfit::Reason::ContractedDiffer,
          .label = left_labels[i]};
    }
    Axes& home = place ? product.dims.edit()[*place] : product.unreduced.edit();
    home.insert(home.end(), left.dims[i].begin(), left.dims[i].end());
  }
  for (std::size_t i = 0; i < right_labels.size(); ++i) {
    const auto place = position_of(result_labels, right_labels[i]);
    if (!position_of(left_labels, right_labels[i]) && place)
      product.dims.edit()[*place] = right.dims[i];
  }
  for (const Layout* operand : {&left, &right}) {
    if (const auto misfit = add_places(*operand, product)) return *misfit;
  }
  product.unreduced.sort();
  if (const auto axis = reused_axis(product))
    return Misfit{.reason = Misfit::Reason::AxisTwice, .axis = axis};
  return product;
}

std::variant<Layout, Misfit> local_elements(const ElementProgram& program,
                                            const std::vector<Labels>& operand_labels,
                                            const std::vector<Layout>& operands,
                                            const Labels& result_labels) {
  Layout result{.dims = std::vector<Axes>(result_labels.size()),
                .unreduced = all_unreduced(operands)};
  if (const auto misfit = misfit_of_sums(program, operands, result.unreduced)) return *misfit;
  for (const Layout& operand : operands) {
    if (const auto misfit = add_places(operand, result)) return *misfit;
  }
  std::vector<bool> known(result_labels.size(), false);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    for (std::size_t d = 0; d < operand_labels[i].size(); ++d) {
      const std::size_t place = *position_of(result_labels, operand_labels[i][d]);
      if (known[place] && result.dims[place] != operands[i].dims[d])
        return Misfit{.reason = Misfit::Reason::BatchDiffer, .label = operand_labels[i][d]};
      known[place] = true;
      result.dims.edit()[place] = operands[i].dims[d];
    }
  }
  if (const auto axis = reused_axis(result))
    return Misfit{.reason = Misfit::Reason::AxisTwice, .axis = axis};
  return result;
}

std::variant<Layout, Misfit> local_reduction(ReductionKind kind, const Labels& operand_labels,
                                             const Layout& operand, const Labels& result_labels) {
  const Combination combination = combination_of(kind);
  if (!operand.unreduced.empty() && operand.combination != combination)
    return Misfit{.reason = Misfit::Reason::NotLinear, .axis = operand.unreduced.front()};
  Layout result{.dims = std::vector<Axes>(result_labels.size()),
                .unreduced = operand.unreduced,
                .combination = combination,
                .placed = operand.placed};
  for (std::size_t i = 0; i < operand_labels.size(); ++i) {
    const auto place = position_of(result_labels, operand_labels[i]);
    Axes& home = place ? result.dims.edit()[*place] : result.unreduced.edit();
    home.insert(home.end(), operand.dims[i].begin(), operand.dims[i].end());
  }
  result.unreduced.sort();
  return result;
}

}  // namespace shard::planning
