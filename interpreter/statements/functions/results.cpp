// `a, b = f(x)`: the results of one call.
#include <fmt/format.h>

#include "base/contains.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/check/selection/places.h"
#include "interpreter/statements/bindings.h"
#include "interpreter/statements/functions/call.h"
#include "interpreter/statements/statement.h"
#include "stdlib/library.h"

namespace shard {

namespace {

// Two results cannot have one name, but for elements of one array.
bool check_targets_differ(const ast::Results& results, RunContext& context) {
  std::vector<std::string> keys;
  std::vector<std::string> changed;
  for (const ast::ArrayRef& target : results.targets) {
    const std::string key = name_key(target.name->text);
    const bool changes = changes_elements(target);
    if (contains(keys, key) || (!changes && contains(changed, key))) {
      report(context.check, DiagnosticKind::Redeclared, target.at.span,
             fmt::format("two of the results are called `{}`", target.name->text),
             {"give one of them another name"});
      return false;
    }
    (changes ? changed : keys).push_back(key);
  }
  return true;
}

// `W[L = l], m[L = l] = f(x)`: the results, which have names of their own so far, become elements.
void put_into_elements(const std::vector<ast::ArrayRef>& made,
                       const std::vector<ast::ArrayRef>& elements, RunContext& context) {
  for (std::size_t i = 0; i < made.size(); ++i) {
    const ast::ArrayRef& target = elements[i];
    if (!changes_elements(target) || context.scope.told.is_unknown(made[i].name->text)) continue;
    const ast::Flow flow{{made[i], made[i].at}, target, ast::FlowSign::Assignment, {}};
    run(flow, {.node = flow, .at = target.at}, context);
  }
}

// What the word was probably to be, or how a function gives several results.
std::string help_with_results(const std::string& word, const CheckContext& context) {
  if (const auto hint = library_hint(word)) return *hint;
  std::vector<std::string> known;
  if (context.sink.shows_more_errors()) {
    for (const auto& [key, function] : context.scope.names.functions)
      known.push_back(function->name.text);
  }
  const auto near = nearest_name(word, known);
  return near ? fmt::format("did you mean `{}`?", *near)
              : "fn both(x[I]) { return x + 1, x - 1 }; a, b = both(A)";
}

}  // namespace

void run(const ast::Results& written, const ast::Statement& statement, RunContext& context) {
  ast::Results results = written;
  for (ast::ArrayRef& target : results.targets) {
    if (const auto element = changed_element(target, results.value, context.check))
      target = std::get<ast::ArrayRef>(element->node);
  }
  const ast::Call* call = as_function_call(results.value, context.scope);
  const bool fine = call != nullptr && check_targets_differ(results, context);
  if (!fine) {
    const auto& function = std::get<ast::Call>(results.value.node).function;
    if (call == nullptr && !context.scope.told.unknown.contains(name_key(function.text)))
      report(context.check, DiagnosticKind::UnknownFunction, function.at.span,
             fmt::format("no function of the script is called `{}`, and only such give several "
                         "results",
                         function.text),
             {help_with_results(function.text, context.check)});
    return skip(statement, context.scope);
  }
  Functions calls(context);
  std::vector<ast::ArrayRef> targets = results.targets;
  std::vector<std::string> passing;
  for (ast::ArrayRef& target : targets) {
    if (!changes_elements(target)) continue;
    target = calls.passing_name(*call, target.at, passing);
    passing.push_back(target.name->text);
  }
  auto values = calls.assign(*call, targets, results.value.at.span);
  ScalarBinder binder(context);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i]) binder.bind(*targets[i].name, std::move(*values[i]));
  }
  put_into_elements(targets, results.targets, context);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (changes_elements(results.targets[i])) calls.will_forget(targets[i]);
  }
  calls.forget_results();
}

}  // namespace shard
