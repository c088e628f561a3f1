#include "interpreter/solve/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/words.h"
#include "grammar/print/printer.h"
#include "grammar/tree/walk_expression.h"
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

// Numbers and names have one value however the axes lie; what statements cost, and figures, may have another.
bool may_differ(const ast::Expr& least) {
  return any_inside(least, [](const ast::Expr& expr) {
    return std::holds_alternative<ast::Member>(expr.node) ||
           std::holds_alternative<ast::BlockExpr>(expr.node) ||
           std::holds_alternative<ast::Question>(expr.node) ||
           std::holds_alternative<ast::Call>(expr.node);
  });
}

// Whether placements can be compared by it; reports BadArgument if not.
bool is_comparable(const Quantity& value, const ast::Expr& least, CheckContext& context) {
  if (!may_differ(least)) {
    report(context, DiagnosticKind::BadArgument, least.at.span,
           fmt::format("placements are compared by what they change, and `{}` is the same under "
                       "each",
                       one_line(print(least, Spelling::Unicode))),
           {"`mesh {X: 8, Y: 8} place best c.time`"});
    return false;
  }
  if (value.value.constant()) return true;
  const std::string lacking = join_words(value.value.symbols());
  report(context, DiagnosticKind::BadArgument, least.at.span,
         fmt::format("placements are compared by a number, and this is {}", to_text(value)),
         {context.scope.machine.chip
              ? fmt::format("give {} a value before the mesh", lacking)
              : fmt::format("{} {} not known before a chip is named: hardware TPUv5p 4x4x4",
                            lacking, value.value.symbols().size() == 1 ? "is" : "are")});
  return false;
}

}  // namespace

std::optional<BestPlacement> best_placement(const ast::Mesh& mesh, Span span,
                                            EvaluationContext& context) {
  std::vector<ast::Mesh> placements = placements_of(mesh, context.check);
  const bool is_only = placements.empty();
  if (is_only) placements.push_back(mesh);
  std::vector<BestPlacement> tried;
  for (ast::Mesh& placement : placements) {
    auto value = value_under(placement, **mesh.least, span, context);
    if (!value || !is_comparable(*value, **mesh.least, context.check)) return std::nullopt;
    tried.push_back({std::move(placement), std::move(*value)});
  }
  const auto best = std::min_element(tried.begin(), tried.end(),
                                     [](const BestPlacement& a, const BestPlacement& b) {
                                       return *a.value.value.constant() < *b.value.value.constant();
                                     });
  std::string text = "with mesh " + axes_text(best->mesh);
  if (is_only) text += ", which fits in one way";
  for (auto other = tried.begin(); other != tried.end(); ++other) {
    if (other != best)
      text += fmt::format("; {}: {}", axes_text(other->mesh), to_text(other->value));
  }
  BestPlacement found = std::move(*best);
  found.value.remark = std::make_shared<const std::string>(text);
  return found;
}

}  // namespace shard
