#include "interpreter/report/text_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/cancellation.h"
#include "base/format.h"
#include "base/line_width.h"
#include "base/words.h"
#include "grammar/source/visible.h"
#include "interpreter/program/step_text.h"
#include "interpreter/report/array_text.h"
#include "interpreter/report/block_text.h"
#include "interpreter/report/cost_text.h"
#include "interpreter/report/loop_table.h"
#include "interpreter/report/memory_text.h"
#include "interpreter/report/picture_text.h"
#include "interpreter/report/run_text.h"
#include "interpreter/report/table.h"
#include "interpreter/report/timeline_report.h"
#include "interpreter/report/totals_text.h"
#include "runtime/machine/mesh_text.h"

namespace shard {

namespace {

// A step without its result, which the statement or the next step shows anyway.
std::string short_text(const Program& program, std::size_t i) {
  const StepRecord& step = program.steps[i];
  const bool moves_nothing =
      step.cost->flops.is_zero() && communication_axes(program.plan.steps[i]).empty();
  std::string text = step.inferred ? "  + " : "    ";
  text += moves_nothing ? step_text(program, i) : step_text_without_result(program, i);
  return text;
}

class TextReport {
 public:
  TextReport(const Outcome& outcome, const RunnerState& state, const ReportOptions& options)
      : outcome_(outcome), state_(state), options_(options) {}

  std::string write() {
    count_statements();
    bool after_block = false;
    for (const Entry& entry : outcome_.entries) {
      throw_if_cancelled();
      if (is_repetition(entry)) continue;
      const bool block = is_block(entry);
      const bool apart = (block || after_block) && !ends_program(entry);
      if (apart && &entry != &outcome_.entries.front()) table_.add_line("");
      after_block = block;
      match(
          entry, [&](const PlannedEntry& planned) { add_statement(planned); },
          [&](const Box<PrintedEntry>& printed) { add_print(*printed); },
          [](const Box<ExpectedEntry>&) {}, [](const Box<SavedEntry>&) {},
          [&](const Box<WhyEntry>& why) { add_why(*why); },
          [&](const Box<PrintedTable>& table) { add_lines(text_lines(*table, line_width())); },
          [&](const Box<Picture>& picture) { add_lines(text_lines(*picture)); },
          [&](const Box<FiguresEntry>& figures) { add_lines(text_lines(*figures)); },
          [&](const Box<StepsEntry>& steps) { add_lines(text_lines(*steps)); },
          [&](const Box<ArrayEntry>& array) { add_lines(text_lines(*array)); });
    }
    finish_program();
    append_expectations(outcome_, text_);
    return std::move(text_);
  }

 private:
  // A pass of a loop may occur in the middle of a program, which continues after it.
  void count_statements() {
    left_.assign(state_.programs.size(), 0);
    is_begun_.assign(state_.programs.size(), false);
    for (const Entry& entry : outcome_.entries) {
      const auto* planned = std::get_if<PlannedEntry>(&entry);
      if (planned != nullptr && !planned->is_repeated) ++left_[planned->program];
    }
  }

  static bool is_repetition(const Entry& entry) {
    const auto* planned = std::get_if<PlannedEntry>(&entry);
    return planned != nullptr && planned->is_repeated;
  }

  // Tables and pictures are set apart by blank lines.
  static bool is_block(const Entry& entry) {
    return std::holds_alternative<Box<PrintedTable>>(entry) ||
           std::holds_alternative<Box<Picture>>(entry) ||
           std::holds_alternative<Box<FiguresEntry>>(entry) ||
           std::holds_alternative<Box<StepsEntry>>(entry) ||
           std::holds_alternative<Box<ArrayEntry>>(entry);
  }

  void add_lines(std::vector<std::string> lines) {
    for (std::string& line : lines) table_.add_line(std::move(line));
  }

  // The totals of the previous program set themselves apart.
  bool ends_program(const Entry& entry) const {
    const auto* planned = std::get_if<PlannedEntry>(&entry);
    return planned != nullptr && current_ && planned->program != *current_;
  }

