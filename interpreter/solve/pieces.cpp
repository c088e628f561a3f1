#include "interpreter/solve/pieces.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "base/cancellation.h"
#include "interpreter/evaluate/compare.h"
#include "interpreter/solve/rewrite.h"

namespace shard {

namespace {

using FormulaOp = Formula::Op;
constexpr std::size_t kMostPieces = 4096;
constexpr double kEndless = std::numeric_limits<double>::infinity();

// A size inside of a range.
double inside(double begin, double end) {
  if (end == kEndless) return begin == 0 ? 1 : begin * 2;
  return begin == 0 ? end / 2 : std::sqrt(begin) * std::sqrt(end);
}

// Zeros of what is no polynomial are looked for on a grid.
std::vector<Root> sampled_roots(const Formula& form, const std::string& symbol, double begin,
                                double end) {
  constexpr double kStep = 1.01;
  const auto value = [&](double at) { return value_at(form, symbol, at); };
  std::vector<Root> roots;
  double from = std::max(begin, 1e-6);
  const double last = std::min(end, 1e18);
  while (from < last) {
    const double to = std::min(from * kStep, last);
    const double one = value(from);
    const double other = value(to);
    if (std::isfinite(one) && std::isfinite(other) && (one < 0) != (other < 0) && other != 0) {
      const double root = bisected(value, from, to);
      if (root > begin && root < end) roots.push_back({root, std::nullopt});
    }
    from = to;
  }
  return roots;
}

// Inside of the range.
std::vector<Root> zeros_between(const Formula& form, const std::string& symbol, double begin,
                                double end) {
  if (form.op() == FormulaOp::Amount) {
    if (const auto polynomial = polynomial_of(form.amount(), symbol))
      return positive_roots(*polynomial, begin, end);
  }
  return sampled_roots(form, symbol, begin, end);
}

class FormPieceFinder {
 public:
  explicit FormPieceFinder(const std::string& symbol) : symbol_(symbol) {}

  std::vector<FormPiece> pieces(const Formula& formula) {
    if (formula.op() == FormulaOp::Amount) return {{{0, Rational(0)}, kEndless, formula}};
    std::vector<std::vector<FormPiece>> arguments;
    for (const Formula& argument : formula.arguments()) {
      arguments.push_back(pieces(argument));
      if (arguments.back().empty()) return {};
    }
    if (is_rounding(formula)) return {};
    std::vector<FormPiece> result;
    for (const FormPiece& range : common_ranges(arguments)) {
      throw_if_cancelled();
      std::vector<Formula> forms;
      for (const auto& argument : arguments) forms.push_back(form_at(argument, range));
      append(formula, forms, range, result);
      if (result.size() > kMostPieces) return {};
    }
    return result;
  }

 private:
  bool is_rounding(const Formula& formula) const {
    const bool rounds = formula.op() == FormulaOp::Ceil || formula.op() == FormulaOp::Floor ||
                        formula.op() == FormulaOp::Round;
    return rounds && has_symbol(formula, symbol_);
  }

  static std::vector<FormPiece> common_ranges(
      const std::vector<std::vector<FormPiece>>& arguments) {
    std::vector<Root> begins;
    for (const auto& argument : arguments) {
      for (const FormPiece& piece : argument) begins.push_back(piece.begin);
    }
    std::sort(begins.begin(), begins.end(),
              [](const Root& a, const Root& b) { return a.value < b.value; });
    std::vector<FormPiece> ranges;
    for (const Root& begin : begins) {
      if (!ranges.empty() && ranges.back().begin.value == begin.value) continue;
      if (!ranges.empty()) ranges.back().end = begin.value;
      ranges.push_back({begin, kEndless, {}});
    }
    return ranges;
  }

  static Formula form_at(const std::vector<FormPiece>& pieces, const FormPiece& range) {
    const double at = inside(range.begin.value, range.end);
    const auto found = std::find_if(pieces.begin(), pieces.end(),
                                    [&](const FormPiece& piece) { return at < piece.end; });
    return found == pieces.end() ? pieces.back().form : found->form;
  }

