#include "interpreter/lower/lowering_cache.h"

#include <algorithm>

namespace shard {

namespace {

// Bounds the memory of a script of ever new flows. Past it the cache is emptied, and flows that recur are lowered once more.
constexpr std::size_t kMostFlows = 4096;

bool is_same(const LiveCopy& a, const LiveCopy& b) {
  return a.copy == b.copy && a.made == b.made && a.inferred == b.inferred && a.layout == b.layout;
}

std::size_t at(CopyId position) { return static_cast<std::size_t>(position.value); }

}  // namespace

const LoweredFlow* LoweringCache::find(const FlowToLower& flow) const {
  const auto found = lowered_.find(flow.key);
  return found == lowered_.end() ? nullptr : &found->second;
}

void LoweringCache::add(const FlowToLower& flow, LoweredFlow lowered) {
  if (lowered_.size() >= kMostFlows) lowered_.clear();
  lowered_.emplace(flow.key, std::move(lowered));
}

// ------------------------------------------------------------ recording

LoweringRecorder::LoweringRecorder(const FlowToLower& flow, const Holdings& held,
                                   const Program& program)
    : flow_(flow),
      holdings_(held),
      program_(program),
      first_copy_(program.plan.copies.size()),
      first_step_(program.steps.size()) {
  for (const ArrayId array : flow.arrays) held_.push_back(held.of(array));
  for (const CopyId copy : flow.copies) {
    owned_.push_back(program.owners.contains(copy));
    ended_.push_back(program.ended.contains(copy));
  }
}

CopyId LoweringRecorder::position(CopyId copy) const {
  if (!copy.valid()) return copy;
  const auto& known = flow_.copies;
  const auto found =
      static_cast<std::size_t>(std::find(known.begin(), known.end(), copy) - known.begin());
  if (found < known.size()) return {static_cast<std::int32_t>(found)};
  if (at(copy) < first_copy_) return {};
  return {static_cast<std::int32_t>(known.size() + at(copy) - first_copy_)};
}

std::optional<LoweredFlow::NewCopy> LoweringRecorder::described(CopyId made) const {
  const auto& names = flow_.names;
  LoweredFlow::NewCopy described{
      .copy = program_.plan.copies[made], .name = 0, .suffix = {}, .owner = {}};
  std::string& name = described.copy.name;
  const auto begins = [&](std::string_view known) {
    return name.starts_with(known) && (name.size() == known.size() || name[known.size()] == '\'');
  };
  const auto found = std::find_if(names.begin(), names.end(), begins);
  if (found == names.end()) return std::nullopt;
  described.name = static_cast<std::size_t>(found - names.begin());
  described.suffix = name.substr(found->size());
  name.clear();
  if (const ArrayId* owner = program_.owners.find(made)) {
    const auto array = std::find(flow_.arrays.begin(), flow_.arrays.end(), *owner);
    if (array == flow_.arrays.end()) return std::nullopt;
    described.owner = static_cast<std::size_t>(array - flow_.arrays.begin());
  }
  return described;
}

bool LoweringRecorder::add_held(LoweredFlow& lowered) const {
  for (std::size_t i = 0; i < flow_.arrays.size(); ++i) {
    const LiveCopies& now = holdings_.of(flow_.arrays[i]);
    if (std::equal(now.begin(), now.end(), held_[i].begin(), held_[i].end(), is_same)) continue;
    LoweredFlow::HeldCopies held{.array = i, .copies = now};
    for (LiveCopy& live : held.copies) {
      const CopyId copy = position(live.copy);
      if (copy.valid() != live.copy.valid()) return false;
      live.copy = copy;
    }
    lowered.held.push_back(std::move(held));
  }
  return true;
}

bool LoweringRecorder::add_steps(LoweredFlow& lowered) const {
  bool known = true;
  const auto placed = [&](CopyId copy) {
    const CopyId result = position(copy);
    known = known && result.valid() == copy.valid();
    return result;
  };
  for (std::size_t i = first_step_; i < program_.steps.size(); ++i) {
    Step step = program_.plan.steps[i];
    if (auto* input = std::get_if<InputStep>(&step.action)) {
      // It has its array's name as a seed.
      known = known && input->kind == InputKind::Hashed && !input->given &&
              input->seed == program_.plan.copies[input->result].name;
      input->seed.clear();
    }
    rename_copies(step, placed);
    lowered.steps.emplace_back(std::move(step), program_.steps[i]);
  }
  return known;
}

std::optional<LoweredFlow> LoweringRecorder::lowered(const StatementRecord& record) const {
  LoweredFlow lowered{.statement = record, .arrays = flow_.arrays};
  lowered.statement.text = {};
  for (std::size_t i = first_copy_; i < program_.plan.copies.size(); ++i) {
    const CopyId made{static_cast<std::int32_t>(i)};
    auto copy = described(made);
    if (!copy) return std::nullopt;
    lowered.copies.push_back(*std::move(copy));
    if (program_.ended.contains(made)) lowered.ended.push_back(position(made));
  }
  for (std::size_t i = 0; i < flow_.copies.size(); ++i) {
    if (!ended_[i] && program_.ended.contains(flow_.copies[i]))
      lowered.ended.push_back({static_cast<std::int32_t>(i)});
    const ArrayId* owner = owned_[i] ? nullptr : program_.owners.find(flow_.copies[i]);
    if (owner == nullptr) continue;
    const auto array = std::find(flow_.arrays.begin(), flow_.arrays.end(), *owner);
    if (array == flow_.arrays.end()) return std::nullopt;
    lowered.owners.emplace_back(i, static_cast<std::size_t>(array - flow_.arrays.begin()));
  }
  if (!add_held(lowered) || !add_steps(lowered)) return std::nullopt;
  lowered.statement.result = position(record.result);
  if (!record.on_the_way.empty()) {
    for (checked::OnTheWay& made : lowered.statement.on_the_way.edit())
      made.copy = position(made.copy);
  }
  return lowered;
}

// ------------------------------------------------------------ replaying

namespace {

// The copies that stand for positions.
std::vector<CopyId> add_copies(const LoweredFlow& lowered, const FlowToLower& flow,
                               Program& program) {
  std::vector<CopyId> copies = flow.copies;
  copies.reserve(copies.size() + lowered.copies.size());
  for (const LoweredFlow::NewCopy& made : lowered.copies) {
    Copy copy = made.copy;
    copy.name.reserve(flow.names[made.name].size() + made.suffix.size());
    copy.name = flow.names[made.name];
    copy.name += made.suffix;
    copies.push_back(program.plan.copies.add(std::move(copy)));
    if (made.owner) program.owners.set(copies.back(), flow.arrays[*made.owner]);
  }
  return copies;
}

}  // namespace

void replay(const LoweredFlow& lowered, const FlowToLower& flow, StatementRecord record,
            Holdings& held, Program& program) {
  const std::vector<CopyId> copies = add_copies(lowered, flow, program);
  const auto now = [&](CopyId position) {
    return position.valid() ? copies[at(position)] : position;
  };
  const auto statement = static_cast<int>(program.statements.size());
  record.first_step = program.steps.size();
  for (const auto& [form, shown] : lowered.steps) {
    Step step = form;
    rename_copies(step, now);
    step.statement = statement;
    if (auto* input = std::get_if<InputStep>(&step.action))
      input->seed = program.plan.copies[input->result].name;
    program.plan.steps.push_back(std::move(step));
    program.steps.push_back(shown);
  }
  record.end_step = program.steps.size();
  for (const auto& [copy, array] : lowered.owners)
    program.owners.set(copies[copy], flow.arrays[array]);
  for (const CopyId copy : lowered.ended) program.ended.set_first(now(copy), statement);
  for (const LoweredFlow::HeldCopies& changed : lowered.held) {
    LiveCopies& live = held.change(flow.arrays[changed.array]);
    live = changed.copies;
    for (LiveCopy& copy : live) copy.copy = now(copy.copy);
  }
  record.result = now(lowered.statement.result);
  record.ways = lowered.statement.ways;
  record.on_the_way = lowered.statement.on_the_way;
  if (!record.on_the_way.empty()) {
    for (checked::OnTheWay& made : record.on_the_way.edit()) made.copy = now(made.copy);
  }
  std::vector<std::pair<ArrayId, ArrayId>> renamed;
  renamed.reserve(flow.arrays.size());
  for (std::size_t i = 0; i < flow.arrays.size(); ++i)
    renamed.emplace_back(lowered.arrays[i], flow.arrays[i]);
  record.flow = {lowered.statement.flow.form(), std::move(renamed)};
  program.statements.push_back(std::move(record));
}

}  // namespace shard
