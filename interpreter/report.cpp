#include "interpreter/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/format.h"
#include "base/text.h"
#include "interpreter/machine_text.h"
#include "interpreter/table.h"

namespace shard {

namespace {

std::string bound_text(const Cost& cost) { return std::string(name_of(bound_of(cost))); }

bool is_numeric(const Cost& cost) {
  return cost.flops.constant() && cost.comm_bytes.constant() && cost.math.constant() &&
         cost.comms.constant() && cost.hbm.constant();
}

std::string or_blank(const Formula& formula, const Unit& unit) {
  return formula.is_zero() ? "" : to_text(Quantity{formula, unit});
}

// A step without its result, which the statement or the next step shows.
std::string short_text(const StepRecord& step) {
  const auto arrow = step.text.find(" → ");
  const bool moves_nothing = step.cost.flops.is_zero() && step.axes.empty();
  const std::string shown =
      arrow == std::string::npos || moves_nothing ? step.text : step.text.substr(0, arrow);
  return (step.inferred ? "  + " : "    ") + shown;
}

// The column's heading says what is counted.
std::string flops_cell(const Amount& flops) {
  std::string text = or_blank(Formula(flops), kFlops);
  const std::string unit = "FLOPs";
  if (text.size() > unit.size()) text.resize(text.size() - unit.size());
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::vector<std::string> cells(const std::string& label, const Cost& cost) {
  return {label,
          flops_cell(cost.flops),
          or_blank(Formula(cost.comm_bytes), kBytes),
          or_blank(cost.math, kSeconds),
          or_blank(cost.hbm, kSeconds),
          or_blank(cost.comms, kSeconds),
          bound_text(cost)};
}

// A sum that does not fit goes on below its first term.
void add_wrapped(Table& table, std::string line, std::string_view sum) {
  constexpr std::size_t kLineWidth = 100;
  constexpr std::string_view kPlus = " + ";
  const std::string margin(display_width(line), ' ');
  while (true) {
    const auto plus = sum.find(kPlus);
    const std::string_view term = sum.substr(0, plus);
    if (display_width(line) + display_width(term) > kLineWidth && line.size() > margin.size()) {
      table.add_line(line);
      line = margin;
    }
    line += term;
    if (plus == std::string_view::npos) break;
    line += kPlus;
    sum.remove_prefix(plus + kPlus.size());
  }
  table.add_line(line);
}

// Formulas are too long for columns: one below the other.
void add_formulas(Table& table, const std::string& label, const Cost& cost,
                  const std::string& indent) {
  table.add_line(label);
  const auto add = [&](const char* name, const Formula& formula, const Unit& unit) {
    if (!formula.is_zero())
      add_wrapped(table, indent + pad_right(name, 13), to_text(Quantity{formula, unit}));
  };
  add("FLOPs", Formula(cost.flops), kFlops);
  add("bytes moved", Formula(cost.comm_bytes), kBytes);
  add("T_math", cost.math, kSeconds);
  add("T_hbm", cost.hbm, kSeconds);
  add("T_comms", cost.comms, kSeconds);
}

constexpr std::size_t kTableWidth = 100;

class TextReport {
 public:
  TextReport(const Outcome& outcome, const RunnerState& state, const ReportOptions& options)
      : outcome_(outcome), state_(state), options_(options) {}

  std::string write() {
    bool after_block = false;
    for (const Entry& entry : outcome_.entries) {
      if (is_repetition(entry)) continue;
      const bool block = is_block(entry);
      const bool apart = (block || after_block) && !ends_program(entry);
      if (apart && &entry != &outcome_.entries.front()) table_.add_line("");
      after_block = block;
      match(
          entry, [&](const PlannedEntry& planned) { add_statement(planned); },
          [&](const PrintedEntry& printed) { add_print(printed); }, [](const ExpectedEntry&) {},
          [](const SavedEntry&) {}, [&](const WhyEntry& why) { add_why(why); },
          [&](const PrintedTable& table) {
            for (std::string& line : text_lines(table, kTableWidth))
              table_.add_line(std::move(line));
          },
          [&](const Picture& picture) {
            for (std::string& line : text_lines(picture)) table_.add_line(std::move(line));
          });
    }
    finish_program();
    add_expectations();
    return std::move(text_);
  }

 private:
  static bool is_repetition(const Entry& entry) {
    const auto* planned = std::get_if<PlannedEntry>(&entry);
    return planned != nullptr && planned->is_repeated;
  }

  // Tables and pictures stand apart.
  static bool is_block(const Entry& entry) {
    return std::holds_alternative<PrintedTable>(entry) || std::holds_alternative<Picture>(entry);
  }

  // The totals of the program before stand apart by themselves.
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
    const Program& program = state_.programs[planned.program];
    const StatementRecord& record = program.statements[planned.statement];
    std::vector<const StepRecord*> steps;
    for (std::size_t i = record.first_step; i < record.end_step; ++i) {
      if (!program.steps[i].text.empty())
        steps.push_back(&program.steps[i]);  // else an input appears
    }
    // One step that was written, or is free, is the statement itself.
    const bool is_itself = steps.size() == 1 && (!steps[0]->inferred || steps[0]->axes.empty());
    const std::string label =
        record.text +
        (planned.times > 1 ? fmt::format("  × {}", format_integer(planned.times)) : "");
    if (is_itself) return add_costs(label, steps[0]->cost, "    ");
    table_.add_line(label);
    for (const StepRecord* step : steps) add_costs(short_text(*step), step->cost, "        ");
    if (steps.empty()) table_.add_line("    nothing to do: that copy is there");
  }

  void add_costs(const std::string& label, const Cost& cost, const std::string& indent) {
    if (is_numeric(cost))
      table_.add_row(cells(label, cost));
    else
      add_formulas(table_, label, cost, indent);
  }

  void start_program() {
    const Program& program = state_.programs[*current_];
    if (options_.incremental) {
      if (is_numeric(total_cost(program, 0, program.steps.size()))) add_header();
      return;
    }
    if (const ProgramReport* report = program_report()) {
      if (!report->execution.executed && !report->execution.reason.empty()) {
        text_ += fmt::format("estimated, not executed: {}\n", report->execution.reason);
      }
    }
    text_ += machine_line(program.machine) + "\n";
    add_inputs(program);
    text_ += "\n";
    if (is_numeric(total_cost(program, 0, program.steps.size()))) add_header();
  }

  void add_header() {
    table_.add_row({"", "FLOPs", "moved", "T_math", "T_hbm", "T_comms", "bound"});
  }

  void add_inputs(const Program& program) {
    constexpr std::size_t kLineWidth = 100;
    const std::string heading = "inputs: ";
    std::string line = heading;
    for (const Step& step : program.plan.steps) {
      const auto* input = std::get_if<InputStep>(&step.action);
      if (input == nullptr || input->kind == InputKind::Coordinate) continue;
      const Copy& copy = program.plan.copies[input->result];
      const std::string shown =
          fmt::format("{}{}{}{}", copy.name, copy.name.empty() ? "" : ": ", name_of(copy.dtype),
                      to_string(copy.layout, copy.dimensions, program.machine.mesh));
      const bool is_first = line.size() == heading.size();
      if (!is_first && display_width(line) + 2 + display_width(shown) > kLineWidth) {
        text_ += line + "\n";
        line = std::string(heading.size(), ' ') + shown;
      } else {
        line += (is_first ? "" : "  ") + shown;
      }
    }
    if (line != heading) text_ += line + "\n";
  }

  const ProgramReport* program_report() const {
    return current_ && *current_ < outcome_.programs.size() ? &outcome_.programs[*current_]
                                                            : nullptr;
  }

  void finish_program() {
    if (current_ && !options_.incremental) {
      if (const ProgramReport* report = program_report()) add_totals(*report);
    }
    text_ += table_.to_string();
    table_ = {};
    if (!current_) return;
    if (const ProgramReport* report = program_report()) add_execution(*report);
    current_.reset();
  }

  void add_totals(const ProgramReport& report) {
    const Figures& figures = report.figures;
    const Program& program = state_.programs[*current_];
    table_.add_line("");
    if (is_numeric(figures.total))
      table_.add_row(cells("total per device", figures.total));
    else
      add_formulas(table_, "total per device", figures.total, "    ");
    add_total_line("T_math and T_comms overlapped, max: ", {figures.lower, kSeconds}, "");
    add_total_line("one after the other, sum: ", {figures.upper, kSeconds}, "");
    const auto& hbm = program.machine.chip.hbm;
    add_total_line("peak memory: ", {figures.peak.bytes, kBytes},
                   hbm ? " of " + format_bytes(hbm->to_double()) : "");
  }

  // A formula too long for a line says nothing at a glance; `print c.lower` shows it.
  void add_total_line(const std::string& name, const Quantity& quantity,
                      const std::string& suffix) {
    constexpr std::size_t kLineWidth = 100;
    const std::string line = "    " + name + to_text(quantity) + suffix;
    if (display_width(line) <= kLineWidth) table_.add_line(line);
  }

  void add_execution(const ProgramReport& report) {
    const Execution& execution = report.execution;
    if (options_.incremental && execution.refusal) text_ += "    estimated, not executed\n";
    if (execution.cancelled) text_ += "\nstopped before the end\n";
    if (execution.saturated != 0) {
      text_ += fmt::format("\n{} integer results were clamped to the range of their type\n",
                           format_integer(static_cast<std::int64_t>(execution.saturated)));
    }
    const std::string compared = comparisons(execution);
    if (compared.empty()) return;
    if (!options_.incremental) text_ += "\ncompared with the unsharded fp64 computation:\n";
    text_ += compared;
  }

  // Whether a statement of this input made the array.
  bool is_made_here(ArrayId array) const {
    return std::any_of(outcome_.entries.begin(), outcome_.entries.end(), [&](const Entry& entry) {
      const auto* planned = std::get_if<PlannedEntry>(&entry);
      return planned != nullptr &&
             state_.programs[planned->program].statements[planned->statement].target == array;
    });
  }

  std::string comparisons(const Execution& execution) const {
    Table table;
    for (const Comparison& comparison : execution.comparisons) {
      const ArrayInfo& array = state_.scope.arrays[comparison.array];
      if (options_.incremental && !is_made_here(comparison.array)) continue;
      // An input that was only read is what it is.
      if (!array.computed && comparison.copies < 2 && !options_.verbose) continue;
      std::string verdict =
          comparison.within ? fmt::format("within {} rounding", name_of(array.dtype)) : "DIFFERS";
      if (is_integer(array.dtype) && comparison.within) verdict = "equal";
      if (comparison.undecided > 0 && comparison.within) {
        verdict += fmt::format(", where that can be judged; {} element{} may be anything",
                               format_integer(static_cast<std::int64_t>(comparison.undecided)),
                               comparison.undecided == 1 ? "" : "s");
      }
      if (options_.verbose) {
        verdict += fmt::format(", largest error {} ({} of the bound)",
                               format_significant(comparison.largest_error),
                               format_significant(comparison.largest_share));
      }
      table.add_line("    " + pad_right(array.anonymous ? "(unnamed)" : array.name, 11) + " " +
                     verdict);
    }
    return table.to_string();
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
    if (is_numeric(way.cost)) {
      table_.add_line(fmt::format(
          "{}{}: T_math {}, T_hbm {}, T_comms {}, {} moved", number,
          to_text(Quantity{way.time, kSeconds}), to_text(Quantity{way.cost.math, kSeconds}),
          to_text(Quantity{way.cost.hbm, kSeconds}), to_text(Quantity{way.cost.comms, kSeconds}),
          to_text(Quantity{Formula(way.cost.comm_bytes), kBytes})));
    } else {
      add_formulas(table_, number + "at", way.cost, "         ");
    }
    for (const std::string& step : way.steps) table_.add_line("         " + step);
    if (way.steps.empty()) table_.add_line("         nothing to do");
  }

  void add_saved() {
    std::vector<std::string> said;
    for (const Entry& entry : outcome_.entries) {
      const auto* saved = std::get_if<SavedEntry>(&entry);
      if (saved == nullptr) continue;
      const bool ran = saved->program < outcome_.programs.size() &&
                       outcome_.programs[saved->program].execution.executed;
      said.push_back(saved->written
                         ? fmt::format("saved {} to {}", saved->array, saved->path)
                         : fmt::format("{} is not saved{}", saved->array,
                                       ran ? " to " + saved->path : ": nothing was run"));
    }
    add_once(said);
  }

  void add_pending() {
    std::vector<std::string> said;
    for (const Entry& entry : outcome_.entries) {
      const auto* expected = std::get_if<ExpectedEntry>(&entry);
      if (expected != nullptr && expected->pending)
        said.push_back(expected->text + " is not judged: nothing was run");
    }
    add_once(said);
  }

  // What the passes of a loop say again is counted.
  void add_once(const std::vector<std::string>& lines) {
    for (auto line = lines.begin(); line != lines.end(); ++line) {
      if (std::find(lines.begin(), line, *line) != line) continue;
      const auto times = std::count(line, lines.end(), *line);
      if (!text_.empty()) text_ += "\n";
      text_ += *line + (times > 1 ? fmt::format(", {} times", times) : "") + "\n";
    }
  }

  void add_expectations() {
    add_saved();
    add_pending();
    std::size_t count = 0;
    std::size_t failed = 0;
    for (const Entry& entry : outcome_.entries) {
      const auto* expected = std::get_if<ExpectedEntry>(&entry);
      if (expected == nullptr || expected->pending) continue;
      ++count;
      failed += expected->holds == true ? 0 : 1;
    }
    if (count == 0) return;
    if (!text_.empty()) text_ += "\n";
    text_ += failed == 0 ? fmt::format("{} of {} expectations hold\n", count, count)
                         : fmt::format("{} of {} expectations failed\n", failed, count);
    for (const Entry& entry : outcome_.entries) {
      const auto* expected = std::get_if<ExpectedEntry>(&entry);
      if (expected == nullptr || expected->pending || expected->holds == true) continue;
      text_ += "    " + expected->text + "\n";
      if (!expected->left.empty())
        text_ += fmt::format("        left {}, right {}{}\n", expected->left, expected->right,
                             expected->difference.empty() ? "" : ": " + expected->difference);
    }
  }

  const Outcome& outcome_;
  const RunnerState& state_;
  const ReportOptions& options_;
  std::optional<std::size_t> current_;
  Table table_;
  std::string text_;
};

}  // namespace

std::string machine_line(const Machine& machine) {
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
  return text;
}

std::string csv_report(const Outcome& outcome) {
  std::string text;
  for (const Entry& entry : outcome.entries) {
    const auto* table = std::get_if<PrintedTable>(&entry);
    if (table != nullptr) text += (text.empty() ? "" : "\n") + csv_text(*table);
  }
  return text;
}

std::string text_report(const Outcome& outcome, const RunnerState& state,
                        const ReportOptions& options) {
  return TextReport(outcome, state, options).write();
}

}  // namespace shard
