#include "interpreter/planning/contraction.h"

#include <algorithm>
#include <map>
#include <set>

#include "interpreter/planning/cases.h"
#include "interpreter/planning/selection.h"
#include "interpreter/planning/softmax.h"

namespace shard::planning {

namespace {

using MadePtr = std::shared_ptr<const Made>;

// Sums what is unreduced, by AllReduce or by ReduceScatter onto any dimension: the ways to use a result as an operand.
std::vector<Layout> reduced_forms(const Layout& layout) {
  if (layout.unreduced.empty()) return {layout};
  Layout everywhere = layout;
  everywhere.unreduced.clear();
  std::vector<Layout> forms = {everywhere};
  for (std::size_t dimension = 0; dimension < layout.rank(); ++dimension) {
    Layout scattered = everywhere;
    auto& axes = scattered.dims[dimension];
    axes.insert(axes.end(), layout.unreduced.begin(), layout.unreduced.end());
    forms.push_back(std::move(scattered));
  }
  return forms;
}

class Planner {
 public:
  explicit Planner(const Machine& machine) : machine_(machine) {}

  // Every way to make the product in `target`, or (without one) the lightest way to each reduced layout.
  std::vector<MadePtr> make(const Product& product, const Labels& labels, const Shape& shape,
                            const std::optional<Layout>& target) {
    std::vector<MadePtr> ways;
    for (const MadePtr& local : local_products(product, labels, shape, target)) {
      for (const Layout& goal : goals(local->layout, target, shape)) {
        if (auto route = route_to(local->layout, goal, shape))
          ways.push_back(extend(local, *route, shape));
      }
    }
    sort(ways);
    return ways;
  }

  // The same for any term but a source.
  std::vector<MadePtr> make(const Term& term, const std::optional<Layout>& target) {
    const auto key = std::make_pair(&term, target);
    const auto known = made_.find(key);
    if (known != made_.end()) return known->second;
    auto ways = match(
        term.node, [](const Source&) { return std::vector<MadePtr>(); },
        [&](const Box<Product>& product) {
          return make(*product, term.labels, term.shape, target);
        },
        [&](const Box<Elementwise>& elements) {
          return moved(local_elements_of(*elements, term, target), term.shape, target);
        },
        [&](const Box<Reduction>& reduction) {
          return moved(local_reductions_of(*reduction, term, target), term.shape, target);
        },
        [&](const Box<Softmax>& softmax) {
          return moved(local_softmaxes_of(*softmax, term, target), term.shape, target);
        },
        [&](const Box<Selection>& selection) {
          return moved(local_selections_of(*selection, term, target), term.shape, target);
        });
    made_.emplace(key, ways);
    return ways;
  }

 private:
  // How many layouts of an operand that is computed itself are tried as the layout of what is made of it.
  static constexpr std::size_t kMostSeeds = 4;

  std::optional<Route> route_to(const Layout& from, const Layout& to, const Shape& shape) const {
    return cheapest_route({from}, to, shape, machine_, MoveRule::Cases);
  }

  bool divides(const Shape& shape, const Layout& layout) const {
    return !indivisible_dimension(shape.lengths, layout, machine_.mesh);
  }

  // Local results brought to the target, or to what they are without open sums.
  std::vector<MadePtr> moved(const std::vector<MadePtr>& locals, const Shape& shape,
                             const std::optional<Layout>& target) const {
    std::vector<MadePtr> ways;
    for (const MadePtr& local : locals) {
      for (const Layout& goal : goals(local->layout, target, shape)) {
        if (auto route = cheapest_route({local->layout}, goal, shape, machine_))
          ways.push_back(extend(local, *route, shape));
      }
    }
    sort(ways);
    return ways;
  }

  // The lightest way to have an operand in a layout; null if there is none.
  MadePtr best(const Term& term, const Layout& layout) {
    const auto* source = std::get_if<Source>(&term.node);
    if (source == nullptr) {
      const std::vector<MadePtr> ways = make(term, layout);
      return ways.empty() ? nullptr : ways.front();
    }
    std::vector<Layout> layouts = source->layouts;
    const auto held = std::find_if(layouts.begin(), layouts.end(),
                                   [&](const Layout& have) { return is_held_at(have, layout); });
    const auto route = held == layouts.end()
                           ? cheapest_route(layouts, layout, term.shape, machine_)
                           : Route{.source = static_cast<std::size_t>(held - layouts.begin())};
    if (!route) return nullptr;
    const Layout& start = source->layouts[route->source];
    return extend(std::make_shared<const Made>(
                      Made{.origin = route->source, .start = start, .layout = start}),
                  *route, term.shape);
  }

