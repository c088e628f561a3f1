// `a, b = f(x)`: the results of one call.
#include <fmt/format.h>

#include "base/contains.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/statements/bindings.h"
#include "interpreter/statements/functions/call.h"
#include "interpreter/statements/statement.h"
#include "stdlib/library.h"

namespace shard {

namespace {

// Two results cannot have one name.
bool check_targets_differ(const ast::Results& results, RunContext& context) {
  std::vector<std::string> keys;
  for (const ast::ArrayRef& target : results.targets) {
    const std::string key = name_key(target.name->text);
    if (contains(keys, key)) {
      report(context.check, DiagnosticKind::Redeclared, target.at.span,
             fmt::format("two of the results are called `{}`", target.name->text),
             {"give one of them another name"});
      return false;
    }
    keys.push_back(key);
  }
  return true;
}

}  // namespace

void run(const ast::Results& results, const ast::Statement& statement, RunContext& context) {
  const ast::Call* call = as_function_call(results.value, context.scope);
  const bool fine = call != nullptr && check_targets_differ(results, context);
  if (!fine) {
    const auto& written = std::get<ast::Call>(results.value.node).function;
    if (call == nullptr && !context.scope.told.unknown.contains(name_key(written.text)))
      report(context.check, DiagnosticKind::UnknownFunction, written.at.span,
             fmt::format("no function of the script is called `{}`, and only such give several "
                         "results",
                         written.text),
             {library_hint(written.text)
                  .value_or("fn both(x[I]) { return x + 1, x - 1 }; a, b = both(A)")});
    return skip(statement, context.scope);
  }
  Functions calls(context);
  auto values = calls.assign(*call, results.targets, results.value.at.span);
  ScalarBinder binder(context);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i]) binder.bind(*results.targets[i].name, std::move(*values[i]));
  }
}

}  // namespace shard
