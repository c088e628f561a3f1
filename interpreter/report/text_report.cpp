#include "interpreter/report/text_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <system_error>
#include <utility>

#include "base/cancellation.h"
#include "base/format.h"
#include "base/line_width.h"
#include "base/words.h"
#include "grammar/source/visible.h"
#include "interpreter/program/step_text.h"
#include "interpreter/report/array_text.h"
#include "interpreter/report/best_text.h"
#include "interpreter/report/block_text.h"
#include "interpreter/report/cost_text.h"
#include "interpreter/report/loop_table.h"
#include "interpreter/report/memory_text.h"
#include "interpreter/report/picture_text.h"
#include "interpreter/report/plot_text.h"
#include "interpreter/report/run_text.h"
#include "interpreter/report/shown_statements.h"
#include "interpreter/report/statement_rows.h"
#include "interpreter/report/table.h"
#include "interpreter/report/timeline_report.h"
#include "interpreter/report/totals_text.h"
#include "runtime/machine/mesh_text.h"

namespace shard {

namespace {

class TextReport {
 public:
  TextReport(const Outcome& outcome, const RunnerState& state, const ReportOptions& options)
      : outcome_(outcome),
        state_(state),
        options_(options),
        shown_(shown_statements(outcome, state, options.sources, options.verbose)) {}

