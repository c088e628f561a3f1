#include "runtime/cost/step_readers.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/plan/places.h"

namespace shard {
namespace {

// Who made what lies at a place; without a place, everywhere.
struct Maker {
  std::vector<Placement> place;
  std::size_t step;
};

bool may_meet(const std::vector<Placement>& a, const std::vector<Placement>& b) {
  return std::all_of(a.begin(), a.end(), [&](const Placement& one) {
    return std::all_of(b.begin(), b.end(), [&](const Placement& other) {
      return one.axis != other.axis || one.coordinate == other.coordinate;
    });
  });
}

// Where a step reads: a move where its operand is, anything else where it works.
std::vector<Placement> read_at(const Step& step, const Plan& plan) {
  const StepEnds ends = ends_of(step, plan);
  return std::holds_alternative<CollectiveStep>(step.action) ? ends.from : ends.to;
}

}  // namespace

Lists<std::size_t> readers_of(const Plan& plan) {
  const auto index = [](CopyId copy) { return static_cast<std::size_t>(copy.value); };
  constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();
  std::vector<std::vector<Maker>> makers(plan.copies.size());
  std::vector<std::size_t> last_reader(plan.steps.size(), kNobody);
  std::vector<std::pair<std::size_t, std::size_t>> readers;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const Step& step = plan.steps[i];
    const CopyId result = result_of(step);
    const auto place = result.valid() ? read_at(step, plan) : std::vector<Placement>();
    for_each_operand(step, [&](CopyId operand) {
      for (const Maker& maker : makers[index(operand)]) {
        if (last_reader[maker.step] == i || !may_meet(maker.place, place)) continue;
        last_reader[maker.step] = i;
        readers.emplace_back(maker.step, i);
      }
    });
    if (!result.valid()) continue;
    auto& made = makers[index(result)];
    const auto* selection = std::get_if<SelectionStep>(&step.action);
    const bool updates = selection != nullptr && selection->kind == SelectionKind::Update;
    if (updates && !place.empty()) {
      made = makers[index(selection->operands[0])];
      std::erase_if(made, [&](const Maker& maker) { return maker.place == place; });
    }
    made.push_back({updates ? place : std::vector<Placement>(), i});
  }
  return {plan.steps.size(), readers};
}

}  // namespace shard
