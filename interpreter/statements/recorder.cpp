#include "interpreter/statements/recorder.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace shard {

void Recorder::note(checked::Item item, const RunnerState& state) {
  note_machine(state);
  note_held(state.scope.held);
  add(std::move(item));
}

void Recorder::note_machine(const RunnerState& state) {
  if (state.programs.empty()) return;
  const Machine& machine = state.programs[state.current].machine;
  const bool same = program_ == state.current;
  if (same && machine == machine_) return;
  add({checked::OnMachine{.machine = machine, .grown = same}});
  program_ = state.current;
  machine_ = machine;
}

void Recorder::note_held(const Holdings& now) {
  now.visit_changed_since(held_, [&](ArrayId array) {
    checked::Hold hold{.array = array, .copies = {}};
    for (const LiveCopy& copy : now.of(array))
      hold.copies.push_back({copy.layout, copy.copy.valid(), copy.made, copy.inferred});
    add({std::move(hold)});
  });
  held_ = now;
}

void Recorder::end_region(checked::RegionKind kind, Span span) {
  std::vector<checked::Item> items = std::move(open_.back().items);
  open_.pop_back();
  if (!items.empty()) add({checked::Region{kind, span, std::move(items)}});
}

void Recorder::begin_apart() {
  open_.push_back({.items = {}, .program = program_, .machine = machine_, .held = held_});
  program_ = kNoProgram;
}

void Recorder::end_apart(const RunnerState& state) {
  Open inner = std::move(open_.back());
  open_.pop_back();
  program_ = inner.program;
  machine_ = inner.machine;
  held_ = inner.held;
  if (inner.items.empty()) return;
  add({checked::Apart{std::make_shared<const checked::Program>(
      checked::Program{state.scope, std::move(inner.items)})}});
}

}  // namespace shard
