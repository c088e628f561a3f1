#include "tests/interpreter/program_model.h"

#include <algorithm>
#include <optional>

namespace shard::random_program {

namespace {

using Kind = DiagnosticKind;

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool same_set(const Names& a, const Names& b) {
  return std::set<std::string>(a.begin(), a.end()) == std::set<std::string>(b.begin(), b.end());
}

std::size_t place_of(const Names& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

std::optional<std::size_t> split_by(const Placement& placement, const std::string& axis) {
  for (std::size_t i = 0; i < placement.dims.size(); ++i) {
    if (contains(placement.dims[i], axis)) return i;
  }
  return std::nullopt;
}

bool uses(const Placement& placement, const std::string& axis) {
  return split_by(placement, axis) || placement.unreduced.count(axis) != 0;
}

bool has_repetition(const Placement& placement) {
  std::set<std::string> seen = placement.unreduced;
  for (const Names& split : placement.dims) {
    for (const std::string& axis : split) {
      if (!seen.insert(axis).second) return true;
    }
  }
  return false;
}

Placement written(const Brackets& brackets) {
  return {.dims = brackets.axes, .unreduced = {brackets.unreduced.begin(), brackets.unreduced.end()}};
}

// What an expression leaves.
struct Result {
  Names labels;
  std::optional<Placement> placement;  // as written, or what a product leaves without communication
  DType dtype = DType::Bf16;
  Values values;
  std::optional<std::size_t> moved;  // the array that it is a use of, or collectives of
};

}  // namespace

// Judges one statement. Stops at the first thing that is wrong with it.
class Judge {
 public:
  Judge(Model& model, Verdict& verdict) : model_(model), verdict_(verdict) {}

