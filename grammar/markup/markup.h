// Removes markup from a text. Private to the folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/markup/plain_text.h"

namespace shard {

// One pass over the text that writes only the notation. Each function reads the markup at the cursor and returns
// whether it was markup; if not, the cursor stays.
class MarkupReader {
 public:
  explicit MarkupReader(std::string_view text) : text_(text) {
    plain_.file_size = static_cast<std::uint32_t>(text.size());
  }

  PlainText run();

 private:
  // ---- markup.cpp: lines, Markdown, HTML
  void step();
  void end_line();
  void comment();
  bool quoted();
  bool fence();
  bool dollar();
  bool backtick();
  bool star();
  bool strong();
  bool remark_star();
  bool tag();
  bool entity();
  bool tie();
  bool raised_primes();
  void brace();

  // ---- markup_latex.cpp
  bool command();
  bool escaped_sign();
  bool row_break();
  bool math_delimiter();
  bool named(std::string_view name, std::size_t length);
  bool known_word(std::string_view name, std::size_t length);
  void wrapper();
  bool accent(std::string_view mark);
  void arguments(int count);
  void environment(bool begins);
  bool derivative(std::size_t sign_length);
  bool derivative_fraction(std::size_t length);
  void cell();
  bool stacked(std::size_t length);
  void end_brace();
  void skip_label();

  // ---- the cursor
  char at(std::size_t ahead) const {
    return cursor_ + ahead < text_.size() ? text_[cursor_ + ahead] : '\0';
  }
  std::string_view rest() const { return text_.substr(cursor_); }
  bool looking_at(std::string_view word) const { return rest().substr(0, word.size()) == word; }
  // The rest of the line.
  std::string_view line_rest();
  std::size_t behind_blanks(std::size_t place) const;
  // Where the group that begins with `{` at `place` ends: after its `}`, or at the line's end if there is none.
  std::size_t behind_group(std::size_t place) const;

  // ---- writing
  // Copies the next `length` bytes unchanged.
  void copy(std::size_t length);
  // Writes `text` for the next `length` bytes.
  void replace(std::size_t length, std::string_view text);
  void skip(std::size_t length) { cursor_ += length; }
  void write(std::string_view text, std::size_t begin, std::size_t end);
  // Ends the statement in the plain text, unless its line is empty.
  void separate(std::size_t length);
  void drop_punctuation();
  void write_label();
  // The current line of the plain text, and how to remove it.
  std::string_view plain_line() const { return std::string_view(plain_.text).substr(line_); }
  bool plain_line_blank() const { return visible_ <= line_; }
  void drop_plain_line();
  char last() const { return plain_.text.empty() ? '\n' : plain_.text.back(); }
  char last_visible() const { return visible_ == 0 ? '\n' : plain_.text[visible_ - 1]; }
  bool in_math() const { return dollars_ > 0 || displays_ > 0 || environments_ > 0; }

  std::string_view text_;
  std::size_t cursor_ = 0;
  PlainText plain_;
  std::size_t line_ = 0;         // where the line of the plain text begins
  std::size_t source_line_ = 0;  // where the line of the file begins
  std::size_t line_end_ = 0;     // where that ends, unless the cursor is past it
  std::size_t visible_ = 0;      // after the last non-blank character of the plain text

  std::vector<std::string_view>
      groups_;  // what closes each open `{`: "}", or "" for one that is removed
  std::vector<std::size_t> labelled_;   // behind the `}` of each open `\overbrace{` and the like
  std::vector<bool> escaped_brackets_;  // for each open `\[` or `\(`: a bracket, not a delimiter
  int dollars_ = 0;                     // of the open formula: `$` or `$$`
  int displays_ = 0;                    // open `\[` and `\(`
  int environments_ = 0;                // open `\begin`
  bool last_double_dollar_ = false;     // no `$$` follows any more
  bool in_strong_ = false;
  bool in_ticks_ = false;
  std::size_t remark_end_ = 0;  // position of the `*` that ends an emphasised remark
  std::string label_;           // the first cell of a table row
};

}  // namespace shard
