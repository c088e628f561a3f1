// Layouts as the search for routes handles them: what is at each axis, in a few bytes, and as keys of a table.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace shard::planning {

// The most axes, none of them of size 1, that a search looks at: as many as a mesh may have.
inline constexpr std::size_t kMostAxes = 16;

// Sets of axes, by their numbers in the search.
using AxisMask = std::uint32_t;

inline int axis_count(AxisMask axes) { return std::popcount(axes); }

// What is at each axis of a layout. `where` is kIdle, kUnreduced, a place (of those that the sources and the target have
// on the axis), or kDimensions + d if the axis splits dimension d; then `position` is its number in the subscript, the
// major one being 0. Else `position` is 0.
struct Places {
  static constexpr std::uint8_t kIdle = 0;
  static constexpr std::uint8_t kUnreduced = 1;
  static constexpr std::uint8_t kDimensions = 2;
  static constexpr std::uint8_t kPlaces = kDimensions + 16;

  std::array<std::uint8_t, kMostAxes> where = {};
  std::array<std::uint8_t, kMostAxes> position = {};

  bool is_idle(std::size_t axis) const { return where[axis] == kIdle; }
  bool is_unreduced(std::size_t axis) const { return where[axis] == kUnreduced; }
  bool is_placed(std::size_t axis) const { return where[axis] >= kPlaces; }
  bool splits(std::size_t axis) const {
    return where[axis] >= kDimensions && where[axis] < kPlaces;
  }
  std::size_t dimension(std::size_t axis) const { return where[axis] - std::size_t{kDimensions}; }

  void put(std::size_t axis, std::size_t dimension, std::size_t at) {
    where[axis] = static_cast<std::uint8_t>(kDimensions + dimension);
    position[axis] = static_cast<std::uint8_t>(at);
  }
  void free(std::size_t axis) {
    where[axis] = kIdle;
    position[axis] = 0;
  }
  friend bool operator==(const Places&, const Places&) = default;
};

// Up to eight axes in 64 bits: five bits for `where`, three for `position`. REQUIRES: `where` is below 32.
struct NarrowKey {
  static constexpr std::size_t kAxes = 8;
  static constexpr unsigned kWheres = 32;
  std::uint64_t bits = 0;

  static NarrowKey of(const Places& places, std::size_t axes) {
    NarrowKey key;
    for (std::size_t i = axes; i-- > 0;)
      key.bits = key.bits << 8U | std::uint64_t{places.where[i]} << 3U | places.position[i];
    return key;
  }
  Places places(std::size_t axes) const {
    Places result;
    for (std::size_t i = 0; i < axes; ++i) {
      const std::uint64_t byte = bits >> 8 * i & 0xffU;
      result.where[i] = static_cast<std::uint8_t>(byte >> 3U);
      result.position[i] = static_cast<std::uint8_t>(byte & 7U);
    }
    return result;
  }
  std::uint64_t hash() const { return mixed(bits); }
  friend bool operator==(const NarrowKey&, const NarrowKey&) = default;

  static std::uint64_t mixed(std::uint64_t x) {
    x ^= x >> 31U;
    x *= 0x9e3779b97f4a7c15U;  // the golden ratio, as in Fibonacci hashing
    return x ^ x >> 29U;
  }
};

// Any number of axes.
struct WideKey {
  static constexpr std::size_t kAxes = kMostAxes;
  static constexpr unsigned kWheres = 256;
  Places all;

  static WideKey of(const Places& places, std::size_t /*axes*/) { return {places}; }
  const Places& places(std::size_t /*axes*/) const { return all; }
  std::uint64_t hash() const {
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < kMostAxes; ++i)
      result = NarrowKey::mixed(result ^ (std::uint64_t{all.where[i]} << 8U | all.position[i]));
    return result;
  }
  friend bool operator==(const WideKey&, const WideKey&) = default;
};

}  // namespace shard::planning
