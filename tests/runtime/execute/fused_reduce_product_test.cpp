#include "runtime/execute/fused_reduce_product.h"

#include <gtest/gtest.h>

#include <cstring>

#include "runtime/execute/emulator.h"
#include "tests/runtime/support/machines.h"
#include "tests/runtime/support/meshes.h"

namespace shard::fused_reduce_product_test {
namespace {

// Left[I_Y, J_X] · Right[J_X, K] → Partial[I_Y, K]{U_X} on a mesh {X: …, Y: …} or {X: …}, reduced to `reduced`; the partial
// sums are freed before the end. Or with all axes of a machine for X.
struct Script {
  Machine machine;
  Plan plan;
  CopyId partial;
  CopyId result;

  Script(const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& shape,
         DType dtype, CollectiveKind kind, const Layout& reduced)
      : Script(Machine{.mesh = mesh_of(sizes)}, {kX}, std::vector<AxisId>(sizes.size() - 1, kY),
               shape, dtype, kind, reduced) {}

  Script(Machine on, const std::vector<AxisId>& over, const std::vector<AxisId>& split,
         const std::vector<std::int64_t>& shape, DType dtype, CollectiveKind kind,
         const Layout& reduced)
      : machine(std::move(on)) {
    const Layout columns{.dims = {split, over}};
    const Layout rows{.dims = {over, {}}};
    const CopyId left = copy("Left", {shape[0], shape[1]}, columns, dtype);
    const CopyId right = copy("Right", {shape[1], shape[2]}, rows, dtype);
    partial =
        copy("Partial", {shape[0], shape[2]}, {.dims = {split, {}}, .unreduced = over}, dtype);
    result = copy("Result", {shape[0], shape[2]}, reduced, dtype);
    plan.steps.push_back({InputStep{left, "Left"}});
    plan.steps.push_back({InputStep{right, "Right"}});
    plan.steps.push_back({ContractStep{left, right, partial, {0, 1}, {1, 2}, {0, 2}}});
    // Operands may go before what is made of them is reduced.
    plan.steps.push_back({FreeStep{left}});
    plan.steps.push_back({CollectiveStep{kind, over, partial, result}});
    plan.steps.push_back({FreeStep{partial}});
  }

  CopyId copy(std::string name, const std::vector<std::int64_t>& shape, Layout layout,
              DType dtype) {
    Copy copy{.name = std::move(name), .dtype = dtype, .layout = std::move(layout)};
    for (const std::int64_t extent : shape) {
      copy.dimensions.edit().push_back("D");
      copy.shape.edit().push_back(Amount(extent));
    }
    return plan.copies.add(copy);
  }

