#include "runtime/platform/buffer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>

namespace shard::buffer_test {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

std::shared_ptr<BufferPool> pool_of(double bytes) { return std::make_shared<BufferPool>(bytes); }

std::set<std::byte*> places_of(const std::vector<std::shared_ptr<Buffer>>& buffers) {
  std::set<std::byte*> places;
  for (const auto& buffer : buffers) places.insert(buffer->data());
  return places;
}

TEST(BufferPool, GivesMemoryAgainThatCameBack) {
  const auto pool = pool_of(1e9);
  auto buffers = pool->take(3, 5 * kMiB);
  const auto before = places_of(buffers);
  EXPECT_EQ(before.size(), 3u);
  buffers.clear();
  EXPECT_EQ(places_of(pool->take(3, 5 * kMiB)), before);
  EXPECT_EQ(pool->held(), 15 * kMiB);
}

TEST(BufferPool, CutsUnusedMemoryAnew) {
  const auto pool = pool_of(1e9);
  pool->take(2, 8 * kMiB);
  pool->take(16, kMiB);
  EXPECT_EQ(pool->held(), 16 * kMiB);
}

TEST(BufferPool, KeepsNoMoreThanItsBound) {
  const auto pool = pool_of(static_cast<double>(20 * kMiB));
  pool->take(1, 16 * kMiB);
  const auto used = pool->take(1, 6 * kMiB);
  EXPECT_EQ(pool->held(), 6 * kMiB);
  const auto more = pool->take(1, 30 * kMiB);  // what is in use is not bounded
  EXPECT_EQ(pool->held(), 36 * kMiB);
}

TEST(BufferPool, BuffersOutliveIt) {
  auto pool = pool_of(1e9);
  const auto buffers = pool->take(2, kMiB);
  pool.reset();
  for (const auto& buffer : buffers) std::memset(buffer->data(), 1, buffer->size());
  for (const auto& buffer : buffers) EXPECT_EQ(buffer->data()[buffer->size() - 1], std::byte{1});
}

TEST(TakeBuffers, AreAlignedAndApart) {
  for (const auto& pool : {std::shared_ptr<BufferPool>(), pool_of(1e9)}) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{100}, 3 * kMiB}) {
      const auto buffers = take_buffers(5, bytes, pool);
      ASSERT_EQ(buffers.size(), 5u);
      for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffers[i]->data()) % 64, 0u);
        EXPECT_EQ(buffers[i]->size(), bytes);
        std::memset(buffers[i]->data(), static_cast<int>(i), bytes);
      }
      for (std::size_t i = 0; i < 5 && bytes > 0; ++i) {
        EXPECT_EQ(buffers[i]->data()[0], std::byte(i));
        EXPECT_EQ(buffers[i]->data()[bytes - 1], std::byte(i));
      }
    }
  }
}

TEST(TakeBuffers, SmallOnesLiveAsLongAsTheyAreUsed) {
  auto buffers = take_buffers(4, 64, pool_of(1e9));
  const auto last = buffers.back();
  std::memset(last->data(), 7, 64);
  buffers.clear();
  EXPECT_EQ(last->data()[63], std::byte{7});
}

}  // namespace
}  // namespace shard::buffer_test
