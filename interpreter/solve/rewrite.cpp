#include "interpreter/solve/rewrite.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime/machine/chip_figure.h"

namespace shard {

namespace {

using FormulaOp = Formula::Op;
constexpr const char* kLatency = "T_min";

Formula combined(FormulaOp op, const std::vector<Formula>& arguments) {
  Formula result = arguments.front();
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const Formula& next = arguments[i];
    switch (op) {
      case FormulaOp::Sum:
        result = result + next;
        break;
      case FormulaOp::Product:
        result = result * next;
        break;
      case FormulaOp::Quotient:
        result = result / next;
        break;
      case FormulaOp::Max:
        result = max(result, next);
        break;
      case FormulaOp::Min:
        result = min(result, next);
        break;
      default:
        result = power(result, next);
    }
  }
  return result;
}

Formula applied(FormulaOp op, const std::vector<Formula>& arguments) {
  switch (op) {
    case FormulaOp::Ceil:
      return ceil(arguments.front());
    case FormulaOp::Floor:
      return floor(arguments.front());
    case FormulaOp::Round:
      return round(arguments.front());
    case FormulaOp::Sqrt:
      return sqrt(arguments.front());
    case FormulaOp::Log2:
      return log2(arguments.front());
    default:
      return combined(op, arguments);
  }
}

Formula amount_with(const Amount& amount, const std::string& symbol, const Formula& value) {
  Formula sum;
  for (const auto& [exponent, coefficient] : by_power(amount, symbol))
    sum = sum + Formula(coefficient) * power(value, Formula(exponent));
  return sum;
}

// Hops times what each takes.
bool is_latency(const Formula& argument) {
  if (argument.op() == FormulaOp::Amount) return has_symbol(argument, kLatency);
  if (argument.op() == FormulaOp::Ceil) return true;
  return std::any_of(argument.arguments().begin(), argument.arguments().end(), is_latency);
}

bool has_open_size(const Formula& formula) {
  const auto symbols = formula.symbols();
  return !std::all_of(symbols.begin(), symbols.end(), is_chip_symbol);
}

Formula without_latency(const Formula& maximum) {
  if (maximum.op() != FormulaOp::Max) return maximum;
  std::vector<Formula> kept;
  const auto& all = maximum.arguments();
  const bool sized = std::any_of(all.begin(), all.end(), has_open_size);
  for (const Formula& argument : all) {
    if (!is_latency(argument) && (!sized || has_open_size(argument))) kept.push_back(argument);
  }
  return kept.empty() ? maximum : combined(FormulaOp::Max, kept);
}

double folded(FormulaOp op, const std::vector<double>& values) {
  double result = values.front();
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double next = values[i];
    switch (op) {
      case FormulaOp::Sum:
        result += next;
        break;
      case FormulaOp::Product:
        result *= next;
        break;
      case FormulaOp::Quotient:
        result /= next;
        break;
      case FormulaOp::Max:
        result = std::max(result, next);
        break;
      case FormulaOp::Min:
        result = std::min(result, next);
        break;
      default:
        result = std::pow(result, next);
    }
  }
  return result;
}

double amount_at(const Amount& amount, const std::string& symbol, double at) {
  double sum = 0;
  for (const Amount::Term& term : amount.terms()) {
    double value = term.coefficient.to_double();
    for (const Amount::Power& power_of : term.powers) {
      if (power_of.symbol != symbol) return std::numeric_limits<double>::quiet_NaN();
      value *= std::pow(at, power_of.exponent);
    }
    sum += value;
  }
  return sum;
}

}  // namespace

std::map<int, Amount> by_power(const Amount& amount, const std::string& symbol) {
  std::map<int, Amount> groups;
  for (const Amount::Term& term : amount.terms()) {
    Amount::Term rest{term.coefficient, {}};
    int exponent = 0;
    for (const Amount::Power& power_of : term.powers) {
      if (power_of.symbol == symbol)
        exponent = power_of.exponent;
      else
        rest.powers.push_back(power_of);
    }
    groups[exponent] = groups[exponent] + Amount::from_terms({rest});
  }
  return groups;
}

Formula rewritten(const Formula& formula, const std::function<Formula(const Formula&)>& change) {
  if (formula.op() == FormulaOp::Amount) return change(formula);
  std::vector<Formula> arguments;
  for (const Formula& argument : formula.arguments())
    arguments.push_back(rewritten(argument, change));
  return change(applied(formula.op(), arguments));
}

Formula with_value(const Formula& formula, const std::string& symbol, const Formula& value) {
  return rewritten(formula, [&](const Formula& node) {
    return node.op() == FormulaOp::Amount ? amount_with(node.amount(), symbol, value) : node;
  });
}

bool has_symbol(const Formula& formula, const std::string& symbol) {
  const auto symbols = formula.symbols();
  return std::binary_search(symbols.begin(), symbols.end(), symbol);
}

Formula without_latencies(const Formula& formula) { return rewritten(formula, without_latency); }

double value_at(const Formula& formula, const std::string& symbol, double at) {
  if (formula.op() == FormulaOp::Amount) return amount_at(formula.amount(), symbol, at);
  std::vector<double> values;
  for (const Formula& argument : formula.arguments())
    values.push_back(value_at(argument, symbol, at));
  switch (formula.op()) {
    case FormulaOp::Ceil:
      return std::ceil(values.front());
    case FormulaOp::Floor:
      return std::floor(values.front());
    case FormulaOp::Round:
      return std::nearbyint(values.front());
    case FormulaOp::Sqrt:
      return std::sqrt(values.front());
    case FormulaOp::Log2:
      return std::log2(values.front());
    default:
      return folded(formula.op(), values);
  }
}

}  // namespace shard