  void add_print(const PrintedEntry& printed) {
    std::vector<std::string> pieces;
    for (std::size_t i = 0; i < printed.names.size(); ++i) {
      const bool says_itself = printed.names[i] == printed.values[i];
      pieces.push_back(says_itself ? printed.values[i]
                                   : printed.names[i] + " = " + printed.values[i]);
    }
    table_.add_line(join(pieces, ", "));
  }

  void add_statement(const PlannedEntry& planned) {
    if (planned.program != current_) {
      finish_program();
      current_ = planned.program;
      start_program();
    }
    --left_[planned.program];
    const Program& program = state_.programs[planned.program];
    const StatementRecord& record = program.statements[planned.statement];
    const std::vector<std::size_t> steps = shown_steps(program, record);
    // A single step that was written, or that is free, is the statement itself.
    const StepRecord* first = steps.empty() ? nullptr : &program.steps[steps.front()];
    const bool is_itself =
        steps.size() == 1 &&
        (!first->inferred || communication_axes(program.plan.steps[steps.front()]).empty());
    std::string label = record.text;
    if (planned.fused) label += "  (fused)";
    if (planned.times > 1) label += fmt::format("  × {}", format_integer(planned.times));
    if (is_itself) {
      add_costs(std::move(label), first->cost, "    ");
      return add_remark(record);
    }
    table_.add_line(std::move(label));
    const std::vector<std::size_t> last =
        planned.times > 1 ? shown_steps(program, program.statements[planned.last]) : steps;
    for (const Row& row : rows_of(program, steps, last, record.parts > 1)) {
      // Many passes are read for what they cost.
      if (planned.times > 1 && bound_of(*row.cost) == Bound::Nothing) continue;
      add_costs(row.times > 1 ? fmt::format("{}  × {}", row.text, row.times) : row.text, row.cost,
                "        ");
    }
    if (record.parts > 1) add_gain(program, record);
    if (steps.empty()) table_.add_line("    nothing to do: that copy is there");
    add_remark(record);
  }

  void add_remark(const StatementRecord& record) {
    if (!record.remark.empty()) table_.add_line("    " + record.remark);
  }

  struct Row {
    std::string text;
    std::shared_ptr<const Cost> cost;
    int times = 1;
  };
  // One row per step, or with `together` one for all steps with the same text, at the first of them. `last`: what is done in
  // place of these in the last of several passes.
  static std::vector<Row> rows_of(const Program& program, const std::vector<std::size_t>& steps,
                                  const std::vector<std::size_t>& last, bool together) {
    std::vector<Row> rows;
    for (std::size_t at = 0; at < steps.size(); ++at) {
      const std::size_t i = steps[at];
      const StepRecord& step = program.steps[i];
      std::string text = short_text(program, i);
      if (last[at] != i) text = folded_text(text, short_text(program, last[at])).value_or(text);
      const auto same = together ? std::find_if(rows.begin(), rows.end(),
                                                [&](const Row& row) { return row.text == text; })
                                 : rows.end();
      if (same == rows.end()) {
        rows.push_back({std::move(text), step.cost});
        continue;
      }
      Cost sum = *same->cost;
      sum += *step.cost;
      same->cost = std::make_shared<const Cost>(std::move(sum));
      ++same->times;
    }
    return rows;
  }

  // What `overlap` gains.
  void add_gain(const Program& program, const StatementRecord& record) {
    const auto together = overlapped_time(program, record);
    const auto apart = record.time_apart->constant();
    if (!together || !apart) return;
    const double gain = apart->to_double() - *together;
    table_.add_line(
        fmt::format("    overlapped in {} parts {}, in one piece {}: {} {}", record.parts,
                    format_seconds(*together), format_seconds(apart->to_double()),
                    gain >= 0 ? "a gain of" : "a loss of", format_seconds(std::abs(gain))));
  }

