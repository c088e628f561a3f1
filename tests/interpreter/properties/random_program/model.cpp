#include "tests/interpreter/properties/random_program/model.h"

#include <algorithm>

#include "tests/interpreter/properties/random_program/judge.h"

namespace shard::random_program {

Model::Model(const Script& header) {
  for (const Axis& axis : header.axes) axes_[axis.name] = axis.length;
  for (const Dimension& dimension : header.dimensions) lengths_[dimension.name] = dimension.length;
  for (const Declaration& declaration : header.declarations) declare(declaration);
}

void Model::declare(const Declaration& declaration) {
  const Brackets& brackets = declaration.array;
  ModelArray array{
      .name = brackets.name, .dims = brackets.dims, .dtype = declaration.dtype, .declared = true};
  array.copies = {trimmed(written(brackets))};
  std::vector<std::int64_t> shape;
  for (const std::string& dimension : array.dims) shape.push_back(lengths_.at(dimension));
  array.values = input_values(brackets.name, shape, array.dtype);
  arrays_.push_back(std::move(array));
  names_[brackets.name] = arrays_.size() - 1;
}

Verdict Model::judge(const Statement& statement) {
  Verdict verdict;
  Judge(*this, verdict).judge(statement);
  return verdict;
}

std::int64_t Model::length_of_axes(const Names& axes) const {
  std::int64_t length = 1;
  for (const std::string& axis : axes) length *= axes_.at(axis);
  return length;
}

std::int64_t Model::length_of_dimension(const std::string& name) const { return lengths_.at(name); }

bool Model::divides(const std::string& dimension, const Names& axes) const {
  return lengths_.at(dimension) % length_of_axes(axes) == 0;
}

Placement Model::trimmed(Placement placement) const {
  const auto trivial = [&](const std::string& axis) { return axes_.at(axis) == 1; };
  for (Names& split : placement.dims) std::erase_if(split, trivial);
  std::erase_if(placement.unreduced, trivial);
  return placement;
}

}  // namespace shard::random_program
