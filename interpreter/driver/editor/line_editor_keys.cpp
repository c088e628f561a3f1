// What keys do in a line.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "interpreter/driver/editor/line_editor.h"
#include "interpreter/host/interrupt.h"

namespace shard {

namespace {

// Sequences that no terminal sends, for what the editor itself does about the history.
constexpr const char* kEarlierLine = "\x1b[shard-earlier~";
constexpr const char* kLaterLine = "\x1b[shard-later~";
constexpr const char* kRecalled = "\x1b[shard-recalled~";

constexpr wchar_t kEscape = 27;
constexpr wchar_t kSearchKey = 18;  // Ctrl-R
constexpr wchar_t kAbortKey = 7;    // Ctrl-G

}  // namespace

void LineEditor::bind_keys() {
  el_set(editor_, EL_ADDFN, "shard-complete", "Complete a name", &LineEditor::complete);
  el_set(editor_, EL_ADDFN, "shard-paste", "Insert what is pasted", &LineEditor::paste);
  el_set(editor_, EL_BIND, "^I", "shard-complete", nullptr);
  el_set(editor_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  el_set(editor_, EL_BIND, "\\e[200~", "shard-paste", nullptr);
  el_set(editor_, EL_ADDFN, "shard-up", "The line above, or earlier", &LineEditor::up);
  el_set(editor_, EL_ADDFN, "shard-down", "The line below, or later", &LineEditor::down);
  el_set(editor_, EL_ADDFN, "shard-recalled", "As it was edited", &LineEditor::recalled);
  for (const char* keys : {"\\e[A", "\\eOA", "^P"})
    el_set(editor_, EL_BIND, keys, "shard-up", nullptr);
  for (const char* keys : {"\\e[B", "\\eOB", "^N"})
    el_set(editor_, EL_BIND, keys, "shard-down", nullptr);
  el_set(editor_, EL_BIND, kEarlierLine, "ed-prev-history", nullptr);
  el_set(editor_, EL_BIND, kLaterLine, "ed-next-history", nullptr);
  el_set(editor_, EL_BIND, kRecalled, "shard-recalled", nullptr);
  bind_idle_keys();
  // Home, End, Delete, and words by Ctrl or Alt with an arrow, as terminals send them.
  for (const auto& [keys, action] :
       std::array<std::pair<const char*, const char*>, 11>{{{"\\e[1~", "ed-move-to-beg"},
                                                            {"\\e[4~", "ed-move-to-end"},
                                                            {"\\e[H", "ed-move-to-beg"},
                                                            {"\\e[F", "ed-move-to-end"},
                                                            {"\\e[3~", "ed-delete-next-char"},
                                                            {"\\e[1;5D", "ed-prev-word"},
                                                            {"\\e[1;5C", "em-next-word"},
                                                            {"\\e[1;3D", "ed-prev-word"},
                                                            {"\\e[1;3C", "em-next-word"},
                                                            {"\\eb", "ed-prev-word"},
                                                            {"\\ef", "em-next-word"}}})
    el_set(editor_, EL_BIND, keys, action, nullptr);
}

// Insert, Page Up and Down, F1 to F12, and arrows with Shift, Alt and Ctrl would else insert the end of their sequence.
void LineEditor::bind_idle_keys() {
  el_set(editor_, EL_ADDFN, "shard-idle", "Do nothing", &LineEditor::idle);
  const auto bind = [&](const std::string& keys) {
    el_set(editor_, EL_BIND, keys.c_str(), "shard-idle", nullptr);
  };
  for (const std::string modifier : {"", ";2", ";3", ";4", ";5", ";6", ";7", ";8"}) {
    for (const int key : {2, 5, 6, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24})
      bind(fmt::format("\\e[{}{}~", key, modifier));
    for (const char letter : std::string_view("PQRS"))
      bind(modifier.empty() ? fmt::format("\\eO{}", letter)
                            : fmt::format("\\e[1{}{}", modifier, letter));
    for (const char letter : std::string_view(modifier.empty() ? "" : "ABCDHF"))
      bind(fmt::format("\\e[1{}{}", modifier, letter));
  }
}

// In a block, to the line above or below, at the same column or its end. Beyond its first and last line through the history.
unsigned char LineEditor::move_line(bool up) {
  const LineInfo* info = el_line(editor_);
  const std::string text = buffer();
  const auto at = static_cast<std::size_t>(info->cursor - info->buffer);
  const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  const std::size_t end = std::min(text.find('\n', at), text.size());
  if (up ? begin == 0 : end == text.size()) {
    // The editor would put an earlier state in the place of the line that is typed.
    if (!up && back_ == 0) return CC_ERROR;
    keep_edited();
    left_ = text;
    goes_back_ = up;
    back_ += up ? 1 : -1;
    el_push(editor_, (std::string(up ? kEarlierLine : kLaterLine) + kRecalled).c_str());
    return CC_NORM;
  }
  const std::size_t other = up ? (begin < 2 ? 0 : text.rfind('\n', begin - 2) + 1) : end + 1;
  const std::size_t other_end = std::min(text.find('\n', other), text.size());
  // Columns are characters, of which each has one byte that is no continuation.
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
  auto column = std::count_if(text.begin() + static_cast<std::ptrdiff_t>(begin),
                              text.begin() + static_cast<std::ptrdiff_t>(at), begins);
  std::size_t to = other;
  for (; to < other_end; ++to) {
    if (begins(text[to]) && column-- == 0) break;
  }
  const auto [from, until] = std::minmax(at, to);
  const auto characters =
      static_cast<int>(std::count_if(text.begin() + static_cast<std::ptrdiff_t>(from),
                                     text.begin() + static_cast<std::ptrdiff_t>(until), begins));
  el_cursor(editor_, up ? -characters : characters);
  return CC_CURSOR;
}

unsigned char LineEditor::up(EditLine* editor, int /*key*/) { return self(editor).move_line(true); }
unsigned char LineEditor::down(EditLine* editor, int /*key*/) {
  return self(editor).move_line(false);
}

// What a recalled line has become, for when it is come by again. The editor itself keeps the line that was typed.
void LineEditor::keep_edited() {
  const std::string now = buffer();
  if (!recalled_.empty() && now != recalled_) edited_[recalled_] = now;
}

unsigned char LineEditor::recalled(EditLine* editor, int /*key*/) {
  LineEditor& line = self(editor);
  const std::string now = line.buffer();
  line.recalled_ = now;
  // There was no earlier one.
  if (now == line.left_ && line.goes_back_) --line.back_;
  const auto edited = line.edited_.find(now);
  if (edited == line.edited_.end()) return CC_NORM;
  el_cursor(editor, static_cast<int>(now.size()));
  el_deletestr(editor, static_cast<int>(now.size()));
  return el_insertstr(editor, edited->second.c_str()) == -1 ? CC_ERROR : CC_REFRESH;
}

// The editor shows what is searched for below the line, and in the same text.
std::optional<std::string> LineEditor::found() const {
  const std::string text = buffer();
  const std::size_t end = std::max(text.rfind("\nbck") + 1, text.rfind("\nfwd") + 1);
  if (!searches_ || end == 0) return std::nullopt;
  return text.substr(0, end - 1);
}

// Whether the character, which was read just now, begins the sequence of a key in a search.
bool LineEditor::ends_search(wchar_t character) {
  constexpr int kPause = 20;  // ms, within which a terminal sends the rest of a sequence
  const auto line = found();
  if (character == kSearchKey && !line) {
    keep_edited();
    before_search_ = recalled_;
    searches_ = true;
    // It may find any line.
    back_ = kHistorySize;
  }
  // What the next key leaves of the line is an edited one.
  if (line) recalled_ = character == kAbortKey ? before_search_ : *line;
  if (character != kEscape || !line) return false;
  searches_ = false;
  return wait_for_input(STDIN_FILENO, kPause) == Waited::Input;
}

unsigned char LineEditor::idle(EditLine* /*editor*/, int /*key*/) { return CC_NORM; }

}  // namespace shard
