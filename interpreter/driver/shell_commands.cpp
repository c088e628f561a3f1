// What the commands of a session do.
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <filesystem>
#include <utility>

#include "base/format.h"
#include "base/line_width.h"
#include "base/words.h"
#include "grammar/source/visible.h"
#include "interpreter/driver/colour.h"
#include "interpreter/driver/editor/completion.h"
#include "interpreter/driver/help.h"
#include "interpreter/driver/listing.h"
#include "interpreter/driver/saved_script.h"
#include "interpreter/driver/session_command.h"
#include "interpreter/driver/settings.h"
#include "interpreter/driver/shell.h"
#include "interpreter/host/file.h"
#include "interpreter/report/text_report.h"

namespace shard {

namespace {

std::string first_line(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return "";
  const auto end = std::min(text.find('\n', begin), text.size());
  const bool is_all = text.find_first_not_of(" \t\r\n", end) == std::string::npos;
  return text.substr(begin, end - begin) + (is_all ? "" : " …");
}

std::string without_quotes(const std::string& path) {
  const bool quoted = path.size() > 2 && (path.front() == '"' || path.front() == '\'') &&
                      path.back() == path.front();
  return quoted ? path.substr(1, path.size() - 2) : path;
}

// A sentence or two.
Shell::Answer told(const std::string& text) { return {wrapped_text(text + "\n")}; }

Shell::Answer lacks(std::string_view command, std::string_view example) {
  return told(fmt::format(":{} what? {}", command, example));
}

// Why no script is written there, however sure; empty for what may be a file.
std::string why_no_file(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) return "is a folder";
  const bool is_file = std::filesystem::is_regular_file(status) || !std::filesystem::exists(status);
  return is_file ? "" : "is a device or a pipe";
}

// Only the statements of the machine in force, as a script that stops here.
Outcome whole_of(const RunnerState& state) {
  Outcome whole;
  for (const Entry& entry : state.entries) {
    const auto* planned = std::get_if<PlannedEntry>(&entry);
    if (planned != nullptr && planned->program == state.current) whole.entries.push_back(entry);
  }
  whole.programs.resize(state.programs.size());
  whole.programs[state.current].figures = figures_of(state.programs[state.current]);
  return whole;
}

}  // namespace

Shell::Answer Shell::help(const std::string& argument) {
  if (argument.empty())
    return {wrapped_text(*help_topic("statements") + "\n" + *help_topic("repl"))};
  std::string text = description_of(argument, session_).value_or("");
  if (const auto help = help_on(argument, text.empty())) text += *help;
  if (argument == "hardware") text += chips_text(session_.state().scope);
  return {wrapped_text(text.empty() ? no_help_on(argument) + "\n" : visible_text(text))};
}

Shell::Answer Shell::ls(const std::string& argument) {
  if (!argument.empty()) return help(argument);
  const std::string options = options_of_run(options_);
  return {visible_text(listing_of(session_.state(), options.empty() ? "" : options.substr(1)))};
}

Shell::Answer Shell::type(const std::string& argument) {
  if (argument.empty()) return lacks("type", ":type A · B");
  return {supposed_text(argument, [](const Outcome& outcome, const Session& session) {
    const std::string type = type_of(outcome, session.state());
    return visible_text(type.empty() ? "it gives nothing\n" : type);
  })};
}

Shell::Answer Shell::cost(const std::string& argument) {
  if (!argument.empty()) {
    return {supposed_text(argument, [&](const Outcome& outcome, const Session& session) {
      const std::string report =
          text_report(outcome, session.state(), {.verbose = true, .incremental = true});
      return look_.colour ? coloured_report(report) : report;
    })};
  }
  const RunnerState& state = session_.state();
  if (state.programs.empty() || state.programs[state.current].statements.empty())
    return {"nothing was planned so far; `:cost STATEMENT` prices one\n"};
  const std::string report = text_report(whole_of(state), state, {.verbose = true});
  return {look_.colour ? coloured_report(report) : report};
}

