#include "interpreter/report/statement_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/format.h"
#include "base/line_width.h"
#include "base/words.h"
#include "interpreter/estimate/totals.h"
#include "interpreter/program/equal_statements.h"
#include "interpreter/program/step_text.h"

namespace shard {

namespace {

bool communicates(const Program& program, std::size_t step) {
  return !communication_axes(program.plan.steps[step]).empty();
}

// A single step that was written, or that moves nothing, is the statement itself.
bool is_statement(const Program& program, std::size_t step) {
  return !program.steps[step].inferred || !communicates(program, step);
}

// A step without its result, which the statement or the next step shows anyway.
std::string short_text(const Program& program, std::size_t i) {
  const StepRecord& step = program.steps[i];
  const bool moves_nothing = step.cost->flops.is_zero() && !communicates(program, i);
  std::string text = step.inferred ? "  + " : "    ";
  text += moves_nothing ? step_text(program, i) : step_text_without_result(program, i);
  return text;
}

// Steps that share a row.
struct StepRow {
  std::string text;
  std::shared_ptr<const Cost> cost;
  std::size_t step = 0;  // the first one
  int times = 1;
};

void add_cost(const Cost& cost, std::shared_ptr<const Cost>& to) {
  Cost sum = *to;
  sum += cost;
  to = std::make_shared<const Cost>(std::move(sum));
}

// A row for each step, or with `together` one for all steps with the same text, at the first of them. In a loop what costs
// nothing is left out.
class StepRows {
 public:
  StepRows(const Program& program, const PlannedEntry& entry, bool together, bool all_steps)
      : program_(program),
        steps_(shown_steps(program, program.statements[entry.statement])),
        together_(together) {
    const std::vector<std::size_t> last =
        entry.times > 1 ? shown_steps(program, program.statements[entry.last]) : steps_;
    const bool all = all_steps || (entry.times == 1 && !entry.in_pass);
    for (std::size_t at = 0; at < steps_.size(); ++at) {
      if (all || bound_of(*program.steps[steps_[at]].cost) != Bound::Nothing)
        add(steps_[at], last[at]);
    }
  }

  const std::vector<std::size_t>& steps() const { return steps_; }
  const std::vector<StepRow>& rows() const { return rows_; }

 private:
  // `last`: what is done in place of the step in the last of several passes.
  void add(std::size_t i, std::size_t last) {
    std::string text = short_text(program_, i);
    if (last != i) text = folded_text(text, short_text(program_, last)).value_or(text);
    const auto& cost = program_.steps[i].cost;
    const auto same = std::find_if(rows_.begin(), rows_.end(), [&](const StepRow& row) {
      return together_ && row.text == text;
    });
    if (same == rows_.end()) {
      rows_.push_back({.text = std::move(text), .cost = cost, .step = i});
    } else {
      add_cost(*cost, same->cost);
      ++same->times;
    }
  }

  const Program& program_;
  std::vector<std::size_t> steps_;
  bool together_;
  std::vector<StepRow> rows_;
};

StatementRow row_of(const StepRow& row) {
  return {.text = row.times > 1 ? fmt::format("{}  × {}", row.text, row.times) : row.text,
          .cost = row.cost};
}

std::string label_of(const std::string& text, const ShownStatement& shown) {
  std::string label = text;
  if (shown.entry.fused) label += "  (fused)";
  if (!shown.which.empty()) label += "  " + shown.which;
  if (shown.entry.times > 1) label += fmt::format("  × {}", format_integer(shown.entry.times));
  return label;
}

// Of several statements that `backward` derived, with the indices of the last one.
std::string text_of(const Program& program, const PlannedEntry& entry) {
  const std::string& text = *program.statements[entry.statement].text;
  return entry.times > 1 ? with_last_indices(text, *program.statements[entry.last].text) : text;
}

// What `overlap` gains.
std::optional<std::string> gain_text(const Program& program, const StatementRecord& record) {
  const auto together = overlapped_time(program, record);
  const auto apart = record.time_apart->constant();
  if (!together || !apart) return std::nullopt;
  const double gain = apart->to_double() - *together;
  return fmt::format("    overlapped in {} parts {}, in one piece {}: {} {}", record.parts,
                     format_seconds(*together), format_seconds(apart->to_double()),
                     gain >= 0 ? "a gain of" : "a loss of", format_seconds(std::abs(gain)));
}

std::vector<StatementRow> rows_of_steps(const Program& program, const ShownStatement& shown,
                                        bool all_steps) {
  const StatementRecord& record = program.statements[shown.entry.statement];
  const StepRows steps(program, shown.entry, record.parts > 1, all_steps);
  const bool is_itself = steps.steps().size() == 1 && is_statement(program, steps.steps().front());
  std::vector<StatementRow> rows = {{.text = label_of(text_of(program, shown.entry), shown)}};
  if (is_itself) {
    rows.front().cost = program.steps[steps.steps().front()].cost;
  } else {
    for (const StepRow& row : steps.rows()) rows.push_back(row_of(row));
    const auto gain = record.parts > 1 ? gain_text(program, record) : std::nullopt;
    if (gain) rows.push_back({.text = *gain});
    if (steps.steps().empty()) rows.push_back({.text = "    nothing to do: that copy is there"});
  }
  if (!record.remark.empty()) rows.push_back({.text = "    " + record.remark});
  return rows;
}

// What shares a row: "AllReduce_Y, 3 local steps".
class SharedRow {
 public:
  SharedRow(const Program& program, bool fused) : program_(program), fused_(fused) {}

