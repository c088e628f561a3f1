// `Reshape`: neighbouring dimensions split and merged (design: language, "Arrays, layouts and copies").
#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "base/words.h"
#include "interpreter/check/selection.h"
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
void report_moving_reshape(const checked::Operation& operand, const TargetHint& target,
                           CheckContext& context) {
  const Scope& scope = context.scope;
  const auto from = scope.shape_of(operand.labels);
  const auto to = scope.shape_of(target.brackets->labels);
  const auto to_labels = numbered(target.brackets->labels);
  const auto runs = planning::reshape_runs(numbered(operand.labels), from, to_labels, to);
  Layout local = without_trivial_axes(*operand.layout, scope.mesh());
  for (const planning::ReshapeRun& run : *runs) {
    for (std::size_t i = run.from_begin + 1; i < run.from_end; ++i) local.dims.edit()[i].clear();
  }
  if (!planning::reshaped(numbered(operand.labels), from, local, to_labels, to, scope.mesh())) {
    for (const planning::ReshapeRun& run : *runs) {
      if (run.from_begin < run.from_end) local.dims.edit()[run.from_begin].clear();
    }
  }
  const std::string text = describe(operand, scope);
  const std::string name = text.substr(0, text.find('['));
  const auto* use = std::get_if<checked::Use>(&operand.node);
  const auto line =
      use == nullptr
          ? std::nullopt
          : relayout_line(use->array, without_trivial_axes(*operand.layout, scope.mesh()), local,
                          scope);
  report(context, DiagnosticKind::ReshapeMoves, operand.span,
         fmt::format("in `{}` the blocks of the devices are no blocks of {}", text,
                     bracket_text(target.brackets->labels,
                                  replicated(target.brackets->labels.size()), scope)),
         {fmt::format("`{}{}` can be reshaped where it is{}", name,
                      bracket_text(operand.labels, local, scope),
                      line ? "; put before it: " + *line : "")});
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