Shell::Answer Shell::why(const std::string& argument) {
  const bool is_name =
      !argument.empty() && argument.find_first_of(" \t[(=·*→") == std::string::npos;
  const std::string text = argument.empty() ? "why"
                           : is_name        ? "why " + argument
                                            : argument + "\nwhy";
  return {supposed_text(text, [](const Outcome& outcome, const Session& session) {
    Outcome explained;
    for (const Entry& entry : outcome.entries) {
      if (boxed_in<WhyEntry>(entry) != nullptr || boxed_in<StepsEntry>(entry) != nullptr)
        explained.entries.push_back(entry);
    }
    return text_report(explained, session.state(), {.verbose = false, .incremental = true});
  })};
}

Shell::Answer Shell::show(const std::string& argument) {
  if (argument.empty()) return lacks("show", ":show A[I_X, J]");
  return {supposed_text("show " + argument, [](const Outcome& outcome, const Session& session) {
    return text_report(outcome, session.state(), {.verbose = false, .incremental = true});
  })};
}

Shell::Answer Shell::load(const std::string& argument) {
  if (argument.empty()) return lacks("load", ":load mlp.shard");
  const std::string path = with_home(without_quotes(argument));
  // Elsewhere that is what is typed.
  if (path == "-")
    return told("`:load` takes a file; what is typed or pasted here is run as it is");
  const auto text = read_text(path);
  if (!text) return told(visible_line(text.error().message));
  return run(path, *text);
}

Shell::Answer Shell::save(const std::string& argument) {
  const bool is_sure = argument.starts_with("! ");
  const std::string path = with_home(without_quotes(is_sure ? argument.substr(2) : argument));
  if (path.empty()) return lacks("save", ":save session.shard");
  if (const std::string why = why_no_file(path); !why.empty())
    return told(fmt::format("{} {}; a script is saved in a file", visible_line(path), why));
  if (const std::string why = why_not_over(path); !is_sure && !why.empty())
    return told(fmt::format("{0} {1}; `:save! {0}` writes over it", visible_line(path), why));
  const std::string options = options_of_run(options_);
  const SavedScript saved = saved_script(inputs_, session_, options_);
  const std::string script =
      fmt::format("# A session; as it ran there: shard run{} {}\n", options, visible_line(path)) +
      saved.text;
  if (const auto written = write_file(path, script); !written)
    return told(visible_line(written.error().message));
  written_[path] = script;
  const std::string answer = fmt::format("{} has {} input{}", visible_line(path), inputs_.size(),
                                         inputs_.size() == 1 ? "" : "s");
  if (!saved.remark.empty())
    return told(fmt::format("{}, but {}", answer, visible_line(saved.remark)));
  // The command is not broken: it is to be copied.
  const std::string command = fmt::format("shard run{} {}\n", options, visible_line(path));
  const std::string said = fmt::format("{}; it runs with", answer);
  const bool fits = display_width(said) + display_width(command) <= line_width();
  return {fits ? said + " " + command : wrapped_text(said) + "    " + command};
}

// Empty where there is no such file, or it is as this session wrote it.
std::string Shell::why_not_over(const std::string& path) const {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return "";
  const auto written = written_.find(path);
  if (written == written_.end()) return "is there already";
  const auto there = read_text(path);
  return there && *there == written->second ? "" : "has changed since it was saved";
}

Shell::Answer Shell::undo(const std::string& argument) {
  std::size_t count = 1;
  const char* end = argument.data() + argument.size();
  const bool is_number =
      argument.empty() || std::from_chars(argument.data(), end, count).ptr == end;
  if (!is_number || count == 0)
    return told("`:undo` takes the last input back, `:undo 3` the last 3");
  if (inputs_.empty() && ended_) {
    session_ = std::move(ended_->session);
    inputs_ = std::move(ended_->inputs);
    ended_.reset();
    return {"the session is as it was before `:reset`\n"};
  }
  if (inputs_.empty()) return {"there is no input to take back\n"};
  std::string text;
  for (; count > 0 && !inputs_.empty(); --count) {
    if (!session_.undo()) {
      text += "the input before is too long ago to be taken back; `:reset` begins anew\n";
      break;
    }
    text += fmt::format("taken back: {}\n", visible_line(first_line(inputs_.back().text)));
    inputs_.pop_back();
  }
  return {text};
}

