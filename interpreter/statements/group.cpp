// `if`, and braces that group statements.

#include <fmt/format.h>

#include "interpreter/ir/frames.h"
#include "interpreter/statements/flow.h"
#include "interpreter/statements/recorder.h"
#include "interpreter/statements/statement.h"

namespace shard {

void run(const ast::If& node, const ast::Statement&, RunContext& context) {
  const auto value = value_of(node.condition, context);
  if (!value) return;
  const auto* truth = std::get_if<Truth>(&*value);
  if (truth == nullptr) {
    return report(context.check, DiagnosticKind::BadArgument, node.condition.at.span,
                  fmt::format("`if` takes a comparison, and this is {}", to_text(*value)),
                  {"if X > 4 { … }"});
  }
  if (!truth->holds) {
    if (context.scope.machine.failed) return;  // what is wrong with the hardware was reported
    return report(context.check, DiagnosticKind::Undecidable, node.condition.at.span,
                  "this depends on sizes that are not given, so no branch can be taken",
                  {"give the sizes that are missing"});
  }
  if (*truth->holds) {
    run_here(node.body, context);
  } else if (node.otherwise) {
    run_here(*node.otherwise, context);
  }
}

void run(const ast::Group& group, const ast::Statement& statement, RunContext& context) {
  const RegionRecord region(checked::RegionKind::Group, statement.at.span,
                            context.options.recorder);
  GroupFrame frame(context.scope);
  run_here(group.body, context);
  end_with_block(frame.pop(), context);
}

}  // namespace shard
