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
    return forward_.read(use->array, at.operation.labels);
  const auto* collective = std::get_if<checked::Collective>(&at.operation.node);
  if (collective != nullptr && !makes_other_array(collective->kind)) return value_of(at, 0);
  if (at.number == 0) return forward_.read(at.of, at.operation.labels);
  if (const NamedPart* part = forward_.part(at.of, at.number)) return forward_.read(*part);
  const auto known = recomputed_.find({at.of, at.number});
  if (known != recomputed_.end()) return known->second;
  Piece text = written(at);
  const std::string name =
      forward_.free_name(scope_.store.arrays[at.of].name + "'" + std::to_string(at.number));
  statements_.push_back(fmt::format("{} = {}", name, text.text));
  text.text = name;
  text.labels = {at.operation.labels.begin(), at.operation.labels.end()};
  return recomputed_.emplace(std::pair(at.of, at.number), std::move(text)).first->second;
}

Piece Derivation::written(const At& at) {
  const auto operands = checked::operands_of(at.operation);
  std::vector<Piece> values;
  for (std::size_t i = 0; i < operands.size(); ++i) values.push_back(value_of(at, i));
  Piece all;
  for (const Piece& value : values) all.join(value);
  std::vector<DimensionId> gone;
  if (!operands.empty()) {
    for (const DimensionId label : operands.front()->labels) {
      if (!contains(at.operation.labels, label)) gone.push_back(label);
    }
  }
  all.text = match(
      at.operation.node,
      [&](const checked::Product&) {
        return fmt::format("{} ·{} {}", values[0].text, gone.empty() ? "" : "_" + subscript(gone),
                           values[1].text);
      },
      [&](const checked::Elementwise& elements) {
        return element_value(elements.program, values).text;
      },
      [&](const checked::Reduction& reduction) {
        return fmt::format("{}_{}({})", shard::name_of(reduction.kind), subscript(gone),
                           values[0].text);
      },
      [&](const checked::Softmax& softmax) {
        return fmt::format("softmax_{}({})", subscript(softmax.along), values[0].text);
      },
      [&](const auto&) {
        fail(at.operation.span,
             "a value that the backward pass needs is inside of an expression, and cannot be "
             "computed anew",
             "give it a name on a line of its own");
        return std::string("0");
      });
  return all;
}

// ------------------------------------------------------------ gradients

void Derivation::give(const At& at, std::size_t operand, Contribution contribution) {
  const At to = operand_of(at, operand);
  if (failed_ || !has_gradient(to.operation)) return;
  contribution.labels = to.operation.labels;
  if (const auto* use = std::get_if<checked::Use>(&to.operation.node)) {
    // What belongs to a place goes there at once: nothing of it waits for the others.
    std::vector<Contribution>& others = contributions_[use->array];
    const std::vector<DimensionId> own(scope_.store.arrays[use->array].dimensions);
    if (contribution.place && contribution.labels == own) {
      ArrayId source = use->array;
      while (source_of(source) != source) source = source_of(source);
      put(gradient_of(source), contribution);
      contributions_[source];
    } else {
      others.push_back(std::move(contribution));
    }
    return used(use->array);
  }
  const auto* collective = std::get_if<checked::Collective>(&to.operation.node);
  if (collective != nullptr && !makes_other_array(collective->kind))
    return give(to, 0, std::move(contribution));
  // What is computed element by element takes what lacks dimensions as it is.
  const bool elements = std::holds_alternative<checked::Elementwise>(to.operation.node);
  const bool is_there = references_.contains(contribution.piece.text);
  if ((elements || is_there) && !contribution.place && !contribution.alone)
    return apply(to, contribution.piece);
  Made made{.name = {}, .labels = to.operation.labels, .layout = {}, .dtype = to.operation.dtype};
  if (const NamedPart* part = forward_.part(to.of, to.number)) {
    made.layout = part->layout;
    made.layout->unreduced = {};
    made.name = forward_.gradient_name(part->name, false);
  } else {
    made.name = forward_.gradient_name(
        scope_.store.arrays[to.of].name + "'" + std::to_string(to.number), false);
    if (contribution.place) made.layout = replicated(made.labels.size());
  }
  apply(to, emit(made, {std::move(contribution)}));
}

void Derivation::apply(const At& at, const Piece& g) {
  match(
      at.operation.node,
      [&](const checked::Use& use) {
        if (!has_gradient(at.operation)) return;
        contributions_[use.array].push_back({.piece = g, .labels = at.operation.labels});
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

void Derivation::apply_elements(const At& at, const checked::Elementwise& elements,
                                const Piece& g) {
  std::vector<Piece> values;
  std::vector<bool> wanted;
  for (std::size_t i = 0; i < elements.operands.size(); ++i) {
    values.push_back(value_of(at, i));
    wanted.push_back(has_gradient(elements.operands[i]));
  }
  std::optional<Piece> result;
  if (at.number == 0) {
    result = forward_.read(at.of, at.operation.labels);
  } else if (const NamedPart* part = forward_.part(at.of, at.number)) {
    result = forward_.read(*part);
  }
  ElementGradient gradient = element_gradient(elements.program, values, wanted, result, g);
  if (gradient.without != ElementOp::Operand) {
    const std::string_view function = shard::name_of(gradient.without);
    fail(at.operation.span,
         function.empty() ? std::string("a comparison has no derivative")
                          : fmt::format("`{}` has no derivative", function),
         "as the condition of `where(A > 0, A, 0)` a comparison only chooses, and gradients go "
         "past it");
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
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
  }
  give(at, 0, std::move(back));
}

}  // namespace shard::gradient