  // Whether who has `have` has `wanted` as well: the same on more devices.
  static bool is_held_at(Layout have, const Layout& wanted) {
    if (add_places(wanted, have)) return false;
    return have == wanted;
  }

  // The layouts of an operand that are tried as they are: those of its copies, or the lightest few.
  std::vector<Layout> seeds_of(const Term& term) {
    std::vector<Layout> seeds;
    for (const MadePtr& way : starts(term)) {
      if (seeds.size() < kMostSeeds) seeds.push_back(way->layout);
    }
    return seeds;
  }

  // A local computation of operands that are made already.
  static MadePtr combine(std::vector<MadePtr> operands, const Layout& layout, const Cost& cost,
                         const Formula& time, const Weight& weight) {
    Made made{.start = layout, .layout = layout};
    for (const MadePtr& operand : operands) {
      made.weight += operand->weight;
      made.cost += operand->cost;
      made.time = made.time + operand->time;
    }
    made.weight += weight;
    made.cost += cost;
    made.time = made.time + time;
    made.origin = MadeFrom{std::move(operands)};
    return std::make_shared<const Made>(std::move(made));
  }

  static MadePtr combine(std::vector<MadePtr> operands, const Layout& layout, const Cost& cost) {
    return combine(std::move(operands), layout, cost, cost.time(), weigh(cost));
  }

  // ------------------------------------------------------------ elements

  // Splits for all labels of a term: those of `given` as they are, the others as the target has them, else as the first
  // operand that has them, where that uses no axis twice.
  Layout completed(const Labels& given, const Layout& layout, const Elementwise& elements,
                   const Term& term, const std::optional<Layout>& target) {
    Layout result = replicated(term.labels.size());
    const auto set = [&](std::size_t place, const std::vector<AxisId>& axes) {
      for (const AxisId axis : axes) {
        if (uses(result, axis)) return;
      }
      result.dims[place] = axes;
    };
    std::vector<bool> known(term.labels.size(), false);
    const auto adopt = [&](const Labels& labels, const Layout& from) {
      for (std::size_t d = 0; d < labels.size(); ++d) {
        const auto at = std::find(term.labels.begin(), term.labels.end(), labels[d]);
        const auto place = static_cast<std::size_t>(at - term.labels.begin());
        if (!known[place]) set(place, from.dims[d]);
        known[place] = true;
      }
    };
    adopt(given, layout);
    if (target) adopt(term.labels, *target);
    for (const Term& operand : elements.operands) {
      const auto seeds = seeds_of(operand);
      if (!seeds.empty()) adopt(operand.labels, seeds.front());
    }
    return result;
  }

  std::vector<Layout> element_layouts(const Elementwise& elements, const Term& term,
                                      const std::optional<Layout>& target) {
    std::vector<Layout> dims;
    std::vector<std::vector<AxisId>> sums = {{}};
    std::vector<std::vector<Placement>> places;
    const auto add_place = [&](const std::vector<Placement>& placed) {
      if (std::find(places.begin(), places.end(), placed) == places.end()) places.push_back(placed);
    };
    const auto add_sum = [&](const Layout& layout) {
      if (layout.combination == Combination::Sum &&
          std::find(sums.begin(), sums.end(), layout.unreduced) == sums.end())
        sums.push_back(layout.unreduced);
    };
    if (target) {
      dims.push_back(*target);
      add_sum(*target);
      add_place(target->placed);
    }
    Layout common = target ? *target : Layout{};
    for (const Term& operand : elements.operands) {
      for (const Layout& seed : seeds_of(operand)) {
        dims.push_back(completed(operand.labels, seed, elements, term, target));
        if (std::holds_alternative<Source>(operand.node)) add_sum(seed);
        add_place(seed.placed);
        (void)add_places(seed, common);
      }
    }
    add_place(common.placed);
    if (dims.empty()) dims.push_back(replicated(term.labels.size()));  // of positions alone
    std::vector<Layout> layouts;
    for (const auto& unreduced : sums) {
      for (Layout layout : dims) {
        layout.unreduced = unreduced;
        layout.combination = Combination::Sum;
        for (const auto& placed : places) {
          layout.placed = placed;
          const bool known = std::find(layouts.begin(), layouts.end(), layout) != layouts.end();
          if (!known && !reused_axis(layout) && divides(term.shape, layout))
            layouts.push_back(layout);
        }
      }
    }
    return layouts;
  }

