// Random draws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace shard::random_program {

// The seed of one of many cases: any of them can be drawn alone.
inline std::uint64_t seed_of_case(std::uint64_t seed, int index) {
  constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15U;
  return seed + static_cast<std::uint64_t>(index) * kGoldenRatio;
}

// Draws that are the same on every machine for one seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // 0 … count − 1.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }
  bool chance(int percent) { return below(100) < static_cast<std::size_t>(percent); }
  template <class T>
  const T& pick(const std::vector<T>& items) {
    return items[below(items.size())];
  }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace shard::random_program
