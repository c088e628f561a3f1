#include "interpreter/driver/editor/line_editor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <langinfo.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <utility>

#include "base/format.h"
#include "base/words.h"
#include "grammar/source/visible.h"
#include "interpreter/driver/shell.h"
#include "interpreter/host/interrupt.h"

namespace shard {

namespace {

// Around what is drawn without taking a column.
constexpr char kUndrawn = '\1';
constexpr const char* kPasteOn = "\x1b[?2004h";
constexpr const char* kPasteOff = "\x1b[?2004l";
constexpr wchar_t kReplacement = 0xfffd;

// The notation is UTF-8 whatever the terminal's locale; the editor drops characters that the locale cannot show.
void use_utf8() {
  std::setlocale(LC_CTYPE, "");
  if (std::string_view(nl_langinfo(CODESET)) != "UTF-8") std::setlocale(LC_CTYPE, "C.UTF-8");
}

std::string undrawn(std::string_view sequence) {
  return kUndrawn + std::string(sequence) + kUndrawn;
}

// Of the first byte of a character; 0 for one that begins none.
int length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

// Where the last of these characters leaves the cursor, behind a prompt of that many columns.
struct Place {
  std::size_t row = 0;
  std::size_t column = 0;
};
Place place_behind(std::size_t prompt, std::string_view text, std::size_t columns) {
  Place place{.row = 0, .column = prompt};
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t length =
        static_cast<std::size_t>(std::max(length_of(static_cast<unsigned char>(text[begin])), 1));
    if (text[begin] == '\n')
      place = {.row = place.row + 1, .column = 0};
    else
      place.column += display_width(text.substr(begin, length));
    if (columns > 0 && place.column >= columns) place = {.row = place.row + 1, .column = 0};
    begin += length;
  }
  return place;
}

// The next character of standard input in UTF-8; nullopt at its end.
std::optional<wchar_t> read_character() {
  const auto read_byte = [](unsigned char& byte) {
    ssize_t count = 0;
    do count = ::read(STDIN_FILENO, &byte, 1);
    while (count < 0 && errno == EINTR);
    return count == 1;
  };
  unsigned char byte = 0;
  if (!read_byte(byte)) return std::nullopt;
  const int length = length_of(byte);
  if (length == 0) return kReplacement;
  if (length == 1) return static_cast<wchar_t>(byte);
  auto code = static_cast<wchar_t>(byte & (0x7f >> length));
  for (int i = 1; i < length; ++i) {
    if (!read_byte(byte)) return std::nullopt;
    if ((byte & 0xc0) != 0x80) return kReplacement;
    code = static_cast<wchar_t>((code << 6) | (byte & 0x3f));
  }
  return code;
}

std::string utf8_of(wchar_t character) {
  const auto code = static_cast<unsigned>(character);
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) return std::string(1, static_cast<char>(code));
  if (code < 0x800) return {static_cast<char>(0xc0 | (code >> 6)), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xe0 | (code >> 12)), tail(6), tail(0)};
  return {static_cast<char>(0xf0 | (code >> 18)), tail(12), tail(6), tail(0)};
}

// While a line is edited Ctrl-C is a character, so that a text with one in it can be pasted. The end of a line stays what it is, so
// that the two characters that end one elsewhere are one end. The editor has set its own modes before it asks for a character, and
// gives the terminal back as it was.
void set_line_modes() {
  termios modes{};
  if (::tcgetattr(STDIN_FILENO, &modes) != 0) return;
  modes.c_cc[VINTR] = _POSIX_VDISABLE;
  modes.c_iflag &= ~static_cast<tcflag_t>(ICRNL | INLCR);
  ::tcsetattr(STDIN_FILENO, TCSANOW, &modes);
}

}  // namespace

std::size_t terminal_columns() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

LineEditor::LineEditor(LineHelper helper, bool colour)
    : helper_(std::move(helper)), file_(history_path()), history_(history_init()) {
  use_utf8();
  editor_ = el_init("shard", stdin, stdout, stderr);
  acts_ = ::isatty(STDOUT_FILENO) == 1 && knows_terminal();
  colour_ = colour && acts_;
  // A prompt cannot end with what is not drawn.
  prompt_ = kPrompt;
  if (colour_) prompt_ = undrawn("\x1b[1m") + "shard>" + undrawn("\x1b[0m") + " ";
  open_prompt_ = kOpenPrompt;
  HistEvent event;
  history(history_, &event, H_SETSIZE, kHistorySize);
  history(history_, &event, H_SETUNIQUE, 1);
  for (const std::string& entry : file_.load()) history(history_, &event, H_ENTER, entry.c_str());
  el_set(editor_, EL_CLIENTDATA, this);
  el_set(editor_, EL_PROMPT_ESC, &LineEditor::prompt, kUndrawn);
  el_set(editor_, EL_EDITOR, "emacs");
  el_set(editor_, EL_HIST, history, history_);
  el_set(editor_, EL_SIGNAL, 0);
  el_set(editor_, EL_GETCFN, &LineEditor::next_character);
  bind_keys();
  note_window();
}

