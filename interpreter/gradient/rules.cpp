// The operations: of each, what its gradient adds to those of its operands.
#include <fmt/format.h>

#include <algorithm>

#include "base/collective.h"
#include "base/contains.h"
#include "interpreter/gradient/derivation.h"
#include "interpreter/gradient/element_rules.h"

namespace shard::gradient {

Derivation::At Derivation::operand_of(const At& at, std::size_t operand) const {
  const auto operands = checked::operands_of(at.operation);
  int number = at.number + 1;
  for (std::size_t i = 0; i < operand; ++i) number += checked::operations_in(*operands[i]);
  return {*operands[operand], at.of, number};
}

// ------------------------------------------------------------ values

Piece Derivation::value(const At& at) {
  if (const auto* use = std::get_if<checked::Use>(&at.operation.node))
    return read_array(use->array, at.operation.labels, &use->layout);
  const auto* collective = std::get_if<checked::Collective>(&at.operation.node);
  if (collective != nullptr && !makes_other_array(collective->kind)) return value_of(at, 0);
  if (at.number == 0) return read_array(at.of, at.operation.labels);
  if (const NamedPart* part = forward_.part(at.of, at.number)) return forward_.read(*part);
  const auto known = recomputed_.find({at.of, at.number});
  if (known != recomputed_.end()) return known->second;
  Piece text = written(at);
  Made made{
      .name = forward_.free_name(scope_.store.arrays[at.of].name + "'" + std::to_string(at.number)),
      .labels = at.operation.labels,
      .layout = {},
      .dtype = at.operation.dtype};
  // A part that is cut has the length's name from its brackets alone.
  if (std::holds_alternative<checked::Selection>(at.operation.node))
    made.layout = at.operation.layout;
  write(made, text);
  text = read(made, made.labels);
  return recomputed_.emplace(std::pair(at.of, at.number), std::move(text)).first->second;
}

// The block may have made it anew, to have it outside as well: `M = m`.
std::optional<ArrayId> Derivation::copy_outside(ArrayId array) const {
  const ArrayId kernel = forward_.kernel_of(array)->first;
  const auto end = static_cast<int>(scope_.store.arrays.size());
  for (ArrayId other{array.value + 1}; other.value < end; ++other.value) {
    const auto& origin = scope_.store.arrays[other].origin;
    if (origin == nullptr) continue;
    const checked::Kernel* its = forward_.kernel_of(other);
    if (its == nullptr || its->first != kernel) break;
    const checked::Flow flow = origin->flow.get();
    const auto* use = std::get_if<checked::Use>(&flow.value.node);
    if (!its->inside && use != nullptr && use->array == array && flow.value.labels == flow.labels &&
        scope_.store.arrays[other].dtype == scope_.store.arrays[array].dtype)
      return other;
  }
  return std::nullopt;
}

Piece Derivation::read_array(ArrayId array, const std::vector<DimensionId>& labels,
                             const Layout* layout) {
  const checked::Kernel* kernel = forward_.kernel_of(array);
  const checked::Flow* flow = kernel != nullptr && kernel->inside ? flow_of(array) : nullptr;
  if (flow == nullptr) return forward_.read(array, labels, layout);
  if (const auto out = copy_outside(array)) return forward_.read(*out, labels);
  const auto known = anew_.find(array);
  if (known != anew_.end()) return read(known->second, labels);
  const ArrayInfo& info = scope_.store.arrays[array];
  Made made{.name = forward_.free_name(info.name),
            .labels = labels_of(array),
            .layout = forward_.layout_of(array),
            .dtype = info.dtype};
  const std::vector<DimensionId>& value = flow->value.labels;
  if (made.labels.size() == value.size() &&
      !std::is_permutation(made.labels.begin(), made.labels.end(), value.begin()))
    made.labels = value;
  write(made, spread(written({flow->value, array, 0}), made.labels));
  anew_.emplace(array, made);
  return read(made, labels);
}

// Whether the operand of what is made again is written where it is used, as no rule reads it on its own.
bool Derivation::stands_inside(const At& at, const At& operand) const {
  if (forward_.kernel_of(at.of) == nullptr) return false;
  const auto& node = operand.operation.node;
  if (!std::holds_alternative<checked::Product>(node) &&
      !std::holds_alternative<checked::Elementwise>(node) &&
      !std::holds_alternative<checked::Reduction>(node))
    return false;
  return match(
      at.operation.node,
      [](const checked::Elementwise& elements) { return is_linear(elements.program); },
      [](const checked::Reduction& reduction) {
        return reduction.kind == ReductionKind::Sum || reduction.kind == ReductionKind::Mean;
      },
      [](const checked::Softmax&) { return true; }, [](const auto&) { return false; });
}

Piece Derivation::written(const At& at) {
  if (const auto* use = std::get_if<checked::Use>(&at.operation.node))
    return read_array(use->array, at.operation.labels, &use->layout);
  note_labels(at.operation);
  const auto operands = checked::operands_of(at.operation);
  std::vector<Piece> values;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const At operand = operand_of(at, i);
    values.push_back(stands_inside(at, operand) ? written(operand) : value(operand));
  }
  Piece all;
  for (const Piece& value : values) all.join(value);
  all.labels = {at.operation.labels.begin(), at.operation.labels.end()};
  std::vector<DimensionId> gone;
  if (!operands.empty()) {
    for (const DimensionId label : operands.front()->labels) {
      if (!contains(at.operation.labels, label)) gone.push_back(label);
    }
  }
  all.text = match(
      at.operation.node,
      [&](const checked::Product&) {
        const std::string sign = gone.empty() ? "⊙" : "·_" + subscript(gone);
        return fmt::format("{} {} {}", values[0].text, sign, values[1].text);
      },
      [&](const checked::Elementwise& elements) {
        return element_value(named(elements.program), values).text;
      },
      [&](const checked::Reduction& reduction) {
        return fmt::format("{}_{}({})", shard::name_of(reduction.kind), subscript(gone),
                           values[0].text);
      },
      [&](const checked::Softmax& softmax) {
        return fmt::format("softmax_{}({})", subscript(softmax.along), values[0].text);
      },
      [&](const checked::Selection& selection) { return written_selection(at, selection, values); },
      [](const checked::Use&) { return std::string(); },
      [&](const checked::Collective& collective) {
        if (!makes_other_array(collective.kind)) return values[0].text;
        return fmt::format("Shift_{{{},{}}} {}", axes_to_string(collective.axes, scope_.mesh()),
                           collective.shift, values[0].text);
      });
  return all;
}

