// Properties for RapidCheck with a number of cases each, as Google tests.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string>

namespace shard {

// SHARD_PROPERTY_SCALE of the environment, 1 if it is not set.
inline double property_scale() {
  const char* scale = std::getenv("SHARD_PROPERTY_SCALE");
  return scale == nullptr ? 1.0 : std::atof(scale);
}

// `full` times the scale, at least 1.
inline int scaled_cases(int full) {
  return std::max(1, static_cast<int>(std::lround(full * property_scale())));
}

// How often random cases have to hit what they hit at least `full` times in a full run. A smaller
// run scatters more: four standard deviations below its share will do.
inline int scaled_minimum(double full) {
  if (property_scale() >= 1) return static_cast<int>(full * property_scale());
  const double share = full * property_scale();
  return std::max(0, static_cast<int>(share - 4 * std::sqrt(share)));
}

// How often random cases may miss what they miss at most `full` times in a full run.
inline int scaled_maximum(double full) {
  if (property_scale() >= 1) return static_cast<int>(full * property_scale());
  const double share = full * property_scale();
  return static_cast<int>(share + 4 * std::sqrt(share));
}

// Of cases that are not random one in so many is tried.
inline std::size_t scaled_step() {
  return static_cast<std::size_t>(std::max(1L, std::lround(1 / std::max(property_scale(), 1e-3))));
}

// Checks `property` on `scaled_cases(full)` random cases. A failure is shrunk, and printed with
// what brings it back.
inline void check_property(int full, void (*property)()) {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  rc::detail::TestMetadata metadata;
  metadata.id = std::string(test->test_suite_name()) + "/" + test->name();
  metadata.description = test->name();
  rc::detail::TestParams parameters = rc::detail::configuration().testParams;
  parameters.maxSuccess = scaled_cases(full);
  const rc::detail::TestResult result = rc::detail::checkTestable(property, metadata, parameters);
  if (result.is<rc::detail::SuccessResult>()) return;
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  ADD_FAILURE() << text.str() << "\nagain: RC_PARAMS=seed=" << parameters.seed
                << " and SHARD_PROPERTY_SCALE as it was";
}

}  // namespace shard

// In a test that counts how often random cases hit what matters: a run with few cases hits too little to be judged.
#define SHARD_COUNTS_IN_FULL_RUNS() \
  if (::shard::scaled_cases(1000) < 1000) GTEST_SKIP() << "too few random cases to count on"

// SHARD_PROPERTY(Printer, GivesTheSameTreeBack, 5000) { RC_ASSERT(…); }
#define SHARD_PROPERTY(Suite, Name, full)                                          \
  static void property_##Suite##_##Name();                                         \
  TEST(Suite, Name) { ::shard::check_property(full, &property_##Suite##_##Name); } \
  static void property_##Suite##_##Name()
