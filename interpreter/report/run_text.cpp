#include "interpreter/report/run_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "base/format.h"
#include "base/line_width.h"
#include "base/words.h"
#include "interpreter/report/table.h"

namespace shard {

namespace {

// Whether a statement of this input made the array.
bool is_made_here(ArrayId array, const Outcome& outcome, const RunnerState& state) {
  return std::any_of(outcome.entries.begin(), outcome.entries.end(), [&](const Entry& entry) {
    const auto* planned = std::get_if<PlannedEntry>(&entry);
    return planned != nullptr &&
           state.programs[planned->program].statements[planned->statement].target == array;
  });
}

// "2^-7": the drift rounded up to a power of two, because its last bits may differ between processors.
std::string drift_text(double drift) {
  return fmt::format("2^{}", static_cast<int>(std::ceil(std::log2(drift))));
}

// "4 of 16 elements not judged: 3 are no finite numbers, 1 depends on such or on rounding".
std::string not_judged_text(const Comparison& comparison) {
  const auto count = [](std::size_t number) {
    return format_integer(static_cast<std::int64_t>(number));
  };
  const std::size_t open = comparison.not_judged - comparison.not_finite;
  std::string text = fmt::format("{} of {} element{} not judged: ", count(comparison.not_judged),
                                 count(comparison.elements), comparison.elements == 1 ? "" : "s");
  if (comparison.not_finite > 0) {
    text += fmt::format("{} {} finite number{}", count(comparison.not_finite),
                        comparison.not_finite == 1 ? "is no" : "are no",
                        comparison.not_finite == 1 ? "" : "s");
  }
  if (comparison.not_finite > 0 && open > 0) text += ", ";
  if (open > 0) {
    text += fmt::format("{} {} on {}", count(open), open == 1 ? "hangs" : "hang",
                        comparison.not_finite > 0 ? "such or on rounding"
                                                  : "what is no finite number, or on rounding");
  }
  return text;
}

std::string verdict_text(const Comparison& comparison, DType dtype, bool verbose) {
  const bool judged = comparison.not_judged < comparison.elements || comparison.elements == 0;
  std::string verdict = !comparison.within  ? "DIFFERS"
                        : is_integer(dtype) ? "equal"
                                            : fmt::format("within {} rounding", name_of(dtype));
  if (comparison.within && comparison.not_judged > 0) {
    const std::string open = not_judged_text(comparison);
    verdict = judged ? verdict + "; " + open : open;
  }
  if (comparison.drift > 0) verdict += "; drift " + drift_text(comparison.drift);
  if (verbose) {
    verdict += fmt::format(", largest error {} ({} of the bound)",
                           format_significant(comparison.largest_error),
                           format_significant(comparison.largest_share));
  }
  return verdict;
}

// Arrays of one name and type that are all right, which passes of a loop make, are one: with the largest drift.
struct JudgedArrays {
  std::string name;
  DType dtype;
  Comparison comparison;
  int count = 1;
};

void add_judged(JudgedArrays judged, bool verbose, std::vector<JudgedArrays>& all) {
  const auto is_right = [](const Comparison& comparison) {
    return comparison.within && comparison.not_judged == 0;
  };
  const auto same = std::find_if(all.begin(), all.end(), [&](const JudgedArrays& other) {
    return other.name == judged.name && other.dtype == judged.dtype && is_right(other.comparison);
  });
  if (verbose || same == all.end() || !is_right(judged.comparison))
    return all.push_back(std::move(judged));
  ++same->count;
  same->comparison.drift = std::max(same->comparison.drift, judged.comparison.drift);
}

std::string comparisons_text(const Execution& execution, const Outcome& outcome,
                             const RunnerState& state, const ReportOptions& options) {
  std::vector<JudgedArrays> all;
  for (const Comparison& comparison : execution.comparisons) {
    const ArrayInfo& array = state.scope.store.arrays[comparison.array];
    if (options.incremental && !is_made_here(comparison.array, outcome, state)) continue;
    // An input that was only read is trivially right.
    if (!array.computed && comparison.copies < 2 && !options.verbose) continue;
    add_judged({array.anonymous ? "(unnamed)" : array.name, array.dtype, comparison},
               options.verbose, all);
  }
  Table table;
  bool drifts = false;
  for (const JudgedArrays& one : all) {
    const std::string times = one.count > 1 ? fmt::format(" × {}", one.count) : "";
    table.add_line("    " + pad_right(one.name + times, 11) + " " +
                   verdict_text(one.comparison, one.dtype, options.verbose));
    drifts = drifts || one.comparison.drift > 0;
  }
  const bool infinite = std::any_of(all.begin(), all.end(), [](const JudgedArrays& one) {
    return one.comparison.not_finite > 0;
  });
  if (infinite && !options.incremental) {
    table.add_line(
        "    no finite numbers: an input that is given no values holds whole numbers, also below "
        "0;");
    table.add_line(
        "    small ones, as of W[I, J] = 0.05 · random(1), or `ones` keep sums in range");
  }
  if (drifts && !options.incremental)
    table.add_line("    drift: from the whole script in fp64, against the largest element");
  return table.to_string();
}

// Lines that passes of a loop repeat are counted.
void append_once(const std::vector<std::string>& lines, std::string& text) {
  for (auto line = lines.begin(); line != lines.end(); ++line) {
    if (std::find(lines.begin(), line, *line) != line) continue;
    const auto times = std::count(line, lines.end(), *line);
    if (!text.empty()) text += "\n";
    text += *line + (times > 1 ? fmt::format(", {} times", times) : "") + "\n";
  }
}

// Why the requests at the end of a program were not carried out.
std::string undone_reason(const Outcome& outcome, std::size_t program) {
  if (program >= outcome.programs.size()) return "nothing was run";
  const Execution& execution = outcome.programs[program].execution;
  const bool ended = execution.cancelled || execution.is_planned_fault || execution.fault;
  return ended ? "the run was stopped before its end" : "nothing was run";
}

std::vector<std::string> saved_lines(const Outcome& outcome) {
  std::vector<std::string> lines;
  for (const Entry& entry : outcome.entries) {
    const auto* saved = boxed_in<SavedEntry>(entry);
    if (saved == nullptr) continue;
    const bool ran = saved->program < outcome.programs.size() &&
                     outcome.programs[saved->program].execution.executed;
    lines.push_back(saved->written
                        ? fmt::format("saved {} to {}", saved->array, saved->path)
                        : fmt::format("{} is not saved{}", saved->array,
                                      ran ? " to " + saved->path
                                          : ": " + undone_reason(outcome, saved->program)));
  }
  return lines;
}

std::vector<std::string> pending_lines(const Outcome& outcome) {
  std::vector<std::string> lines;
  for (const Entry& entry : outcome.entries) {
    const auto* expected = boxed_in<ExpectedEntry>(entry);
    if (expected != nullptr && expected->pending)
      lines.push_back(expected->text +
                      " is not judged: " + undone_reason(outcome, expected->program));
  }
  return lines;
}

// What a session can do about a limit.
std::string_view way_out(const Execution& execution) {
  if (!execution.too_large) return "";
  return execution.refusal == DiagnosticKind::OutOfHostMemory ? "; `:set memory` raises the limit"
                                                              : "; `:set flops` raises the limit";
}

}  // namespace

std::string execution_text(const Execution& execution, const Outcome& outcome,
                           const RunnerState& state, const ReportOptions& options) {
  std::string text;
  // A session has limits of its own, which are not options.
  if (options.incremental && execution.refusal)
    text += hanging_line(fmt::format("    estimated, not executed: {}{}", execution.demand,
                                     way_out(execution))) +
            "\n";
  if (execution.is_planned_fault) text += "\nstopped before the end\n";
  if (execution.cancelled)
    text += fmt::format("\nstopped before the end, after {} of {} steps\n",
                        format_integer(static_cast<std::int64_t>(execution.steps_done)),
                        format_integer(static_cast<std::int64_t>(execution.steps)));
  if (execution.saturated != 0) {
    text += fmt::format("\n{} integer results were clamped to the range of their type\n",
                        format_integer(static_cast<std::int64_t>(execution.saturated)));
  }
  const std::string compared = comparisons_text(execution, outcome, state, options);
  if (!compared.empty() && !options.incremental)
    text += "\ncompared with the unsharded fp64 computation, statement by statement:\n";
  return text + compared;
}

std::string nothing_compared_text(const Execution& execution) {
  if (execution.executed || execution.reason.empty()) return "";
  std::string text = hanging_line(
      fmt::format("nothing was compared: estimated, not executed ({})", execution.reason));
  if (execution.scale_with_room > 0)
    text += fmt::format("\n    --scale 1/{} executes and compares this plan on smaller arrays",
                        execution.scale_with_room);
  std::vector<std::string> kept;
  for (const CutDimension& dimension : execution.kept_lengths)
    kept.push_back(fmt::format("{} {}", dimension.name, format_integer(dimension.cut)));
  if (!kept.empty())
    text +=
        "\n" + hanging_line(fmt::format(
                   "    no --scale is small enough: {} {} as long as in the script, being indexed, "
                   "split, taken in parts or numbers",
                   join_words(kept), kept.size() == 1 ? "stays" : "stay"));
  return "\n" + text + "\n";
}

std::string smaller_arrays_text(const Execution& execution, const std::string& indent) {
  std::vector<std::string> texts;
  for (const CutDimension& dimension : execution.cut) {
    const std::string full = dimension.full ? format_integer(*dimension.full) + " → " : "";
    texts.push_back(fmt::format("{} {}{}", dimension.name, full, format_integer(dimension.cut)));
  }
  return wrapped_list(indent + "executed on smaller arrays: ", texts, "  ");
}

void append_expectations(const Outcome& outcome, std::string& text) {
  append_once(saved_lines(outcome), text);
  append_once(pending_lines(outcome), text);
  std::size_t count = 0;
  std::vector<const ExpectedEntry*> failed;
  for (const Entry& entry : outcome.entries) {
    const auto* expected = boxed_in<ExpectedEntry>(entry);
    if (expected == nullptr || expected->pending) continue;
    ++count;
    if (expected->holds != true) failed.push_back(expected);
  }
  if (count == 0) return;
  if (!text.empty()) text += "\n";
  text += failed.empty() ? fmt::format("{} of {} expectations hold\n", count, count)
                         : fmt::format("{} of {} expectations failed\n", failed.size(), count);
  for (const ExpectedEntry* expected : failed) {
    text += "    " + expected->text + "\n";
    if (expected->left.empty()) continue;
    text += fmt::format("        left {}, right {}{}\n", expected->left, expected->right,
                        expected->difference.empty() ? "" : ": " + expected->difference);
  }
}

}  // namespace shard
