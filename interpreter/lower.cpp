#include "interpreter/lower.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/text.h"
#include "interpreter/check_array.h"
#include "interpreter/check_operation.h"
#include "interpreter/planning/contraction.h"

namespace shard {

namespace {

using planning::Made;
using planning::Move;

planning::Labels numbered(const std::vector<DimensionId>& ids) {
  planning::Labels numbers;
  for (const DimensionId id : ids) numbers.push_back(id.value);
  return numbers;
}

// What stands behind a planning::Source: the copies that its layouts are, and the array that moves of it belong to.
struct SourceCopies {
  ArrayId array;  // invalid for a product that was written ·LOCAL
  std::vector<CopyId> copies;
};

class Lowering {
 public:
  Lowering(const checked::Flow& flow, Scope& scope, Program& program, DiagnosticSink& sink, StatementRecord& record)
      : flow_(flow), scope_(scope), program_(program), sink_(sink), record_(record), mesh_(scope.mesh()) {}

  bool run() {
    record_.first_step = program_.steps.size();
    const auto result = match(
        flow_.value.node, [&](const checked::Use& use) { return lower_relayout(use); },
        [&](const checked::Product& product) { return lower_product(product); },
        [&](const checked::Collective&) { return lower_exact(flow_.value, true); });
    record_.end_step = program_.steps.size();
    if (!result) return false;
    record_.result = *result;
    return keep_result(*result);
  }

 private:
  Layout trimmed(const Layout& layout) const { return without_trivial_axes(layout, mesh_); }

  // ------------------------------------------------------------ steps

  template <class Action>
  CopyId add_step(Action action, Copy result, std::string text, bool inferred, std::vector<AxisId> axes = {}) {
    const CopyId copy = program_.plan.copies.add(std::move(result));
    action.result = copy;
    const Step step{.action = std::move(action), .statement = static_cast<int>(program_.statements.size())};
    const Cost cost = cost_of(step, program_.plan, program_.machine);
    program_.plan.steps.push_back(step);
    program_.steps.push_back({.text = std::move(text), .inferred = inferred, .axes = std::move(axes), .cost = cost});
    return copy;
  }

  // A live copy in the plan; an input appears at its first use.
  CopyId materialise(ArrayId array, std::size_t index) {
    ArrayInfo& info = scope_.arrays[array];
    LiveCopy& live = info.copies[index];
    if (live.copy.valid()) return live.copy;
    Copy copy{.name = info.anonymous ? "" : info.name, .dimensions = scope_.names_of(info.dimensions)};
    copy.shape = scope_.shape_of(info.dimensions);
    copy.dtype = info.dtype;
    copy.layout = live.layout;
    const std::string seed = info.anonymous ? fmt::format("[{}]", join(copy.dimensions, ", ")) : info.name;
    live.copy = add_step(InputStep{.seed = seed}, std::move(copy), "", false);
    program_.owners[live.copy] = array;
    const auto& inputs = program_.inputs;
    if (std::find(inputs.begin(), inputs.end(), array) == inputs.end()) program_.inputs.push_back(array);
    return live.copy;
  }

  std::string text_of(CopyId id, const std::vector<std::string>& names) const {
    const Copy& copy = program_.plan.copies[id];
    return copy.name + to_string(copy.layout, names, mesh_);
  }

  // One move of a copy. The new copy is a live copy of `array` if that is valid.
  CopyId apply(const Move& move, CopyId operand, ArrayId array, const std::vector<std::string>& names, bool inferred) {
    Copy copy = program_.plan.copies[operand];
    copy.layout = move.to;
    const std::string from = text_of(operand, names);
    const std::string line = (move.kind ? planning::name_of(move, names, mesh_) + " " : std::string()) + from + " → " +
                             copy.name + to_string(copy.layout, names, mesh_);
    CopyId result;
    if (move.kind) {
      result = add_step(CollectiveStep{.kind = *move.kind, .axes = move.axes, .operand = operand}, std::move(copy), line,
                        inferred, move.axes);
    } else {
      result = add_step(SliceStep{.axes = move.axes, .operand = operand}, std::move(copy), line, inferred);
    }
    if (array.valid()) hold(array, move.to, result);
    return result;
  }