  // Which operands hold partial sums if the result does: those that were written so; and what is computed on the way,
  // where the program is linear in it.
  static std::optional<std::vector<bool>> partial_operands(const Elementwise& elements,
                                                           const Layout& layout) {
    std::vector<bool> written;
    std::vector<bool> all;
    for (const Term& operand : elements.operands) {
      const auto* source = std::get_if<Source>(&operand.node);
      written.push_back(source != nullptr && !layout.unreduced.empty() &&
                        source->layouts.front().unreduced == layout.unreduced);
      all.push_back(!layout.unreduced.empty() && (source == nullptr || written.back()));
    }
    const auto holds_any = [](const std::vector<bool>& marks) {
      return std::find(marks.begin(), marks.end(), true) != marks.end();
    };
    for (const std::vector<bool>& marks : {all, written}) {
      if (layout.unreduced.empty() != holds_any(marks) && is_linear_in(elements.program, marks))
        return marks;
    }
    return std::nullopt;
  }

  std::vector<MadePtr> local_elements_of(const Elementwise& elements, const Term& term,
                                         const std::optional<Layout>& target) {
    std::vector<MadePtr> locals;
    for (const Layout& layout : element_layouts(elements, term, target)) {
      const auto partial = partial_operands(elements, layout);
      if (!partial) continue;
      std::vector<MadePtr> operands;
      for (std::size_t i = 0; i < elements.operands.size(); ++i) {
        const Term& operand = elements.operands[i];
        Layout own = restricted(layout, term.labels, operand.labels);
        if (!(*partial)[i]) own.unreduced.clear();
        MadePtr made = best(operand, own);
        if (made == nullptr) break;
        operands.push_back(std::move(made));
      }
      if (operands.size() == elements.operands.size())
        add_elements(elements, term, std::move(operands), layout, locals);
    }
    return locals;
  }

  void add_elements(const Elementwise& elements, const Term& term, std::vector<MadePtr> operands,
                    const Layout& layout, std::vector<MadePtr>& locals) const {
    ElementwiseStep step;
    step.program = elements.program;
    step.result_labels = term.labels;
    std::vector<Copy> copies;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const Term& operand = elements.operands[i];
      step.operand_labels.push_back(operand.labels);
      copies.push_back(copy_of(operand.shape, operands[i]->layout));
    }
    const Cost cost = cost_of_elements(step, copies, copy_of(term.shape, layout), machine_);
    locals.push_back(combine(std::move(operands), layout, cost));
  }

  static Copy copy_of(const Shape& shape, const Layout& layout) {
    return {.shape = shape.lengths, .dtype = shape.dtype, .layout = layout};
  }

  // The splits that a layout has on some of its labels.
  static Layout restricted(const Layout& layout, const Labels& labels, const Labels& some) {
    Layout result = replicated(some.size());
    result.unreduced = layout.unreduced;
    result.combination = layout.combination;
    result.placed = layout.placed;
    for (std::size_t d = 0; d < some.size(); ++d) {
      const auto at = std::find(labels.begin(), labels.end(), some[d]);
      if (at != labels.end())
        result.dims[d] = layout.dims[static_cast<std::size_t>(at - labels.begin())];
    }
    return result;
  }

  // ------------------------------------------------------------ reductions

  // Operand layouts to reduce in: as it is; with the kept dimensions as the target has them; each also with the reduced
  // dimensions whole.
  std::vector<Layout> reduction_layouts(const Reduction& reduction, const Term& term,
                                        const std::optional<Layout>& target) {
    const Labels& labels = reduction.operand.labels;
    std::vector<Layout> layouts;
    const auto add = [&](const Layout& layout) {
      if (!reused_axis(layout) && divides(reduction.operand.shape, layout) &&
          std::find(layouts.begin(), layouts.end(), layout) == layouts.end())
        layouts.push_back(layout);
    };
    const auto is_kept = [&](int label) {
      return std::find(term.labels.begin(), term.labels.end(), label) != term.labels.end();
    };
    for (const Layout& seed : seeds_of(reduction.operand)) {
      std::vector<Layout> starts = {seed};
      if (target) {
        Layout like_target = restricted(*target, term.labels, labels);
        like_target.unreduced = seed.unreduced;
        like_target.combination = seed.combination;
        for (std::size_t d = 0; d < labels.size(); ++d) {
          if (!is_kept(labels[d])) like_target.dims[d] = seed.dims[d];
        }
        starts.push_back(std::move(like_target));
      }
      for (const Layout& start : starts) {
        add(start);
        Layout whole = start;
        for (std::size_t d = 0; d < labels.size(); ++d) {
          if (!is_kept(labels[d])) whole.dims[d].clear();
        }
        add(whole);
      }
    }
    return layouts;
  }

