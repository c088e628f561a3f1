// Copies past the caches.
#pragma once

#include <cstddef>

namespace shard {

// Results larger than this are written past the caches: they would not stay cached until they are read, and a line
// written through the cache is first read from memory. An AllToAll of 128 MiB took 6.3 ms instead of 3.5 without
// (bench/README.md).
inline constexpr std::size_t kStreamedBytes = std::size_t{16} << 20;

// Like std::memcpy. `next`: as many bytes to be copied afterwards, which are prefetched, as the processor cannot guess
// where they are. Null: they follow these directly.
void stream_copy(std::byte* target, const std::byte* source, std::size_t bytes,
                 const std::byte* next = nullptr);
// After this, other threads see what this thread has streamed.
void end_streaming();

}  // namespace shard
