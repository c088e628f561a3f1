#include "runtime/machine/fault.h"

#include <optional>

#include "runtime/collective/run_hops.h"
#include "runtime/network/link_plan.h"
#include "runtime/network/link_simulation.h"
#include "runtime/network/routes.h"
#include "runtime/plan/device_layout.h"
#include "tests/property.h"
#include "tests/runtime/support/machines.h"

namespace shard::fault_test {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace)
using Kind = CollectiveKind;

constexpr Kind kKinds[] = {Kind::AllGather, Kind::ReduceScatter, Kind::AllReduce, Kind::AllToAll};

LinkPlace link(const Machine& machine, std::string_view axis, std::int64_t position) {
  return {axes(machine, axis).front(), 0, position};
}

Machine with_cut(Machine machine, std::string_view axis, std::int64_t position) {
  cut_link(machine.mesh, link(machine, axis, position));
  return machine;
}

Cost gather(const Machine& machine) {
  return collective(Kind::AllGather, machine, "X", {1 << 14, 1 << 14}, layout(machine, {"X", ""}),
                    layout(machine, {"", ""}));
}

// ------------------------------------------------------------ what it costs

TEST(Faults, ARingWithAFailedLinkCostsWhatALineCosts) {
  const Machine whole = machine(tpu_v5p(), {ring("X", 8)});
  const Machine as_line = machine(tpu_v5p(), {line("X", 8)});
  for (const std::int64_t position : {0, 3, 7}) {
    const Cost cost = gather(with_cut(whole, "X", position));
    EXPECT_EQ(cost.comms, gather(as_line).comms);
    EXPECT_FALSE(cost.severed);
  }
}

TEST(Faults, TwoFailedLinksOfARingSeverIt) {
  const Machine whole = machine(tpu_v5p(), {ring("X", 8), ring("Y", 4)});
  const Machine cut = with_cut(with_cut(whole, "X", 5), "X", 2);
  EXPECT_TRUE(gather(cut).severed);
  EXPECT_EQ(severed_text(axes(cut, "X"), cut.mesh), "links X[2] and X[5] have failed");
  EXPECT_EQ(severed_text(axes(cut, "Y"), cut.mesh), "");
  EXPECT_TRUE(gather(with_cut(machine(tpu_v5p(), {line("X", 4)}), "X", 1)).severed);
}

TEST(Faults, ASlowLinkMakesItsAxisAsSlow) {
  Machine slow = machine(tpu_v5p(), {ring("X", 8)});
  const double before = number(gather(slow).comms);
  slow_link(slow.mesh, link(slow, "X", 2), 10);
  EXPECT_NEAR(number(gather(slow).comms) / before, 10, 1e-9);
  cut_link(slow.mesh, link(slow, "X", 2));  // then nothing goes over it
  EXPECT_EQ(gather(slow).comms, gather(machine(tpu_v5p(), {line("X", 8)})).comms);
}

TEST(Faults, ASlowDeviceIsWaitedForWhereItTakesPart) {
  Machine slow = machine(tpu_v5p(), {ring("X", 4)});
  slow.faults.slow_devices = {{3, 2}};
  EXPECT_EQ(slowdown_of(layout(slow, {"X"}), slow), Rational(2));
  Layout placed = replicated(1);
  placed.placed = {{AxisId{0}, 1}};
  EXPECT_EQ(slowdown_of(placed, slow), Rational(1));
  placed.placed = {{AxisId{0}, 3}};
  EXPECT_EQ(slowdown_of(placed, slow), Rational(2));
}

TEST(Faults, AMachineHasTheFaultsThatHaveHappened) {
  Machine later = machine(tpu_v5p(), {ring("X", 8)});
  later.faults.links = {{link(later, "X", 3), Rational(2)}, {link(later, "X", 5), Rational(1)}};
  EXPECT_EQ(link_fault_times(later), (std::vector<Rational>{1, 2}));
  EXPECT_EQ(machine_at(later, Rational(1)).mesh.axes[AxisId{0}].torus[0].cuts,
            (std::vector<std::int64_t>{5}));
  EXPECT_EQ(machine_at(later, Rational(2)).mesh.axes[AxisId{0}].torus[0].cuts,
            (std::vector<std::int64_t>{3, 5}));
  EXPECT_FALSE(has_faults(without_faults(machine_at(later, Rational(2)))));
  EXPECT_EQ(fault_marks(later).front().text, "link X[5] fails");
}

// ------------------------------------------------------------ ways of single blocks

Routes one_block(const TorusAxis& axis, std::int64_t from, std::int64_t to) {
  Routes loads({{axis, false}});
  loads.send(from, to);
  return loads;
}

TEST(Faults, ABlockGoesTheOtherWayRound) {
  EXPECT_EQ(one_block({8, true, {1}}, 1, 2).hops(), 7);
  EXPECT_EQ(one_block({8, true, {1}}, 2, 1).hops(), 7);
  EXPECT_EQ(one_block({8, true, {7}}, 0, 7).hops(), 7);
  EXPECT_EQ(one_block({8, true, {1}}, 2, 4).hops(), 2);
  // Half way around there is one way only, which carries the whole block.
  EXPECT_EQ(one_block({8, true, {1}}, 0, 4).busiest(), Rational(1));
}

TEST(Faults, ABlockWithoutAWayIsSevered) {
  EXPECT_TRUE(one_block({8, true, {1, 5}}, 0, 4).is_severed());
  EXPECT_FALSE(one_block({8, true, {1, 5}}, 2, 4).is_severed());
  EXPECT_FALSE(one_block({8, true, {1, 5}}, 7, 1).is_severed());
  EXPECT_TRUE(one_block({4, false, {1}}, 0, 3).is_severed());
}

