#include "runtime/array/block_sum.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "runtime/element/number.h"
#include "runtime/platform/simd.h"
#include "runtime/platform/stream_copy.h"

namespace shard {
namespace {

// Elements; the sums of a chunk stay in the first-level cache.
constexpr std::int64_t kSumChunk = 1024;
// Sources added in one pass, which loads and stores the sums once; each number up to it is compiled separately.
constexpr std::size_t kAtOnce = 8;

// sums[j] = (… (terms[0][j] + terms[1][j]) + …); terms[0] may be `sums`.
template <std::size_t N, class T>
void add_arrays(const std::array<const T*, kAtOnce>& terms, std::int64_t count, T* sums) {
  SHARD_INDEPENDENT
  for (std::int64_t j = 0; j < count; ++j) {
    T sum = terms[0][j];
    for (std::size_t k = 1; k < N; ++k) sum += terms[k][j];
    sums[j] = sum;
  }
}

template <class T>
void add_arrays(const std::array<const T*, kAtOnce>& terms, std::size_t number, std::int64_t count,
                T* sums) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((number == I + 1 ? add_arrays<I + 1>(terms, count, sums) : void()), ...);
  }
  (std::make_index_sequence<kAtOnce>());
}

// One chunk of a row: each source is read once.
template <class T>
void sum_chunk(const std::vector<const std::byte*>& sources, std::int64_t first, std::int64_t step,
               std::int64_t count, Combination combination, T* sums) {
  const auto source = [&](std::size_t s) { return reinterpret_cast<const T*>(sources[s]) + first; };
  if (step == 1 && combination == Combination::Sum) {
    std::array<const T*, kAtOnce> terms;
    std::size_t number = 0;
    for (std::size_t s = 0; s < sources.size(); ++s) {
      terms[number++] = source(s);
      if (number < kAtOnce && s + 1 < sources.size()) continue;
      add_arrays(terms, number, count, sums);
      terms[0] = sums;
      number = 1;
    }
    return;
  }
  for (std::int64_t j = 0; j < count; ++j) sums[j] = source(0)[j * step];
  for (std::size_t s = 1; s < sources.size(); ++s) {
    const T* from = source(s);
    for (std::int64_t j = 0; j < count; ++j)
      sums[j] = combined(combination, sums[j], from[j * step]);
  }
}

// One row of a sum, chunk by chunk.
template <class To, class Sum>
std::uint64_t sum_row(const BlockLoop& row, const std::vector<const std::byte*>& sources,
                      std::int64_t offset, To* target, Combination combination, bool streamed) {
  std::uint64_t clamped = 0;
  std::array<Sum, kSumChunk> sums;
  for (std::int64_t begin = 0; begin < row.extent; begin += kSumChunk) {
    const std::int64_t count = std::min(kSumChunk, row.extent - begin);
    To* to = target + begin * row.target;
    sum_chunk(sources, offset + begin * row.source, row.source, count, combination, sums.data());
    if (std::is_same_v<To, Sum> && streamed && row.target == 1) {
      stream_copy(reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(sums.data()),
                  static_cast<std::size_t>(count) * sizeof(Sum));
      continue;
    }
    for (std::int64_t j = 0; j < count; ++j) to[j * row.target] = convert<To>(sums[j], clamped);
  }
  return clamped;
}

}  // namespace

BlockSum::BlockSum(const Extents& extents, DType type, const Extents& source_strides,
                   DType target_type, const Extents& target_strides, Combination combination,
                   bool streamed)
    : type_(type), target_type_(target_type), combination_(combination), streamed_(streamed) {
  auto loops = loops_over(extents, source_strides, target_strides);
  empty_ = !loops;
  if (empty_) return;
  row_ = loops->empty() ? BlockLoop{1, 1, 1} : loops->back();
  if (!loops->empty()) loops->pop_back();
  loops_ = std::move(*loops);
}

std::uint64_t BlockSum::run(const std::vector<const std::byte*>& sources, std::byte* target) const {
  if (empty_) return 0;
  return with_sum_type(type_, [&](auto sum) {
    return with_element_type(target_type_, [&](auto to) {
      auto* data = reinterpret_cast<decltype(to)*>(target);
      std::uint64_t clamped = 0;
      walk(loops_, [&](std::int64_t source_offset, std::int64_t target_offset) {
        clamped += sum_row<decltype(to), decltype(sum)>(
            row_, sources, source_offset, data + target_offset, combination_, streamed_);
      });
      return clamped;
    });
  });
}

}  // namespace shard
