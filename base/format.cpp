#include "base/format.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace shard {
namespace {

// Its sign says nothing, and hangs on the machine.
constexpr const char* kNotANumber = "nan";

struct Scale {
  double factor;
  std::string_view name;
};

// Largest first, as `choose_scale` searches. Above the last prefix, `format_significant` writes an exponent.
constexpr std::array<Scale, 9> kDecimalPrefixes{{{1e24, "Y"},
                                                 {1e21, "Z"},
                                                 {1e18, "E"},
                                                 {1e15, "P"},
                                                 {1e12, "T"},
                                                 {1e9, "G"},
                                                 {1e6, "M"},
                                                 {1e3, "k"},
                                                 {1, ""}}};
constexpr std::array<Scale, 5> kTimes{
    {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}, {1e-12, "ps"}}};

// The value as its 4 significant digits read. Unit and notation are chosen from it, so that 999.99 kB becomes 1.000 MB,
// not 1000 kB.
double round_to_digits(double value) {
  return std::strtod(fmt::format("{:.3e}", value).c_str(), nullptr);
}

// The largest scale not above the value, or the smallest scale.
template <std::size_t N>
Scale choose_scale(const std::array<Scale, N>& scales, double value) {
  const double rounded = std::abs(round_to_digits(value));
  for (const Scale& scale : scales) {
    if (rounded >= scale.factor) return scale;
  }
  return scales.back();
}

// "23.30": four digits, padded with zeros. For 1e-4 <= |value| < 1e4 after rounding.
std::string fixed_digits(double value) {
  const double size = std::abs(round_to_digits(value));
  const int before_point = size == 0 ? 1 : static_cast<int>(std::floor(std::log10(size))) + 1;
  return fmt::format("{:.{}f}", value, std::max(0, 4 - before_point));
}

// Below 1e15 a double holds every integer exactly; above, printing all digits would claim precision that is not there.
bool is_whole(double value) { return std::abs(value) < 1e15 && std::trunc(value) == value; }

// A count with a decimal prefix; whole counts below 1000 print exactly.
std::string format_count(double value, std::string_view unit) {
  if (!std::isfinite(value)) return fmt::format("{} {}", value, unit);
  if (is_whole(value) && std::abs(value) < 1000)
    return fmt::format("{} {}", static_cast<int>(value), unit);
  const Scale scale = choose_scale(kDecimalPrefixes, value);
  return fmt::format("{} {}{}", format_significant(value / scale.factor), scale.name, unit);
}

bool continues_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::string blanks_for(std::string_view text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(used < width ? width - used : 0, ' ');
}

}  // namespace

std::string format_bytes(double bytes) { return format_count(bytes, "B"); }

std::string format_seconds(double seconds) {
  if (seconds == 0) return "0 s";
  if (!std::isfinite(seconds)) return fmt::format("{} s", seconds);
  const Scale scale = choose_scale(kTimes, seconds);
  return fmt::format("{} {}", format_significant(seconds / scale.factor), scale.name);
}

std::string format_flops(double flops) { return format_count(flops, "FLOPs"); }

std::string format_flops_per_second(double rate) { return format_count(rate, "FLOP/s"); }

std::string format_number(double value) {
  if (std::isnan(value)) return kNotANumber;
  if (is_whole(value)) return format_integer(static_cast<std::int64_t>(value));
  return fmt::format("{:.4g}", value);
}

std::string format_integer(Rational::Integer value) {
  std::string text = Rational::fraction(value, 1).to_string();
  const std::size_t first_digit = value < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first_digit + 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

std::string format_significant(double value) {
  if (value == 0) return "0";
  if (std::isnan(value)) return kNotANumber;
  if (!std::isfinite(value)) return fmt::format("{}", value);
  const double size = std::abs(round_to_digits(value));
  if (size >= 1e-4 && size < 1e4) return fixed_digits(value);
  return fmt::format("{:.3e}", value);
}

std::size_t display_width(std::string_view text) {
  // Bytes that continue a character begin with the bits 10. They are counted eight at a time.
  constexpr std::uint64_t kEach = 0x0101010101010101;
  std::size_t width = text.size();
  std::size_t i = 0;
  for (std::uint64_t word = 0; i + sizeof word <= text.size(); i += sizeof word) {
    std::memcpy(&word, text.data() + i, sizeof word);
    const std::uint64_t continuing = word >> 7 & ~(word >> 6) & kEach;
    if (continuing != 0) width -= static_cast<std::size_t>(std::popcount(continuing));
  }
  for (; i < text.size(); ++i) width -= continues_code_point(text[i]) ? 1 : 0;
  return width;
}

std::size_t coloured_width(std::string_view text) {
  std::size_t width = display_width(text);
  for (std::size_t at = text.find("\033["); at != std::string_view::npos;) {
    const std::size_t end = text.find('m', at);
    if (end == std::string_view::npos) break;
    width -= end + 1 - at;
    at = text.find("\033[", end);
  }
  return width;
}

std::string_view first_bytes(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && continues_code_point(text[most])) --most;
  return text.substr(0, most);
}

std::string_view first_columns(std::string_view text, std::size_t most) {
  std::size_t end = 0;
  for (std::size_t columns = 0; end < text.size(); ++end) {
    if (!continues_code_point(text[end]) && ++columns > most) break;
  }
  return text.substr(0, end);
}

std::string pad_right(std::string_view text, std::size_t width) {
  return std::string(text) + blanks_for(text, width);
}

std::string pad_left(std::string_view text, std::size_t width) {
  return blanks_for(text, width) + std::string(text);
}

}  // namespace shard