  void add(const StepRow& row) {
    if (cost_ == nullptr)
      cost_ = row.cost;
    else
      add_cost(*row.cost, cost_);
    rows_.push_back(row);
    if (!communicates(program_, row.step)) {
      local_ += row.times;
      return;
    }
    std::string name = step_text(program_, row.step);
    name.resize(std::min(name.find(' '), name.size()));
    const auto known = std::find_if(collectives_.begin(), collectives_.end(),
                                    [&](const auto& one) { return one.first == name; });
    if (known == collectives_.end())
      collectives_.emplace_back(std::move(name), row.times);
    else
      known->second += row.times;
  }

  bool is_empty() const { return rows_.empty(); }
  bool is_local() const { return collectives_.empty(); }

  StatementRow row() const {
    if (rows_.size() == 1) return row_of(rows_.front());
    std::vector<std::string> what;
    for (const auto& [name, times] : collectives_)
      what.push_back(times > 1 ? fmt::format("{} {}", times, name) : name);
    if (local_ > 0) what.push_back(local_text());
    return {.text = "    " + join(what, ", "), .cost = cost_};
  }

  // Where these statements stand one below the other. A narrow window has no room for the steps.
  std::string text_of(std::size_t statements) const {
    std::string text = fmt::format("    these {} statements", statements);
    if (rows_.size() != statements && line_width() >= kLineWidth)
      text += fmt::format(", {} steps", rows_.size());
    return text;
  }

 private:
  // A narrow window has no room for a word that can be left out.
  std::string local_text() const {
    const std::string steps = local_ == 1 ? "step" : "steps";
    if (fused_) return fmt::format("{} {} of the kernel", local_, steps);
    return fmt::format("{} local{}", local_, line_width() < kLineWidth ? "" : " " + steps);
  }

  const Program& program_;
  bool fused_;
  std::shared_ptr<const Cost> cost_;
  std::vector<StepRow> rows_;
  std::vector<std::pair<std::string, int>> collectives_;
  int local_ = 0;
};

// On one line if it has room.
std::vector<StatementRow> labels_of(const Program& program,
                                    const std::vector<ShownStatement>& statements) {
  std::vector<std::string> texts;
  for (const ShownStatement& shown : statements) texts.push_back(text_of(program, shown.entry));
  std::string all = label_of(join(texts, "; "), statements.front());
  if (display_width(all) <= line_width()) return {{.text = std::move(all)}};
  std::vector<StatementRow> rows;
  for (std::size_t i = 0; i < texts.size(); ++i)
    rows.push_back({.text = label_of(texts[i], statements[i])});
  return rows;
}

std::vector<StatementRow> shared_rows(const Program& program,
                                      const std::vector<ShownStatement>& statements) {
  std::vector<StatementRow> labels = labels_of(program, statements);
  SharedRow shared(program, statements.front().entry.fused);
  std::vector<StepRow> own;
  for (const ShownStatement& shown : statements) {
    const StepRows steps(program, shown.entry, false, false);
    for (const StepRow& row : steps.rows()) {
      const double seconds = row.cost->time().constant()->to_double();
      if (seconds >= shown.noticeable)
        own.push_back(row);
      else
        shared.add(row);
    }
  }
  if (own.empty() && shared.is_local()) {
    StatementRow sum = shared.row();
    if (labels.size() > 1) {
      sum.text = shared.text_of(labels.size());
      labels.push_back(std::move(sum));
    } else {
      labels.back().cost = std::move(sum.cost);
      labels.back().below = std::move(sum.text);
    }
  } else if (shared.is_empty() && own.size() == 1 && is_statement(program, own.front().step)) {
    labels.back().cost = own.front().cost;
  } else {
    for (const StepRow& row : own) labels.push_back(row_of(row));
    if (!shared.is_empty()) labels.push_back(shared.row());
  }
  return labels;
}

}  // namespace

std::vector<StatementRow> statement_rows(const Program& program,
                                         const std::vector<ShownStatement>& statements,
                                         bool all_steps) {
  const ShownStatement& first = statements.front();
  const StatementRecord& record = program.statements[first.entry.statement];
  if (first.noticeable <= 0 || record.parts > 1) return rows_of_steps(program, first, all_steps);
  std::vector<StatementRow> rows = shared_rows(program, statements);
  if (!record.remark.empty()) rows.push_back({.text = "    " + record.remark});
  return rows;
}

}  // namespace shard
