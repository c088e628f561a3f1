// `Reshape`: neighbouring dimensions split and merged (design: language, "Arrays, layouts and copies").
#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "base/words.h"
#include "interpreter/check/selection/selection.h"
#include "interpreter/planning/selection_layout.h"

namespace shard {

namespace {

std::string shape_text(const std::vector<DimensionId>& labels, const Scope& scope) {
  std::vector<std::string> lengths;
  for (const Amount& length : scope.shape_of(labels)) lengths.push_back(length.to_string());
  return lengths.empty() ? "1" : join(lengths, "·");
}

// Whether two dimensions that both have stand in another order.
bool is_transposed(const std::vector<DimensionId>& from, const std::vector<DimensionId>& to) {
  std::vector<DimensionId> kept;
  std::vector<DimensionId> wanted;
  std::copy_if(from.begin(), from.end(), std::back_inserter(kept),
               [&](DimensionId label) { return contains(to, label); });
  std::copy_if(to.begin(), to.end(), std::back_inserter(wanted),
               [&](DimensionId label) { return contains(from, label); });
  return kept != wanted;
}

void report_transpose(const checked::Operation& operand, const TargetHint& target,
                      CheckContext& context) {
  const Scope& scope = context.scope;
  const auto& labels = target.brackets->labels;
  const bool same = std::is_permutation(labels.begin(), labels.end(), operand.labels.begin(),
                                        operand.labels.end());
  report(
      context, DiagnosticKind::BadReshape, target.span,
      fmt::format("`{}` has dimensions of {} in another order, and Reshape keeps the order",
                  describe(operand, scope), bracket_text(labels, replicated(labels.size()), scope)),
      {same ? fmt::format("a transpose is written without Reshape: {} → T{}",
                          describe(operand, scope),
                          bracket_text(labels, target.brackets->layout, scope))
            : std::string("transpose on a line of its own first: A[I, J] → B[J, I]")});
}

void report_bad_reshape(const checked::Operation& operand, const TargetHint& target,
                        CheckContext& context) {
  const Scope& scope = context.scope;
  if (is_transposed(operand.labels, target.brackets->labels)) {
    return report_transpose(operand, target, context);
  }
  report(
      context, DiagnosticKind::BadReshape, target.span,
      fmt::format("`{}` does not become {} by splitting and merging neighbours",
                  describe(operand, scope),
                  bracket_text(target.brackets->labels, target.brackets->layout, scope)),
      {fmt::format("the lengths are {} and {}; dimensions keep their order, and a run of them "
                   "becomes another of the same product",
                   shape_text(operand.labels, scope), shape_text(target.brackets->labels, scope))});
}

// Only the first dimension of each run may be split.
class MovingReshape {
 public:
  MovingReshape(const checked::Operation& operand, const TargetHint& target, const Scope& scope)
      : operand_(operand),
        scope_(scope),
        from_(scope.shape_of(operand.labels)),
        to_(scope.shape_of(target.brackets->labels)),
        to_labels_(numbered(target.brackets->labels)),
        runs_(*planning::reshape_runs(numbered(operand.labels), from_, to_labels_, to_)),
        held_(without_trivial_axes(*operand.layout, scope.mesh())) {}

  // "of the dimensions `N` and `H`, which become one, only the first may be split, and `H` is"; empty of another mistake.
  std::string reason() const {
    for (const planning::ReshapeRun& run : runs_) {
      for (std::size_t i = run.from_begin + 1; i < run.from_end; ++i) {
        if (held_.dims[i].empty()) continue;
        std::vector<std::string> names;
        for (std::size_t k = run.from_begin; k < run.from_end; ++k) names.push_back(name_at(k));
        return fmt::format("of {}, which are merged, only the first may be split, and {} is",
                           join_words(names), name_at(i));
      }
    }
    return "";
  }

  // A layout that can be reshaped: the axes of a run moved to its first dimension, or else gathered.
  Layout local() const {
    Layout moved = held_;
    for (const planning::ReshapeRun& run : runs_) {
      for (std::size_t i = run.from_begin + 1; i < run.from_end; ++i) {
        for (const AxisId axis : held_.dims[i]) moved.dims.edit()[run.from_begin].push_back(axis);
        moved.dims.edit()[i].clear();
      }
      const auto length = run.from_begin < run.from_end
                              ? scope_.length_of(operand_.labels[run.from_begin])
                              : std::nullopt;
      if (length && !divides(*length, moved.dims[run.from_begin], scope_.mesh()))
        moved.dims.edit()[run.from_begin] = held_.dims[run.from_begin];
    }
    if (can_be_reshaped(moved)) return moved;
    for (const planning::ReshapeRun& run : runs_) {
      if (run.from_begin < run.from_end)
        moved.dims.edit()[run.from_begin] = held_.dims[run.from_begin];
    }
    if (can_be_reshaped(moved)) return moved;
    for (const planning::ReshapeRun& run : runs_) {
      if (run.from_begin < run.from_end) moved.dims.edit()[run.from_begin].clear();
    }
    return moved;
  }

