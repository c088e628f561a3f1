// Memory for libraries that end the process where they get none.
#pragma once

#include <cstddef>
#include <memory>

namespace shard {

// Ample for the buffers that one thread's product by BLIS takes: parts of both matrices, in the order of its kernels.
inline constexpr std::size_t kBlasRoom = std::size_t{24} << 20;
// What a new thread reserves for its stack and its heap.
inline constexpr std::size_t kThreadRoom = std::size_t{80} << 20;

// Throws std::bad_alloc if so many bytes are not to be had at the moment.
inline void require_room(std::size_t bytes) {
  std::allocator<std::byte> allocator;
  std::byte* const room = allocator.allocate(bytes);
  *static_cast<volatile std::byte*>(room) = std::byte{0};  // or a compiler leaves both out
  allocator.deallocate(room, bytes);
}

}  // namespace shard
