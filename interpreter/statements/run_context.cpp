#include "interpreter/statements/run_context.h"

#include <fmt/format.h>

namespace shard {

std::optional<Value> value_of(const ast::Expr& expr, RunContext& context) {
  EvaluationContext evaluation{context.check, context};
  return evaluate(expr, evaluation);
}

bool refused_in_function(std::string_view word, Span span, RunContext& context) {
  if (context.state.calls.empty()) return false;
  report(
      context.check, DiagnosticKind::MisplacedStatement, span,
      fmt::format("`{}` stands in a function", word),
      {word == "use" ? "put it at the script's begin"
                     : "declare it outside; a function runs on the machine that is declared where "
                       "it is called"});
  return true;
}

bool refused_in_cost_block(std::string_view word, Span span, RunContext& context) {
  if (!context.scope.supposition) return false;
  report(
      context.check, DiagnosticKind::BadArgument, span,
      fmt::format("`{}` may not stand inside a cost block, which is priced and never run", word),
      {"move the line after the closing brace; there a block that has a name, c = cost { … }, is "
       "asked for its figures: print c.time, c.peak_memory"});
  return true;
}

}  // namespace shard
