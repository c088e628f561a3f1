// Arrays that statements declare or name, without computing any.
#include "interpreter/check/array.h"

#include "interpreter/check/declaration.h"
#include "interpreter/check/flow.h"
#include "interpreter/statements/statement.h"

namespace shard {

void run(const ast::Declaration& declaration, const ast::Statement&, RunContext& context) {
  check_declaration(declaration, context.check);
}

void run(const ast::Equation& equation, const ast::Statement& statement, RunContext& context) {
  check_equation(equation, statement.at.span, context.check);
}

void run(const ast::Mention& mention, const ast::Statement&, RunContext& context) {
  for (const ast::ArrayRef& array : mention.arrays) {
    if (mention.given)
      check_given(array, context.check);
    else
      check_use(array, context.check);
  }
}

}  // namespace shard
