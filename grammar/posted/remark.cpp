#include "grammar/posted/remark.h"

#include <algorithm>
#include <iterator>

#include "base/words.h"
#include "grammar/source/code_point.h"
#include "grammar/source/left_arrow.h"
#include "grammar/source/look_alike.h"

namespace shard {
namespace {

bool is_ascii_byte(char c) { return static_cast<unsigned char>(c) < 0x80; }

std::string_view trimmed_gap(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

bool points_to_left(char32_t code) { return code == U'←' || code == U'⟵'; }

// What is not ASCII and part of no name and no formula: Latin letters with a mark belong to words as those of ASCII do,
// signs of operations and raised letters to formulas.
bool begins_other_script(std::string_view text) {
  const char32_t code = first_code_point(text);
  constexpr char32_t kBehindLatin = 0x250;
  const bool raised = (code >= 0x1D00 && code < 0x1DC0) || (code >= 0x2070 && code < 0x20A0);
  const bool wide = code >= 0xFF01 && code <= 0xFF5E;
  const bool long_arrow = code >= 0x27F0 && code < 0x2800;
  const bool operation = ((code >= 0x2190 && code < 0x2300) || long_arrow) && !points_to_left(code);
  return code >= kBehindLatin && !raised && !wide && !operation && code != U'…' && code != U'•';
}

std::size_t last_character(std::string_view text) {
  std::size_t last = text.size() - 1;
  while (last > 0 && (static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;
  return last;
}

bool ends_other_script(std::string_view text) {
  const std::string_view last = text.substr(last_character(text));
  return begins_other_script(last) && !points_to_left(first_code_point(last));
}

// A Latin letter with a mark, or one of ASCII.
bool begins_latin_word(std::string_view text) {
  const char32_t code = first_code_point(text);
  return is_letter(text.front()) || (code >= 0xC0 && code < 0x250 && code != 0xD7 && code != 0xF7);
}

constexpr std::string_view kArrow = "→";

std::string_view behind_arrow(std::string_view text) {
  for (const std::string_view sign : {kArrow, std::string_view("->"), std::string_view("=")}) {
    if (text.starts_with(sign)) return trimmed_gap(text.substr(sign.size()));
  }
  return {};
}

std::string_view before_arrow(std::string_view text) {
  for (const std::string_view sign : {kArrow, std::string_view("->"), std::string_view("=")}) {
    if (text.ends_with(sign)) return trimmed_gap(text.substr(0, text.size() - sign.size()));
  }
  return {};
}

// `C[I] <-`, `C[I] :=`: what stands before such a sign is no remark, but where the value goes.
bool ends_with_assignment(std::string_view text) {
  return text.ends_with(":=") || text.ends_with("=:") ||
         std::any_of(std::begin(kLeftArrows), std::end(kLeftArrows),
                     [&](std::string_view sign) { return text.ends_with(sign); });
}

}  // namespace

std::size_t words_in(std::string_view text) {
  std::size_t words = 0;
  bool inside = false;
  bool apart = true;
  for (const char c : text) {
    const bool letter = is_letter(c) || !is_ascii_byte(c) || (inside && (c == '\'' || is_digit(c)));
    const bool blank = c == ' ' || c == '\t' || c == kDelimiter;
    if (letter && !inside && apart) ++words;
    inside = letter;
    apart = blank || c == '(' || c == '"';
  }
  return words;
}

bool holds_operator(std::string_view text) {
  for (const std::string_view sign : {"=", "->", "→", "·", "*", "<", "+"}) {
    if (text.find(sign) != std::string_view::npos) return true;
  }
  return false;
}

bool holds_notation(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool quoted = i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\'');
    if (text[i] == '[' && i > 0 && (is_name_character(text[i - 1]) || text[i - 1] == ']') &&
        !quoted)
      return true;
  }
  for (const std::string_view piece : {"{U", "//", "/*"}) {
    if (text.find(piece) != std::string_view::npos) return true;
  }
  return false;
}

// `⟹ A[I_X] → A[I]`, `§ A[I_X] → A[I]`: it follows from the text above, or begins a part of it.
bool is_mark_of_line(std::string_view gap) {
  constexpr std::string_view kMarks[] = {"→", "⟶", "⇒", "=>", "⟹", "==>", "➜",
                                         "➔", "➤", "∴", "…",  "§", "»",   "›"};
  const std::string_view text = trimmed_gap(gap);
  return std::find(std::begin(kMarks), std::end(kMarks), text) != std::end(kMarks);
}

bool parts_before(std::string_view gap, bool prose) {
  const std::string_view text = trimmed_gap(gap);
  if (text.empty()) return true;
  if (ends_with_assignment(text)) return false;
  const bool glued = text.data() + text.size() == gap.data() + gap.size();
  // A letter that looks like one of the notation is meant to be one.
  if (glued && look_alike(text.substr(last_character(text)))) return false;
  if (const std::string_view words = before_arrow(text); !words.empty())
    return ends_other_script(words);
  if (text.ends_with(kArrow)) return false;
  if (ends_other_script(text)) return true;
  // A sentence of another script, with its comma: `首先，`.
  for (const std::string_view comma : {",", "，", "：", "；"}) {
    if (text.size() > comma.size() && text.ends_with(comma) &&
        ends_other_script(text.substr(0, text.size() - comma.size())))
      return true;
  }
  // `1.2`, and the box of a list: `[x]`.
  if (text.find_first_not_of("0123456789. ") == std::string_view::npos) return true;
  if (text.size() == 3 && text.front() == '[' && text.back() == ']') return true;
  // `【注】`, which is read as `[注]`.
  if (text.size() > 3 && text.front() == '[' && text.back() == ']' &&
      begins_other_script(text.substr(1)))
    return true;
  if (text.ends_with("«")) return true;
  // A parenthesis behind a name begins arguments.
  if (text.back() == '(') return text.size() == 1 || text[text.size() - 2] == ' ';
  // A quotation begins with `> `; behind a sign it is an arrow.
  if (text.back() == '>') return text.find_first_not_of("> ") == std::string_view::npos;
  constexpr std::string_view kParting = ":|-\"'.!?)&\x01";
  if (kParting.find(text.back()) != std::string_view::npos) return true;
  return prose && (text.back() == ',' || begins_latin_word(text.substr(last_character(text))));
}

namespace {

// A word that is no name of a list: `A, B`, `A, foo`.
bool has_long_word(std::string_view text) {
  constexpr std::size_t kLongestName = 4;
  std::size_t length = 0;
  for (const char c : text) {
    length = c >= 'a' && c <= 'z' ? length + 1 : 0;
    if (length > kLongestName) return true;
  }
  return false;
}

// `← sum_J(A)`, `← A + 1`, `← A`: what stands behind an arrow to the left is computed, and no sentence.
bool states_value(std::string_view words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == '(' && is_name_character(words[i - 1])) return true;
  }
  const bool is_name = std::all_of(words.begin(), words.end(), is_name_character);
  return holds_operator(words) || (is_name && !has_long_word(words));
}

std::string_view behind_left_arrow(std::string_view text) {
  for (const std::string_view arrow : kLeftArrows) {
    if (text.starts_with(arrow)) return trimmed_gap(text.substr(arrow.size()));
  }
  return {};
}

}  // namespace