  void append(const Formula& formula, const std::vector<Formula>& forms, const FormPiece& range,
              std::vector<FormPiece>& to) const {
    const bool picks = formula.op() == FormulaOp::Max || formula.op() == FormulaOp::Min;
    if (!picks) {
      const auto place = forms.begin();
      std::size_t next = 0;
      // The node with the forms in the places of its arguments.
      const Formula form = rewritten_node(formula, [&] { return place[next++]; });
      return add({range.begin, range.end, form}, to);
    }
    std::vector<Root> begins = {range.begin};
    for (std::size_t i = 0; i < forms.size(); ++i) {
      for (std::size_t j = i + 1; j < forms.size(); ++j) {
        for (const Root& root :
             zeros_between(forms[i] - forms[j], symbol_, range.begin.value, range.end))
          begins.push_back(root);
      }
    }
    std::sort(begins.begin(), begins.end(),
              [](const Root& a, const Root& b) { return a.value < b.value; });
    for (std::size_t i = 0; i < begins.size(); ++i) {
      const double end = i + 1 < begins.size() ? begins[i + 1].value : range.end;
      if (end <= begins[i].value) continue;
      const double at = inside(begins[i].value, end);
      const auto is_less = [&](const Formula& a, const Formula& b) {
        return value_at(a, symbol_, at) < value_at(b, symbol_, at);
      };
      const auto pick = formula.op() == FormulaOp::Max
                            ? std::max_element(forms.begin(), forms.end(), is_less)
                            : std::min_element(forms.begin(), forms.end(), is_less);
      add({begins[i], end, *pick}, to);
    }
  }

  template <class Next>
  static Formula rewritten_node(const Formula& formula, const Next& next) {
    switch (formula.op()) {
      case FormulaOp::Sqrt:
        return sqrt(next());
      case FormulaOp::Log2:
        return log2(next());
      case FormulaOp::Ceil:
      case FormulaOp::Floor:
      case FormulaOp::Round:
        return formula;
      default:
        break;
    }
    Formula result = next();
    for (std::size_t i = 1; i < formula.arguments().size(); ++i) {
      const Formula other = next();
      if (formula.op() == FormulaOp::Sum) result = result + other;
      if (formula.op() == FormulaOp::Product) result = result * other;
      if (formula.op() == FormulaOp::Quotient) result = result / other;
      if (formula.op() == FormulaOp::Power) result = power(result, other);
    }
    return result;
  }

  static void add(FormPiece piece, std::vector<FormPiece>& to) {
    if (!to.empty() && to.back().form == piece.form && to.back().end == piece.begin.value) {
      to.back().end = piece.end;
    } else {
      to.push_back(std::move(piece));
    }
  }

  const std::string& symbol_;
};

// Signs between zeros. `sign_at(form, size)`.
class SignFinderOfPieces {
 public:
  using SignAt = std::function<int(const Formula&, double)>;
  SignFinderOfPieces(const std::string& symbol, SignAt sign_at)
      : symbol_(symbol), sign_at_(std::move(sign_at)) {}

  std::optional<SignRow> row(const Formula& formula) {
    const std::vector<FormPiece> pieces = pieces_of(formula, symbol_);
    if (pieces.empty()) return std::nullopt;
    for (const FormPiece& piece : pieces) {
      throw_if_cancelled();
      add(piece);
    }
    return std::move(row_);
  }

 private:
  void add(const FormPiece& piece) {
    std::vector<Root> zeros;
    if (!piece.form.is_zero())
      zeros = zeros_between(piece.form, symbol_, piece.begin.value, piece.end);
    Root begin = piece.begin;
    for (std::size_t i = 0; i <= zeros.size(); ++i) {
      const double end = i < zeros.size() ? zeros[i].value : piece.end;
      if (end > begin.value) {
        const int sign = piece.form.is_zero() ? 0 : sign_at_(piece.form, inside(begin.value, end));
        add(begin, sign, i > 0);
      }
      if (i < zeros.size()) begin = zeros[i];
    }
  }

