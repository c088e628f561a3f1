// Flows that lower to the same steps but for their arrays: text, loops, calls and sessions plan such a flow once.
#pragma once

#include <cstddef>
#include <forward_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interpreter/program/program.h"

namespace shard {

// A flow as lowering sees it, as long as the tables of arrays are not changed. Flows with equal keys lower to the same steps over other arrays.
struct FlowToLower {
  std::string key;  // empty if flows like it are lowered each by itself
  // What stands for the arrays, names and copies of a remembered flow, by position.
  std::vector<ArrayId>
      arrays;  // the target, those that it reads, and the one that it replaces, each once
  std::vector<std::string_view> names;  // of the result, then of arrays and their copies, each once
  std::vector<CopyId> copies;           // that the arrays hold
  std::forward_list<std::string> copied_names;  // those of `names` that are a copy's alone
};
FlowToLower as_key(const checked::Flow& flow, const Scope& scope, const Holdings& held,
                   const Program& program);

// What lowering a flow did. Copies are positions: first those of FlowToLower, then those that the flow made.
struct LoweredFlow {
  struct NewCopy {
    Copy copy;         // without its name
    std::size_t name;  // of FlowToLower::names, with a suffix such as "'1"
    std::string suffix;
    std::optional<std::size_t> owner;  // of FlowToLower::arrays
  };
  struct HeldCopies {
    std::size_t array;
    LiveCopies copies;
  };
  std::vector<NewCopy> copies;
  std::vector<HeldCopies> held;                             // by the arrays whose copies changed
  std::vector<std::pair<std::size_t, std::size_t>> owners;  // new ones of copies that were there
  std::vector<CopyId> ended;
  std::vector<std::pair<Step, StepRecord>> steps;
  StatementRecord statement;    // without text, places and target
  std::vector<ArrayId> arrays;  // of the statement's flow, by position
};

class LoweringCache {
 public:
  // Null if nothing like it was lowered.
  const LoweredFlow* find(const FlowToLower& flow) const;
  void add(const FlowToLower& flow, LoweredFlow lowered);

 private:
  std::unordered_map<std::string, LoweredFlow> lowered_;
};

// Watches one flow being lowered.
class LoweringRecorder {
 public:
  LoweringRecorder(const FlowToLower& flow, const Holdings& held, const Program& program);
  // What was appended since. nullopt if it cannot be said of other arrays. REQUIRES: nothing was reported.
  std::optional<LoweredFlow> lowered(const StatementRecord& record) const;

 private:
  std::optional<LoweredFlow::NewCopy> described(CopyId made) const;
  bool add_held(LoweredFlow& lowered) const;
  bool add_steps(LoweredFlow& lowered) const;
  // Invalid for a copy that is neither one of the flow's arrays nor new.
  CopyId position(CopyId copy) const;

  const FlowToLower& flow_;
  const Holdings& holdings_;
  const Program& program_;
  std::size_t first_copy_;
  std::size_t first_step_;
  std::vector<LiveCopies> held_;  // before, by array
  std::vector<bool> owned_;       // before, by copy
  std::vector<bool> ended_;
};

// Does to what is held and to the program what lowering `flow` would, whose statement is `record`.
void replay(const LoweredFlow& lowered, const FlowToLower& flow, StatementRecord record,
            Holdings& held, Program& program);

}  // namespace shard