// ------------------------------------------------------------ gradients

// Whether a rule may write the gradient wherever it reads it: what takes something to compute is computed once, in a statement.
bool Derivation::is_read_as_it_is(const At& to, const Piece& g) const {
  const auto& node = to.operation.node;
  const auto* elements = std::get_if<checked::Elementwise>(&node);
  // What these only repeat they take as it is; other rules read all dimensions.
  const bool repeats = elements != nullptr || std::holds_alternative<checked::Reduction>(node) ||
                       std::holds_alternative<checked::Softmax>(node);
  if (references_.contains(g.text)) return repeats || !lacks_labels(g, to);
  return elements != nullptr &&
         (is_view(g.text) || times_read(elements->program, wanted_of(*elements)) <= 1);
}

bool Derivation::lacks_labels(const Piece& g, const At& to) {
  const std::vector<DimensionId>& labels = to.operation.labels;
  return std::any_of(labels.begin(), labels.end(),
                     [&](DimensionId label) { return !g.labels.contains(label); });
}

std::vector<bool> Derivation::wanted_of(const checked::Elementwise& elements) const {
  std::vector<bool> wanted;
  for (const checked::Operation& operand : elements.operands)
    wanted.push_back(has_gradient(operand));
  return wanted;
}

void Derivation::give(const At& at, std::size_t operand, Contribution contribution) {
  const At to = operand_of(at, operand);
  if (failed_ || !has_gradient(to.operation)) return;
  contribution.labels = to.operation.labels;
  if (const auto* use = std::get_if<checked::Use>(&to.operation.node)) {
    // What belongs to a place goes there at once: nothing of it waits for the others.
    if (contribution.place && are_called_alike(contribution.labels, labels_of(use->array))) {
      ArrayId source = use->array;
      while (source_of(source) != source) source = source_of(source);
      const Made& made = gradient_of(source);
      relabel(contribution, made.labels);
      put(made, contribution);
      contributions_[source];
    } else {
      contributions_to(*use).push_back(std::move(contribution));
    }
    return used(use->array);
  }
  const auto* collective = std::get_if<checked::Collective>(&to.operation.node);
  if (collective != nullptr && !makes_other_array(collective->kind))
    return give(to, 0, std::move(contribution));
  const bool stands_alone = contribution.stands_alone();
  if (!stands_alone && is_read_as_it_is(to, contribution.piece))
    return apply(to, contribution.piece);
  Made made{.name = {}, .labels = to.operation.labels, .layout = {}, .dtype = to.operation.dtype};
  const bool elements = std::holds_alternative<checked::Elementwise>(to.operation.node);
  if (!stands_alone && elements && lacks_labels(contribution.piece, to)) {
    std::erase_if(made.labels,
                  [&](DimensionId label) { return !contribution.piece.labels.contains(label); });
    contribution.labels = made.labels;
    made.name = forward_.gradient_name(
        scope_.store.arrays[to.of].name + "'" + std::to_string(to.number), false);
  } else if (const NamedPart* part = forward_.part(to.of, to.number)) {
    made.layout = part->layout;
    made.layout->unreduced = {};
    made.name = forward_.gradient_name(part->name, false);
  } else {
    made.name = forward_.gradient_name(
        scope_.store.arrays[to.of].name + "'" + std::to_string(to.number), false);
    if (contribution.place) made.layout = replicated(made.labels.size());
  }
  // Of what picks elements the gradient is read with brackets, and what stands alone is made with them.
  if (!made.layout &&
      (stands_alone || std::holds_alternative<checked::Selection>(to.operation.node))) {
    made.layout = to.operation.layout.value_or(replicated(made.labels.size()));
    made.layout->unreduced = {};
  }
  apply(to, emit(made, {std::move(contribution)}));
}

