#include "interpreter/planning/local_price.h"

#include <algorithm>

#include "base/contains.h"
#include "interpreter/planning/layout_table.h"
#include "interpreter/planning/local_layout.h"
#include "interpreter/planning/planner.h"
#include "interpreter/planning/search/weight.h"
#include "interpreter/planning/softmax_expansion.h"

namespace shard::planning {

namespace {

// Whether both read the same copy with their dimensions in the same order.
bool is_same_copy(const Term& a, const Layout& at_a, const Term& b, const Layout& at_b) {
  const auto* one = std::get_if<Source>(&a.node);
  const auto* other = std::get_if<Source>(&b.node);
  return one != nullptr && other != nullptr && one->array >= 0 && one->array == other->array &&
         a.labels == b.labels && at_a == at_b;
}

// A layout that is split by these axes, of an array whose lengths they divide as they do the first dimensions'.
Layout any_layout(const Places& places, std::size_t rank, const std::vector<AxisId>& ids) {
  Layout layout = replicated(rank);
  for (std::uint8_t at = 0; at < kMostAxes; ++at) {
    for (std::size_t a = 0; a < ids.size(); ++a) {
      if (places.splits(a) && places.position[a] == at)
        layout.dims.edit()[places.dimension(a)].push_back(ids[a]);
    }
  }
  return layout;
}

}  // namespace

Cost cost_of_product(const Product& product, const Term& term, const Layout& left,
                     const Layout& right, const Layout& result, const Machine& machine) {
  const ContractStep step{.left_labels = product.left.labels,
                          .right_labels = product.right.labels,
                          .result_labels = term.labels};
  return cost_of_contraction(step, copy_of(product.left.shape, left),
                             copy_of(product.right.shape, right), copy_of(term.shape, result),
                             machine);
}

Cost cost_of_elementwise(const Elementwise& elements, const Term& term,
                         const std::vector<Layout>& operands, const Layout& result,
                         const Machine& machine) {
  ElementwiseStep step;
  step.program = elements.program;
  step.result_labels = term.labels;
  std::vector<Copy> copies;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Term& operand = elements.operands[i];
    step.operand_labels.edit().push_back(operand.labels);
    std::size_t first = 0;
    while (!is_same_copy(elements.operands[first], operands[first], operand, operands[i]) &&
           first < i)
      ++first;
    if (first == i) copies.push_back(copy_of(operand.shape, operands[i]));
  }
  return cost_of_elements(step, copies, copy_of(term.shape, result), machine);
}

double bytes_on_device(const Shape& shape, const Layout& layout, const Mesh& mesh) {
  double bytes = bytes_of(shape.dtype).to_double();
  for (const Amount& length : shape.lengths) bytes *= at_reference(Formula(length), mesh);
  for (const auto& axes : layout.dims) {
    for (const AxisId axis : axes) bytes /= at_reference(Formula(mesh.axes[axis].size), mesh);
  }
  return bytes;
}

std::optional<std::size_t> same_before(const std::vector<Term>& operands, std::size_t i) {
  const auto* source = std::get_if<Source>(&operands[i].node);
  for (std::size_t j = 0; j < i && source != nullptr && source->array >= 0; ++j) {
    const auto* other = std::get_if<Source>(&operands[j].node);
    if (other != nullptr && other->array == source->array &&
        operands[j].labels == operands[i].labels)
      return j;
  }
  return std::nullopt;
}

LocalPrice::LocalPrice(const Term& term, const Machine& machine, const Aim& aim)
    : term_(term), machine_(machine), objective_(aim.objective) {
  for (std::size_t i = 0; i < machine.mesh.axes.size(); ++i) {
    const AxisId id{static_cast<std::int32_t>(i)};
    const auto length = machine.mesh.axes[id].length();
    if (length == 1) continue;
    ids_.push_back(id);
    sizes_.push_back(length ? static_cast<double>(*length)
                            : at_reference(Formula(machine.mesh.axes[id].size), machine.mesh));
  }
  if (const auto* product = std::get_if<Box<Product>>(&term.node)) calibrate(**product);
  if (aim.most_held < HUGE_VAL) add_arrays();
}

void LocalPrice::add_arrays() {
  const auto* elements = std::get_if<Box<Elementwise>>(&term_.node);
  const std::vector<const Term*> operands = operands_of(term_);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Term& operand = *operands[i];
    Array array{bytes_on_device(operand.shape, replicated(operand.labels.size()), machine_.mesh),
                0};
    if (elements != nullptr && same_before((*elements)->operands, i)) array.bytes = 0;
    for (const int label : operand.labels) {
      if (const auto d = position_of(term_.labels, label)) array.dimensions |= 1U << *d;
    }
    arrays_.push_back(array);
  }
  arrays_.push_back(
      {bytes_on_device(term_.shape, replicated(term_.labels.size()), machine_.mesh), ~0U});
}

