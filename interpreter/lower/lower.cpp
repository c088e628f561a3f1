#include "interpreter/lower/lower.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/words.h"
#include "interpreter/lower/collective_matmul.h"
#include "interpreter/lower/computation.h"
#include "interpreter/lower/kept_views.h"
#include "interpreter/lower/lost_precision.h"
#include "interpreter/lower/lowering_cache.h"
#include "interpreter/lower/step_writer.h"
#include "interpreter/planning/search/route_search.h"
#include "interpreter/program/step_text.h"

namespace shard {

namespace {

using planning::Move;

class Lowering {
 public:
  // `value`: that of the flow, if its sums may be bracketed otherwise.
  Lowering(const checked::Flow& flow, StepWriter& writer, DiagnosticSink& sink,
           StatementRecord& record, checked::Operation* value = nullptr)
      : flow_(flow),
        writer_(writer),
        scope_(writer.scope()),
        sink_(sink),
        record_(record),
        value_(value) {
    const ArrayInfo& target = scope_.store.arrays[flow.target];
    results_ = {.target = target.name.empty() ? "Out" : target.name,
                .dtype = target.dtype,
                .copies_of = flow.is_copy ? flow.target : ArrayId{},
                .replaces = flow.replaces};
  }

  bool run() {
    Program& program = writer_.program();
    record_.first_step = program.steps.size();
    const auto result = match(
        flow_.value.node, [&](const checked::Use& use) { return lower_relayout(use); },
        [&](const checked::Product& product) {
          return product.local ? std::optional(lower_written(flow_.value, true, results_, writer_))
                               : computed();
        },
        [&](const checked::Collective&) { return std::optional(lower_collective()); },
        [&](const auto&) { return computed(); });
    record_.end_step = program.steps.size();
    if (!result) return false;
    record_.result = *result;
    if (scope_.strict && !check_strict()) return false;
    if (!flow_.overlap.empty() && !write_overlapped(flow_, writer_, record_, sink_)) return false;
    if (is_kept()) writer_.hold(flow_.target, *result);
    program.owners.set_first(*result, flow_.target);
    return true;
  }

  // Writes the steps of a way that was weighed; returns the first of them.
  std::size_t carry_out(const planning::Made& way) {
    const auto* use = std::get_if<checked::Use>(&flow_.value.node);
    if (use == nullptr) return shard::carry_out(way, flow_, results_, writer_);
    const CopyId start = writer_.live_copy(use->array, way.start);
    const std::size_t first = writer_.program().steps.size();
    write_moves(way.moves, use->array, start);
    return first;
  }

 private:
  // A session has the result of a line without a target as its last value.
  bool is_kept() const {
    return !flow_.is_unnamed || !scope_.store.arrays[flow_.target].name.empty();
  }

  std::optional<CopyId> computed() {
    return lower_computation(flow_, value_, results_, writer_, record_, sink_);
  }

  // ------------------------------------------------------------ re-layouts

  std::optional<CopyId> lower_relayout(const checked::Use& use) {
    const Layout goal = wanted_layout(use);
    const std::vector<Layout> layouts = writer_.source_of(use).layouts;
    const planning::Shape shape = writer_.shape_of(flow_.value);
    Program& program = writer_.program();
    record_.ways = program.memo->move(layouts, goal, shape, program.machine, as_new(), scope_.rule);
    if (record_.ways->made.empty()) return report_unreachable(use, goal);
    const planning::Made& way = *record_.ways->made.front();
    note_reordering(way.moves);
    note_budget(way, flow_, sink_);
    return write_moves(way.moves, use.array, writer_.live_copy(use.array, way.start));
  }

  // What is on the way to a new array is the operand's before the transpose, and nobody's after it.
  CopyId write_moves(const std::vector<Move>& moves, ArrayId owner, CopyId copy) {
    std::vector<std::string> names = scope_.store.names_of(flow_.value.labels);
    for (const Move& move : moves) {
      const bool becomes_target = &move == &moves.back() && !flow_.is_copy;
      if (move.transpose) {
        copy = rename(copy, move.transpose->dtype);
        names = scope_.store.names_of(flow_.labels);
        owner = ArrayId{};
      } else {
        copy = writer_.move(move, copy, becomes_target ? ArrayId{} : owner, names, true);
        if (becomes_target) take_over(copy);
      }
    }
    return copy;
  }

  // Of what flows into a new array: in which order it has the dimensions, and as what elements.
  std::optional<planning::Transpose> as_new() const {
    if (flow_.is_copy) return std::nullopt;
    return planning::Transpose{order(), results_.dtype};
  }