Shell::Answer Shell::reset(const std::string& /*argument*/) {
  // What an earlier one ended is not lost by another.
  if (inputs_.empty() && ended_)
    return {"it is begun anew already; `:undo` brings back what there was\n"};
  if (inputs_.empty()) return {"there is nothing to end\n"};
  Session fresh(options_);
  ended_ = Ended{std::exchange(session_, std::move(fresh)), std::exchange(inputs_, {})};
  return {"begun anew; `:undo` brings back what there was\n"};
}

std::string Shell::settings_text() const {
  constexpr std::size_t kName = 10;
  constexpr std::size_t kLeastValue = 10;
  std::size_t width = kLeastValue;
  for (const Setting& setting : settings()) {
    const std::string value = value_of_setting(setting.name, options_, look_);
    // Lengths may be many.
    if (setting.name != "sizes") width = std::max(width, display_width(value) + 2);
  }
  std::string text;
  for (const Setting& setting : settings()) {
    text += two_columns(
        pad_right(setting.name, kName) + value_of_setting(setting.name, options_, look_),
        setting.meaning, kName + width);
  }
  if (const std::string lasting = lasting_options(options_); !lasting.empty())
    text += two_columns(pad_right("options", kName) + lasting.substr(1),
                        "as shard was started, for the whole session", kName + width);
  return text;
}

Shell::Answer Shell::set(const std::string& argument) {
  // `:set model=links` as well; the sign in `B=1Ki` is part of the value.
  std::string text = argument;
  if (const auto end = text.find_first_of(" \t="); end != std::string::npos && text[end] == '=')
    text[end] = ' ';
  std::vector<std::string> words = split_words(text);
  if (words.size() > 1 && words[1] == "=") words.erase(words.begin() + 1);
  if (words.empty()) return {settings_text()};
  const Setting* setting = find_setting(words[0]);
  if (setting == nullptr) {
    const std::vector<std::string> known = words_of(settings(), &Setting::name);
    const auto near = nearest_name(words[0], known);
    return told(fmt::format(
        "no setting `{}`; {}", visible_line(words[0]),
        near ? fmt::format("did you mean `{}`?", *near) : "there are " + join_words(known)));
  }
  if (words.size() == 1) {
    return told(fmt::format("{} is {}: {}", setting->name,
                            value_of_setting(setting->name, options_, look_), setting->meaning));
  }
  const SessionOptions before = options_;
  const std::string value = join({words.begin() + 1, words.end()}, " ");
  const std::string mistake = change_setting(setting->name, value, options_, look_);
  if (!mistake.empty()) return {wrapped_text(visible_line(mistake))};
  session_.execution() = options_.execution;
  const bool has_other_inputs = options_.execution.inputs != before.execution.inputs;
  if (has_other_inputs) session_.forget_arrays();
  // Prices that were made so far are those of the other model, and plans those by the other rule.
  const bool is_other = options_.model != before.model || options_.plan != before.plan;
  if (is_other && !replay(before)) return {"stopped: the session is as it was before\n"};
  std::string answer =
      fmt::format("{} is {}\n", setting->name, value_of_setting(setting->name, options_, look_));
  const bool is_cut = options_.execution.cut.changes_anything();
  if (is_cut != before.execution.cut.changes_anything())
    answer +=
        is_cut ? "lines are planned and priced for the full sizes, and executed on smaller arrays\n"
               : "lines are executed as they are planned\n";
  if (has_other_inputs && !inputs_.empty())
    answer += "inputs have other values from here on, and arrays are made anew of them\n";
  return {wrapped_text(answer)};
}

Shell::Answer Shell::time(const std::string& argument) {
  if (argument.empty()) return lacks("time", ":time A · B → C");
  const auto begin = std::chrono::steady_clock::now();
  Answer answered = answer(argument + "\n");
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  if (!answered.failed)
    answered.text += fmt::format("took {} here\n", format_seconds(taken.count()));
  return answered;
}

Shell::Answer Shell::history(const std::string& /*argument*/) {
  std::string text;
  for (const TypedInput& input : inputs_)
    text +=
        fmt::format("{}\n    {}\n", visible_line(input.name), visible_line(first_line(input.text)));
  return {text.empty() ? "no inputs so far\n" : text};
}

Shell::Answer Shell::quit(const std::string& /*argument*/) { return {.text = "", .leave = true}; }

}  // namespace shard
