// The cheapest layouts in which to compute each part of a term; for products by the documents' four cases.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "base/plan_rule.h"
#include "interpreter/planning/search/route_search.h"
#include "interpreter/planning/term.h"
#include "runtime/machine/machine.h"

namespace shard::planning {

// How a term gets to a layout: start from a source or compute locally, then move.
struct Made;
using MadePtr = std::shared_ptr<const Made>;
struct MadeFrom {
  std::vector<MadePtr> operands;  // for a product left and right
};
// How a copy of an array was brought to another layout. Two operands that are the same array in the same layout share it: it is
// carried out once.
struct SourceRoute {
  int array;  // its number in the term (term.h)
  Layout start;
  std::vector<Move> moves;
  Weight weight;
  Cost cost;
  Formula time;
  double unproven = 0;
};
struct Made {
  std::variant<std::size_t, MadeFrom> origin;  // index of a source's layout, or a local computation
  Layout start;                                // the layout of the origin
  std::vector<Move> moves;                     // starting there
  Layout layout;                               // where the moves lead
  Weight weight;                               // of everything
  Cost cost;
  Formula time;    // Σ of the steps' times
  int array = -1;  // of a source that others in the term may share
  std::vector<std::shared_ptr<const SourceRoute>> routes = {};  // of all sources below, each once
  // Of a chain of products that is not multiplied in the order that was written: the term as it is, for the parts of this.
  std::shared_ptr<const Term> term = nullptr;
  double own_seconds = 0;  // of the local computation, without operands and moves
  // Seconds that cheaper routes could save at most, where the search for them used up its budget.
  double unproven = 0;
};

// Of a chain that is not multiplied in the order that was written: the ways of its factors, from left to right.
std::vector<const Made*> factors_of(const Made& chain);

// The ways that were weighed, lightest first; never empty unless the target is unreduced over an axis that no way
// leaves unreduced. `target`: the final layout, or nullopt for the cheapest one that leaves nothing unreduced. For an
// intermediate result only the lightest way to each layout is kept. REQUIRES: not a source.
//
// `beside` asks for a collective over exactly these axes next to a product, an AllGather of an operand or a reduction
// of the result: if the lightest way has none, only the ways that do are returned, if there are any.
std::vector<MadePtr> plan_term(const Term& term, const std::optional<Layout>& target,
                               const Machine& machine, const std::vector<AxisId>& beside = {},
                               PlanRule rule = PlanRule::Cases);
// A way that takes at least a hundredth less time than the one taken by the cases; null if there is none, if finding it would take
// long, or if figures are missing.
MadePtr cheaper_way(const Term& term, const std::optional<Layout>& target, const Machine& machine,
                    const Made& taken);

// The cheapest way to bring an array from one of `sources` to `target`; null if it cannot be reached. `as_new`: makes
// another array, whose dimensions may be in another order; they are transposed once on the way, and an array that needs no
// move is copied. `target` is in the order of the sources' dimensions; a way's moves after the transpose are in the new order.
// The rule says what is cheapest: under `Cases` and `Overlap` it is the time.
MadePtr plan_moves(const std::vector<Layout>& sources, const Layout& target, const Shape& shape,
                   const Machine& machine, const std::optional<Transpose>& as_new = {},
                   PlanRule rule = PlanRule::Cases);
// The runners-up of that way: from the same source, each beginning otherwise, the cheapest first.
std::vector<MadePtr> other_moves(const Made& taken, const Shape& shape, const Machine& machine,
                                 const std::optional<Transpose>& as_new = {});

}  // namespace shard::planning
