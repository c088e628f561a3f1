// Contraction: one einsum over names (design: language, "What is checked", rules 3, 4 and 7).
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/check/collective/collective_help.h"
#include "interpreter/check/contraction.h"
#include "interpreter/check/element_type.h"
#include "interpreter/check/local_help.h"
#include "interpreter/check/operation.h"
#include "interpreter/planning/local_layout.h"

namespace shard {

namespace {

using LabelSet = std::set<DimensionId>;

// One factor of a chain and the sign before it.
struct Factor {
  const ast::Expr* expr;
  const ast::Product* sign = nullptr;  // null for the first
};

void flatten(const ast::Expr& expr, std::vector<Factor>& factors);

void flatten(const ast::Product& product, std::vector<Factor>& factors) {
  flatten(*product.left, factors);
  factors.push_back({product.right.operator->(), &product});
}

void flatten(const ast::Expr& expr, std::vector<Factor>& factors) {
  if (const auto* product = std::get_if<ast::Product>(&expr.node)) {
    flatten(*product, factors);
  } else {
    factors.push_back({&expr});
  }
}

class ProductChecker {
 public:
  ProductChecker(Span span, const TargetHint& target, CheckContext& context)
      : span_(span), target_(target), context_(context), scope_(context.scope) {}

  std::optional<checked::Operation> check(const ast::Product& product) {
    std::vector<Factor> factors;
    flatten(product, factors);
    if (report_transposed(factors)) return std::nullopt;
    std::vector<const ast::Expr*> numbers;
    if (!take_numbers(factors, numbers)) return std::nullopt;
    std::vector<checked::Operation> operands;
    operands.reserve(factors.size());
    bool fine = true;
    for (const Factor& factor : factors) {
      auto operand =
          check_operation(*factor.expr, factors.size() == 1 ? target_ : TargetHint{}, context_);
      fine = operand.has_value() && fine;
      if (operand) operands.push_back(std::move(*operand));
    }
    if (!fine || target_.failed || !check_dtypes(operands) ||
        (operands.size() > 1 && !check_literals(operands)))
      return std::nullopt;
    checked::Operation result = operands.front();
    for (std::size_t i = 1; i < operands.size(); ++i) {
      auto next = combine(std::move(result), operands[i], *factors[i].sign,
                          labels_behind(operands, i), i + 1 == operands.size());
      if (!next) return std::nullopt;
      result = std::move(*next);
    }
    if (operands.size() > 1 && !target_.within && !check_target(result, operands))
      return std::nullopt;
    if (numbers.empty()) return result;
    return scaled(std::move(result), numbers, span_, context_);
  }

 private:
  bool has_target() const { return target_.brackets.has_value(); }

  // `A^T` with a T that is no number: a transpose, as other notations write it.
  bool report_transposed(const std::vector<Factor>& factors) {
    for (const Factor& factor : factors) {
      const auto* power = std::get_if<ast::Binary>(&factor.expr->node);
      if (power == nullptr || power->op != ast::BinaryOp::Power) continue;
      const auto* exponent = std::get_if<ast::ArrayRef>(&power->right->node);
      if (exponent == nullptr || exponent->bracketed || !exponent->name ||
          exponent->name->text != "T" || is_number(*power->right, scope_))
        continue;
      report(context_, DiagnosticKind::TransposedUse, factor.expr->at.span,
             fmt::format("`{}` is no transpose here", print(*factor.expr, Spelling::Unicode)),
             {"dimensions are told apart by their names: A[I, J] ·_J A[K, J] → B[I, K] multiplies "
              "with the transpose, A[I, J] → B[J, I] makes one"});
      return true;
    }
    return false;
  }

  // Numbers among the factors are multiples of the whole product.
  bool take_numbers(std::vector<Factor>& factors, std::vector<const ast::Expr*>& numbers) {
    const auto arrays = std::count_if(factors.begin(), factors.end(), [&](const Factor& factor) {
      return !is_number(*factor.expr, scope_);
    });
    if (arrays == static_cast<std::ptrdiff_t>(factors.size())) return true;
    if (arrays == 0) {
      report(context_, DiagnosticKind::NotArray, span_,
             "this is a number, and an array is needed here",
             {"a product of arrays takes names, brackets and collectives; inputs of one value are "
              "A[I, J] = ones, zeros, random(7)"});
      return false;
    }
    std::vector<Factor> kept;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      const ast::Product* sign = factors[i].sign;
      const bool number = is_number(*factors[i].expr, scope_);
      if (sign != nullptr && (number || kept.empty()) && (sign->local || !sign->index.empty())) {
        report(context_, DiagnosticKind::BadContraction, sign->sign.span,
               "a multiple of an array sums over nothing", {"2 * A, x · A: without an index"});
        return false;
      }
      (number ? numbers.push_back(factors[i].expr) : kept.push_back(factors[i]));
    }
    factors = std::move(kept);
    return true;
  }

