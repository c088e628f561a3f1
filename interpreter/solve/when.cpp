#include "interpreter/solve/when.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "interpreter/solve/absent_size.h"
#include "interpreter/solve/condition.h"
#include "interpreter/solve/crossing.h"
#include "interpreter/solve/rewrite.h"

namespace shard {

namespace {

using BinaryOp = ast::BinaryOp;

struct Found {
  Asked asked;
  Condition condition;
  std::optional<Holds> holds = {};  // where one size decides, `condition.size`
};

// Both sides of a comparison, and which is to be larger.
struct AskedSides {
  SizeComparison sizes;
  bool has_size = false;  // `sizes` has a size that is asked for, or is the only one
  bool is_open = true;    // the sides are formulas
  bool more = true;       // left is to be larger
  bool strict = true;
};

class WhenAnswerer {
 public:
  explicit WhenAnswerer(const AskedQuestion& about)
      : about_(about), context_(about.context), scope_(about.context.check.scope) {}

  // `alone`: it has to depend on the size that is asked for.
  std::optional<Found> found_for(const ast::Expr& expr, bool alone) {
    const auto* both = std::get_if<ast::Binary>(&expr.node);
    if (both != nullptr && (both->op == BinaryOp::And || both->op == BinaryOp::Or))
      return joined(*both);
    const ast::Binary* binary = comparison_in(expr, about_);
    if (binary == nullptr) return std::nullopt;
    const auto asked = sides_of(*binary);
    if (!asked) return std::nullopt;
    if (asked->has_size) {
      if (const auto signs = signs_of_sizes(asked->sizes, context_)) {
        if (signs->depends || !alone || !about_.question.size) return by_sizes(*asked, *signs);
        report_absent(asked->sizes.size,
                      {asked->sizes.sides.left.value, asked->sizes.sides.right.value},
                      "neither side depends", context_.check);
        return std::nullopt;
      }
    }
    if (!asked->is_open) {
      // Says why.
      open_sides(asked->sizes.left, &asked->sizes.right, open_names(), context_);
      return std::nullopt;
    }
    return by_formula(*asked, alone);
  }

 private:
  std::vector<std::string> open_names() const {
    return about_.question.size ? std::vector{about_.question.size->text}
                                : std::vector<std::string>();
  }

  std::optional<Found> joined(const ast::Binary& both) {
    auto one = found_for(*both.left, false);
    auto other = one ? found_for(*both.right, false) : std::nullopt;
    if (!other) return std::nullopt;
    const bool all = both.op == BinaryOp::And;
    if (one->holds && other->holds && one->condition.size == other->condition.size) {
      one->holds = joined_holds(*one->holds, *other->holds, all);
      one->condition = ranges_of(*one->holds, other->condition.size);
      return one;
    }
    one->condition =
        joined_condition({one->asked, one->condition}, {other->asked, other->condition}, all);
    one->holds.reset();
    return one;
  }

  std::optional<AskedSides> sides_of(const ast::Binary& binary) {
    AskedSides asked;
    SizeComparison& sizes = asked.sizes;
    sizes.left = with_figures(*binary.left, scope_);
    sizes.right = with_figures(*binary.right, scope_);
    sizes.op = binary.op;
    asked.more = binary.op == BinaryOp::Greater || binary.op == BinaryOp::GreaterEqual;
    asked.strict = binary.op == BinaryOp::Greater || binary.op == BinaryOp::Less;
    const bool named = about_.question.size.has_value();
    if (named) sizes.size = asked_size(*about_.question.size, scope_);
    bool undecided = false;
    const auto sides = open_sides(sizes.left, &sizes.right, open_names(), context_, &undecided);
    asked.is_open = !undecided;
    if (undecided) {
      if (!find_size(asked)) return std::nullopt;
      return asked;
    }
    if (!sides || !check_units(binary, *sides, about_)) return std::nullopt;
    sizes.sides = *sides;
    if (named) {
      asked.has_size = others_in(sides->difference(), sizes.size.symbol).empty();
      return asked;
    }
    auto symbols = sides->difference().symbols();
    // Of one plan a formula may have lost the size that decides which plan it is.
    if (symbols.empty()) symbols = sizes_of_blocks(sizes.left, sizes.right, context_);
    if (symbols.size() == 1) {
      sizes.size = {ast::Identifier{symbols.front(), {}}, symbols.front()};
      asked.has_size = true;
    }
    return asked;
  }

