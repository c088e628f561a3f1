#include "interpreter/holes/walk_block.h"

#include <algorithm>
#include <string>

#include "base/match.h"
#include "grammar/tree/statement_parts.h"
#include "grammar/tree/walk_expression.h"

namespace shard {

namespace {

class BlockWalker {
 public:
  explicit BlockWalker(const BlockWalk& walk) : walk_(walk) {}

  void visit(std::vector<ast::Statement>& body) {
    for (ast::Statement& statement : body) visit(statement);
  }

 private:
  void visit(ast::ArrayRef& array) {
    for (ast::Index& index : array.indices) visit(*index.value);
    if (walk_.array) walk_.array(array);
  }

  void visit(ast::Expr& expr) {
    if (auto* array = std::get_if<ast::ArrayRef>(&expr.node)) visit(*array);
    if (auto* block = std::get_if<ast::BlockExpr>(&expr.node)) visit(block->body);
    for_each_operand(expr, [&](ast::Expr& operand) { visit(operand); });
    if (auto* shaped = std::get_if<ast::Shaped>(&expr.node); shaped != nullptr && walk_.shaped)
      walk_.shaped(*shaped);
    if (const auto* call = std::get_if<ast::Call>(&expr.node); call != nullptr && walk_.call)
      walk_.call(*call);
  }

  void visit(std::vector<ast::ArrayRef>& arrays) {
    for (ast::ArrayRef& array : arrays) visit(array);
  }
  void visit(std::vector<ast::Expr>& values) {
    for (ast::Expr& value : values) visit(value);
  }

  void visit(ast::Flow& flow) {
    visit(flow.value);
    visit(flow.target);
  }

  // Whether it has statements inside, which are visited.
  bool visit_blocks(ast::Statement& statement) {
    return match(
        statement.node,
        [&](ast::Loop& node) {
          visit(node.body);
          return true;
        },
        [&](ast::If& node) {
          visit(node.body);
          if (node.otherwise) visit(*node.otherwise);
          return true;
        },
        [&](ast::Group& node) {
          visit(node.body);
          return true;
        },
        [&](ast::Fused& node) {
          visit(node.body);
          return true;
        },
        [&](ast::Function& node) {
          visit(node.parameters);
          visit(node.body);
          return true;
        },
        // Holes of a block inside are its own.
        [](ast::Best&) { return true; }, [](ast::ExpectError&) { return true; },
        [](ast::ExpectSteps&) { return true; }, [](auto&) { return false; });
  }

  void visit(ast::Statement& statement) {
    if (visit_blocks(statement)) return;
    if (walk_.statement) walk_.statement(statement);
    match(
        statement.node, [&](ast::Flow& flow) { visit(flow); },
        [&](ast::Bindings& bindings) {
          for (ast::Binding& binding : bindings.items) visit(*binding.value);
        },
        [&](ast::Declaration& declaration) {
          if (declaration.makes) visit(declaration.makes->value);
          visit(declaration.arrays);
          if (declaration.makes) visit(declaration.makes->target);
        },
        [&](ast::Mention& mention) { visit(mention.arrays); },
        [&](ast::Results& results) {
          visit(results.value);
          visit(results.targets);
        },
        [&](ast::Equation& equation) {
          visit(equation.left);
          visit(equation.right);
        },
        [&](ast::Evaluate& evaluate) { visit(evaluate.value); },
        [&](ast::Print& print) { visit(print.values); },
        [&](ast::Expect& expect) { visit(expect.condition); },
        [&](ast::Return& node) { visit(node.values); },
        [&](NamesOneArray auto& node) { visit_one(node.array); }, [](auto&) {});
  }

  void visit_one(ast::ArrayRef& array) { visit(array); }
  void visit_one(ast::Expr& array) { visit(array); }

  const BlockWalk& walk_;
};

bool holds_hole(const std::vector<ast::Dimension>& dimensions) {
  return std::any_of(dimensions.begin(), dimensions.end(), [](const ast::Dimension& dimension) {
    return std::any_of(dimension.axes.begin(), dimension.axes.end(),
                       [](const ast::Identifier& axis) { return is_hole(axis); });
  });
}

}  // namespace

void walk_block(std::vector<ast::Statement>& body, const BlockWalk& walk) {
  BlockWalker(walk).visit(body);
}

ast::Number whole_number(std::int64_t value) {
  return {.value = Rational(value), .unit = kPlain, .text = std::to_string(value), .at = {}};
}

bool is_hole(const ast::Identifier& axis) { return axis.text.starts_with('?'); }

bool is_hole(const ast::MeshAxis& axis) {
  return axis.sizes.size() == 1 && axis.sizes.front().text == "?";
}

bool has_hole(const ast::Flow& flow) {
  return holds_hole(flow.target.dimensions) || any_inside(flow.value, [](const ast::Expr& expr) {
           const auto* array = std::get_if<ast::ArrayRef>(&expr.node);
           const auto* shaped = std::get_if<ast::Shaped>(&expr.node);
           return (array != nullptr && holds_hole(array->dimensions)) ||
                  (shaped != nullptr && holds_hole(shaped->dimensions));
         });
}

}  // namespace shard
