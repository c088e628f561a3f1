#include "interpreter/statements/requested_copy.h"

#include <fmt/format.h>

#include "grammar/print/printer.h"
#include "interpreter/check/array.h"
#include "interpreter/lower/step_writer.h"

namespace shard {

std::optional<CopyId> requested_copy(const ast::Expr& array, Program& program,
                                     CheckContext& context) {
  const auto* ref = std::get_if<ast::ArrayRef>(&array.node);
  if (ref == nullptr || !ref->indices.empty()) {
    report(context, DiagnosticKind::NotArray, array.at.span,
           fmt::format("`{}` is no array that is there", print(array, Spelling::Unicode)),
           {"give it a name on a line of its own first"});
    return std::nullopt;
  }
  const auto use = check_use(*ref, context);
  if (!use) return std::nullopt;
  StepWriter writer(context.scope, context.scope.held, program);
  const auto& known = std::get<checked::Use>(use->node);
  const Layout layout = writer.trimmed(known.layout);
  // After a mistake an array is known, and there is no copy of it.
  if (find_copy(known.array, layout, context.scope) == nullptr) return std::nullopt;
  set_machine(program, context.scope.hardware());
  return writer.live_copy(known.array, layout);
}

}  // namespace shard
