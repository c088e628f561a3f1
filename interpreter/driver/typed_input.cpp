// What a session keeps of the inputs that it stands on, and what `_` is after them.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/words.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/driver/shell.h"
#include "interpreter/statements/print.h"

namespace shard {

namespace {

// The expression whose result `_` is, where the statement is one that has no target, or `ans` as one; else empty.
std::string unnamed_expression(const PlannedEntry& planned, const RunnerState& state) {
  const StatementRecord& record = state.programs[planned.program].statements[planned.statement];
  const ArrayInfo& array = state.scope.store.arrays[record.target];
  if (array.name != kLastValue) return "";
  return array.anonymous ? one_line(*record.text) : kLastValue;
}

// A number that is written as it is, or the array that a line named; empty if the entry is of neither.
std::string said_itself(const PrintedEntry& printed, const Scope& scope) {
  const std::string& text = printed.values.back();
  if (!text.empty() && is_digit(text.front())) return text;
  const std::string name = text.substr(0, text.find(':'));
  const bool says_so = text.find(", held as `") != std::string::npos;
  return says_so && scope.names.find_array(name) ? name : "";
}

// The expressions whose values `_` was, one after the other.
std::vector<std::string> given_values(const Outcome& outcome, const RunnerState& state) {
  std::vector<std::string> given;
  for (const Entry& entry : outcome.entries) {
    std::string text;
    const auto* printed = boxed_in<PrintedEntry>(entry);
    if (printed != nullptr && !printed->names.empty())
      text = printed->names.back() != printed->values.back() ? printed->names.back()
                                                             : said_itself(*printed, state.scope);
    if (const auto* planned = std::get_if<PlannedEntry>(&entry))
      text = unnamed_expression(*planned, state);
    if (const auto* array = boxed_in<ArrayEntry>(entry)) text = array->array;
    if (!text.empty()) given.push_back(std::move(text));
  }
  return given;
}

// An array is judged when the run is over.
std::vector<std::string> failed_expectations(const Outcome& outcome) {
  std::vector<std::string> failed;
  for (const Entry& entry : outcome.entries) {
    const auto* expected = boxed_in<ExpectedEntry>(entry);
    if (expected != nullptr && !expected->pending && expected->holds != true)
      failed.push_back(expected->text);
  }
  return failed;
}

bool writes_files(const Outcome& outcome) {
  return std::any_of(outcome.entries.begin(), outcome.entries.end(), [](const Entry& entry) {
    const auto* plot = boxed_in<PlotEntry>(entry);
    return boxed_in<SavedEntry>(entry) != nullptr || (plot != nullptr && !plot->path.empty());
  });
}

// Whether what stands there is given a value: `_ = 3`, `A → _`. Not what `_` means, which may be an array with a name.
bool is_target(std::string_view text, std::size_t at) {
  const std::size_t next = text.find_first_not_of(' ', at + 1);
  const bool is_assigned =
      next != std::string_view::npos && text[next] == '=' && text.substr(next, 2) != "==";
  const std::size_t last = at == 0 ? std::string_view::npos : text.find_last_not_of(' ', at - 1);
  const std::string_view before = text.substr(0, last == std::string_view::npos ? 0 : last + 1);
  return is_assigned || before.ends_with("→") || before.ends_with("->");
}

bool is_of_value(char c) {
  return is_name_character(c) || std::string_view("]}'){\\\"").find(c) != std::string_view::npos ||
         static_cast<signed char>(c) < 0;
}

}  // namespace

std::vector<PrintedValue> printed_values(const Outcome& outcome) {
  std::vector<PrintedValue> values;
  for (const Entry& entry : outcome.entries) {
    if (const auto* printed = boxed_in<PrintedEntry>(entry)) {
      for (std::size_t i = 0; i < printed->values.size(); ++i) {
        if (printed->names[i] != printed->values[i])
          values.push_back({printed->names[i], printed->values[i]});
      }
    }
    const auto* array = boxed_in<ArrayEntry>(entry);
    if (array == nullptr || !array->is_there) continue;
    std::string elements;
    for (const double element : array->values) elements += fmt::format("{} ", element);
    values.push_back({array->array, std::move(elements), true});
  }
  return values;
}

std::string with_last_value(std::string_view text, std::string_view name) {
  std::string result;
  bool in_remark = false;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') in_remark = in_text = false;
    if (c == '"' && !in_remark) in_text = !in_text;
    if (c == '#' && !in_text) in_remark = true;
    const bool alone = (i == 0 || !is_of_value(text[i - 1])) &&
                       (i + 1 == text.size() || (!is_of_value(text[i + 1]) && text[i + 1] != '?') ||
                        text[i + 1] == ')' || text[i + 1] == '}');
    if (c == '_' && alone && !in_remark && !in_text)
      result += is_target(text, i) ? kLastValue : name;
    else
      result += c;
  }
  return result;
}

std::string Shell::last_value_in(std::string_view text) const {
  // An array that a line named goes by its name.
  const auto last = std::find_if(inputs_.rbegin(), inputs_.rend(),
                                 [](const TypedInput& input) { return !input.last_value.empty(); });
  const bool is_named =
      last != inputs_.rend() && session_.state().scope.names.find_array(last->last_value);
  return with_last_value(text, is_named ? std::string_view(last->last_value) : kLastValue);
}

void Shell::note_input(std::string name, std::string text, const Outcome& outcome) {
  std::vector<std::string> given = given_values(outcome, session_.state());
  std::string last = given.empty() ? "" : given.back();
  inputs_.push_back({.name = std::move(name),
                     .text = std::move(text),
                     .last_value = std::move(last),
                     .given = std::move(given),
                     .printed = printed_values(outcome),
                     .failed = failed_expectations(outcome),
                     .writes = writes_files(outcome)});
}

}  // namespace shard