  std::vector<MadePtr> local_reductions_of(const Reduction& reduction, const Term& term,
                                           const std::optional<Layout>& target) {
    std::vector<MadePtr> locals;
    for (const Layout& layout : reduction_layouts(reduction, term, target)) {
      const auto left =
          local_reduction(reduction.kind, reduction.operand.labels, layout, term.labels);
      const Layout* result = std::get_if<Layout>(&left);
      MadePtr operand = result == nullptr ? nullptr : best(reduction.operand, layout);
      if (operand == nullptr) continue;
      const Cost cost = cost_of_reduction(copy_of(reduction.operand.shape, layout),
                                          copy_of(term.shape, *result), machine_);
      locals.push_back(combine({std::move(operand)}, *result, cost));
    }
    return locals;
  }

  std::vector<MadePtr> local_softmaxes_of(const Softmax& softmax, const Term& term,
                                          const std::optional<Layout>& target) {
    std::vector<Layout> layouts;
    if (target) layouts.push_back(*target);
    for (const Layout& seed : seeds_of(softmax.operand)) {
      layouts.push_back(restricted(seed, softmax.operand.labels, term.labels));
    }
    const std::size_t count = layouts.size();
    for (std::size_t i = 0; i < count; ++i) {
      layouts[i].unreduced.clear();
      Layout whole = layouts[i];
      for (const int label : softmax.along) {
        const auto at = std::find(term.labels.begin(), term.labels.end(), label);
        whole.dims[static_cast<std::size_t>(at - term.labels.begin())].clear();
      }
      layouts.push_back(std::move(whole));
    }
    std::vector<MadePtr> locals;
    std::set<Layout> seen;
    for (const Layout& layout : layouts) {
      if (!seen.insert(layout).second || !divides(term.shape, layout)) continue;
      MadePtr operand =
          best(softmax.operand, restricted(layout, term.labels, softmax.operand.labels));
      if (operand == nullptr) continue;
      const SoftmaxCost price =
          cost_of_softmax(term.labels, softmax.along, term.shape, layout, machine_);
      locals.push_back(combine({std::move(operand)}, layout, price.cost, price.time, price.weight));
    }
    return locals;
  }

  // ------------------------------------------------------------ selections

  // Layouts of the first operand to pick from or put into: those that it has, or what the target asks for; each also with
  // the dimension that is looked along whole.
  std::vector<Layout> selection_layouts(const Selection& selection, const Term& term,
                                        const std::optional<Layout>& target) {
    const Term& operand = selection.operands.front();
    std::vector<Layout> layouts = seeds_of(operand);
    if (target && selection.kind == SelectionKind::Reshape) {
      if (auto like = reshaped(term.labels, term.shape.lengths, *target, operand.labels,
                               operand.shape.lengths, machine_.mesh))
        layouts.push_back(*std::move(like));
    } else if (target) {
      layouts.push_back(restricted(*target, term.labels, operand.labels));
    }
    const auto at = std::find(operand.labels.begin(), operand.labels.end(), selection.along);
    const std::size_t count = layouts.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (selection.kind == SelectionKind::Update) layouts[i].unreduced.clear();
      if (at == operand.labels.end()) continue;
      layouts.push_back(layouts[i]);
      layouts.back().dims[static_cast<std::size_t>(at - operand.labels.begin())].clear();
    }
    std::vector<Layout> distinct;
    for (Layout& layout : layouts) {
      if (!reused_axis(layout) && divides(operand.shape, layout) &&
          std::find(distinct.begin(), distinct.end(), layout) == distinct.end())
        distinct.push_back(std::move(layout));
    }
    return distinct;
  }

