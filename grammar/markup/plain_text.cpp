#include "grammar/markup/plain_text.h"

#include <fmt/format.h>

#include <string_view>

#include "base/cancellation.h"

namespace shard {
namespace {

// Bytes. A longer line is data, not a script; docs/language.md states that limit. Offsets in a text have 32 bits.
constexpr std::size_t kLongestLine = 1'000'000;
constexpr std::size_t kLargestFile = 1'000'000'000;

// The length of the UTF-8 sequence at `at`; 0 if it is invalid: truncated, overlong, a surrogate or out of range.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned lead = byte(at);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
  }
  const unsigned second = byte(at + 1);
  if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F)) return 0;
  if ((lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) return 0;
  return length;
}

bool is_control(char c) {
  const auto code = static_cast<unsigned char>(c);
  return (code < 0x20 && c != '\n' && c != '\r' && c != '\t') || code == 0x7F;
}

// What makes the text unreadable, and where.
struct Damage {
  std::size_t begin;
  std::size_t end;
  std::string message;
};

std::optional<Damage> find_damage(std::string_view text) {
  if (text.size() > kLargestFile) return Damage{0, 0, "the file is larger than 1 GB"};
  std::size_t line_begin = 0;
  for (std::size_t i = 0;;) {
    while (i < text.size() && text[i] >= ' ' && text[i] <= '~') ++i;
    const bool line_ends = i == text.size() || text[i] == '\n' || text[i] == '\r';
    // The bytes of the line so far, with the current character if it is part of the line.
    const std::size_t seen = line_ends ? i : i + 1;
    if (seen - line_begin > kLongestLine)
      return Damage{line_begin, line_begin, "the line is longer than 1,000,000 bytes"};
    if (i == text.size()) break;
    if (line_ends) {
      throw_if_cancelled();
      line_begin = ++i;
      continue;
    }
    const std::size_t length = sequence_length(text, i);
    const auto code = static_cast<unsigned char>(text[i]);
    if (length == 0)
      return Damage{i, i + 1, fmt::format("the text is not UTF-8: byte 0x{:02X}", code)};
    if (is_control(text[i])) {
      return Damage{i, i + 1, fmt::format("the text has a control character: byte 0x{:02X}", code)};
    }
    i += length;
  }
  return std::nullopt;
}

}  // namespace

Span PlainText::span_in_file(FileId file, std::size_t begin, std::size_t end) const {
  if (end > begin) return {file, begins[begin], ends[end - 1]};
  const std::uint32_t place = begin < begins.size() ? begins[begin] : file_size;
  return {file, place, place};
}

std::optional<PlainText> plain_text(const SourceMap& sources, FileId file, DiagnosticSink& sink) {
  const std::string_view text = sources.text(file);
  if (const auto damage = find_damage(text)) {
    const Span span{file, static_cast<std::uint32_t>(damage->begin),
                    static_cast<std::uint32_t>(damage->end)};
    sink.report({DiagnosticKind::InvalidText,
                 span,
                 damage->message,
                 {},
                 {"a script is UTF-8 text; nothing of this file was read"}});
    return std::nullopt;
  }
  return without_markup(text);
}

}  // namespace shard
