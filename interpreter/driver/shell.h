// A session as it is typed to: inputs, commands, habits of other programs. Text in, text out: the terminal itself is the matter of
// repl.h.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check_failure.h"
#include "interpreter/driver/editor/completion.h"
#include "interpreter/session/session.h"
#include "interpreter/statements/print.h"

namespace shard {

// A value that an input showed.
struct PrintedValue {
  std::string what;   // as written, canonical
  std::string value;  // of an array: the elements that were shown
  bool is_array = false;
};

// An input that the session stands on.
struct TypedInput {
  std::string name;        // "input 3", or the file that was loaded
  std::string text;        // as it was run: with `ans` for `_`
  std::string last_value;  // the expression whose value `_` is from here on; empty if it gave none
  std::vector<std::string> given = {};  // expressions whose values `_` was meanwhile, in order
  std::vector<PrintedValue> printed = {};
  std::vector<std::string> failed = {};  // conditions of expectations that did not hold
  bool writes = false;                   // files
};

// How answers look.
struct Look {
  bool colour = false;
  std::optional<std::size_t> width = {};  // columns; else as `columns` says
  std::function<std::size_t()> columns = {};
  bool hints = true;
};

class Shell {
 public:
  Shell(SessionOptions options, Look look);

  struct Answer {
    std::string text;  // ends with a line end, unless it is empty
    bool leave = false;
    bool failed = false;  // it was an input with mistakes, or stopped
  };
  // Of an input of one line or several, a command, or a habit.
  Answer answer(const std::string& input);
  // Whether the input is complete, so that it may be answered.
  bool is_whole(std::string_view input) const;
  // What is answered to a line that is a command where an input is open; empty if it is none.
  std::string told_in_open(std::string_view line) const;
  Completion complete(std::string_view before) const;
  // What the line would give, in a few words; empty if it gives nothing, or is no statement yet. `stop` ends looking.
  std::string hint(std::string_view line, const std::function<bool()>& stop) const;

  const Session& session() const { return session_; }
  const std::vector<TypedInput>& inputs() const { return inputs_; }

 private:
  // That answers are laid out for.
  std::size_t columns() const;
  Answer answer_one(const std::string& input);
  Answer run(std::string name, std::string text);
  Answer answer_of(Outcome& outcome, std::string name, std::string text);
  void note_input(std::string name, std::string text, const Outcome& outcome);
  // Of an input that is only supposed.
  std::string supposed_text(
      const std::string& text,
      const std::function<std::string(const Outcome&, const Session&)>& show) const;
  // The text with what `_` means in its place.
  std::string last_value_in(std::string_view text) const;
  std::optional<Answer> answer_habit(const std::string& input);
  Answer answer_command(std::string_view line);
  bool is_known(std::string_view name) const;
  std::function<bool(std::string_view name)> known_names() const;
  // Runs all inputs again under the options, without executing. If Ctrl-C stops it, they are as before, and it is false.
  bool replay(const SessionOptions& before);
  // Why `:save` does not write over what is there without being sure; empty if it does.
  std::string why_not_over(const std::string& path) const;
  std::string settings_text() const;

  // One for each line of session_commands.def.
#define SHARD_SESSION_COMMAND(name, ...) Answer name(const std::string& argument);
#include "interpreter/driver/session_commands.def"

  ThrownChecks checks_;
  SessionOptions options_;
  Look look_;
  Session session_;
  std::vector<TypedInput> inputs_;
  int count_ = 0;  // of inputs, also of those that had mistakes
  // What `:reset` ended, for `:undo`.
  struct Ended {
    Session session;
    std::vector<TypedInput> inputs;
  };
  std::optional<Ended> ended_;
  std::map<std::string, std::string> written_;  // files that `:save` wrote, with what it wrote
};

// The values that it showed, in order. What an array is, said where its name alone was typed, is none.
std::vector<PrintedValue> printed_values(const Outcome& outcome);

// What the terminal shows in front of an input, and of the lines with which it goes on.
inline constexpr std::string_view kPrompt = "shard> ";
inline constexpr std::string_view kOpenPrompt = "  ... ";

// A transcript with the answers that a session gives to what is typed behind its prompts. Other lines are answers.
std::string typed_again(const std::string& transcript, const SessionOptions& options);

// pasted.cpp: a text of several lines with commands in it, as of a transcript, taken apart into what is typed one after the
// other; a text without any is one input. `is_known` as of find_habit.
std::vector<std::string> inputs_of(std::string_view text,
                                   const std::function<bool(std::string_view name)>& is_known);

// `_`, where it stands for a value, as that name.
std::string with_last_value(std::string_view text, std::string_view name = kLastValue);

}  // namespace shard
