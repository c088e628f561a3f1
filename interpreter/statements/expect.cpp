// `expect`: a comparison that is to hold; interpreter/evaluate/compare.h says whether it does.
#include <fmt/format.h>

#include <utility>

#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/evaluate/failed_comparison.h"
#include "interpreter/statements/statement.h"

namespace shard {

void run(const ast::Expect& expect, const ast::Statement& statement, RunContext& context) {
  if (run_expect_arrays(expect, statement, context)) return;
  if (refused_in_cost_block("expect", statement.at.span, context)) return;
  ExpectedEntry entry{.text = one_line(print(expect.condition, Spelling::Unicode))};
  const auto value = value_of(expect.condition, context);
  if (!value) return;
  const auto* truth = std::get_if<Truth>(&*value);
  if (truth == nullptr) {
    const Span at = expect.condition.at.span;
    const std::string text = to_text(*value);
    // What it is now, if that can be written: a formula in open sizes is no figure to compare with.
    const auto* quantity = std::get_if<Quantity>(&*value);
    const bool is_figure = quantity != nullptr && quantity->value.constant() &&
                           !std::holds_alternative<ast::Number>(expect.condition.node);
    report(context.check, DiagnosticKind::BadArgument, at,
           fmt::format("`expect` takes a comparison, and this is {}", text),
           {is_figure ? "or a bound, with < or >" : "expect time { … } < 200 us"}, {},
           is_figure ? std::vector<Edit>{{{at.file, at.end, at.end}, " ≈ " + text}}
                     : std::vector<Edit>());
    return;
  }
  entry.holds = truth->holds;
  if (truth->holds != true) {
    EvaluationContext evaluation{context.check, context};
    const SideTexts sides = sides_of(expect.condition, evaluation);
    if (context.options.judge_expects)
      report_failed(expect.condition, truth->holds.has_value(), sides, evaluation);
    entry.left = sides.left;
    entry.right = sides.right;
    entry.difference = sides.difference;
  }
  context.state.entries.push_back(std::move(entry));
}

}  // namespace shard