void Derivation::apply(const At& at, const Piece& g) {
  note_labels(at.operation);
  match(
      at.operation.node,
      [&](const checked::Use& use) {
        if (!has_gradient(at.operation)) return;
        contributions_to(use).push_back({.piece = g, .labels = at.operation.labels});
        used(use.array);
      },
      [&](const checked::Product& product) { apply_product(at, product, g); },
      [&](const checked::Elementwise& elements) { apply_elements(at, elements, g); },
      [&](const checked::Reduction& reduction) { apply_reduction(at, reduction, g); },
      [&](const checked::Softmax& softmax) { apply_softmax(at, softmax, g); },
      [&](const checked::Selection& selection) { apply_selection(at, selection, g); },
      [&](const checked::Collective& collective) { apply_collective(at, collective, g); });
}

// The right one first: of an activation and its weights the weights, whose gradient nothing waits for and which is summed meanwhile.
void Derivation::apply_product(const At& at, const checked::Product& product, const Piece& g) {
  for (const std::size_t operand : {std::size_t{1}, std::size_t{0}}) {
    const checked::Operation& own = operand == 1 ? *product.right : *product.left;
    if (!has_gradient(own)) continue;
    const Piece other = value_of(at, 1 - operand);
    std::vector<DimensionId> summed;
    for (const DimensionId label : at.operation.labels) {
      if (!contains(own.labels, label)) summed.push_back(label);
    }
    const std::string sign = summed.empty() ? " ⊙ " : " ·_" + subscript(summed) + " ";
    Piece piece{.text = operand == 1 ? other.text + sign + g.text : g.text + sign + other.text};
    piece.join(g);
    piece.join(other);
    for (const DimensionId label : summed) piece.labels.erase(label);
    give(at, operand, {.piece = std::move(piece), .labels = {}});
  }
}

// Positions along dimensions, `iota_S`, by the names that these have in the statements.
ElementProgram Derivation::named(ElementProgram program) {
  for (ElementInstruction& instruction : program) {
    if (instruction.op == ElementOp::Position)
      instruction.name = name(DimensionId{instruction.label});
  }
  return program;
}

void Derivation::note_labels(const checked::Operation& operation) {
  std::vector<DimensionId> labels = operation.labels;
  for (const checked::Operation* operand : checked::operands_of(operation))
    labels.insert(labels.end(), operand->labels.begin(), operand->labels.end());
  forward_.note(labels);
}

