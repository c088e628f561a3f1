// Memory and totals of random programs with placed arrays, against a recomputation device by device and step by step from
// the times on the timeline. It shares nothing with what it checks but the plan, its prices and its times.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/interpreter/properties/one_device.h"
#include "tests/interpreter/properties/placed_program.h"
#include "tests/interpreter/support/scripts.h"
#include "tests/property.h"

namespace shard::schedule_property_test {
namespace {

using testing::Device;
using testing::PlacedProgram;
using testing::plain;

// One for each place on Z, which is all that arrays are placed on.
std::vector<Device> devices_of(const Program& program, const Figures& figures) {
  std::vector<Device> devices;
  for (std::int64_t z = 0; z < 3; ++z)
    devices.emplace_back(program, figures, std::vector<std::int64_t>{z, 0, 0});
  return devices;
}

void expect_near(double said, double own, const char* what) {
  EXPECT_NEAR(said, own, 1e-9 * own) << what;
}

template <class Of>
double most(const std::vector<Device>& devices, const Of& of) {
  double highest = 0;
  for (const Device& device : devices) highest = std::max(highest, of(device));
  return highest;
}

void compare_totals(const Program& program, const Figures& figures,
                    const std::vector<Device>& devices) {
  const auto busiest = [&](const auto& figure) {
    return most(devices, [&](const Device& device) {
      return device.sum([&](std::size_t i) { return figure(*program.steps[i].cost); });
    });
  };
  const auto math = [](const Cost& cost) { return plain(cost.math); };
  const auto hbm = [](const Cost& cost) { return plain(cost.hbm); };
  const auto comms = [](const Cost& cost) { return plain(cost.comms); };
  const auto amount = [](Amount Cost::*figure) {
    return [figure](const Cost& cost) { return plain(Formula(cost.*figure)); };
  };
  const Totals& said = figures.totals.most;
  expect_near(plain(said.flops), busiest(amount(&Cost::flops)), "FLOPs");
  expect_near(plain(said.comm_bytes), busiest(amount(&Cost::comm_bytes)), "bytes moved");
  expect_near(plain(said.hbm_bytes), busiest(amount(&Cost::hbm_bytes)), "bytes of HBM");
  expect_near(plain(said.math), busiest(math), "T_math");
  expect_near(plain(said.hbm), busiest(hbm), "T_hbm");
  expect_near(plain(said.comms), busiest(comms), "T_comms");
  expect_near(plain(said.lower), std::max(busiest(math), busiest(comms)), "lower");
  expect_near(plain(said.upper),
              busiest([&](const Cost& cost) { return math(cost) + comms(cost); }), "upper");
  expect_near(plain(said.time), busiest([&](const Cost& cost) {
                return std::max(math(cost), hbm(cost)) + comms(cost);
              }),
              "time");
}

struct Hits {
  int programs = 0;
  int overlapped = 0;  // the peaks of the two schedules differ
  int lower = 0;       // that of the timeline is the lower one
  int placed = 0;
  int in_place = 0;
  int replaced = 0;
  int failed = 0;
};

void count(const Program& program, const Figures& figures, Hits& hits) {
  ++hits.programs;
  const double peak = plain(figures.memory.peak.bytes);
  const double in_order = plain(figures.memory.in_order);
  hits.overlapped += peak != in_order ? 1 : 0;
  hits.lower += peak < in_order ? 1 : 0;
  hits.placed += figures.totals.comms_by_axis.size() > 1 ? 1 : 0;
  hits.failed += figures.faults.failure ? 1 : 0;
  hits.replaced += program.ended.size() > 0 ? 1 : 0;
  for (const Step& step : program.plan.steps) {
    const auto* elements = std::get_if<ElementwiseStep>(&step.action);
    if (elements != nullptr && elements->in_place.valid()) return void(++hits.in_place);
  }
}

void check(const std::string& text, Hits& hits) {
  SCOPED_TRACE(text);
  SessionOptions options;
  options.execution.estimate = true;
  const testing::Ran ran(text, options);
  if (ran.outcome.status == ExitStatus::ProgramErrors) {
    ADD_FAILURE() << ran.outcome.diagnostics.front().message;
    return;
  }
  const Program& program = ran.session.state().programs.front();
  const Figures& figures = ran.outcome.programs.front().figures;
  ASSERT_TRUE(figures.timeline.has_value());
  const std::vector<Device> devices = devices_of(program, figures);
  compare_totals(program, figures, devices);
  expect_near(plain(figures.memory.peak.bytes),
              most(devices, [](const Device& device) { return device.peak(true); }), "peak");
  expect_near(plain(figures.memory.in_order),
              most(devices, [](const Device& device) { return device.peak(false); }),
              "peak in order");
  count(program, figures, hits);
}

TEST(Schedules, AreWhatEachDeviceDoesAndHolds) {
  Hits hits;
  std::mt19937 random(20241);
  const int cases = scaled_cases(1500);
  for (int i = 0; i < cases && !::testing::Test::HasFailure(); ++i)
    check(PlacedProgram(random).script(), hits);
  SHARD_COUNTS_IN_FULL_RUNS();
  EXPECT_GE(hits.programs, 1000);
  for (const int hit : {hits.placed, hits.in_place, hits.replaced}) EXPECT_GE(hit, 50);
  for (const int hit : {hits.overlapped, hits.lower, hits.failed}) EXPECT_GE(hit, 10);
}

}  // namespace
}  // namespace shard::schedule_property_test
