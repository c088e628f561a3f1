// Lines typed at a terminal, with libedit.
#pragma once

#include <histedit.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "interpreter/driver/editor/completion.h"
#include "interpreter/driver/editor/history.h"

namespace shard {

inline constexpr int kHistorySize = 5000;  // lines

// What the editor asks of the session.
struct LineHelper {
  // For Tab: `before` is the line up to the cursor.
  std::function<Completion(std::string_view before)> complete;
  // A few words on the line as it stands, shown at its right while nobody types; empty for none.
  std::function<std::string(std::string_view line)> hint;
};

// A history that is kept at every line, bracketed paste, hints, and an interrupt that is never lost.
class LineEditor {
 public:
  LineEditor(LineHelper helper, bool colour);
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;
  ~LineEditor();

  // Closed: by Ctrl-D on an empty line. End: the terminal is gone, or the process is to end.
  enum class Read { Line, Interrupted, Closed, End };
  // One line, or what was pasted or recalled as several. `continued`: of an input that goes on.
  Read read(bool continued, std::string& text);
  // Puts an input into the history, as it was typed.
  void remember(const std::string& input);
  // Why no history is kept; empty if it is.
  const std::string& refusal() const { return file_.refusal(); }
  // Whether the terminal is one that acts on sequences: colours, and where something is drawn.
  bool acts() const { return acts_; }

 private:
  static LineEditor& self(EditLine* editor);
  static const char* prompt(EditLine* editor);
  static int next_character(EditLine* editor, wchar_t* character);
  static unsigned char complete(EditLine* editor, int key);
  static unsigned char paste(EditLine* editor, int key);

  static unsigned char idle(EditLine* editor, int key);
  static unsigned char up(EditLine* editor, int key);
  static unsigned char down(EditLine* editor, int key);
  static unsigned char recalled(EditLine* editor, int key);

  void bind_keys();
  unsigned char move_line(bool up);
  void keep_edited();
  // The line that a search has found so far; nullopt outside of one.
  std::optional<std::string> found() const;
  bool ends_search(wchar_t character);
  void bind_idle_keys();
  int wait_for_character(wchar_t* character);
  void follow_window();
  // What only a terminal acts on: nothing for one of which nothing is known.
  void tell_terminal(std::string_view sequence) const;
  bool knows_terminal() const;
  std::size_t prompt_width() const;
  void show_hint(const std::string& hint);
  void drop_hint();
  void draw_anew();
  void leave_line();
  std::string buffer() const;

  LineHelper helper_;
  HistoryFile file_;
  History* history_;
  EditLine* editor_;
  std::string prompt_;
  std::string open_prompt_;
  std::string last_;                           // what was remembered last
  std::string recalled_;                       // the line as it was recalled; empty if it was typed
  std::string before_search_;                  // that of the line from which a search set out
  std::map<std::string, std::string> edited_;  // of the lines recalled so far, by what they were
  std::string left_;         // the line that was left for an earlier or a later one
  int back_ = 0;             // how many lines of the history that is back from the typed one
  bool goes_back_ = false;   // to an earlier one
  std::size_t columns_ = 0;  // of the window that the line was drawn for
  std::optional<std::size_t> hinted_at_;  // the column from which on a hint is drawn
  bool acts_ = false;                     // the terminal acts on sequences
  bool colour_ = false;
  bool continued_ = false;
  bool begins_ = false;  // no character of the line was asked for
  bool pasting_ = false;
  bool was_return_ = false;       // the last character ended a line
  bool dropped_ = false;          // by Ctrl-C
  bool searches_ = false;         // a search through the history was begun
  std::optional<wchar_t> again_;  // a character that is to come once more
  bool is_gone_ = false;          // the terminal
};

// pasted.cpp: what was pasted, as it is typed: ends of lines are single, and the last one is left out. Of the transcript of a
// session, of this program or another, only what stands behind its prompts is taken, and lines that an input which is open there
// needs.
std::string typed_of_pasted(std::string text);

// The columns of the terminal that standard output is; 0 if it is none.
std::size_t terminal_columns();

}  // namespace shard
