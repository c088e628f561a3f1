#include "interpreter/planning/search/weight.h"

#include <cmath>
#include <utility>

#include "runtime/machine/chip_figure.h"

namespace shard::planning {

namespace {

// Stated in docs/language.md, as `why` shows the result. So large that bytes, not the latency of hops, decide between
// collectives of matrices, as in the book's examples; 4 is the shortest axis of the reference chip that wraps around.
constexpr double kReferenceDimension = 65536;
constexpr double kReferenceAxis = 4;

thread_local const TrialSizes* innermost = nullptr;

bool is_dimension(const std::string& symbol) {
  const ChipFigure* figure = find_chip_figure(symbol);
  return figure == nullptr || figure->reference <= 0;
}

double reference_value(const std::string& symbol) {
  if (const double* tried = TrialSizes::find(symbol)) return *tried;
  if (is_dimension(symbol)) {
    const double* others = TrialSizes::find("");
    return others == nullptr ? kReferenceDimension : *others;
  }
  return find_chip_figure(symbol)->reference;
}

// Axes occur in denominators of local shapes, dimensions in numerators; a symbol that ever divides is taken for an
// axis.
void collect_divisors(const Amount& amount, Values& values) {
  for (const Amount::Term& term : amount.terms()) {
    for (const Amount::Power& power : term.powers) {
      if (power.exponent < 0 && TrialSizes::find(power.symbol) == nullptr &&
          is_dimension(power.symbol)) {
        values[power.symbol] = Rational(static_cast<std::int64_t>(kReferenceAxis));
      }
    }
  }
}

void collect_divisors(const Formula& formula, Values& values) {
  if (formula.op() == Formula::Op::Amount) return collect_divisors(formula.amount(), values);
  for (const Formula& argument : formula.arguments()) collect_divisors(argument, values);
}

double number(const Formula& formula, const Cost& cost) {
  if (const auto constant = formula.constant()) return constant->to_double();
  Values values;
  collect_divisors(cost.flops, values);
  collect_divisors(cost.hbm_bytes, values);
  collect_divisors(cost.comm_bytes, values);
  collect_divisors(cost.comms, values);
  for (const std::string& symbol : formula.symbols()) {
    if (values.find(symbol) == values.end())
      values[symbol] = Rational::approximate(reference_value(symbol));
  }
  const auto constant = formula.substitute(values).constant();
  return constant ? constant->to_double() : HUGE_VAL;
}

}  // namespace

TrialSizes::TrialSizes(Numbers numbers) : numbers_(std::move(numbers)), outer_(innermost) {
  innermost = this;
}

TrialSizes::~TrialSizes() { innermost = outer_; }

const double* TrialSizes::find(const std::string& symbol) {
  if (innermost == nullptr) return nullptr;
  const auto found = innermost->numbers_.find(symbol);
  return found == innermost->numbers_.end() ? nullptr : &found->second;
}

Weight& Weight::operator-=(const Weight& other) {
  seconds -= other.seconds;
  bytes -= other.bytes;
  steps -= other.steps;
  return *this;
}

Weight& Weight::operator+=(const Weight& other) {
  seconds += other.seconds;
  bytes += other.bytes;
  steps += other.steps;
  return *this;
}

bool lighter(const Weight& a, const Weight& b) {
  constexpr double kEqual = 1e-9;  // far above the rounding of such sums
  const auto differ = [](double x, double y) {
    if (std::isinf(x) || std::isinf(y)) return x != y;
    return std::abs(x - y) > kEqual * std::max(std::abs(x), std::abs(y));
  };
  if (differ(a.seconds, b.seconds)) return a.seconds < b.seconds;
  if (differ(a.bytes, b.bytes)) return a.bytes < b.bytes;
  return a.steps < b.steps;
}

Weight weigh(const Cost& cost) {
  return {.seconds = cost.severed ? HUGE_VAL : number(cost.time(), cost),
          .bytes = number(Formula(cost.comm_bytes), cost),
          .steps = 1};
}

double at_reference(const Formula& formula, const Mesh& mesh) {
  if (const auto constant = formula.constant()) return constant->to_double();
  Values values;
  for (const std::string& symbol : formula.symbols())
    values[symbol] = Rational::approximate(reference_value(symbol));
  for (const MeshAxis& axis : mesh.axes) {
    for (const std::string& symbol : axis.size.symbols()) {
      if (TrialSizes::find(symbol) == nullptr)
        values[symbol] = Rational(static_cast<std::int64_t>(kReferenceAxis));
    }
  }
  const auto constant = formula.substitute(values).constant();
  return constant ? constant->to_double() : HUGE_VAL;
}

bool needs_reference(const Cost& cost) {
  return !cost.time().constant().has_value() || !cost.comm_bytes.constant().has_value();
}

}  // namespace shard::planning
