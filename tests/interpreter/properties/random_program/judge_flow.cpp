// What may flow into a target, and what the target is then.
#include <algorithm>

#include "tests/interpreter/properties/random_program/judge.h"

namespace shard::random_program {

namespace {

using Kind = DiagnosticKind;

}  // namespace

bool Judge::check_labels(const Expr& value, const Names& target, const Names& labels,
                         bool is_copy) {
  if (target == labels) return true;
  if (target.size() != labels.size()) return fail(Kind::TargetMismatch), false;
  if (same_set(target, labels)) {
    if (value.kind == Expr::Kind::Use && !is_copy) return true;
    return fail(Kind::TransposedUse), false;
  }
  verdict_.facts.insert("renamed dimensions");
  if (shape_of(target) == shape_of(labels)) return true;
  return fail(Kind::SizeMismatch), false;
}

bool Judge::check_goal(const Expr& value, const Judged& result, const Placement& goal) {
  if (value.kind == Expr::Kind::Collective) {
    if (model_.trimmed(*result.placement) != goal) fail(Kind::WrongCollective);
  } else if (value.kind == Expr::Kind::Use) {
    check_reachable(result, goal);
  } else if (value.local) {
    const Placement natural = model_.trimmed(*result.placement);
    if (natural == goal) return true;
    const bool sum_forgotten =
        natural.dims == goal.dims && !natural.unreduced.empty() && goal.unreduced.empty();
    fail(sum_forgotten ? Kind::LocalNeedsUnreduced : Kind::LocalNeedsCommunication);
  } else if (!goal.unreduced.empty()) {
    check_unreduced_product(value, result, goal);
  }
  return verdict_.errors.empty() && verdict_.known;
}

void Judge::check_reachable(const Judged& result, const Placement& goal) {
  const ModelArray& array = model_.arrays_[*result.moved];
  if (!array.placement_known) return void(verdict_.known = goal.unreduced.empty());
  const bool reachable =
      std::any_of(array.copies.begin(), array.copies.end(), [&](const Placement& copy) {
        return std::includes(copy.unreduced.begin(), copy.unreduced.end(), goal.unreduced.begin(),
                             goal.unreduced.end());
      });
  if (!reachable) fail(Kind::ResultUnreduced);
}

void Judge::check_unreduced_product(const Expr& value, const Judged& result,
                                    const Placement& goal) {
  if (value.operands.size() != 2) return void(verdict_.known = false);
  if (result.placement) {
    const std::set<std::string>& natural = model_.trimmed(*result.placement).unreduced;
    if (std::includes(natural.begin(), natural.end(), goal.unreduced.begin(), goal.unreduced.end()))
      return;
  }
  for (const Expr& operand : value.operands) {
    if (operand.kind != Expr::Kind::Use || operand.use.bare) return void(verdict_.known = false);
  }
  const std::string& axis = *goal.unreduced.begin();
  bool on_summed = false;
  for (const Expr& operand : value.operands) {
    const Placement placement = model_.trimmed(written(operand.use));
    // Another copy may be split otherwise.
    if (model_.arrays_[model_.names_.at(operand.use.name)].copies.size() > 1)
      return void(verdict_.known = false);
    if (const auto place = split_by(placement, axis))
      on_summed = on_summed || contains(verdict_.contracted, operand.use.dims[*place]);
    on_summed = on_summed || placement.unreduced.count(axis) != 0;
  }
  // With several axes it depends on which layouts planning looks at.
  if (on_summed) return void(verdict_.known = false);
  fail(Kind::ResultUnreduced);
}

bool Judge::is_nested(const Expr& value) {
  return value.kind == Expr::Kind::Collective &&
         value.operands.front().kind == Expr::Kind::Collective;
}

void Judge::add_copy(const Expr& value, const Judged& result,
                     const std::optional<Placement>& goal) {
  const std::size_t id = *result.moved;
  ModelArray& array = model_.arrays_[id];
  const Placement placement = goal ? *goal : model_.trimmed(*result.placement);
  std::erase(array.copies, placement);
  array.copies.push_back(placement);
  if (is_nested(value)) array.copies_known = false;
  model_.results_.push_back(id);
  verdict_.facts.insert(value.kind == Expr::Kind::Use ? "re-layout" : "written collective");
  if (is_nested(value)) verdict_.facts.insert("nested collective");
}

void Judge::add_array(const Expr& value, Judged result, const Brackets& target, const Names& labels,
                      const std::optional<Placement>& goal) {
  ModelArray array{.name = target.name, .dims = labels, .dtype = result.dtype, .computed = true};
  const auto earlier = model_.names_.find(target.name);
  if (earlier != model_.names_.end()) {
    const ModelArray& known = model_.arrays_[earlier->second];
    if (known.declared) array.dtype = known.dtype;
    array.declared = known.declared;
    verdict_.facts.insert(known.declared && known.dtype != result.dtype ? "declared target"
                                                                        : "name taken anew");
  }
  if (value.kind == Expr::Kind::Use) {
    verdict_.facts.insert("re-layout");
    weaken(value, result);
    if (labels != result.labels && same_set(labels, result.labels)) {
      verdict_.facts.insert("transpose");
      result.values = transposed(result.values, result.labels, labels);
    }
  }
  if (value.kind == Expr::Kind::Collective) note_collective(value, result);
  // Whether a sum is rounded to the operand's type before it is rounded to the target's is open.
  if (array.dtype != result.dtype &&
      rounded(result.dtype, result.values).exact != result.values.exact)
    result.values.certain = false;
  array.placement_known = goal.has_value() || (value.kind != Expr::Kind::Product || value.local);
  if (goal)
    array.copies = {*goal};
  else if (array.placement_known && result.placement)
    array.copies = {model_.trimmed(*result.placement)};
  else
    array.placement_known = false;
  array.values = std::move(result.values);
  model_.arrays_.push_back(std::move(array));
  model_.names_[target.name] = model_.arrays_.size() - 1;
  model_.results_.push_back(model_.arrays_.size() - 1);
}

void Judge::note_collective(const Expr& value, const Judged& result) {
  verdict_.facts.insert("written collective");
  if (is_nested(value)) verdict_.facts.insert("nested collective");
  if (is_nested(value) && result.moved) model_.arrays_[*result.moved].copies_known = false;
}

void Judge::add_unnamed(const Expr& value, Judged result) {
  if (value.kind == Expr::Kind::Use) return void(verdict_.known = false);
  verdict_.facts.insert("no target");
  if (value.kind == Expr::Kind::Collective) note_collective(value, result);
  ModelArray array{.name = "", .dims = result.labels, .dtype = result.dtype, .computed = true};
  if (result.placement) array.copies = {model_.trimmed(*result.placement)};
  array.values = std::move(result.values);
  model_.arrays_.push_back(std::move(array));
  model_.results_.push_back(model_.arrays_.size() - 1);
}

}  // namespace shard::random_program
