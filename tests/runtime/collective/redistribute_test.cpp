#include "runtime/collective/redistribute.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>

#include "base/contains.h"
#include "runtime/collective/collective_by_hops.h"
#include "runtime/collective/reduce.h"
#include "runtime/network/block_moves.h"
#include "tests/property.h"
#include "tests/runtime/support/random_layouts.h"

namespace shard::redistribute_test {
namespace {

using Coordinates = std::vector<std::int64_t>;
std::size_t at(AxisId axis) { return static_cast<std::size_t>(axis.value); }

// --- The model: every element of every device by search over all devices. It knows blocks only by this predicate. ---

bool holds(const Coordinates& device, const Layout& layout, const Extents& shape, const Mesh& mesh,
           Extents index) {
  for (std::size_t d = 0; d < shape.size(); ++d) {
    std::int64_t length = shape[d];
    for (AxisId axis : layout.dims[d]) {
      length /= *mesh.axes[axis].length();
      if (index[d] / length != device[at(axis)]) return false;
      index[d] %= length;
    }
  }
  return true;
}

std::vector<Extents> all_indices(const Extents& shape) {
  std::vector<Extents> indices;
  for (std::int64_t i = 0; i < element_count(shape); ++i) {
    Extents index(shape.size());
    std::int64_t rest = i;
    for (std::size_t d = shape.size(); d-- > 0;) {
      index[d] = rest % shape[d];
      rest /= shape[d];
    }
    indices.push_back(index);
  }
  return indices;
}

// A device's block by global position.
using NaiveBlock = std::map<Extents, double>;

NaiveBlock naive_block(const DeviceArray& array, const Coordinates& device, const Case& c) {
  NaiveBlock block;
  const std::vector<double> values = block_of(array, device, c.mesh);
  std::size_t next = 0;
  for (const Extents& index : all_indices(c.shape)) {
    if (holds(device, c.from, c.shape, c.mesh, index)) block[index] = values[next++];
  }
  return block;
}

// Whether `device` may read from `other`: they agree outside the collective, on axes that stay unreduced, and where there are
// replicas.
bool reads_from(const Coordinates& device, const Coordinates& other, const Case& c) {
  for (std::size_t a = 0; a < device.size(); ++a) {
    const AxisId axis{static_cast<std::int32_t>(a)};
    const bool free =
        contains(c.axes, axis) && uses(c.from, axis) && !contains(c.to.unreduced, axis);
    if (!free && device[a] != other[a]) return false;
  }
  return true;
}

std::vector<double> naive_result(const std::vector<NaiveBlock>& blocks, const Coordinates& device,
                                 const Case& c, DType storage) {
  std::vector<double> values;
  for (const Extents& index : all_indices(c.shape)) {
    if (!holds(device, c.to, c.shape, c.mesh, index)) continue;
    double sum = 0;
    for (std::size_t other = 0; other < blocks.size(); ++other) {
      if (!reads_from(device, coordinates(c.mesh, static_cast<std::int64_t>(other)), c)) continue;
      const auto found = blocks[other].find(index);
      if (found != blocks[other].end()) sum += found->second;
    }
    values.push_back(rounded_to(storage, sum));
  }
  return values;
}

// Sums, if the result is unreduced over fewer axes; else moves blocks.
std::uint64_t carry_out(const Case& c, const Executor& executor, const DeviceArray& operand,
                        DeviceArray& result) {
  if (operand.layout.unreduced == result.layout.unreduced)
    return redistribute(operand, c.axes, c.mesh, executor, result);
  const bool scatters = operand.layout.dims != result.layout.dims;
  const CollectiveStep step{
      .kind = scatters ? CollectiveKind::ReduceScatter : CollectiveKind::AllReduce,
      .axes = c.axes,
      .operand = {},
      .result = {}};
  return reduce(operand, step, c.mesh, executor, result);
}

// Checks the move of a case on all devices; what it does is visible to Google Test and RapidCheck alike.
bool agrees_with_model(const Case& c) {
  const DeviceArray operand = numbered_array(c.shape, c.dtype, c.from, c.mesh);
  const bool partial = !without_trivial_axes(c.to, c.mesh).unreduced.empty();
  DeviceArray result = outline(c.shape, c.dtype, partial ? operand.storage : c.dtype, c.to, c.mesh);
  carry_out(c, Executor(2), operand, result);
  std::vector<NaiveBlock> blocks;
  for (std::int64_t d = 0; d < *c.mesh.device_count(); ++d) {
    blocks.push_back(naive_block(operand, coordinates(c.mesh, d), c));
  }
  for (std::int64_t d = 0; d < *c.mesh.device_count(); ++d) {
    const Coordinates device = coordinates(c.mesh, d);
    if (block_of(result, device, c.mesh) != naive_result(blocks, device, c, result.storage))
      return false;
  }
  return true;
}

// --- Random cases ---

std::vector<AxisId> take_some(std::vector<AxisId>& axes, bool from_the_end) {
  std::vector<AxisId> taken;
  if (axes.empty()) return taken;
  const auto count = static_cast<std::size_t>(1 + pick(static_cast<int>(axes.size())));
  const auto begin = from_the_end ? axes.end() - static_cast<std::ptrdiff_t>(count) : axes.begin();
  taken.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
  axes.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
  return taken;
}

void append(std::vector<AxisId>& axes, const std::vector<AxisId>& more) {
  axes.insert(axes.end(), more.begin(), more.end());
}

std::vector<AxisId>& random_dimension(Layout& layout) {
  return layout.dims.edit()[static_cast<std::size_t>(pick(static_cast<int>(layout.rank())))];
}

enum class Kind { AllGather, ReduceScatter, AllReduce, AllToAll, Permute, Slice, Anything };
constexpr int kKinds = 7;

// Each axis goes to one of these dimensions.
void put_on_some(Layout& layout, const std::vector<AxisId>& axes,
                 const std::vector<std::size_t>& dimensions) {
  for (const AxisId axis : axes) {
    const auto d = dimensions[static_cast<std::size_t>(pick(static_cast<int>(dimensions.size())))];
    layout.dims.edit()[d].push_back(axis);
  }
}

std::vector<std::size_t> all_dimensions(const Layout& layout) {
  std::vector<std::size_t> all(layout.rank());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// Minor axes of some dimensions go to the others.
void exchange_at_random(Case& c) {
  std::vector<std::size_t> from;
  std::vector<std::size_t> to;
  for (std::size_t d = 0; d < c.to.rank(); ++d) (pick(2) == 0 ? from : to).push_back(d);
  if (to.empty()) return;
  for (const std::size_t d : from) append(c.axes, take_some(c.to.dims.edit()[d], true));
  put_on_some(c.to, c.axes, to);
}

// Axes in another order, or others that are equally long, used or not, in their place.
void permute_at_random(Case& c) {
  std::vector<AxisId> free;
  for (std::size_t a = 0; a < c.mesh.axes.size(); ++a) {
    const AxisId axis{static_cast<std::int32_t>(a)};
    if (!contains(c.from.unreduced, axis) && !place_on(c.from, axis)) free.push_back(axis);
  }
  std::rotate(free.begin(), free.begin() + pick(static_cast<int>(free.size()) + 1), free.end());
  for (auto& dim : c.to.dims.edit()) {
    for (AxisId& axis : dim) {
      const auto other = std::find_if(free.begin(), free.end(), [&](AxisId one) {
        return c.mesh.axes[one].length() == c.mesh.axes[axis].length();
      });
      axis = *other;
      free.erase(other);
    }
    if (dim.size() > 1) std::rotate(dim.begin(), dim.begin() + 1, dim.end());
  }
  c.axes = axes_concerned(c.from, c.to);
}

// Turns c.from into what a collective of this kind over c.axes makes of it.
void apply_random(Kind kind, Case& c) {
  c.to = c.from;
  switch (kind) {
    case Kind::AllGather:
      c.axes = take_some(random_dimension(c.to), true);
      return;
    case Kind::ReduceScatter:
      c.axes = take_some(c.to.unreduced.edit(), false);
      put_on_some(c.to, c.axes, all_dimensions(c.to));
      return;
    case Kind::AllReduce:
      c.axes = take_some(c.to.unreduced.edit(), false);
      return;
    case Kind::AllToAll:
      return exchange_at_random(c);
    case Kind::Permute:
      return permute_at_random(c);
    case Kind::Slice: {
      std::vector<AxisId> unused;
      for (std::size_t a = 0; a < c.mesh.axes.size(); ++a) {
        const AxisId axis{static_cast<std::int32_t>(a)};
        if (!uses(c.from, axis)) unused.push_back(axis);
      }
      append(random_dimension(c.to), take_some(unused, true));
      return;
    }
    case Kind::Anything:
      c.to = random_layout(c.mesh, c.from.rank());
      c.to.unreduced = c.from.unreduced;
      for (auto& dim : c.to.dims.edit())
        std::erase_if(dim, [&](AxisId axis) { return contains(c.from.unreduced, axis); });
      for (std::size_t a = 0; a < c.mesh.axes.size(); ++a)
        c.axes.push_back(AxisId{static_cast<std::int32_t>(a)});
      return;
  }
}

// Whether it is the same if every hop of the collective is carried out, on rings, lines and networks. Sums are of integers, so
// that the order of addition does not matter.
bool agrees_hop_by_hop(const Case& c, CollectiveKind kind) {
  const Machine machine = machine_with_random_links(c.mesh);
  const DeviceArray operand = numbered_array(c.shape, c.dtype, c.from, machine.mesh);
  const bool partial = !without_trivial_axes(c.to, machine.mesh).unreduced.empty();
  DeviceArray direct =
      outline(c.shape, c.dtype, partial ? operand.storage : c.dtype, c.to, machine.mesh);
  DeviceArray hops = direct;
  const CollectiveStep step{.kind = kind, .axes = c.axes, .operand = {}, .result = {}};
  if (!has_schedule(step, machine.mesh)) return true;
  if (kind == CollectiveKind::ReduceScatter || kind == CollectiveKind::AllReduce)
    reduce(operand, step, machine.mesh, Executor(2), direct);
  else
    redistribute(operand, c.axes, machine.mesh, Executor(1), direct);
  exchange_by_hops(operand, step, machine, Executor(1), hops);
  for (std::size_t s = 0; s < direct.shards.size(); ++s) {
    if (std::memcmp(direct.shards[s]->data(), hops.shards[s]->data(), shard_bytes(direct)) != 0)
      return false;
  }
  return true;
}

// Blocks of more than a tile, rows that are cut, three axes of a torus, networks.
SHARD_PROPERTY(Redistribute, LargeSumsAgreeHopByHop, 30) {
  const std::vector<AxisId> all = {kX, kY, kZ};
  const DType dtype = pick(2) == 0 ? DType::Fp32 : DType::Bf16;
  const Case reduced{mesh_of({4, 3, 4}), {50, 1000}, {{{}, {}}, all}, {{{}, {}}, {}}, all, dtype};
  RC_ASSERT(agrees_hop_by_hop(reduced, CollectiveKind::AllReduce));
  const Case scattered{mesh_of({4, 2, 4}), {50, 960}, {{{}, {}}, all}, {{{}, all}, {}}, all, dtype};
  RC_ASSERT(agrees_hop_by_hop(scattered, CollectiveKind::ReduceScatter));
  const Case along{mesh_of({8, 3}), {6999, 3}, {{{kY}, {}}, {kX}}, {{{kY}, {}}, {}}, {kX}, dtype};
  RC_ASSERT(agrees_hop_by_hop(along, CollectiveKind::AllReduce));
}

std::map<Kind, int> moved_by_kind;
int several_axes_on_a_dimension = 0;

SHARD_PROPERTY(Redistribute, AgreesWithTheModelOnRandomMeshes, 1000) {
  Case c;
  c.mesh = random_mesh();
  const auto kind = static_cast<Kind>(pick(kKinds));
  c.from = random_layout(c.mesh, static_cast<std::size_t>(1 + pick(4)));
  apply_random(kind, c);
  c.shape = random_shape(c);
  const DType dtypes[] = {DType::Fp32, DType::Bf16, DType::Int8, DType::Fp64};
  c.dtype = dtypes[pick(4)];
  RC_ASSERT(agrees_with_model(c));
  const bool moves = without_trivial_axes(c.from, c.mesh) != without_trivial_axes(c.to, c.mesh);
  if (moves && element_count(c.shape) > 0) {
    const std::map<Kind, CollectiveKind> scheduled = {
        {Kind::AllGather, CollectiveKind::AllGather},
        {Kind::ReduceScatter, CollectiveKind::ReduceScatter},
        {Kind::AllReduce, CollectiveKind::AllReduce},
        {Kind::AllToAll, CollectiveKind::AllToAll},
        {Kind::Permute, CollectiveKind::CollectivePermute}};
    const auto known = scheduled.find(kind);
    if (known != scheduled.end()) RC_ASSERT(agrees_hop_by_hop(c, known->second));
    ++moved_by_kind[kind];
    const auto several = [](const auto& dim) { return dim.size() > 1; };
    if (std::any_of(c.from.dims.begin(), c.from.dims.end(), several)) ++several_axes_on_a_dimension;
  }
}

TEST(Redistribute, RandomMeshesHitEveryCollective) {
  SHARD_COUNTS_IN_FULL_RUNS();
  for (int kind = 0; kind < kKinds; ++kind) {
    EXPECT_GE(moved_by_kind[static_cast<Kind>(kind)], scaled_cases(3)) << kind;
  }
  EXPECT_GE(several_axes_on_a_dimension, scaled_cases(20));
}

// --- By name ---

TEST(Redistribute, ReordersTheAxesOfADimension) {
  Case c{mesh_of({2, 3}), {12}, {{{kX, kY}}, {}}, {{{kY, kX}}, {}}, {kX, kY}};
  EXPECT_TRUE(agrees_with_model(c));
}

TEST(Redistribute, GathersAMajorAxis) {
  Case c{mesh_of({2, 3}), {12, 2}, {{{kX, kY}, {}}, {}}, {{{kY}, {}}, {}}, {kX, kY}};
  EXPECT_TRUE(agrees_with_model(c));
}

TEST(Redistribute, KeepsOtherPartialSumsApart) {
  Case c{mesh_of({2, 3}), {6}, {{{}}, {kX, kY}}, {{{kX}}, {kY}}, {kX}, DType::Bf16};
  EXPECT_TRUE(agrees_with_model(c));
}

TEST(Redistribute, LargeBlocksAreCutAndStillRight) {
  const Mesh mesh = mesh_of({2, 2});
  const Layout from{{{kX}, {}}, {}};
  const DeviceArray operand = numbered_array({1024, 2048}, DType::Fp32, from, mesh);
  DeviceArray result = outline({1024, 2048}, DType::Fp32, DType::Fp32, {{{}, {kY}}, {}}, mesh);
  redistribute(operand, {kX, kY}, mesh, Executor(4), result);
  EXPECT_EQ(assemble(result, mesh).values, assemble(operand, mesh).values);
}

// A case whose devices hold these partial sums along X.
Case sums_along_x(std::int64_t devices, std::int64_t elements, DType dtype) {
  return {mesh_of({devices}), {elements}, {{{}}, {kX}}, {{{}}, {}}, {kX}, dtype};
}

DeviceArray partial_sums(const Case& c, const std::vector<std::vector<double>>& partials) {
  DeviceArray operand = outline(c.shape, c.dtype, accumulation_type(c.dtype), c.from, c.mesh);
  allocate_missing(operand);
  for (std::size_t s = 0; s < partials.size(); ++s) {
    for (std::size_t i = 0; i < partials[s].size(); ++i)
      write_element(operand.shards[s]->data(), operand.storage, i, partials[s][i]);
  }
  return operand;
}

TEST(Reduce, SumsInTheAccumulationTypeAndRoundsOnce) {
  const Case c = sums_along_x(3, 1, DType::Bf16);
  // In bf16, 256 + 1 would stay 256 twice.
  const DeviceArray operand = partial_sums(c, {{256.0}, {1.0}, {1.0}});
  DeviceArray result = outline(c.shape, c.dtype, c.dtype, c.to, c.mesh);
  carry_out(c, Executor(1), operand, result);
  EXPECT_EQ(assemble(result, c.mesh).values, (Numbers{258.0}));
}

TEST(Reduce, AddsInTheOrderOfTheDevices) {
  Case c{mesh_of({3, 2}), {3}, {{{}}, {kX, kY}}, {{{}}, {}}, {kX, kY}, DType::Fp32};
  // (2^24 + 1) − 2^24 is 0 in fp32, in another order 1.
  const std::vector<std::vector<double>> partials = {
      {0x1p24, 1.0, 0x1p24},   {1.0, 0.0, 0.0}, {-0x1p24, 0x1p24, 0.0},
      {0.0, -0x1p24, -0x1p24}, {0.0, 1.0, 1.0}, {0.0, 0.0, 0.0}};
  for (const auto& axes : {std::vector<AxisId>{kX, kY}, std::vector<AxisId>{kY, kX}}) {
    c.axes = axes;
    const DeviceArray operand = partial_sums(c, partials);
    DeviceArray result = outline(c.shape, c.dtype, c.dtype, c.to, c.mesh);
    carry_out(c, Executor(1), operand, result);
    EXPECT_EQ(assemble(result, c.mesh).values, (Numbers{0.0, 1.0, 1.0}));
  }
}

TEST(Reduce, CountsSaturatedElementsOfDistinctShards) {
  Case c = sums_along_x(2, 2, DType::Int8);
  c.mesh = mesh_of({2, 2});
  const DeviceArray operand = partial_sums(c, {{100.0, 50.0}, {100.0, 50.0}});
  DeviceArray result = outline(c.shape, c.dtype, c.dtype, c.to, c.mesh);
  EXPECT_EQ(carry_out(c, Executor(1), operand, result), 1u);
  EXPECT_EQ(assemble(result, c.mesh).values, (Numbers{127.0, 100.0}));
}

TEST(Redistribute, ResultsOfACollectiveAreSharedBetweenReplicas) {
  const Mesh mesh = mesh_of({4, 2});
  const DeviceArray operand = numbered_array({8}, DType::Fp32, {{{kX}}, {}}, mesh);
  DeviceArray result = outline({8}, DType::Fp32, DType::Fp32, {{{}}, {}}, mesh);
  redistribute(operand, {kX}, mesh, Executor(1), result);
  EXPECT_EQ(result.shards.size(), 1u);
}

TEST(Redistribute, ABlockThatStaysOnItsDeviceKeepsItsBuffer) {
  const Mesh mesh = mesh_of({4, 1});
  const DeviceArray operand = numbered_array({8}, DType::Fp32, {{{kX, kY}}, {}}, mesh);
  DeviceArray result = outline({8}, DType::Fp32, DType::Fp32, {{{kX}}, {}}, mesh);
  redistribute(operand, {kY}, mesh, Executor(1), result);
  EXPECT_EQ(result.shards, operand.shards);
}

TEST(RedistributeDeathTest, ASliceDoesNotCommunicate) {
  const Mesh mesh = mesh_of({2, 2});
  const DeviceArray operand = numbered_array({8}, DType::Fp32, {{{kY}}, {}}, mesh);
  DeviceArray result = outline({8}, DType::Fp32, DType::Fp32, {{{kX, kY}}, {}}, mesh);
  EXPECT_DEATH(redistribute(operand, {}, mesh, Executor(1), result), "internal error");
}

}  // namespace
}  // namespace shard::redistribute_test
