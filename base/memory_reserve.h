// Checking for memory ahead of libraries that abort the process when an allocation fails.
#pragma once

#include <cstddef>
#include <memory>

namespace shard {

// More than one thread's BLIS product takes for its buffers, which hold parts of both matrices packed in kernel order.
inline constexpr std::size_t kBlasRoom = std::size_t{24} << 20;
// What a new thread reserves: usually 8 MiB of stack and 64 MiB of address space for glibc's heap; the rest is slack.
inline constexpr std::size_t kThreadRoom = std::size_t{80} << 20;

// Throws std::bad_alloc if that many bytes cannot be allocated right now.
inline void require_room(std::size_t bytes) {
  std::allocator<std::byte> allocator;
  std::byte* const room = allocator.allocate(bytes);
  *static_cast<volatile std::byte*>(room) =
      std::byte{0};  // otherwise a compiler may elide the allocation
  allocator.deallocate(room, bytes);
}

}  // namespace shard
