#include "interpreter/report/text_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/format.h"
#include "interpreter/program/step_text.h"
#include "interpreter/report/shown_statements.h"
#include "interpreter/report/statement_rows.h"
#include "tests/interpreter/support/scripts.h"

namespace shard::text_report_test {
namespace {

using Json = nlohmann::json;
using testing::Ran;
using testing::running;

const std::string kScript = R"(
hardware TPUv5p 4x4x4
mesh {X: 4x4, Y: 4}
B = 128, D = 256, F = 512
In: bf16[B_X, D_Y]
Win: bf16[D_X, F_Y]
Wout: bf16[F_Y, D_X]
In[B_X, D_Y] ·_D Win[D_X, F_Y] ·_F Wout[F_Y, D_X] → Out2[B_X, D_Y]
Win[D, F_Y] = AllGather_X Win[D_X, F_Y]; Win[D, F_Y] = AllGather_X Win[D_X, F_Y]
why
print 2*B*D*F, bytes(In)
expect 2*B = 256
expect B < 4
A_name_that_is_quite_long[B_X, D_Y] · Another_name_that_is_quite_long[D_X, F_Y] → The_third_of_them_is_long_as_well[B_X, F_Y]
)";

const Ran& ran() {
  static const Ran instance(kScript, running());
  return instance;
}
std::string text_of(const Ran& one, bool verbose = false) {
  return text_report(one.outcome, one.session.state(), {.verbose = verbose});
}
Json json_of(const Ran& one) {
  return Json::parse(json_report(one.outcome, one.session.state(), one.session.sources()));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::set<std::string> keys_of(const Json& json) {
  std::set<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.insert(key);
  return keys;
}

// The text shows a step without what it leaves, which the next line takes up.
std::string shown(const std::string& step) { return step.substr(0, step.find(" → ")); }

using Keys = std::set<std::string>;

TEST(TextReport, LinesAreAtMostAHundredColumnsWide) {
  int lines = 0;
  for (const std::string& line : lines_of(text_of(ran(), true))) {
    // A statement as the script writes it is as wide as it is; it stands alone.
    const bool long_name = line.find("_quite_long") != std::string::npos;
    if (!long_name) {
      EXPECT_LE(display_width(line), 100U) << line;
    }
    ++lines;
  }
  EXPECT_GT(lines, 15);
}

TEST(TextReport, FiguresBesideLongNamesStayInTheirColumns) {
  for (const std::string& line : lines_of(text_of(ran()))) {
    if (line.find("_quite_long") == std::string::npos) continue;
    if (display_width(line) > 100) {
      EXPECT_EQ(line.find(" us"), std::string::npos) << line;
    }
  }
}

TEST(TextReport, NoLineEndsInBlanks) {
  for (const std::string& line : lines_of(text_of(ran())))
    EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
}

TEST(TextReport, IsTheSameEveryTime) {
  EXPECT_EQ(text_of(Ran(kScript, running())), text_of(ran()));
}

TEST(TextReport, IsTheSameForEveryNumberOfThreads) {
  for (const int threads : {1, 3, 7}) {
    SessionOptions options = running();
    options.execution.threads = threads;
    EXPECT_EQ(text_of(Ran(kScript, options)), text_of(ran())) << threads;
  }
}

TEST(TextReport, SaysWhatTheMachineIs) {
  EXPECT_NE(text_of(ran()).find("TPUv5p 4x4x4"), std::string::npos) << text_of(ran());
  EXPECT_NE(text_of(ran()).find("64 devices"), std::string::npos);
}

TEST(TextReport, ShowsEveryStep) {
  const std::string text = text_of(ran());
  const Program& program = ran().session.state().programs.front();
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const std::string step = step_text(program, i);
    EXPECT_NE(text.find(shown(step)), std::string::npos) << step;
  }
}

TEST(TextReport, CountsFailedExpectations) {
  EXPECT_NE(text_of(ran()).find("1 of 2 expectations failed"), std::string::npos);
}

TEST(TextReport, OfAnIncrementShowsOnlyThatInput) {
  Session session(testing::interactive());
  session.run("1", "mesh {X: 4}\nI = 64\nA[I_X] → B[I]");
  const Outcome outcome = session.run("2", "C[I_X] → D[I]");
  const std::string text =
      text_report(outcome, session.state(), {.verbose = false, .incremental = true});
  EXPECT_NE(text.find("D[I]"), std::string::npos) << text;
  EXPECT_EQ(text.find("B[I]"), std::string::npos) << text;
}

TEST(TextReport, OfNothingIsShort) { EXPECT_LT(lines_of(text_of(Ran("", running()))).size(), 3U); }

TEST(JsonReport, HasTheDocumentedKeys) {
  const Json json = json_of(ran());
  EXPECT_EQ(keys_of(json), (Keys{"schema", "status", "programs", "entries", "diagnostics"}));
  EXPECT_EQ(json["schema"], 2);
  ASSERT_EQ(json["programs"].size(), 1U);
  const Json& program = json["programs"][0];
  EXPECT_EQ(keys_of(program),
            (Keys{"machine", "inputs", "statements", "totals", "streams", "memory", "execution"}));
  EXPECT_EQ(keys_of(program["machine"]), (Keys{"chip", "axes", "model", "devices"}));
  EXPECT_EQ(keys_of(program["totals"]),
            (Keys{"flops", "comm_bytes", "hbm_bytes", "math", "hbm", "comms", "bound", "time",
                  "lower", "upper", "timeline", "exposed", "critical", "peak_memory",
                  "peak_memory_in_order", "comms_by_axis"}));
  for (const Json& statement : program["statements"])
    EXPECT_EQ(keys_of(statement), (Keys{"text", "file", "line", "steps", "cost", "ways"}));
  for (const Json& input : program["inputs"])
    EXPECT_EQ(keys_of(input), (Keys{"array", "dtype", "bytes"}));
}

TEST(JsonReport, QuantitiesHaveValueUnitAndText) {
  const Json totals = json_of(ran())["programs"][0]["totals"];
  EXPECT_EQ(keys_of(totals["time"]), (Keys{"value", "unit", "text"}));
  EXPECT_EQ(totals["time"]["unit"], "s");
  EXPECT_GT(totals["time"]["value"].get<double>(), 0);
}

TEST(JsonReport, SaysTheSameAsTheText) {
  const std::string text = text_of(ran());
  const Json json = json_of(ran());
  int steps = 0;
  for (const Json& statement : json["programs"][0]["statements"]) {
    for (const Json& step : statement["steps"]) {
      EXPECT_NE(text.find(shown(step["text"])), std::string::npos) << step["text"];
      ++steps;
    }
  }
  EXPECT_GT(steps, 4);
  for (const char* figure : {"math", "comms", "peak_memory"}) {
    const std::string total = json["programs"][0]["totals"][figure]["text"];
    EXPECT_NE(text.find(total), std::string::npos) << figure << ": " << total << "\n" << text;
  }
  for (const Json& entry : json["entries"]) {
    if (entry["kind"] != "print") continue;
    for (const Json& value : entry["values"])
      EXPECT_NE(text.find(value.get<std::string>()), std::string::npos) << value;
  }
}

TEST(JsonReport, HasTheEntriesInOrder) {
  const Json entries = json_of(ran())["entries"];
  std::vector<std::string> kinds;
  for (const Json& entry : entries) kinds.push_back(entry["kind"]);
  EXPECT_EQ(kinds, (std::vector<std::string>{"statement", "statement", "statement", "why", "print",
                                             "expect", "expect", "statement"}));
}

TEST(JsonReport, HasTheDiagnosticsAndTheStatus) {
  const Json json = json_of(ran());
  EXPECT_EQ(json["status"], 3);
  ASSERT_EQ(json["diagnostics"].size(), 2U);
  EXPECT_EQ(json["diagnostics"][0]["kind"], "RedundantCollective");
  EXPECT_EQ(json["diagnostics"][0]["severity"], "note");
  const Json& failed = json["diagnostics"][1];
  EXPECT_EQ(failed["kind"], "ExpectFailed");
  EXPECT_EQ(failed["severity"], "error");
  EXPECT_EQ(failed["line"], 13);
  EXPECT_EQ(failed["file"], "test");
}

TEST(JsonReport, OfAProgramWithErrorsIsJsonToo) {
  const Json json = json_of(Ran("A[I_X, J_X] → B[I, J]\nprint \"", running()));
  EXPECT_EQ(json["status"], 1);
  EXPECT_EQ(json["programs"].size(), 0U);
  EXPECT_GE(json["diagnostics"].size(), 1U);
}

TEST(JsonReport, OfMissingSizesHasTextsWithoutValues) {
  const Json json = json_of(Ran("A[I_X, J] · B[J, K] → C[I_X, K]", running()));
  const Json& flops = json["programs"][0]["totals"]["flops"];
  EXPECT_FALSE(flops.contains("value"));
  EXPECT_EQ(flops["text"], "2·I·J·K / X FLOPs");
}

TEST(JsonReport, SaysHowFarResultsLieFromTheUnshardedOnes) {
  const Json execution = json_of(ran())["programs"][0]["execution"];
  EXPECT_EQ(execution["executed"], true);
  EXPECT_GE(execution["compared"].size(), 3U);
  for (const Json& one : execution["compared"]) EXPECT_EQ(one["within_rounding"], true) << one;
}

TEST(MachineLine, NamesChipSliceAndDevices) {
  EXPECT_EQ(machine_line(ran().session.state().programs.front()),
            "TPUv5p 4x4x4, mesh {X: 4x4, Y: 4}: 64 devices");
}

// Layers whose report fills a screen, with two kinds of them and statements that only compute.
const std::string kLayers = R"(
hardware TPUv5p 4x4x4
mesh {X: 4x4, Y: 4}
L = 12, B = 512, D = 1024, F = 4096
W1[L, D_X, F_Y], W2[L, D_X, F_Y], W3[L, F_Y, D_X], g[L, D_Y]: bf16
x[B_X, D_Y]: bf16
for l in 0..L {
  h[B_X, D_Y] = x ⊙ g[L = l] / sqrt(mean_D(x ⊙ x) + 1e-5)
  a = silu(h ·_D W1[L = l])
  if l mod 3 == 1 { b = h ·_D W2[L = l]; a = a ⊙ b; a = a + 1; a = a + 1 }
  z[B_X, D_Y] = a ·_F W3[L = l]
  x = x + z; y = x ⊙ 2; y = y - x
}
)";

