// What was planned costs what the report says, and no way that was weighed is cheaper.
#include <fmt/format.h>

#include <cmath>

#include "tests/interpreter/random_program/case.h"

namespace shard::random_program {

namespace {

constexpr double kEqual = 1e-9;

double number(const Formula& formula) {
  const auto constant = formula.constant();
  return constant ? constant->to_double() : 0;
}

// Whether every step of the statement was planned: no collective is written in it, and no rename follows.
bool is_all_planned(const StatementRecord& record) {
  if (std::holds_alternative<checked::Use>(record.flow.value.node)) return record.flow.is_copy;
  const auto* product = std::get_if<checked::Product>(&record.flow.value.node);
  const auto is_plain = [](const checked::Operation& operand) {
    return std::holds_alternative<checked::Use>(operand.node);
  };
  return product != nullptr && is_plain(*product->left) && is_plain(*product->right);
}

}  // namespace

std::string Case::complaint_about_costs() const {
  for (const Program& program : session_.state().programs) {
    for (const StatementRecord& record : program.statements) {
      if (record.ways.empty() || record.reference_sizes) continue;
      const double best = number(record.ways.front().time);
      for (const WeighedWay& way : record.ways) {
        if (number(way.time) < best * (1 - kEqual))
          return fmt::format("`{}`: a way that was weighed is cheaper than the one taken",
                             record.text);
      }
      if (const std::string sum = complaint_about_sum(program, record); !sum.empty()) return sum;
    }
  }
  return "";
}

std::string Case::complaint_about_sum(const Program& program, const StatementRecord& record) {
  double steps = 0;
  for (std::size_t i = record.first_step; i < record.end_step; ++i)
    steps += number(program.steps[i].cost.time());
  const double way = number(record.ways.front().time);
  const bool equal = std::abs(way - steps) <= kEqual * steps;
  if (equal || (!is_all_planned(record) && way < steps)) return "";
  return fmt::format("`{}`: its steps take {}, and it was weighed at {}", record.text, steps, way);
}

}  // namespace shard::random_program
