// Statements with blocks in canonical spelling.
#include <fmt/format.h>

#include "grammar/print_context.h"

namespace shard {

std::string Printer::function(const ast::Function& function, int indent) const {
  std::string parameters;
  for (const ast::ArrayRef& parameter : function.parameters)
    parameters += (parameters.empty() ? "" : ", ") + array(parameter);
  return fmt::format("fn {}({}) {}", function.name.text, parameters,
                     block(function.body, function.trailing, indent));
}

std::string Printer::loop(const ast::Loop& loop, int indent) const {
  std::string values;
  if (const auto* range = std::get_if<ast::Range>(&loop.values)) {
    values =
        fmt::format("{}..{}", expression(range->begin, indent), expression(range->end, indent));
  } else {
    for (const auto& item : std::get<std::vector<ast::Alternative>>(loop.values)) {
      values += values.empty() ? "" : ", ";
      values += match(
          item.value, [&](const ast::Expr& expr) { return expression(expr, indent); },
          [](const ast::Mesh& mesh) { return axes_text(mesh); },
          [](const ast::Hardware& hardware) { return machine_text(hardware); });
    }
    values = "[" + values + "]";
  }
  return fmt::format("for {} in {} {}", loop.variable.text, values,
                     block(loop.body, loop.trailing, indent));
}

std::string Printer::condition(const ast::If& node, int indent) const {
  std::string text = fmt::format("if {} {}", expression(node.condition, indent),
                                 block(node.body, node.trailing, indent));
  if (!node.otherwise) return text;
  const auto& otherwise = *node.otherwise;
  const bool chained = otherwise.size() == 1 && node.otherwise_trailing.empty() &&
                       otherwise.front().leading.empty() && otherwise.front().trailing.empty() &&
                       std::holds_alternative<ast::If>(otherwise.front().node);
  text += " else ";
  text += chained ? condition(std::get<ast::If>(otherwise.front().node), indent)
                  : block(otherwise, node.otherwise_trailing, indent);
  return text;
}

}  // namespace shard
