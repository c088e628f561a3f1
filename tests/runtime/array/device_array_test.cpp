#include "runtime/array/device_array.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <new>

#include "tests/runtime/support/meshes.h"

namespace shard::device_array_test {
namespace {

TEST(Array, BuffersAreAligned) {
  for (std::size_t bytes : {0u, 1u, 63u, 4097u, 5u << 20}) {
    Buffer buffer(bytes);
    EXPECT_EQ(buffer.size(), bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0u);
  }
}

TEST(Array, OutlineDropsAxesOfSizeOneAndCountsDistinctShards) {
  const Mesh mesh = mesh_of({4, 1, 3});
  const DeviceArray array = outline({8, 6}, DType::Bf16, DType::Bf16, {{{kX, kY}, {}}, {}}, mesh);
  EXPECT_EQ(array.layout, (Layout{{{kX}, {}}, {}}));
  EXPECT_EQ(array.local_shape, (std::vector<std::int64_t>{2, 6}));
  EXPECT_EQ(array.shards.size(), 4u);
  EXPECT_EQ(shard_bytes(array), 24u);
}

TEST(Array, ReplicasShareOneBuffer) {
  const Mesh mesh = mesh_of({2, 3});
  const DeviceArray array = numbered_array({4}, DType::Fp32, {{{kX}}, {}}, mesh);
  EXPECT_EQ(shard_of(array, {1, 0}, mesh), shard_of(array, {1, 2}, mesh));
  EXPECT_NE(shard_of(array, {0, 1}, mesh), shard_of(array, {1, 1}, mesh));
}

TEST(Array, SubscriptsSplitByTheFirstAxisFirst) {
  const Mesh mesh = mesh_of({2, 3});
  const DeviceArray xy = outline({6}, DType::Fp32, DType::Fp32, {{{kX, kY}}, {}}, mesh);
  const DeviceArray yx = outline({6}, DType::Fp32, DType::Fp32, {{{kY, kX}}, {}}, mesh);
  EXPECT_EQ(block_origin(xy, {1, 0}, mesh), (std::vector<std::int64_t>{3}));
  EXPECT_EQ(block_origin(yx, {1, 0}, mesh), (std::vector<std::int64_t>{1}));
}

TEST(Array, AssemblePutsBlocksInTheirPlaces) {
  const Mesh mesh = mesh_of({2, 2});
  DeviceArray array = outline({2, 4}, DType::Int8, DType::Int8, {{{kY}, {kX}}, {}}, mesh);
  allocate_missing(array);
  for (std::size_t s = 0; s < 4; ++s) {
    for (std::size_t i = 0; i < 2; ++i)
      write_element(array.shards[s]->data(), DType::Int8, i, 10.0 * s + i);
  }
  // Shard numbers: x · 2 + y.
  EXPECT_EQ(assemble(array, mesh).values, (Numbers{0, 1, 20, 21, 10, 11, 30, 31}));
}

TEST(Array, AssembleAddsPartialSums) {
  const Mesh mesh = mesh_of({3});
  DeviceArray array = outline({2}, DType::Bf16, DType::Fp32, {{{}}, {kX}}, mesh);
  allocate_missing(array);
  for (std::size_t s = 0; s < 3; ++s) {
    for (std::size_t i = 0; i < 2; ++i)
      write_element(array.shards[s]->data(), DType::Fp32, i, 1.0 + s + 100.0 * i);
  }
  EXPECT_EQ(assemble(array, mesh).values, (Numbers{6, 306}));
}

TEST(Array, AssembleKeepsTheSignOfAZero) {
  const Mesh mesh = mesh_of({2});
  for (const DType dtype : {DType::Fp64, DType::Fp32, DType::Bf16, DType::Fp16}) {
    DeviceArray array = outline({2}, dtype, dtype, {{{kX}}, {}}, mesh);
    allocate_missing(array);
    write_element(array.shards[0]->data(), dtype, 0, -0.0);
    write_element(array.shards[1]->data(), dtype, 0, 0.0);
    const GlobalArray whole = assemble(array, mesh);
    EXPECT_TRUE(std::signbit(whole.values[0])) << name_of(dtype);
    EXPECT_FALSE(std::signbit(whole.values[1])) << name_of(dtype);
  }
}

TEST(Array, AssemblesScalarsAndEmptyArrays) {
  const Mesh mesh = mesh_of({2});
  EXPECT_EQ(assemble(numbered_array({}, DType::Fp32, {}, mesh), mesh).values.size(), 1u);
  EXPECT_TRUE(
      assemble(numbered_array({0, 4}, DType::Fp32, {{{}, {kX}}, {}}, mesh), mesh).values.empty());
}

}  // namespace
}  // namespace shard::device_array_test
