#include "runtime/kernel/thin_matmul.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "runtime/element/number.h"

namespace shard::thin_matmul_test {
namespace {

// The instruction sets that this processor has.
std::vector<Vectors> known_vectors() {
  std::vector<Vectors> known = {Vectors::Any};
  const Vectors most = matmul_support().vectors;
  if (most != Vectors::Any) known.push_back(Vectors::Avx2);
  if (most == Vectors::Avx512) known.push_back(Vectors::Avx512);
  return known;
}

struct Operands {
  MatmulShape shape;
  std::vector<std::byte> left;
  std::vector<std::byte> right;
};

// Two matrices. By columns: columns of the right one lie behind one another; else its sum does.
Operands operands_of(std::int64_t rows, std::int64_t sum, std::int64_t columns, DType type,
                     bool by_columns, bool integers) {
  Operands operands;
  operands.shape = {
      .batch = {2},
      .rows = rows,
      .sum = sum,
      .columns = columns,
      .left_strides = {rows * sum, sum, 1},
      .right_strides = {sum * columns, by_columns ? columns : 1, by_columns ? 1 : sum},
      .result_strides = {rows * columns, columns, 1},
      .operands = type,
      .result = DType::Fp32};
  std::uint64_t seed = 1;
  for (auto* data : {&operands.left, &operands.right}) {
    const auto count =
        static_cast<std::size_t>(2 * sum * (data == &operands.left ? rows : columns));
    data->resize(count * element_size(type));
    for (std::size_t i = 0; i < count; ++i) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      const double value = static_cast<double>(seed >> 40) / static_cast<double>(1 << 24) - 0.5;
      write_element(data->data(), type, i, integers ? std::nearbyint(value * 8) : value);
    }
  }
  return operands;
}

std::vector<float> product_of(const Operands& operands, Vectors vectors) {
  const MatmulShape& shape = operands.shape;
  std::vector<float> result(static_cast<std::size_t>(2 * shape.rows * shape.columns), 77.0f);
  thin_matmul(shape, vectors, operands.left.data(), operands.right.data(),
              reinterpret_cast<std::byte*>(result.data()));
  return result;
}

double element(const std::vector<std::byte>& data, DType type, std::int64_t index) {
  return read_element(data.data(), type, static_cast<std::size_t>(index));
}

// The largest error, as a share of what rounding allows: n·u·Σ|a|·|b|.
double largest_share(const Operands& operands, const std::vector<float>& result) {
  const MatmulShape& s = operands.shape;
  double share = 0;
  for (std::int64_t b = 0; b < 2; ++b) {
    for (std::int64_t i = 0; i < s.rows; ++i) {
      for (std::int64_t j = 0; j < s.columns; ++j) {
        double exact = 0;
        double size = 0;
        for (std::int64_t k = 0; k < s.sum; ++k) {
          const double term =
              element(operands.left, s.operands, b * s.left_strides[0] + i * s.sum + k) *
              element(operands.right, s.operands,
                      b * s.right_strides[0] + k * s.right_strides[1] + j * s.right_strides[2]);
          exact += term;
          size += std::abs(term);
        }
        const double error =
            std::abs(exact - result[static_cast<std::size_t>((b * s.rows + i) * s.columns + j)]);
        const double bound = static_cast<double>(s.sum) * 0x1p-24 * size;
        share = std::max(share, bound > 0 ? error / bound : error);
      }
    }
  }
  return share;
}

TEST(ThinMatmul, StaysWithinRoundingOnEveryInstructionSet) {
  for (const Vectors vectors : known_vectors()) {
    for (std::int64_t rows = 1; rows <= kThinRows; ++rows) {
      for (const std::int64_t sum : {1, 3, 16, 37}) {
        for (const std::int64_t columns : {1, 17, 530}) {
          for (const DType type : {DType::Fp32, DType::Bf16}) {
            for (const bool by_columns : {false, true}) {
              const Operands operands = operands_of(rows, sum, columns, type, by_columns, false);
              ASSERT_TRUE(is_thin(operands.shape));
              EXPECT_LE(largest_share(operands, product_of(operands, vectors)), 1.0);
            }
          }
        }
      }
    }
  }
}

TEST(ThinMatmul, IsExactWhereSumsAre) {
  const Operands operands = operands_of(3, 200, 530, DType::Bf16, true, true);
  const auto expected = product_of(operands, Vectors::Any);
  EXPECT_EQ(largest_share(operands, expected), 0.0);
  for (const Vectors vectors : known_vectors()) EXPECT_EQ(product_of(operands, vectors), expected);
}

// A running sum of ones in fp32 stops at 2^24, which is 1/4 of this one.
TEST(ThinMatmul, LongSumsGrowToTheirEnd) {
  constexpr std::int64_t kTerms = std::int64_t{1} << 26;
  std::vector<std::byte> ones(kTerms * element_size(DType::Bf16));
  for (std::size_t i = 0; i < kTerms; ++i) write_element(ones.data(), DType::Bf16, i, 1);
  for (const std::int64_t right_column : {std::int64_t{1}, kTerms}) {
    const MatmulShape shape{.batch = {},
                            .rows = 1,
                            .sum = kTerms,
                            .columns = 1,
                            .left_strides = {kTerms, 1},
                            .right_strides = {1, right_column},
                            .result_strides = {1, 1},
                            .operands = DType::Bf16,
                            .result = DType::Fp32};
    float result = 0;
    thin_matmul(shape, Vectors::Any, ones.data(), ones.data(),
                reinterpret_cast<std::byte*>(&result));
    EXPECT_EQ(result, static_cast<float>(kTerms));
  }
}

// Sums of more terms than are added in one block.
TEST(ThinMatmul, StaysWithinRoundingBeyondABlock) {
  for (const Vectors vectors : known_vectors()) {
    for (const bool by_columns : {false, true}) {
      const Operands operands = operands_of(3, 9001, 5, DType::Fp32, by_columns, false);
      EXPECT_LE(largest_share(operands, product_of(operands, vectors)), 0.5);
    }
  }
}

// Panels and devices cut columns anywhere.
TEST(ThinMatmul, AColumnHasTheSameBitsWhereverItStands) {
  for (const Vectors vectors : known_vectors()) {
    for (const bool by_columns : {false, true}) {
      Operands operands = operands_of(2, 301, 700, DType::Fp32, by_columns, false);
      const auto whole = product_of(operands, vectors);
      constexpr std::int64_t kFirst = 123;
      operands.shape.columns = 401;
      std::vector<float> part(whole.size(), 0.0f);
      thin_matmul(operands.shape, vectors, operands.left.data(),
                  operands.right.data() + kFirst * operands.shape.right_strides[2] * 4,
                  reinterpret_cast<std::byte*>(part.data()));
      for (std::size_t row = 0; row < 4; ++row) {
        EXPECT_EQ(std::memcmp(&part[row * 700], &whole[row * 700 + kFirst], 401 * 4), 0);
      }
    }
  }
}

}  // namespace
}  // namespace shard::thin_matmul_test