TEST(Faults, ASlowLinkCountsForTheBlocksThatPassIt) {
  EXPECT_EQ(one_block({8, true, {}, {{2, 10}}}, 1, 4).busiest(), Rational(10));
  EXPECT_EQ(one_block({8, true, {}, {{2, 10}}}, 3, 6).busiest(), Rational(1));
  EXPECT_EQ(one_block({8, true, {}, {{2, 10}}}, 4, 1).busiest(), Rational(10));
}

// ------------------------------------------------------------ schedules

// What the places hold after the hops, of the blocks that the collective is about.
std::vector<float> result(Kind kind, const Torus& torus, std::vector<std::int64_t>& carried) {
  constexpr std::int64_t kElements = 13;
  const auto places = static_cast<std::size_t>(torus.places());
  std::vector<std::vector<float>> data(places);
  PlaceBlocks blocks{{}, kElements, DType::Fp32, Combination::Sum};
  for (std::size_t p = 0; p < places; ++p) {
    for (std::size_t i = 0; i < places * kElements; ++i)
      data[p].push_back(static_cast<float>((p * 977 + i * 31) % 1009));
  }
  for (auto& place : data) blocks.places.push_back(reinterpret_cast<std::byte*>(place.data()));
  carried = run_hops(schedule_for(kind, torus, 0, std::nullopt), blocks, Executor(1));
  std::vector<float> all;
  for (std::size_t p = 0; p < places; ++p) {
    const bool own = kind == Kind::ReduceScatter;
    const auto begin = data[p].begin() + static_cast<std::ptrdiff_t>(own ? p * kElements : 0);
    all.insert(all.end(), begin, own ? begin + kElements : data[p].end());
  }
  return all;
}

std::int64_t carried_by_cuts(const Torus& torus, const std::vector<std::int64_t>& carried) {
  std::int64_t bytes = 0;
  for (std::size_t axis = 0; axis < torus.axes().size(); ++axis) {
    const TorusAxis& part = torus.axes()[axis];
    for (const std::int64_t cut : part.cuts) {
      for (std::int64_t place = 0; place < torus.places(); ++place) {
        if (torus.coordinate(place, axis) == cut) bytes += carried[torus.link(place, axis, true)];
        if (torus.coordinate(place, axis) == (cut + 1) % part.length)
          bytes += carried[torus.link(place, axis, false)];
      }
    }
  }
  return bytes;
}

// Axes as they were built, and some of them with a failed or a slow link, which leave all connected.
struct Pair {
  std::vector<TorusAxis> whole;
  std::vector<TorusAxis> faulty;
};

Pair random_axes() {
  Pair pair;
  const int count = *rc::gen::inRange(1, 4);
  for (int i = 0; i < count; ++i) {
    TorusAxis axis{*rc::gen::inRange<std::int64_t>(2, count == 3 ? 4 : 7),
                   *rc::gen::arbitrary<bool>()};
    pair.whole.push_back(axis);
    const std::int64_t place = *rc::gen::inRange<std::int64_t>(0, axis.links());
    const int fault = *rc::gen::inRange(0, 3);
    if (fault == 1 && axis.wraps) axis.cuts = {place};
    if (fault == 2) axis.slow = {{place, *rc::gen::inRange<std::int64_t>(1, 20)}};
    pair.faulty.push_back(axis);
  }
  return pair;
}

TEST(FaultProperties, DataArrivesAllTheSameAndNothingGoesOverAFailedLink) {
  check_property(200, [] {
    const Pair axes = random_axes();
    const Torus whole(axes.whole);
    const Torus faulty(axes.faulty);
    for (const Kind kind : kKinds) {
      std::vector<std::int64_t> carried;
      const auto expected = result(kind, whole, carried);
      RC_ASSERT(result(kind, faulty, carried) == expected);
      RC_ASSERT(carried_by_cuts(faulty, carried) == 0);
    }
  });
}

// By the formulas, and on the links.
TEST(FaultProperties, NothingBecomesFaster) {
  check_property(25, [] {
    const Pair axes = random_axes();
    const std::int64_t bytes = *rc::gen::inRange<std::int64_t>(1 << 12, 1 << 22);
    Machine whole{tpu_v5p(), {}};
    Machine faulty{tpu_v5p(), {}};
    Amount size = 1;
    for (const TorusAxis& axis : axes.whole) size = size * Amount(axis.length);
    whole.mesh.axes.add({"X", size, AxisKind::Ici, axes.whole, std::nullopt});
    faulty.mesh.axes.add({"X", size, AxisKind::Ici, axes.faulty, std::nullopt});
    const Amount length = size * size * Amount(bytes);
    for (const Kind kind : kKinds) {
      constexpr double kRounding = 1 - 1e-9;
      const auto links = [&](const std::vector<TorusAxis>& torus, double hop) {
        return seconds_on_links(kind, Torus(torus), bytes, {1e9, hop});
      };
      // Timetables are found greedily, and each is some per cent off the best one.
      RC_ASSERT(links(axes.faulty, 1e-8) >= 0.95 * links(axes.whole, 1e-8));
      RC_ASSERT(links(axes.faulty, 1e-6) >= 0.8 * links(axes.whole, 1e-6));
      const auto book = [&](const Machine& machine) {
        const Layout split{{{AxisId{0}}, {}}, {}};
        const Layout other{{{}, {AxisId{0}}}, {}};
        return number(cost_of_collective(kind, {AxisId{0}}, 0, array({length, length}, split),
                                         array({length, length}, other), machine)
                          .comms);
      };
      RC_ASSERT(book(faulty) >= kRounding * book(whole));
    }
  });
}

}  // namespace
}  // namespace shard::fault_test