bool parts_behind(std::string_view gap, bool prose) {
  const std::string_view text = trimmed_gap(gap);
  if (text.empty()) return true;
  const bool glued = text.data() == gap.data();
  const bool column = gap.starts_with("  ") || gap.starts_with("\t");
  if (column && begins_latin_word(text) && words_in(text) > 1) return true;
  if (const std::string_view words = behind_arrow(text); !words.empty())
    return begins_other_script(words) ||
           (words_in(words) > 2 && words.find_first_of("[_") == std::string_view::npos);
  if (const std::string_view value = behind_left_arrow(text); !value.empty() && states_value(value))
    return false;
  if (begins_other_script(text) || text.starts_with("»")) return true;
  const bool ends = text.size() == 1 || text[1] == ' ';
  switch (text.front()) {
    case '(':
      return !glued;
    case '.':
      return ends;
    case ':':
    case ';': {
      const std::string_view behind = trimmed_gap(text.substr(1));
      return behind.empty() || words_in(behind) > 1 || begins_other_script(behind);
    }
    case '-':
      return !glued && (ends || text.starts_with("-- "));
    case kDelimiter:
    case '|':
    case '!':
    case '?':
    case ')':
    case '"':
    case '\'':
    case '&':
      return true;
    case ',': {
      const std::string_view behind = trimmed_gap(text.substr(1));
      return prose || behind.empty() || begins_other_script(behind) || has_long_word(behind);
    }
    default:
      return prose && begins_latin_word(text);
  }
}

}  // namespace shard
