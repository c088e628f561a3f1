#include "interpreter/statements/gradient/at_place.h"

#include <vector>

#include "grammar/tree/walk_expression.h"

namespace shard {

namespace {

class Placing {
 public:
  explicit Placing(ast::Location place) : place_(place) {}

  void put(ast::Identifier& name) const { name.at = place_; }
  void put(std::vector<ast::Identifier>& names) const {
    for (ast::Identifier& name : names) put(name);
  }

  void put(ast::Dimension& dimension) const {
    dimension.at = place_;
    put(dimension.axes);
    match(
        dimension.name, [&](ast::Identifier& name) { put(name); },
        [&](ast::Number& number) { number.at = place_; },
        [&](Box<ast::Expr>& length) { put(*length); },
        [&](ast::Slice& slice) {
          if (slice.begin) put(**slice.begin);
          if (slice.end) put(**slice.end);
        },
        [](ast::Rest&) {});
  }

  void put(ast::ArrayRef& array) const {
    array.at = place_;
    if (array.name) put(*array.name);
    if (array.dtype) put(*array.dtype);
    for (ast::Dimension& dimension : array.dimensions) put(dimension);
    for (ast::Index& index : array.indices) {
      if (index.dimension) put(*index.dimension);
      put(*index.value);
    }
    put(array.unreduced);
    for (ast::Placement& placement : array.placed) {
      put(placement.axis);
      put(*placement.coordinate);
    }
  }

  void put(ast::Expr& expr) const {
    expr.at = place_;
    match(
        expr.node, [&](ast::Number& number) { number.at = place_; },
        [&](ast::ArrayRef& array) { put(array); },
        [&](ast::Product& product) {
          product.sign = place_;
          put(product.index);
        },
        [&](ast::Binary& binary) { binary.sign = place_; },
        [&](ast::Collective& collective) {
          collective.name = place_;
          put(collective.axes);
          if (collective.shift) collective.shift->at = place_;
        },
        [&](ast::Call& call) {
          put(call.function);
          put(call.subscript);
        },
        [&](ast::Indexed& indexed) {
          for (ast::Index& index : indexed.indices) {
            if (index.dimension) put(*index.dimension);
          }
        },
        [&](ast::SizeOf& size) { put(size.name); }, [](auto&) {});
    for_each_operand(expr, [&](ast::Expr& operand) { put(operand); });
  }

  void put(ast::Flow& flow) const {
    put(flow.value);
    put(flow.target);
  }

 private:
  ast::Location place_;
};

}  // namespace

void put_at(ast::Statement& statement, ast::Location place) {
  const Placing placing(place);
  statement.at = place;
  match(
      statement.node, [&](ast::Flow& flow) { placing.put(flow); },
      [&](ast::Declaration& declaration) {
        for (ast::ArrayRef& array : declaration.arrays) placing.put(array);
        placing.put(declaration.dtype);
        if (declaration.makes) placing.put(*declaration.makes);
      },
      [&](ast::Bindings& bindings) {
        for (ast::Binding& binding : bindings.items) {
          placing.put(binding.name);
          placing.put(*binding.value);
        }
      },
      [&](ast::Fused& fused) {
        for (ast::Statement& inner : fused.body) put_at(inner, place);
      },
      [](auto&) {});
}

}  // namespace shard
