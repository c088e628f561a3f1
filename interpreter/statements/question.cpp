// `solve`, `when`, `minimize`, as values and on lines of their own.
#include "interpreter/solve/answer.h"
#include "interpreter/statements/run_context.h"

namespace shard {

std::optional<Value> RunContext::answer(const ast::Question& question, Span span,
                                        CheckContext& context) {
  EvaluationContext evaluation{context, *this};
  return shard::answer(question, span, evaluation);
}

std::shared_ptr<const Figures> RunContext::totals() const {
  if (state.programs.empty() || state.program_ended) return nullptr;
  return std::make_shared<const Figures>(figures_of(state.programs[state.current]));
}

}  // namespace shard
