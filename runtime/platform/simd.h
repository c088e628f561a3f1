// Compiler spellings for loops to be vectorised, and vectors of floats for code where these have to stay in registers.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "runtime/element/number.h"

// Precedes a loop whose iterations do not touch what others write.
#if defined(__clang__)
#define SHARD_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define SHARD_INDEPENDENT _Pragma("GCC ivdep")
#else
#define SHARD_INDEPENDENT
#endif

// SHARD_TARGET("avx2"): the function may use these instructions. SHARD_CLONES: the function is also compiled for newer
// processors, and the loader chooses; for code that gives the same bits on all of them. Not under the thread sanitizer,
// which would instrument that choice before it is initialised. SHARD_INLINE: the function is compiled into each caller.
#if defined(__x86_64__)
#define SHARD_TARGET(instructions) __attribute__((target(instructions)))
#else
#define SHARD_TARGET(instructions)
#endif
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define SHARD_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define SHARD_CLONES
#endif
#define SHARD_INLINE inline __attribute__((always_inline))

namespace shard {

// N floats side by side. If wider than the processor's vectors, the compiler uses several.
template <int N>
struct FloatVector {
  typedef float Type __attribute__((vector_size(N * sizeof(float))));
  typedef std::uint32_t Words __attribute__((vector_size(N * sizeof(std::uint32_t))));
  typedef std::uint16_t Halves __attribute__((vector_size(N * sizeof(std::uint16_t))));
};
template <int N>
using Floats = typename FloatVector<N>::Type;

// Loads from `from`, which need not be aligned. Vectors are never passed or returned by value: the calling convention
// for them depends on the caller's instruction set.
template <int N>
SHARD_INLINE void load(const float* from, Floats<N>& vector) {
  std::memcpy(&vector, from, sizeof(vector));
}
template <int N>
SHARD_INLINE void load(const Bf16* from, Floats<N>& vector) {
  typename FloatVector<N>::Halves halves;
  std::memcpy(&halves, from, sizeof(halves));
  const auto words = __builtin_convertvector(halves, typename FloatVector<N>::Words) << 16;
  std::memcpy(&vector, &words, sizeof(vector));
}

// Upper half + lower half, repeatedly.
template <int N>
SHARD_INLINE float sum_of(const Floats<N>& vector) {
  if constexpr (N == 2) {
    return vector[0] + vector[1];
  } else {
    Floats<N / 2> halves[2];
    std::memcpy(halves, &vector, sizeof(vector));
    const Floats<N / 2> sum = halves[0] + halves[1];
    return sum_of<N / 2>(sum);
  }
}

}  // namespace shard