  // The one that is open, where a figure takes numbers; false after a report.
  bool find_size(AskedSides& asked) {
    SizeComparison& sizes = asked.sizes;
    const auto open = sizes_to_give(sizes.left, sizes.right, about_);
    if (about_.question.size) {
      asked.has_size = true;
      if (!open.empty()) report_others(open, about_);
      return open.empty();
    }
    if (open.size() > 1) {
      report_several(open, about_);
      return false;
    }
    asked.has_size = open.size() == 1;
    if (asked.has_size) sizes.size = {ast::Identifier{open.front(), {}}, open.front()};
    return true;
  }

  Asked asked_of(const AskedSides& sides) const {
    const Sides& values = sides.sizes.sides;
    Asked asked{.difference = sides.more ? values.difference() : Formula(0) - values.difference(),
                .strict = sides.strict,
                .size = {},
                .sides = sides_text(sides.sizes.left, sides.sizes.right, values)};
    if (about_.question.size) asked.size = sides.sizes.size;
    return asked;
  }

  Found by_sizes(const AskedSides& sides, const SizeSigns& signs) {
    Found found{.asked = asked_of(sides), .condition = {}, .holds = {}};
    found.holds = holds_of(signs, sides.more, sides.strict);
    found.condition = ranges_of(*found.holds, sides.sizes.size.symbol);
    found.condition.remark = remark_of(sides, signs, *found.holds);
    if (signs.is_sampled)
      found.condition.remark += (found.condition.remark.empty() ? "" : "; ") + sampled_text();
    if (signs.step && jumps(signs)) found.condition.step = *signs.step;
    return found;
  }

  static bool jumps(const SizeSigns& signs) {
    return std::any_of(signs.changes.begin(), signs.changes.end(),
                       [](const SignChange& change) { return change.jumps; });
  }

  static std::string remark_of(const AskedSides& sides, const SizeSigns& signs,
                               const Holds& holds) {
    if (holds.cuts.empty()) return sides_text(sides.sizes, signs);
    if (!signs.step) return "";
    const bool is_jump = jumps(signs);
    if (holds.cuts.size() == 1 && !is_jump && holds.between.front() != holds.between.back()) {
      const std::string whole =
          whole_text(holds.cuts.front().at, holds.between.back(), *signs.step);
      return whole.empty() ? "" : "whole " + whole;
    }
    return is_jump && *signs.step > 1 ? fmt::format("of multiples of {}", *signs.step) : "";
  }

  std::optional<Found> by_formula(const AskedSides& sides, bool alone) {
    const Sides& values = sides.sizes.sides;
    Asked asked = asked_of(sides);
    if (alone && asked.size && !has_symbol(values.left.value, asked.size->symbol) &&
        !has_symbol(values.right.value, asked.size->symbol)) {
      report_absent(*asked.size, {values.left.value, values.right.value}, "neither side depends",
                    context_.check);
      return std::nullopt;
    }
    auto condition = condition_of(asked, scope_);
    if (!condition) {
      condition = sides.more ? raw_condition(asked, values.left.value, values.right.value)
                             : raw_condition(asked, values.right.value, values.left.value);
    }
    const std::string plan = plan_remark(sides.sizes.left, sides.sizes.right, values, about_);
    if (!plan.empty()) condition->remark += condition->remark.empty() ? plan : "; " + plan;
    return Found{.asked = std::move(asked), .condition = *std::move(condition), .holds = {}};
  }

  const AskedQuestion& about_;
  EvaluationContext& context_;
  Scope& scope_;
};

}  // namespace

std::optional<Condition> condition_asked(const AskedQuestion& about) {
  auto found = WhenAnswerer(about).found_for(*about.question.asked, true);
  if (!found) return std::nullopt;
  return std::move(found->condition);
}

}  // namespace shard