  static LabelSet labels_behind(const std::vector<checked::Operation>& operands,
                                std::size_t index) {
    LabelSet labels;
    for (std::size_t i = index + 1; i < operands.size(); ++i) {
      labels.insert(operands[i].labels.begin(), operands[i].labels.end());
    }
    return labels;
  }

  bool check_dtypes(const std::vector<checked::Operation>& operands) {
    TypedOperand so_far{&operands.front(), operands.front().dtype};
    for (const checked::Operation& operand : operands) {
      const TypedOperand next{&operand, operand.dtype};
      const auto common = meet(so_far, next, context_);
      if (!common) return false;
      if (*common == operand.dtype && *common != so_far.dtype) so_far.operand = &operand;
      so_far.dtype = *common;
    }
    return true;
  }

  // A length written instead of a name twice in one array cannot be told apart in a product.
  bool check_literals(const std::vector<checked::Operation>& operands) {
    for (const checked::Operation& operand : operands) {
      const auto name = [&] { return "`" + describe(operand, scope_) + "`"; };
      if (!differ(operand.labels, operand.span, name)) return false;
    }
    const auto name = [] { return std::string("the target"); };
    return !has_target() || differ(target_.brackets->labels, span_, name);
  }

  // `name` tells what the array is called.
  template <class Name>
  bool differ(const std::vector<DimensionId>& labels, Span span, const Name& name) {
    const auto twin = dimension_called_as_another(labels, scope_);
    if (!twin) return true;
    const std::string& length = scope_.store.dimensions[*twin].name;
    report(context_, DiagnosticKind::DimensionReused, span,
           fmt::format("two dimensions of {} are called {}, so a product cannot tell them apart",
                       name(), length),
           {"give them names: I = " + length + ", then A[I, J]"});
    return false;
  }

  std::optional<checked::Operation> combine(checked::Operation left,
                                            const checked::Operation& right,
                                            const ast::Product& sign, const LabelSet& behind,
                                            bool last) {
    const auto summed = summed_labels({sign, left, right, behind, last}, target_, context_);
    if (!summed) return std::nullopt;
    std::vector<DimensionId> labels;
    labels.reserve(left.labels.size() + right.labels.size());
    const auto keep = [&](const std::vector<DimensionId>& from) {
      for (const DimensionId label : from) {
        if (!contains(*summed, label) && !contains(labels, label)) labels.push_back(label);
      }
    };
    keep(left.labels);
    keep(right.labels);
    if (last) labels = in_target_order(std::move(labels), target_);
    if (!check_element_count(labels, span_, context_)) return std::nullopt;
    const auto local = local_layout(left, right, labels, sign);
    if (!local) return std::nullopt;
    const DType dtype = common_type(left.dtype, right.dtype).value_or(right.dtype);
    checked::Operation result{
        .node = checked::Product{.left = std::move(left), .right = right, .local = sign.local},
        .labels = std::move(labels)};
    result.dtype = dtype;
    result.layout = *local;
    result.span = span_;
    return result;
  }

  // What the product leaves without communication, if it can do without; an error only for ·LOCAL and for operands
  // whose sums do not commute with the product.
  std::optional<std::optional<Layout>> local_layout(const checked::Operation& left,
                                                    const checked::Operation& right,
                                                    const std::vector<DimensionId>& labels,
                                                    const ast::Product& sign) {
    if (!left.layout || !right.layout) {
      if (!sign.local) return std::optional<Layout>();
      report(context_, DiagnosticKind::LocalNeedsCommunication, sign.sign.span,
             "the operand of ·LOCAL needs communication itself",
             {"write its result with its layout on a line of its own first"});
      return std::nullopt;
    }
    const Mesh& mesh = scope_.mesh();
    const auto product = planning::local_product(
        numbered(left.labels), without_trivial_axes(*left.layout, mesh), numbered(right.labels),
        without_trivial_axes(*right.layout, mesh), numbered(labels));
    if (const auto* layout = std::get_if<Layout>(&product)) return std::optional<Layout>(*layout);
    const auto& misfit = std::get<planning::Misfit>(product);
    if (misfit.reason == planning::Misfit::Reason::NotLinear) {
      if (is_inferred_sum(left, *misfit.axis) || is_inferred_sum(right, *misfit.axis))
        return std::optional<Layout>();
      report_not_linear(left, right, *misfit.axis);
      return std::nullopt;
    }
    if (!sign.local) return std::optional<Layout>();
    report_not_local(left, right, misfit, sign);
    return std::nullopt;
  }

  // Partial sums that a product within a chain leaves were not asked for: planning reduces them before the next
  // product.
  static bool is_inferred_sum(const checked::Operation& operand, AxisId axis) {
    const auto& unreduced = operand.layout->unreduced;
    return shard::is_inferred_sum(operand) &&
           std::find(unreduced.begin(), unreduced.end(), axis) != unreduced.end();
  }

