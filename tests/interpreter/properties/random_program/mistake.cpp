#include "tests/interpreter/properties/random_program/mistake.h"

#include <algorithm>

namespace shard::random_program {

namespace {

using Kind = DiagnosticKind;

}  // namespace

void Spoiler::spoil(Kind kind) {
  switch (kind) {
    case Kind::AxisReused:
      return reuse_axis();
    case Kind::UnknownAxis:
      return add_axis("T");
    case Kind::NotDivisible:
      return add_axis(random_.pick(axis_names()));
    case Kind::NoSuchCopy:
    case Kind::WrongCollective:
      return change_layout(kind == Kind::NoSuchCopy ? use() : target());
    case Kind::RankMismatch:
      return drop_dimension(use());
    case Kind::TransposedUse:
      return swap_dimensions(random_.chance(70) ? use() : target());
    case Kind::SizeMismatch:
      return change_dimension(random_.chance(70) ? use() : target());
    case Kind::DimensionReused:
      return repeat_dimension();
    case Kind::DroppedDimension:
      return drop_dimension(target());
    case Kind::TargetMismatch:
      return add_dimension();
    case Kind::ResultUnreduced:
    case Kind::UnreducedOperand:
      return add_unreduced(kind == Kind::ResultUnreduced ? target() : use());
    case Kind::LocalNeedsUnreduced:
      if (Brackets* brackets = target()) brackets->unreduced.clear();
      return;
    case Kind::UnknownName:
      if (Brackets* brackets = use()) *brackets = {.name = "Nowhere", .bare = true};
      return;
    default:
      return spoil_operation(kind);
  }
}

// What is wrong with a sign or a collective, and not with brackets.
void Spoiler::spoil_operation(Kind kind) {
  switch (kind) {
    case Kind::LocalNeedsCommunication:
      statement_.value.local = true;
      return clear_indices();
    case Kind::AmbiguousContraction:
      statement_.target.reset();
      return clear_indices();
    case Kind::BadContraction:
    case Kind::UnknownDimension:
      return change_index();
    case Kind::NoSharedDimension:
      statement_.target.reset();
      return change_dimension(use());
    case Kind::NotSharded:
    case Kind::NotUnreduced:
      if (statement_.value.kind == Expr::Kind::Collective)
        statement_.value.axes = {random_.pick(axis_names())};
      return;
    case Kind::AmbiguousCollective:
      statement_.target.reset();
      statement_.value.homes.clear();
      if (random_.chance(50)) statement_.value.axes.clear();
      return;
    default:
      return;
  }
}

void Spoiler::clear_indices() {
  for (Names& index : statement_.value.indices) index.clear();
}

void Spoiler::collect(Expr& value) {
  if (value.kind == Expr::Kind::Use && !value.use.bare) {
    uses_.push_back(&value.use);
    all_.push_back(&value.use);
  }
  for (Expr& operand : value.operands) collect(operand);
}

Brackets* Spoiler::target() {
  return statement_.target && !statement_.target->bare ? &*statement_.target : nullptr;
}

Names Spoiler::axis_names() const {
  Names names;
  for (const Axis& axis : draft_.script.axes) names.push_back(axis.name);
  return names;
}

const std::string& Spoiler::some_dimension() {
  return draft_.script.dimensions[random_.below(draft_.script.dimensions.size())].name;
}

void Spoiler::reuse_axis() {
  Brackets* brackets = any();
  if (brackets == nullptr || brackets->dims.empty()) return;
  const std::string axis = random_.pick(axis_names());
  brackets->axes[random_.below(brackets->dims.size())].push_back(axis);
  if (random_.chance(30)) {
    brackets->unreduced.push_back(axis);
  } else {
    brackets->axes[random_.below(brackets->dims.size())].push_back(axis);
  }
}

void Spoiler::add_axis(const std::string& axis) {
  Brackets* brackets = any();
  if (brackets == nullptr || brackets->dims.empty()) return;
  if (random_.chance(20) && statement_.value.kind == Expr::Kind::Collective)
    statement_.value.axes.push_back(axis);
  else
    brackets->axes[random_.below(brackets->dims.size())].push_back(axis);
}

void Spoiler::change_layout(Brackets* brackets) {
  if (brackets == nullptr || brackets->dims.empty()) return;
  Names& split = brackets->axes[random_.below(brackets->dims.size())];
  if (split.empty() || random_.chance(30))
    split.push_back(random_.pick(axis_names()));
  else
    split.pop_back();
}

void Spoiler::drop_dimension(Brackets* brackets) {
  if (brackets == nullptr || brackets->dims.empty()) return;
  brackets->dims.pop_back();
  brackets->axes.pop_back();
}

void Spoiler::swap_dimensions(Brackets* brackets) {
  if (brackets == nullptr || brackets->dims.size() < 2) return;
  std::swap(brackets->dims[0], brackets->dims[1]);
  std::swap(brackets->axes[0], brackets->axes[1]);
}

void Spoiler::change_dimension(Brackets* brackets) {
  if (brackets == nullptr || brackets->dims.empty()) return;
  brackets->dims[random_.below(brackets->dims.size())] = some_dimension();
}

void Spoiler::repeat_dimension() {
  Brackets* brackets = any();
  if (brackets == nullptr || brackets->dims.size() < 2) return;
  brackets->dims[0] = brackets->dims[1];
}

void Spoiler::add_dimension() {
  Brackets* brackets = target();
  if (brackets == nullptr) return;
  brackets->dims.push_back(some_dimension());
  brackets->axes.emplace_back();
}

void Spoiler::add_unreduced(Brackets* brackets) {
  if (brackets == nullptr) return;
  const std::string axis = random_.pick(axis_names());
  bool used = contains(brackets->unreduced, axis);
  for (const Names& split : brackets->axes) used = used || contains(split, axis);
  if (!used) brackets->unreduced.push_back(axis);
}

void Spoiler::change_index() {
  if (statement_.value.kind == Expr::Kind::Collective && !statement_.value.homes.empty())
    statement_.value.homes = {some_dimension()};
  for (Names& index : statement_.value.indices) index = {some_dimension()};
}

}  // namespace shard::random_program
