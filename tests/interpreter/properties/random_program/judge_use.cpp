// Statements as a whole, brackets, and arrays where they are used.
#include <algorithm>

#include "tests/interpreter/properties/random_program/judge.h"

namespace shard::random_program {

namespace {

using Kind = DiagnosticKind;

bool uses(const Expr& value, const std::string& name) {
  if (value.kind == Expr::Kind::Use) return value.use.name == name;
  return std::any_of(value.operands.begin(), value.operands.end(),
                     [&](const Expr& operand) { return uses(operand, name); });
}

}  // namespace

void Judge::judge(const Statement& statement) {
  const Brackets* target = statement.target ? &*statement.target : nullptr;
  const bool written_well = target != nullptr && !target->bare && check_brackets(*target);
  if (written_well && !uses(statement.value, target->name)) check_declared(*target);
  auto result = resolve(statement.value, target != nullptr && !target->bare ? target : nullptr);
  if (!result || !verdict_.errors.empty() || !verdict_.known) return;
  if (target == nullptr) return add_unnamed(statement.value, std::move(*result));
  const bool is_copy = result->moved && model_.names_.count(target->name) != 0 &&
                       model_.names_.at(target->name) == *result->moved;
  const Names labels = target->bare ? result->labels : target->dims;
  if (target->bare && !is_copy && is_made_as_declared(target->name, labels))
    return void(verdict_.known = false);
  if (statement.value.kind != Expr::Kind::Product &&
      !check_labels(statement.value, labels, result->labels, is_copy))
    return;
  const std::optional<Placement> goal =
      target->bare ? std::nullopt : std::optional(model_.trimmed(written(*target)));
  if (goal && !check_goal(statement.value, *result, *goal)) return;
  if (is_copy)
    add_copy(statement.value, *result, goal);
  else
    add_array(statement.value, std::move(*result), *target, labels, goal);
}

// What is declared, and neither made nor read yet, is made as it is declared.
void Judge::check_declared(const Brackets& target) {
  const auto found = model_.names_.find(target.name);
  if (found == model_.names_.end()) return;
  const ModelArray& array = model_.arrays_[found->second];
  if (!array.declared || array.computed || array.was_read) return;
  const bool same =
      array.dims == target.dims && array.copies.front() == model_.trimmed(written(target));
  if (!same) fail(Kind::TargetMismatch);
}

bool Judge::is_made_as_declared(const std::string& name, const Names& labels) const {
  const auto found = model_.names_.find(name);
  if (found == model_.names_.end()) return false;
  const ModelArray& array = model_.arrays_[found->second];
  return array.declared && (array.computed || !array.was_read || array.dims == labels);
}

bool Judge::check_brackets(const Brackets& brackets) {
  const Placement placement = written(brackets);
  Verdict inner;
  std::swap(inner.errors, verdict_.errors);
  for (std::size_t i = 0; i < brackets.dims.size(); ++i) {
    bool known = true;
    for (const std::string& axis : brackets.axes[i]) known = known && check_axis(axis);
    if (known && !model_.divides(brackets.dims[i], brackets.axes[i])) fail(Kind::NotDivisible);
    if (place_of(brackets.dims, brackets.dims[i]) != i) fail(Kind::DimensionReused);
    if (brackets.axes[i].size() > 1) verdict_.facts.insert("two axes on one dimension");
    for (const std::string& axis : brackets.axes[i]) {
      if (known && model_.axes_.at(axis) == 1) verdict_.facts.insert("axis of size 1");
    }
  }
  for (const std::string& axis : brackets.unreduced) check_axis(axis);
  if (has_repetition(placement)) fail(Kind::AxisReused);
  const bool fine = verdict_.errors.empty();
  verdict_.errors.merge(inner.errors);
  return fine;
}

bool Judge::check_axis(const std::string& axis) {
  if (model_.axes_.count(axis) == 0) fail(Kind::UnknownAxis);
  return model_.axes_.count(axis) != 0;
}

std::vector<std::int64_t> Judge::shape_of(const Names& dims) const {
  std::vector<std::int64_t> shape;
  for (const std::string& dimension : dims) shape.push_back(model_.length_of_dimension(dimension));
  return shape;
}

std::optional<Judged> Judge::resolve(const Expr& value, const Brackets* target) {
  switch (value.kind) {
    case Expr::Kind::Use:
      return resolve_use(value.use);
    case Expr::Kind::Product:
      return resolve_product(value, target);
    case Expr::Kind::Collective:
      return resolve_collective(value, target);
  }
  return std::nullopt;
}

std::optional<Judged> Judge::resolve_use(const Brackets& use) {
  const auto found = model_.names_.find(use.name);
  if (use.bare) {
    if (found == model_.names_.end()) return fail(Kind::UnknownName), std::nullopt;
    const ModelArray& array = model_.arrays_[found->second];
    if (!array.copies_known && array.placement_known) verdict_.known = false;
    if (!array.placement_known) return read(found->second, array.dims, std::nullopt);
    return read(found->second, array.dims, array.copies.back());
  }
  if (!check_brackets(use)) return std::nullopt;
  if (found == model_.names_.end()) return read(add_input(use), use.dims, written(use));
  ModelArray& array = model_.arrays_[found->second];
  if (!check_use_labels(use, array) || !find_copy(use, array)) return std::nullopt;
  return read(found->second, use.dims, written(use));
}

std::size_t Judge::add_input(const Brackets& use) {
  ModelArray array{.name = use.name, .dims = use.dims, .copies = {model_.trimmed(written(use))}};
  array.values = input_values(use.name, shape_of(use.dims), array.dtype);
  model_.arrays_.push_back(std::move(array));
  return model_.names_[use.name] = model_.arrays_.size() - 1;
}

bool Judge::check_use_labels(const Brackets& use, const ModelArray& array) {
  if (use.dims == array.dims) return true;
  if (use.dims.size() != array.dims.size()) return fail(Kind::RankMismatch), false;
  if (same_set(use.dims, array.dims)) return fail(Kind::TransposedUse), false;
  verdict_.facts.insert("renamed dimensions");
  if (shape_of(use.dims) == shape_of(array.dims)) return true;
  return fail(Kind::SizeMismatch), false;
}

bool Judge::find_copy(const Brackets& use, ModelArray& array) {
  const Placement wanted = model_.trimmed(written(use));
  if (!array.placement_known) return verdict_.known = false;
  if (std::find(array.copies.begin(), array.copies.end(), wanted) != array.copies.end()) {
    if (array.copies.size() > 1) verdict_.facts.insert("one of several copies");
    return true;
  }
  if (!array.computed) {
    array.copies.push_back(wanted);
    verdict_.facts.insert("second input layout");
    return true;
  }
  if (!array.copies_known) return verdict_.known = false;
  return fail(Kind::NoSuchCopy), false;
}

Judged Judge::read(std::size_t id, const Names& labels, std::optional<Placement> placement) {
  ModelArray& array = model_.arrays_[id];
  array.was_read = true;
  Judged result{.labels = labels,
                .placement = std::move(placement),
                .dtype = array.dtype,
                .values = array.values};
  const bool pending = result.placement && !model_.trimmed(*result.placement).unreduced.empty();
  if (!pending) result.values = rounded(array.dtype, std::move(result.values));
  result.moved = id;
  return result;
}

}  // namespace shard::random_program