  void report_not_linear(const checked::Operation& left, const checked::Operation& right,
                         AxisId axis) {
    const std::string name = scope_.mesh().axes[axis].name;
    const auto& unreduced = left.layout->unreduced;
    const bool on_left = std::find(unreduced.begin(), unreduced.end(), axis) != unreduced.end();
    const checked::Operation& operand = on_left ? left : right;
    ReduceFirst mend = reduce_first(operand, scope_);
    mend.help.emplace_back("a product of partial sums is not a partial sum of products");
    report(context_, DiagnosticKind::UnreducedOperand, operand.span,
           fmt::format("`{}` is still unreduced over `{}`, which `{}` uses as well",
                       describe(operand, scope_), name, describe(on_left ? right : left, scope_)),
           std::move(mend.help), {}, std::move(mend.edits));
  }

  void report_not_local(const checked::Operation& left, const checked::Operation& right,
                        const planning::Misfit& misfit, const ast::Product& sign) {
    using Reason = planning::Misfit::Reason;
    std::string message;
    std::string help =
        "bring both operands to one layout first (a slice is free: B[J, K] → B[J_X, K])";
    if (misfit.reason == Reason::AxisTwice) {
      help = fmt::format("gather one of the two over `{}` first",
                         scope_.mesh().axes[*misfit.axis].name);
      message = fmt::format(
          "·LOCAL allows no communication, but axis `{}` splits a kept dimension of both operands",
          scope_.mesh().axes[*misfit.axis].name);
    } else if (misfit.reason == Reason::PlacesDiffer) {
      const std::string name = scope_.mesh().axes[*misfit.axis].name;
      help = fmt::format("bring one of the two to the other's place on `{}` first", name);
      message = fmt::format(
          "·LOCAL allows no communication, but `{}` and `{}` are held at different places of `{}`",
          describe(left, scope_), describe(right, scope_), name);
    } else {
      message = fmt::format(
          "·LOCAL allows no communication, but `{}` is split differently in `{}` and `{}`",
          scope_.store.dimensions[DimensionId{misfit.label}].name, describe(left, scope_),
          describe(right, scope_));
    }
    const bool behind = target_.span.file == span_.file && target_.span.begin < span_.begin &&
                        target_.span.begin < target_.span.end;
    const std::uint32_t begin = behind ? target_.span.begin : span_.begin;
    auto edits = has_target() ? local_edits(left, right, misfit, target_.brackets->layout,
                                            {span_.file, begin, begin}, scope_)
                              : std::vector<Edit>();
    help = (edits.empty() ? help + ", or" : "or") + " write `·` to have the collectives found";
    report(context_, DiagnosticKind::LocalNeedsCommunication, sign.sign.span, std::move(message),
           {std::move(help)}, {}, std::move(edits));
  }

  // A dimension of the target that no operand has and that reads like `name`.
  std::optional<std::string> misspelt_in_target(const std::string& name,
                                                const std::vector<DimensionId>& known) const {
    std::vector<std::string> strangers;
    for (const DimensionId label : target_.brackets->labels) {
      if (!contains(known, label)) strangers.push_back(scope_.store.dimensions[label].name);
    }
    return nearest_name(name, strangers);
  }

  // Every dimension of the operands ends in the target or in a sum, and the target has no other.
  bool check_target(const checked::Operation& result,
                    const std::vector<checked::Operation>& operands) {
    if (!has_target()) return true;
    const std::vector<DimensionId>& wanted = target_.brackets->labels;
    for (const DimensionId label : result.labels) {
      if (contains(wanted, label)) continue;
      const auto owner = std::find_if(
          operands.begin(), operands.end(),
          [&](const checked::Operation& operand) { return contains(operand.labels, label); });
      const std::string name = scope_.store.dimensions[label].name;
      const auto slip = misspelt_in_target(name, result.labels);
      report(
          context_, DiagnosticKind::DroppedDimension, target_.span,
          fmt::format("dimension `{}` of `{}` is neither summed by the product nor in the target",
                      name, describe(*owner, scope_)),
          {slip ? fmt::format("did you mean `{}` in place of `{}`?", name, *slip)
                : fmt::format(
                      "keep `{}` in the target; a product sums only over what both operands have",
                      name)});
      return false;
    }
    for (const DimensionId label : wanted) {
      if (contains(result.labels, label)) continue;
      const std::string name = scope_.store.dimensions[label].name;
      const bool summed = std::any_of(
          operands.begin(), operands.end(),
          [&](const checked::Operation& operand) { return contains(operand.labels, label); });
      report(
          context_, DiagnosticKind::TargetMismatch, target_.span,
          summed ? fmt::format("the target has dimension `{}`, which the product sums over", name)
                 : fmt::format("the target has dimension `{}`, which no operand has", name),
          {fmt::format("the product has the dimensions {}", quoted_names(result.labels, scope_))});
      return false;
    }
    return true;
  }

  Span span_;
  const TargetHint& target_;
  CheckContext& context_;
  Scope& scope_;
};

}  // namespace

std::optional<checked::Operation> check_product(const ast::Product& product, Span span,
                                                const TargetHint& target, CheckContext& context) {
  return ProductChecker(span, target, context).check(product);
}

}  // namespace shard
