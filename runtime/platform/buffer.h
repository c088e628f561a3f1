// Memory of blocks on devices, and how it is used again.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

namespace shard {

class BufferPool;

// Memory from the system, cut into blocks of one size: a pool's.
struct BufferRegion {
  std::byte* data;
  std::size_t bytes;
  std::size_t block;
  std::vector<std::byte*> free;
  std::list<BufferRegion>::iterator self = {};  // where the pool has it
  std::size_t blocks() const { return bytes / block; }
  bool is_unused() const { return free.size() == blocks(); }
};

// Raw bytes of a device's block, row-major, aligned to 64 bytes. Contents are not initialised.
class Buffer {
 public:
  // Memory of its own. Throws std::bad_alloc.
  explicit Buffer(std::size_t bytes);
  // Memory that a pool gets back.
  Buffer(std::byte* data, std::size_t bytes, std::shared_ptr<BufferPool> pool,
         BufferRegion* region);
  // Memory of another buffer, which has to live as long.
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
  bool owned_ = false;                // by nobody else
  std::shared_ptr<BufferPool> pool_;  // whose memory it is, if any's
  BufferRegion* region_ = nullptr;
};

// Memory that a run uses again and again: fresh memory costs a fault for every page, more than filling it. Blocks of one
// array lie behind one another, on huge pages where the system has them. All memory goes back to the system with the
// pool, which its buffers keep alive. Any thread may let go of a buffer; one takes them.
class BufferPool : public std::enable_shared_from_this<BufferPool> {
 public:
  // What is in use and what is kept take at most `bytes` together, unless more is in use.
  explicit BufferPool(double bytes) : most_(bytes) {}
  ~BufferPool();
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  // So many buffers of so many bytes. Throws std::bad_alloc.
  std::vector<std::shared_ptr<Buffer>> take(std::size_t count, std::size_t bytes);
  // Bytes that the pool has from the system.
  std::size_t held() const;

 private:
  friend class Buffer;
  void give_back(std::byte* block, BufferRegion& region) noexcept;
  BufferRegion& fresh_region(std::size_t count, std::size_t block);
  void release_unused(double most);  // until no more is held than that

  double most_;
  mutable std::mutex mutex_;
  std::list<BufferRegion> regions_;  // with free blocks
  std::list<BufferRegion>
      used_up_;  // apart, as a script may hold thousands, and none of them is worth a look
  std::size_t held_ = 0;
};

// So many buffers of so many bytes, by the pool if there is one. Small ones lie in one piece of memory, which lives as
// long as any of them. Throws std::bad_alloc.
std::vector<std::shared_ptr<Buffer>> take_buffers(std::size_t count, std::size_t bytes,
                                                  const std::shared_ptr<BufferPool>& pool);

}  // namespace shard