  // Axes that leave from the middle of a subscript cost a reordering as well, and that is said.
  void note_reordering(const std::vector<Move>& moves) {
    const auto reorders = [](const Move& move) {
      // One that goes to another place of the mesh has its blocks as they were.
      return move.kind == CollectiveKind::CollectivePermute && move.from.dims != move.to.dims &&
             std::equal(move.from.dims.begin(), move.from.dims.end(), move.to.dims.begin(),
                        [](const auto& a, const auto& b) {
                          return std::is_permutation(a.begin(), a.end(), b.begin(), b.end());
                        });
    };
    const auto reordering = std::find_if(moves.begin(), moves.end(), reorders);
    const auto gathers = [](const Move& move) { return move.kind == CollectiveKind::AllGather; };
    if (std::none_of(reordering, moves.end(), gathers)) return;
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
    for (std::size_t i = 0; i < flow_.labels.size(); ++i) own.dims.edit()[place(i)] = goal.dims[i];
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
    if (flow_.is_copy || !is_kept()) return result;
    const bool owned = writer_.program().owners.contains(result);
    return owned || !converts_in_passing(result) ? rename(result, results_.dtype)
                                                 : take_over(result);
  }

  // A shift moves bytes as they are; every other collective can leave them in the target's dtype.
  bool converts_in_passing(CopyId result) const {
    const auto* last = std::get_if<CollectiveStep>(&writer_.program().plan.steps.back().action);
    const bool shifts = last != nullptr && makes_other_array(last->kind);
    return !shifts || writer_.copy(result).dtype == results_.dtype;
  }

  // The result of the last step becomes the target, instead of a copy of what it was made from.
  CopyId take_over(CopyId result) {
    Program& program = writer_.program();
    Copy& copy = program.plan.copies[result];
    copy.name = results_.target;
    copy.dimensions = scope_.store.names_of(flow_.labels);
    copy.dtype = results_.dtype;
    auto& written = program.steps.back().written;
    if (!written.empty()) written.edit().back() = as_kept(copy);
    return result;
  }

  // The operand's dimension that is dimension i of the target.
  std::size_t place(std::size_t i) const {
    if (!is_transposed()) return i;
    const auto& labels = flow_.value.labels;
    return static_cast<std::size_t>(std::find(labels.begin(), labels.end(), flow_.labels[i]) -
                                    labels.begin());
  }

  std::vector<std::size_t> order() const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < flow_.labels.size(); ++i) places.push_back(place(i));
    return places;
  }

  CopyId rename(CopyId operand, DType dtype) {
    Copy result{.name = results_.target,
                .dimensions = scope_.store.names_of(flow_.labels),
                .shape = scope_.shape_of(flow_.labels)};
    result.dtype = dtype;
    return writer_.rename(operand, order(), std::move(result),
                          scope_.store.names_of(flow_.value.labels));
  }