LineEditor::~LineEditor() {
  el_end(editor_);
  history_end(history_);
}

LineEditor::Read LineEditor::read(bool continued, std::string& text) {
  continued_ = continued;
  begins_ = true;
  hinted_at_.reset();
  recalled_.clear();
  back_ = 0;
  edited_.clear();
  // An interrupt that came while an answer was printed must not drop a line.
  clear_interrupt();
  const HeldSignals held;
  follow_window();
  // A stop while something ran: there was no line that is to be drawn again.
  take_continued();
  tell_terminal(kPasteOn);
  int count = 0;
  const char* line = el_gets(editor_, &count);
  tell_terminal(kPasteOff);
  if (is_to_end()) {
    // What stands in the line is not lost with the window.
    text = line == nullptr ? buffer() : std::string(line, static_cast<std::size_t>(count));
    el_set(editor_, EL_PREP_TERM, 0);
    return Read::End;
  }
  if (interrupted() || dropped_) {
    clear_interrupt();
    dropped_ = false;
    leave_line();
    el_reset(editor_);
    return Read::Interrupted;
  }
  if (line == nullptr || count <= 0) {
    text = buffer();
    return is_gone_ ? Read::End : Read::Closed;
  }
  text.assign(line, static_cast<std::size_t>(count));
  return Read::Line;
}

void LineEditor::remember(const std::string& input) {
  const std::string entry = input.substr(0, input.find_last_not_of(" \t\r\n") + 1);
  if (entry.empty() || entry == last_) return;
  HistEvent event;
  history(history_, &event, H_ENTER, entry.c_str());
  file_.append(entry);
  last_ = entry;
}

LineEditor& LineEditor::self(EditLine* editor) {
  void* data = nullptr;
  el_get(editor, EL_CLIENTDATA, &data);
  return *static_cast<LineEditor*>(data);
}

const char* LineEditor::prompt(EditLine* editor) {
  const LineEditor& line = self(editor);
  return line.continued_ ? line.open_prompt_.c_str() : line.prompt_.c_str();
}

std::string LineEditor::buffer() const {
  const LineInfo* line = el_line(editor_);
  return {line->buffer, static_cast<std::size_t>(line->lastchar - line->buffer)};
}

std::size_t LineEditor::prompt_width() const {
  return continued_ ? open_prompt_.size() : kPrompt.size();
}

// `TERM` names a terminal that can erase the rest of a line, as all can that act on the sequences here.
bool LineEditor::knows_terminal() const {
  const char* kind = std::getenv("TERM");
  if (kind == nullptr || *kind == '\0' || std::string_view(kind) == "dumb") return false;
  std::array<char, 3> name = {"ce"};
  char* erases = nullptr;
  return el_get(editor_, EL_GETTC, name.data(), &erases) == 0 && erases != nullptr &&
         *erases != '\0';
}

void LineEditor::tell_terminal(std::string_view sequence) const {
  if (acts_) std::cout << sequence << std::flush;
}

// At the right of the line, and the cursor goes back to where the editor has left it, which knows nothing of the hint. Only of a
// line that leaves room for it and for a gap; the last column stays free, where terminals differ.
void LineEditor::show_hint(const std::string& hint) {
  constexpr std::size_t kGap = 2;
  const std::string text = buffer();
  const bool has_control =
      std::any_of(text.begin(), text.end(), [](char c) { return c >= 0 && c < ' '; });
  const std::size_t used = prompt_width() + display_width(text);
  const std::size_t width = display_width(hint);
  if (!acts_ || hint.empty() || has_control || used + kGap + width >= columns_) return;
  tell_terminal(fmt::format("\0337\r\x1b[{}C{}{}{}\0338", columns_ - width - 1,
                            colour_ ? "\x1b[2m" : "", hint, colour_ ? "\x1b[0m" : ""));
  hinted_at_ = used;
}

void LineEditor::drop_hint() {
  if (hinted_at_) tell_terminal(fmt::format("\0337\r\x1b[{}C\x1b[K\0338", *hinted_at_));
  hinted_at_.reset();
}

// The editor draws from where the cursor stands, which is to be the beginning of the prompt. Terminals differ in whether they
// break lines anew for another width: the fewer rows are taken, so that no answer above is lost.
void LineEditor::draw_anew() {
  const LineInfo* line = el_line(editor_);
  const std::string_view before(line->buffer,
                                static_cast<std::size_t>(line->cursor - line->buffer));
  const std::size_t columns = terminal_columns();
  const std::size_t rows = std::min(place_behind(prompt_width(), before, columns_).row,
                                    place_behind(prompt_width(), before, columns).row);
  columns_ = columns;
  hinted_at_.reset();
  tell_terminal("\r" + (rows > 0 ? fmt::format("\x1b[{}A", rows) : "") + "\x1b[J");
  el_set(editor_, EL_REFRESH);
}