  // The array holds the copy in that layout from now on; one in the same layout is replaced.
  void hold(ArrayId array, const Layout& layout, CopyId copy) {
    auto& copies = scope_.arrays[array].copies;
    std::erase_if(copies, [&](const LiveCopy& live) { return live.layout == layout; });
    copies.push_back({.layout = layout, .copy = copy});
    program_.owners[copy] = array;
  }

  // ------------------------------------------------------------ operands

  // Indices of an array's live copies, the one that was written first, then the newest.
  std::vector<std::size_t> by_preference(const checked::Use& use) const {
    const auto& copies = scope_.arrays[use.array].copies;
    const Layout written = trimmed(use.layout);
    std::vector<std::size_t> order;
    for (std::size_t i = copies.size(); i-- > 0;) {
      if (copies[i].layout == written) order.insert(order.begin(), i);
      else order.push_back(i);
    }
    return order;
  }

  planning::Shape shape_of(const checked::Operation& operation) const {
    return {.lengths = scope_.shape_of(operation.labels), .dtype = operation.dtype};
  }

  // A product as planning sees it; `sources_` remembers what its leaves are, in the order of a walk from the left.
  planning::Term term(const checked::Operation& operation) {
    planning::Term result{.node = planning::Source{}, .labels = numbered(operation.labels), .shape = shape_of(operation)};
    match(
        operation.node, [&](const checked::Use& use) { result.node = source(use); },
        [&](const checked::Product& product) {
          if (product.local) result.node = exact_source(operation);
          else result.node = Box<planning::Product>(planning::Product{term(*product.left), term(*product.right)});
        },
        [&](const checked::Collective&) { result.node = exact_source(operation); });
    return result;
  }

  planning::Source source(const checked::Use& use) {
    planning::Source result;
    SourceCopies copies{.array = use.array};
    for (const std::size_t index : by_preference(use)) {
      result.layouts.push_back(scope_.arrays[use.array].copies[index].layout);
      copies.copies.push_back(scope_.arrays[use.array].copies[index].copy);
    }
    sources_.push_back(std::move(copies));
    return result;
  }

  // A part of a product that was written out: it is done as written, and its result is what planning starts from.
  planning::Source exact_source(const checked::Operation& operation) {
    const auto copy = lower_exact(operation, false);
    SHARD_CHECK(copy.has_value());
    sources_.push_back({.array = {}, .copies = {*copy}});
    return {.layouts = {program_.plan.copies[*copy].layout}};
  }

  // ------------------------------------------------------------ written operations

  // Does exactly what is written: uses of that copy, local products, collectives.
  std::optional<CopyId> lower_exact(const checked::Operation& operation, bool outermost) {
    return match(
        operation.node, [&](const checked::Use& use) { return exact_use(use); },
        [&](const checked::Product& product) { return exact_product(product, operation, outermost); },
        [&](const checked::Collective& collective) { return exact_collective(collective, operation, outermost); });
  }

  std::optional<CopyId> exact_use(const checked::Use& use) {
    const auto& copies = scope_.arrays[use.array].copies;
    const Layout wanted = trimmed(use.layout);
    for (std::size_t i = 0; i < copies.size(); ++i) {
      if (copies[i].layout == wanted) return materialise(use.array, i);
    }
    SHARD_CHECK(!"a checked use names a live copy");
  }

  std::optional<CopyId> exact_product(const checked::Product& product, const checked::Operation& operation, bool outermost) {
    const auto left = lower_exact(*product.left, false);
    const auto right = lower_exact(*product.right, false);
    const std::string name = outermost ? target_name() : intermediate_name();
    return contract(*left, *product.left, *right, *product.right, operation.labels, *operation.layout, name,
                    outermost ? scope_.arrays[flow_.target].dtype : operation.dtype);
  }

