// `expect error Kind { … }`: a block whose mistake is to be found.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/estimate/device_limits.h"
#include "interpreter/host/exit_status.h"
#include "interpreter/ir/frames.h"
#include "interpreter/statements/statement.h"

namespace shard {

namespace {

// What checking the block draws, and what its devices cannot do of it.
DiagnosticSink diagnostics_of(const std::vector<ast::Statement>& body, RunContext& context) {
  DiagnosticSink sink;
  RunnerState state{
      .scope = supposition_scope(context.scope, context.scope), .programs = {}, .entries = {}};
  Budget* budget = context.options.budget;
  const ExpectedStop stop(budget);
  run_statements(body, state,
                 {.judge_expects = false,
                  .budget = budget,
                  .modules = context.options.modules,
                  .faults = context.options.faults},
                 sink);
  if (!context.options.judge_expects || !is_sound(status_of(sink.all()))) return sink;
  for (const Program& program : state.programs)
    check_device_limits(program, figures_of(program), sink);
  return sink;
}

}  // namespace

void run(const ast::ExpectError& expect, const ast::Statement& statement, RunContext& context) {
  const auto& catalogue = diagnostic_catalogue();
  const auto wanted =
      std::find_if(catalogue.begin(), catalogue.end(),
                   [&](const DiagnosticInfo& info) { return info.name == expect.kind.text; });
  if (wanted == catalogue.end()) {
    std::vector<std::string> names;
    for (const DiagnosticInfo& info : catalogue) names.emplace_back(info.name);
    const auto near = nearest_name(expect.kind.text, names);
    return report(
        context.check, DiagnosticKind::UnknownName, expect.kind.at.span,
        fmt::format("no kind of error is called `{}`", expect.kind.text),
        {near ? fmt::format("did you mean `{}`?", *near) : "shard help errors lists them"});
  }
  const DiagnosticSink inner = diagnostics_of(expect.body, context);
  const bool found = expect.found_by_parser || std::any_of(inner.all().begin(), inner.all().end(),
                                                           [&](const Diagnostic& diagnostic) {
                                                             return diagnostic.kind == wanted->kind;
                                                           });
  context.state.entries.push_back(ExpectedEntry{.text = "error " + expect.kind.text,
                                                .holds = found,
                                                .left = {},
                                                .right = {},
                                                .difference = {}});
  if (found || !context.options.judge_expects) return;
  std::vector<std::string> help;
  for (const Diagnostic& diagnostic : inner.all()) {
    help.push_back(fmt::format("it gave {}: {}", info(diagnostic.kind).name, diagnostic.message));
  }
  if (help.empty()) help.push_back("the block has no error at all");
  report(context.check, DiagnosticKind::ExpectedErrorMissing, statement.at.span,
         fmt::format("the block was to give the error {}", expect.kind.text), std::move(help));
}

}  // namespace shard
