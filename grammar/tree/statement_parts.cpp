#include "grammar/tree/statement_parts.h"

#include "base/match.h"
#include "grammar/tree/walk_expression.h"

namespace shard {

namespace {

class Collector {
 public:
  explicit Collector(StatementParts& parts) : parts_(parts) {}

  void add(const ast::ArrayRef& array) {
    if (array.bracketed) parts_.brackets.push_back(bracket_part(array));
    for (const ast::Index& index : array.indices) add(*index.value);
  }

  void add(const ast::Expr& expr) {
    match(
        expr.node, [&](const ast::ArrayRef& array) { add(array); },
        [&](const ast::Product& product) { parts_.products.push_back(&product); },
        [&](const ast::Collective& collective) { parts_.collectives.push_back(&collective); },
        [&](const ast::Call& call) { parts_.calls.push_back(&call); },
        [&](const ast::Shaped& shaped) {
          parts_.brackets.push_back({shaped.dimensions, shaped.unreduced, {}});
        },
        [&](const ast::Member& member) { add_axes(member.arguments); }, [](const auto&) {});
    for_each_operand(expr, [&](const ast::Expr& operand) { add(operand); });
  }

  void add(const std::vector<ast::ArrayRef>& arrays) {
    for (const ast::ArrayRef& array : arrays) add(array);
  }

  void add_axes(const std::vector<ast::Identifier>& names) {
    for (const ast::Identifier& name : names) parts_.axes.push_back(&name);
  }

  void add(const ast::MachinePart& part) {
    if (const auto* link = std::get_if<ast::LinkName>(&part.name))
      parts_.axes.push_back(&link->axis);
  }

 private:
  StatementParts& parts_;
};

}  // namespace

BracketPart bracket_part(const ast::ArrayRef& array) {
  BracketPart part{array.dimensions, array.unreduced, {}};
  for (const ast::Placement& place : array.placed) part.placed.push_back(place.axis);
  return part;
}

StatementParts parts_of(const ast::Statement& statement) {
  StatementParts parts;
  Collector collector(parts);
  match(
      statement.node,
      [&](const ast::Flow& flow) {
        collector.add(flow.value);
        collector.add(flow.target);
        collector.add_axes(flow.overlap);
      },
      [&](const ast::Bindings& bindings) {
        for (const ast::Binding& binding : bindings.items) collector.add(*binding.value);
      },
      [&](const ast::Declaration& declaration) {
        collector.add(declaration.arrays);
        if (!declaration.makes) return;
        collector.add(declaration.makes->value);
        collector.add_axes(declaration.makes->overlap);
      },
      [&](const ast::Mention& mention) { collector.add(mention.arrays); },
      [&](const ast::Results& results) {
        collector.add(results.targets);
        collector.add(results.value);
      },
      [&](const ast::Equation& equation) {
        collector.add(equation.left);
        collector.add(equation.right);
      },
      [&](const ast::Evaluate& evaluate) { collector.add(evaluate.value); },
      [&](const ast::Print& print) {
        for (const ast::Expr& value : print.values) collector.add(value);
      },
      [&](const ast::Plot& plot) {
        for (const ast::Expr& value : plot.series) collector.add(value);
      },
      [&](const ast::Expect& expect) { collector.add(expect.condition); },
      [&](const ast::Require& require) { collector.add(require.condition); },
      [&](const ast::Mesh& mesh) {
        if (mesh.least) collector.add(**mesh.least);
      },
      [&](const ast::Return& node) {
        for (const ast::Expr& value : node.values) collector.add(value);
      },
      [&](const ast::Backward& backward) {
        collector.add(backward.of);
        collector.add(backward.kept);
      },
      [&](const ast::Fault& fault) { collector.add(fault.part); },
      [&](const ast::Slow& slow) { collector.add(slow.part); },
      [&](const NamesOneArray auto& node) { collector.add(node.array); }, [](const auto&) {});
  return parts;
}

std::vector<const ast::ArrayRef*> arrays_in(const ast::Expr& expr) {
  std::vector<const ast::ArrayRef*> arrays;
  if (const auto* array = std::get_if<ast::ArrayRef>(&expr.node)) arrays.push_back(array);
  for_each_operand(expr, [&](const ast::Expr& operand) {
    const auto inner = arrays_in(operand);
    arrays.insert(arrays.end(), inner.begin(), inner.end());
  });
  return arrays;
}

bool names_array(const ast::Expr& expr, std::string_view name) {
  const std::string key = name_key(name);
  const auto arrays = arrays_in(expr);
  return std::any_of(arrays.begin(), arrays.end(), [&](const ast::ArrayRef* array) {
    return array->name && name_key(array->name->text) == key;
  });
}

}  // namespace shard
