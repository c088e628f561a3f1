#include "runtime/kernel/short_matmul.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

#include "runtime/element/number.h"

namespace shard::short_matmul_test {
namespace {

std::vector<float> numbers(std::int64_t count, std::uint64_t seed) {
  std::vector<float> numbers(static_cast<std::size_t>(count));
  for (float& number : numbers) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    number = static_cast<float>(static_cast<double>(seed >> 40) / (1 << 24) - 0.5);
  }
  return numbers;
}

// Two matrices, each with its rows behind one another or its columns.
struct Product {
  MatmulShape shape;
  std::vector<float> left;
  std::vector<float> right;

  Product(std::int64_t rows, std::int64_t sum, std::int64_t columns, bool by_rows,
          std::uint64_t seed)
      : left(numbers(rows * sum, seed)), right(numbers(sum * columns, seed + 1)) {
    shape.rows = rows;
    shape.sum = sum;
    shape.columns = columns;
    shape.left_strides = by_rows ? Extents{sum, 1} : Extents{1, rows};
    shape.right_strides = by_rows ? Extents{columns, 1} : Extents{1, sum};
    shape.result_strides = {columns, 1};
  }

  float left_at(std::int64_t row, std::int64_t k) const {
    return left[static_cast<std::size_t>(row * shape.left_strides[0] + k * shape.left_strides[1])];
  }
  float right_at(std::int64_t k, std::int64_t column) const {
    return right[static_cast<std::size_t>(k * shape.right_strides[0] +
                                          column * shape.right_strides[1])];
  }

  // The product of some of the terms.
  Product terms(std::int64_t begin, std::int64_t end) const {
    Product some(shape.rows, end - begin, shape.columns, true, 0);
    for (std::int64_t k = begin; k < end; ++k) {
      for (std::int64_t row = 0; row < shape.rows; ++row)
        some.left[static_cast<std::size_t>(row * (end - begin) + k - begin)] = left_at(row, k);
      for (std::int64_t column = 0; column < shape.columns; ++column)
        some.right[static_cast<std::size_t>((k - begin) * shape.columns + column)] =
            right_at(k, column);
    }
    return some;
  }

  // The operand that gives rows, or columns.
  StripOperand operand(bool first) const {
    StripOperand operand;
    const auto& strides = first ? shape.left_strides : shape.right_strides;
    const std::size_t line = first ? 0 : 1;
    for (std::int64_t i = 0; i < (first ? shape.rows : shape.columns); ++i)
      operand.lines.push_back(i * strides[line]);
    for (std::int64_t k = 0; k < shape.sum; ++k) operand.terms.push_back(k * strides[1 - line]);
    return operand;
  }
  std::vector<float> strips(bool first, std::int64_t width) const {
    const StripOperand own = operand(first);
    const auto step = static_cast<std::size_t>(own.floats_of_strip(width));
    std::vector<float> strips(static_cast<std::size_t>(own.strips(width)) * step);
    for (std::int64_t s = 0; s < own.strips(width); ++s)
      own.cut(reinterpret_cast<const std::byte*>((first ? left : right).data()), s, width,
              strips.data() + static_cast<std::size_t>(s) * step);
    return strips;
  }

  std::vector<float> run(Vectors vectors, bool turned = false) const {
    std::vector<float> result(static_cast<std::size_t>(shape.rows * shape.columns), 77.0f);
    const ShortProduct product{{}, {}, turned, {vectors}};
    short_matmul(shape, turned, {vectors}, strips(true, product.width(true)).data(),
                 strips(false, product.width(false)).data(), result.data());
    return result;
  }

