#include "grammar/source/visible.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "grammar/source/code_point.h"

namespace shard {

namespace {

struct Character {
  char32_t code = 0;
  std::size_t length = 1;
  bool is_valid = false;  // if not, it is a single byte
};

// Terminals accept overlong encodings, of an escape for example, as the character they encode. Here they are invalid.
bool is_shortest(char32_t code, std::size_t length) {
  constexpr char32_t kFirst[] = {0, 0, 0x80, 0x800, 0x10000};
  constexpr char32_t kFirstHalf = 0xD800;  // surrogates, which UTF-8 does not encode
  constexpr char32_t kLastHalf = 0xDFFF;
  constexpr char32_t kLast = 0x10FFFF;
  return code >= kFirst[length] && code <= kLast && (code < kFirstHalf || code > kLastHalf);
}

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1, true};
  const std::size_t length = byte(0) >= 0xF8   ? 0
                             : byte(0) >= 0xF0 ? 4
                             : byte(0) >= 0xE0 ? 3
                             : byte(0) >= 0xC0 ? 2
                                               : 0;
  if (length == 0 || text.size() < length) return {byte(0)};
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {byte(0)};
  }
  const char32_t code = first_code_point(text);
  if (!is_shortest(code, length)) return {byte(0)};
  return {code, length, true};
}

bool is_visible(const Character& character) {
  constexpr char32_t kText = 0xFE0E;  // selects how the character before it is drawn
  constexpr char32_t kEmoji = 0xFE0F;
  constexpr char32_t kDelete = 0x7F;
  const char32_t code = character.code;
  if (!character.is_valid || code < 0x20 || code == kDelete) return false;
  return code == kText || code == kEmoji || !is_unseen(code);
}

std::string escaped(const Character& character) {
  return fmt::format("\\{}{{{:x}}}", character.is_valid ? 'u' : 'x',
                     static_cast<std::uint32_t>(character.code));
}

std::string escaped_in_json(const Character& character) {
  const auto code = static_cast<std::uint32_t>(character.code);
  constexpr std::uint32_t kPairs = 0x10000;
  if (code < kPairs) return fmt::format("\\u{:04x}", code);
  const std::uint32_t rest = code - kPairs;
  return fmt::format("\\u{:04x}\\u{:04x}", 0xD800U + (rest >> 10U), 0xDC00U + (rest & 0x3FFU));
}

// Printable ASCII, which is in every text.
bool is_letter_or_sign(char c) { return c >= ' ' && c <= '~'; }

// Where the stretch of printable ASCII that begins at `begin` ends.
std::size_t end_of_plain(std::string_view text, std::size_t begin) {
  // Eight bytes at a time. The highest bit of one is set in the difference if a byte is a control, in the word if one is
  // not ASCII, and in the sum if one is a delete.
  constexpr std::uint64_t kEach = 0x0101010101010101;
  std::size_t end = begin;
  for (std::uint64_t word = 0; end + sizeof word <= text.size(); end += sizeof word) {
    std::memcpy(&word, text.data() + end, sizeof word);
    if ((((word - kEach * ' ') | word | (word + kEach)) & kEach * 0x80) != 0) break;
  }
  while (end < text.size() && is_letter_or_sign(text[end])) ++end;
  return end;
}

// The text with everything that `stays` rejects rewritten by `write`. Most text has no such character, so long
// stretches are copied at once.
template <class Stays, class Write>
std::string rewritten(std::string_view text, const Stays& stays, const Write& write) {
  std::string out;
  out.reserve(text.size());
  std::size_t copied = 0;
  std::string_view
      stayed;  // the character that was looked at last and stays: notation repeats a few signs
  for (std::size_t i = end_of_plain(text, 0); i < text.size(); i = end_of_plain(text, i)) {
    if (!stayed.empty() && text.substr(i).starts_with(stayed)) {
      i += stayed.size();
      continue;
    }
    const Character character = first_character(text.substr(i));
    if (stays(character)) {
      stayed = text.substr(i, character.length);
    } else {
      out.append(text, copied, i - copied);
      out += write(character);
      copied = i + character.length;
    }
    i += character.length;
  }
  out.append(text, copied);
  return out;
}

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return is_letter_or_sign(c) || c == '\n' || c == '\t'; });
}

bool may_stand_in_text(const Character& character) {
  return character.code == '\n' || character.code == '\t' || is_visible(character);
}

}  // namespace

std::string visible_line(std::string_view text) { return rewritten(text, is_visible, escaped); }

std::string visible_text(std::string text) {
  if (!is_plain(text)) text = rewritten(text, may_stand_in_text, escaped);
  return text;
}

std::string visible_json(std::string json) {
  if (!is_plain(json)) json = rewritten(json, may_stand_in_text, escaped_in_json);
  return json;
}

std::vector<std::string> visible_columns(std::string_view line) {
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < line.size();) {
    const Character character = first_character(line.substr(i));
    if (character.code == '\t' || is_wide_blank(character.code)) {
      columns.emplace_back(" ");
    } else if (is_visible(character)) {
      columns.emplace_back(line.substr(i, character.length));
    } else {
      for (const char c : escaped(character)) columns.emplace_back(1, c);
    }
    i += character.length;
  }
  return columns;
}

}  // namespace shard