Cost sum_of_rows(const Ran& one, bool all_steps, std::size_t& rows) {
  const RunnerState& state = one.session.state();
  Cost sum;
  for (const auto& statements : shown_statements(one.outcome, state, nullptr, all_steps)) {
    if (statements.empty()) continue;
    const PlannedEntry& entry = statements.front().entry;
    for (const StatementRow& row :
         statement_rows(state.programs[entry.program], statements, all_steps)) {
      ++rows;
      for (std::int64_t i = 0; row.cost != nullptr && i < entry.times; ++i) sum += *row.cost;
    }
  }
  return sum;
}

TEST(Report, TotalsAreTheSumOfTheRows) {
  const Ran one(kLayers, {.execution = {.estimate = true}});
  ASSERT_TRUE(one.outcome.diagnostics.empty());
  const Program& program = one.session.state().programs.front();
  const Cost all = total_cost(program, 0, program.steps.size());
  std::size_t few = 0;
  std::size_t many = 0;
  for (const Cost& sum : {sum_of_rows(one, false, few), sum_of_rows(one, true, many)}) {
    EXPECT_EQ(sum.flops, all.flops);
    EXPECT_EQ(sum.hbm_bytes, all.hbm_bytes);
    EXPECT_EQ(sum.comm_bytes, all.comm_bytes);
    EXPECT_EQ(sum.math, all.math);
    EXPECT_EQ(sum.hbm, all.hbm);
    EXPECT_EQ(sum.comms, all.comms);
  }
  EXPECT_LT(few + 5, many);
}

}  // namespace
}  // namespace shard::text_report_test
