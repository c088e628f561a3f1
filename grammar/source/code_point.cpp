#include "grammar/source/code_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace shard {

namespace {

struct CodeRange {
  char32_t first;
  char32_t last;
};

// Unicode's category Zs.
constexpr CodeRange kWideBlanks[] = {{0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
                                     {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}};

constexpr CodeRange kNoWidth[] = {
    {0xAD, 0xAD}, {0x200B, 0x200F}, {0x2060, 0x2060}, {0xFEFF, 0xFEFF}};

constexpr CodeRange kUnseen[] = {{0x80, 0x9F},         // controls
                                 {0x034F, 0x034F},     // combining grapheme joiner
                                 {0x061C, 0x061C},     // Arabic direction mark
                                 {0x115F, 0x1160},     // Hangul fillers
                                 {0x17B4, 0x17B5},     // Khmer vowels that are not written
                                 {0x180B, 0x180F},     // Mongolian selectors
                                 {0x2028, 0x202E},     // line and paragraph separators, directions
                                 {0x2061, 0x206F},     // invisible operators, directions
                                 {0x2800, 0x2800},     // blank Braille pattern
                                 {0x3164, 0x3164},     // Hangul filler
                                 {0xFE00, 0xFE0F},     // variation selectors
                                 {0xFFA0, 0xFFA0},     // Hangul filler
                                 {0xFFF0, 0xFFFB},     // annotations
                                 {0xE0000, 0xE0FFF}};  // tags, variation selectors

template <std::size_t size>
bool is_in(const CodeRange (&ranges)[size], char32_t code) {
  return std::any_of(std::begin(ranges), std::end(ranges), [&](const CodeRange& range) {
    return code >= range.first && code <= range.last;
  });
}

}  // namespace

std::size_t code_point_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : byte(0) >= 0xC0 ? 2 : 1;
  if (text.size() < length) return 1;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 1;
  }
  return length;
}

char32_t first_code_point(std::string_view text) {
  if (text.empty()) return 0;
  const std::size_t length = code_point_length(text);
  if (length == 1) return 0;
  char32_t code = static_cast<unsigned char>(text[0]) & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i)
    code = code << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
  return code;
}

bool is_wide_blank(char32_t code) { return is_in(kWideBlanks, code); }
bool has_no_width(char32_t code) { return is_in(kNoWidth, code); }
bool is_unseen(char32_t code) { return has_no_width(code) || is_in(kUnseen, code); }

std::size_t no_width_length(std::string_view text) {
  std::size_t length = 0;
  while (has_no_width(first_code_point(text.substr(length))))
    length += code_point_length(text.substr(length));
  return length;
}

std::string named_code_point(std::string_view text) {
  const char32_t code = first_code_point(text);
  std::string number = fmt::format("U+{:04X}", static_cast<std::uint32_t>(code));
  if (is_unseen(code)) return number;
  return fmt::format("`{}` ({})", text.substr(0, code_point_length(text)), number);
}

}  // namespace shard