  // The result's blocks; with `all`, partial sums are made as well. `seen`: whether they were.
  DeviceArray run_it(bool all, bool& seen) const {
    DeviceArray made;
    seen = false;
    RunOptions options{.threads = 2, .inputs = InputValues::Normal};
    options.observe = [&](CopyId copy, const DeviceArray& array) {
      seen = seen || copy == partial;
      if (copy == result) made = array;
    };
    if (!all) options.is_observed = [this](CopyId copy) { return copy == result; };
    EXPECT_FALSE(run(machine, plan, options).fault);
    return made;
  }
};

// Of normal inputs the order of addition shows in the last bits.
void expect_same_bits(const Script& script, bool is_made_at_once = true) {
  bool seen = false;
  const DeviceArray stored = script.run_it(true, seen);
  EXPECT_TRUE(seen);
  const DeviceArray at_once = script.run_it(false, seen);
  EXPECT_FALSE(seen && is_made_at_once);
  ASSERT_EQ(stored.shards.size(), at_once.shards.size());
  for (std::size_t s = 0; s < stored.shards.size(); ++s) {
    EXPECT_EQ(std::memcmp(stored.shards[s]->data(), at_once.shards[s]->data(), shard_bytes(stored)),
              0)
        << s;
  }
}

TEST(ReduceProduct, HasTheBitsOfTheTwoSteps) {
  const Layout whole{.dims = {{}, {}}};
  const Layout rows{.dims = {{kX}, {}}};
  const Layout columns{.dims = {{}, {kX}}};
  for (const DType dtype : {DType::Fp32, DType::Bf16}) {
    for (const std::int64_t devices : {8, 64}) {
      const std::vector<std::int64_t> shape{512, 4 * devices, 768};
      expect_same_bits({{devices}, shape, dtype, CollectiveKind::AllReduce, whole});
      expect_same_bits({{devices}, shape, dtype, CollectiveKind::ReduceScatter, rows});
      expect_same_bits({{devices}, shape, dtype, CollectiveKind::ReduceScatter, columns});
    }
  }
}

// Only devices that agree on Y are summed with one another.
TEST(ReduceProduct, OverOneOfTwoAxes) {
  const std::vector<std::int64_t> shape{1024, 64, 768};
  const Layout whole{.dims = {{kY}, {}}};
  const Layout rows{.dims = {{kY, kX}, {}}};
  const Layout columns{.dims = {{kY}, {kX}}};
  expect_same_bits({{16, 4}, shape, DType::Fp32, CollectiveKind::AllReduce, whole});
  expect_same_bits({{16, 4}, shape, DType::Fp32, CollectiveKind::ReduceScatter, rows});
  expect_same_bits({{16, 4}, shape, DType::Bf16, CollectiveKind::ReduceScatter, columns});
}

// Rows and columns that fill no tile, and a long sum beside those that are short.
TEST(ReduceProduct, OfAnySize) {
  const Layout whole{.dims = {{}, {}}};
  const Layout rows{.dims = {{kX}, {}}};
  const Layout columns{.dims = {{}, {kX}}};
  for (const std::int64_t terms : {1, 3, 32, 33}) {
    const std::vector<std::int64_t> shape{22 * 23, 22 * terms, 22 * 5};
    expect_same_bits({{22}, shape, DType::Fp32, CollectiveKind::AllReduce, whole}, terms <= 32);
    expect_same_bits({{22}, shape, DType::Fp32, CollectiveKind::ReduceScatter, rows}, terms <= 32);
    expect_same_bits({{22}, shape, DType::Bf16, CollectiveKind::ReduceScatter, columns},
                     terms <= 32);
  }
}

// Over several axes.
TEST(ReduceProduct, OfShortSumsOverAllOfASlice) {
  using namespace shard::testing;
  const Machine lines = machine(tpu_v4p(), {line("X", 6), line("Y", 10)});
  for (const Machine& on : {slice(tpu_v4p(), {4, 4, 4}), slice(tpu_v5e(), {8, 16}), lines}) {
    std::vector<AxisId> all;
    for (std::size_t a = 0; a < on.mesh.axes.size(); ++a)
      all.push_back(AxisId{static_cast<std::int32_t>(a)});
    const std::int64_t devices = length_of(all, on.mesh);
    const std::vector<std::int64_t> shape{2 * devices, 5 * devices, 3 * devices};
    const Layout whole{.dims = {{}, {}}};
    const Layout rows{.dims = {all, {}}};
    const Layout columns{.dims = {{}, all}};
    expect_same_bits({on, all, {}, shape, DType::Fp32, CollectiveKind::AllReduce, whole});
    expect_same_bits({on, all, {}, shape, DType::Fp32, CollectiveKind::ReduceScatter, rows});
    expect_same_bits({on, all, {}, shape, DType::Fp32, CollectiveKind::ReduceScatter, columns});
  }
}

TEST(ReduceProduct, NothingElseMayReadThePartialSums) {
  Script script({8}, {512, 32, 768}, DType::Fp32, CollectiveKind::AllReduce, {.dims = {{}, {}}});
  EXPECT_EQ(products_to_reduce(script.plan),
            (std::vector<bool>{false, false, true, false, false, false}));
  const CopyId other = script.copy("Other", {512, 768}, {.dims = {{}, {}}}, DType::Fp32);
  script.plan.steps.insert(
      script.plan.steps.end() - 1,
      Step{CollectiveStep{CollectiveKind::AllReduce, {kX}, script.partial, other}});
  EXPECT_FALSE(products_to_reduce(script.plan)[2]);
}

}  // namespace
}  // namespace shard::fused_reduce_product_test
