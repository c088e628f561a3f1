#include "interpreter/planning/cache.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/contains.h"
#include "interpreter/planning/objective.h"
#include "interpreter/planning/open_layout.h"
#include "interpreter/planning/selection_layout.h"
#include "runtime/plan/fingerprint.h"

namespace shard::planning {

namespace {

// Bounds the memory of a long script. Past it the cache is emptied, and problems that recur are solved once more.
constexpr std::size_t kMostProblems = 4096;
// As many as `why` lists (docs/language.md). Only the first is executed.
constexpr std::size_t kWaysKept = 8;

// Whether devices may hold different parts along one of the dimensions: unless all copies of an array have them whole.
bool may_be_split(const Term& term, const Labels& along) {
  const auto* source = std::get_if<Source>(&term.node);
  if (source == nullptr) return true;
  return std::any_of(along.begin(), along.end(), [&](int label) {
    const auto found = std::find(term.labels.begin(), term.labels.end(), label);
    if (found == term.labels.end()) return true;
    const auto at = static_cast<std::size_t>(found - term.labels.begin());
    return std::any_of(source->layouts.begin(), source->layouts.end(),
                       [&](const Layout& layout) { return !layout.dims[at].empty(); });
  });
}

// What of a position decides about layouts: the block that it lies in, where the axes of the mesh split the dimension as finely as
// they can. All of it where that is not known.
Formula deciding_position(const Selection& selection, const Mesh& mesh) {
  if (selection.along.empty()) return selection.position;
  const auto along = position_of(selection.operands.front().labels, selection.along.front());
  const auto number =
      along ? selection.operands.front().shape.lengths[*along].constant() : std::nullopt;
  const auto length = number ? number->to_int64() : std::nullopt;
  const auto index = length ? picked_index(selection) : std::nullopt;
  if (!index || *index < 0 || *index >= *length) return selection.position;
  // Parts that divide the length divide what it has in common with all axes together.
  std::int64_t block = *length;
  for (const MeshAxis& axis : mesh.axes) {
    const auto size = axis.length();
    if (!size) return selection.position;
    block /= std::gcd(block, *size);
  }
  return Formula(*index / block);
}

void add_term(Fingerprint& fingerprint, const Term& term, const Mesh& mesh);

void add_terms(Fingerprint& fingerprint, const std::vector<Term>& terms, const Mesh& mesh) {
  fingerprint.add(static_cast<std::int64_t>(terms.size()));
  for (const Term& term : terms) add_term(fingerprint, term, mesh);
}

void add_term(Fingerprint& fingerprint, const Term& term, const Mesh& mesh) {
  fingerprint.add(static_cast<std::int64_t>(term.node.index()));
  fingerprint.add_labels(term.labels);
  fingerprint.add(term.shape.lengths, term.shape.dtype);
  match(
      term.node,
      [&](const Source& source) {
        fingerprint.add(static_cast<std::int64_t>(source.array));
        fingerprint.add(static_cast<std::int64_t>(source.layouts.size()));
        fingerprint.add(static_cast<std::int64_t>(source.written));
        for (const Layout& layout : source.layouts) fingerprint.add(layout);
      },
      [&](const Box<Product>& product) {
        add_term(fingerprint, product->left, mesh);
        add_term(fingerprint, product->right, mesh);
      },
      [&](const Box<Elementwise>& elements) {
        fingerprint.add(elements->program);
        add_terms(fingerprint, elements->operands, mesh);
      },
      [&](const Box<Reduction>& reduction) {
        fingerprint.add(static_cast<std::int64_t>(reduction->kind));
        add_term(fingerprint, reduction->operand, mesh);
      },
      [&](const Box<Softmax>& softmax) {
        fingerprint.add_labels(softmax->along);
        add_term(fingerprint, softmax->operand, mesh);
      },
      [&](const Box<Selection>& selection) {
        fingerprint.add(static_cast<std::int64_t>(selection->kind));
        fingerprint.add_labels(selection->along);
        // Layers that are picked one after the other are one problem, if each is where all of them are, or in the same block.
        if (may_be_split(selection->operands.front(), selection->along))
          fingerprint.add(deciding_position(*selection, mesh));
        add_terms(fingerprint, selection->operands, mesh);
      });
}

// The cached answer, or else what `solve` returns.
template <class Answer, class Solve>
const Answer& answer(std::unordered_map<std::string, Answer>& answers,
                     const Fingerprint& fingerprint, const Solve& solve) {
  std::string key = fingerprint.bytes();
  if (const auto known = answers.find(key); known != answers.end()) return known->second;
  if (answers.size() >= kMostProblems) answers.clear();
  return answers.emplace(std::move(key), solve()).first->second;
}

Ways weighed(std::vector<MadePtr> made, MadePtr cheaper = nullptr) {
  const bool reference = std::any_of(made.begin(), made.end(),
                                     [](const MadePtr& way) { return needs_reference(way->cost); });
  return std::make_shared<const WeighedWays>(
      WeighedWays{std::move(made), reference, std::move(cheaper)});
}

Fingerprint fingerprint_of(const Term& term, const std::vector<AxisId>& beside, const Mesh& mesh) {
  Fingerprint fingerprint;
  fingerprint.add(static_cast<std::int64_t>(beside.size()));
  for (const AxisId axis : beside) fingerprint.add(static_cast<std::int64_t>(axis.value));
  add_term(fingerprint, term, mesh);
  return fingerprint;
}

}  // namespace

std::vector<MadePtr> WeighedWays::all() const {
  std::vector<MadePtr> ways = made;
  if (cheaper != nullptr) ways.insert(ways.begin() + 1, cheaper);
  if (others == nullptr) return ways;
  std::vector<MadePtr> more = others();
  ways.insert(ways.end(), more.begin(), more.end());
  return ways;
}

std::optional<Layout> Memo::layout(const Term& term, const Machine& machine,
                                   const std::vector<AxisId>& beside) {
  return answer(layouts_, fingerprint_of(term, beside, machine.mesh),
                [&] { return open_layout(term, machine.mesh, beside); });
}

Ways Memo::plan(const Term& term, const std::optional<Layout>& target, const Machine& machine,
                const std::vector<AxisId>& beside, PlanRule rule, bool compares) {
  Fingerprint fingerprint = fingerprint_of(term, beside, machine.mesh);
  fingerprint.add(static_cast<std::int64_t>(rule));
  fingerprint.add(std::int64_t{compares});
  if (target) fingerprint.add(*target);
  return answer(ways_, fingerprint, [&]() -> Ways {
    std::vector<MadePtr> made = plan_term(term, target, machine, beside, rule);
    made.resize(std::min(made.size(), kWaysKept));
    const bool may_be_cheaper =
        compares && rule == PlanRule::Cases && beside.empty() && !made.empty();
    MadePtr cheaper = may_be_cheaper ? cheaper_way(term, target, machine, *made.front()) : nullptr;
    return weighed(std::move(made), std::move(cheaper));
  });
}

Ways Memo::move(const std::vector<Layout>& sources, const Layout& target, const Shape& shape,
                const Machine& machine, const std::optional<Transpose>& as_new, PlanRule rule) {
  Fingerprint fingerprint;
  for (const Layout& source : sources) fingerprint.add(source);
  fingerprint.add(target);
  fingerprint.add(shape.lengths, shape.dtype);
  fingerprint.add(static_cast<std::int64_t>(objective_of(rule)));
  if (as_new) {
    fingerprint.add(static_cast<std::int64_t>(as_new->dtype));
    for (const std::size_t dimension : as_new->order)
      fingerprint.add(static_cast<std::int64_t>(dimension));
  }
  return answer(moves_, fingerprint, [&]() -> Ways {
    const MadePtr taken = plan_moves(sources, target, shape, machine, as_new, rule);
    if (taken == nullptr) return weighed({});
    WeighedWays ways{.made = {taken}, .reference_sizes = needs_reference(taken->cost)};
    ways.others = [taken, shape, machine, as_new] {
      return other_moves(*taken, shape, machine, as_new);
    };
    return std::make_shared<const WeighedWays>(std::move(ways));
  });
}

std::shared_ptr<const Cost> Memo::price(const Step& step, const Plan& plan,
                                        const Machine& machine) {
  return answer(costs_, fingerprint_of(step, plan),
                [&] { return std::make_shared<const Cost>(cost_of(step, plan, machine)); });
}

}  // namespace shard::planning