double LocalPrice::held(const Places& first, const Places& second, const Places& result) const {
  const auto on_device = [&](const Array& array, AxisMask axes) {
    return array.bytes / size(axes);
  };
  double bytes = on_device(arrays_.back(), splitting_axes(result));
  if (!std::holds_alternative<Box<Elementwise>>(term_.node)) {
    bytes += on_device(arrays_[0], splitting_axes(first));
    return arrays_.size() < 3 ? bytes : bytes + on_device(arrays_[1], splitting_axes(second));
  }
  for (std::size_t i = 0; i + 1 < arrays_.size(); ++i) {
    AxisMask axes = 0;
    for (std::size_t a = 0; a < sizes_.size(); ++a) {
      if (result.splits(a) && (arrays_[i].dimensions >> result.dimension(a) & 1U))
        axes |= AxisMask{1} << a;
    }
    bytes += on_device(arrays_[i], axes);
  }
  return bytes;
}

double LocalPrice::size(AxisMask axes) const {
  double size = 1;
  for (std::size_t a = 0; a < sizes_.size(); ++a) {
    if (axes >> a & 1U) size *= sizes_[a];
  }
  return size;
}

// Each device does its part of the FLOPs, and passes its part of each array.
void LocalPrice::calibrate(const Product& product) {
  const Cost cost = cost_of_product(product, term_, replicated(product.left.labels.size()),
                                    replicated(product.right.labels.size()),
                                    replicated(term_.labels.size()), machine_);
  const double hbm = at_reference(cost.hbm, machine_.mesh);
  const std::array<const Shape*, 3> shapes = {&product.left.shape, &product.right.shape,
                                              &term_.shape};
  OnOne one{.math = at_reference(cost.math, machine_.mesh), .hbm = {}};
  double bytes = 0;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    one.hbm[i] = bytes_on_device(*shapes[i], replicated(shapes[i]->lengths.size()), machine_.mesh);
    bytes += one.hbm[i];
  }
  for (double& part : one.hbm) part *= bytes == 0 ? 0 : hbm / bytes;
  on_one_ = one;
  least_seconds_ = one.math / size(~AxisMask{0});
}

Weight LocalPrice::timed(const Places& first, const Places& second, const Places& result) {
  const AxisMask left = splitting_axes(first);
  const AxisMask right = splitting_axes(second);
  const AxisMask made = splitting_axes(result);
  if (on_one_) {
    const double hbm =
        on_one_->hbm[0] / size(left) + on_one_->hbm[1] / size(right) + on_one_->hbm[2] / size(made);
    return {.seconds = std::max(on_one_->math / size(left | right), hbm), .bytes = 0, .steps = 1};
  }
  const std::uint64_t key =
      std::uint64_t{left} << 32U | std::uint64_t{right} << 16U | std::uint64_t{made};
  // Elements and softmaxes have work that some of the dimensions have no part in.
  const bool by_axes = std::holds_alternative<Box<Product>>(term_.node) ||
                       std::holds_alternative<Box<Reduction>>(term_.node);
  if (!by_axes) return exact(first, second, result);
  const auto [entry, is_new] = known_.try_emplace(key);
  if (is_new) entry->second = exact(first, second, result);
  return entry->second;
}

Weight LocalPrice::exact(const Places& first, const Places& second, const Places& result) const {
  const Layout made = any_layout(result, term_.labels.size(), ids_);
  if (const auto* product = std::get_if<Box<Product>>(&term_.node)) {
    return weigh(
        cost_of_product(**product, term_, any_layout(first, (*product)->left.labels.size(), ids_),
                        any_layout(second, (*product)->right.labels.size(), ids_), made, machine_));
  }
  if (const auto* elements = std::get_if<Box<Elementwise>>(&term_.node)) {
    std::vector<Layout> operands;
    for (const Term& operand : (*elements)->operands)
      operands.push_back(restricted(made, term_.labels, operand.labels));
    return weigh(cost_of_elementwise(**elements, term_, operands, made, machine_));
  }
  if (const auto* reduction = std::get_if<Box<Reduction>>(&term_.node)) {
    const Term& operand = (*reduction)->operand;
    return weigh(
        cost_of_reduction(copy_of(operand.shape, any_layout(first, operand.labels.size(), ids_)),
                          copy_of(term_.shape, made), machine_));
  }
  if (const auto* softmax = std::get_if<Box<Softmax>>(&term_.node))
    return cost_of_softmax(term_.labels, (*softmax)->along, term_.shape, made, machine_).weight;
  return {};
}

}  // namespace shard::planning