  CopyId contract(CopyId left, const checked::Operation& left_operation, CopyId right,
                  const checked::Operation& right_operation, const std::vector<DimensionId>& labels, const Layout& layout,
                  std::string name, DType dtype) {
    Copy result{.name = std::move(name), .dimensions = scope_.names_of(labels), .shape = scope_.shape_of(labels)};
    result.dtype = dtype;
    result.layout = trimmed(layout);
    std::vector<std::string> summed;
    for (const DimensionId label : left_operation.labels) {
      const bool shared = std::count(right_operation.labels.begin(), right_operation.labels.end(), label) != 0;
      if (shared && std::count(labels.begin(), labels.end(), label) == 0) summed.push_back(scope_.dimensions[label].name);
    }
    std::string sign = "·";
    if (summed.size() == 1) sign += "_" + summed.front();
    if (summed.size() > 1) sign += "_{" + join(summed, ",") + "}";
    const std::string text = fmt::format("{} {} {} → {}{}", text_of(left, scope_.names_of(left_operation.labels)), sign,
                                         text_of(right, scope_.names_of(right_operation.labels)), result.name,
                                         to_string(result.layout, result.dimensions, mesh_));
    ContractStep step{.left = left, .right = right};
    step.left_labels = numbered(left_operation.labels);
    step.right_labels = numbered(right_operation.labels);
    step.result_labels = numbered(labels);
    return add_step(std::move(step), std::move(result), text, false);
  }

  // A written collective; blocks that are out of order are put in order first.
  std::optional<CopyId> exact_collective(const checked::Collective& collective, const checked::Operation& operation,
                                         bool outermost) {
    const CopyId operand = *lower_exact(*collective.operand, false);
    const auto* use = std::get_if<checked::Use>(&collective.operand->node);
    const ArrayId array = flow_.is_copy ? flow_.target : use != nullptr && !outermost ? use->array : ArrayId{};
    const std::vector<std::string> names = scope_.names_of(operation.labels);
    const Layout from = program_.plan.copies[operand].layout;
    const Layout to = trimmed(collective.layout);
    std::vector<AxisId> axes;
    for (const AxisId axis : collective.axes) {
      if (uses(from, axis)) axes.push_back(axis);
    }
    if (collective.kind == CollectiveKind::Shift) return shift(collective, axes, operand, names);
    if (from == to) return operand;
    const Layout ordered = in_order(from, to, axes, collective.kind);
    CopyId current = operand;
    if (ordered != from) {
      std::vector<AxisId> reordered;
      for (std::size_t i = 0; i < from.rank(); ++i) {
        if (from.dims[i] != ordered.dims[i]) reordered.insert(reordered.end(), from.dims[i].begin(), from.dims[i].end());
      }
      current = apply({.kind = CollectiveKind::CollectivePermute, .axes = reordered, .from = from, .to = ordered}, current, {},
                      names, false);
    }
    if (collective.kind == CollectiveKind::CollectivePermute) return current;
    Move move{.kind = collective.kind, .axes = axes, .from = ordered, .to = to};
    const bool places = collective.kind == CollectiveKind::ReduceScatter || collective.kind == CollectiveKind::AllToAll;
    if (places) move.dimension = dimension_split_by(to, axes.front());
    return apply(move, current, flow_.is_copy && outermost ? ArrayId{} : array, names, false);
  }

  CopyId shift(const checked::Collective& collective, const std::vector<AxisId>& axes, CopyId operand,
               const std::vector<std::string>& names) {
    if (axes.empty()) return operand;
    Copy copy = program_.plan.copies[operand];
    copy.name = target_name();
    CollectiveStep step{.kind = CollectiveKind::Shift, .axes = axes, .operand = operand};
    step.shift = collective.shift;
    const std::string name = collective.shift == 1 ? "Shift_" + axes_to_string(axes, mesh_)
                                                   : fmt::format("Shift_{{{},{}}}", mesh_.axes[axes.front()].name, collective.shift);
    const std::string text = name + " " + text_of(operand, names) + " → " + copy.name + to_string(copy.layout, names, mesh_);
    return add_step(std::move(step), std::move(copy), text, false, axes);
  }

  // Axes that leave a dimension have to be its minor ones.
  static Layout in_order(const Layout& from, const Layout& to, const std::vector<AxisId>& axes, CollectiveKind kind) {
    if (kind == CollectiveKind::CollectivePermute) return to;
    Layout ordered = from;
    for (std::size_t i = 0; i < from.rank(); ++i) {
      std::stable_partition(ordered.dims[i].begin(), ordered.dims[i].end(),
                            [&](AxisId axis) { return std::find(axes.begin(), axes.end(), axis) == axes.end(); });
    }
    return ordered;
  }

