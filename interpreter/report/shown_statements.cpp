#include "interpreter/report/shown_statements.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/format.h"
#include "interpreter/estimate/totals.h"
#include "interpreter/program/equal_statements.h"
#include "interpreter/program/step_text.h"

namespace shard {

namespace {

// A loop with more rows fills a screen of 24 lines.
constexpr std::size_t kMostRows = 20;
// Of the time of all passes: what takes that share has a row of its own, so that there are no more than twenty of them.
constexpr double kNoticeable = 0.05;

using Shown = std::vector<std::vector<ShownStatement>>;

class Sharing {
 public:
  Sharing(const RunnerState& state, const SourceMap* sources, Shown& shown)
      : state_(state), sources_(sources), shown_(shown) {}

  // Statements that stand one below the other, and then groups of them.
  void fold_equal(const Outcome& outcome) {
    std::optional<std::size_t> before;
    std::vector<std::size_t> row;  // what stands one below the other
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      if (shown_[i].empty()) {
        // What is repeated belongs to the statement before.
        const auto* planned = std::get_if<PlannedEntry>(&outcome.entries[i]);
        if (planned == nullptr) {
          before.reset();
          fold_groups(row);
          row.clear();
        }
        continue;
      }
      if (before && are_neighbours(shown_[*before].front().entry, shown_[i].front().entry)) {
        add(shown_[*before].front().entry, shown_[i].front().entry);
        shown_[i].clear();
      } else {
        before = i;
        row.push_back(i);
      }
    }
    fold_groups(row);
    for (auto& statements : shown_) {
      if (!statements.empty()) name_lines(statements.front());
    }
  }

  // Rows of loops, one after the other.
  void share_rows() {
    for (std::size_t begin = 0; begin < shown_.size();) {
      // A loop begins with what it shows: those that show nothing are looked at once.
      if (shown_[begin].empty()) {
        ++begin;
        continue;
      }
      const std::size_t end = end_of_loop(begin);
      if (end > begin) share_rows(begin, end);
      begin = std::max(end, begin + 1);
    }
  }

 private:
  const Program& program_of(const PlannedEntry& entry) const {
    return state_.programs[entry.program];
  }
  const StatementRecord& record_of(const PlannedEntry& entry) const {
    return program_of(entry).statements[entry.statement];
  }

  bool are_neighbours(const PlannedEntry& one, const PlannedEntry& other) const {
    return one.program == other.program && one.fused == other.fused &&
           one.in_pass == other.in_pass && *one.passes == *other.passes &&
           are_equal(program_of(one), record_of(one), record_of(other)) &&
           (!one.in_pass || one.times == other.times);
  }

  // Several statements that are written again and again, as layers without a loop.
  void fold_groups(const std::vector<std::size_t>& row) {
    for (std::size_t i = 0; i < row.size();) {
      const auto [length, count] = groups_at(row, i);
      for (std::size_t k = i + length; k < i + length * count; ++k) {
        add(shown_[row[k - length * ((k - i) / length)]].front().entry,
            shown_[row[k]].front().entry);
        shown_[row[k]].clear();
      }
      i += length * count;
    }
  }

  struct Groups {
    std::size_t length = 1;  // statements
    std::size_t count = 1;
  };
  Groups groups_at(const std::vector<std::size_t>& row, std::size_t begin) const {
    constexpr std::size_t kLongest = 32;  // a layer
    constexpr std::size_t kFewest = 3;
    for (std::size_t length = 2; length <= kLongest && begin + length < row.size(); ++length) {
      std::size_t end = begin + length;
      while (end < row.size() && are_in_groups(row[end - length], row[end])) ++end;
      const std::size_t count = (end - begin) / length;
      if (count >= kFewest) return {length, count};
    }
    return {};
  }

  bool are_in_groups(std::size_t one, std::size_t other) const {
    const PlannedEntry& first = shown_[one].front().entry;
    const PlannedEntry& second = shown_[other].front().entry;
    return !first.in_pass && first.times == second.times && are_neighbours(first, second);
  }

  static void add(PlannedEntry& one, const PlannedEntry& other) {
    one.times += other.times;
    one.last = other.times > 1 ? other.last : other.statement;
  }

  // In a loop the passes are in between.
  void name_lines(ShownStatement& shown) const {
    const PlannedEntry& entry = shown.entry;
    shown.which = *entry.passes;
    if (sources_ == nullptr || entry.times == 1 || entry.in_pass) return;
    const Span& first = record_of(entry).span;
    const Span& last = program_of(entry).statements[entry.last].span;
    if (!first.valid() || first.file != last.file) return;
    const auto line = [&](const Span& span) {
      return sources_->position(span.file, span.begin).line;
    };
    if (line(last) > line(first)) shown.which = fmt::format("lines {}…{}", line(first), line(last));
  }