  // How the dimensions that only an index has may be split: as it is, as the target is, not at all.
  std::vector<std::pair<Labels, Layout>> index_layouts(const Selection& selection, const Term& term,
                                                       const std::optional<Layout>& target) {
    std::vector<std::pair<Labels, Layout>> likes = {{{}, Layout{}}};
    if (selection.kind != SelectionKind::Gather || selection.operands.size() < 2) return likes;
    const Term& index = selection.operands[1];
    for (const Layout& seed : seeds_of(index)) likes.emplace_back(index.labels, seed);
    if (target) likes.emplace_back(term.labels, *target);
    return likes;
  }

  std::vector<MadePtr> local_selections_of(const Selection& selection, const Term& term,
                                           const std::optional<Layout>& target) {
    std::vector<MadePtr> locals;
    std::set<std::vector<Layout>> seen;
    for (const Layout& first : selection_layouts(selection, term, target)) {
      for (const auto& [labels, like] : index_layouts(selection, term, target)) {
        const auto layouts = selection_operands(selection, first, labels, like, machine_.mesh);
        if (seen.insert(layouts).second) add_selection(selection, term, layouts, locals);
      }
    }
    return locals;
  }

  void add_selection(const Selection& selection, const Term& term,
                     const std::vector<Layout>& layouts, std::vector<MadePtr>& locals) {
    const auto left =
        local_selection(selection, layouts, term.labels, term.shape.lengths, machine_.mesh);
    const Layout* result = std::get_if<Layout>(&left);
    if (result == nullptr || !divides(term.shape, *result)) return;
    std::vector<MadePtr> operands;
    std::vector<Copy> copies;
    for (std::size_t i = 0; i < layouts.size(); ++i) {
      const Term& operand = selection.operands[i];
      if (!divides(operand.shape, layouts[i])) return;
      MadePtr made = best(operand, layouts[i]);
      if (made == nullptr) return;
      operands.push_back(std::move(made));
      copies.push_back(copy_of(operand.shape, layouts[i]));
    }
    SelectionStep step{.kind = selection.kind, .operands = {}, .result = {}};
    step.in_place = CopyId{0};  // weighed as if its memory were taken over
    const Cost cost = cost_of_selection(step, copies, copy_of(term.shape, *result), machine_);
    locals.push_back(combine(std::move(operands), *result, cost));
  }

  // ------------------------------------------------------------ products

  static void sort(std::vector<MadePtr>& ways) {
    std::stable_sort(ways.begin(), ways.end(), [](const MadePtr& a, const MadePtr& b) {
      return lighter(a->weight, b->weight);
    });
  }

  std::vector<Layout> goals(const Layout& natural, const std::optional<Layout>& target,
                            const Shape& shape) const {
    if (target) return {*target};
    std::vector<Layout> forms = reduced_forms(natural);
    std::erase_if(forms, [&](const Layout& form) {
      return indivisible_dimension(shape.lengths, form, machine_.mesh).has_value();
    });
    return forms;
  }

  MadePtr extend(const MadePtr& made, const Route& route, const Shape& shape) const {
    if (route.moves.empty()) return made;
    Made longer = *made;
    longer.moves.insert(longer.moves.end(), route.moves.begin(), route.moves.end());
    longer.layout = route.moves.back().to;
    longer.weight += route.weight;
    const Cost moved = cost_of(route, shape, machine_);
    longer.cost += moved;
    longer.time = longer.time + moved.comms;
    return std::make_shared<const Made>(std::move(longer));
  }

  // The layouts a term can start from, each with its price.
  std::vector<MadePtr> starts(const Term& term) {
    return match(
        term.node,
        [&](const Source& source) {
          std::vector<MadePtr> made;
          for (std::size_t i = 0; i < source.layouts.size(); ++i) {
            made.push_back(std::make_shared<const Made>(
                Made{.origin = i, .start = source.layouts[i], .layout = source.layouts[i]}));
          }
          return made;
        },
        [&](const Box<Product>&) { return lightest_to_each(term); },
        [&](const Box<Elementwise>&) { return lightest_to_each(term); },
        [&](const Box<Reduction>&) { return lightest_to_each(term); },
        [&](const Box<Softmax>&) { return lightest_to_each(term); },
        [&](const Box<Selection>&) { return lightest_to_each(term); });
  }

  std::vector<MadePtr> lightest_to_each(const Term& term) {
    std::vector<MadePtr> lightest;
    std::set<Layout> seen;
    for (const MadePtr& way : make(term, std::nullopt)) {
      if (seen.insert(way->layout).second) lightest.push_back(way);
    }
    return lightest;
  }

