// Lines, Markdown and HTML.
#include "grammar/markup/markup.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/cancellation.h"
#include "base/words.h"

namespace shard {
namespace {

// Searches for a closing mark on the same line look this many bytes ahead. Without a limit a long line full of opening
// marks would take quadratic time; farther apart, marks are not paired.
constexpr std::size_t kFarthest = 4000;

// A text without any of these has no markup.
constexpr std::string_view kMarks = "\\$`<&";
constexpr std::string_view kMarkWords[] = {"**", "(*", "*)", "*(", "∂"};

constexpr std::string_view kTags[] = {
    "a", "b",   "big",   "code", "div",    "em", "figcaption", "font", "i",  "kbd", "li", "ol",
    "p", "pre", "small", "span", "strong", "td", "th",         "tr",   "tt", "u",   "ul", "var"};

constexpr std::pair<std::string_view, std::string_view> kEntities[] = {
    {"&amp;", "&"},  {"&bull;", "•"}, {"&ge;", "≥"},     {"&gt;", ">"},   {"&hellip;", "…"},
    {"&le;", "≤"},   {"&lt;", "<"},   {"&middot;", "·"}, {"&nbsp;", " "}, {"&quot;", "\""},
    {"&rarr;", "→"}, {"&sdot;", "·"}, {"&times;", "×"},  {"&#39;", "'"}};

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool ends_line(char c) { return c == '\n' || c == '\r' || c == '\0'; }

// Whether there is a formula before the next `$`.
bool has_formula(std::string_view line) {
  const std::size_t closer = line.find('$');
  return closer != std::string_view::npos && line.find_first_not_of(" \t") < closer;
}

// Whether a word or an operand may end with this character.
bool ends_operand(char c) {
  return is_letter(c) || is_digit(c) || c == ')' || c == ']' || c == '}' || c == '\'';
}

}  // namespace

PlainText MarkupReader::run() {
  plain_.text.reserve(text_.size());
  plain_.begins.reserve(text_.size());
  plain_.ends.reserve(text_.size());
  while (cursor_ < text_.size()) step();
  write_label();
  plain_.unclosed = plain_.unclosed || displays_ > 0 || environments_ > 0;
  return std::move(plain_);
}

void MarkupReader::step() {
  switch (at(0)) {
    case '\n':
    case '\r':
      throw_if_cancelled();
      return end_line();
    case '#':
      return comment();
    case '{':
    case '}':
      return brace();
    case '\\':
      if (command()) return;
      break;
    case '$':
      if (dollar()) return;
      break;
    case '`':
      if (fence() || backtick()) return;
      break;
    case '*':
      if (star()) return;
      break;
    case '<':
      if (tag()) return;
      break;
    case '&':
      if (!entity()) cell();
      return;
    case '~':
      if (tie()) return;
      break;
    case '"':
      if (quoted()) return;
      break;
    case '^':
      if (raised_primes()) return;
      break;
    default:
      if (looking_at("∂") && derivative(3)) return;
  }
  copy(1);
}

// A line from which only markup was removed leaves no empty line.
void MarkupReader::end_line() {
  const std::size_t length = looking_at("\r\n") ? 2 : 1;
  const std::string_view written = text_.substr(source_line_, cursor_ - source_line_);
  const bool empty = written.find_first_not_of(" \t") == std::string_view::npos;
  write_label();
  if (plain_line_blank() && !empty) {
    replace(length, " ");
  } else {
    copy(length);
    line_ = plain_.text.size();
  }
  source_line_ = cursor_;
  in_strong_ = false;
  in_ticks_ = false;
  remark_end_ = 0;
  while (!groups_.empty() && groups_.back().empty()) groups_.pop_back();
}

void MarkupReader::comment() {
  if (!label_.empty()) {
    write_label();
    return replace(1, ";");
  }
  copy(line_rest().size());
}

bool MarkupReader::quoted() {
  const std::size_t end = line_rest().find('"', 1);
  if (end == std::string_view::npos) return false;
  copy(end + 1);
  return true;
}

// The line "```python" or "```".
bool MarkupReader::fence() {
  const bool first = behind_blanks(source_line_) == cursor_;
  if (!first || !looking_at("```")) return false;
  skip(line_rest().size());
  return true;
}

bool MarkupReader::backtick() {
  const bool paired = line_rest().find('`', 1) != std::string_view::npos;
  if (!in_ticks_ && !paired) return false;
  in_ticks_ = !in_ticks_;
  skip(1);
  return true;
}

bool MarkupReader::dollar() {
  const int count = at(1) == '$' ? 2 : 1;
  const auto length = static_cast<std::size_t>(count);
  if (dollars_ == count) {
    drop_punctuation();
    dollars_ = 0;
    skip(length);
    return true;
  }
  if (dollars_ != 0) return false;
  if (count == 2) {
    last_double_dollar_ =
        last_double_dollar_ || text_.find("$$", cursor_ + 2) == std::string_view::npos;
    plain_.unclosed = plain_.unclosed || last_double_dollar_;
    if (last_double_dollar_) return false;
  } else if (!has_formula(line_rest().substr(1))) {
    return false;
  }
  dollars_ = count;
  skip(length);
  return true;
}

bool MarkupReader::star() {
  if (cursor_ == remark_end_ && cursor_ > 0) {
    skip(1);
    return true;
  }
  if (at(1) == '*' && strong()) return true;
  // No product begins or ends at a parenthesis.
  if (last() == '(' || at(1) == ')') {
    skip(1);
    return true;
  }
  return at(1) == '(' && remark_star();
}

// `**` before and after a word. Between two operands it is not emphasis.
bool MarkupReader::strong() {
  if (in_strong_ && !is_blank(last())) {
    in_strong_ = false;
    skip(2);
    return true;
  }
  const char before = cursor_ > 0 ? text_[cursor_ - 1] : '\n';
  const bool opens = !ends_operand(before) && !is_blank(at(2)) && !ends_line(at(2)) &&
                     line_rest().substr(0, kFarthest).find("**", 3) != std::string_view::npos;
  if (!opens) return false;
  in_strong_ = true;
  skip(2);
  return true;
}

// `*(can throw away Win[D, F] here)*` at the end of a line or before another remark.
bool MarkupReader::remark_star() {
  const char before = cursor_ > 0 ? text_[cursor_ - 1] : '\n';
  if (!is_blank(before)) return false;
  const std::string_view line = line_rest().substr(0, kFarthest);
  int depth = 0;
  for (std::size_t i = 1; i < line.size(); ++i) {
    depth += line[i] == '(' ? 1 : line[i] == ')' ? -1 : 0;
    if (depth > 0) continue;
    if (i + 1 >= line.size() || line[i + 1] != '*') return false;
    const std::size_t next = line.find_first_not_of(" \t", i + 2);
    const bool ends = next == std::string_view::npos || line[next] == '(' || line[next] == '.' ||
                      line.substr(next, 2) == "*(" || line[next] == '#';
    if (!ends) return false;
    remark_end_ = cursor_ + i + 1;
    skip(1);
    return true;
  }
  return false;
}

bool MarkupReader::tag() {
  std::size_t name = at(1) == '/' ? 2 : 1;
  const bool closes = name == 2;
  const std::string_view line = line_rest().substr(0, kFarthest);
  std::size_t end = name;
  while (end < line.size() && line[end] >= 'a' && line[end] <= 'z') ++end;
  const std::string_view word = line.substr(std::min(name, line.size()), end - name);
  if (word.empty() || end >= line.size()) return false;
  const std::size_t closer = line.find('>', end);
  if (closer == std::string_view::npos) return false;
  const std::string_view attributes = line.substr(end, closer - end);
  const bool plain = attributes.empty() || attributes == "/" || attributes == " /" ||
                     (is_blank(attributes[0]) && attributes.find('=') != std::string_view::npos &&
                      attributes.find_first_of("\"'") != std::string_view::npos);
  if (!plain) return false;
  const std::size_t length = closer + 1;
  if (word == "sub" || word == "sup") {
    const std::string_view opening = word == "sub" ? "_{" : "^(";
    replace(length, closes ? (word == "sub" ? "}" : ")") : opening);
    return true;
  }
  if (word == "br") {
    separate(length);
    return true;
  }
  if (std::find(std::begin(kTags), std::end(kTags), word) == std::end(kTags)) return false;
  skip(length);
  return true;
}

bool MarkupReader::entity() {
  for (const auto& [word, sign] : kEntities) {
    if (!looking_at(word)) continue;
    replace(word.size(), sign);
    return true;
  }
  return false;
}

// `~` is a blank in a formula.
bool MarkupReader::tie() {
  if (!in_math() || at(1) == '=') return false;
  replace(1, " ");
  return true;
}

// `^\prime`, `^{\prime\prime}`, `^{'}`: the long forms of `'` in LaTeX.
bool MarkupReader::raised_primes() {
  constexpr std::string_view kPrime = "\\prime";
  const bool braced = at(1) == '{';
  std::size_t length = braced ? 2 : 1;
  std::string primes;
  while (at(length) == '\'' || rest().substr(length, kPrime.size()) == kPrime) {
    length += at(length) == '\'' ? 1 : kPrime.size();
    primes += '\'';
    while (is_blank(at(length)) && braced) ++length;
  }
  if (primes.empty() || (braced && at(length) != '}')) return false;
  replace(braced ? length + 1 : length, primes);
  return true;
}

// In a formula braces hold a subscript, or an unreduced mark or a mesh whose braces were not escaped; all others are
// removed.
void MarkupReader::brace() {
  if (at(0) == '}') {
    const std::string_view closer = groups_.empty() ? "}" : groups_.back();
    if (!groups_.empty()) groups_.pop_back();
    replace(1, closer);
    if (closer == ")/(" && at(0) == '{') {
      groups_.emplace_back("))");
      skip(1);
    }
    return end_brace();
  }
  // A mesh is short; the limit keeps nested braces from taking quadratic time.
  const std::string_view inside = rest().substr(1, 200);
  const bool mesh = inside.substr(0, inside.find('}')).find(':') != std::string_view::npos;
  const char before = last_visible();
  if (in_math() && last() == '^') {
    groups_.emplace_back(")");
    return replace(1, "(");
  }
  const bool kept = !in_math() || last() == '_' || before == ']' || mesh;
  groups_.emplace_back(kept ? "}" : "");
  replace(1, kept ? "{" : "");
}

// ---------------------------------------------------------------- cursor and writing

std::string_view MarkupReader::line_rest() {
  if (line_end_ <= cursor_)
    line_end_ = std::min(text_.find_first_of("\r\n", cursor_), text_.size());
  return text_.substr(cursor_, line_end_ - cursor_);
}

std::size_t MarkupReader::behind_blanks(std::size_t place) const {
  while (place < text_.size() && is_blank(text_[place])) ++place;
  return place;
}

std::size_t MarkupReader::behind_group(std::size_t place) const {
  int depth = 0;
  for (; place < text_.size() && !ends_line(text_[place]); ++place) {
    depth += text_[place] == '{' ? 1 : text_[place] == '}' ? -1 : 0;
    if (depth == 0) return place + 1;
  }
  return place;
}

void MarkupReader::copy(std::size_t length) {
  for (std::size_t i = 0; i < length; ++i) {
    plain_.text += text_[cursor_];
    if (!is_blank(text_[cursor_])) visible_ = plain_.text.size();
    plain_.begins.push_back(static_cast<std::uint32_t>(cursor_));
    plain_.ends.push_back(static_cast<std::uint32_t>(++cursor_));
  }
}

void MarkupReader::replace(std::size_t length, std::string_view text) {
  write(text, cursor_, cursor_ + length);
  cursor_ += length;
}

void MarkupReader::write(std::string_view text, std::size_t begin, std::size_t end) {
  const std::size_t behind = text.find_last_not_of(" \t");
  if (behind != std::string_view::npos) visible_ = plain_.text.size() + behind + 1;
  plain_.text += text;
  plain_.begins.insert(plain_.begins.end(), text.size(), static_cast<std::uint32_t>(begin));
  plain_.ends.insert(plain_.ends.end(), text.size(), static_cast<std::uint32_t>(end));
}

void MarkupReader::separate(std::size_t length) {
  drop_punctuation();
  write_label();
  const bool blank = plain_line_blank();
  replace(length, blank ? " " : "\n");
  if (!blank) line_ = plain_.text.size();
}

void MarkupReader::drop_plain_line() {
  plain_.text.resize(line_);
  plain_.begins.resize(line_);
  plain_.ends.resize(line_);
  visible_ = line_;
}

// A formula within prose ends with the punctuation of its sentence.
void MarkupReader::drop_punctuation() {
  if (visible_ < line_ + 2) return;
  const char sign = last_visible();
  const char before = plain_.text[visible_ - 2];
  const bool ends = sign == ',' || sign == ';' || (sign == '.' && before != '.');
  if (ends) plain_.text[visible_ - 1] = ' ';
}

void MarkupReader::write_label() {
  if (label_.empty()) return;
  write("  # " + label_, cursor_, cursor_);
  label_.clear();
}

PlainText without_markup(std::string_view text) {
  const auto has = [&](const auto& mark) { return text.find(mark) != std::string_view::npos; };
  // Searching for one character is many times faster than searching for any of several.
  const bool marked = std::any_of(kMarks.begin(), kMarks.end(), has) ||
                      std::any_of(std::begin(kMarkWords), std::end(kMarkWords), has);
  if (marked) return MarkupReader(text).run();
  PlainText plain;
  plain.text = std::string(text);
  plain.file_size = static_cast<std::uint32_t>(text.size());
  return plain;
}

}  // namespace shard