// Below the line, however many rows of it stand below the cursor.
void LineEditor::leave_line() {
  const LineInfo* line = el_line(editor_);
  const std::string_view before(line->buffer,
                                static_cast<std::size_t>(line->cursor - line->buffer));
  const std::size_t below = place_behind(prompt_width(), buffer(), columns_).row -
                            place_behind(prompt_width(), before, columns_).row;
  std::cout << std::string(acts_ ? below + 1 : 1, '\n') << std::flush;
  tell_terminal("\x1b[J");
}

void LineEditor::follow_window() {
  if (take_resized()) el_resize(editor_);
  columns_ = terminal_columns();
}

// The second of the two that end a line where nothing says that they are pasted: it comes at once.
int LineEditor::next_character(EditLine* editor, wchar_t* character) {
  LineEditor& line = self(editor);
  const bool was_return = line.was_return_;
  line.was_return_ = false;
  if (line.again_) {
    *character = *std::exchange(line.again_, std::nullopt);
    return 1;
  }
  const bool comes_at_once = was_return && wait_for_input(STDIN_FILENO, 0) == Waited::Input;
  int count = line.wait_for_character(character);
  if (comes_at_once && count == 1 && *character == L'\n')
    count = line.wait_for_character(character);
  line.was_return_ = count == 1 && *character == L'\r';
  // A search ends with the character that begins the sequence of a key. Once more, it begins that.
  if (count == 1 && line.ends_search(*character)) line.again_ = *character;
  return count;
}

// What the editor does while nobody types, too. 1 character, 0 at the end, -1 for a signal that ends the line.
int LineEditor::wait_for_character(wchar_t* character) {
  // A pause in typing, after which a hint is no flicker.
  constexpr int kPause = 150;  // ms
  bool hinted = pasting_ || !helper_.hint || !acts_;
  if (begins_) set_line_modes();
  begins_ = false;
  while (true) {
    if (interrupted()) {
      drop_hint();
      errno = EINTR;
      return -1;
    }
    if (take_continued()) {
      // The shell has given the terminal its own modes meanwhile.
      el_set(editor_, EL_PREP_TERM, 0);
      el_set(editor_, EL_PREP_TERM, 1);
      set_line_modes();
      tell_terminal(kPasteOn);
      hinted_at_.reset();
      el_set(editor_, EL_REFRESH);
    }
    if (take_resized()) {
      el_resize(editor_);
      draw_anew();
      hinted = pasting_ || !helper_.hint || !acts_;
    }
    const Waited waited = wait_for_input(STDIN_FILENO, hinted ? -1 : kPause);
    if (waited == Waited::Input) break;
    if (waited == Waited::Signal) continue;
    hinted = true;
    show_hint(helper_.hint(buffer()));
  }
  // What was entered stands there without it.
  drop_hint();
  const auto read = read_character();
  is_gone_ = !read;
  if (is_gone_) return 0;
  *character = *read;
  // In what is pasted it is text, unless that has no end.
  constexpr wchar_t kInterruptKey = 3;
  dropped_ =
      *read == kInterruptKey && (!pasting_ || wait_for_input(STDIN_FILENO, kPause) == Waited::Time);
  if (dropped_) errno = EINTR;
  return dropped_ ? -1 : 1;
}

unsigned char LineEditor::complete(EditLine* editor, int /*key*/) {
  const LineInfo* line = el_line(editor);
  const std::string_view before(line->buffer,
                                static_cast<std::size_t>(line->cursor - line->buffer));
  const Completion completion = self(editor).helper_.complete(before);
  if (completion.candidates.empty()) return CC_REFRESH_BEEP;
  if (!completion.insert.empty()) {
    el_deletestr(editor, static_cast<int>(completion.replaced));
    return el_insertstr(editor, completion.insert.c_str()) == -1 ? CC_ERROR : CC_REFRESH;
  }
  std::cout << "\n" << visible_line(join(completion.candidates, "  ")) << "\n" << std::flush;
  return CC_REDISPLAY;
}

// Up to the sequence that ends it. Nothing in it is a key.
unsigned char LineEditor::paste(EditLine* editor, int /*key*/) {
  constexpr std::string_view kEnd = "\x1b[201~";
  LineEditor& line = self(editor);
  line.pasting_ = true;
  std::string text;
  wchar_t character = 0;
  while (!text.ends_with(kEnd) && line.wait_for_character(&character) == 1)
    text += utf8_of(character);
  line.pasting_ = false;
  if (line.dropped_) return CC_EOF;
  if (text.ends_with(kEnd)) text.resize(text.size() - kEnd.size());
  text = typed_of_pasted(std::move(text));
  std::erase_if(text, [](char c) { return c != '\n' && c != '\t' && c >= 0 && c < ' '; });
  if (text.empty()) return CC_REFRESH;
  return el_insertstr(editor, text.c_str()) == -1 ? CC_ERROR : CC_REFRESH;
}

}  // namespace shard
