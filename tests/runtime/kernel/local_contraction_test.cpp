#include "runtime/kernel/local_contraction.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "runtime/array/device_array.h"
#include "runtime/element/number.h"
#include "tests/property.h"

namespace shard::local_contraction_test {
namespace {

constexpr MatmulSupport kNothing{};

Extents result_shape(const ContractionProblem& p) {
  Extents shape;
  for (int label : p.result_labels) {
    const auto in = [&](const std::vector<int>& labels) {
      return std::find(labels.begin(), labels.end(), label) - labels.begin();
    };
    const auto left = static_cast<std::size_t>(in(p.left_labels));
    shape.push_back(left < p.left_labels.size()
                        ? p.left_shape[left]
                        : p.right_shape[static_cast<std::size_t>(in(p.right_labels))]);
  }
  return shape;
}

// The contraction by one loop over all labels in fp64.
std::vector<double> naive(const ContractionProblem& p, const std::vector<double>& left,
                          const std::vector<double>& right) {
  std::map<int, std::int64_t> extents;
  for (std::size_t d = 0; d < p.left_labels.size(); ++d)
    extents[p.left_labels[d]] = p.left_shape[d];
  for (std::size_t d = 0; d < p.right_labels.size(); ++d)
    extents[p.right_labels[d]] = p.right_shape[d];
  std::vector<double> result(static_cast<std::size_t>(element_count(result_shape(p))), 0.0);
  std::int64_t count = 1;
  for (const auto& [label, extent] : extents) count *= extent;
  for (std::int64_t i = 0; i < count; ++i) {
    std::map<int, std::int64_t> index;
    std::int64_t rest = i;
    for (const auto& [label, extent] : extents) {
      index[label] = rest % extent;
      rest /= extent;
    }
    const auto offset = [&](const std::vector<int>& labels) {
      std::int64_t position = 0;
      for (int label : labels) position = position * extents[label] + index[label];
      return static_cast<std::size_t>(position);
    };
    result[offset(p.result_labels)] += left[offset(p.left_labels)] * right[offset(p.right_labels)];
  }
  return result;
}

Buffer stored(const std::vector<double>& values, DType type) {
  Buffer buffer(values.size() * element_size(type));
  for (std::size_t i = 0; i < values.size(); ++i) write_element(buffer.data(), type, i, values[i]);
  return buffer;
}

struct Outcome {
  std::vector<double> values;
  std::uint64_t clamped = 0;
};

Outcome contracted(const ContractionProblem& p, const std::vector<double>& left,
                   const std::vector<double>& right, MatmulSupport support = matmul_support()) {
  const LocalContraction contraction(p, support);
  const Buffer left_block = stored(left, p.left_type);
  const Buffer right_block = stored(right, p.right_type);
  const auto taken = [&](Side side, const Buffer& block, Buffer& packed) {
    if (contraction.packed_bytes(side) == 0) return block.data();
    contraction.pack(side, block.data(), packed.data());
    return const_cast<const std::byte*>(packed.data());
  };
  Buffer packed_left(contraction.packed_bytes(Side::Left));
  Buffer packed_right(contraction.packed_bytes(Side::Right));
  const std::byte* a = taken(Side::Left, left_block, packed_left);
  const std::byte* b = taken(Side::Right, right_block, packed_right);
  const auto count = static_cast<std::size_t>(element_count(result_shape(p)));
  Outcome outcome;
  Buffer result = stored(std::vector<double>(count, 77.0), p.result_type);
  Buffer scratch(contraction.scratch_bytes());
  LocalCall call(contraction, scratch.data());
  for (std::int64_t panel = contraction.panels(); panel-- > 0;) {
    outcome.clamped += call.run(panel, a, b, result.data());
  }
  for (std::size_t i = 0; i < count; ++i)
    outcome.values.push_back(read_element(result.data(), p.result_type, i));
  return outcome;
}

// Integers from −amplitude to amplitude.
std::vector<double> small_integers(const Extents& shape, int amplitude, std::uint64_t seed) {
  std::vector<double> values(static_cast<std::size_t>(element_count(shape)));
  for (double& value : values) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    value = static_cast<double>((seed >> 33) % static_cast<std::uint64_t>(2 * amplitude + 1)) -
            amplitude;
  }
  return values;
}

std::vector<double> rounded(std::vector<double> values, DType type) {
  for (double& value : values) value = rounded_to(type, value);
  return values;
}

// --- Random label patterns ---

int pick(int below) { return *rc::gen::resize(100, rc::gen::inRange(0, below)); }

std::vector<int> shuffled(std::vector<int> labels) {
  for (std::size_t i = labels.size(); i > 1; --i)
    std::swap(labels[i - 1], labels[static_cast<std::size_t>(pick(static_cast<int>(i)))]);
  return labels;
}

struct Types {
  DType left, right, result;
};
constexpr Types kTypes[] = {
    {DType::Fp32, DType::Fp32, DType::Fp32},  {DType::Bf16, DType::Bf16, DType::Bf16},
    {DType::Bf16, DType::Bf16, DType::Fp32},  {DType::Int8, DType::Int8, DType::Int8},
    {DType::Int8, DType::Int8, DType::Int32}, {DType::Fp64, DType::Fp64, DType::Fp64},
    {DType::Fp32, DType::Bf16, DType::Bf16},  {DType::Int32, DType::Int8, DType::Int32},
    {DType::Int8, DType::Bf16, DType::Fp32},
};

ContractionProblem random_problem() {
  ContractionProblem p;
  std::map<int, std::int64_t> extents;
  int next = 0;
  const auto add = [&](std::vector<std::vector<int>*> lists) {
    for (int count = pick(3); count > 0; --count) {
      const int chance = pick(24);  // 33 is long enough for the library on every instruction set
      extents[next] = chance == 0 ? 0 : chance < 5 ? 33 : 1 + pick(4);
      for (auto* list : lists) list->push_back(next);
      ++next;
    }
  };
  add({&p.left_labels, &p.right_labels, &p.result_labels});
  add({&p.left_labels, &p.right_labels});
  add({&p.left_labels, &p.result_labels});
  add({&p.right_labels, &p.result_labels});
  p.left_labels = shuffled(p.left_labels);
  p.right_labels = shuffled(p.right_labels);
  p.result_labels = shuffled(p.result_labels);
  for (int label : p.left_labels) p.left_shape.push_back(extents[label]);
  for (int label : p.right_labels) p.right_shape.push_back(extents[label]);
  const Types types = kTypes[pick(static_cast<int>(std::size(kTypes)))];
  p.left_type = types.left;
  p.right_type = types.right;
  p.result_type = types.result;
  return p;
}

std::int64_t products_of(const ContractionProblem& p) {
  std::map<int, std::int64_t> extents;
  for (std::size_t d = 0; d < p.left_labels.size(); ++d)
    extents[p.left_labels[d]] = p.left_shape[d];
  for (std::size_t d = 0; d < p.right_labels.size(); ++d)
    extents[p.right_labels[d]] = p.right_shape[d];
  std::int64_t products = 1;
  for (const auto& [label, extent] : extents) products *= extent;
  return products;
}

std::set<std::string> implementations;
int by_library = 0;

SHARD_PROPERTY(Kernels, EveryLabelPatternAgreesWithTheNaiveLoop, 2000) {
  const ContractionProblem p = random_problem();
  RC_PRE(products_of(p) < 50000);
  const auto seed = static_cast<std::uint64_t>(pick(1000));
  const auto left = small_integers(p.left_shape, 3, seed);
  const auto right = small_integers(p.right_shape, 3, seed + 1);
  const auto expected = rounded(naive(p, left, right), p.result_type);
  RC_ASSERT(contracted(p, left, right).values == expected);
  RC_ASSERT(contracted(p, left, right, kNothing).values == expected);
  const std::string name = LocalContraction(p, matmul_support()).implementation();
  implementations.insert(name);
  by_library += name == "plain" ? 0 : 1;
}

TEST(Kernels, RandomPatternsReachTheLibrary) {
  SHARD_COUNTS_IN_FULL_RUNS();
  EXPECT_GE(by_library, scaled_cases(300));
  for (const std::string& name : implementations)
    EXPECT_EQ(name.find("ref"), std::string::npos) << name;
}

// --- By name ---

ContractionProblem matrix_product(std::int64_t rows, std::int64_t sum, std::int64_t columns,
                                  DType type, DType result) {
  return {{0, 1}, {1, 2}, {0, 2}, {rows, sum}, {sum, columns}, type, type, result};
}

TEST(Kernels, LargeMatricesOfEveryOrderUseOptimisedCode) {
  for (DType type : {DType::Fp32, DType::Bf16, DType::Int8}) {
    if (type == DType::Int8 && !matmul_support().int8) continue;
    for (int bits = 0; bits < 8; ++bits) {
      ContractionProblem p = matrix_product(96, 96, 96, type, accumulation_type(type));
      if (bits & 1) std::reverse(p.left_labels.begin(), p.left_labels.end());
      if (bits & 2) std::reverse(p.right_labels.begin(), p.right_labels.end());
      if (bits & 4) std::reverse(p.result_labels.begin(), p.result_labels.end());
      const std::string name = LocalContraction(p, matmul_support()).implementation();
      EXPECT_NE(name, "plain") << bits;
      EXPECT_EQ(name.find("ref"), std::string::npos) << bits << " " << name;
    }
  }
}

TEST(Kernels, ExtremeInt8ProductsAreExact) {
  const ContractionProblem p = matrix_product(17, 1000, 33, DType::Int8, DType::Int32);
  std::vector<double> left(17 * 1000, -128.0);
  std::vector<double> right(1000 * 33, -128.0);
  for (std::size_t i = 0; i < left.size(); i += 3) left[i] = 127.0;
  for (std::size_t i = 0; i < right.size(); i += 5) right[i] = 127.0;
  EXPECT_EQ(contracted(p, left, right).values, naive(p, left, right));
  EXPECT_EQ(contracted(p, left, right, kNothing).values, naive(p, left, right));
}

TEST(Kernels, SumsOfIntegersSaturateOnlyWhereTheyAreStored) {
  const ContractionProblem p = matrix_product(1, 3, 1, DType::Int32, DType::Int32);
  const std::vector<double> ones(3, 1.0);
  const Outcome high = contracted(p, {2e9, 2e9, -1e9}, ones);
  EXPECT_EQ(high.values, (std::vector<double>{2147483647}));
  EXPECT_EQ(high.clamped, 1u);
  EXPECT_EQ(contracted(p, {2e9, 2e9, -3e9 + 1e9}, ones).values, (std::vector<double>{2e9}));
}

TEST(Kernels, LongSumsOfInt8DoNotWrap) {
  const std::int64_t length = std::int64_t{1} << 18;  // of products of 2^14: 2^32
  const ContractionProblem p = matrix_product(1, length, 1, DType::Int8, DType::Fp64);
  const std::vector<double> lowest(static_cast<std::size_t>(length), -128.0);
  EXPECT_EQ(contracted(p, lowest, lowest).values, (std::vector<double>{std::ldexp(1.0, 32)}));
}

TEST(Kernels, Int8ResultsSaturateAndAreCounted) {
  const ContractionProblem p = matrix_product(2, 64, 3, DType::Int8, DType::Int8);
  std::vector<double> left(2 * 64, 0.0);
  std::fill_n(left.begin(), 64, 100.0);  // first row
  const std::vector<double> right(64 * 3, 2.0);
  const Outcome outcome = contracted(p, left, right);
  EXPECT_EQ(outcome.values, (std::vector<double>{127, 127, 127, 0, 0, 0}));
  EXPECT_EQ(outcome.clamped, 3u);
}

TEST(Kernels, Bf16AccumulatesInFp32AndRoundsOnce) {
  const ContractionProblem p = matrix_product(1, 3000, 1, DType::Bf16, DType::Bf16);
  const std::vector<double> ones(3000, 1.0);  // in bf16 the sum would stick at 256
  EXPECT_EQ(contracted(p, ones, ones).values,
            (std::vector<double>{rounded_to(DType::Bf16, 3000.0)}));
}

TEST(Kernels, NansAndInfinitiesComeThrough) {
  for (DType type : {DType::Fp64, DType::Fp32, DType::Bf16}) {
    const ContractionProblem p = matrix_product(3, 16, 16, type, type);
    std::vector<double> left(3 * 16, 1.0);
    left[0] = std::nan("");
    left[16] = INFINITY;
    const Outcome outcome = contracted(p, left, std::vector<double>(16 * 16, 1.0));
    EXPECT_TRUE(std::isnan(outcome.values[0]));
    EXPECT_EQ(outcome.values[16], INFINITY);
    EXPECT_EQ(outcome.values[32], 16.0);
  }
}

TEST(Kernels, PanelsOfLargeProductsCoverTheResult) {
  for (const Types types : {kTypes[0], kTypes[1], kTypes[3]}) {
    ContractionProblem p = matrix_product(1024, 512, 512, types.left, types.result);
    std::reverse(p.left_labels.begin(), p.left_labels.end());
    std::reverse(p.left_shape.begin(), p.left_shape.end());
    EXPECT_GT(LocalContraction(p, matmul_support()).panels(), 1);
    std::vector<double> left(1024 * 512, 0.0);
    for (std::size_t i = 0; i < 1024; ++i)
      left[(i % 512) * 1024 + i] = 1.0;  // result row i is right row i mod 512
    const auto right = small_integers(p.right_shape, 100, 5);
    std::vector<double> expected(1024 * 512);
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = right[i % right.size()];
    EXPECT_EQ(contracted(p, left, right).values, expected);
  }
}

TEST(Kernels, AnEmptySumIsZero) {
  const ContractionProblem p = matrix_product(2, 0, 3, DType::Bf16, DType::Bf16);
  EXPECT_EQ(contracted(p, {}, {}).values, std::vector<double>(6, 0.0));
}

TEST(Kernels, NormalValuesAgreeWithinTheErrorOfTheSum) {
  const ContractionProblem p = matrix_product(40, 300, 50, DType::Fp32, DType::Fp32);
  auto left = small_integers(p.left_shape, 1000, 3);
  auto right = small_integers(p.right_shape, 1000, 4);
  for (auto* values : {&left, &right}) {
    for (double& value : *values) value = rounded_to(DType::Fp32, std::sin(value));
  }
  const auto expected = naive(p, left, right);
  const auto actual = contracted(p, left, right).values;
  for (std::size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i], 300 * 0x1p-24 * 10);
}

}  // namespace
}  // namespace shard::local_contraction_test
