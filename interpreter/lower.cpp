#include "interpreter/lower.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/text.h"
#include "interpreter/lower_written.h"
#include "interpreter/planning/contraction.h"
#include "interpreter/step_writer.h"

namespace shard {

namespace {

using planning::Made;
using planning::Move;

constexpr std::size_t kWaysShown = 8;

// What stands behind a planning::Source: an array, whose copies its layouts are, or the result of an operation that was
// written out.
struct SourceOrigin {
  ArrayId array;
  CopyId copy;
};

class Lowering {
 public:
  Lowering(const checked::Flow& flow, StepWriter& writer, DiagnosticSink& sink,
           StatementRecord& record)
      : flow_(flow), writer_(writer), scope_(writer.scope()), sink_(sink), record_(record) {
    const ArrayInfo& target = scope_.arrays[flow.target];
    results_ = {.target = flow.is_unnamed ? "Out" : target.name,
                .dtype = target.dtype,
                .copies_of = flow.is_copy ? flow.target : ArrayId{}};
  }

  bool run() {
    Program& program = writer_.program();
    record_.first_step = program.steps.size();
    const auto result = match(
        flow_.value.node, [&](const checked::Use& use) { return lower_relayout(use); },
        [&](const checked::Product& product) {
          return product.local ? std::optional(lower_written(flow_.value, true, results_, writer_))
                               : lower_computation();
        },
        [&](const checked::Elementwise&) { return lower_computation(); },
        [&](const checked::Reduction&) { return lower_computation(); },
        [&](const checked::Softmax&) { return lower_computation(); },
        [&](const checked::Selection&) { return lower_computation(); },
        [&](const checked::Collective&) { return std::optional(lower_collective()); });
    record_.end_step = program.steps.size();
    if (!result) return false;
    record_.result = *result;
    if (scope_.strict && !check_strict()) return false;
    if (!flow_.is_unnamed) writer_.hold(flow_.target, *result);
    program.owners.try_emplace(*result, flow_.target);
    return true;
  }

 private:
  // ------------------------------------------------------------ re-layouts

  std::optional<CopyId> lower_relayout(const checked::Use& use) {
    const Layout goal = wanted_layout(use);
    const std::vector<Layout> layouts = by_preference(use);
    const planning::Shape shape = shape_of(flow_.value);
    const std::vector<std::string> names = scope_.names_of(flow_.value.labels);
    const auto route = planning::cheapest_route(layouts, goal, shape, writer_.program().machine);
    if (!route) return report_unreachable(use, goal);
    record_routes(use, layouts[route->source], goal, shape, *route);
    CopyId copy = writer_.live_copy(use.array, layouts[route->source]);
    note_reordering(*route);
    const bool becomes_target = !flow_.is_copy && !is_transposed() && !route->moves.empty();
    for (const Move& move : route->moves) {
      const bool is_last = &move == &route->moves.back();
      copy =
          writer_.move(move, copy, is_last && becomes_target ? ArrayId{} : use.array, names, true);
    }
    if (flow_.is_copy) return copy;
    return becomes_target ? take_over(copy) : rename(copy);
  }

  // Axes that leave from the middle of a subscript cost a reordering as well, and that is said.
  void note_reordering(const planning::Route& route) {
    const auto is_kind = [](CollectiveKind kind) {
      return [kind](const Move& move) { return move.kind == kind; };
    };
    const auto& moves = route.moves;
    if (std::none_of(moves.begin(), moves.end(), is_kind(CollectiveKind::CollectivePermute)))
      return;
    if (std::none_of(moves.begin(), moves.end(), is_kind(CollectiveKind::AllGather))) return;
    sink_.report(
        {.kind = DiagnosticKind::MajorAxisRemoved,
         .span = flow_.span,
         .message = "an axis that is not the last of its subscript goes away: the blocks "
                    "have to be put in order first",
         .help = {"it is done as a CollectivePermute and then an AllGather, and charged for "
                  "both"}});
  }

  // The target's layout, in the order of the operand's dimensions.
  Layout wanted_layout(const checked::Use& use) const {
    if (!flow_.layout) return writer_.trimmed(use.layout);
    const Layout goal = writer_.trimmed(*flow_.layout);
    Layout own = goal;
    for (std::size_t i = 0; i < flow_.labels.size(); ++i) own.dims[place(i)] = goal.dims[i];
    return own;
  }

