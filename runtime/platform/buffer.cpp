#include "runtime/platform/buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

namespace shard {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
// Buffers of up to this size in total share one piece of memory, so that a small step on hundreds of devices makes one
// allocation. It lives as long as any of them, which for larger ones would keep too much.
constexpr std::size_t kTogether = std::size_t{1} << 20;

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

// The size of a block, such that no two share a cache line, nor, if large, a page.
std::size_t block_size(std::size_t bytes) {
  const std::size_t unit = bytes >= 2 * kPage ? kPage : kCacheLine;
  const std::size_t rounded = round_up(std::max(bytes, kCacheLine), unit);
  if (rounded < bytes) throw std::bad_alloc();
  return rounded;
}

// Fresh memory costs a fault per page, so large pieces take huge pages if the system has them. Null if out of memory.
std::byte* allocate(std::size_t bytes) {
  const std::size_t unit = bytes >= 2 * kHugePage ? kHugePage : kCacheLine;
  const std::size_t rounded = round_up(std::max(bytes, kCacheLine), unit);
  void* data = rounded < bytes ? nullptr : std::aligned_alloc(unit, rounded);
  if (data != nullptr && unit == kHugePage) madvise(data, rounded, MADV_HUGEPAGE);
  return static_cast<std::byte*>(data);
}

// Buffers sharing one piece of memory.
struct Together {
  std::shared_ptr<Buffer> whole;
  std::vector<Buffer> parts;
};

std::shared_ptr<Buffer> take_one(std::size_t bytes, const std::shared_ptr<BufferPool>& pool) {
  return pool == nullptr ? std::make_shared<Buffer>(bytes) : pool->take(1, bytes).front();
}

}  // namespace

Buffer::Buffer(std::size_t bytes) : data_(allocate(bytes)), size_(bytes), owned_(true) {
  if (data_ == nullptr) throw std::bad_alloc();
}
Buffer::Buffer(std::byte* data, std::size_t bytes, std::shared_ptr<BufferPool> pool,
               BufferRegion* region)
    : data_(data), size_(bytes), pool_(std::move(pool)), region_(region) {}
Buffer::Buffer(std::byte* data, std::size_t bytes) : data_(data), size_(bytes) {}
Buffer::Buffer(Buffer&& other) noexcept
    : data_(other.data_),
      size_(other.size_),
      owned_(std::exchange(other.owned_, false)),
      pool_(std::move(other.pool_)),
      region_(other.region_) {}
Buffer::~Buffer() {
  if (owned_) std::free(data_);
  if (pool_ != nullptr) pool_->give_back(data_, *region_);
}

BufferPool::~BufferPool() {
  for (const auto* regions : {&regions_, &used_up_}) {
    for (const BufferRegion& region : *regions) std::free(region.data);
  }
}

std::size_t BufferPool::held() const {
  const std::scoped_lock lock(mutex_);
  return held_;
}

void BufferPool::give_back(std::byte* block, BufferRegion& region) noexcept {
  const std::scoped_lock lock(mutex_);
  if (region.free.empty()) regions_.splice(regions_.end(), used_up_, region.self);
  region.free.push_back(block);  // cannot allocate: its capacity is that of all blocks
}

std::vector<std::shared_ptr<Buffer>> BufferPool::take(std::size_t count, std::size_t bytes) {
  const std::size_t block = block_size(bytes);
  std::vector<std::shared_ptr<Buffer>> buffers;
  buffers.reserve(count);
  const auto take_from = [&](BufferRegion& region) {
    while (buffers.size() < count && !region.free.empty()) {
      std::byte* data = region.free.back();
      buffers.push_back(std::make_shared<Buffer>(data, bytes, shared_from_this(), &region));
      region.free.pop_back();
    }
    if (region.free.empty()) used_up_.splice(used_up_.end(), regions_, region.self);
  };
  // Declared after `buffers`, so that on bad_alloc the lock is released before they return their blocks.
  const std::scoped_lock lock(mutex_);
  for (auto region = regions_.begin(); region != regions_.end() && buffers.size() < count;) {
    const auto next = std::next(region);
    if (region->block == block) take_from(*region);
    region = next;
  }
  if (buffers.size() < count) take_from(fresh_region(count - buffers.size(), block));
  return buffers;
}

BufferRegion& BufferPool::fresh_region(std::size_t count, std::size_t block) {
  if (count > SIZE_MAX / block) throw std::bad_alloc();
  const std::size_t bytes = count * block;
  // An unused region of the same size or up to an eighth larger will do: its pages are mapped already, and little is
  // wasted.
  const auto found =
      std::find_if(regions_.begin(), regions_.end(), [&](const BufferRegion& region) {
        return region.is_unused() && region.bytes >= bytes && region.bytes - bytes <= bytes / 8;
      });
  // Everything that may fail comes first: until then the pool is unchanged.
  if (found == regions_.end()) {
    std::list<BufferRegion> fresh(1, {nullptr, bytes, block, {}});
    fresh.front().free.reserve(count);
    release_unused(most_ - static_cast<double>(bytes));
    std::byte* data = allocate(bytes);
    if (data == nullptr) {
      release_unused(0);
      data = allocate(bytes);
    }
    if (data == nullptr) throw std::bad_alloc();
    fresh.front().data = data;
    held_ += bytes;
    regions_.splice(regions_.end(), fresh);
    regions_.back().self = std::prev(regions_.end());
  } else {
    found->free.reserve(found->bytes / block);
    found->block = block;
    regions_.splice(regions_.end(), regions_, found);
  }
  BufferRegion& region = regions_.back();
  region.free.clear();
  for (std::size_t i = region.blocks(); i-- > 0;) region.free.push_back(region.data + i * block);
  return region;
}

void BufferPool::release_unused(double most) {
  for (auto region = regions_.begin();
       region != regions_.end() && static_cast<double>(held_) > most;) {
    const auto next = std::next(region);
    if (region->is_unused()) {
      std::free(region->data);
      held_ -= region->bytes;
      regions_.erase(region);
    }
    region = next;
  }
}

std::vector<std::shared_ptr<Buffer>> take_buffers(std::size_t count, std::size_t bytes,
                                                  const std::shared_ptr<BufferPool>& pool) {
  if (count > 1 && bytes <= kTogether / count) {
    const std::size_t block = block_size(bytes);
    auto together = std::make_shared<Together>();
    together->whole = take_one(count * block, pool);
    together->parts.reserve(count);
    std::vector<std::shared_ptr<Buffer>> buffers;
    buffers.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      together->parts.emplace_back(together->whole->data() + i * block, bytes);
      buffers.emplace_back(together, &together->parts.back());
    }
    return buffers;
  }
  if (pool != nullptr) return pool->take(count, bytes);
  std::vector<std::shared_ptr<Buffer>> buffers;
  for (std::size_t i = 0; i < count; ++i) buffers.push_back(std::make_shared<Buffer>(bytes));
  return buffers;
}

}  // namespace shard