  // What leads there; nothing of an operand that is no array.
  std::optional<Relayout> way() const {
    const auto* use = std::get_if<checked::Use>(&operand_.node);
    return use == nullptr ? std::nullopt : relayout(use->array, held_, local(), scope_);
  }

 private:
  std::string name_at(std::size_t i) const {
    return "`" + scope_.store.dimensions[operand_.labels[i]].name + "`";
  }
  bool can_be_reshaped(const Layout& layout) const {
    return planning::reshaped(numbered(operand_.labels), from_, layout, to_labels_, to_,
                              scope_.mesh())
        .has_value();
  }

  const checked::Operation& operand_;
  const Scope& scope_;
  std::vector<Amount> from_;
  std::vector<Amount> to_;
  std::vector<int> to_labels_;
  std::vector<planning::ReshapeRun> runs_;
  Layout held_;
};

void report_moving_reshape(const checked::Operation& operand, const TargetHint& target,
                           CheckContext& context) {
  const Scope& scope = context.scope;
  const MovingReshape moving(operand, target, scope);
  const std::string text = describe(operand, scope);
  const std::string reason = moving.reason();
  const auto way = moving.way();
  const auto* use = std::get_if<checked::Use>(&operand.node);
  std::vector<std::string> help;
  std::vector<Edit> edits;
  // Where the copy is named, the collective stands in front of it; else the line goes before this one.
  if (way && use->written && way->is_collective) {
    edits.push_back({operand.span, way->operation});
  } else if (way) {
    help.push_back(line_of(*way));
  }
  help.push_back(fmt::format("`{}{}` can be reshaped where it is", name_in(operand, scope),
                             bracket_text(operand.labels, moving.local(), scope)));
  report(context, DiagnosticKind::ReshapeMoves, operand.span,
         reason.empty()
             ? fmt::format("the parts of `{}` on the devices are no parts of {}", text,
                           bracket_text(target.brackets->labels,
                                        replicated(target.brackets->labels.size()), scope))
             : fmt::format("`{}` cannot be reshaped where it is: {}", text, reason),
         std::move(help), {}, std::move(edits));
}

}  // namespace

std::optional<checked::Operation> check_reshape(const ast::Call& call, Span span,
                                                const TargetHint& target, CheckContext& context) {
  const Scope& scope = context.scope;
  if (call.arguments.size() != 1) {
    report(context, DiagnosticKind::BadArgument, span,
           fmt::format("`Reshape` takes one array, and {} are written", call.arguments.size()),
           {"Q[B, K, M, H] = Reshape(Q[B, N, H])"});
    return std::nullopt;
  }
  if (!target.brackets || target.within) {
    if (!target.failed) {
      report(context, DiagnosticKind::BadReshape, span, "`Reshape` takes its shape from a target",
             {"give it a line of its own: Q[B, K, M, H] = Reshape(Q[B, N, H])"});
    }
    return std::nullopt;
  }
  auto operand = check_operation(*call.arguments.front(), {}, context);
  if (!operand) return std::nullopt;
  const auto runs = planning::reshape_runs(
      numbered(operand->labels), scope.shape_of(operand->labels), numbered(target.brackets->labels),
      scope.shape_of(target.brackets->labels));
  if (!runs) {
    report_bad_reshape(*operand, target, context);
    return std::nullopt;
  }
  const bool fixed = operand->layout.has_value();
  checked::Selection reshape{
      .kind = SelectionKind::Reshape, .operands = {}, .along = {}, .position = {}};
  const DType dtype = operand->dtype;
  reshape.operands.push_back(*operand);
  auto result = selection_of(std::move(reshape), target.brackets->labels, dtype, span, scope);
  if (fixed && !result.layout && !is_inferred_sum(*operand)) {
    report_moving_reshape(*operand, target, context);
    return std::nullopt;
  }
  return result;
}

}  // namespace shard