  bool is_transposed() const {
    const auto& labels = flow_.value.labels;
    return flow_.labels != labels && std::is_permutation(flow_.labels.begin(), flow_.labels.end(),
                                                         labels.begin(), labels.end());
  }

  // A new array has copies of its own, under its name and in its dtype, even if nothing moved (axes
  // of size 1).
  CopyId lower_collective() {
    const CopyId result = lower_written(flow_.value, true, results_, writer_);
    if (flow_.is_copy || flow_.is_unnamed) return result;
    const bool owned = writer_.program().owners.count(result) != 0;
    return owned || !converts_in_passing(result) ? rename(result) : take_over(result);
  }

  // A shift moves bytes as they are; every other collective can leave them in the target's dtype.
  bool converts_in_passing(CopyId result) const {
    const auto* last = std::get_if<CollectiveStep>(&writer_.program().plan.steps.back().action);
    const bool shifts = last != nullptr && last->kind == CollectiveKind::Shift;
    return !shifts || writer_.copy(result).dtype == results_.dtype;
  }

  // The result of the last step becomes the target, instead of a copy of what it was made from.
  CopyId take_over(CopyId result) {
    Program& program = writer_.program();
    Copy& copy = program.plan.copies[result];
    copy.name = results_.target;
    copy.dimensions = scope_.names_of(flow_.labels);
    copy.dtype = results_.dtype;
    std::string& text = program.steps.back().text;
    const std::string arrow = " → ";
    text = text.substr(0, text.find(arrow)) + arrow + copy.name +
           to_string(copy.layout, copy.dimensions, writer_.mesh());
    return result;
  }

  // The operand's dimension that is dimension i of the target.
  std::size_t place(std::size_t i) const {
    if (!is_transposed()) return i;
    const auto& labels = flow_.value.labels;
    return static_cast<std::size_t>(std::find(labels.begin(), labels.end(), flow_.labels[i]) -
                                    labels.begin());
  }

  CopyId rename(CopyId operand) {
    Copy result{.name = results_.target,
                .dimensions = scope_.names_of(flow_.labels),
                .shape = scope_.shape_of(flow_.labels)};
    result.dtype = results_.dtype;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < flow_.labels.size(); ++i) order.push_back(place(i));
    return writer_.rename(operand, order, std::move(result), scope_.names_of(flow_.value.labels));
  }

  std::optional<CopyId> report_unreachable(const checked::Use& use, const Layout& goal) {
    const Layout from = writer_.trimmed(use.layout);
    const auto extra = std::find_if(goal.unreduced.begin(), goal.unreduced.end(), [&](AxisId axis) {
      return std::find(from.unreduced.begin(), from.unreduced.end(), axis) == from.unreduced.end();
    });
    SHARD_CHECK(extra != goal.unreduced.end());
    const std::string axis = writer_.mesh().axes[*extra].name;
    sink_.report({.kind = DiagnosticKind::ResultUnreduced,
                  .span = flow_.target_span,
                  .message = fmt::format(
                      "the target is unreduced over `{}`, and what flows into it is not", axis),
                  .help = {fmt::format("leave {{U_{}}} out: only a product over a dimension that "
                                       "`{}` splits leaves partial sums",
                                       axis, axis)}});
    return std::nullopt;
  }

  void record_routes(const checked::Use& use, const Layout& from, const Layout& goal,
                     const planning::Shape& shape, const planning::Route& chosen) {
    const std::vector<std::string> names = scope_.names_of(flow_.value.labels);
    const std::string array = scope_.arrays[use.array].name;
    const auto add = [&](const planning::Route& route) {
      WeighedWay way{.steps = {},
                     .cost = planning::cost_of(route, shape, writer_.program().machine)};
      way.time = way.cost.comms;
      for (const Move& move : route.moves) way.steps.push_back(writer_.text_of(move, array, names));
      record(std::move(way));
    };
    add(chosen);
    if (chosen.moves.empty()) return;
    const std::string first = record_.ways.front().steps.front();
    for (const planning::Route& route :
         planning::routes_weighed(from, goal, shape, writer_.program().machine)) {
      if (writer_.text_of(route.moves.front(), array, names) != first) add(route);
    }
  }

