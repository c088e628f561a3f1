// Names and layouts.
#include <algorithm>
#include <array>

#include "tests/interpreter/properties/random_program/statement.h"

namespace shard::random_program {

Brackets Proposer::placed(std::string name, const Names& dims, int pending) {
  Brackets brackets{.name = std::move(name), .dims = dims};
  brackets.axes.resize(dims.size());
  Names axes = axis_names();
  random_.shuffle(axes);
  const std::size_t stack = random_.chance(25) && !dims.empty() ? random_.below(dims.size()) : 99;
  for (const std::string& axis : axes) {
    if (random_.chance(pending)) {
      brackets.unreduced.push_back(axis);
      continue;
    }
    if (dims.empty() || random_.chance(30)) continue;
    const std::size_t place = stack < dims.size() ? stack : random_.below(dims.size());
    Names more = brackets.axes[place];
    more.push_back(axis);
    if (draft_.model.divides(dims[place], more)) brackets.axes[place] = more;
  }
  return brackets;
}

void Proposer::show(const Placement& placement, Brackets& brackets) {
  brackets.axes = placement.dims;
  brackets.unreduced.assign(placement.unreduced.begin(), placement.unreduced.end());
  random_.shuffle(brackets.unreduced);
  for (const std::string& axis : axis_names()) {
    if (draft_.model.length_of_axes({axis}) != 1 || !random_.chance(20) || brackets.dims.empty())
      continue;
    bool used = contains(brackets.unreduced, axis);
    for (const Names& split : brackets.axes) used = used || contains(split, axis);
    if (used) continue;
    Names& split = brackets.axes[random_.below(brackets.dims.size())];
    split.insert(split.begin() + static_cast<std::ptrdiff_t>(random_.below(split.size() + 1)),
                 axis);
  }
}

void Proposer::rename(Brackets& brackets) {
  for (std::string& dimension : brackets.dims) {
    for (const std::string& other : pool_names()) {
      if (contains(brackets.dims, other) || length(other) != length(dimension)) continue;
      dimension = other;
      return;
    }
  }
}

std::string Proposer::new_name() {
  static const Names kNames = {"A",   "B",   "E",     "G", "H",   "A'",  "In", "Out", "Win", "Wout",
                               "Tmp", "W_q", "A_1",   "R", "S",   "T",   "V",  "B'",  "Q1",  "Q2",
                               "h",   "x_1", "dL/dE", "y", "Acc", "K_1", "Z0", "Y0"};
  for (const std::string& name : kNames) {
    if (!contains_name(name) && !contains(used_, name)) {
      used_.push_back(name);
      return name;
    }
  }
  return "Spare" + std::to_string(used_.size());
}

std::string Proposer::old_name() {
  for (const auto& [name, id] : draft_.model.names()) {
    if (random_.chance(50)) return name;
  }
  return new_name();
}

Names Proposer::pool_names() const {
  Names names;
  for (const Dimension& dimension : draft_.script.dimensions) names.push_back(dimension.name);
  return names;
}

Names Proposer::axis_names() const {
  Names names;
  for (const Axis& axis : draft_.script.axes) names.push_back(axis.name);
  return names;
}

std::int64_t Proposer::length(const std::string& dimension) const {
  return draft_.model.length_of_dimension(dimension);
}

std::int64_t Proposer::elements(const Names& dims) const {
  std::int64_t count = 1;
  for (const std::string& dimension : dims) count *= length(dimension);
  return count;
}

}  // namespace shard::random_program
