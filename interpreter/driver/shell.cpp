#include "interpreter/driver/shell.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <new>
#include <sstream>
#include <utility>

#include "base/cancellation.h"
#include "base/format.h"
#include "base/line_width.h"
#include "base/words.h"
#include "grammar/diagnostics/render.h"
#include "grammar/parse/parser.h"
#include "grammar/source/visible.h"
#include "interpreter/driver/colour.h"
#include "interpreter/driver/habit.h"
#include "interpreter/driver/listing.h"
#include "interpreter/driver/session_command.h"
#include "interpreter/report/plot_files.h"
#include "interpreter/report/text_report.h"
#include "interpreter/statements/print.h"

namespace shard {

namespace {

std::string_view without_blanks(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

constexpr std::string_view kStopped = "stopped: the session is as it was before\n";

std::string text_of_outcome(const Outcome& outcome, const Session& session, bool colour) {
  std::string text;
  if (outcome.stopped) text += kStopped;
  text += wrapped_diagnostics(render(outcome.diagnostics, session.sources(), colour));
  // The interrupt that ended an input must not also stop its report.
  const Cancellation until(outcome.was_cancelled() ? nullptr : session.execution().cancelled);
  try {
    const std::string report =
        text_report(outcome, session.state(), {.incremental = true, .sources = &session.sources()});
    text += colour ? coloured_report(report) : report;
  } catch (const Cancelled&) {
    text += "stopped: the session has it, the report is left out\n";
  }
  return text;
}

}  // namespace

Shell::Shell(SessionOptions options, Look look)
    : options_(std::move(options)), look_(std::move(look)), session_(options_) {}

std::size_t Shell::columns() const {
  if (look_.width) return *look_.width;
  const std::size_t columns = look_.columns ? look_.columns() : 0;
  return columns == 0 ? kLineWidth : columns;
}

Shell::Answer Shell::answer(const std::string& input) {
  const LineWidth width(columns());
  Answer all;
  for (const std::string& one : inputs_of(input, known_names())) {
    Answer answered = answer_one(one);
    all.text += answered.text;
    all.leave = answered.leave;
    all.failed = all.failed || answered.failed;
    const auto& cancelled = options_.execution.cancelled;
    if (all.leave || (cancelled && cancelled())) break;
  }
  return all;
}

Shell::Answer Shell::answer_one(const std::string& input) {
  try {
    const std::string_view line = without_blanks(input);
    if (line.starts_with(":") && line.find('\n') == std::string_view::npos)
      return answer_command(line.substr(1));
    if (auto answered = answer_habit(last_value_in(input))) return *std::move(answered);
    const bool has_last = is_known(kLastValue);
    const std::string text = last_value_in(input);
    Answer answered = run(fmt::format("input {}", ++count_), text);
    if (line == kLastValue && !answered.failed) answered.text += "`ans` is `_`, the last value\n";
    if (answered.failed && !has_last && answered.text.find("called `ans`") != std::string::npos)
      answered.text += "`_` is the last value, and there is none so far: `2*3` gives one\n";
    return answered;
  } catch (const std::bad_alloc&) {
    return {"there is not enough memory to show it\n"};
  } catch (const CheckFailure& failure) {
    return {.text = wrapped_text(visible_line(failure.what()) +
                                 "\nthe session is as it was before; `:save FILE` keeps it\n"),
            .failed = true};
  }
}

bool Shell::is_whole(std::string_view input) const {
  const auto is_line = [&](std::string_view text) {
    const std::string_view line = without_blanks(text);
    // `x++` is a mistake, and waits for nothing.
    return line.find('\n') == std::string_view::npos &&
           (line.starts_with(":") || line.ends_with("++") || line.ends_with("--") ||
            find_habit(line, known_names()));
  };
  if (is_line(input) || !is_incomplete(input)) return true;
  if (!input.starts_with(":") && input.find("\n:") == std::string_view::npos) return false;
  // A command that was pasted may end in whatever.
  const std::vector<std::string> inputs = inputs_of(input, known_names());
  return inputs.empty() || is_line(inputs.back()) || !is_incomplete(inputs.back());
}

std::string Shell::told_in_open(std::string_view line) const {
  line = without_blanks(line);
  const std::string_view word = line.substr(0, line.find_first_of(" \t"));
  const bool is_command = word.starts_with(":") && find_session_command(word.substr(1)) != nullptr;
  constexpr std::array<std::string_view, 10> kWords = {"help", "?",    "ls",     "who",    "whos",
                                                       "quit", "exit", "exit()", "quit()", "undo"};
  const bool is_word =
      std::find(kWords.begin(), kWords.end(), line) != kWords.end() && !is_known(line);
  if (!is_command && !is_word) return "";
  const LineWidth width(columns());
  return wrapped_text(
      fmt::format("`{}` is left out, for a bracket is open above: Ctrl-C drops what is open, an "
                  "empty line ends it\n",
                  visible_line(line)));
}

Completion Shell::complete(std::string_view before) const {
  return complete_word(before, session_.state().scope);
}

std::function<bool(std::string_view name)> Shell::known_names() const {
  return [this](std::string_view name) { return is_known(name); };
}

bool Shell::is_known(std::string_view name) const {
  const Scope& scope = session_.state().scope;
  const std::string word(name);
  return scope.names.find_array(word) || scope.find_binding(word) != nullptr ||
         scope.names.find_dimension(word) || scope.find_axes(word) ||
         scope.names.functions.find(name_key(word)) != scope.names.functions.end();
}

Shell::Answer Shell::run(std::string name, std::string text) {
  Outcome outcome = session_.run(name, text);
  try {
    return answer_of(outcome, std::move(name), std::move(text));
  } catch (const CheckFailure&) {
    if (outcome.stays) session_.undo();
    throw;
  }
}

Shell::Answer Shell::answer_of(Outcome& outcome, std::string name, std::string text) {
  if (outcome.stays && outcome.was_cancelled()) {
    // Some of it was executed, and nobody can tell what.
    session_.undo();
    return {.text = std::string(kStopped), .failed = true};
  }
  const auto unsaved = save_plots(outcome, session_.files());
  std::string answer = text_of_outcome(outcome, session_, look_.colour);
  for (const std::string& why : unsaved) answer += visible_line(why) + "\n";
  if (outcome.stays && !without_blanks(text).empty())
    note_input(std::move(name), std::move(text), outcome);
  else if (outcome.stays)
    session_.undo();
  return {.text = std::move(answer), .failed = !outcome.stays};
}

std::string Shell::supposed_text(
    const std::string& text,
    const std::function<std::string(const Outcome&, const Session&)>& show) const {
  Session supposed = session_.supposed();
  const Outcome outcome = supposed.run("input", last_value_in(text));
  if (outcome.stopped) return std::string(kStopped);
  if (!is_sound(outcome.status))
    return {wrapped_diagnostics(render(outcome.diagnostics, supposed.sources(), look_.colour))};
  return show(outcome, supposed);
}

std::string Shell::hint(std::string_view line, const std::function<bool()>& stop) const {
  const std::string_view text = without_blanks(line);
  if (!look_.hints || text.empty() || text.starts_with(":") || text.ends_with("?")) return "";
  if (text.find('\n') != std::string_view::npos || is_incomplete(text)) return "";
  if (find_habit(text, known_names())) return "";
  try {
    Session supposed = session_.supposed();
    supposed.execution().cancelled = stop;
    const Outcome outcome = supposed.run("line", last_value_in(text));
    if (outcome.stopped || !is_sound(outcome.status)) return "";
    return visible_line(hint_of(outcome, supposed.state()));
  } catch (const CheckFailure&) {
    // It is said when the line is entered.
    return "";
  }
}

std::optional<Shell::Answer> Shell::answer_habit(const std::string& input) {
  const auto habit = find_habit(input, known_names());
  if (!habit) return std::nullopt;
  if (habit->kind == Habit::Kind::Answered) return Answer{wrapped_text(habit->text)};
  // What stood behind the prompt of another program may be a habit itself, and is shorter.
  if (habit->kind == Habit::Kind::Spelling && !habit->text.starts_with(":"))
    return answer(habit->text + "\n");
  Answer answered = habit->text.starts_with(":")
                        ? answer_command(std::string_view(habit->text).substr(1))
                        : run(fmt::format("input {}", ++count_), habit->text + "\n");
  if (habit->kind == Habit::Kind::Served)
    answered.text =
        fmt::format("here it is written `{}`\n", visible_line(habit->text)) + answered.text;
  return answered;
}

Shell::Answer Shell::answer_command(std::string_view line) {
  struct Doing {
    std::string_view name;
    Answer (Shell::*run)(const std::string& argument);
  };
  static constexpr Doing kEntries[] = {
#define SHARD_SESSION_COMMAND(name, ...) {#name, &Shell::name},
#include "interpreter/driver/session_commands.def"
  };
  line = without_blanks(line);
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  std::string word(line.substr(0, end));
  std::string argument(without_blanks(line.substr(end)));
  // `:ls?` asks what it is; `:save!` is sure.
  if (word.size() > 1 && word.ends_with("?")) return help(word.substr(0, word.size() - 1));
  if (word == "save!" || word == "w!") {
    word = "save";
    argument = "! " + argument;
  }
  if (word.starts_with("!")) {
    if (auto answered = answer_habit("!" + word)) return *std::move(answered);
  }
  const SessionCommand* command = find_session_command(word);
  if (command == nullptr || command->name != word) {
    // `:wq` is written out in the table.
    if (auto answered = answer_habit(":" + std::string(line))) return *std::move(answered);
  }
  if (command == nullptr) {
    const auto near = nearest_name(":" + word, session_command_words());
    return {wrapped_text(fmt::format("no command `:{}`; {}\n", visible_line(word),
                                     near ? fmt::format("did you mean `{}`?", *near)
                                          : "there are " + join(session_command_words(), " ")))};
  }
  if (!argument.empty() && command->arguments.empty() && command->name != "ls")
    return {wrapped_text(fmt::format("`:{}` stands alone: {}\n", command->name, command->meaning))};
  const auto* entry = std::find_if(std::begin(kEntries), std::end(kEntries),
                                   [&](const Doing& one) { return one.name == command->name; });
  return (this->*entry->run)(argument);
}

bool Shell::replay(const SessionOptions& before) {
  const auto put_back = [&] {
    options_ = before;
    session_.execution() = options_.execution;
  };
  SessionOptions estimating = options_;
  Session fresh(std::move(estimating));
  fresh.execution().estimate = true;
  fresh.execution().reads_files = true;
  try {
    for (const TypedInput& input : inputs_) {
      if (!fresh.run(input.name, input.text).stopped) continue;
      put_back();
      return false;
    }
  } catch (const CheckFailure&) {
    put_back();
    throw;
  }
  fresh.execution() = options_.execution;
  session_ = std::move(fresh);
  return true;
}

std::string typed_again(const std::string& transcript, const SessionOptions& options) {
  Shell shell(options, {});
  std::string shown;
  std::string pending;
  std::istringstream stream(transcript);
  for (std::string line; std::getline(stream, line);) {
    const std::string_view prompt = pending.empty() ? kPrompt : kOpenPrompt;
    if (!line.starts_with(prompt)) continue;
    shown += line + "\n";
    pending += line.substr(prompt.size()) + "\n";
    if (!shell.is_whole(pending)) continue;
    const Shell::Answer answer = shell.answer(pending);
    shown += answer.text;
    pending.clear();
    if (answer.leave) break;
  }
  return shown;
}

}  // namespace shard