  void record(WeighedWay way) {
    record_.reference_sizes = record_.reference_sizes || planning::needs_reference(way.cost);
    record_.ways.push_back(std::move(way));
  }

  // ------------------------------------------------------------ computations

  std::optional<CopyId> lower_computation() {
    planning::Term problem = term(flow_.value);
    problem.shape.dtype = results_.dtype;
    const auto ways =
        planning::plan_term(problem, target_in_value_order(), writer_.program().machine);
    if (ways.empty()) return report_no_way();
    for (std::size_t i = 0; i < ways.size() && i < kWaysShown; ++i) {
      WeighedWay way{.steps = {}, .cost = ways[i]->cost, .time = ways[i]->time};
      next_origin_ = 0;
      ResultNames shown = results_;
      describe(*ways[i], flow_.value, shown, way.steps);
      record(std::move(way));
    }
    next_origin_ = 0;
    return emit(*ways.front(), flow_.value, true);
  }

  // The layout of the target, by the dimensions of the value, which has the same in the target's order.
  std::optional<Layout> target_in_value_order() const {
    if (!flow_.layout) return std::nullopt;
    SHARD_CHECK(flow_.labels == flow_.value.labels);
    return writer_.trimmed(*flow_.layout);
  }

  // An operation as planning sees it. `origins_` remembers what its leaves are, from left to right.
  planning::Term term(const checked::Operation& operation) {
    planning::Term result{.node = planning::Source{},
                          .labels = numbered(operation.labels),
                          .shape = shape_of(operation)};
    const auto written = [&] { result.node = written_source(operation); };
    match(
        operation.node,
        [&](const checked::Use& use) {
          origins_.push_back({.array = use.array, .copy = {}});
          result.node = planning::Source{by_preference(use)};
        },
        [&](const checked::Product& product) {
          if (product.local) return written();
          auto left = term(*product.left);
          result.node =
              Box<planning::Product>(planning::Product{std::move(left), term(*product.right)});
        },
        [&](const checked::Elementwise& elements) {
          planning::Elementwise inner{.program = elements.program, .operands = {}};
          for (const checked::Operation& operand : elements.operands)
            inner.operands.push_back(term(operand));
          result.node = Box<planning::Elementwise>(std::move(inner));
        },
        [&](const checked::Reduction& reduction) {
          result.node = Box<planning::Reduction>(
              planning::Reduction{reduction.kind, term(*reduction.operand)});
        },
        [&](const checked::Softmax& softmax) {
          result.node = Box<planning::Softmax>(
              planning::Softmax{term(*softmax.operand), numbered(softmax.along)});
        },
        [&](const checked::Selection& selection) {
          planning::Selection inner{.kind = selection.kind,
                                    .operands = {},
                                    .along = selection.along.value,
                                    .position = selection.position};
          for (const checked::Operation& operand : selection.operands)
            inner.operands.push_back(term(operand));
          result.node = Box<planning::Selection>(std::move(inner));
        },
        [&](const checked::Collective&) { written(); });
    return result;
  }

  planning::Source written_source(const checked::Operation& operation) {
    const CopyId copy = lower_written(operation, false, results_, writer_);
    origins_.push_back({.array = {}, .copy = copy});
    return {.layouts = {writer_.copy(copy).layout}};
  }

  // Layouts of an array's live copies, the one that was written first, then the newest.
  std::vector<Layout> by_preference(const checked::Use& use) const {
    std::vector<Layout> layouts = {writer_.trimmed(use.layout)};
    for (const LiveCopy& live : scope_.arrays[use.array].copies) {
      if (live.layout != layouts.front()) layouts.push_back(live.layout);
    }
    std::reverse(layouts.begin() + 1, layouts.end());
    return layouts;
  }

  planning::Shape shape_of(const checked::Operation& operation) const {
    return {.lengths = scope_.shape_of(operation.labels), .dtype = operation.dtype};
  }