  std::optional<CopyId> report_unreachable(const checked::Use& use, const Layout& goal) {
    const Layout from = writer_.trimmed(use.layout);
    if (from.combination != goal.combination && !from.unreduced.empty() && !goal.unreduced.empty())
      return report_other_parts(use, from, goal);
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

  // Partial sums, maxima and minima are not made of one another.
  std::optional<CopyId> report_other_parts(const checked::Use& use, const Layout& from,
                                           const Layout& goal) {
    Layout reduced = from;
    reduced.unreduced = {};
    const std::string axes = axes_to_string(from.unreduced.items(), writer_.mesh());
    sink_.report(
        {.kind = DiagnosticKind::ResultUnreduced,
         .span = flow_.target_span,
         .message = fmt::format("the target holds {}, and what flows into it {}",
                                partial_name(goal.combination), partial_name(from.combination)),
         .help = {fmt::format("reduce them first: AllReduce_{} {} → {}", axes,
                              scope_.describe(use.array, from),
                              scope_.describe(use.array, reduced))}});
    return std::nullopt;
  }

  // The whole statement, step by step, is what can be pasted in its place.
  bool check_strict() {
    const Program& program = writer_.program();
    bool communicates = false;
    std::vector<std::string> lines;
    for (std::size_t i = record_.first_step; i < record_.end_step; ++i) {
      const Step& step = program.plan.steps[i];
      communicates =
          communicates || (program.steps[i].inferred && !communication_axes(step).empty());
      if (is_shown(step)) lines.push_back(step_text(program, i));
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
  const Scope& scope_;
  DiagnosticSink& sink_;
  StatementRecord& record_;
  checked::Operation* value_;
  ResultNames results_;
};

// The copies from which a way starts, and those that are written out in the statement, as inputs.
void add_starts(const checked::Operation& operation, const planning::Made* way, const Mesh& mesh,
                Holdings& held) {
  const auto add = [&](ArrayId array, const Layout& layout) {
    LiveCopies& copies = held.change(array);
    const Layout trimmed = without_trivial_axes(layout, mesh);
    const bool is_there = std::any_of(copies.begin(), copies.end(),
                                      [&](const LiveCopy& copy) { return copy.layout == trimmed; });
    if (!is_there) copies.push_back({.layout = trimmed});
  };
  if (way != nullptr && way->term != nullptr) {
    const std::vector<const planning::Made*> ways = planning::factors_of(*way);
    const std::vector<ChainFactor> factors = factors_of(operation);
    for (std::size_t i = 0; i < factors.size(); ++i)
      add_starts(*factors[i].operation, ways[i], mesh, held);
    return;
  }
  const auto parts = operands_of(operation);
  const auto* from = way == nullptr ? nullptr : std::get_if<planning::MadeFrom>(&way->origin);
  if (const auto* use = std::get_if<checked::Use>(&operation.node))
    add(use->array, way == nullptr ? use->layout : way->start);
  for (std::size_t i = 0; i < parts.size(); ++i)
    add_starts(*parts[i], from == nullptr ? nullptr : from->operands[i].get(), mesh, held);
}

// The machine in force may be another one than that which the program was planned for.
Scope on_machine_of(const Program& program, const Scope& scope) {
  Scope there = scope;
  there.machine.machine = program.machine;
  return there;
}

// After an error the target exists as written.
void hold_as_written(const checked::Flow& flow, const Mesh& mesh, Holdings& held) {
  LiveCopies& copies = held.change(flow.target);
  const Layout layout =
      without_trivial_axes(flow.layout.value_or(replicated(flow.labels.size())), mesh);
  std::erase_if(copies, [&](const LiveCopy& live) { return live.layout == layout; });
  copies.push_back({.layout = layout});
}

}  // namespace

std::vector<std::string> steps_of_way(const planning::Made& way, const checked::Flow& flow,
                                      const Scope& tables, const Program& program) {
  const Scope scope = on_machine_of(program, tables);
  // Apart from the script: nothing else is held, and nothing of it is kept.
  Holdings held;
  add_starts(flow.value, &way, scope.mesh(), held);
  Program plan{.machine = program.machine, .memo = program.memo};
  StepWriter writer(scope, held, plan);
  DiagnosticSink sink;
  StatementRecord record;
  std::vector<std::string> steps;
  for (std::size_t i = Lowering(flow, writer, sink, record).carry_out(way); i < plan.steps.size();
       ++i) {
    if (is_shown(plan.plan.steps[i])) steps.push_back(step_text(plan, i));
  }
  return steps;
}

planning::Ways ways_anew(const checked::Flow& flow, const planning::Ways& known,
                         const Scope& tables, const Program& program) {
  const Scope scope = on_machine_of(program, tables);
  Holdings held;
  add_starts(flow.value, nullptr, scope.mesh(), held);
  for (const planning::MadePtr& made : known->all())
    add_starts(flow.value, made.get(), scope.mesh(), held);
  Program plan{.machine = program.machine};
  StepWriter writer(scope, held, plan);
  DiagnosticSink sink;
  StatementRecord record;
  if (!Lowering(flow, writer, sink, record).run() || sink.has_errors()) return nullptr;
  return record.ways;
}

bool lower(checked::Flow flow, std::string text, const Scope& scope, Holdings& held,
           Program& program, DiagnosticSink& sink) {
  if (program.lowered == nullptr) program.lowered = std::make_shared<LoweringCache>();
  StatementRecord record{.text = std::move(text), .span = flow.span, .target = flow.target};
  record.remark = rounding_remark(flow, scope);
  const FlowToLower key = as_key(flow, scope, held, program);
  if (const LoweredFlow* known = program.lowered->find(key)) {
    replay(*known, key, std::move(record), held, program);
    keep_changed_views(program, program.statements.back().first_step);
    note_cheaper(program.statements.back(), sink);
    return true;
  }
  const std::size_t reported = sink.all().size();
  const LoweringRecorder recorder(key, held, program);
  StepWriter writer(scope, held, program);
  const bool fine = Lowering(flow, writer, sink, record, &flow.value).run();
  if (!fine) hold_as_written(flow, scope.mesh(), held);
  record.flow = std::move(flow);
  if (!key.key.empty() && sink.all().size() == reported) {
    if (auto lowered = recorder.lowered(record)) program.lowered->add(key, *std::move(lowered));
  }
  program.statements.push_back(std::move(record));
  keep_changed_views(program, program.statements.back().first_step);
  note_cheaper(program.statements.back(), sink);
  return fine;
}

}  // namespace shard
