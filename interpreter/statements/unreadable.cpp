// Statements that could not be read.

#include <variant>

#include "grammar/tree/names.h"
#include "interpreter/statements/statement.h"

namespace shard {

namespace {

void skip_all(const std::vector<ast::Statement>& statements, Scope& scope) {
  for (const ast::Statement& statement : statements) skip(statement, scope);
}

}  // namespace

void run(const ast::Unsupported&, const ast::Statement&, RunContext&) {}

void skip(const ast::Statement& statement, Scope& scope) {
  if (const auto* unread = std::get_if<ast::Unsupported>(&statement.node)) {
    for (const ast::Identifier& name : unread->defines) {
      scope.told.unknown.insert(name_key(name.text));
      if (unread->word == "mesh") scope.told.unknown_axes.insert(name.text);
    }
    scope.machine.failed = scope.machine.failed || unread->word == "hardware";
  }
  if (const auto* bindings = std::get_if<ast::Bindings>(&statement.node)) {
    for (const ast::Binding& binding : bindings->items)
      scope.told.unknown.insert(name_key(binding.name.text));
  }
  if (const auto* flow = std::get_if<ast::Flow>(&statement.node);
      flow != nullptr && flow->target.name) {
    scope.told.unknown.insert(name_key(flow->target.name->text));
  }
  if (const auto* results = std::get_if<ast::Results>(&statement.node)) {
    for (const ast::ArrayRef& target : results->targets)
      scope.told.unknown.insert(name_key(target.name->text));
  }
  if (const auto* function = std::get_if<ast::Function>(&statement.node))
    scope.told.unknown.insert(name_key(function->name.text));
  if (const auto* loop = std::get_if<ast::Loop>(&statement.node)) skip_all(loop->body, scope);
  if (const auto* group = std::get_if<ast::Group>(&statement.node)) skip_all(group->body, scope);
  if (const auto* fused = std::get_if<ast::Fused>(&statement.node)) skip_all(fused->body, scope);
  if (const auto* best = std::get_if<ast::Best>(&statement.node)) skip_all(best->body, scope);
  if (const auto* branch = std::get_if<ast::If>(&statement.node)) {
    skip_all(branch->body, scope);
    if (branch->otherwise) skip_all(*branch->otherwise, scope);
  }
}

}  // namespace shard