  std::optional<CopyId> report_no_way() {
    const Layout goal = flow_.layout ? writer_.trimmed(*flow_.layout) : Layout{};
    std::vector<std::string> axes;
    for (const AxisId axis : goal.unreduced) axes.push_back(writer_.mesh().axes[axis].name);
    sink_.report({.kind = DiagnosticKind::ResultUnreduced,
                  .span = flow_.target_span,
                  .message = fmt::format(
                      "the target is unreduced over `{}`, and no way to compute it leaves it so",
                      join(axes, "`, `")),
                  .help = {help_for_unreduced(goal)}});
    return std::nullopt;
  }

  // Which targets the operation can leave unreduced.
  std::string help_for_unreduced(const Layout& goal) const {
    const std::string mark = fmt::format("{{{}_X}}", name_of(goal.combination));
    const auto* reduction = std::get_if<checked::Reduction>(&flow_.value.node);
    const std::string name =
        reduction == nullptr
            ? ""
            : fmt::format("{}_{}", name_of(reduction->kind),
                          reduced_names(reduction->operand->labels, flow_.value.labels, scope_));
    if (reduction != nullptr && combination_of(reduction->kind) != goal.combination) {
      Layout right = goal;
      right.combination = combination_of(reduction->kind);
      return fmt::format("{} leaves {}: write {}{}", name, partial_name(right.combination),
                         results_.target,
                         to_string(right, scope_.names_of(flow_.labels), writer_.mesh()));
    }
    const std::string only_if = match(
        flow_.value.node,
        [&](const checked::Reduction&) {
          return fmt::format("{} leaves {} only if X splits a dimension that it takes away", name,
                             mark);
        },
        [&](const checked::Selection&) {
          return fmt::format("an index leaves {} only if X splits the dimension that it picks from",
                             mark);
        },
        [](const checked::Elementwise&) {
          return std::string(
              "what is computed by elements is unreduced only if it is linear in operands that are "
              "unreduced over the same axes");
        },
        [&](const auto&) {
          return fmt::format("a product leaves {} only if X splits a dimension that it sums over",
                             std::string("{U_X}"));
        });
    return only_if + "; write the target without it";
  }

  // Carries out a planned way. Leaves are met in the same order as in `term`.
  CopyId emit(const Made& made, const checked::Operation& operation, bool outermost) {
    CopyId copy;
    ArrayId array;
    std::size_t first = 0;
    if (std::holds_alternative<std::size_t>(made.origin)) {
      const SourceOrigin origin = origins_[next_origin_++];
      array = origin.array;
      // What the statement has moved there already is not moved again.
      first = array.valid() ? moves_done(made, array) : 0;
      const Layout& at = first == 0 ? made.start : made.moves[first - 1].to;
      copy = array.valid() ? writer_.live_copy(array, at) : origin.copy;
    } else {
      const auto& made_from = std::get<planning::MadeFrom>(made.origin).operands;
      const auto parts = operands_of(operation);
      std::vector<CopyId> operands;
      for (std::size_t i = 0; i < parts.size(); ++i)
        operands.push_back(emit(*made_from[i], *parts[i], false));
      copy = write_local(operation, operands, made.start, outermost, results_, writer_);
    }
    const std::vector<std::string> names = scope_.names_of(operation.labels);
    for (std::size_t i = first; i < made.moves.size(); ++i)
      copy = writer_.move(made.moves[i], copy, array, names, true);
    return copy;
  }

  // How many of the moves lead to a copy that is there.
  std::size_t moves_done(const Made& made, ArrayId array) const {
    for (std::size_t done = made.moves.size(); done > 0; --done) {
      for (const LiveCopy& live : scope_.arrays[array].copies) {
        if (live.copy.valid() && live.layout == made.moves[done - 1].to) return done;
      }
    }
    return 0;
  }