  void add_costs(std::string label, const std::shared_ptr<const Cost>& cost,
                 const std::string& indent) {
    if (Table::Cells cells = costs_.cells_of(cost))
      table_.add_row(std::move(label), std::move(cells));
    else
      table_.add_line(label + costs_.formulas_of(cost, indent));
  }

  void start_program() {
    const Program& program = state_.programs[*current_];
    if (options_.incremental) {
      if (is_numeric(newest_cost(program))) add_header();
      return;
    }
    if (is_begun_[*current_]) {
      text_ += machine_line(program) + ", continued\n\n";
      if (is_numeric(total_cost(program, 0, program.steps.size()))) add_header();
      return;
    }
    is_begun_[*current_] = true;
    if (const ProgramReport* report = program_report()) {
      if (!report->execution.executed && !report->execution.reason.empty()) {
        text_ += fmt::format("estimated, not executed: {}\n", report->execution.reason);
        if (report->execution.too_large && report->execution.cut.empty())
          text_ += "    --scale 1/64 executes this plan on smaller arrays\n";
      }
      if (report->execution.executed) text_ += smaller_arrays_text(report->execution, "");
    }
    text_ += machine_line(program) + "\n" + fault_lines(program.machine);
    add_inputs(program);
    text_ += "\n";
    if (is_numeric(total_cost(program, 0, program.steps.size()))) add_header();
  }

  // That of the statements that are shown.
  Cost newest_cost(const Program& program) const {
    Cost sum;
    for (const Entry& entry : outcome_.entries) {
      const auto* planned = std::get_if<PlannedEntry>(&entry);
      if (planned == nullptr || planned->program != *current_) continue;
      const StatementRecord& record = program.statements[planned->statement];
      sum += total_cost(program, record.first_step, record.end_step);
    }
    return sum;
  }

  void add_header() {
    table_.add_row({"", "FLOPs", "moved", "T_math", "T_hbm", "T_comms", "bound"});
  }

  void add_inputs(const Program& program) {
    std::vector<std::string> inputs;
    for (const Step& step : program.plan.steps) {
      const auto* input = std::get_if<InputStep>(&step.action);
      if (input == nullptr || input->kind == InputKind::Coordinate) continue;
      const Copy& copy = program.plan.copies[input->result];
      inputs.push_back(fmt::format("{}{}{}{}", copy.name, copy.name.empty() ? "" : ": ",
                                   name_of(copy.dtype),
                                   to_string(copy.layout, copy.dimensions, program.machine.mesh)));
    }
    text_ += wrapped_list("inputs: ", inputs, "  ");
  }

  const ProgramReport* program_report() const {
    return current_ && *current_ < outcome_.programs.size() ? &outcome_.programs[*current_]
                                                            : nullptr;
  }

  void finish_program() {
    if (current_ && left_[*current_] > 0) {
      text_ += table_.to_string() + "\n";
      table_ = {};
      return;
    }
    if (current_ && !options_.incremental) {
      if (const ProgramReport* report = program_report()) add_totals(*report);
    }
    text_ += table_.to_string();
    table_ = {};
    if (!current_) return;
    if (const ProgramReport* report = program_report(); report != nullptr && options_.timeline) {
      const std::string picture = timeline_text(state_.programs[*current_], report->figures);
      text_ += "\n" + (picture.empty()
                           ? fmt::format("no timeline: {}\n", why_no_timeline(report->figures))
                           : picture);
    }
    if (const ProgramReport* report = program_report(); report != nullptr && options_.memory) {
      const std::string tables = memory_text(state_.programs[*current_], report->figures);
      text_ += tables.empty() ? "\nno table of memory: sizes are not given\n" : "\n" + tables;
    }
    if (const ProgramReport* report = program_report()) {
      if (options_.incremental && report->execution.executed)
        text_ += smaller_arrays_text(report->execution, "    ");
      text_ += execution_text(report->execution, outcome_, state_, options_);
    }
    current_.reset();
  }