  // ------------------------------------------------------------ re-layouts

  std::optional<CopyId> lower_relayout(const checked::Use& use) {
    const Layout goal = wanted_layout(use);
    const std::vector<std::size_t> order = by_preference(use);
    std::vector<Layout> layouts;
    for (const std::size_t index : order) layouts.push_back(scope_.arrays[use.array].copies[index].layout);
    const planning::Shape shape = shape_of(flow_.value);
    const std::vector<std::string> names = scope_.names_of(flow_.value.labels);
    const auto route = planning::cheapest_route(layouts, goal, shape, program_.machine);
    if (!route) return report_unreachable(use, goal);
    record_ways(use, layouts[route->source], goal, shape, *route);
    CopyId copy = materialise(use.array, order[route->source]);
    for (const Move& move : route->moves) copy = apply(move, copy, use.array, names, true);
    return flow_.is_copy ? copy : rename(copy);
  }

  // The target's layout, in the order of the operand's dimensions.
  Layout wanted_layout(const checked::Use& use) const {
    if (!flow_.layout) return trimmed(use.layout);
    Layout goal = trimmed(*flow_.layout);
    if (!is_transposed()) return goal;
    Layout own = goal;
    for (std::size_t i = 0; i < flow_.labels.size(); ++i) own.dims[place(flow_.labels[i])] = goal.dims[i];
    return own;
  }

  bool is_transposed() const {
    const auto& labels = flow_.value.labels;
    return flow_.labels != labels &&
           std::is_permutation(flow_.labels.begin(), flow_.labels.end(), labels.begin(), labels.end());
  }

  std::size_t place(DimensionId label) const {
    const auto& labels = flow_.value.labels;
    return static_cast<std::size_t>(std::find(labels.begin(), labels.end(), label) - labels.begin());
  }

  // The copy under the target's name, dimensions in its order.
  CopyId rename(CopyId operand) {
    const Copy& from = program_.plan.copies[operand];
    Copy copy{.name = target_name(), .dimensions = scope_.names_of(flow_.labels), .shape = scope_.shape_of(flow_.labels)};
    copy.dtype = scope_.arrays[flow_.target].dtype;
    TransposeStep step{.operand = operand};
    copy.layout.unreduced = from.layout.unreduced;
    for (std::size_t i = 0; i < flow_.labels.size(); ++i) {
      step.order.push_back(is_transposed() ? place(flow_.labels[i]) : i);
      copy.layout.dims.push_back(from.layout.dims[step.order.back()]);
    }
    const std::string text = text_of(operand, scope_.names_of(flow_.value.labels)) + " → " + copy.name +
                             to_string(copy.layout, copy.dimensions, mesh_);
    return add_step(std::move(step), std::move(copy), text, false);
  }

  std::optional<CopyId> report_unreachable(const checked::Use& use, const Layout& goal) {
    const auto& unreduced = goal.unreduced;
    const Layout from = trimmed(use.layout);
    const auto extra = std::find_if(unreduced.begin(), unreduced.end(), [&](AxisId axis) {
      return std::find(from.unreduced.begin(), from.unreduced.end(), axis) == from.unreduced.end();
    });
    SHARD_CHECK(extra != unreduced.end());
    const std::string axis = mesh_.axes[*extra].name;
    sink_.report({.kind = DiagnosticKind::ResultUnreduced,
                  .span = flow_.target_span,
                  .message = fmt::format("the target is unreduced over `{}`, and what flows into it is not", axis),
                  .help = {fmt::format("leave {{U_{}}} out: only a product over a dimension that `{}` splits leaves partial sums",
                                       axis, axis)}});
    return std::nullopt;
  }

