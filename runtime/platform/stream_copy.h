// Copies past the caches.
#pragma once

#include <cstddef>

namespace shard {

// Results that are larger than this are written past the caches: they would not stay there until they are read, and a
// line that is written in the cache is first read from memory.
inline constexpr std::size_t kStreamedBytes = std::size_t{16} << 20;

// As std::memcpy. `next`: as many bytes that are copied afterwards, which the processor reads ahead: on its own it does not
// know where they are. Null: they lie behind these.
void stream_copy(std::byte* target, const std::byte* source, std::size_t bytes,
                 const std::byte* next = nullptr);
// What was streamed on this thread is seen by others behind this.
void end_streaming();

}  // namespace shard
