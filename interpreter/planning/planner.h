// Weighs the ways to compute a term. planner.cpp has what all kinds of terms share; the layouts in which one kind can
// be computed are in a file of their own. Private to these files.
//
// In this folder:
//   planner.h                                weighs the ways to compute a term; a file for each kind: product.cpp,
//                                            elements.cpp, …
//   term.h, term_plan.h                      what to compute, and the layouts found for it
//   search/                                  the moves between layouts, and the cheapest route over them
//   local_layout.h, product_cases.h          what each device computes on its own; the four cases of a product
//   divisible_product.h                      products that can be cut to overlap with a collective
//   selection_layout.h, softmax_expansion.h  indices and reshapes; a softmax as its steps
//   cheapest.h, layout_table.h               `plan cheapest`: all layouts that each part of a term can be had in
//   chain.h, chain_bounds.h                  chains of products, and in which order they can be multiplied
//   objective.h                              what ways are judged by under `plan overlap`, `bytes`, `memory`
//   local_price.h                            what computing in a layout costs
//   open_layout.h, written_copies.h          results whose layout is left open; what must not depend on the chip
//   cache.h                                  what was planned before
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "interpreter/planning/term_plan.h"
#include "runtime/machine/machine.h"

namespace shard::planning {

class Planner {
 public:
  // `whole`: as in cheapest_route.
  explicit Planner(const Machine& machine, std::vector<AxisId> whole = {})
      : machine_(machine), whole_(std::move(whole)) {}

  // Every way to make the term in `target`, or without a target the ways to each reduced layout; lightest first. Empty
  // for a source.
  std::vector<MadePtr> make(const Term& term, const std::optional<Layout>& target);
  // Whether ways were left out as the budget was used up.
  bool is_cut_short() const { return is_cut_short_; }

 private:
  // Local computations of a term, each in the layout that it produces (product.cpp, …). `target` hints at layouts to
  // try.
  std::vector<MadePtr> local_products_of(const Product& product, const Term& term,
                                         const std::optional<Layout>& target);
  std::vector<MadePtr> local_elements_of(const Elementwise& elements, const Term& term,
                                         const std::optional<Layout>& target);
  std::vector<MadePtr> local_reductions_of(const Reduction& reduction, const Term& term,
                                           const std::optional<Layout>& target);
  std::vector<MadePtr> local_softmaxes_of(const Softmax& softmax, const Term& term,
                                          const std::optional<Layout>& target);
  std::vector<MadePtr> local_selections_of(const Selection& selection, const Term& term,
                                           const std::optional<Layout>& target);

  // Local results moved to the target, or else to reduced layouts.
  std::vector<MadePtr> moved(const std::vector<MadePtr>& locals, const Term& term,
                             const std::optional<Layout>& target);
  std::vector<Layout> goals(const Layout& natural, const std::optional<Layout>& target,
                            const Shape& shape) const;
  std::optional<Route> route(const std::vector<Layout>& sources, const Layout& target,
                             const Shape& shape, MoveRule rule);
  // Whether there is nothing left of the budget; then the first way that is found has to do.
  bool ends_with(const std::vector<MadePtr>& ways) {
    if (moves_left_ > 0 || ways.empty()) return false;
    is_cut_short_ = true;
    return true;
  }
  // The budget of all routes of a statement together, and what each has in any case.
  static constexpr std::size_t kLeastMoves = 10'000;
  std::size_t moves_left_ = Relayout::kMostMoves;
  bool is_cut_short_ = false;
  // The lightest way to get an operand into a layout; null if there is none.
  MadePtr best(const Term& term, const Layout& layout);
  // The layouts from which a term can start, each with its price.
  std::vector<MadePtr> starts(const Term& term);
  // Per operand. Every layout tried asks `best` for each operand again, so nested terms multiply
  // this number level by level. Layouts past the four lightest are tried only if the target or another operand has them.
  static constexpr std::size_t kMostSeeds = 4;
  // The layouts of an operand to try unchanged: those of its copies or of the lightest ways.
  std::vector<Layout> seeds_of(const Term& term);
  bool divides(const Shape& shape, const Layout& layout) const;

  // For products: the lightest way from any start to a layout.
  MadePtr reach(const std::vector<MadePtr>& from, const Layout& layout, const Shape& shape);
  void add_product(const Product& product, const Term& term, const MadePtr& left,
                   const MadePtr& right, std::vector<MadePtr>& locals) const;

  // For elementwise terms: layouts of the result to compute in. `partial`: of each operand, its layouts with partial sums.
  std::vector<Layout> element_layouts(const Elementwise& elements, const Term& term,
                                      const std::optional<Layout>& target,
                                      const std::vector<std::vector<Layout>>& partial);
  void add_layouts_of_sums(const Elementwise& elements, const Term& term,
                           const std::optional<Layout>& target,
                           const std::vector<std::vector<Layout>>& partial,
                           const std::vector<std::vector<Placement>>& places,
                           std::vector<Layout>& layouts);
  // Splits every label of a term: those in `given` as they are, the others as in the target, or else as in the first
  // operand that has them, unless that would use an axis twice.
  Layout completed(const Labels& given, const Layout& layout, const Elementwise& elements,
                   const Term& term, const std::optional<Layout>& target);
  void add_elements(const Elementwise& elements, const Term& term, std::vector<MadePtr> operands,
                    const Layout& layout, std::vector<MadePtr>& locals) const;

  // Operand layouts to reduce in: as it is, and with the kept dimensions as in the target; each also with the reduced
  // dimensions unsplit.
  std::vector<Layout> reduction_layouts(const Reduction& reduction, const Term& term,
                                        const std::optional<Layout>& target);
  // Result layouts of a softmax, which its operand takes too; each also with the dimensions of the softmax unsplit.
  std::vector<Layout> softmax_layouts(const Softmax& softmax, const Term& term,
                                      const std::optional<Layout>& target);

  // Layouts of the first operand to pick from or put into: its own ones and what the target asks for; each also with
  // the indexed dimension unsplit.
  std::vector<Layout> selection_layouts(const Selection& selection, const Term& term,
                                        const std::optional<Layout>& target);
  // How to split the dimensions that only the index has: as in the index, as in the target, or not at all.
  std::vector<std::pair<Labels, Layout>> index_layouts(const Selection& selection, const Term& term,
                                                       const std::optional<Layout>& target);
  void add_selection(const Selection& selection, const Term& term,
                     const std::vector<Layout>& layouts, const std::optional<Layout>& target,
                     std::vector<MadePtr>& locals);

  const Machine& machine_;
  std::vector<AxisId> whole_;
  // What was weighed before.
  std::map<std::pair<const Term*, std::optional<Layout>>, std::vector<MadePtr>> made_;
};

// A local computation whose operands are already made.
MadePtr combine(std::vector<MadePtr> operands, const Layout& layout, const Cost& cost,
                const Formula& time, const Weight& weight);
MadePtr combine(std::vector<MadePtr> operands, const Layout& layout, const Cost& cost);

// From a copy of a source on.
MadePtr start_at(const Source& source, std::size_t index);
// Moved on.
MadePtr extend(const MadePtr& made, const Route& route, const Shape& shape, const Machine& machine);

Copy copy_of(const Shape& shape, const Layout& layout);
// The splits that a layout has on some of its labels.
Layout restricted(const Layout& layout, const Labels& labels, const Labels& some);

}  // namespace shard::planning
