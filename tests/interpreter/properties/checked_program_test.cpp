// What is written down of a script says all that plans are made of: made anew from it, they are the same.
#include "interpreter/ir/checked_program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "grammar/parse/parser.h"
#include "interpreter/lower/lower_program.h"
#include "interpreter/program/step_text.h"
#include "interpreter/statements/recorder.h"
#include "tests/interpreter/properties/random_program/varied.h"
#include "tests/property.h"

namespace shard::checked_program_test {
namespace {

// All that is planned, line by line.
std::string text_of(const Program& program) {
  const Mesh& mesh = program.machine.mesh;
  std::string text;
  for (const Copy& copy : program.plan.copies)
    text += fmt::format("{}{} {}\n", copy.name, to_string(copy.layout, copy.dimensions, mesh),
                        name_of(copy.dtype));
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const Step& step = program.plan.steps[i];
    text += fmt::format("{} {} -> {}, {}:", step.action.index(), step_text(program, i),
                        result_of(step).value, step.statement);
    for (const CopyId operand : operands_of(step)) text += fmt::format(" {}", operand.value);
    if (program.steps[i].cost) text += " " + program.steps[i].cost->time().to_string();
    text += "\n";
  }
  for (const StatementRecord& record : program.statements)
    text +=
        fmt::format("{} [{}, {}) target {} result {} parts {}\n", *record.text, record.first_step,
                    record.end_step, record.target.value, record.result.value, record.parts);
  program.ended.for_each([&](CopyId copy, int statement) {
    text += fmt::format("{} until {}\n", copy.value, statement);
  });
  return text;
}

std::vector<std::string> texts_of(const std::vector<Program>& programs) {
  std::vector<std::string> texts;
  for (const Program& program : programs) {
    // One is begun, too, for what is wanted of an array that is not there.
    if (!program.plan.steps.empty()) texts.push_back(text_of(program));
  }
  return texts;
}

// What checking and planning a script statement after statement leaves.
struct Script {
  std::vector<std::string> streamed;
  checked::Program program;
};

Script planned(const std::string& text, CostModel model) {
  SourceMap sources;
  Names names;
  DiagnosticSink sink;
  const ast::Module module = parse(sources, sources.add("script", text), names, sink);
  RunnerState state{.scope = {}, .programs = {}, .entries = {}};
  state.scope.machine.machine.model = model;
  Recorder recorder(state.scope);
  Budget budget;
  run_statements(module.statements, state,
                 {.judge_expects = false, .budget = &budget, .recorder = &recorder}, sink);
  return {texts_of(state.programs), recorder.program(state.scope)};
}

std::vector<std::string> lowered(const checked::Program& program) {
  DiagnosticSink sink;
  return texts_of(lower_all(program, sink));
}

std::size_t regions(const std::vector<checked::Item>& items) {
  std::size_t count = 0;
  for (const checked::Item& item : items) {
    if (const auto* region = std::get_if<checked::Region>(&item.node))
      count += 1 + regions(region->items);
    if (const auto* apart = std::get_if<checked::Apart>(&item.node))
      count += 1 + regions(apart->program->items);
  }
  return count;
}

// The same under another cost model.
checked::Program with_model(checked::Program program, CostModel model);

std::vector<checked::Item> with_model(std::vector<checked::Item> items, CostModel model) {
  for (checked::Item& item : items) {
    if (auto* on = std::get_if<checked::OnMachine>(&item.node)) on->machine.model = model;
    if (auto* region = std::get_if<checked::Region>(&item.node))
      region->items = with_model(std::move(region->items), model);
    if (auto* apart = std::get_if<checked::Apart>(&item.node))
      apart->program = std::make_shared<const checked::Program>(with_model(*apart->program, model));
  }
  return items;
}

checked::Program with_model(checked::Program program, CostModel model) {
  program.items = with_model(std::move(program.items), model);
  return program;
}

TEST(CheckedProgram, PlansAllScriptsAsTheyWerePlanned) {
  std::size_t programs = 0;
  std::size_t in_regions = 0;
  std::size_t scripts = 0;
  for (const char* folder : {"examples", "tests/golden/run", "tests/golden/diagnostics"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(SHARD_ROOT) + "/" + folder)) {
      if (entry.path().extension() != ".shard" || scripts++ % scaled_step() != 0) continue;
      std::ifstream file(entry.path());
      const Script script =
          planned({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()},
                  CostModel::Book);
      EXPECT_EQ(script.streamed, lowered(script.program)) << entry.path();
      programs += script.streamed.size();
      in_regions += regions(script.program.items);
    }
  }
  EXPECT_GE(scripts, 200U);
  EXPECT_GE(programs, static_cast<std::size_t>(scaled_minimum(200)));
  EXPECT_GE(in_regions, static_cast<std::size_t>(scaled_minimum(100)));
}

SHARD_PROPERTY(CheckedProgram, PlansVariedProgramsAsTheyWerePlanned, 1'000) {
  random_program::Random random(*rc::gen::arbitrary<std::uint64_t>());
  const std::string text = random_program::varied_program(random).text();
  const Script script = planned(text, CostModel::Book);
  RC_ASSERT(script.streamed == lowered(script.program));
}

// What is checked does not depend on what anything costs: the value of one model gives the plans of the other.
TEST(CheckedProgram, IsPlannedAnewUnderAnotherCostModel) {
  const std::string text = R"(
hardware TPUv4p 4x4x4
mesh {X: 4, Y: 4, Z: 4}
B = 512, D = 1024, F = 2048
fn layer(x[b_X, d], w[d_X, f]) { return relu(x · w) }
h = layer(A[B_X, D], W[D_X, F])
for i in 0..2 {
  g[D, F_Y] = A[B_X, D] ·_B h
  { AllGather_Y g[D, F_Y] → G[D, F] }
}
AllToAll_{X,D} A[B_X, D] → C[B, D_X]
)";
  const Script book = planned(text, CostModel::Book);
  const Script links = planned(text, CostModel::Links);
  EXPECT_NE(book.streamed, links.streamed);
  EXPECT_EQ(lowered(with_model(book.program, CostModel::Links)), links.streamed);
  EXPECT_EQ(lowered(with_model(links.program, CostModel::Book)), book.streamed);
}

}  // namespace
}  // namespace shard::checked_program_test
