#include "interpreter/driver/repl.h"

#include <fmt/format.h>
#include <histedit.h>
#include <langinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <new>

#include "base/cancellation.h"
#include "base/words.h"
#include "grammar/diagnostics/render.h"
#include "grammar/parse/parser.h"
#include "grammar/source/visible.h"
#include "interpreter/driver/completion.h"
#include "interpreter/driver/console.h"
#include "interpreter/driver/help.h"
#include "interpreter/host/interrupt.h"
#include "interpreter/report/text_report.h"

namespace shard {

namespace {

// $XDG_STATE_HOME/shard/history, or ~/.local/state/shard/history; empty if there is no home.
std::string history_path() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  if ((state == nullptr || *state == '\0') && (home == nullptr || *home == '\0')) return "";
  const std::filesystem::path base = state != nullptr && *state != '\0'
                                         ? std::filesystem::path(state)
                                         : std::filesystem::path(home) / ".local" / "state";
  std::error_code error;
  std::filesystem::create_directories(base / "shard", error);
  return error ? "" : (base / "shard" / "history").string();
}

// The notation is UTF-8 whatever the terminal's locale; the editor drops characters that the locale cannot show.
void use_utf8() {
  std::setlocale(LC_CTYPE, "");
  if (std::string_view(nl_langinfo(CODESET)) != "UTF-8") std::setlocale(LC_CTYPE, "C.UTF-8");
}

// The history holds single lines, so statements of a block are separated by `;` there.
std::string on_one_line(const std::string& input) {
  std::string line;
  int brackets = 0;  // open ones, braces aside
  for (std::size_t i = 0; i < input.size(); ++i) {
    const char c = input[i];
    brackets += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c != '\n') {
      line += c;
      continue;
    }
    const auto last = line.find_last_not_of(" \t\r");
    const auto next = input.find_first_not_of(" \t\r\n", i);
    const bool ends = last != std::string::npos && next != std::string::npos && brackets == 0 &&
                      (std::isalnum(static_cast<unsigned char>(line[last])) != 0 ||
                       std::string_view(")]}'").find(line[last]) != std::string_view::npos) &&
                      (std::isalnum(static_cast<unsigned char>(input[next])) != 0 ||
                       input[next] == '[' || input[next] == '{') &&
                      input.compare(next, 4, "else") != 0;
    line += ends ? "; " : " ";
  }
  return line;
}

