// Products: one einsum over names, the documents' four cases, ·LOCAL.
#include <algorithm>

#include "tests/interpreter/properties/random_program/judge.h"

namespace shard::random_program {

namespace {

using Kind = DiagnosticKind;

}  // namespace

std::optional<Judged> Judge::resolve_product(const Expr& product, const Brackets* target) {
  const auto operands = resolve_operands(product);
  if (!operands) return std::nullopt;
  if (operands->size() > 2) verdict_.facts.insert("chain of three");
  Judged result = operands->front();
  for (std::size_t i = 1; i < operands->size(); ++i) {
    const Judged& right = (*operands)[i];
    Names later = target != nullptr ? target->dims : Names{};
    for (std::size_t j = i + 1; j < operands->size(); ++j)
      later.insert(later.end(), (*operands)[j].labels.begin(), (*operands)[j].labels.end());
    const bool last = i + 1 == operands->size();
    const auto summed = contracted(product.indices[i - 1], result.labels, right.labels, later, last,
                                   target != nullptr);
    if (!summed) return std::nullopt;
    if (i > 1) result.values = rounded(result.dtype, std::move(result.values));
    // Partial sums within a chain are inference's to reduce.
    if (i > 1 && !product.local && result.placement && right.placement &&
        !is_linear(model_.trimmed(*result.placement), model_.trimmed(*right.placement)))
      result.placement = std::nullopt;
    auto next = multiply(result, right, *summed, product.local);
    if (!next) return std::nullopt;
    result = std::move(*next);
    verdict_.contracted = *summed;
  }
  if (target != nullptr && !check_kept(result.labels, *target)) return std::nullopt;
  if (target != nullptr && target->dims != result.labels) put_in_order(target->dims, result);
  return result;
}

std::optional<std::vector<Judged>> Judge::resolve_operands(const Expr& product) {
  std::vector<Judged> operands;
  for (const Expr& operand : product.operands) {
    auto result = resolve(operand, nullptr);
    if (!result) return std::nullopt;
    if (!product.local) weaken(operand, *result);
    round_if_reduced(*result);
    operands.push_back(std::move(*result));
  }
  for (const Judged& operand : operands) {
    if (!common_type(operand.dtype, operands.front().dtype))
      return fail(Kind::DtypeMismatch), std::nullopt;
  }
  // A mistake beside others: any of them may be reported.
  if (operands.size() == 2 && operands[0].placement && operands[1].placement) {
    const Placement a = model_.trimmed(*operands[0].placement);
    const Placement b = model_.trimmed(*operands[1].placement);
    check_linear(a, b);
    check_linear(b, a);
  }
  return operands;
}

// The target fixes the order of the dimensions.
void Judge::put_in_order(const Names& labels, Judged& result) {
  result.values = transposed(result.values, result.labels, labels);
  if (result.placement) {
    Placement ordered{.dims = {}, .unreduced = result.placement->unreduced};
    for (const std::string& label : labels)
      ordered.dims.push_back(result.placement->dims[place_of(result.labels, label)]);
    result.placement = std::move(ordered);
  }
  result.labels = labels;
}

void Judge::weaken(const Expr& operand, Judged& result) {
  if (operand.kind == Expr::Kind::Collective || !result.moved) return;
  const ModelArray& array = model_.arrays_[*result.moved];
  const bool pending = std::any_of(array.copies.begin(), array.copies.end(),
                                   [](const Placement& copy) { return !copy.unreduced.empty(); });
  if (pending && rounded(array.dtype, array.values).exact != array.values.exact)
    result.values.certain = false;
}

std::optional<Names> Judge::contracted(const Names& index, const Names& left, const Names& right,
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
  Names open;
  std::copy_if(both.begin(), both.end(), std::back_inserter(open),
               [&](const std::string& label) { return !contains(later, label); });
  if ((last ? both : open).size() > 1 && index.empty() && !has_target)
    return fail(Kind::AmbiguousContraction), std::nullopt;
  const bool nothing_else = both.size() == left.size() && both.size() == right.size();
  if (nothing_else && !index.empty() && index.size() < both.size() && last && !has_target)
    return fail(Kind::DimensionReused), std::nullopt;
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

std::optional<Judged> Judge::multiply(const Judged& left, const Judged& right, const Names& summed,
                                      bool local) {
  Judged result{.labels = {},
                .placement = std::nullopt,
                .dtype = *common_type(left.dtype, right.dtype),
                .values = {}};
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
    for (const Judged* operand : {&left, &right}) {
      if (operand->placement && !operand->placement->unreduced.empty()) verdict_.known = false;
    }
    if (local) verdict_.known = false;
  }
  result.values = einsum(left.values, left.labels, right.values, right.labels, result.labels);
  return result;
}

bool Judge::is_linear(const Placement& a, const Placement& b) {
  return std::none_of(a.unreduced.begin(), a.unreduced.end(),
                      [&](const std::string& axis) { return uses(b, axis); });
}

bool Judge::check_linear(const Placement& a, const Placement& b) {
  if (!is_linear(a, b)) return fail(Kind::UnreducedOperand), false;
  if (!a.unreduced.empty()) verdict_.facts.insert("unreduced operand");
  return true;
}

std::string Judge::case_of(const Names& left, const Placement& a, const Names& right,
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
  const bool clash = std::any_of(kept_left.begin(), kept_left.end(),
                                 [&](const auto& axis) { return kept_right.count(axis) != 0; });
  if (clash) return "case 4";
  if (one_side) return "case 2";
  return both_sides ? "case 3" : "case 1";
}

std::optional<Placement> Judge::local_product(const Names& left, const Placement& a,
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

bool Judge::check_kept(const Names& labels, const Brackets& target) {
  for (const std::string& label : labels) {
    if (!contains(target.dims, label)) fail(Kind::DroppedDimension);
  }
  for (const std::string& label : target.dims) {
    if (!contains(labels, label)) fail(Kind::TargetMismatch);
  }
  return verdict_.errors.empty();
}

}  // namespace shard::random_program
