#include "runtime/execute/run_reduction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "runtime/execute/input_values.h"
#include "runtime/execute/run_transpose.h"
#include "tests/runtime/support/meshes.h"

namespace shard::run_reduction_test {
namespace {

DeviceArray filled(const Extents& shape, DType dtype,
                   const std::function<double(std::size_t)>& value) {
  DeviceArray array = outline(shape, dtype, dtype,
                              {std::vector<std::vector<AxisId>>(shape.size()), {}}, mesh_of({1}));
  allocate_missing(array);
  for (std::size_t i = 0; i < static_cast<std::size_t>(element_count(shape)); ++i)
    write_element(array.shards[0]->data(), dtype, i, value(i));
  return array;
}

// Labels are the numbers of the operand's dimensions.
DeviceArray reduced(const DeviceArray& operand, ReductionKind kind, const std::vector<int>& kept,
                    int threads = 2) {
  ReductionStep step{
      .kind = kind, .operand = {}, .result = {}, .operand_labels = {}, .result_labels = kept};
  for (std::size_t d = 0; d < operand.shape.size(); ++d)
    step.operand_labels.edit().push_back(static_cast<int>(d));
  Extents shape;
  for (const int label : kept) shape.push_back(operand.shape[static_cast<std::size_t>(label)]);
  DeviceArray result = outline(shape, operand.dtype, accumulation_type(operand.dtype),
                               {std::vector<std::vector<AxisId>>(shape.size()), {}}, mesh_of({1}));
  reduce_elements(operand, step, mesh_of({1}), Executor(threads), result);
  return result;
}

// One running sum of fp32 stopped at 2^24, which made the mean of 2^25 ones 1/2.
TEST(ReductionRun, LongSumsGrowToTheirEnd) {
  constexpr std::int64_t kTerms = std::int64_t{1} << 25;
  for (const Extents& shape : {Extents{kTerms}, Extents{kTerms, 1}, Extents{kTerms / 8, 2, 4}}) {
    const DeviceArray ones = filled(shape, DType::Bf16, [](std::size_t) { return 1; });
    EXPECT_EQ(assemble(reduced(ones, ReductionKind::Mean, {}), mesh_of({1})).values[0], 1.0);
  }
  const DeviceArray columns = filled({kTerms, 2}, DType::Bf16, [](std::size_t) { return 1; });
  EXPECT_EQ(assemble(reduced(columns, ReductionKind::Sum, {1}), mesh_of({1})).values,
            Numbers(2, kTerms));
}

// Every choice of dimensions that stay, in any order, of shapes that reach over blocks, lines and tasks.
TEST(ReductionRun, AddsWhatBelongsTogether) {
  const std::vector<Extents> shapes = {{3, 5, 7},    {5000, 3, 2}, {2, 3, 9001},
                                       {3, 1100, 5}, {2, 1, 1300}, {70000, 1, 1}};
  const std::vector<std::vector<int>> choices = {{},     {0},    {1},    {2},    {0, 1},
                                                 {1, 0}, {0, 2}, {2, 0}, {1, 2}, {2, 1, 0}};
  for (const Extents& shape : shapes) {
    const DeviceArray operand = filled(
        shape, DType::Int8, [](std::size_t i) { return static_cast<double>(i * 7919 % 101) - 50; });
    for (const std::vector<int>& kept : choices) {
      for (const ReductionKind kind :
           {ReductionKind::Sum, ReductionKind::Max, ReductionKind::Min}) {
        const auto values = assemble(reduced(operand, kind, kept), mesh_of({1})).values;
        Numbers expected(values.size(), kind == ReductionKind::Sum ? 0 : NAN);
        for (std::size_t i = 0; i < static_cast<std::size_t>(element_count(shape)); ++i) {
          const auto at = static_cast<std::int64_t>(i);
          const Extents index{at / (shape[1] * shape[2]), at / shape[2] % shape[1], at % shape[2]};
          std::int64_t to = 0;
          for (const int label : kept)
            to = to * shape[static_cast<std::size_t>(label)] +
                 index[static_cast<std::size_t>(label)];
          double& sum = expected[static_cast<std::size_t>(to)];
          const double value = read_element(operand.shards[0]->data(), DType::Int8, i);
          sum = kind == ReductionKind::Sum   ? sum + value
                : kind == ReductionKind::Max ? std::fmax(sum, value)
                                             : std::fmin(sum, value);
        }
        EXPECT_EQ(values, expected);
      }
    }
  }
}

TEST(ReductionRun, HasTheSameBitsOnAnyNumberOfThreads) {
  const DeviceArray operand = filled(
      {9, 20000, 3}, DType::Fp32, [](std::size_t i) { return std::sin(static_cast<double>(i)); });
  for (const std::vector<int>& kept : {std::vector<int>{}, {0}, {2}, {0, 2}}) {
    EXPECT_EQ(assemble(reduced(operand, ReductionKind::Sum, kept, 1), mesh_of({1})).values,
              assemble(reduced(operand, ReductionKind::Sum, kept, 3), mesh_of({1})).values);
  }
}

// Ctrl-C was looked for between shards only, so that a step of one large shard went on for many seconds.
TEST(ReductionRun, StepsOfOneShardCanBeCancelled) {
  const Mesh mesh = mesh_of({1});
  const Layout layout{{{}, {}}, {}};
  int looks = 0;
  const Executor executor(1, [&looks] { return ++looks > 1; });
  DeviceArray input = outline({1000, 3000}, DType::Int8, DType::Int8, layout, mesh);
  EXPECT_THROW(fill_input(InputValues::Integers, {}, mesh, executor, input), Cancelled);
  const ReductionStep sum{.kind = ReductionKind::Sum,
                          .operand = {},
                          .result = {},
                          .operand_labels = {0, 1},
                          .result_labels = {0}};
  DeviceArray sums = outline({1000}, DType::Int8, DType::Int8, {{{}}, {}}, mesh);
  looks = 0;
  EXPECT_THROW(reduce_elements(input, sum, mesh, executor, sums), Cancelled);
  DeviceArray transposed = outline({3000, 1000}, DType::Int8, DType::Int8, layout, mesh);
  looks = 0;
  EXPECT_THROW(transpose(input, {1, 0}, executor, transposed), Cancelled);
}

// Parts of a shard that are filled and transposed one by one make the whole.
TEST(ReductionRun, PartsOfOneShardMakeTheWhole) {
  const Mesh mesh = mesh_of({2});
  DeviceArray input = outline({3000, 1002}, DType::Fp32, DType::Fp32, {{{}, {kX}}, {}}, mesh);
  fill_input(InputValues::Normal, {}, mesh, Executor(2), input);
  const auto values = assemble(input, mesh).values;
  for (std::size_t i = 0; i < values.size(); i += 997)
    ASSERT_EQ(values[i], rounded_to(DType::Fp32, input_value(InputValues::Normal, "", i)));
  DeviceArray turned = outline({1002, 3000}, DType::Fp32, DType::Fp32, {{{kX}, {}}, {}}, mesh);
  transpose(input, {1, 0}, Executor(2), turned);
  const auto there = assemble(turned, mesh).values;
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(there[i % 1002 * 3000 + i / 1002], values[i]);
}

}  // namespace
}  // namespace shard::run_reduction_test
