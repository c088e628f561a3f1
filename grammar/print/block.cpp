// Statements with blocks in canonical spelling.
#include "grammar/print/context.h"

namespace shard {

void Printer::function(const ast::Function& function, int indent) {
  put("fn ", function.name.text, '(');
  list(function.parameters, ", ", [&](const ast::ArrayRef& parameter) { array(parameter); });
  put(") ");
  block(function.body, function.trailing, indent);
}

void Printer::loop(const ast::Loop& loop, int indent) {
  put("for ", loop.variable.text, " in ");
  if (const auto* range = std::get_if<ast::Range>(&loop.values)) {
    expression(range->begin, indent);
    put("..");
    expression(range->end, indent);
  } else {
    const auto& alternatives = std::get<std::vector<ast::Alternative>>(loop.values);
    const bool spread = !alternatives.empty() && alternatives.front().spread;
    if (!spread) put('[');
    list(alternatives, ", ", [&](const ast::Alternative& item) {
      match(
          item.value, [&](const ast::Expr& expr) { expression(expr, indent); },
          [&](const ast::Mesh& mesh) { put(axes_text(mesh)); },
          [&](const ast::Hardware& hardware) { put(machine_text(hardware)); });
    });
    if (!spread) put(']');
  }
  put(' ');
  block(loop.body, loop.trailing, indent);
}

void Printer::condition(const ast::If& node, int indent) {
  put("if ");
  expression(node.condition, indent);
  // On one line `A[I] {n = 3}` would be what the devices with n = 3 hold.
  const bool brackets = text_.back() == ']' || text_.back() == '}';
  const bool binds =
      !node.body.empty() && std::holds_alternative<ast::Bindings>(node.body.front().node);
  put(' ');
  block(node.body, node.trailing, indent, !(brackets && binds));
  if (!node.otherwise) return;
  const auto& otherwise = *node.otherwise;
  const bool chained = otherwise.size() == 1 && node.otherwise_trailing.empty() &&
                       otherwise.front().leading.empty() && otherwise.front().trailing.empty() &&
                       std::holds_alternative<ast::If>(otherwise.front().node);
  put(" else ");
  if (chained) return condition(std::get<ast::If>(otherwise.front().node), indent);
  block(otherwise, node.otherwise_trailing, indent);
}

}  // namespace shard
