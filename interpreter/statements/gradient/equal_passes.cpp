#include "interpreter/statements/gradient/equal_passes.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/periods.h"
#include "interpreter/program/equal_statements.h"

namespace shard {

namespace {

// Statements of a pass. More are hardly written in a loop, and a search for them takes its time.
constexpr std::size_t kLongestPass = 256;

class DerivedPasses {
 public:
  DerivedPasses(std::size_t first_entry, RunnerState& state) : first_(first_entry), state_(state) {}

  void fold() {
    for (std::size_t i = first_; i < state_.entries.size(); ++i) kinds_.push_back(kind_of(i));
    std::size_t folded = 0;
    for (const PeriodicPart& part : periodic_parts(kinds_, kLongestPass)) {
      if (part.end - part.begin == part.period || part.begin < folded) continue;
      folded = end_of_last_pass(part);
      for (std::size_t i = 0; i < part.period; ++i)
        fold(first_ + part.begin + i, first_ + folded, part.period);
    }
  }

 private:
  PlannedEntry* planned(std::size_t i) { return std::get_if<PlannedEntry>(&state_.entries[i]); }

  // The last pass may end early: nothing goes back to what the loop began with.
  std::size_t end_of_last_pass(const PeriodicPart& part) const {
    std::size_t end = part.end;
    while (end < kinds_.size() && kinds_[end] == kinds_[end - part.period]) ++end;
    return end;
  }

  // The first entry that does the same, or itself.
  std::size_t kind_of(std::size_t i) {
    const PlannedEntry* entry = planned(i);
    if (entry == nullptr || entry->times > 1 || entry->is_repeated) return i;
    const Program& program = state_.programs[entry->program];
    const StatementRecord& record = program.statements[entry->statement];
    std::vector<std::size_t>& known = known_[form_of(program, record)];
    const auto same = std::find_if(known.begin(), known.end(), [&](std::size_t other) {
      const PlannedEntry& its = *planned(other);
      return its.program == entry->program && its.fused == entry->fused &&
             steps_cost_the_same(program, record, program.statements[its.statement]);
    });
    if (same != known.end()) return *same;
    known.push_back(i);
    return i;
  }

  void fold(std::size_t begin, std::size_t end, std::size_t period) {
    PlannedEntry& entry = *planned(begin);
    for (std::size_t i = begin + period; i < end; i += period) {
      PlannedEntry& other = *planned(i);
      ++entry.times;
      entry.last = other.statement;
      other.is_repeated = true;
    }
  }

  std::size_t first_;
  RunnerState& state_;
  std::vector<std::size_t> kinds_;
  std::map<std::string, std::vector<std::size_t>> known_;
};

}  // namespace

void fold_equal_passes(std::size_t first_entry, RunnerState& state) {
  const auto begin = state.entries.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(std::min(first_entry, state.entries.size()));
  const bool has_loop = std::any_of(begin, end, [](const Entry& entry) {
    const auto* planned = std::get_if<PlannedEntry>(&entry);
    return planned != nullptr && (planned->in_pass || planned->times > 1);
  });
  if (has_loop) DerivedPasses(first_entry, state).fold();
}

}  // namespace shard
