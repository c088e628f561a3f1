// The machine, and the rules by which a script is planned.
#include "interpreter/machine/machine.h"

#include <fmt/format.h>

#include "grammar/print/printer.h"
#include "interpreter/machine/chip_catalogue.h"
#include "interpreter/machine/fault.h"
#include "interpreter/solve/placement.h"
#include "interpreter/statements/flow.h"
#include "interpreter/statements/print.h"
#include "interpreter/statements/statement.h"

namespace shard {

namespace {

// A program runs on one machine, whose faults are known where it begins.
// `word`: of the statement. `when`: what it lacks to say when it happens.
bool may_misbehave(std::string_view word, std::string_view when, const ast::Statement& statement,
                   RunContext& context) {
  if (refused_in_function(word, statement.at.span, context)) return false;
  const Program* program = begun_program(context);
  if (program == nullptr) return true;
  report(context.check, DiagnosticKind::MisplacedStatement, statement.at.span,
         fmt::format("`{}` stands after statements that run on this machine", word),
         {fmt::format("put it before the first of them{}: {}{}",
                      when.empty() ? "" : ", and say when it happens",
                      print(statement, Spelling::Unicode), when),
          context.options.interactive ? "`hardware` or `mesh`, typed again, begins another program"
                                      : "another program begins with `hardware` or `mesh`"},
         {{program->statements.front().span, "the program begins here"}});
  return false;
}

}  // namespace

void run(const ast::Hardware& hardware, const ast::Statement& statement, RunContext& context) {
  if (refused_in_function("hardware", statement.at.span, context)) return;
  load_catalogue(context.scope, scalar_source());
  check_hardware(hardware, statement.at.span, context.check);
}

void run(const ast::Mesh& mesh, const ast::Statement& statement, RunContext& context) {
  if (refused_in_function("mesh", statement.at.span, context)) return;
  if (!mesh.least) return check_mesh(mesh, statement.at.span, context.check);
  const std::size_t told = context.check.sink.all().size();
  EvaluationContext evaluation{context.check, context};
  const auto best = best_placement(mesh, statement.at.span, evaluation);
  if (best) {
    check_mesh(best->mesh, statement.at.span, context.check);
    return say(**mesh.least, best->value, context);
  }
  // Without a value to compare by, what follows is checked on the first placement.
  const bool failed = context.check.sink.all().size() > told;
  auto placements = failed ? placements_of(mesh, context.check) : std::vector<ast::Mesh>();
  check_mesh(placements.empty() ? mesh : placements.front(), statement.at.span, context.check);
}

void run(const ast::Chip& chip, const ast::Statement&, RunContext& context) {
  load_catalogue(context.scope, scalar_source());
  check_chip(chip, context.check);
}

void run(const ast::Fault& fault, const ast::Statement& statement, RunContext& context) {
  if (may_misbehave("fault", fault.at ? "" : " at 2 us", statement, context))
    check_fault(fault, context.check);
}

void run(const ast::Slow& slow, const ast::Statement& statement, RunContext& context) {
  if (may_misbehave("slow", "", statement, context)) check_slow(slow, context.check);
}

void run(const ast::Plan& plan, const ast::Statement&, RunContext& context) {
  context.scope.rule = plan.rule;
}

void run(const ast::Strict&, const ast::Statement&, RunContext& context) {
  context.scope.strict = true;
}

}  // namespace shard