  // The largest error, as a share of what rounding allows: n·u·Σ|a|·|b|.
  double largest_share(const std::vector<float>& result) const {
    double share = 0;
    for (std::int64_t i = 0; i < shape.rows * shape.columns; ++i) {
      double exact = 0;
      double size = 0;
      for (std::int64_t k = 0; k < shape.sum; ++k) {
        const double term = static_cast<double>(left_at(i / shape.columns, k)) *
                            static_cast<double>(right_at(k, i % shape.columns));
        exact += term;
        size += std::abs(term);
      }
      const double bound = static_cast<double>(shape.sum) * 0x1p-24 * size;
      share = std::max(share, std::abs(exact - result[static_cast<std::size_t>(i)]) / bound);
    }
    return share;
  }
};

// The instruction sets that this processor has.
std::vector<Vectors> short_vectors() {
  std::vector<Vectors> known = {Vectors::Any};
  const Vectors most = matmul_support().vectors;
  if (most != Vectors::Any) known.push_back(Vectors::Avx2);
  if (most == Vectors::Avx512) known.push_back(Vectors::Avx512);
  return known;
}

TEST(ShortMatmul, StaysWithinRoundingOnEveryInstructionSet) {
  for (const Vectors vectors : short_vectors()) {
    for (const std::int64_t rows : {1, 3, 8, 262}) {
      for (const std::int64_t sum : {1, 2, 7, 32, 4096, 9001}) {
        for (const std::int64_t columns : {1, 31, 64, 75}) {
          for (const bool by_rows : {false, true}) {
            const Product product(rows, sum, columns, by_rows, 5);
            const auto result = product.run(vectors);
            EXPECT_LE(product.largest_share(result), 1.0);
            EXPECT_EQ(product.run(vectors, true), result);
          }
        }
      }
    }
  }
}

// Of integers sums are exact, whether they are taken of terms or of pairs of them, of which the last one may be half.
TEST(ShortMatmul, PairsOfBf16AreExactWhereSumsAre) {
  if (!matmul_support().bf16) GTEST_SKIP() << "no instructions";
  for (const std::int64_t sum : {1, 2, 5, 8200}) {
    Product product(13, sum, 75, false, 5);
    std::vector<std::vector<float>> strips;
    for (const bool first : {true, false}) {
      auto& numbers = first ? product.left : product.right;
      std::vector<std::byte> rounded(numbers.size() * element_size(DType::Bf16));
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = std::nearbyint(numbers[i] * 8);
        write_element(rounded.data(), DType::Bf16, i, static_cast<double>(numbers[i]));
      }
      StripOperand operand = product.operand(first);
      operand.type = DType::Bf16;
      operand.in_pairs = true;
      const std::int64_t width = first ? kTileRows : kTileColumns;
      const auto step = static_cast<std::size_t>(operand.floats_of_strip(width));
      auto& own = strips.emplace_back(static_cast<std::size_t>(operand.strips(width)) * step);
      for (std::int64_t s = 0; s < operand.strips(width); ++s)
        operand.cut(rounded.data(), s, width, own.data() + static_cast<std::size_t>(s) * step);
    }
    const std::vector<float> expected = product.run(Vectors::Any);
    MatmulShape shape = product.shape;
    shape.sum = (sum + 1) / 2;
    std::vector<float> result(expected.size());
    short_matmul(shape, false, {Vectors::Avx512, true}, strips[0].data(), strips[1].data(),
                 result.data());
    EXPECT_EQ(result, expected);
  }
}

// Blocks of terms have the bits of products of their own that are added.
TEST(ShortMatmul, BlocksOfTermsAreSummedApart) {
  constexpr std::int64_t kSum = 17;
  constexpr std::int64_t kBlock = 5;
  for (const Vectors vectors : short_vectors()) {
    for (const bool turned : {false, true}) {
      const Product product(7, kSum, 75, true, 9);
      const ShortProduct sides{{}, {}, turned, {vectors}};
      const auto first = product.strips(true, sides.width(true));
      const auto second = product.strips(false, sides.width(false));
      std::vector<float> result(
          static_cast<std::size_t>(product.shape.rows * product.shape.columns));
      short_matmul(product.shape, turned, {vectors}, first.data(), second.data(), result.data(),
                   kBlock);
      std::vector<float> sum;
      for (std::int64_t k = 0; k < kSum; k += kBlock) {
        const std::vector<float> part = product.terms(k, std::min(k + kBlock, kSum)).run(vectors);
        if (sum.empty()) {
          sum = part;
        } else {
          std::transform(sum.begin(), sum.end(), part.begin(), sum.begin(), std::plus<>{});
        }
      }
      EXPECT_EQ(result, sum);
    }
  }
}

}  // namespace
}  // namespace shard::short_matmul_test
