#include "interpreter/statements/requested_copy.h"

#include <fmt/format.h>

#include "grammar/print/printer.h"
#include "interpreter/check/array.h"
#include "interpreter/statements/flow.h"

namespace shard {

std::optional<CopyId> requested_copy(const ast::Expr& array, RunContext& run) {
  CheckContext& context = run.check;
  const auto* ref = std::get_if<ast::ArrayRef>(&array.node);
  if (ref == nullptr || !ref->indices.empty()) {
    report(context, DiagnosticKind::NotArray, array.at.span,
           fmt::format("`{}` is no array that is there", print(array, Spelling::Unicode)),
           {"give it a name on a line of its own first"});
    return std::nullopt;
  }
  const auto use = check_use(*ref, context);
  if (!use) return std::nullopt;
  const auto& known = std::get<checked::Use>(use->node);
  const Layout layout = without_trivial_axes(known.layout, context.scope.mesh());
  // After a mistake an array is known, and there is no copy of it.
  if (find_copy(known.array, layout, context.scope) == nullptr) return std::nullopt;
  return carry_out(checked::Request{known.array, layout}, run);
}

}  // namespace shard