  // Of a part of the entries in which all that is shown is done several times by one program.
  std::size_t end_of_loop(std::size_t begin) const {
    std::size_t end = begin;
    std::optional<std::size_t> program;
    for (; end < shown_.size(); ++end) {
      if (shown_[end].empty()) continue;
      const PlannedEntry& entry = shown_[end].front().entry;
      if (entry.times == 1 || (program && *program != entry.program)) break;
      program = entry.program;
    }
    return program ? end : begin;
  }

  struct Rows {
    std::size_t count = 0;
    double seconds = 0;
    bool are_known = true;
  };
  Rows rows_in(std::size_t begin, std::size_t end) const {
    Rows rows;
    for (std::size_t i = begin; i < end; ++i) {
      if (shown_[i].empty()) continue;
      const PlannedEntry& entry = shown_[i].front().entry;
      ++rows.count;
      for (const std::size_t step : shown_steps(program_of(entry), record_of(entry))) {
        const Cost& cost = *program_of(entry).steps[step].cost;
        const auto time = cost.time().constant();
        rows.are_known = rows.are_known && time;
        if (bound_of(cost) == Bound::Nothing || !time) continue;
        ++rows.count;
        rows.seconds += time->to_double() * static_cast<double>(entry.times);
      }
    }
    return rows;
  }

  void share_rows(std::size_t begin, std::size_t end) {
    const Rows rows = rows_in(begin, end);
    if (rows.count <= kMostRows || !rows.are_known || rows.seconds <= 0) return;
    std::optional<std::size_t> before;
    for (std::size_t i = begin; i < end; ++i) {
      if (shown_[i].empty()) continue;
      ShownStatement& shown = shown_[i].front();
      shown.noticeable = kNoticeable * rows.seconds / static_cast<double>(shown.entry.times);
      if (costs_nothing(shown.entry)) {
        shown_[i].clear();
        continue;
      }
      const bool shares = before && share_a_row(shown_[*before].back(), shown);
      if (!shares) {
        before = i;
        continue;
      }
      shown_[*before].push_back(std::move(shown));
      shown_[i].clear();
    }
  }

  bool costs_nothing(const PlannedEntry& entry) const {
    if (!record_of(entry).remark.empty()) return false;
    for (const std::size_t step : shown_steps(program_of(entry), record_of(entry))) {
      if (bound_of(*program_of(entry).steps[step].cost) != Bound::Nothing) return false;
    }
    return true;
  }

  bool share_a_row(const ShownStatement& one, const ShownStatement& other) const {
    return one.entry.times == other.entry.times && one.entry.fused == other.entry.fused &&
           one.which == other.which && is_cheap_and_local(one) && is_cheap_and_local(other);
  }

  bool is_cheap_and_local(const ShownStatement& shown) const {
    const Program& program = program_of(shown.entry);
    const StatementRecord& record = record_of(shown.entry);
    if (!record.remark.empty() || record.parts > 1) return false;
    for (const std::size_t step : shown_steps(program, record)) {
      const double seconds = program.steps[step].cost->time().constant()->to_double();
      if (seconds >= shown.noticeable || !communication_axes(program.plan.steps[step]).empty())
        return false;
    }
    return true;
  }

  const RunnerState& state_;
  const SourceMap* sources_;
  Shown& shown_;
};

}  // namespace

std::vector<std::vector<ShownStatement>> shown_statements(const Outcome& outcome,
                                                          const RunnerState& state,
                                                          const SourceMap* sources,
                                                          bool all_steps) {
  Shown shown(outcome.entries.size());
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto* planned = std::get_if<PlannedEntry>(&outcome.entries[i]);
    if (planned != nullptr && !planned->is_repeated) shown[i].push_back({.entry = *planned});
  }
  Sharing sharing(state, sources, shown);
  sharing.fold_equal(outcome);
  if (!all_steps) sharing.share_rows();
  return shown;
}

std::vector<CopyId> shown_inputs(const Program& program, const Arrays& store) {
  std::vector<CopyId> inputs;
  for (const Step& step : program.plan.steps) {
    const auto* input = std::get_if<InputStep>(&step.action);
    if (input == nullptr || input->kind == InputKind::Coordinate) continue;
    const ArrayId* owner = program.owners.find(input->result);
    if (owner == nullptr || !store.arrays[*owner].own_fill) inputs.push_back(input->result);
  }
  return inputs;
}

}  // namespace shard