  std::string write() {
    count_statements();
    begin_later_rows();
    bool after_block = false;
    bool after_beside = false;
    for (std::size_t i = 0; i < outcome_.entries.size(); ++i) {
      throw_if_cancelled();
      const Entry& entry = outcome_.entries[i];
      if (std::holds_alternative<PlannedEntry>(entry) && shown_[i].empty()) continue;
      const bool block = is_block(entry);
      // A value that passes of a loop print with an array belongs to it.
      const auto* value = boxed_in<PrintedEntry>(entry);
      const bool beside = value != nullptr && value->beside_array;
      const bool follows = after_beside && boxed_in<ArrayEntry>(entry) != nullptr;
      const bool apart = (block || after_block) && !beside && !follows && !ends_program(entry);
      if (apart && i > 0) table_.add_line("");
      after_block = block;
      after_beside = beside;
      match(
          entry, [&](const PlannedEntry&) { add_statements(i); },
          [&](const Box<PrintedEntry>& printed) { add_print(*printed); },
          [](const Box<ExpectedEntry>&) {}, [](const Box<SavedEntry>&) {},
          [&](const Box<WhyEntry>& why) { add_why(*why); },
          [&](const Box<PrintedTable>& table) { add_lines(text_lines(*table, line_width())); },
          [&](const Box<Picture>& picture) { add_lines(text_lines(*picture)); },
          [&](const Box<FiguresEntry>& figures) { add_lines(text_lines(*figures)); },
          [&](const Box<StepsEntry>& steps) { add_lines(text_lines(*steps)); },
          [&](const Box<BestEntry>& best) { add_lines(text_lines(*best)); },
          [&](const Box<ArrayEntry>& array) { add_lines(text_lines(*array)); },
          [&](const Box<PlotEntry>& plot) { add_lines(text_lines(*plot)); });
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
    for (const auto& statements : shown_) {
      if (!statements.empty()) ++left_[statements.front().entry.program];
    }
  }

  std::vector<StatementRow> rows_of(std::size_t entry) const {
    const std::vector<ShownStatement>& statements = shown_[entry];
    if (statements.empty()) return {};
    return statement_rows(state_.programs[statements.front().entry.program], statements,
                          options_.verbose);
  }

  // Of a long script, the rows of the second half are made on a thread of their own while the first half is laid out.
  void begin_later_rows() {
    constexpr std::size_t kLong = 4096;  // entries; below, a thread costs more than it saves
    later_from_ = shown_.size();
    if (shown_.size() < kLong) return;
    const std::size_t half = shown_.size() / 2;
    try {
      later_ = std::async(std::launch::async, [this, half, columns = line_width()] {
        const LineWidth width(columns);
        std::vector<std::vector<StatementRow>> rows;
        for (std::size_t i = half; i < shown_.size(); ++i) rows.push_back(rows_of(i));
        return rows;
      });
      later_from_ = half;
    } catch (const std::system_error&) {
      // No thread to be had: made one by one, as the first half is.
    }
  }

  std::vector<StatementRow> take_rows(std::size_t entry) {
    if (entry < later_from_) return rows_of(entry);
    if (later_.valid()) later_rows_ = later_.get();
    return std::move(later_rows_[entry - later_from_]);
  }

  // Tables and pictures are set apart by blank lines.
  static bool is_block(const Entry& entry) {
    return std::holds_alternative<Box<PrintedTable>>(entry) ||
           std::holds_alternative<Box<Picture>>(entry) ||
           std::holds_alternative<Box<PlotEntry>>(entry) ||
           std::holds_alternative<Box<FiguresEntry>>(entry) ||
           std::holds_alternative<Box<StepsEntry>>(entry) ||
           std::holds_alternative<Box<BestEntry>>(entry) ||
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
    // Values that a file gets are read by programs, line by line.
    const std::string line = join(pieces, ", ");
    table_.add_line(line_width() != kLineWidth ? hanging_line(line) : line);
  }

  void add_statements(std::size_t entry) {
    const std::size_t its = shown_[entry].front().entry.program;
    if (its != current_) {
      finish_program();
      current_ = its;
      start_program();
    }
    --left_[its];
    for (StatementRow& row : take_rows(entry)) {
      if (row.cost == nullptr)
        table_.add_line(hanging_line(row.text));
      else
        add_costs(std::move(row));
    }
  }

  // Formulas stand below their text.
  void add_costs(StatementRow row) {
    const std::size_t indent = std::min(row.text.find_first_not_of(" +"), row.text.size());
    if (Table::Cells cells = costs_.cells_of(row.cost))
      table_.add_row(std::move(row.text), std::move(cells), std::move(row.below));
    else
      table_.add_line(hanging_line(row.text) +
                      costs_.formulas_of(row.cost, std::string(indent + 4, ' ')));
  }

  void start_program() {
    const Program& program = state_.programs[*current_];
    if (options_.incremental) return add_header();
    if (is_begun_[*current_]) {
      text_ += machine_line(program) + ", continued\n\n";
      return add_header();
    }
    is_begun_[*current_] = true;
    if (const ProgramReport* report = program_report()) {
      if (!report->execution.executed && !report->execution.reason.empty()) {
        text_ += hanging_line("estimated, not executed: " + report->execution.reason) + "\n";
        // Who wants to verify hears of it at the end.
        if (report->execution.too_large && report->execution.cut.empty() && !options_.verify)
          text_ += "    --scale 1/64 executes this plan on smaller arrays\n";
      }
      if (report->execution.executed) text_ += smaller_arrays_text(report->execution, "");
    }
    text_ += hanging_line(machine_line(program)) + "\n" + fault_lines(program.machine);
    add_inputs(program);
    text_ += "\n";
    add_header();
  }

  // Above figures: while sizes are missing, some statements may have theirs nevertheless.
  void add_header() {
    const Program& program = state_.programs[*current_];
    const auto has_figures = [&](const ShownStatement& shown) {
      const std::vector<std::size_t> steps =
          shown_steps(program, program.statements[shown.entry.statement]);
      return std::any_of(steps.begin(), steps.end(), [&](std::size_t step) {
        const auto& cost = program.steps[step].cost;
        return bound_of(*cost) != Bound::Nothing && costs_.cells_of(cost) != nullptr;
      });
    };
    const bool any = std::any_of(shown_.begin(), shown_.end(), [&](const auto& statements) {
      return !statements.empty() && statements.front().entry.program == *current_ &&
             std::any_of(statements.begin(), statements.end(), has_figures);
    });
    if (any || is_numeric(total_cost(program, 0, program.steps.size())))
      table_.add_row({"", "FLOPs", "moved", "T_math", "T_hbm", "T_comms", "bound"});
  }

  void add_inputs(const Program& program) {
    std::vector<std::string> inputs;
    for (const CopyId input : shown_inputs(program, state_.scope.store)) {
      const Copy& copy = program.plan.copies[input];
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
      // Sweeps are for estimates.
      if (options_.verify && !state_.programs[*current_].is_sweep)
        text_ += nothing_compared_text(report->execution);
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
    return said.empty() ? "" : hanging_line("faults: " + join(said, ", ")) + "\n";
  }

  void add_why(const WhyEntry& why) {
    const std::string_view apart = why.fused ? ", as outside of its kernel" : "";
    const auto times = why.times > 1 ? fmt::format("  × {}", format_integer(why.times)) : "";
    table_.add_line(hanging_line(fmt::format("why {}{}{}", why.statement, apart, times)));
    if (why.reference_sizes) {
      table_.add_line(hanging_line(
          "    figures are missing: weighed with 65,536 for a dimension, 4 for an axis "
          "and a TPU v5p"));
    }
    for (std::size_t i = 0; i < why.ways.size(); ++i) add_way(why.ways[i], i);
    for (const WayFlip& flip : why.flips)
      table_.add_line(hanging_line("    " + flip_text(flip, why)));
  }

  // "below B = 4,096 2. would be chosen".
  static std::string flip_text(const WayFlip& flip, const WhyEntry& why) {
    const auto same = std::find_if(why.ways.begin(), why.ways.end(),
                                   [&](const WeighedWay& way) { return way.steps == flip.steps; });
    std::string way = fmt::format("{}.", same - why.ways.begin() + 1);
    constexpr std::size_t kStepsShown = 5;
    if (same == why.ways.end()) {
      way = flip.steps.empty() ? "nothing" : join(flip.steps, "; ");
      if (flip.steps.size() > kStepsShown)
        way = fmt::format("another way, of {} steps,", flip.steps.size());
    }
    return fmt::format(fmt::runtime(flip.larger ? "from {} = {} on, {} would be chosen"
                                                : "below {} = {}, {} would be chosen"),
                       flip.size, format_integer(flip.at), way);
  }

  static std::string_view said_of(const WeighedWay& way, std::size_t index) {
    if (index == 0) return "chosen, ";
    return way.by_cheapest ? "`plan cheapest`, " : "";
  }

  void add_way(const WeighedWay& way, std::size_t index) {
    const std::string number = fmt::format("    {}. {}", index + 1, said_of(way, index));
    if (is_numeric(*way.cost)) {
      table_.add_line(hanging_line(fmt::format(
          "{}{}: T_math {}, T_hbm {}, T_comms {}, {} moved", number,
          to_text(Quantity{way.time, kSeconds}), to_text(Quantity{way.cost->math, kSeconds}),
          to_text(Quantity{way.cost->hbm, kSeconds}), to_text(Quantity{way.cost->comms, kSeconds}),
          to_text(Quantity{Formula(way.cost->comm_bytes), kBytes}))));
    } else {
      table_.add_line(number + "at" + formula_lines(*way.cost, "         "));
    }
    for (const std::string& step : way.steps) table_.add_line(hanging_line("         " + step));
    if (way.steps.empty()) table_.add_line("         nothing to do");
  }

  const Outcome& outcome_;
  const RunnerState& state_;
  const ReportOptions& options_;
  std::vector<std::vector<ShownStatement>> shown_;  // by entry
  std::size_t later_from_ = 0;  // the entry whose rows are the first of `later_rows_`
  std::vector<std::vector<StatementRow>> later_rows_;
  std::optional<std::size_t> current_;
  std::vector<std::size_t> left_;  // by program: statements still to come
  std::vector<bool> is_begun_;     // by program
  CostTexts costs_;
  Table table_;
  std::string text_;
  // The last member: its thread reads the others.
  std::future<std::vector<std::vector<StatementRow>>> later_;
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
  if (machine.chip.launch && !machine.chip.launch->is_zero())
    text += ", T_launch " + to_text(Quantity{launch_time(machine.chip), kSeconds});
  if (machine.chip.efficiency) {
    text +=
        machine.chip.efficiency_by_size.empty() ? ", efficiency " : ", efficiency by size, up to ";
    text += to_text(Quantity{efficiency_of(machine.chip), {}});
  }
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