void Derivation::apply_elements(const At& at, const checked::Elementwise& elements,
                                const Piece& g) {
  const std::vector<bool> wanted = wanted_of(elements);
  // Only what rules ask for is read: the rest may have to be computed anew.
  const ElementValues values{.operand = [&](std::size_t i) { return value_of(at, i); },
                             .result = [&]() -> std::optional<Piece> {
                               if (at.number == 0) return read_array(at.of, at.operation.labels);
                               const NamedPart* part = forward_.part(at.of, at.number);
                               return part == nullptr ? std::nullopt
                                                      : std::optional(forward_.read(*part));
                             }};
  ElementGradient gradient = element_gradient(named(elements.program), values, wanted, g);
  if (gradient.without != ElementOp::Operand) {
    const std::string_view function = shard::name_of(gradient.without);
    if (function.empty()) {
      fail(at.operation.span, "a comparison has no derivative",
           "as the condition of `where(A > 0, A, 0)` a comparison only chooses, and gradients go "
           "past it");
      return;
    }
    fail(at.operation.span, fmt::format("`{}` has no derivative", function),
         fmt::format("its gradient is 0 almost everywhere; `backward` of an array before `{}` goes "
                     "back from there",
                     function));
    return;
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (gradient.terms[i].empty()) continue;
    Piece sum = summed(added(gradient.terms[i]), at.operation.labels, elements.operands[i].labels);
    give(at, i, {.piece = std::move(sum), .labels = {}});
  }
}

void Derivation::apply_reduction(const At& at, const checked::Reduction& reduction,
                                 const Piece& g) {
  std::vector<DimensionId> gone;
  for (const DimensionId label : reduction.operand->labels) {
    if (!contains(at.operation.labels, label)) gone.push_back(label);
  }
  Piece piece = g;
  if (reduction.kind == ReductionKind::Mean) {
    for (const DimensionId label : gone)
      piece.text = operand_text(piece.text) + " / " + length_text(label);
  } else if (reduction.kind != ReductionKind::Sum) {
    // Equal ones share it.
    const Piece x = value_of(at, 0);
    const Piece f = value(at);
    piece.text = fmt::format("where({} == {}, {} / sum_{}(where({} == {}, 1, 0)), 0)", x.text,
                             f.text, operand_text(g.text), subscript(gone), x.text, f.text);
    piece.join(x);
    piece.join(f);
  }
  give(at, 0, {.piece = std::move(piece), .labels = {}});
}

void Derivation::apply_softmax(const At& at, const checked::Softmax& softmax, const Piece& g) {
  const Piece p = value(at);
  Piece piece{.text = fmt::format("{} ⊙ ({} - sum_{}({} ⊙ {}))", p.text, operand_text(g.text),
                                  subscript(softmax.along), operand_text(g.text), p.text)};
  piece.join(p);
  piece.join(g);
  give(at, 0, {.piece = std::move(piece), .labels = {}});
}

void Derivation::apply_collective(const At& at, const checked::Collective& collective,
                                  const Piece& g) {
  Contribution back{.piece = g, .labels = {}};
  if (makes_other_array(collective.kind)) {
    std::string axis = axes_to_string(collective.axes, scope_.mesh());
    back.piece.text = fmt::format("Shift_{{{},{}}} {}", axis, -collective.shift, g.text);
    back.alone = true;
    // A Shift leaves the layout as it is: the gradient of what was gathered is cut again behind it.
    const auto* use = std::get_if<checked::Use>(&collective.operand->node);
    Layout here = use == nullptr ? Layout() : use->layout;
    here.unreduced = {};
    if (use != nullptr && has_gradient(*collective.operand) &&
        gathered_from(use->array).value_or(forward_.layout_of(use->array)) !=
            without_trivial_axes(here, scope_.mesh())) {
      const Made moved{.name = forward_.gradient_name(scope_.store.arrays[use->array].name, false),
                       .labels = collective.operand->labels,
                       .layout = here,
                       .dtype = collective.operand->dtype};
      write(moved, back.piece);
      back = {.piece = read(moved, moved.labels), .labels = {}};
    }
  }
  give(at, 0, std::move(back));
}

}  // namespace shard::gradient
