#include "interpreter/suggest/occurrences.h"

#include "grammar/tree/names.h"
#include "grammar/tree/statement_parts.h"
#include "grammar/tree/walk_expression.h"

namespace shard {

const ast::Identifier* name_of_dimension(const ast::Dimension& dimension) {
  return std::get_if<ast::Identifier>(&dimension.name);
}

int Occurrences::count(const std::string& key) const {
  const auto in_brackets = bracketed_.find(key);
  const auto alone = bare.find(key);
  return (in_brackets == bracketed_.end() ? 0 : in_brackets->second) +
         (alone == bare.end() || axes.count(key) != 0 ? 0 : alone->second);
}

void Occurrences::read(const std::vector<ast::Statement>& statements) {
  for (const ast::Statement& statement : statements) read(statement);
}

void Occurrences::read(const ast::Statement& statement) {
  match(
      statement.node, [&](const ast::Mesh& mesh) { read(mesh); },
      [&](const ast::Bindings& bindings) {
        for (const ast::Binding& binding : bindings.items) read(binding);
      },
      [&](const ast::Declaration& declaration) {
        for (const ast::ArrayRef& array : declaration.arrays) {
          read(array).declared = true;
          if (declaration.sizes.empty()) continue;
          for (const ast::Dimension& dimension : array.dimensions) {
            if (const auto* name = name_of_dimension(dimension)) give_size(name_key(name->text));
          }
        }
        if (declaration.makes) read(declaration.makes->value);
      },
      [&](const ast::Flow& flow) {
        read(flow.value);
        write(flow.target);
      },
      [&](const ast::Results& results) {
        read(results.value);
        for (const ast::ArrayRef& target : results.targets) write(target);
      },
      [&](const ast::Equation& equation) {
        read(equation.left);
        read(equation.right);
      },
      [&](const ast::Evaluate& evaluate) { read(evaluate.value); },
      [&](const ast::Mention& mention) {
        for (const ast::ArrayRef& array : mention.arrays) read(array).declared |= mention.given;
      },
      [&](const ast::Print& print) {
        for (const ast::Expr& value : print.values) read(value);
      },
      [&](const ast::Plot& plot) {
        for (const ast::Expr& value : plot.series) read(value);
      },
      [&](const ast::Expect& expect) { read(expect.condition); },
      [&](const ast::Require& require) { read(require.condition); },
      [&](const ast::ExpectError& expect) {
        const bool outside = std::exchange(may_be_wrong_, true);
        read(expect.body);
        may_be_wrong_ = outside;
      },
      [&](const ast::ExpectSteps& expect) { read(expect.body); },
      [&](const ast::Why& why) {
        if (why.array) count_bare(*why.array);
      },
      [&](const ast::Backward& backward) {
        read(backward.of);
        for (const ast::ArrayRef& kept : backward.kept) read(kept);
      },
      [&](const ast::Function& function) { read(function); },
      [&](const ast::Return& node) {
        for (const ast::Expr& value : node.values) read(value);
      },
      [&](const ast::Loop& loop) { read(loop); },
      [&](const ast::If& node) {
        read(node.condition);
        read(node.body);
        if (node.otherwise) read(*node.otherwise);
      },
      [&](const ast::Save& save) { read(save.array); },
      [&](const ast::Group& group) { read(group.body); },
      [&](const ast::Fused& fused) { read(fused.body); },
      [&](const ast::Best& best) { read(best.body); },
      [&](const NamesOneArray auto& node) { read(node.array); }, [](const auto&) {});
}

void Occurrences::read(const ast::Mesh& mesh) {
  for (const ast::MeshAxis& axis : mesh.axes) axes.insert(name_key(axis.name.text));
}

void Occurrences::read(const ast::Binding& binding) {
  const std::string key = name_key(binding.name.text);
  read(*binding.value);
  count_bare(binding.name);
  give_size(key);
  array_of(key, binding.name.text).written = true;
  if (std::holds_alternative<ast::Number>(binding.value->node))
    sizes.push_back({&binding.name, &*binding.value, block_});
  else if (!may_be_wrong_)
    bound.emplace_back(function_, &binding.name);
}

void Occurrences::read(const ast::Function& function) {
  const std::string outside = std::exchange(function_, name_key(function.name.text));
  for (const ast::ArrayRef& parameter : function.parameters) {
    KnownArray& array = read(parameter);
    array.declared = true;
    if (!parameter.bracketed && parameter.name) give_size(name_key(parameter.name->text));
  }
  read(function.body);
  function_ = outside;
}

void Occurrences::read(const ast::Loop& loop) {
  match(
      loop.values,
      [&](const ast::Range& range) {
        read(range.begin);
        read(range.end);
      },
      [&](const std::vector<ast::Alternative>& list) {
        for (const ast::Alternative& item : list) {
          match(
              item.value, [&](const ast::Expr& value) { read(value); },
              [&](const ast::Mesh& mesh) { read(mesh); }, [](const ast::Hardware&) {});
        }
        sizes.push_back({&loop.variable, nullptr, block_});
      });
  count_bare(loop.variable);
  give_size(name_key(loop.variable.text));
  read(loop.body);
}

void Occurrences::read(const ast::Expr& expr) {
  match(
      expr.node, [&](const ast::ArrayRef& array) { read(array); },
      [&](const ast::Product& product) { count_bracketed(product.index); },
      [&](const ast::Collective& collective) {
        for (const ast::Destination& destination : collective.destinations)
          count_bracketed({destination.dimension});
      },
      [&](const ast::Call& call) { count_bracketed(call.subscript); },
      [&](const ast::Shaped& shaped) {
        for (const ast::Dimension& dimension : shaped.dimensions) read(dimension);
      },
      [&](const ast::Indexed& indexed) {
        for (const ast::Index& index : indexed.indices) {
          if (index.dimension) count_bracketed({*index.dimension});
        }
      },
      [&](const ast::SizeOf& size) { count_bare(size.name); },
      [&](const ast::BlockExpr& block) {
        const int outside = std::exchange(block_, ++blocks_);
        read(block.body);
        block_ = outside;
      },
      [&](const ast::Question& question) { read(*question.asked); }, [](const auto&) {});
  for_each_operand(expr, [&](const ast::Expr& operand) { read(operand); });
}

void Occurrences::read(const ast::Dimension& dimension) {
  if (const auto* name = name_of_dimension(dimension)) count_bracketed({*name});
  if (const auto* length = std::get_if<Box<ast::Expr>>(&dimension.name)) read(**length);
  if (const auto* part = std::get_if<ast::Slice>(&dimension.name)) {
    if (part->begin) read(**part->begin);
    if (part->end) read(**part->end);
  }
}

KnownArray& Occurrences::read(const ast::ArrayRef& array, bool written) {
  for (const ast::Dimension& dimension : array.dimensions) read(dimension);
  for (const ast::Index& index : array.indices) {
    if (index.dimension) count_bracketed({*index.dimension});
    read(*index.value);
  }
  for (const ast::Placement& place : array.placed) read(*place.coordinate);
  if (!array.name) return unnamed_;
  if (!array.bracketed) return count_bare(*array.name);
  KnownArray& known = array_of(name_key(array.name->text), array.name->text);
  ++known.count;
  std::vector<std::string> dimensions;
  for (const ast::Dimension& dimension : array.dimensions) {
    const auto* name = name_of_dimension(dimension);
    dimensions.push_back(name == nullptr ? "" : name_key(name->text));
  }
  known.appearances.push_back({&array, std::move(dimensions), written, may_be_wrong_, block_});
  return known;
}

void Occurrences::give_size(const std::string& key) {
  sized.insert(key);
  sized_in[block_].insert(key);
}

void Occurrences::write(const ast::ArrayRef& array) { read(array, true).written = true; }

void Occurrences::count_bracketed(const std::vector<ast::Identifier>& names) {
  for (const ast::Identifier& name : names) ++bracketed_[name_key(name.text)];
}

KnownArray& Occurrences::count_bare(const ast::Identifier& name) {
  const std::string key = name_key(name.text);
  ++bare[key];
  KnownArray& array = array_of(key, name.text);
  ++array.count;
  return array;
}

KnownArray& Occurrences::array_of(const std::string& key, const std::string& name) {
  KnownArray& array = arrays[{function_, key}];
  if (array.name.empty()) array.name = name;
  return array;
}

}  // namespace shard