  void record_ways(const checked::Use& use, const Layout& from, const Layout& goal, const planning::Shape& shape,
                   const planning::Route& chosen) {
    const std::vector<std::string> names = scope_.names_of(flow_.value.labels);
    const std::string array = scope_.arrays[use.array].anonymous ? "" : scope_.arrays[use.array].name;
    const auto add = [&](const planning::Route& route) {
      WeighedWay way;
      for (const Move& move : route.moves) way.steps.push_back(move_text(move, array, names));
      way.cost = planning::cost_of(route, shape, program_.machine);
      record_.reference_sizes = record_.reference_sizes || planning::needs_reference(way.cost);
      record_.ways.push_back(std::move(way));
    };
    add(chosen);
    if (chosen.moves.empty()) return;
    for (const planning::Route& route : planning::routes_weighed(from, goal, shape, program_.machine)) {
      if (record_.ways.front().steps.front() != move_text(route.moves.front(), array, names)) add(route);
    }
  }

  std::string move_text(const Move& move, const std::string& name, const std::vector<std::string>& dimensions) const {
    return (move.kind ? planning::name_of(move, dimensions, mesh_) + " " : std::string()) + name +
           to_string(move.from, dimensions, mesh_) + " → " + name + to_string(move.to, dimensions, mesh_);
  }

  // ------------------------------------------------------------ products

  std::optional<CopyId> lower_product(const checked::Product& product) {
    if (product.local) return lower_exact(flow_.value, true);
    const planning::Product problem{term(*product.left), term(*product.right)};
    const planning::Shape shape{.lengths = scope_.shape_of(flow_.value.labels), .dtype = scope_.arrays[flow_.target].dtype};
    std::optional<Layout> target;
    if (flow_.layout) target = trimmed(*flow_.layout);
    const auto ways =
        planning::plan_product(problem, numbered(flow_.value.labels), shape, target, program_.machine);
    if (ways.empty()) return report_no_way();
    constexpr std::size_t kShown = 8;
    for (std::size_t i = 0; i < ways.size() && i < kShown; ++i) {
      WeighedWay way{.cost = ways[i]->cost};
      next_source_ = 0;
      way_text(*ways[i], flow_.value, target_name(), way.steps);
      record_.reference_sizes = record_.reference_sizes || planning::needs_reference(way.cost);
      record_.ways.push_back(std::move(way));
    }
    next_source_ = 0;
    intermediates_ = 0;
    return emit(*ways.front(), flow_.value, target_name());
  }

  std::optional<CopyId> report_no_way() {
    std::vector<std::string> axes;
    for (const AxisId axis : flow_.layout ? flow_.layout->unreduced : std::vector<AxisId>{}) axes.push_back(mesh_.axes[axis].name);
    sink_.report({.kind = DiagnosticKind::ResultUnreduced,
                  .span = flow_.target_span,
                  .message = fmt::format("the target is unreduced over `{}`, and no way to multiply leaves it so", join(axes, "`, `")),
                  .help = {"a product leaves {U_X} only if X splits a dimension that it sums over; write the target without it"}});
    return std::nullopt;
  }

  // Carries out a planned way. Leaves are met in the same order as in `term`.
  CopyId emit(const Made& made, const checked::Operation& operation, const std::string& name) {
    CopyId copy;
    ArrayId array;
    if (const auto* index = std::get_if<std::size_t>(&made.origin)) {
      SourceCopies& source = sources_[next_source_++];
      array = source.array;
      copy = array.valid() ? start_copy(array, made.start) : source.copies[*index];
    } else {
      const auto& [left, right] = std::get<planning::MadeProduct>(made.origin);
      const auto& product = std::get<checked::Product>(operation.node);
      const CopyId left_copy = emit(*left, *product.left, "");
      const CopyId right_copy = emit(*right, *product.right, "");
      const bool outermost = &operation == &flow_.value;
      copy = contract(left_copy, *product.left, right_copy, *product.right, operation.labels, made.start,
                      name.empty() ? intermediate_name() : name,
                      outermost ? scope_.arrays[flow_.target].dtype : operation.dtype);
    }
    const std::vector<std::string> names = scope_.names_of(operation.labels);
    for (const Move& move : made.moves) copy = apply(move, copy, array, names, true);
    return copy;
  }

  CopyId start_copy(ArrayId array, const Layout& layout) {
    const auto& copies = scope_.arrays[array].copies;
    for (std::size_t i = 0; i < copies.size(); ++i) {
      if (copies[i].layout == layout) return materialise(array, i);
    }
    SHARD_CHECK(!"planning starts from live copies");
  }