  // The lightest way from any start to a layout.
  MadePtr reach(const std::vector<MadePtr>& from, const Layout& layout, const Shape& shape) const {
    MadePtr best;
    for (const MadePtr& start : from) {
      if (const auto route = route_to(start->layout, layout, shape)) {
        MadePtr way = extend(start, *route, shape);
        if (!best || lighter(way->weight, best->weight)) best = way;
      }
    }
    return best;
  }

  // The layouts that decide which case it is: of an array the one that the script wrote, of a
  // product every one that it can have.
  static std::size_t deciding(const Term& term, const std::vector<MadePtr>& made) {
    return std::holds_alternative<Source>(term.node) ? 1 : made.size();
  }

  static std::vector<std::pair<Layout, Layout>> meeting_layouts(
      const Product& product, const std::vector<MadePtr>& lefts, const std::vector<MadePtr>& rights,
      const Labels& labels, const std::optional<Layout>& target) {
    std::set<std::pair<Layout, Layout>> seen;
    std::vector<std::pair<Layout, Layout>> candidates;
    for (std::size_t i = 0; i < deciding(product.left, lefts); ++i) {
      for (std::size_t j = 0; j < deciding(product.right, rights); ++j) {
        for (auto& pair :
             candidate_layouts({product.left.labels, lefts[i]->layout},
                               {product.right.labels, rights[j]->layout}, labels, target)) {
          if (seen.insert(pair).second) candidates.push_back(std::move(pair));
        }
      }
    }
    return candidates;
  }

  std::vector<MadePtr> local_products(const Product& product, const Labels& labels,
                                      const Shape& shape, const std::optional<Layout>& target) {
    const std::vector<MadePtr> lefts = starts(product.left);
    const std::vector<MadePtr> rights = starts(product.right);
    const auto candidates = meeting_layouts(product, lefts, rights, labels, target);
    std::vector<MadePtr> products;
    std::map<Layout, MadePtr> left_reached;
    std::map<Layout, MadePtr> right_reached;
    const auto cached = [&](std::map<Layout, MadePtr>& cache, const std::vector<MadePtr>& from,
                            const Layout& layout, const Shape& operand) -> const MadePtr& {
      const auto [entry, is_new] = cache.try_emplace(layout);
      if (is_new && !indivisible_dimension(operand.lengths, layout, machine_.mesh))
        entry->second = reach(from, layout, operand);
      return entry->second;
    };
    for (const auto& [left_layout, right_layout] : candidates) {
      const MadePtr& left = cached(left_reached, lefts, left_layout, product.left.shape);
      const MadePtr& right = cached(right_reached, rights, right_layout, product.right.shape);
      if (left && right) add_local(product, labels, shape, left, right, products);
    }
    return products;
  }

  void add_local(const Product& product, const Labels& labels, const Shape& shape,
                 const MadePtr& left, const MadePtr& right, std::vector<MadePtr>& products) const {
    auto natural = local_product(product.left.labels, left->layout, product.right.labels,
                                 right->layout, labels);
    const Layout* layout = std::get_if<Layout>(&natural);
    if (layout == nullptr || indivisible_dimension(shape.lengths, *layout, machine_.mesh)) return;
    const ContractStep step{.left_labels = product.left.labels,
                            .right_labels = product.right.labels,
                            .result_labels = labels};
    const Cost cost = cost_of_contraction(step, copy_of(product.left.shape, left->layout),
                                          copy_of(product.right.shape, right->layout),
                                          copy_of(shape, *layout), machine_);
    products.push_back(combine({left, right}, *layout, cost));
  }

  const Machine& machine_;
  std::map<std::pair<const Term*, std::optional<Layout>>, std::vector<MadePtr>>
      made_;  // what was weighed before
};

}  // namespace

std::vector<std::shared_ptr<const Made>> plan_product(const Product& product,
                                                      const Labels& result_labels,
                                                      const Shape& result_shape,
                                                      const std::optional<Layout>& target,
                                                      const Machine& machine) {
  return Planner(machine).make(product, result_labels, result_shape, target);
}

std::vector<std::shared_ptr<const Made>> plan_term(const Term& term,
                                                   const std::optional<Layout>& target,
                                                   const Machine& machine) {
  return Planner(machine).make(term, target);
}

}  // namespace shard::planning
