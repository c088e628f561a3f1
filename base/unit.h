// Units of scalars: products of powers of bytes, seconds and FLOPs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/rational.h"

namespace shard {

struct Unit {
  int bytes = 0;
  int seconds = 0;
  int flops = 0;

  bool is_plain() const { return bytes == 0 && seconds == 0 && flops == 0; }
  friend bool operator==(const Unit&, const Unit&) = default;
};

inline constexpr Unit kPlain{};
inline constexpr Unit kBytes{1, 0, 0};
inline constexpr Unit kSeconds{0, 1, 0};
inline constexpr Unit kFlops{0, 0, 1};
inline constexpr Unit kBytesPerSecond{1, -1, 0};
inline constexpr Unit kFlopsPerSecond{0, -1, 1};

Unit operator*(const Unit& a, const Unit& b);
Unit operator/(const Unit& a, const Unit& b);
Unit power(const Unit& unit, int exponent);
// "B", "s", "FLOP/s", "B/s", "FLOP/B", "" for a plain number.
std::string to_string(const Unit& unit);
// What an error message calls it: "bytes", "seconds", "FLOPs", "bytes per second", "a plain number".
std::string describe(const Unit& unit);

// A unit as written after a number, and its factor to base units: "us" = 1e-6 s, "GB" = 1e9 B, "KiB" = 1024 B, "GB/s",
// "FLOP/s", "TFLOP/s", "FLOPs", "ns", ... nullopt if `word` is not a unit.
struct WrittenUnit {
  Unit unit;
  Rational factor;
};
std::optional<WrittenUnit> parse_unit(std::string_view word);

}  // namespace shard
