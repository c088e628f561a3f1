#include "interpreter/emulate/judgements.h"

#include <algorithm>

#include "base/check.h"
#include "base/contains.h"

namespace shard {

namespace {

constexpr std::size_t kNever = 0;

// A copy from before, which was judged when it was made.
bool is_held(const Step& step) {
  const auto* input = std::get_if<InputStep>(&step.action);
  return input != nullptr && input->kind == InputKind::Held;
}

// The operand of a step that makes another copy of the same array; invalid for other steps.
CopyId moved_operand(const Step& step) {
  if (const auto* slice = std::get_if<SliceStep>(&step.action)) return slice->operand;
  const auto* collective = std::get_if<CollectiveStep>(&step.action);
  const bool moves = collective != nullptr && !makes_other_array(collective->kind);
  return moves ? collective->operand : CopyId();
}

void collect_arrays(const checked::Operation& operation, std::vector<ArrayId>& arrays) {
  if (const auto* use = std::get_if<checked::Use>(&operation.node)) arrays.push_back(use->array);
  for (const checked::Operation* part : checked::operands_of(operation))
    collect_arrays(*part, arrays);
}

template <class Map, class Key>
const typename Map::mapped_type& listed(const Map& map, const Key& key) {
  static const typename Map::mapped_type none;
  const auto found = map.find(key);
  return found == map.end() ? none : found->second;
}

}  // namespace

Judgements::Judgements(const Program& program, const Plan& plan)
    : program_(program),
      reads_(program.statements.size()),
      steps_(program.statements.size(), Steps::None) {
  for (const StatementRecord& statement : program.statements) {
    if (statement.names_part)
      parts_.set(statement.target, static_cast<int>(&statement - program.statements.data()));
    if (!statement.is_argument) continue;
    const checked::Flow flow = statement.flow.get();
    const auto* use = std::get_if<checked::Use>(&flow.value.node);
    SHARD_CHECK(use != nullptr);
    passed_.set(flow.target, passed(use->array));
  }
  judge_steps(plan);
  note_ends();
}

ArrayId Judgements::passed(ArrayId array) const {
  const ArrayId* other = passed_.find(array);
  return other == nullptr ? array : *other;
}

void Judgements::judge_steps(const Plan& plan) {
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const Step& step = plan.steps[i];
    if (!result_of(step).valid() || is_held(step)) continue;
    judge(step, i);
    note_reads(step);
    if (step.statement < 0 || std::holds_alternative<InputStep>(step.action)) continue;
    const Judgement* judgement = find(result_of(step));
    const bool is_own = judgement != nullptr && judgement->by == Judgement::By::Statement;
    Steps& steps = steps_[static_cast<std::size_t>(step.statement)];
    steps = std::max(steps, is_own ? Steps::Own : Steps::OfOthers);
  }
}

bool Judgements::is_carried_out(int statement) const {
  return steps_[static_cast<std::size_t>(statement)] != Steps::OfOthers;
}

void Judgements::judge(const Step& step, std::size_t at) {
  const CopyId result = result_of(step);
  const CopyId operand = moved_operand(step);
  const CopyId* before = moved_from_.find(operand);
  const CopyId source = program_.owners.contains(operand) ? operand
                        : before != nullptr               ? *before
                                                          : CopyId();
  const ArrayId* owner = program_.owners.find(result);
  if (owner == nullptr) {
    if (source.valid()) moved_from_.set(result, source);
    return;
  }
  Judgement judgement{.by = Judgement::By::Statement, .source = {}, .statement = step.statement};
  if (std::holds_alternative<InputStep>(step.action)) {
    judgement.by = Judgement::By::Input;
  } else if (source.valid() && passed(*program_.owners.find(source)) == passed(*owner)) {
    judgement.by = Judgement::By::Source;
    judgement.source = source;
    need(source, at);
  }
  const int* named = parts_.find(*owner);
  if (named != nullptr && step.statement < *named) judgement.by = Judgement::By::Part;
  judgements_.set(result, judgement);
  judged_in_.set(result, at);
  judged_at_[at] = result;
}

void Judgements::note_reads(const Step& step) {
  // An input reads nothing, and one that is only used by `expect equal` may come after the last statement.
  if (step.statement < 0 || std::holds_alternative<InputStep>(step.action)) return;
  const Judgement* judgement = find(result_of(step));
  auto& reads = reads_[static_cast<std::size_t>(step.statement)];
  for_each_operand(step, [&](CopyId operand) {
    const bool moves = judgement != nullptr && judgement->source == operand;
    if (!moves && program_.owners.contains(operand) && !contains(reads, operand))
      reads.push_back(operand);
  });
}

std::vector<std::size_t> Judgements::judging_steps() const {
  std::vector<std::size_t> steps(program_.statements.size(), kNever);
  judgements_.for_each([&](CopyId copy, const Judgement& judgement) {
    if (judgement.by == Judgement::By::Input) return;
    auto& step = steps[static_cast<std::size_t>(judgement.statement)];
    step = std::max(step, *judged_in_.find(copy));
  });
  for (std::size_t i = steps.size(); i-- > 1;) {
    if (steps[i - 1] == kNever) steps[i - 1] = steps[i];
  }
  return steps;
}

void Judgements::need(CopyId copy, std::size_t step) {
  const std::size_t* until = needed_until_.find(copy);
  needed_until_.set(copy, until == nullptr ? step : std::max(*until, step));
}

void Judgements::note_ends() {
  const std::vector<std::size_t> judged = judging_steps();
  std::map<ArrayId, std::size_t> arrays;  // of the unsharded computation: last step needing them
  const auto need_array = [&](ArrayId array, std::size_t step) {
    auto& until = arrays[array];
    until = std::max(until, step);
  };
  for (std::size_t i = 0; i < judged.size(); ++i) {
    for (const CopyId copy : reads_[i]) need(copy, judged[i]);
    const checked::Flow flow = program_.statements[i].flow.get();
    std::vector<ArrayId> used = {flow.target};
    collect_arrays(flow.value, used);
    for (const ArrayId array : used) need_array(array, judged[i]);
  }
  judged_in_.for_each([&](CopyId copy, std::size_t step) {
    need(copy, step);
    need_array(*program_.owners.find(copy), step);
  });
  needed_until_.for_each([&](CopyId copy, std::size_t step) {
    if (const auto at = judged_at_.find(step); at != judged_at_.end())
      copies_done_[at->second].push_back(copy);
  });
  for (const auto& [array, step] : arrays) {
    if (const auto at = judged_at_.find(step); at != judged_at_.end())
      arrays_done_[at->second].push_back(array);
  }
}

std::vector<CopyId> Judgements::read_by(int statement, ArrayId array) const {
  std::vector<CopyId> copies;
  for (const CopyId copy : reads_[static_cast<std::size_t>(statement)]) {
    if (passed(*program_.owners.find(copy)) == passed(array)) copies.push_back(copy);
  }
  return copies;
}

bool Judgements::is_needed_after(CopyId copy, CopyId judged) const {
  return *needed_until_.find(copy) > *judged_in_.find(judged);
}

const std::vector<CopyId>& Judgements::copies_done_with(CopyId judged) const {
  return listed(copies_done_, judged);
}

const std::vector<ArrayId>& Judgements::arrays_done_with(CopyId judged) const {
  return listed(arrays_done_, judged);
}

}  // namespace shard
