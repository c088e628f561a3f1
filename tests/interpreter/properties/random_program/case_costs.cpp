// What was planned costs what the report says, and no way that was weighed is cheaper.
#include <fmt/format.h>

#include <cmath>

#include "interpreter/program/step_text.h"
#include "tests/interpreter/properties/random_program/case.h"

namespace shard::random_program {

namespace {

constexpr double kEqual = 1e-9;

double number(const Formula& formula) {
  const auto constant = formula.constant();
  return constant ? constant->to_double() : 0;
}

// Whether every step of the statement was planned: no collective is written in it, and no rename follows.
bool is_all_planned(const StatementRecord& record) {
  const checked::Flow& flow = *record.flow.form();
  if (std::holds_alternative<checked::Use>(flow.value.node)) return flow.is_copy;
  const auto* product = std::get_if<checked::Product>(&flow.value.node);
  const auto is_plain = [](const checked::Operation& operand) {
    return std::holds_alternative<checked::Use>(operand.node);
  };
  return product != nullptr && is_plain(*product->left) && is_plain(*product->right);
}

}  // namespace

std::string Case::complaint_about_costs() const {
  for (const Program& program : session_.state().programs) {
    if (std::string steps = complaint_about_steps(program); !steps.empty()) return steps;
    if (std::string timeline = complaint_about_timeline(program); !timeline.empty())
      return timeline;
    for (const StatementRecord& record : program.statements) {
      if (record.ways == nullptr || record.ways->reference_sizes) continue;
      if (record.ways->made.empty()) continue;
      const double best = number(record.ways->made.front()->time);
      for (const planning::MadePtr& way : record.ways->all()) {
        // That of `plan cheapest` may be; it is noted.
        const bool by_cases = way != record.ways->cheaper;
        if (by_cases && number(way->time) < best * (1 - kEqual))
          return fmt::format("`{}`: a way that was weighed is cheaper than the one taken",
                             *record.text);
      }
      if (const std::string sum = complaint_about_sum(program, record); !sum.empty()) return sum;
    }
  }
  return "";
}

// A price that was remembered is that of the step itself.
std::string Case::complaint_about_steps(const Program& program) {
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const Cost own = cost_of(program.plan.steps[i], program.plan, program.machine);
    const Cost& told = *program.steps[i].cost;
    if (!(own.flops == told.flops && own.hbm_bytes == told.hbm_bytes &&
          own.comm_bytes == told.comm_bytes && own.time() == told.time()))
      return fmt::format("`{}`: priced at {}, and costs {}", step_text(program, i),
                         told.time().to_string(), own.time().to_string());
  }
  return "";
}

// The rules of the timeline, each checked by itself: operands first, one thing at a time, computing in order, and no time
// lost in which nothing runs.
std::string Case::complaint_about_timeline(const Program& program) {
  const auto figures = figures_of(program);
  if (!figures.timeline) return "";
  const Timeline& timeline = *figures.timeline;
  const double rounding = kEqual * timeline.end;
  std::map<CopyId, double> made;
  std::map<std::size_t, std::vector<std::pair<double, double>>> busy;
  std::map<std::size_t, double> computed_until;
  double sum = 0;
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const TimedStep& step = timeline.steps[i];
    const Step& action = program.plan.steps[i];
    const double seconds = number(program.steps[i].cost->time());
    sum += seconds;
    if (std::abs(step.end - step.start - seconds) > rounding)
      return fmt::format("`{}` runs for another time than it takes", step_text(program, i));
    for (const CopyId operand : operands_of(action)) {
      if (step.start < made[operand] - rounding)
        return fmt::format("`{}` starts before an operand is there", step_text(program, i));
    }
    if (result_of(action).valid()) made[result_of(action)] = step.end;
    for (const std::size_t stream : step.streams) {
      busy[stream].emplace_back(step.start, step.end);
      if (!timeline.streams[stream].computes) continue;
      if (step.start < computed_until[stream] - rounding)
        return fmt::format("`{}` is computed out of order", step_text(program, i));
      computed_until[stream] = step.end;
    }
    if (step.end > timeline.end + rounding) return "a step ends behind the end";
    if (step.slack < 0 || step.end + step.slack > timeline.end + rounding)
      return fmt::format("`{}` has a slack that cannot be", step_text(program, i));
  }
  for (auto& [stream, intervals] : busy) {
    std::sort(intervals.begin(), intervals.end());
    for (std::size_t i = 1; i < intervals.size(); ++i) {
      if (intervals[i].first < intervals[i - 1].second - rounding)
        return fmt::format("stream {} does two things at once", timeline.streams[stream].name);
    }
  }
  return timeline.end > sum + rounding ? "the timeline is longer than all steps together" : "";
}

std::string Case::complaint_about_sum(const Program& program, const StatementRecord& record) {
  double steps = 0;
  for (std::size_t i = record.first_step; i < record.end_step; ++i)
    steps += number(program.steps[i].cost->time());
  const double way = number(record.ways->made.front()->time);
  const bool equal = std::abs(way - steps) <= kEqual * steps;
  if (equal || (!is_all_planned(record) && way < steps)) return "";
  return fmt::format("`{}`: its steps take {}, and it was weighed at {}", *record.text, steps, way);
}

}  // namespace shard::random_program
