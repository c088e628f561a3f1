// Writes down what a script does to arrays, as it is checked and planned: a checked program.
#pragma once

#include <cstddef>
#include <vector>

#include "interpreter/ir/checked_program.h"
#include "interpreter/statements/runner.h"

namespace shard {

class Recorder {
 public:
  // `scope`: that in which the script begins.
  explicit Recorder(const Scope& scope) : held_(scope.held) { open_.emplace_back(); }

  // An item that the program that grows is about to carry out, after what else has changed the copies since the last one.
  void note(checked::Item item, const RunnerState& state);
  // It was carried out.
  void end_item(const RunnerState& state) { held_ = state.scope.held; }

  void begin_region() { open_.emplace_back(); }
  void end_region(checked::RegionKind kind, Span span);
  // What stands for itself; at its end, before all is put back.
  void begin_apart();
  void end_apart(const RunnerState& state);

  checked::Program program(const Scope& scope) const { return {scope, open_.front().items}; }

 private:
  static constexpr std::size_t kNoProgram = static_cast<std::size_t>(-1);

  // Items of a region, or of what stands apart; of the latter also what was before it.
  struct Open {
    std::vector<checked::Item> items;
    std::size_t program = kNoProgram;
    Machine machine = {};
    Holdings held = {};
  };

  void note_machine(const RunnerState& state);
  void note_held(const Holdings& now);
  void add(checked::Item item) { open_.back().items.push_back(std::move(item)); }

  std::vector<Open> open_;            // the innermost last
  Holdings held_;                     // as the last item left them
  std::size_t program_ = kNoProgram;  // the one that grows, of RunnerState
  Machine machine_ = {};
};

// A region of the script, where one is written down.
class RegionRecord {
 public:
  RegionRecord(checked::RegionKind kind, Span span, Recorder* recorder)
      : kind_(kind), span_(span), recorder_(recorder) {
    if (recorder_ != nullptr) recorder_->begin_region();
  }
  RegionRecord(const RegionRecord&) = delete;
  RegionRecord& operator=(const RegionRecord&) = delete;
  ~RegionRecord() {
    if (recorder_ != nullptr) recorder_->end_region(kind_, span_);
  }

 private:
  checked::RegionKind kind_;
  Span span_;
  Recorder* recorder_;
};

}  // namespace shard