  void add_totals(const ProgramReport& report) {
    const Figures& figures = report.figures;
    table_.add_line("");
    if (Table::Cells cells = cells_of(figures.totals.most))
      table_.add_row("total per device", std::move(cells));
    else
      table_.add_line("total per device" + formula_lines(figures.totals.most, "    "));
    for (std::string& line : total_lines(state_.programs[*current_], figures))
      table_.add_line(std::move(line));
  }

  // "faults: link X[3] fails at 2.000 us, device 5 is slow by 2".
  static std::string fault_lines(const Machine& machine) {
    std::vector<std::string> said;
    for (const FaultMark& mark : fault_marks(machine))
      said.push_back(mark.text + (mark.at > 0 ? " at " + format_seconds(mark.at) : ""));
    return said.empty() ? "" : "faults: " + join(said, ", ") + "\n";
  }

  void add_why(const WhyEntry& why) {
    table_.add_line("why " + why.statement);
    if (why.reference_sizes) {
      table_.add_line(
          "    figures are missing: weighed with 65,536 for a dimension, 4 for an axis and a TPU "
          "v5p");
    }
    for (std::size_t i = 0; i < why.ways.size(); ++i) add_way(why.ways[i], i);
  }

  void add_way(const WeighedWay& way, std::size_t index) {
    const std::string number = fmt::format("    {}. {}", index + 1, index == 0 ? "chosen, " : "");
    if (is_numeric(*way.cost)) {
      table_.add_line(fmt::format(
          "{}{}: T_math {}, T_hbm {}, T_comms {}, {} moved", number,
          to_text(Quantity{way.time, kSeconds}), to_text(Quantity{way.cost->math, kSeconds}),
          to_text(Quantity{way.cost->hbm, kSeconds}), to_text(Quantity{way.cost->comms, kSeconds}),
          to_text(Quantity{Formula(way.cost->comm_bytes), kBytes})));
    } else {
      table_.add_line(number + "at" + formula_lines(*way.cost, "         "));
    }
    for (const std::string& step : way.steps) table_.add_line("         " + step);
    if (way.steps.empty()) table_.add_line("         nothing to do");
  }

  const Outcome& outcome_;
  const RunnerState& state_;
  const ReportOptions& options_;
  std::optional<std::size_t> current_;
  std::vector<std::size_t> left_;  // by program: statements still to come
  std::vector<bool> is_begun_;     // by program
  CostTexts costs_;
  Table table_;
  std::string text_;
};

}  // namespace

std::string machine_line(const Program& program) {
  const Machine& machine = program.machine;
  std::vector<std::string> slice;
  for (const MeshAxis& axis : machine.mesh.axes) {
    for (const TorusAxis& torus : axis.torus) slice.push_back(std::to_string(torus.length));
  }
  const std::string axes = mesh_text(machine.mesh);
  std::string text = machine.chip.name.empty() ? "no hardware" : machine.chip.name;
  if (!machine.chip.name.empty() && !slice.empty()) text += " " + join(slice, "x");
  text += axes == "{}" ? ", no mesh" : ", mesh " + axes;
  const auto devices = machine.mesh.device_count();
  if (devices)
    text += fmt::format(": {} device{}", format_integer(*devices), *devices == 1 ? "" : "s");
  if (machine.model == CostModel::Links) {
    const bool known = machine.chip.ici_one_way && has_all_sizes(program);
    text += known ? ", model links" : ", model links where sizes and hardware are known, else book";
  }
  return text;
}

std::string csv_report(const Outcome& outcome) {
  std::string text;
  for (const Entry& entry : outcome.entries) {
    const auto* table = boxed_in<PrintedTable>(entry);
    if (table != nullptr) text += (text.empty() ? "" : "\n") + csv_text(*table);
  }
  return visible_text(std::move(text));
}

std::string text_report(const Outcome& outcome, const RunnerState& state,
                        const ReportOptions& options) {
  return visible_text(TextReport(outcome, state, options).write());
}

}  // namespace shard