  // The lines of a way, for `why`; returns what the operation is called in them. Unnamed results are numbered as `emit`
  // numbers them.
  std::string describe(const Made& made, const checked::Operation& operation, ResultNames& shown,
                       std::vector<std::string>& lines) {
    std::string name = shown.target;
    const std::vector<std::string> names = scope_.names_of(operation.labels);
    if (std::holds_alternative<std::size_t>(made.origin)) {
      const SourceOrigin origin = origins_[next_origin_++];
      name =
          origin.array.valid() ? scope_.arrays[origin.array].name : writer_.copy(origin.copy).name;
    } else {
      const auto& made_from = std::get<planning::MadeFrom>(made.origin).operands;
      const auto parts = operands_of(operation);
      std::vector<std::string> operands;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string operand = describe(*made_from[i], *parts[i], shown, lines);
        operands.push_back(operand + to_string(made_from[i]->layout,
                                               scope_.names_of(parts[i]->labels), writer_.mesh()));
      }
      const bool outermost = &operation == &flow_.value;
      // A softmax has three unnamed results of its own.
      if (std::holds_alternative<checked::Softmax>(operation.node)) shown.intermediates += 3;
      if (!outermost) name = shown.next_intermediate();
      lines.push_back(text_of(operation, operands) + " → " + name +
                      to_string(made.start, names, writer_.mesh()));
    }
    for (const Move& move : made.moves) {
      std::string line = writer_.text_of(move, name, names);
      // An operand that stands twice is moved once.
      if (std::find(lines.begin(), lines.end(), line) == lines.end())
        lines.push_back(std::move(line));
    }
    return name;
  }

  // An operation with its operands as given.
  std::string text_of(const checked::Operation& operation,
                      const std::vector<std::string>& operands) const {
    const auto parts = operands_of(operation);
    return match(
        operation.node, [](const checked::Use&) { return std::string(); },
        [&](const checked::Product&) {
          return operands[0] + " " +
                 product_sign(parts[0]->labels, parts[1]->labels, operation.labels, scope_) + " " +
                 operands[1];
        },
        [&](const checked::Elementwise& elements) { return to_string(elements.program, operands); },
        [&](const checked::Reduction& reduction) {
          return fmt::format("{}_{}({})", name_of(reduction.kind),
                             reduced_names(parts[0]->labels, operation.labels, scope_),
                             operands[0]);
        },
        [&](const checked::Softmax& softmax) {
          return fmt::format("softmax_{}({})", subscript_of(softmax.along, scope_), operands[0]);
        },
        [&](const checked::Selection& selection) {
          return selection_text(selection, operands, operation.labels, scope_);
        },
        [](const checked::Collective&) { return std::string(); });
  }

  // The whole statement, step by step, is what can be pasted in its place.
  bool check_strict() {
    const Program& program = writer_.program();
    bool communicates = false;
    std::vector<std::string> lines;
    for (std::size_t i = record_.first_step; i < record_.end_step; ++i) {
      const StepRecord& step = program.steps[i];
      communicates = communicates || (step.inferred && !step.axes.empty());
      if (!step.text.empty()) lines.push_back(step.text);
    }
    if (!communicates) return true;
    sink_.report(
        {.kind = DiagnosticKind::InferredCommunication,
         .span = flow_.span,
         .message = "this needs communication that is not written, and the script is strict",
         .help = lines});
    return false;
  }

  const checked::Flow& flow_;
  StepWriter& writer_;
  Scope& scope_;
  DiagnosticSink& sink_;
  StatementRecord& record_;
  ResultNames results_;
  std::vector<SourceOrigin> origins_;
  std::size_t next_origin_ = 0;
};

// After an error the target exists as written.
void hold_as_written(const checked::Flow& flow, Scope& scope) {
  auto& copies = scope.arrays[flow.target].copies;
  const Layout layout =
      without_trivial_axes(flow.layout.value_or(replicated(flow.labels.size())), scope.mesh());
  std::erase_if(copies, [&](const LiveCopy& live) { return live.layout == layout; });
  copies.push_back({.layout = layout, .copy = {}});
}

}  // namespace

bool lower(const checked::Flow& flow, const std::string& text, Scope& scope, Program& program,
           DiagnosticSink& sink) {
  program.machine = scope.hardware();
  StatementRecord record{.text = text, .span = flow.span, .target = flow.target, .flow = flow};
  StepWriter writer(scope, program);
  const bool fine = Lowering(flow, writer, sink, record).run();
  if (!fine) hold_as_written(flow, scope);
  program.statements.push_back(std::move(record));
  return fine;
}

}  // namespace shard
