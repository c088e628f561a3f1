#include "base/unit.h"

#include <cstdlib>
#include <utility>
#include <vector>

namespace shard {
namespace {

struct Prefix {
  std::string_view text;
  std::int64_t factor;
};
// Two-letter prefixes first, so that "Ki" is not read as "K".
constexpr Prefix kPrefixes[] = {{"Ki", 1LL << 10},
                                {"Mi", 1LL << 20},
                                {"Gi", 1LL << 30},
                                {"Ti", 1LL << 40},
                                {"Pi", 1LL << 50},
                                {"k", 1000},
                                {"K", 1000},
                                {"M", 1'000'000},
                                {"G", 1'000'000'000},
                                {"T", 1'000'000'000'000},
                                {"P", 1'000'000'000'000'000},
                                {"", 1}};

bool is_byte_word(std::string_view word) {
  return word == "B" || word == "byte" || word == "bytes";
}
bool is_flop_word(std::string_view word) {
  return word == "FLOP" || word == "FLOPs" || word == "flop" || word == "flops";
}

std::optional<WrittenUnit> parse_seconds(std::string_view word) {
  if (word == "s") return WrittenUnit{kSeconds, 1};
  if (word == "ms") return WrittenUnit{kSeconds, Rational::fraction(1, 1000)};
  if (word == "us" || word == "µs" || word == "μs") {
    return WrittenUnit{kSeconds, Rational::fraction(1, 1'000'000)};
  }
  if (word == "ns") return WrittenUnit{kSeconds, Rational::fraction(1, 1'000'000'000)};
  if (word == "ps") return WrittenUnit{kSeconds, Rational::fraction(1, 1'000'000'000'000)};
  if (word == "fs") return WrittenUnit{kSeconds, Rational::fraction(1, 1'000'000'000'000'000)};
  return std::nullopt;
}

// A unit without a `/`.
std::optional<WrittenUnit> parse_simple(std::string_view word) {
  if (const auto seconds = parse_seconds(word)) return seconds;
  for (const Prefix& prefix : kPrefixes) {
    if (word.substr(0, prefix.text.size()) != prefix.text) continue;
    const std::string_view rest = word.substr(prefix.text.size());
    if (is_byte_word(rest)) return WrittenUnit{kBytes, prefix.factor};
    if (is_flop_word(rest)) return WrittenUnit{kFlops, prefix.factor};
  }
  return std::nullopt;
}

// The factors whose exponent has the given sign, as "B", "s^2", "B·s".
std::string product(const Unit& unit, bool positive) {
  const std::vector<std::pair<std::string, int>> factors = {
      {"FLOP", unit.flops}, {"B", unit.bytes}, {"s", unit.seconds}};
  std::string text;
  for (const auto& [name, exponent] : factors) {
    if (exponent == 0 || (exponent > 0) != positive) continue;
    if (!text.empty()) text += "·";
    text += name;
    if (std::abs(exponent) > 1) text += "^" + std::to_string(std::abs(exponent));
  }
  return text;
}

}  // namespace

Unit operator*(const Unit& a, const Unit& b) {
  return {a.bytes + b.bytes, a.seconds + b.seconds, a.flops + b.flops};
}

Unit operator/(const Unit& a, const Unit& b) {
  return {a.bytes - b.bytes, a.seconds - b.seconds, a.flops - b.flops};
}

Unit power(const Unit& unit, int exponent) {
  return {unit.bytes * exponent, unit.seconds * exponent, unit.flops * exponent};
}

std::string to_string(const Unit& unit) {
  std::string above = product(unit, true);
  const std::string below = product(unit, false);
  if (below.empty()) return above;
  const bool several = below.find("·") != std::string::npos;
  return (above.empty() ? "1" : above) + "/" + (several ? "(" + below + ")" : below);
}

std::string describe(const Unit& unit) {
  if (unit.is_plain()) return "a plain number";
  if (unit == kBytes) return "bytes";
  if (unit == kSeconds) return "seconds";
  if (unit == kFlops) return "FLOPs";
  if (unit == kBytesPerSecond) return "bytes per second";
  if (unit == kFlopsPerSecond) return "FLOPs per second";
  if (unit == Unit{-1, 0, 1}) return "FLOPs per byte";
  return to_string(unit);
}

std::optional<WrittenUnit> parse_unit(std::string_view word) {
  const std::size_t slash = word.find('/');
  if (slash == std::string_view::npos) return parse_simple(word);
  const auto above = parse_simple(word.substr(0, slash));
  const auto below = parse_simple(word.substr(slash + 1));
  if (!above || !below || above->unit == below->unit) return std::nullopt;
  return WrittenUnit{above->unit / below->unit, above->factor / below->factor};
}

}  // namespace shard
