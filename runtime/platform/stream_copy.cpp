#include "runtime/platform/stream_copy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace shard {

#ifdef __SSE2__

namespace {

constexpr std::size_t kLine = 64;

void stream_line(std::byte* target, const std::byte* source) {
  const auto* from = reinterpret_cast<const __m128i*>(source);
  auto* to = reinterpret_cast<__m128i*>(target);
  const __m128i a = _mm_loadu_si128(from);
  const __m128i b = _mm_loadu_si128(from + 1);
  const __m128i c = _mm_loadu_si128(from + 2);
  const __m128i d = _mm_loadu_si128(from + 3);
  _mm_stream_si128(to, a);
  _mm_stream_si128(to + 1, b);
  _mm_stream_si128(to + 2, c);
  _mm_stream_si128(to + 3, d);
}

}  // namespace

void stream_copy(std::byte* target, const std::byte* source, std::size_t bytes,
                 const std::byte* next) {
  const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(target) % kLine;
  const std::size_t head = std::min(misaligned == 0 ? 0 : kLine - misaligned, bytes);
  std::memcpy(target, source, head);
  std::size_t at = head;
  if (next != nullptr) {
    for (; at + kLine <= bytes; at += kLine) {
      _mm_prefetch(reinterpret_cast<const char*>(next + at), _MM_HINT_T0);
      stream_line(target + at, source + at);
    }
  } else {
    for (; at + kLine <= bytes; at += kLine) stream_line(target + at, source + at);
  }
  std::memcpy(target + at, source + at, bytes - at);
}

void end_streaming() { _mm_sfence(); }

#else

void stream_copy(std::byte* target, const std::byte* source, std::size_t bytes,
                 const std::byte* /*next*/) {
  std::memcpy(target, source, bytes);
}

void end_streaming() {}

#endif

}  // namespace shard
