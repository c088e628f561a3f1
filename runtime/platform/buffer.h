// The memory of blocks on devices, and its reuse.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

namespace shard {

class BufferPool;

// A pool's memory from the system, cut into blocks of one size.
struct BufferRegion {
  std::byte* data;
  std::size_t bytes;
  std::size_t block;
  std::vector<std::byte*> free;
  std::list<BufferRegion>::iterator self = {};  // its place in the pool's list
  std::size_t blocks() const { return bytes / block; }
  bool is_unused() const { return free.size() == blocks(); }
};

// The raw bytes of a device's block: row-major, aligned to 64 bytes, not initialised.
class Buffer {
 public:
  // Owns its memory. Throws std::bad_alloc.
  explicit Buffer(std::size_t bytes);
  // Returns its memory to a pool.
  Buffer(std::byte* data, std::size_t bytes, std::shared_ptr<BufferPool> pool,
         BufferRegion* region);
  // Part of another buffer, which must outlive it.
  Buffer(std::byte* data, std::size_t bytes);
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&&) = delete;
  ~Buffer();

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::byte* data_;
  std::size_t size_;
  bool owned_ = false;                // by this buffer itself
  std::shared_ptr<BufferPool> pool_;  // the pool whose memory it is, if any
  BufferRegion* region_ = nullptr;
};

// Memory that a run reuses: fresh memory costs a fault for every page, more than filling it. The blocks of one array
// are adjacent, on huge pages if the system has them. All memory returns to the system with the pool, which its buffers
// keep alive. Any thread may release a buffer; only one may take them.
class BufferPool : public std::enable_shared_from_this<BufferPool> {
 public:
  // Memory in use and memory kept add up to at most `bytes`, unless more is in use.
  explicit BufferPool(double bytes) : most_(bytes) {}
  ~BufferPool();
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  // `count` buffers of `bytes` bytes each. Throws std::bad_alloc.
  std::vector<std::shared_ptr<Buffer>> take(std::size_t count, std::size_t bytes);
  // Bytes the pool holds from the system.
  std::size_t held() const;

 private:
  friend class Buffer;
  void give_back(std::byte* block, BufferRegion& region) noexcept;
  BufferRegion& fresh_region(std::size_t count, std::size_t block);
  void release_unused(double most);  // until no more than that is held

  double most_;
  mutable std::mutex mutex_;
  std::list<BufferRegion> regions_;  // with free blocks
  // Kept apart: a script may hold thousands, none of which needs searching.
  std::list<BufferRegion> used_up_;
  std::size_t held_ = 0;
};

// `count` buffers of `bytes` bytes, from the pool if there is one. Small ones share one piece of memory, which lives as
// long as any of them. Throws std::bad_alloc.
std::vector<std::shared_ptr<Buffer>> take_buffers(std::size_t count, std::size_t bytes,
                                                  const std::shared_ptr<BufferPool>& pool);

}  // namespace shard
