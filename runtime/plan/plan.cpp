#include "runtime/plan/plan.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/contains.h"
#include "base/match.h"
#include "base/packed_lists.h"

namespace shard {
namespace {

constexpr int kNeverRead = -1;
constexpr int kFreed = -2;

Event event_of(const Step& step) {
  const auto* free = std::get_if<FreeStep>(&step.action);
  return free != nullptr ? Event{nullptr, free->copy, step.statement}
                         : Event{&step, {}, step.statement};
}

// For every copy the last step that reads it; kNeverRead if none does, kFreed if a step frees it explicitly.
std::vector<int> last_uses(const Plan& plan) {
  std::vector<int> last(plan.copies.size(), kNeverRead);
  std::vector<bool> freed(plan.copies.size(), false);
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const Step& step = plan.steps[i];
    const auto use = [&](CopyId copy) {
      last[static_cast<std::size_t>(copy.value)] = static_cast<int>(i);
    };
    if (const auto* free = std::get_if<FreeStep>(&step.action)) {
      freed[static_cast<std::size_t>(free->copy.value)] = true;
      continue;
    }
    for_each_operand(step, use);
  }
  for (std::size_t i = 0; i < last.size(); ++i) {
    if (freed[i]) last[i] = kFreed;
  }
  return last;
}

}  // namespace

double elements_of(const Copy& copy) {
  double elements = 1;
  for (const Amount& length : copy.shape) elements *= length.constant()->to_double();
  return elements;
}

std::string_view name_of(ReductionKind kind) {
  switch (kind) {
    case ReductionKind::Sum:
      return "sum";
    case ReductionKind::Mean:
      return "mean";
    case ReductionKind::Max:
      return "max";
    case ReductionKind::Min:
      return "min";
  }
  SHARD_CHECK(!"a reduction has a name");
}

Combination combination_of(ReductionKind kind) {
  if (kind == ReductionKind::Max) return Combination::Max;
  return kind == ReductionKind::Min ? Combination::Min : Combination::Sum;
}

bool is_view(const SelectionStep& step, const Copy& operand, const Copy& result) {
  if (step.is_kept || operand.dtype != result.dtype) return false;
  if (step.kind == SelectionKind::Reshape) return true;
  return step.kind == SelectionKind::Gather && step.operands.size() == 1 &&
         operand.layout.unreduced == result.layout.unreduced;
}

std::string_view name_of(SelectionKind kind) {
  switch (kind) {
    case SelectionKind::Gather:
      return "gather";
    case SelectionKind::Update:
      return "update";
    case SelectionKind::Reshape:
      return "Reshape";
    case SelectionKind::Top:
      return "top";
    case SelectionKind::CumSum:
      return "cumsum";
    case SelectionKind::Concat:
      return "concat";
    case SelectionKind::Scatter:
      return "scatter";
  }
  SHARD_CHECK(!"a selection has a name");
}

bool holds_part(const Copy& copy, const std::vector<int>& labels, const Piece& piece) {
  const auto place = std::find(labels.begin(), labels.end(), piece.along) - labels.begin();
  return contains_all(copy.layout.dims.items().at(static_cast<std::size_t>(place)), piece.axes);
}

const std::vector<AxisId>& communication_axes(const Step& step) {
  static const std::vector<AxisId> none;
  const auto* collective = std::get_if<CollectiveStep>(&step.action);
  return collective == nullptr ? none : collective->axes.items();
}

CopyId result_of(const Step& step) {
  return match(
      step.action,                                          //
      [](const InputStep& input) { return input.result; },  //
      [](const ContractStep& contract) { return contract.result; },
      [](const ElementwiseStep& elementwise) { return elementwise.result; },
      [](const ReductionStep& reduction) { return reduction.result; },
      [](const SelectionStep& selection) { return selection.result; },
      [](const CollectiveStep& collective) { return collective.result; },
      [](const SliceStep& slice) { return slice.result; },
      [](const TransposeStep& transpose) { return transpose.result; },  //
      [](const FreeStep&) { return CopyId{}; });
}

