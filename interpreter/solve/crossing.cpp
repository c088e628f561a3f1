#include "interpreter/solve/crossing.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/format.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/solve/condition.h"

namespace shard {

namespace {

using BinaryOp = ast::BinaryOp;

std::string expr_text(const ast::Expr& expr) { return one_line(print(expr, Spelling::Unicode)); }

bool is_equality(BinaryOp op) { return op == BinaryOp::Equal || op == BinaryOp::Approx; }

// A whole size at which a comparison begins to hold, or up to which it does.
struct Turn {
  Rational size;
  bool begins = false;
};

class CrossingText {
 public:
  CrossingText(const SizeComparison& asked, const SizeSigns& signs)
      : asked_(asked), signs_(signs) {}

  Value crossings() const {
    std::vector<Quantity> found;
    for (const SignChange& change : signs_.changes)
      found.push_back(found_at(change.root.number(), remark_of(change)));
    if (found.empty()) return word(signs_.first == 0);
    return listed(std::move(found));
  }

  Value turns() const {
    const bool more = asked_.op == BinaryOp::Greater || asked_.op == BinaryOp::GreaterEqual;
    const bool strict = asked_.op == BinaryOp::Greater || asked_.op == BinaryOp::Less;
    const Holds holds = holds_of(signs_, more, strict);
    std::vector<Turn> turns = turns_of(holds);
    if (signs_.step) drop_empty(turns, *signs_.step);
    if (turns.empty()) {
      const bool somewhere = !holds.cuts.empty() && holds.between.back();
      return word(holds.cuts.empty() ? holds.between.front() : somewhere);
    }
    std::vector<Quantity> found;
    const std::string multiple = multiple_text(signs_.step.value_or(1));
    for (std::size_t i = 0; i < turns.size(); ++i) {
      const bool is_alone = turns[i].begins && i + 1 < turns.size() && !turns[i + 1].begins &&
                            turns[i].size == turns[i + 1].size;
      const char* where = is_alone          ? "only there"
                          : turns[i].begins ? "from there on"
                                            : "up to there";
      std::string remark = fmt::format("it holds {}{}", where, multiple);
      if (signs_.is_sampled) remark += "; " + sampled_text();
      found.push_back(found_at(turns[i].size, std::move(remark)));
      if (is_alone) ++i;
    }
    return listed(std::move(found));
  }

 private:
  static Quantity found_at(const Rational& number, std::string remark) {
    return {Formula(number), kPlain, std::make_shared<const std::string>(std::move(remark))};
  }

  static Value listed(std::vector<Quantity> found) {
    if (found.size() == 1) return std::move(found.front());
    return List{std::move(found)};
  }

  Value word(bool holds) const {
    return Word{holds ? kHoldsAlways : kHoldsNever, sides_text(asked_, signs_)};
  }

  std::vector<Turn> turns_of(const Holds& holds) const {
    const std::int64_t step = signs_.step.value_or(1);
    std::vector<Turn> turns;
    for (std::size_t i = 0; i < holds.cuts.size(); ++i) {
      const Holds::Cut& cut = holds.cuts[i];
      const bool before = holds.between[i];
      const bool after = holds.between[i + 1];
      if (before && !(cut.holds && after))
        turns.push_back({multiple_below(cut.at, step, !cut.holds), false});
      const bool begins = after && !(before && cut.holds);
      const bool is_single = !before && !after && cut.holds;
      if (begins || is_single) turns.push_back({multiple_above(cut.at, step, !cut.holds), true});
      if (is_single) turns.push_back({multiple_below(cut.at, step, false), false});
    }
    return turns;
  }

  // Ranges without a size that can be priced, and gaps without one.
  static void drop_empty(std::vector<Turn>& turns, std::int64_t step) {
    for (std::size_t i = 0; i < turns.size();) {
      if (i == 0 && !turns[i].begins && turns[i].size < Rational(1)) {
        turns.erase(turns.begin());
        continue;
      }
      const bool is_pair = i + 1 < turns.size();
      const bool is_empty =
          is_pair && (turns[i].begins ? turns[i + 1].size < turns[i].size
                                      : turns[i + 1].size == turns[i].size + Rational(step));
      if (!is_empty) {
        ++i;
        continue;
      }
      const auto at = turns.begin() + static_cast<std::ptrdiff_t>(i);
      turns.erase(at, at + 2);
      i = 0;
    }
  }

  std::string left_text() const {
    constexpr std::size_t kMostColumns = 40;
    std::string text = expr_text(asked_.left);
    return display_width(text) > kMostColumns ? "the left side" : text;
  }

  std::string remark_of(const SignChange& change) const {
    if (signs_.is_sampled) return sampled_text();
    if (change.jumps) {
      const std::int64_t step = signs_.step.value_or(1);
      const char* sign = change.after > 0 ? "larger" : change.after < 0 ? "smaller" : "the same";
      return fmt::format("the first {} at which {} is {}",
                         !signs_.step ? "power of 2"
                         : step == 1  ? "whole size"
                                      : "multiple of " + format_integer(step),
                         left_text(), sign);
    }
    if (change.before == change.after) return "both only touch there";
    if (!signs_.step) return change.after == 0 || change.before == 0 ? "where they become one" : "";
    const std::string whole = whole_text(change.root, true, *signs_.step);
    if (whole.empty()) return "";
    const char* sign = change.after > 0 ? "larger" : change.after < 0 ? "smaller" : "the same";
    return fmt::format("{} is {} {}", left_text(), sign, whole);
  }

  const SizeComparison& asked_;
  const SizeSigns& signs_;
};

}  // namespace

std::string multiple_text(std::int64_t step) {
  return step == 1 ? "" : fmt::format(", a multiple of {}", format_integer(step));
}

std::string whole_text(const Root& root, bool above, std::int64_t step) {
  if (root.exact && (*root.exact / Rational(step)).is_integer()) return "";
  const Rational whole =
      above ? multiple_above(root, step, false) : multiple_below(root, step, false);
  return fmt::format("{} {}{}{}", above ? "from" : "up to", size_text(whole), above ? " on" : "",
                     multiple_text(step));
}

std::string sides_text(const ast::Expr& left, const ast::Expr& right, const Sides& sides) {
  const auto side = [](const ast::Expr& expr, const Quantity& value) {
    const std::string written = expr_text(expr);
    const std::string text = to_text(value);
    return written == text ? text : written + " = " + text;
  };
  return side(left, sides.left) + ", " + side(right, sides.right);
}

std::string sampled_text() { return "of sizes tried one by one, and not of all between them"; }

std::string sides_text(const SizeComparison& asked, const SizeSigns& signs) {
  std::string text = sides_text(asked.left, asked.right, signs.sides);
  if (!signs.size) return text;
  return fmt::format("at {} = {}: {}", asked.size.name.text, size_text(*signs.size), text);
}

Value crossings_of(const SizeComparison& comparison, const SizeSigns& signs) {
  const CrossingText text(comparison, signs);
  return is_equality(comparison.op) ? text.crossings() : text.turns();
}

}  // namespace shard
