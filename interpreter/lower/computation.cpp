#include "interpreter/lower/computation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/contains.h"
#include "base/format.h"
#include "base/words.h"
#include "interpreter/lower/sum_groups.h"
#include "interpreter/planning/objective.h"
#include "interpreter/planning/search/relayout.h"
#include "interpreter/planning/search/weight.h"
#include "interpreter/program/step_text.h"

namespace shard {

namespace {

using planning::Made;

void add_factors(const checked::Operation& operation, int number,
                 std::vector<ChainFactor>& factors) {
  const auto* product = std::get_if<checked::Product>(&operation.node);
  if (product == nullptr || product->local) return factors.push_back({&operation, number});
  add_factors(*product->left, number + 1, factors);
  add_factors(*product->right, number + 1 + checked::operations_in(*product->left), factors);
}

// What stands after a planning::Source: an array, whose copies its layouts are, or the result of an operation that was
// written out.
struct SourceOrigin {
  ArrayId array;
  CopyId copy;
};

class ComputationLowering {
 public:
  ComputationLowering(const checked::Flow& flow, const ResultNames& results, StepWriter& writer,
                      StatementRecord& record, DiagnosticSink& sink)
      : flow_(flow),
        results_(results),
        writer_(writer),
        scope_(writer.scope()),
        record_(record),
        sink_(sink),
        first_copy_(writer.program().plan.copies.size()) {}

  // `value`: that of the flow, if it may be changed.
  std::optional<CopyId> run(checked::Operation* value) {
    planning::Term problem = term(flow_.value);
    problem.shape.dtype = results_.dtype;
    Program& program = writer_.program();
    std::optional<Layout> goal = target_in_value_order();
    if (!goal && !flow_.is_unnamed)
      goal = program.memo->layout(problem, program.machine, flow_.overlap);
    record_.ways = planned(problem, goal, scope_.rule);
    if (record_.ways->made.empty()) return report_no_way();
    if (value != nullptr && flow_.overlap.empty()) group_sums(*value, problem, goal);
    note_budget(*record_.ways->made.front(), flow_, sink_);
    return emit(*record_.ways->made.front(), flow_.value, true);
  }

  std::size_t carry_out(const Made& way) {
    term(flow_.value);
    const std::size_t first = writer_.program().steps.size();
    emit(way, flow_.value, true);
    return first;
  }

 private:
  planning::Ways planned(const planning::Term& problem, const std::optional<Layout>& goal,
                         PlanRule rule) {
    Program& program = writer_.program();
    // A block that is only priced says nothing of other plans.
    return program.memo->plan(problem, goal, program.machine, flow_.overlap, rule,
                              !scope_.supposition);
  }