std::vector<CopyId> operands_of(const Step& step) {
  using Copies = std::vector<CopyId>;
  return match(
      step.action,                                //
      [](const InputStep&) { return Copies{}; },  //
      [](const ContractStep& contract) {
        Copies copies = {contract.left, contract.right};
        if (contract.piece && contract.piece->onto.valid()) copies.push_back(contract.piece->onto);
        return copies;
      },
      [](const ElementwiseStep& elementwise) { return elementwise.operands.items(); },
      [](const ReductionStep& reduction) { return Copies{reduction.operand}; },
      [](const SelectionStep& selection) { return selection.operands.items(); },
      [](const CollectiveStep& collective) { return Copies{collective.operand}; },
      [](const SliceStep& slice) { return Copies{slice.operand}; },
      [](const TransposeStep& transpose) { return Copies{transpose.operand}; },  //
      [](const FreeStep&) { return Copies{}; });
}

void rename_copies(Step& step, const std::function<CopyId(CopyId)>& renamed) {
  const auto rename = [&](CopyId& copy) {
    if (copy.valid()) copy = renamed(copy);
  };
  const auto rename_all = [&](std::vector<CopyId>& copies) {
    for (CopyId& copy : copies) rename(copy);
  };
  match(
      step.action,  //
      [&](ContractStep& contract) {
        rename(contract.left);
        rename(contract.right);
        if (contract.piece) rename(contract.piece->onto);
      },
      [&](ElementwiseStep& elementwise) {
        rename_all(elementwise.operands.edit());
        rename(elementwise.in_place);
      },
      [&](SelectionStep& selection) {
        rename_all(selection.operands.edit());
        rename(selection.in_place);
      },
      [](InputStep&) {}, [&](ReductionStep& reduction) { rename(reduction.operand); },
      [&](CollectiveStep& collective) { rename(collective.operand); },
      [&](SliceStep& slice) { rename(slice.operand); },
      [&](TransposeStep& transpose) { rename(transpose.operand); },
      [&](FreeStep& free) { rename(free.copy); });
  match(
      step.action, [](FreeStep&) {}, [&](auto& makes) { rename(makes.result); });
}

bool is_there_before(const Step& step) {
  const auto* input = std::get_if<InputStep>(&step.action);
  return input != nullptr && !is_fill(input->kind);
}

std::vector<Event> run_order(const Plan& plan, const std::vector<CopyId>& keep,
                             const IdMap<CopyId, int>& ended) {
  const std::vector<int> last = last_uses(plan);
  std::vector<std::pair<std::size_t, CopyId>> ends;  // by the last step that reads them
  std::map<int, std::vector<CopyId>> unread;         // by the statement that ends them
  for (std::size_t i = 0; i < last.size(); ++i) {
    const CopyId copy{static_cast<std::int32_t>(i)};
    if (contains(keep, copy)) continue;
    if (last[i] >= 0) {
      ends.emplace_back(static_cast<std::size_t>(last[i]), copy);
    } else if (last[i] == kNeverRead) {
      if (const int* end = ended.find(copy)) unread[*end].push_back(copy);
    }
  }
  const Lists<CopyId> ending(plan.steps.size(), ends);
  std::vector<Event> events;
  events.reserve(plan.steps.size() + plan.copies.size());
  const auto add = [&](std::size_t i) {
    const Step& step = plan.steps[i];
    events.push_back(event_of(step));
    for (const CopyId copy : ending[i]) events.push_back({nullptr, copy, step.statement});
  };
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    if (is_there_before(plan.steps[i])) add(i);
  }
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    if (is_there_before(plan.steps[i])) continue;
    const int statement = plan.steps[i].statement;
    for (; !unread.empty() && unread.begin()->first <= statement; unread.erase(unread.begin())) {
      for (const CopyId copy : unread.begin()->second) events.push_back({nullptr, copy, statement});
    }
    add(i);
  }
  return events;
}

std::vector<Event> events_of(const Plan& plan) {
  std::vector<Event> events;
  for (const Step& step : plan.steps) events.push_back(event_of(step));
  return events;
}

void free_after_last_use(Plan& plan, const std::vector<CopyId>& keep,
                         const IdMap<CopyId, int>& ended) {
  std::vector<Step> steps;
  for (const Event& event : run_order(plan, keep, ended))
    steps.push_back(event.step != nullptr ? *event.step
                                          : Step{FreeStep{event.freed}, event.statement});
  plan.steps = std::move(steps);
}

}  // namespace shard
