#include "runtime/array/block_copy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "runtime/platform/stream_copy.h"

namespace shard::block_copy_test {
namespace {

TEST(StreamCopy, CopiesAnyLengthFromAnywhereToAnywhere) {
  std::vector<std::byte> source(1000);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = std::byte(i * 7);
  for (std::size_t from : {0u, 1u, 63u}) {
    for (std::size_t to : {0u, 1u, 40u, 64u}) {
      for (std::size_t bytes : {0u, 1u, 63u, 64u, 65u, 500u, 800u}) {
        std::vector<std::byte> target(1000, std::byte{1});
        std::vector<std::byte> expected = target;
        std::memcpy(expected.data() + to, source.data() + from, bytes);
        stream_copy(target.data() + to, source.data() + from, bytes);
        end_streaming();
        EXPECT_EQ(target, expected) << from << " " << to << " " << bytes;
      }
    }
  }
}

TEST(BlockCopy, StreamsRowsAsItCopiesThem) {
  const Extents extents = {5, 300};
  std::vector<float> source(5 * 400);
  std::iota(source.begin(), source.end(), 1.0f);
  std::vector<std::vector<float>> targets;
  for (const bool streamed : {false, true}) {
    auto& target = targets.emplace_back(5 * 350, -1.0f);
    BlockCopy(extents, DType::Fp32, {400, 1}, DType::Fp32, {350, 1}, streamed)
        .run(reinterpret_cast<const std::byte*>(source.data()),
             reinterpret_cast<std::byte*>(target.data()));
    end_streaming();
  }
  EXPECT_EQ(targets[0], targets[1]);
  EXPECT_EQ(targets[0][350], 401.0f);
  EXPECT_EQ(targets[0][300], -1.0f);
}

// Pieces of rows, as many devices have them, behind those of the rows before.
TEST(BlockCopy, PutsPiecesOfRowsBehindOneAnother) {
  for (const std::int64_t piece : {1, 2, 3, 4, 8, 16}) {
    for (const std::int64_t pieces : {1, 5, 37}) {
      constexpr std::int64_t kRows = 9;
      const std::int64_t row = piece * pieces + 2;
      std::vector<float> source(static_cast<std::size_t>(2 * kRows * row));
      std::iota(source.begin(), source.end(), 1.0f);
      std::vector<float> target(static_cast<std::size_t>(2 * kRows * pieces * piece), -1.0f);
      const Extents extents = {pieces, 2, kRows, piece};
      BlockCopy(extents, DType::Fp32, {piece, kRows * row, row, 1}, DType::Fp32,
                row_major_strides(extents))
          .run(reinterpret_cast<const std::byte*>(source.data()),
               reinterpret_cast<std::byte*>(target.data()));
      std::vector<float> expected;
      for (std::int64_t p = 0; p < pieces; ++p) {
        for (std::int64_t r = 0; r < 2 * kRows; ++r) {
          for (std::int64_t i = 0; i < piece; ++i)
            expected.push_back(source[static_cast<std::size_t>(r * row + p * piece + i)]);
        }
      }
      EXPECT_EQ(target, expected) << piece << " " << pieces;
    }
  }
}

TEST(CopyBlock, ClampsInt32ToInt8AndCounts) {
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  std::vector<std::int32_t> source;
  for (std::int32_t i = -200; i < 200; ++i) source.push_back(i);
  source.insert(source.end(), {kMost, -kMost - 1, 0});
  std::vector<std::int8_t> target(source.size());
  const auto count = static_cast<std::int64_t>(source.size());
  const std::uint64_t clamped =
      copy_block({count}, {reinterpret_cast<const std::byte*>(source.data()), DType::Int32, {1}},
                 {reinterpret_cast<std::byte*>(target.data()), DType::Int8, {1}});
  EXPECT_EQ(clamped, 72u + 72u + 2u);  // −200 … −129, 128 … 199
  for (std::size_t i = 0; i < source.size(); ++i)
    EXPECT_EQ(target[i], std::min(std::max(source[i], -128), 127));
}

}  // namespace
}  // namespace shard::block_copy_test