  // Brackets the sums of the value if that is better by the rule. What the cases would make of it says which terms belong
  // together, so that no rule does worse than they do.
  void group_sums(checked::Operation& value, const planning::Term& problem,
                  const std::optional<Layout>& goal) {
    const planning::Ways by_cases =
        scope_.rule == PlanRule::Cases ? record_.ways : planned(problem, goal, PlanRule::Cases);
    if (by_cases->made.empty()) return;
    auto grouped = with_grouped_sums(value, problem, *by_cases->made.front());
    if (!grouped) return;
    planning::Ways ways = planned(grouped->term, goal, scope_.rule);
    if (ways->made.empty()) return;
    const Machine& machine = writer_.program().machine;
    const planning::Objective objective = planning::objective_of(scope_.rule);
    const auto rank = [&](const planning::Term& term, const planning::Ways& of) {
      return planning::rank_of(term, *of->made.front(), machine, objective);
    };
    if (!planning::is_better(rank(grouped->term, ways), rank(problem, record_.ways))) return;
    record_.ways = std::move(ways);
    value = std::move(grouped->value);
    std::vector<SourceOrigin> origins;
    for (const std::size_t leaf : grouped->leaves) origins.push_back(origins_[leaf]);
    origins_ = std::move(origins);
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
                          .shape = writer_.shape_of(operation)};
    const auto written = [&] { result.node = written_source(operation); };
    match(
        operation.node,
        [&](const checked::Use& use) {
          const auto same =
              std::find_if(origins_.begin(), origins_.end(),
                           [&](const SourceOrigin& origin) { return origin.array == use.array; });
          const int array = static_cast<int>(same - origins_.begin());
          origins_.push_back({.array = use.array, .copy = {}});
          planning::Source source = writer_.source_of(use);
          source.array = array;
          result.node = std::move(source);
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
                                    .along = numbered(selection.along),
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
            : fmt::format(
                  "{}_{}", name_of(reduction->kind),
                  reduced_names(numbered(reduction->operand->labels), numbered(flow_.value.labels),
                                scope_.store.names_of(reduction->operand->labels)));
    if (reduction != nullptr && combination_of(reduction->kind) != goal.combination) {
      Layout right = goal;
      right.combination = combination_of(reduction->kind);
      return fmt::format("{} leaves {}: write {}{}", name, partial_name(right.combination),
                         results_.target,
                         to_string(right, scope_.store.names_of(flow_.labels), writer_.mesh()));
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
    const int number = next_number_++;
    if (std::holds_alternative<std::size_t>(made.origin)) {
      const SourceOrigin origin = origins_[next_origin_++];
      next_number_ += checked::operations_in(operation) - 1;
      array = origin.array;
      // What the statement has moved there already is not moved again.
      first = array.valid() ? moves_done(made, array) : 0;
      const Layout& at = first == 0 ? made.start : made.moves[first - 1].to;
      copy = array.valid() ? writer_.live_copy(array, at) : origin.copy;
    } else if (made.term != nullptr) {
      copy = emit_chain(made, operation, number, outermost);
      next_number_ = number + checked::operations_in(operation);
    } else {
      const auto& made_from = std::get<planning::MadeFrom>(made.origin).operands;
      const auto parts = operands_of(operation);
      std::vector<CopyId> operands;
      for (std::size_t i = 0; i < parts.size(); ++i)
        operands.push_back(emit(*made_from[i], *parts[i], false));
      copy = write_local(operation, operands, made.start, outermost, results_, writer_);
    }
    const bool on_the_way = !outermost && !array.valid();
    if (on_the_way) note_on_the_way(number, copy);
    const std::vector<std::string> names = scope_.store.names_of(operation.labels);
    for (std::size_t i = first; i < made.moves.size(); ++i) {
      copy = writer_.move(made.moves[i], copy, array, names, true);
      if (on_the_way) note_on_the_way(number, copy);
    }
    return copy;
  }

  // In another order than the statement has it: its parts are those of the term that was made.
  CopyId emit_chain(const Made& made, const checked::Operation& operation, int number,
                    bool outermost) {
    std::size_t next = 0;
    const std::vector<ChainFactor> factors = factors_of(operation, number);
    return emit_part(made, *made.term, operation, factors, next, outermost);
  }

  CopyId emit_part(const Made& made, const planning::Term& term, const checked::Operation& chain,
                   const std::vector<ChainFactor>& factors, std::size_t& next, bool outermost) {
    const planning::Product& product = *std::get<Box<planning::Product>>(term.node);
    const auto& made_from = std::get<planning::MadeFrom>(made.origin).operands;
    std::vector<CopyId> operands;
    std::vector<checked::Operation> parts;
    for (std::size_t i = 0; i < 2; ++i) {
      const planning::Term& part = i == 0 ? product.left : product.right;
      const Made& way = *made_from[i];
      parts.push_back(standing_for(part, chain));
      if (!std::holds_alternative<Box<planning::Product>>(part.node)) {
        next_number_ = factors[next].number;
        operands.push_back(emit(way, *factors[next++].operation, false));
        continue;
      }
      CopyId copy = emit_part(way, part, chain, factors, next, false);
      const std::vector<std::string> names = scope_.store.names_of(parts.back().labels);
      for (const planning::Move& move : way.moves) copy = writer_.move(move, copy, {}, names, true);
      operands.push_back(copy);
    }
    checked::Operation whole = standing_for(term, chain);
    whole.node = checked::Product{std::move(parts[0]), std::move(parts[1])};
    return write_local(whole, operands, made.start, outermost, results_, writer_);
  }

  // Has the labels and elements of the part, and nothing in it.
  static checked::Operation standing_for(const planning::Term& part,
                                         const checked::Operation& chain) {
    checked::Operation operation{.node = checked::Use{}, .labels = {}};
    for (const int label : part.labels) operation.labels.push_back(DimensionId{label});
    operation.dtype = part.shape.dtype;
    operation.span = chain.span;
    return operation;
  }

  void note_on_the_way(int operation, CopyId copy) {
    record_.on_the_way.edit().push_back({operation, copy, writer_.copy(copy).layout});
  }

  // How many of the moves lead to a copy that the statement has made. Where it begins from written copies alone, for the sake
  // of `overlap`, those that earlier ones inferred are none of it.
  std::size_t moves_done(const Made& made, ArrayId array) const {
    for (std::size_t done = made.moves.size(); done > 0; --done) {
      for (const LiveCopy& live : writer_.held().of(array)) {
        const bool own =
            live.copy.valid() && static_cast<std::size_t>(live.copy.value) >= first_copy_;
        if (own && live.layout == made.moves[done - 1].to) return done;
      }
    }
    return 0;
  }

  const checked::Flow& flow_;
  ResultNames results_;
  StepWriter& writer_;
  const Scope& scope_;
  StatementRecord& record_;
  DiagnosticSink& sink_;
  std::size_t first_copy_;  // of the plan, that the statement makes
  std::vector<SourceOrigin> origins_;
  std::size_t next_origin_ = 0;
  int next_number_ = 0;  // checked::OnTheWay::operation
};

}  // namespace

std::vector<ChainFactor> factors_of(const checked::Operation& chain, int number) {
  std::vector<ChainFactor> factors;
  add_factors(chain, number, factors);
  return factors;
}

std::optional<CopyId> lower_computation(const checked::Flow& flow, checked::Operation* value,
                                        const ResultNames& results, StepWriter& writer,
                                        StatementRecord& record, DiagnosticSink& sink) {
  return ComputationLowering(flow, results, writer, record, sink).run(value);
}

std::size_t carry_out(const Made& way, const checked::Flow& flow, const ResultNames& results,
                      StepWriter& writer) {
  StatementRecord record;
  DiagnosticSink sink;
  return ComputationLowering(flow, results, writer, record, sink).carry_out(way);
}

void note_budget(const Made& way, const checked::Flow& flow, DiagnosticSink& sink) {
  const double seconds = way.weight.seconds;
  if (way.unproven <= 0 || std::isinf(seconds)) return;
  const double bound = seconds - way.unproven;
  constexpr double kSayable = 1.005;  // less is written as 1
  if (bound > 0 && seconds < kSayable * bound) return;
  const std::string ratio =
      bound > 0 ? fmt::format("at most {:.3g} times what is possible", seconds / bound)
                : std::string("nothing says how far that is from what is possible");
  const std::string times =
      planning::needs_reference(way.cost)
          ? ""
          : fmt::format("this one takes {}{}: ", format_seconds(seconds),
                        bound > 0 ? ", and none less than " + format_seconds(bound) : "");
  sink.report({.kind = DiagnosticKind::PlanBudget,
               .span = flow.span,
               .message = fmt::format("the search for the cheapest way ended after {} moves; {}{}",
                                      format_integer(std::int64_t{planning::Relayout::kMostMoves}),
                                      times, ratio),
               .help = {"with an intermediate layout written out, there is less to search"}});
}

void note_cheaper(const StatementRecord& record, DiagnosticSink& sink) {
  // A script with mistakes has more urgent things to say.
  if (record.ways == nullptr || record.ways->cheaper == nullptr || sink.has_errors()) return;
  // Where one statement is planned better, most like it are: what is said of the first one holds for them.
  const auto& told = sink.all();
  if (std::any_of(told.begin(), told.end(),
                  [](const Diagnostic& one) { return one.kind == DiagnosticKind::CheaperPlan; }))
    return;
  const Made& taken = *record.ways->made.front();
  const Made& cheaper = *record.ways->cheaper;
  const double factor = taken.weight.seconds / cheaper.weight.seconds;
  sink.report(
      {.kind = DiagnosticKind::CheaperPlan,
       .span = record.span,
       .message = fmt::format("another plan is {:.3g} times as fast: {} instead of {}", factor,
                              format_seconds(cheaper.weight.seconds),
                              format_seconds(taken.weight.seconds)),
       .help = {"`why` shows it, as for every statement; `plan cheapest` takes such plans"}});
}

}  // namespace shard
