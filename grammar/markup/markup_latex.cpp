// LaTeX: formulas, the effect of their commands, environments.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/words.h"
#include "grammar/markup/latex_command.h"
#include "grammar/markup/markup.h"

namespace shard {
namespace {

// Characters that Markdown or LaTeX escapes with a backslash.
constexpr std::string_view kEscaped = "{}_*#|+.`<%&$~^'\"@=/";

bool ends_name(char c) { return is_letter(c) || is_digit(c) || c == '\'' || c == '}' || c == ']'; }

// Whether a table cell has only words: `MP + FSDP`.
bool is_label(std::string_view cell) {
  const bool word = std::any_of(cell.begin(), cell.end(), is_letter);
  return word && std::all_of(cell.begin(), cell.end(), [](char c) {
           return is_letter(c) || is_digit(c) ||
                  std::string_view(" \t+-,.()").find(c) != std::string_view::npos;
         });
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// The length of the sign of a derivative: `d`, `∂`, `\partial`, `\mathrm{d}`.
std::size_t derivative_sign(std::string_view text) {
  for (const std::string_view sign : {"\\partial", "\\mathrm{d}", "∂", "d"}) {
    if (text.substr(0, sign.size()) != sign) continue;
    const bool word =
        sign == "\\partial" && text.size() > sign.size() && is_letter(text[sign.size()]);
    if (!word) return sign.size();
  }
  return 0;
}

// The length of the name of the loss: `L`, `\mathcal{L}`.
std::size_t loss_name(std::string_view text) {
  for (const std::string_view name : {"L", "\\mathcal{L}", "\\ell", "\\text{L}"}) {
    if (text.substr(0, name.size()) == name) return name.size();
  }
  return 0;
}

// `expect c.fits`, which is not the label of a table row.
bool begins_with_command(std::string_view line) {
  constexpr std::string_view kCommands[] = {"print ",  "expect ", "assert ", "if ",
                                            "return ", "elif ",   "else if "};
  const std::string_view text = trimmed(line);
  return std::any_of(std::begin(kCommands), std::end(kCommands),
                     [&](std::string_view word) { return text.starts_with(word); });
}

std::string_view skip_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

}  // namespace

bool MarkupReader::command() {
  if (is_letter(at(1))) {
    std::size_t length = 1;
    while (is_letter(at(length))) ++length;
    return named(rest().substr(1, length - 1), length);
  }
  return row_break() || math_delimiter() || escaped_sign();
}

// `\\`, `\\[10pt]`. In Markdown `\\{` is a doubly escaped brace.
bool MarkupReader::row_break() {
  if (at(1) != '\\') return false;
  if (at(2) == '{' || at(2) == '}') {
    replace(3, rest().substr(2, 1));
    return true;
  }
  std::size_t length = at(2) == '*' ? 3 : 2;
  if (at(length) == '[' && (is_digit(at(length + 1)) || at(length + 1) == '-')) {
    const std::size_t closer = line_rest().find(']', length);
    if (closer != std::string_view::npos) length = closer + 1;
  }
  // The head of a table.
  if (!label_.empty() && is_label(plain_line())) {
    label_ += " " + std::string(trimmed(plain_line()));
    drop_plain_line();
    write_label();
    replace(length, "\n");
    line_ = plain_.text.size();
    return true;
  }
  separate(length);
  return true;
}

// `\[` and `\(` begin a formula, or are brackets that Markdown escaped: directly after a name, or around dimensions.
bool MarkupReader::math_delimiter() {
  const char sign = at(1);
  if (sign == '[' || sign == '(') {
    // A list of dimensions is short; the limit keeps a line full of brackets from taking quadratic time.
    const std::string_view inside = line_rest().substr(2, 200);
    const std::string_view list = inside.substr(0, inside.find("\\]"));
    const bool dimensions = sign == '[' && list.size() < inside.size() &&
                            list.find(',') != std::string_view::npos &&
                            list.find_first_of("[=→·*\\") == std::string_view::npos &&
                            list.find("->") == std::string_view::npos;
    const bool bracket = dimensions || ends_name(last());
    escaped_brackets_.push_back(bracket);
    if (bracket) {
      replace(2, rest().substr(1, 1));
    } else {
      ++displays_;
      skip(2);
    }
    return true;
  }
  if (sign != ']' && sign != ')') return false;
  const bool bracket = !escaped_brackets_.empty() && escaped_brackets_.back();
  if (escaped_brackets_.empty()) {
    skip(2);
    return true;
  }
  escaped_brackets_.pop_back();
  if (bracket) {
    replace(2, rest().substr(1, 1));
    return true;
  }
  --displays_;
  drop_punctuation();
  skip(2);
  return true;
}

bool MarkupReader::escaped_sign() {
  const char sign = at(1);
  if (std::string_view(" ,;:\t").find(sign) != std::string_view::npos && sign != '\0') {
    replace(2, " ");
    return true;
  }
  if (sign == '!') {
    skip(2);
    return true;
  }
  if (sign == '\n' || sign == '\r') {
    skip(1);
    return true;
  }
  if (sign == '-' || (sign == '>' && last() == '-')) {
    replace(2, sign == '-' ? "-" : ">");
    return true;
  }
  if (sign == '>') {
    replace(2, " ");
    return true;
  }
  if (sign == '\0' || kEscaped.find(sign) == std::string_view::npos) return false;
  replace(2, rest().substr(1, 1));
  return true;
}

bool MarkupReader::named(std::string_view name, std::size_t length) {
  if (name == "begin" || name == "end") {
    skip(length);
    environment(name == "begin");
    return true;
  }
  if (name == "partial") {
    if (!derivative(length)) replace(length, "∂");
    return true;
  }
  if (name == "frac" || name == "dfrac" || name == "tfrac") {
    if (derivative_fraction(length)) return true;
    if (at(length) != '{') return false;
    // In parentheses of its own, so that a `/` before it and a `^` after it see one number.
    replace(length + 1, "((");
    groups_.emplace_back(")/(");
    return true;
  }
  if (name == "sqrt" && at(length) == '{') {
    replace(length + 1, "sqrt(");
    groups_.emplace_back(")");
    return true;
  }
  if (name == "newline" || name == "cr") {
    separate(length);
    return true;
  }
  if (name == "overbrace" || name == "underbrace") {
    skip(length);
    if (at(0) == '{') labelled_.push_back(behind_group(cursor_));
    wrapper();
    return true;
  }
  if (name == "overset" || name == "underset" || name == "stackrel") return stacked(length);
  return known_word(name, length);
}

// `\overset{\text{def}}{=}`, `\underset{\text{weights}}{A[I_X, J]}`: what stands above or below a sign or an array is no part of it.
// What stands below a word, `\underset{i}{\max}`, says what it does.
bool MarkupReader::stacked(std::size_t length) {
  if (at(length) != '{') return false;
  const std::size_t base = behind_group(cursor_ + length);
  if (base >= text_.size() || text_[base] != '{') return false;
  const std::string_view inside = text_.substr(base + 1, behind_group(base) - base - 2);
  const bool name = std::all_of(inside.begin(), inside.end(), is_letter);
  constexpr std::string_view kSigns[] = {"=",     ":=", "\\to", "\\rightarrow", "\\longrightarrow",
                                         "\\cdot"};
  const bool sign = std::any_of(std::begin(kSigns), std::end(kSigns),
                                [&](std::string_view one) { return trimmed(inside) == one; });
  if (!name && !sign && inside.find('[') == std::string_view::npos) return false;
  skip(length);
  arguments(1);
  wrapper();
  return true;
}

bool MarkupReader::known_word(std::string_view name, std::size_t length) {
  const auto command = latex_command(name);
  if (!command) return false;
  switch (command->kind) {
    case LatexCommand::Kind::Text:
      replace(length, command->text);
      if (command->text == "→") skip_label();
      break;
    case LatexCommand::Kind::Wrapper:
      skip(length + (at(length) == '*' ? 1 : 0));
      wrapper();
      break;
    case LatexCommand::Kind::Accent:
      skip(length);
      if (!accent(command->text)) wrapper();
      break;
    case LatexCommand::Kind::Switch:
      skip(length);
      if ((name == "left" || name == "right") && at(0) == '.') skip(1);
      if (is_letter(at(0)) || at(0) == ' ') cursor_ = behind_blanks(cursor_);
      break;
    case LatexCommand::Kind::Aside:
      skip(length);
      arguments(command->arguments);
      if (at(0) == '{') wrapper();
      break;
  }
  return true;
}

// After a command that changes the look of its argument. An argument that is a subscript keeps its braces.
void MarkupReader::wrapper() {
  const std::size_t begin = behind_blanks(cursor_);
  if (begin < text_.size() && text_[begin] == '{') {
    cursor_ = begin;
    const bool subscript = last() == '_';
    groups_.emplace_back(subscript ? "}" : "");
    replace(1, subscript ? "{" : "");
  } else {
    cursor_ = begin;
  }
}

// `\hat{m}`, `\hat m`, `\hat{\beta}`: behind a single name the mark is put. False for anything else, as `\overline{A · B}`.
bool MarkupReader::accent(std::string_view mark) {
  std::string_view next = text_.substr(behind_blanks(cursor_));
  const bool braced = next.substr(0, 1) == "{";
  if (braced) next = skip_blanks(next.substr(1));
  const bool is_command = next.substr(0, 1) == "\\";
  if (is_command) next = next.substr(1);
  const auto* end = std::find_if_not(next.begin(), next.end(), [&](char c) {
    return is_letter(c) || (braced && !is_command && is_digit(c));
  });
  auto length = static_cast<std::size_t>(end - next.begin());
  if (!braced && !is_command) length = std::min<std::size_t>(length, 1);
  std::string_view name = next.substr(0, length);
  next = next.substr(length);
  if (is_command) {
    const auto letter = latex_command(name);
    name = letter && letter->kind == LatexCommand::Kind::Text ? letter->text : std::string_view();
  }
  if (braced) next = skip_blanks(next);
  if (name.empty() || !is_letter(name.front()) || (braced && next.substr(0, 1) != "}"))
    return false;
  if (braced) next = next.substr(1);
  replace(static_cast<std::size_t>(next.data() - rest().data()), fmt::format("{}{}", name, mark));
  return true;
}

void MarkupReader::arguments(int count) {
  if (at(0) == '*') skip(1);
  for (; count > 0 && at(0) == '{'; --count) cursor_ = behind_group(cursor_);
}

void MarkupReader::environment(bool begins) {
  if (at(0) != '{') return;
  const std::size_t end = behind_group(cursor_);
  const std::string_view name = text_.substr(cursor_ + 1, end - cursor_ - 2);
  const bool table = name.substr(0, 5) == "array" || name.substr(0, 7) == "tabular";
  separate(end - cursor_);
  environments_ = std::max(0, environments_ + (begins ? 1 : -1));
  if (!begins || !table) return;
  if (at(0) == '[') skip(std::min(line_rest().find(']'), line_rest().size() - 1) + 1);
  if (at(0) == '{') cursor_ = behind_group(cursor_);
}

// `\partial L / \partial W`: one name, the derivative of the loss.
bool MarkupReader::derivative(std::size_t sign_length) {
  std::string_view next = skip_blanks(line_rest().substr(sign_length));
  const std::size_t loss = loss_name(next);
  if (loss == 0) return false;
  next = skip_blanks(next.substr(loss));
  if (next.substr(0, 1) != "/") return false;
  next = skip_blanks(next.substr(1));
  const std::size_t sign = derivative_sign(next);
  if (sign == 0) return false;
  next = skip_blanks(next.substr(sign));
  if (next.empty() || (!is_letter(next[0]) && next[0] != '\\')) return false;
  replace(static_cast<std::size_t>(next.data() - rest().data()), "dL/d");
  return true;
}

// `\frac{dL}{dA}`, `\frac{\partial L}{\partial W}`.
bool MarkupReader::derivative_fraction(std::size_t length) {
  std::string_view next = line_rest().substr(length);
  if (next.substr(0, 1) != "{") return false;
  next = skip_blanks(next.substr(1));
  const std::size_t sign = derivative_sign(next);
  if (sign == 0) return false;
  next = skip_blanks(next.substr(sign));
  const std::size_t loss = loss_name(next);
  if (loss == 0) return false;
  next = skip_blanks(next.substr(loss));
  if (next.substr(0, 2) != "}{") return false;
  next = skip_blanks(next.substr(2));
  const std::size_t below = derivative_sign(next);
  if (below == 0) return false;
  next = skip_blanks(next.substr(below));
  replace(static_cast<std::size_t>(next.data() - rest().data()), "dL/d");
  groups_.emplace_back("");
  return true;
}

// `&`: an alignment point, or the border of a cell, the first of which is a label. Outside of markup, `&&` and an `&`
// between the conditions of a command belong to other languages; the parser answers those.
void MarkupReader::cell() {
  if (environments_ == 0 && !in_math()) {
    if (at(1) == '&') return copy(2);
    if (begins_with_command(plain_line())) return copy(1);
  }
  const std::string_view next = skip_blanks(line_rest().substr(1));
  constexpr std::string_view kRelations[] = {
      "=", "→",        "->", "\\rightarrow", "\\to", "\\cdot", "·", "*", "\\longrightarrow",
      ":", "\\approx", "≈",  "\\le",         "\\ge", "\\quad"};
  const bool relation = next.empty() || std::any_of(std::begin(kRelations), std::end(kRelations),
                                                    [&](std::string_view sign) {
                                                      return next.substr(0, sign.size()) == sign;
                                                    });
  const std::string_view before =
      plain_line_blank() ? std::string_view() : trimmed(plain_line().substr(0, visible_ - line_));
  const bool open = before.empty() || before.back() == '=' || before.back() == '>' ||
                    before.back() == '*' || before.back() == ',' || before.back() == ':' ||
                    (before.size() >= 3 && before.substr(before.size() - 3) == "→") ||
                    (before.size() >= 2 && before.substr(before.size() - 2) == "·");
  if (relation || open) return replace(1, " ");
  if (!label_.empty() || !is_label(before)) return copy(1);
  label_ = std::string(before);
  drop_plain_line();
  skip(1);
}

// Behind a `}`: that of `\overbrace{A[I_X, J]}^{\text{weights}}` has a label.
void MarkupReader::end_brace() {
  if (labelled_.empty() || labelled_.back() != cursor_) return;
  labelled_.pop_back();
  skip_label();
}

// The text below or above an arrow or a brace.
void MarkupReader::skip_label() {
  while (at(0) == '_' || at(0) == '^') {
    skip(1);
    if (at(0) == '\\') {
      skip(1);
      while (is_letter(at(0))) skip(1);
    }
    if (at(0) == '{') {
      cursor_ = behind_group(cursor_);
    } else if (is_letter(at(0))) {
      skip(1);
    }
  }
}

}  // namespace shard