  // Where it only touches zero the signs on both sides are the same.
  void add(const Root& begin, int sign, bool is_zero_there) {
    const bool same = !row_.signs.empty() && row_.signs.back() == sign;
    if (same && (!is_zero_there || sign == 0)) return;
    if (!row_.signs.empty()) row_.roots.push_back(begin);
    row_.signs.push_back(sign);
  }

  const std::string& symbol_;
  SignAt sign_at_;
  SignRow row_;
};

// The derivative of an amount.
Formula slope(const Amount& amount, const std::string& symbol) {
  Amount sum;
  for (const Amount::Term& term : amount.terms()) {
    for (const Amount::Power& power_of : term.powers) {
      if (power_of.symbol != symbol) continue;
      const Amount factor(term.coefficient * Rational(power_of.exponent));
      sum = sum + factor * power(Amount::symbol(symbol), power_of.exponent - 1);
    }
  }
  return sum;
}

void add_turns(const FormPiece& piece, const std::string& symbol, std::vector<Root>& to) {
  if (piece.form.op() == FormulaOp::Amount) {
    for (const Root& root :
         zeros_between(slope(piece.form.amount(), symbol), symbol, piece.begin.value, piece.end))
      to.push_back(root);
    return;
  }
  constexpr double kStep = 1.01;
  double least = kEndless;
  double at = 0;
  const double last = std::min(piece.end, 1e18);
  for (double size = std::max(piece.begin.value, 1e-6); size < last; size *= kStep) {
    const double value = value_at(piece.form, symbol, size);
    if (value < least) {
      least = value;
      at = size;
    }
  }
  // Thirds: what is smooth has one least value between neighbours.
  double low = at / kStep;
  double high = at * kStep;
  for (int i = 0; i < 200; ++i) {
    const double one = low + (high - low) / 3;
    const double other = high - (high - low) / 3;
    (value_at(piece.form, symbol, one) < value_at(piece.form, symbol, other) ? high : low) =
        value_at(piece.form, symbol, one) < value_at(piece.form, symbol, other) ? other : one;
  }
  if (at > 0) to.push_back({low, std::nullopt});
}

}  // namespace

std::vector<FormPiece> pieces_of(const Formula& formula, const std::string& symbol) {
  return FormPieceFinder(symbol).pieces(formula);
}

std::optional<SignRow> signs_of(const Formula& formula, const std::string& symbol) {
  return SignFinderOfPieces(symbol,
                            [&](const Formula& form, double at) {
                              const double value = value_at(form, symbol, at);
                              return value > 0 ? 1 : value < 0 ? -1 : 0;
                            })
      .row(formula);
}

std::optional<SignRow> signs_of(const Quantity& left, const Quantity& right,
                                const std::string& symbol) {
  const auto quantity = [&](const Quantity& side, double at) {
    return Quantity{Formula(Rational::approximate(value_at(side.value, symbol, at))), side.unit};
  };
  return SignFinderOfPieces(symbol,
                            [&](const Formula& form, double at) {
                              const double value = value_at(form, symbol, at);
                              if (value == 0 || are_tied(quantity(left, at), quantity(right, at)))
                                return 0;
                              return value > 0 ? 1 : -1;
                            })
      .row(left.value - right.value);
}

std::optional<Root> least_at(const Formula& formula, const std::string& symbol) {
  const std::vector<FormPiece> pieces = pieces_of(formula, symbol);
  std::vector<Root> candidates;
  for (const FormPiece& piece : pieces) {
    if (piece.begin.value > 0) candidates.push_back(piece.begin);
    add_turns(piece, symbol, candidates);
  }
  const Root* best = nullptr;
  double least = kEndless;
  for (const Root& candidate : candidates) {
    const double value = value_at(formula, symbol, candidate.value);
    if (value < least) {
      least = value;
      best = &candidate;
    }
  }
  if (best == nullptr) return std::nullopt;
  // Smaller still towards an end: there is no least one.
  const double beyond = std::min(value_at(formula, symbol, 1e-30), value_at(formula, symbol, 1e30));
  if (beyond <= least) return std::nullopt;
  return *best;
}

}  // namespace shard