class LineEditor {
 public:
  explicit LineEditor(const Session& session)
      : session_(session),
        history_(history_init()),
        editor_(el_init("shard", stdin, stdout, stderr)),
        path_(history_path()) {
    // Lines; the oldest are dropped, so that the file stays small.
    constexpr int kHistorySize = 5000;
    HistEvent event;
    history(history_, &event, H_SETSIZE, kHistorySize);
    history(history_, &event, H_SETUNIQUE, 1);
    if (!path_.empty()) history(history_, &event, H_LOAD, path_.c_str());
    el_set(editor_, EL_CLIENTDATA, this);
    el_set(editor_, EL_PROMPT, &LineEditor::prompt);
    el_set(editor_, EL_EDITOR, "emacs");
    el_set(editor_, EL_HIST, history, history_);
    el_set(editor_, EL_SIGNAL, 0);
    el_set(editor_, EL_ADDFN, "shard-complete", "Complete a name", &LineEditor::complete);
    el_set(editor_, EL_BIND, "^I", "shard-complete", nullptr);
    el_set(editor_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  }
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;
  ~LineEditor() {
    HistEvent event;
    if (!path_.empty()) history(history_, &event, H_SAVE, path_.c_str());
    el_end(editor_);
    history_end(history_);
  }

  enum class Read { Line, Interrupted, End };

  Read read(bool continued, std::string& line) {
    continued_ = continued;
    clear_interrupt();  // an interrupt that came while an answer was printed must not drop a line
    int count = 0;
    const char* text = el_gets(editor_, &count);
    if (interrupted()) {
      clear_interrupt();
      el_reset(editor_);
      std::cout << "\n";
      return Read::Interrupted;
    }
    if (text == nullptr || count <= 0) return Read::End;
    line.assign(text, static_cast<std::size_t>(count));
    return Read::Line;
  }

  void remember(const std::string& input) {
    HistEvent event;
    const std::string line = on_one_line(input);
    if (line.find_first_not_of(' ') != std::string::npos)
      history(history_, &event, H_ENTER, line.c_str());
  }

 private:
  static LineEditor& self(EditLine* editor) {
    void* data = nullptr;
    el_get(editor, EL_CLIENTDATA, &data);
    return *static_cast<LineEditor*>(data);
  }

  static const char* prompt(EditLine* editor) {
    return self(editor).continued_ ? "  ... " : "shard> ";
  }

  static unsigned char complete(EditLine* editor, int /*key*/) {
    const LineInfo* line = el_line(editor);
    const std::string_view before(line->buffer,
                                  static_cast<std::size_t>(line->cursor - line->buffer));
    const Completion completion = complete_word(before, self(editor).session_.state().scope);
    if (completion.candidates.empty()) return CC_REFRESH_BEEP;
    if (!completion.insert.empty()) {
      return el_insertstr(editor, completion.insert.c_str()) == -1 ? CC_ERROR : CC_REFRESH;
    }
    std::cout << "\n" << visible_line(join(completion.candidates, "  ")) << "\n" << std::flush;
    return CC_REDISPLAY;
  }

  const Session& session_;
  History* history_;
  EditLine* editor_;
  std::string path_;
  bool continued_ = false;
};

void show(const Session& session, const Outcome& outcome) {
  if (outcome.stopped) std::cout << "stopped: the session is as it was before\n";
  std::cout << render(outcome.diagnostics, session.sources(), shows_colour(STDOUT_FILENO));
  // The interrupt that ended an input must not also stop its report.
  const Cancellation until(outcome.was_cancelled() ? nullptr : std::function(interrupted));
  try {
    std::cout << text_report(outcome, session.state(), {.verbose = false, .incremental = true});
  } catch (const Cancelled&) {
    std::cout << "stopped: the session has it, the report is left out\n";
  }
  std::cout << std::flush;
}

// Whether the line was a command of the REPL; `leave` is set by `:quit`.
bool run_command(const std::string& line, bool& leave) {
  const auto begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos || line[begin] != ':') return false;
  const auto end = line.find_last_not_of(" \t\n");
  const std::string command = line.substr(begin, end - begin + 1);
  if (command == ":quit" || command == ":q" || command == ":exit") {
    leave = true;
  } else if (command == ":help" || command == ":h") {
    std::cout << *help_topic("statements") << "\n" << *help_topic("repl");
  } else if (command.rfind(":help ", 0) == 0) {
    const std::string topic = command.substr(command.find_first_not_of(' ', 6));
    const auto text = help_topic(topic);
    std::cout << (text ? *text : no_help_on(topic) + "\n");
  } else {
    std::cout << fmt::format("no command `{}`; there are :help and :quit\n", visible_line(command));
  }
  return true;
}

}  // namespace

int run_repl(SessionOptions options) {
  options.interactive = true;
  options.execution.verify = true;
  // A line is answered at once, execution and comparison together; docs/language.md states the limits. What would take
  // longer is estimated.
  constexpr double kMaxFlops = 5e7;
  constexpr double kMaxBytes = 6.4e7;
  options.execution.max_flops = kMaxFlops;
  options.execution.memory = std::min(options.execution.memory, kMaxBytes);
  options.execution.cancelled = interrupted;
  catch_interrupts(Interrupts::All);
  use_utf8();
  Session session(std::move(options));
  LineEditor editor(session);
  std::cout << "Shard " SHARD_VERSION "   :help, Ctrl-D to leave\n";
  std::string pending;
  int count = 0;
  bool leave = false;
  while (!leave) {
    std::string line;
    const auto read = editor.read(!pending.empty(), line);
    if (read == LineEditor::Read::Interrupted) {
      pending.clear();
      continue;
    }
    if (read == LineEditor::Read::End) break;
    if (pending.empty() && run_command(line, leave)) {
      editor.remember(line.substr(0, line.find('\n')));
      continue;
    }
    pending += line;
    const bool blank_line = line.find_first_not_of(" \t\r\n") == std::string::npos;
    if (is_incomplete(pending) && !(blank_line && pending.size() > line.size())) continue;
    editor.remember(pending.substr(0, pending.find_last_not_of("\r\n") + 1));
    try {
      show(session, session.run(fmt::format("input {}", ++count), pending));
    } catch (const std::bad_alloc&) {
      std::cout << "there is not enough memory to show it\n" << std::flush;
    }
    clear_interrupt();
    pending.clear();
  }
  std::cout << "\n";
  return 0;
}

}  // namespace shard
