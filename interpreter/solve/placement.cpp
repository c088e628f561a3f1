#include "interpreter/solve/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/machine/machine.h"
#include "interpreter/solve/open_size.h"

namespace shard {

namespace {

// What is to be least with the mesh laid like that; nullopt after a report.
std::optional<Quantity> value_under(const ast::Mesh& placement, const ast::Expr& least, Span span,
                                    EvaluationContext& context) {
  Scope& scope = context.check.scope;
  AskedTables tables(scope);
  tables.forget_mistakes();
  DiagnosticSink unseen;
  CheckContext check{scope, unseen, context.check.scalars};
  check_mesh(placement, span, check);
  if (unseen.has_errors()) return std::nullopt;
  CheckContext told{scope, context.check.sink, context.check.scalars};
  EvaluationContext inner{told, context.host};
  return evaluate_quantity(least, inner);
}

}  // namespace

std::optional<BestPlacement> best_placement(const ast::Mesh& mesh, Span span,
                                            EvaluationContext& context) {
  std::vector<BestPlacement> tried;
  for (ast::Mesh& placement : placements_of(mesh, context.check)) {
    auto value = value_under(placement, **mesh.least, span, context);
    if (!value) return std::nullopt;
    if (!value->value.constant()) {
      report(context.check, DiagnosticKind::BadArgument, (*mesh.least)->at.span,
             fmt::format("placements are compared by a number, and this is {}", to_text(*value)),
             {fmt::format("give {} a value before the mesh", join_words(value->value.symbols()))});
      return std::nullopt;
    }
    tried.push_back({std::move(placement), std::move(*value)});
  }
  if (tried.empty()) return std::nullopt;
  const auto best = std::min_element(tried.begin(), tried.end(),
                                     [](const BestPlacement& a, const BestPlacement& b) {
                                       return *a.value.value.constant() < *b.value.value.constant();
                                     });
  std::string text = "with mesh " + axes_text(best->mesh);
  for (auto other = tried.begin(); other != tried.end(); ++other) {
    if (other != best)
      text += fmt::format("; {}: {}", axes_text(other->mesh), to_text(other->value));
  }
  BestPlacement found = std::move(*best);
  found.value.remark = std::make_shared<const std::string>(text);
  return found;
}

}  // namespace shard
