// Arrays that statements declare or name, without computing any.
#include "interpreter/check/array.h"

#include <string>
#include <utility>
#include <vector>

#include "interpreter/check/declaration.h"
#include "interpreter/check/flow.h"
#include "interpreter/statements/flow.h"
#include "interpreter/statements/statement.h"

namespace shard {

namespace {

// The arrays that have these names so far, if a statement has computed them.
std::vector<std::pair<std::string, ArrayId>> declared_earlier(const ast::Declaration& declaration,
                                                              const Scope& scope) {
  std::vector<std::pair<std::string, ArrayId>> arrays;
  for (const ast::ArrayRef& array : declaration.arrays) {
    const auto known = array.name ? scope.names.find_array(array.name->text) : std::nullopt;
    if (known && scope.store.arrays[*known].computed) arrays.emplace_back(array.name->text, *known);
  }
  return arrays;
}

}  // namespace

void run(const ast::Declaration& declaration, const ast::Statement& statement,
         RunContext& context) {
  const auto earlier = declared_earlier(declaration, context.scope);
  const bool fine = check_declaration(declaration, context.check);
  // In another pass of a loop, where the one before has ended.
  for (const auto& [name, array] : earlier) {
    if (context.scope.names.find_array(name) != array) end_with_block({array}, context);
  }
  if (fine && declaration.makes) run(*declaration.makes, statement, context);
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