  void judge(const Statement& statement) {
    const Brackets* target = statement.target ? &*statement.target : nullptr;
    if (target != nullptr && !target->bare) check_brackets(*target);
    auto result = resolve(statement.value, target != nullptr && !target->bare ? target : nullptr);
    if (!result || !verdict_.errors.empty() || !verdict_.known) return;
    if (target == nullptr) return add_unnamed(statement.value, std::move(*result));
    const bool is_copy = result->moved && model_.names_.count(target->name) != 0 &&
                         model_.names_.at(target->name) == *result->moved;
    const Names labels = target->bare ? result->labels : target->dims;
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

 private:
  void fail(Kind kind) { verdict_.errors.insert(kind); }

  bool check_brackets(const Brackets& brackets) {
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

  bool check_axis(const std::string& axis) {
    if (model_.axes_.count(axis) == 0) fail(Kind::UnknownAxis);
    return model_.axes_.count(axis) != 0;
  }

  std::vector<std::int64_t> shape_of(const Names& dims) const {
    std::vector<std::int64_t> shape;
    for (const std::string& dimension : dims) shape.push_back(model_.length_of_dimension(dimension));
    return shape;
  }

  std::optional<Result> resolve(const Expr& value, const Brackets* target) {
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

  // ------------------------------------------------------------ uses

  std::optional<Result> resolve_use(const Brackets& use) {
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

  std::size_t add_input(const Brackets& use) {
    ModelArray array{.name = use.name, .dims = use.dims, .copies = {model_.trimmed(written(use))}};
    array.values = input_values(use.name, shape_of(use.dims), array.dtype);
    model_.arrays_.push_back(std::move(array));
    return model_.names_[use.name] = model_.arrays_.size() - 1;
  }

  // Brackets name every dimension, in order; other names only of equal length.
  bool check_use_labels(const Brackets& use, const ModelArray& array) {
    if (use.dims == array.dims) return true;
    if (use.dims.size() != array.dims.size()) return fail(Kind::RankMismatch), false;
    if (same_set(use.dims, array.dims)) return fail(Kind::TransposedUse), false;
    verdict_.facts.insert("renamed dimensions");
    if (shape_of(use.dims) == shape_of(array.dims)) return true;
    return fail(Kind::SizeMismatch), false;
  }

  bool find_copy(const Brackets& use, ModelArray& array) {
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

  // The values as a statement sees them: partial sums are not rounded yet.
  Result read(std::size_t id, const Names& labels, std::optional<Placement> placement) const {
    const ModelArray& array = model_.arrays_[id];
    Result result{.labels = labels, .placement = std::move(placement), .dtype = array.dtype,
                  .values = array.values};
    const bool pending = result.placement && !model_.trimmed(*result.placement).unreduced.empty();
    if (!pending) result.values = rounded(array.dtype, std::move(result.values));
    result.moved = id;
    return result;
  }

  // ------------------------------------------------------------ products

  std::optional<Result> resolve_product(const Expr& product, const Brackets* target) {
    std::vector<Result> operands;
    for (const Expr& operand : product.operands) {
      auto result = resolve(operand, nullptr);
      if (!result) return std::nullopt;
      if (!product.local) weaken(operand, *result);
      round_if_reduced(*result);
      operands.push_back(std::move(*result));
    }
    for (const Result& operand : operands) {
      if (operand.dtype != operands.front().dtype) return fail(Kind::DtypeMismatch), std::nullopt;
    }
    if (operands.size() == 2 && operands[0].placement && operands[1].placement) {
      const Placement a = model_.trimmed(*operands[0].placement);
      const Placement b = model_.trimmed(*operands[1].placement);
      check_linear(a, b);
      check_linear(b, a);
    }
    if (operands.size() > 2) verdict_.facts.insert("chain of three");
    Result result = operands.front();
    for (std::size_t i = 1; i < operands.size(); ++i) {
      Names later = target != nullptr ? target->dims : Names{};
      for (std::size_t j = i + 1; j < operands.size(); ++j)
        later.insert(later.end(), operands[j].labels.begin(), operands[j].labels.end());
      const bool last = i + 1 == operands.size();
      const auto summed = contracted(product.indices[i - 1], result.labels, operands[i].labels,
                                     later, last, target != nullptr);
      if (!summed) return std::nullopt;
      if (i > 1) result.values = rounded(result.dtype, std::move(result.values));
      // Partial sums within a chain are inference's to reduce.
      if (i > 1 && !product.local && result.placement && operands[i].placement &&
          !is_linear(model_.trimmed(*result.placement), model_.trimmed(*operands[i].placement)))
        result.placement = std::nullopt;
      auto next = multiply(result, operands[i], *summed, product.local);
      if (!next) return std::nullopt;
      result = std::move(*next);
      verdict_.contracted = *summed;
    }
    if (target != nullptr && !check_kept(result.labels, operands, *target)) return std::nullopt;
    if (target != nullptr && target->dims != result.labels) {
      result.values = transposed(result.values, result.labels, target->dims);
      if (result.placement) {
        Placement ordered{.dims = {}, .unreduced = result.placement->unreduced};
        for (const std::string& label : target->dims)
          ordered.dims.push_back(result.placement->dims[place_of(result.labels, label)]);
        result.placement = std::move(ordered);
      }
      result.labels = target->dims;
    }
    return result;
  }

  // Planning may start from another copy or reduce before the product, so when sums are rounded is open.
  void weaken(const Expr& operand, Result& result) {
    if (operand.kind == Expr::Kind::Collective) {
      if (result.moved) model_.arrays_[*result.moved].copies_known = false;
      return;
    }
    if (!result.moved) return;
    ModelArray& array = model_.arrays_[*result.moved];
    array.copies_known = false;
    const bool pending = std::any_of(array.copies.begin(), array.copies.end(),
                                     [](const Placement& copy) { return !copy.unreduced.empty(); });
    if (pending && rounded(array.dtype, array.values).exact != array.values.exact)
      result.values.certain = false;
  }

  std::optional<Names> contracted(const Names& index, const Names& left, const Names& right,
                                  const Names& later, bool last, bool has_target) {
    Names both;
    std::copy_if(left.begin(), left.end(), std::back_inserter(both),
                 [&](const std::string& label) { return contains(right, label); });
    for (const std::string& label : index) {
      if (contains(both, label)) continue;
      const bool somewhere = contains(left, label) || contains(right, label);
      fail(somewhere ? Kind::BadContraction : Kind::UnknownDimension);
      return std::nullopt;
    }
    if (both.empty() && !has_target) return fail(Kind::NoSharedDimension), std::nullopt;
    if (both.size() > 1 && index.empty() && last && !has_target)
      return fail(Kind::AmbiguousContraction), std::nullopt;
    Names open;
    std::copy_if(both.begin(), both.end(), std::back_inserter(open),
                 [&](const std::string& label) { return !contains(later, label); });
    if (open.size() < both.size() || (!index.empty() && index.size() < both.size()))
      verdict_.facts.insert("batch dimension");
    if (index.empty()) return open;
    for (const std::string& label : index) {
      // "An index under the product sign is summed over, so … the target must not [have it]."
      if (contains(later, label) && has_target) {
        fail(Kind::BadContraction);
        fail(Kind::TargetMismatch);
        return std::nullopt;
      }
    }
    for (const std::string& label : open) {
      if (has_target && !contains(index, label)) return fail(Kind::BadContraction), std::nullopt;
    }
    return index;
  }

  std::optional<Result> multiply(const Result& left, const Result& right, const Names& summed,
                                 bool local) {
    Result result{.labels = {}, .placement = std::nullopt, .dtype = left.dtype, .values = {}};
    for (const Names* labels : {&left.labels, &right.labels}) {
      for (const std::string& label : *labels) {
        if (!contains(summed, label) && !contains(result.labels, label))
          result.labels.push_back(label);
      }
    }
    if (summed.size() > 1) verdict_.facts.insert("several contracted dimensions");
    if (left.placement && right.placement) {
      const Placement a = model_.trimmed(*left.placement);
      const Placement b = model_.trimmed(*right.placement);
      if (!check_linear(a, b) || !check_linear(b, a)) return std::nullopt;
      const std::string fact = case_of(left.labels, a, right.labels, b, summed);
      result.placement = local_product(left.labels, a, right.labels, b, result.labels);
      verdict_.facts.insert((local ? "local " : "") + fact);
      if (local && !result.placement) return fail(Kind::LocalNeedsCommunication), std::nullopt;
    } else {
      // Where inference chose a layout, linearity is not ours to judge.
      for (const Result* operand : {&left, &right}) {
        if (operand->placement && !operand->placement->unreduced.empty()) verdict_.known = false;
      }
      if (local) verdict_.known = false;
    }
    result.values = einsum(left.values, left.labels, right.values, right.labels, result.labels);
    return result;
  }

  // Partial sums may be multiplied only with what neither is split nor unreduced over their axes.
  static bool is_linear(const Placement& a, const Placement& b) {
    return std::none_of(a.unreduced.begin(), a.unreduced.end(),
                        [&](const std::string& axis) { return uses(b, axis); });
  }

  bool check_linear(const Placement& a, const Placement& b) {
    if (!is_linear(a, b)) return fail(Kind::UnreducedOperand), false;
    if (!a.unreduced.empty()) verdict_.facts.insert("unreduced operand");
    return true;
  }

  // The documents' case ("sharded matrices", Case 1 to Case 4) of two operands.
  static std::string case_of(const Names& left, const Placement& a, const Names& right,
                             const Placement& b, const Names& summed) {
    std::set<std::string> kept_left;
    std::set<std::string> kept_right;
    bool one_side = false;
    bool both_sides = false;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (!contains(right, left[i])) kept_left.insert(a.dims[i].begin(), a.dims[i].end());
      if (!contains(summed, left[i])) continue;
      const Names& other = b.dims[place_of(right, left[i])];
      one_side = one_side || a.dims[i] != other;
      both_sides = both_sides || (a.dims[i] == other && !other.empty());
    }
    for (std::size_t i = 0; i < right.size(); ++i) {
      if (!contains(left, right[i])) kept_right.insert(b.dims[i].begin(), b.dims[i].end());
    }
    const bool clash = std::any_of(kept_left.begin(), kept_left.end(), [&](const auto& axis) {
      return kept_right.count(axis) != 0;
    });
    if (clash) return "case 4";
    if (one_side) return "case 2";
    return both_sides ? "case 3" : "case 1";
  }

  static std::optional<Placement> local_product(const Names& left, const Placement& a,
                                                const Names& right, const Placement& b,
                                                const Names& labels) {
    Placement product{.dims = std::vector<Names>(labels.size()), .unreduced = a.unreduced};
    product.unreduced.insert(b.unreduced.begin(), b.unreduced.end());
    const auto add = [&](const std::string& label, const Names& split) {
      if (contains(labels, label)) return void(product.dims[place_of(labels, label)] = split);
      product.unreduced.insert(split.begin(), split.end());
    };
    std::size_t axes = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (contains(right, left[i]) && b.dims[place_of(right, left[i])] != a.dims[i])
        return std::nullopt;
      axes += a.dims[i].size();
      add(left[i], a.dims[i]);
    }
    for (std::size_t i = 0; i < right.size(); ++i) {
      if (contains(left, right[i])) continue;
      axes += b.dims[i].size();
      add(right[i], b.dims[i]);
    }
    axes += a.unreduced.size() + b.unreduced.size();
    std::size_t used = product.unreduced.size();
    for (const Names& split : product.dims) used += split.size();
    if (has_repetition(product) || used != axes) return std::nullopt;
    return product;
  }

  bool check_kept(const Names& labels, const std::vector<Result>&, const Brackets& target) {
    for (const std::string& label : labels) {
      if (!contains(target.dims, label)) fail(Kind::DroppedDimension);
    }
    for (const std::string& label : target.dims) {
      if (!contains(labels, label)) fail(Kind::TargetMismatch);
    }
    return verdict_.errors.empty();
  }

  // ------------------------------------------------------------ collectives

  std::optional<Result> resolve_collective(const Expr& collective, const Brackets* target) {
    auto operand = resolve(collective.operands.front(), nullptr);
    if (!operand) return std::nullopt;
    round_if_reduced(*operand);
    if (!operand->placement) return verdict_.known = false, std::nullopt;
    Placement before = *operand->placement;
    Names axes = collective.axes;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (!check_axis(axes[i])) {
        // The last name may be meant as a dimension.
        const bool places = collective.collective == CollectiveKind::ReduceScatter ||
                            collective.collective == CollectiveKind::AllToAll;
        if (places && !collective.dimension && i > 0) fail(Kind::UnknownDimension);
        return std::nullopt;
      }
      if (place_of(axes, axes[i]) != i) return fail(Kind::AxisReused), std::nullopt;
    }
    if (target != nullptr && target->dims.size() != operand->labels.size()) target = nullptr;
    if (axes.empty()) axes = inferred(collective.collective, before, target);
    if (axes.empty()) {
      const bool reduces = collective.collective == CollectiveKind::AllReduce ||
                           collective.collective == CollectiveKind::ReduceScatter;
      fail(reduces && before.unreduced.empty() ? Kind::NotUnreduced : Kind::AmbiguousCollective);
      return std::nullopt;
    }
    if (!apply(collective, axes, before, target, *operand)) return std::nullopt;
    return operand;
  }

  void round_if_reduced(Result& result) const {
    if (result.placement && model_.trimmed(*result.placement).unreduced.empty())
      result.values = rounded(result.dtype, std::move(result.values));
  }

  static Names inferred(CollectiveKind kind, const Placement& before, const Brackets* target) {
    Names axes;
    const Placement after = target != nullptr ? written(*target) : Placement{};
    for (std::size_t i = 0; i < before.dims.size() && target != nullptr; ++i) {
      for (const std::string& axis : before.dims[i]) {
        const auto place = split_by(after, axis);
        const bool gathered = kind == CollectiveKind::AllGather && !place;
        const bool moved = kind == CollectiveKind::AllToAll && place && *place != i;
        const bool ordered =
            kind == CollectiveKind::CollectivePermute && before.dims[i] != after.dims[i];
        if (gathered || moved || ordered) axes.push_back(axis);
      }
    }
    if (kind != CollectiveKind::AllReduce && kind != CollectiveKind::ReduceScatter) return axes;
    for (const std::string& axis : before.unreduced) {
      if (target == nullptr || after.unreduced.count(axis) == 0) axes.push_back(axis);
    }
    return axes;
  }

  bool apply(const Expr& collective, const Names& axes, const Placement& before,
             const Brackets* target, Result& result) {
    Placement& after = *result.placement;
    const bool reduces = collective.collective == CollectiveKind::AllReduce ||
                         collective.collective == CollectiveKind::ReduceScatter;
    for (const std::string& axis : axes) {
      if (reduces && before.unreduced.count(axis) == 0) return fail(Kind::NotUnreduced), false;
      if (!reduces && collective.collective != CollectiveKind::CollectivePermute &&
          !split_by(before, axis))
        return fail(Kind::NotSharded), false;
      after.unreduced.erase(axis);
    }
    switch (collective.collective) {
      case CollectiveKind::AllGather:
        remove(axes, after);
        break;
      case CollectiveKind::AllReduce:
        break;
      case CollectiveKind::ReduceScatter:
      case CollectiveKind::AllToAll:
        if (!append(collective, axes, before, target, result)) return false;
        break;
      case CollectiveKind::CollectivePermute:
        return permute(target, after);
      case CollectiveKind::Shift:
        shift(collective, axes.front(), result);
        return true;
    }
    return true;
  }

  void remove(const Names& axes, Placement& placement) {
    for (Names& split : placement.dims) {
      const Names whole = split;
      std::erase_if(split, [&](const std::string& axis) { return contains(axes, axis); });
      if (!std::equal(split.begin(), split.end(), whole.begin()))
        verdict_.facts.insert("major axis removed");
    }
  }

  bool append(const Expr& collective, Names axes, const Placement& before, const Brackets* target,
              Result& result) {
    Placement& after = *result.placement;
    std::optional<std::size_t> home;
    if (collective.dimension) {
      if (!contains(result.labels, *collective.dimension))
        return fail(Kind::UnknownDimension), false;
      home = place_of(result.labels, *collective.dimension);
    } else if (target != nullptr) {
      home = split_by(written(*target), axes.front());
    }
    if (!home && result.labels.size() == 1 && collective.collective == CollectiveKind::ReduceScatter)
      home = 0;
    if (!home) return fail(Kind::AmbiguousCollective), false;
    if (collective.axes.empty() && axes.size() > 1) {
      // In which order they go there only the target can say.
      if (target == nullptr) return verdict_.known = false;
      order_like(written(*target).dims[*home], axes);
    }
    for (const std::string& axis : axes) {
      if (split_by(before, axis) == home) return fail(Kind::WrongCollective), false;
    }
    remove(axes, after);
    Names& split = after.dims[*home];
    split.insert(split.end(), axes.begin(), axes.end());
    if (!model_.divides(result.labels[*home], split)) return fail(Kind::NotDivisible), false;
    return true;
  }

  // Axes that the target shows go there in its order.
  static void order_like(const Names& split, Names& axes) {
    Names ordered;
    std::copy_if(split.begin(), split.end(), std::back_inserter(ordered),
                 [&](const std::string& axis) { return contains(axes, axis); });
    if (ordered.size() == axes.size()) axes = ordered;
  }

  bool permute(const Brackets* target, Placement& after) {
    if (target == nullptr) return fail(Kind::WrongCollective), false;
    for (std::size_t i = 0; i < after.dims.size(); ++i) {
      const Names& wanted = target->axes[i];
      if (wanted.size() != after.dims[i].size() || !same_set(wanted, after.dims[i]))
        return fail(Kind::WrongCollective), false;
    }
    after.dims = target->axes;
    return true;
  }

  void shift(const Expr& collective, const std::string& axis, Result& result) {
    const std::size_t dimension = *split_by(*result.placement, axis);
    const Names& split = result.placement->dims[dimension];
    const auto place = split.begin() + static_cast<std::ptrdiff_t>(place_of(split, axis));
    result.values =
        shifted(result.values, dimension, model_.length_of_axes(Names(split.begin(), place)),
                model_.length_of_axes({axis}), collective.shift);
    result.moved = std::nullopt;
  }

  // ------------------------------------------------------------ targets

  bool check_labels(const Expr& value, const Names& target, const Names& labels, bool is_copy) {
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

  bool check_goal(const Expr& value, const Result& result, const Placement& goal) {
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

  // A re-layout cannot make a sum pending.
  void check_reachable(const Result& result, const Placement& goal) {
    const ModelArray& array = model_.arrays_[*result.moved];
    if (!array.placement_known) return void(verdict_.known = goal.unreduced.empty());
    const bool reachable =
        std::any_of(array.copies.begin(), array.copies.end(), [&](const Placement& copy) {
          return std::includes(copy.unreduced.begin(), copy.unreduced.end(), goal.unreduced.begin(),
                               goal.unreduced.end());
        });
    if (!reachable) fail(Kind::ResultUnreduced);
  }

  // "An array is unreduced over an axis if the contracted dimension was sharded over it."
  void check_unreduced_product(const Expr& value, const Result& result, const Placement& goal) {
    if (value.operands.size() != 2) return void(verdict_.known = false);
    if (result.placement) {
      const std::set<std::string>& natural = model_.trimmed(*result.placement).unreduced;
      if (std::includes(natural.begin(), natural.end(), goal.unreduced.begin(),
                        goal.unreduced.end()))
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

  // ------------------------------------------------------------ results

  static bool is_nested(const Expr& value) {
    return value.kind == Expr::Kind::Collective &&
           value.operands.front().kind == Expr::Kind::Collective;
  }

  void add_copy(const Expr& value, const Result& result, const std::optional<Placement>& goal) {
    const std::size_t id = *result.moved;
    ModelArray& array = model_.arrays_[id];
    const Placement placement = goal ? *goal : model_.trimmed(*result.placement);
    std::erase(array.copies, placement);
    array.copies.push_back(placement);
    if (value.kind == Expr::Kind::Use || is_nested(value)) array.copies_known = false;
    model_.results_.push_back(id);
    verdict_.facts.insert(value.kind == Expr::Kind::Use ? "re-layout" : "written collective");
    if (is_nested(value)) verdict_.facts.insert("nested collective");
  }

  void add_array(const Expr& value, Result result, const Brackets& target, const Names& labels,
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

  void note_collective(const Expr& value, const Result& result) {
    verdict_.facts.insert("written collective");
    if (is_nested(value)) verdict_.facts.insert("nested collective");
    if (is_nested(value) && result.moved) model_.arrays_[*result.moved].copies_known = false;
  }

  void add_unnamed(const Expr& value, Result result) {
    if (value.kind == Expr::Kind::Use) return void(verdict_.known = false);
    verdict_.facts.insert("no target");
    if (value.kind == Expr::Kind::Collective) note_collective(value, result);
    ModelArray array{.name = "", .dims = result.labels, .dtype = result.dtype, .computed = true};
    if (result.placement) array.copies = {model_.trimmed(*result.placement)};
    array.values = std::move(result.values);
    model_.arrays_.push_back(std::move(array));
    model_.results_.push_back(model_.arrays_.size() - 1);
  }

  Model& model_;
  Verdict& verdict_;
};

Model::Model(const Script& header) {
  for (const Axis& axis : header.axes) axes_[axis.name] = axis.length;
  for (const Dimension& dimension : header.dimensions)
    lengths_[dimension.name] = dimension.length;
  for (const Declaration& declaration : header.declarations) declare(declaration);
}

void Model::declare(const Declaration& declaration) {
  const Brackets& brackets = declaration.array;
  ModelArray array{.name = brackets.name, .dims = brackets.dims, .dtype = declaration.dtype, .declared = true};
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
