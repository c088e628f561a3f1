#include "interpreter/report/timeline_report.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/interpreter/support/scripts.h"

namespace shard::timeline_report_test {
namespace {

using Json = nlohmann::json;

Json trace_of(const std::string& text) {
  Session session(testing::running());
  const Outcome outcome = session.run("script", text);
  EXPECT_EQ(outcome.status, ExitStatus::Fine);
  return Json::parse(trace_json(outcome, session.state()));
}

const char* const kScript =
    "hardware TPUv5p 4x4\nmesh {X: 4, Y: 4}\nB = 512, D = 256, F = 1024\n"
    "W[D, F_Y] = AllGather_X W[D_X, F_Y]\nIn[B_X, D] · W[D, F_Y] → Out[B_X, F_Y]\n";

// What the format asks of every event (Trace Event Format, "Complete Events", "Metadata Events").
TEST(Trace, EventsHaveTheKeysOfTheFormat) {
  const Json trace = trace_of(kScript);
  ASSERT_TRUE(trace["traceEvents"].is_array());
  int complete = 0;
  for (const Json& event : trace["traceEvents"]) {
    EXPECT_TRUE(event["name"].is_string());
    EXPECT_TRUE(event["pid"].is_number_unsigned());
    EXPECT_TRUE(event["tid"].is_number_unsigned());
    if (event["ph"] == "M") {
      EXPECT_TRUE(event["args"]["name"].is_string());
      continue;
    }
    if (event["ph"] == "C") {
      EXPECT_GE(event["ts"].get<double>(), 0);
      EXPECT_GT(event["args"]["bytes"].get<double>(), 0);
      continue;
    }
    ASSERT_EQ(event["ph"], "X");
    EXPECT_GE(event["ts"].get<double>(), 0);
    EXPECT_GT(event["dur"].get<double>(), 0);
    EXPECT_TRUE(event["args"]["statement"].is_string());
    ++complete;
  }
  EXPECT_EQ(complete, 2);
}

TEST(Trace, ThreadsDoOneThingAtATimeAndHaveNames) {
  const Json trace = trace_of(kScript);
  std::set<std::pair<int, int>> named;
  std::map<std::pair<int, int>, double> until;
  for (const Json& event : trace["traceEvents"]) {
    const std::pair<int, int> thread = {event["pid"], event["tid"]};
    if (event["name"] == "thread_name") named.insert(thread);
    if (event["ph"] != "X") continue;
    EXPECT_EQ(named.count(thread), 1U);
    EXPECT_GE(event["ts"].get<double>(), until[thread] - 1e-9);
    until[thread] = event["ts"].get<double>() + event["dur"].get<double>();
  }
}

TEST(Trace, EveryPlaceIsAProcess) {
  const Json trace = trace_of(
      "hardware TPUv5p 2x2\nmesh {Z: 2, X: 2}\nL = 2, B = 64\nx[B]{Z=0} = relu(In[L_Z, B][0])\n");
  std::set<std::string> processes;
  for (const Json& event : trace["traceEvents"]) {
    if (event["name"] == "process_name") processes.insert(event["args"]["name"]);
  }
  EXPECT_EQ(processes, (std::set<std::string>{"devices at Z=0", "devices at Z=1"}));
}

TEST(TimelinePicture, WithoutSizesThereIsNone) {
  Session session(testing::running());
  const Outcome outcome = session.run("script", "mesh {X: 4}\nA[I_X] → B[I]");
  EXPECT_EQ(timeline_text(session.state().programs[0], outcome.programs[0].figures), "");
}

}  // namespace
}  // namespace shard::timeline_report_test
