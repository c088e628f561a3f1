#include "interpreter/reference/einsum.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <set>
#include <thread>

#include "tests/property.h"

namespace shard::oracle::einsum_test {
namespace {

std::int64_t length(int label) { return 2 + label; }

Tensor numbered(const std::vector<int>& labels, int salt) {
  Tensor tensor{.labels = labels, .shape = {}, .values = {}};
  std::int64_t count = 1;
  for (const int label : labels) {
    tensor.shape.push_back(length(label));
    count *= length(label);
  }
  for (std::int64_t i = 0; i < count; ++i)
    tensor.values.push_back(static_cast<double>((i * 7 + salt * 13) % 11 - 5));
  return tensor;
}

using Index = std::vector<std::int64_t>;  // by label

double element(const Tensor& tensor, const Index& index) {
  std::size_t place = 0;
  for (std::size_t i = 0; i < tensor.labels.size(); ++i)
    place = place * static_cast<std::size_t>(tensor.shape[i]) +
            static_cast<std::size_t>(index[static_cast<std::size_t>(tensor.labels[i])]);
  return tensor.values[place];
}

bool advance(Index& index, const std::vector<int>& labels) {
  for (std::size_t i = labels.size(); i-- > 0;) {
    std::int64_t& at = index[static_cast<std::size_t>(labels[i])];
    if (++at < length(labels[i])) return true;
    at = 0;
  }
  return false;
}

// One multiplication at a time.
Numbers naive(const Tensor& left, const Tensor& right, const std::vector<int>& labels) {
  std::set<int> summed(left.labels.begin(), left.labels.end());
  summed.insert(right.labels.begin(), right.labels.end());
  for (const int label : labels) summed.erase(label);
  const std::vector<int> inner(summed.begin(), summed.end());
  Numbers values;
  Index index(8, 0);
  do {
    double sum = 0;
    do sum += element(left, index) * element(right, index);
    while (advance(index, inner));
    values.push_back(sum);
  } while (advance(index, labels));
  return values;
}

void expect_naive(const std::vector<int>& left, const std::vector<int>& right,
                  const std::vector<int>& result) {
  const Tensor a = numbered(left, 1);
  const Tensor b = numbered(right, 2);
  const Tensor product = einsum(a, b, result);
  EXPECT_EQ(product.labels, result);
  EXPECT_EQ(product.values, naive(a, b, result));
}

// All at once, and with the first use of the library's memory among them.
TEST(Einsum, IsTheSameOnManyThreads) {
  const Tensor a = numbered({4, 5}, 1);
  const Tensor b = numbered({5, 6}, 2);
  const Numbers right = naive(a, b, {4, 6});
  std::atomic<int> wrong = 0;
  std::barrier together(7);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 7; ++t) {
      threads.emplace_back([&] {
        together.arrive_and_wait();
        for (int i = 0; i < 50; ++i) wrong += einsum(a, b, {4, 6}).values != right;
      });
    }
  }
  EXPECT_EQ(wrong, 0);
}

TEST(Einsum, IsAMatrixProduct) { expect_naive({0, 1}, {1, 2}, {0, 2}); }
TEST(Einsum, TransposesItsResult) { expect_naive({0, 1}, {1, 2}, {2, 0}); }
TEST(Einsum, TakesOperandsInAnyOrder) { expect_naive({1, 0}, {2, 1}, {0, 2}); }
TEST(Einsum, SumsOverSeveralLabels) { expect_naive({0, 1, 3}, {3, 1, 2}, {0, 2}); }
TEST(Einsum, KeepsBatchLabels) { expect_naive({3, 0, 1}, {1, 3, 2}, {0, 3, 2}); }
TEST(Einsum, OfVectorsIsAScalar) { expect_naive({1}, {1}, {}); }
TEST(Einsum, WithoutASharedLabelIsAnOuterProduct) { expect_naive({0}, {1}, {1, 0}); }
TEST(Einsum, WithoutASumIsElementwise) { expect_naive({0, 1}, {1, 0}, {0, 1}); }

TEST(Transpose, MovesElements) {
  const Tensor tensor = numbered({0, 1, 2}, 3);
  const Tensor moved = transpose(tensor, {2, 0, 1});
  EXPECT_EQ(moved.shape, (std::vector<std::int64_t>{4, 2, 3}));
  Index index(8, 0);
  do EXPECT_EQ(element(moved, index), element(tensor, index));
  while (advance(index, {0, 1, 2}));
}

TEST(Transpose, BackIsTheSame) {
  const Tensor tensor = numbered({0, 1, 2}, 3);
  EXPECT_EQ(transpose(transpose(tensor, {2, 1, 0}), {0, 1, 2}).values, tensor.values);
}

int batched = 0;
int contracted = 0;

SHARD_PROPERTY(Einsum, EqualsANaiveLoop, 500) {
  // Each label is a row, a column, batch or contracted.
  const auto roles = *rc::gen::container<std::vector<int>>(4, rc::gen::inRange(0, 4));
  std::vector<int> left;
  std::vector<int> right;
  std::vector<int> result;
  for (int label = 0; label < 4; ++label) {
    const int role = roles[static_cast<std::size_t>(label)];
    if (role != 1) left.push_back(label);
    if (role != 0) right.push_back(label);
    if (role != 3) result.push_back(label);
    batched += role == 2 ? 1 : 0;
    contracted += role == 3 ? 1 : 0;
  }
  for (std::vector<int>* labels : {&left, &right, &result}) {
    for (std::size_t i = labels->size(); i > 1; --i)
      std::swap((*labels)[i - 1], (*labels)[*rc::gen::inRange<std::size_t>(0, i)]);
  }
  const Tensor a = numbered(left, 1);
  const Tensor b = numbered(right, 2);
  RC_ASSERT(einsum(a, b, result).values == naive(a, b, result));
}

TEST(Einsum, WasComparedWithBatchAndContraction) {
  SHARD_COUNTS_IN_FULL_RUNS();
  EXPECT_GE(batched, scaled_cases(40));
  EXPECT_GE(contracted, scaled_cases(40));
}

}  // namespace
}  // namespace shard::oracle::einsum_test