  // The lines of a way, for `why`.
  void way_text(const Made& made, const checked::Operation& operation, const std::string& name,
                std::vector<std::string>& lines) {
    const std::vector<std::string> names = scope_.names_of(operation.labels);
    std::string shown = name;
    if (std::holds_alternative<std::size_t>(made.origin)) {
      const SourceCopies& source = sources_[next_source_++];
      if (source.array.valid() && !scope_.arrays[source.array].anonymous) shown = scope_.arrays[source.array].name;
    } else {
      const auto& [left, right] = std::get<planning::MadeProduct>(made.origin);
      const auto& product = std::get<checked::Product>(operation.node);
      way_text(*left, *product.left, target_name() + "'", lines);
      way_text(*right, *product.right, target_name() + "'", lines);
      lines.push_back(factor_text(*left, *product.left) + " · " + factor_text(*right, *product.right) + " → " + shown +
                      to_string(made.start, names, mesh_));
    }
    for (const Move& move : made.moves) lines.push_back(move_text(move, shown, names));
  }

  std::string factor_text(const Made& made, const checked::Operation& operation) const {
    const auto* use = std::get_if<checked::Use>(&operation.node);
    const std::string name = use == nullptr ? target_name() + "'" : scope_.arrays[use->array].anonymous ? "" : scope_.arrays[use->array].name;
    return name + to_string(made.layout, scope_.names_of(operation.labels), mesh_);
  }

  // ------------------------------------------------------------ results

  std::string target_name() const { return scope_.arrays[flow_.target].anonymous ? "" : scope_.arrays[flow_.target].name; }
  std::string intermediate_name() { return fmt::format("{}'{}", target_name(), ++intermediates_); }

  bool keep_result(CopyId copy) {
    if (scope_.strict && !check_strict()) return false;
    if (flow_.is_unnamed) return true;
    hold(flow_.target, program_.plan.copies[copy].layout, copy);
    return true;
  }

  bool check_strict() {
    std::vector<std::string> lines;
    for (std::size_t i = record_.first_step; i < record_.end_step; ++i) {
      const bool slices = std::holds_alternative<SliceStep>(program_.plan.steps[i].action);
      if (program_.steps[i].inferred && !slices) lines.push_back(program_.steps[i].text);
    }
    if (lines.empty()) return true;
    sink_.report({.kind = DiagnosticKind::InferredCommunication,
                  .span = flow_.span,
                  .message = "this needs communication that is not written, and the script is strict",
                  .help = lines});
    return false;
  }

  const checked::Flow& flow_;
  Scope& scope_;
  Program& program_;
  DiagnosticSink& sink_;
  StatementRecord& record_;
  const Mesh& mesh_;
  std::vector<SourceCopies> sources_;
  std::size_t next_source_ = 0;
  int intermediates_ = 0;
};

// After an error the target exists as written.
void hold_as_written(const checked::Flow& flow, Scope& scope) {
  auto& copies = scope.arrays[flow.target].copies;
  const Layout layout = without_trivial_axes(flow.layout.value_or(replicated(flow.labels.size())), scope.mesh());
  std::erase_if(copies, [&](const LiveCopy& live) { return live.layout == layout; });
  copies.push_back({.layout = layout, .copy = {}});
}

}  // namespace

bool lower(const checked::Flow& flow, const std::string& text, Scope& scope, Program& program, DiagnosticSink& sink) {
  program.machine = scope.hardware();
  StatementRecord record{.text = text, .span = flow.span, .target = flow.target, .flow = flow};
  const bool fine = Lowering(flow, scope, program, sink, record).run();
  if (!fine) hold_as_written(flow, scope);
  program.statements.push_back(std::move(record));
  return fine;
}

Plan finished_plan(const Program& program, const std::vector<CopyId>& keep) {
  Plan plan{.copies = program.plan.copies};
  const auto is_input = [](const Step& step) { return std::holds_alternative<InputStep>(step.action); };
  std::copy_if(program.plan.steps.begin(), program.plan.steps.end(), std::back_inserter(plan.steps), is_input);
  std::copy_if(program.plan.steps.begin(), program.plan.steps.end(), std::back_inserter(plan.steps),
               [&](const Step& step) { return !is_input(step); });
  free_after_last_use(plan, keep);
  return plan;
}

}  // namespace shard
