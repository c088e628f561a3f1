// Flows like earlier ones: what is replayed has to be what lowering each by itself gives.
#include "interpreter/lower/lowering_cache.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "interpreter/program/step_text.h"
#include "runtime/network/link_time_cache.h"
#include "tests/interpreter/properties/random_program/case.h"
#include "tests/interpreter/properties/random_program/program.h"
#include "tests/interpreter/support/scripts.h"
#include "tests/property.h"

namespace shard::lowering_cache_test {
namespace {

SessionOptions estimating() {
  SessionOptions options;
  options.execution.estimate = true;
  return options;
}

// What a layout, a shape and the like are as text.
std::string text_of(const Copy& copy, const Mesh& mesh) {
  std::string text =
      fmt::format("{}{} {} {}", copy.name, to_string(copy.layout, copy.dimensions, mesh),
                  name_of(copy.dtype), copy.unfinished);
  for (const Amount& length : copy.shape) text += " " + length.to_string();
  return text;
}

void add(std::string& text, const checked::Operation& operation) {
  const auto* use = std::get_if<checked::Use>(&operation.node);
  text += fmt::format(" {}:{}", operation.node.index(), use == nullptr ? -1 : use->array.value);
  for (const DimensionId label : operation.labels) text += fmt::format(",{}", label.value);
  for (const checked::Operation* operand : checked::operands_of(operation)) add(text, *operand);
}

std::string text_of(const StatementRecord& record) {
  const checked::Flow flow = record.flow.get();
  std::string text = fmt::format("{} [{}, {}) target {} result {} ways {} flow {} {}", *record.text,
                                 record.first_step, record.end_step, record.target.value,
                                 record.result.value, record.ways ? record.ways->made.size() : 0,
                                 flow.target.value, flow.replaces.value);
  add(text, flow.value);
  return text;
}

// Everything that flows leave behind, line by line.
std::string state_text(const RunnerState& state) {
  std::string text;
  for (const Program& program : state.programs) {
    text += "program\n";
    for (const Copy& copy : program.plan.copies) text += text_of(copy, program.machine.mesh) + "\n";
    for (std::size_t i = 0; i < program.steps.size(); ++i) {
      const Step& step = program.plan.steps[i];
      text += fmt::format("{} {} -> {}, {}:", step.action.index(), step_text(program, i),
                          result_of(step).value, step.statement);
      for (const CopyId operand : operands_of(step)) text += fmt::format(" {}", operand.value);
      if (const auto* elements = std::get_if<ElementwiseStep>(&step.action))
        text += fmt::format(" in place {}", elements->in_place.value);
      if (const auto* input = std::get_if<InputStep>(&step.action)) text += " of " + input->seed;
      text += " " + program.steps[i].cost->time().to_string() + "\n";
    }
    for (const StatementRecord& record : program.statements) text += text_of(record) + "\n";
    program.owners.for_each([&](CopyId copy, ArrayId array) {
      text += fmt::format("{} of {}\n", copy.value, array.value);
    });
    program.ended.for_each([&](CopyId copy, int statement) {
      text += fmt::format("{} until {}\n", copy.value, statement);
    });
  }
  for (std::size_t i = 0; i < state.scope.store.arrays.size(); ++i) {
    const ArrayId id{static_cast<std::int32_t>(i)};
    const ArrayInfo& array = state.scope.store.arrays[id];
    text += fmt::format("{} {} {} {}:", array.name, name_of(array.dtype), array.declared,
                        array.computed);
    for (const DimensionId dimension : array.dimensions)
      text += fmt::format(" {}", dimension.value);
    for (const LiveCopy& live : state.scope.held.of(id))
      text += fmt::format(
          ", {} {} {}", live.copy.value, live.made,
          to_string(live.layout, state.scope.store.names_of(array.dimensions), state.scope.mesh()));
    text += "\n";
  }
  for (const auto& [name, array] : state.scope.names.array_names)
    text += fmt::format("{} is {}\n", name, array.value);
  return text;
}

// After a script; `emptied`: with a cache that is emptied before each statement.
RunnerState state_after(const std::string& text, bool emptied) {
  SourceMap sources;
  Names names;
  DiagnosticSink sink;
  const ast::Module module = parse(sources, sources.add("script", text), names, sink);
  RunnerState state;
  state.scope.machine.machine.link_times = std::make_shared<LinkTimes>();
  if (!emptied) {
    run_statements(module.statements, state, {}, sink);
    return state;
  }
  for (const ast::Statement& statement : module.statements) {
    run_statements({statement}, state, {}, sink);
    for (Program& program : state.programs) program.lowered = nullptr;
  }
  return state;
}
std::string with_cache(const std::string& text) { return state_text(state_after(text, false)); }
std::string without_cache(const std::string& text) { return state_text(state_after(text, true)); }

// ------------------------------------------------------------ what is remembered

TEST(LoweringCache, SharesWhatFlowsAlikeWrite) {
  std::string text = "mesh {X: 2, Y: 2}\nI = 8, J = 8, K = 8\n";
  for (int i = 0; i < 5; ++i)
    text += fmt::format("A{0}[I_X, J_Y] · W{0}[J_X, K_Y] → C{0}[I_X, K_Y]\n", i);
  Session session(estimating());
  session.run("script", text);
  const Program& program = session.state().programs.front();
  ASSERT_EQ(program.statements.size(), 5U);
  const auto flow = [&](std::size_t statement) {
    return program.statements[statement].flow.form();
  };
  for (std::size_t i = 1; i < 5; ++i) EXPECT_EQ(flow(0), flow(i)) << i;
  EXPECT_EQ(*program.statements[4].text, "A4[I_X, J_Y] · W4[J_X, K_Y] → C4[I_X, K_Y]");
  EXPECT_EQ(with_cache(text), without_cache(text));
}

TEST(LoweringCache, KnowsArraysInAnotherState) {
  const std::string text =
      "mesh {X: 2, Y: 2}\nI = 8, J = 8\n"
      "A[I_X, J] → A[I, J]\nB[I_X, J] → B[I, J]\nC[I_X, J] → C[I, J]\nC[I_X, J] → C[I, J]\n"
      "C = C[I_X, J] * 2\nB = B[I, J] * 2\nD = B[I, J] * 2\nE = D[I, J] * 2\nE[I, J] → E[I, J_Y]\n"
      "D[I, J] → D[I, J_Y]\nB[I, J] → B[I, J_Y]\nF[I, J] → F[I, J_Y]\nG[I, J] → G[I, J_Y]\n"
      "H[I, J] → H[I, J_Y]\nE = E[I, J_Y] + E[I, J]\nD = D[I, J_Y] + D[I, J]\nB = B[I, J_Y] + B[I, "
      "J]\n"
      "drop B\nB[I, J] → B[I, J_Y]\nF: fp32[I, J_X]\nF = F[I, J_X] * 2\nG = G[I, J] * 2\n";
  EXPECT_EQ(with_cache(text), without_cache(text));
}

// `Win[K, L]` of an array over [J, L] says that K is as long as J: what follows has other formulas.
TEST(LoweringCache, KnowsWhenADimensionTakesTheLengthOfAnother) {
  const std::string text =
      "mesh {X: 2, Y: 2}\nT[K_X, J] ·_J Win[J, L] → W[K, L]\nC[K, L] = relu(C[K, L]) * 2\n"
      "C[K, L] = relu(C[K, L]) * 2\nC[K, L] = relu(C[K, L]) * 2\nC[K, L] = relu(C[K, L]) * 2\n"
      "Win[K, L] = relu(Win[K, L]) * 2\nC[K, L] = relu(C[K, L]) * 2\n";
  EXPECT_EQ(with_cache(text), without_cache(text));
}

// After such a flow copies that were made before have other shapes than those made since. They were taken for the same.
TEST(LoweringCache, TellsCopiesOfOtherShapesApart) {
  const std::string text =
      "exp(A1[I, J]) → P1[I, J]\nexp(A2[I, J]) → P2[I, J]\nexp(Z[I, M]) → Z1[I, M]\n"
      "exp(Z1[J, M]) → Z2[J, M]\nexp(A4[I, J]) → Q[I, J]\nexp(P1[I, J]) → R1[I, J]\n"
      "exp(P2[I, J]) → R2[I, J]\nexp(Q[I, J]) → R3[I, J]\n";
  EXPECT_EQ(with_cache(text), without_cache(text));
}

TEST(LoweringCache, KnowsOtherSizesScalarsAndMachines) {
  const std::string text =
      "mesh {X: 2, Y: 2}\nI = 8, J = 8\ns = 2\nA[I_X, J] = A[I_X, J] * s\nA[I_X, J] = A[I_X, J] * "
      "s\n"
      "A[I_X, J] = A[I_X, J] * s\ns = 3\nA[I_X, J] = A[I_X, J] * s\nA[I_X, J] = A[I_X, J] * s\n"
      "A[I_X, J] = A[I_X, J] * s\nmesh {X: 4, Y: 2}\nB[I_X, J] = B[I_X, J] * s\n"
      "B[I_X, J] = B[I_X, J] * s\nB[I_X, J] = B[I_X, J] * s\n";
  EXPECT_EQ(with_cache(text), without_cache(text));
}

// A name one slip away from another's is warned of every time.
TEST(LoweringCache, KeepsWarningsAboutNames) {
  const std::string text =
      "mesh {X: 2}\nI = 8\nhidden[I_X] → hidden[I]\noutput[I_X] → output[I]\nweight[I_X] → "
      "weight[I]\n"
      "hiden[I_X] → hiden[I]\noutptu[I_X] → outptu[I]\n";
  EXPECT_EQ(testing::kinds(text), (testing::Kinds{"SuspiciousName", "SuspiciousName"}));
}

TEST(LoweringCache, ServesLoopsAndCalls) {
  const std::string text =
      "mesh {X: 2, Y: 2}\nI = 8, J = 8\nfn twice(a[I, J]) { return a * 2 }\n"
      "for layer in 1..4 { A[I_X, J] = A[I_X, J] * 2\nB{layer}[I_X, J] → B{layer}[I, J] }\n"
      "C = twice(A)\nD = twice(C)\nC = twice(D)\n";
  EXPECT_EQ(with_cache(text), without_cache(text));
}

// ------------------------------------------------------------ random programs

using random_program::Brackets;
using random_program::Script;

void rename(Brackets& brackets, const std::string& suffix) {
  if (!brackets.name.empty()) brackets.name += suffix;
}

void rename_all(random_program::Expr& value, const std::string& suffix) {
  rename(value.use, suffix);
  for (random_program::Expr& operand : value.operands) rename_all(operand, suffix);
}

// The statements again and again, every time for other arrays; in the last pass for those of the first.
std::string repeated(const Script& script, const random_program::Style& style) {
  constexpr int kPasses = 4;
  Script all = script;
  all.statements.clear();
  all.declarations.clear();
  for (int pass = 0; pass <= kPasses; ++pass) {
    const std::string suffix = fmt::format("{}", pass % kPasses);
    for (random_program::Declaration declaration : script.declarations) {
      rename(declaration.array, suffix);
      if (pass < kPasses) all.declarations.push_back(declaration);
    }
    for (random_program::Statement statement : script.statements) {
      rename_all(statement.value, suffix);
      if (statement.target) rename(*statement.target, suffix);
      all.statements.push_back(std::move(statement));
    }
  }
  return text_of(all, style);
}

int& repeated_steps() {
  static int count = 0;
  return count;
}

void replayed_and_lowered_flows_agree() {
  random_program::Random random(*rc::gen::arbitrary<std::uint64_t>());
  const random_program::RandomProgram program = random_program::random_program(random);
  const std::string text = repeated(program.script, program.style);
  RC_LOG(text);
  RC_PRE(Session(estimating()).run("whole", text).status == ExitStatus::Fine);
  const RunnerState state = state_after(text, false);
  const std::string replayed = state_text(state);
  const std::string lowered = without_cache(text);
  const auto [at, same] =
      std::mismatch(replayed.begin(), replayed.end(), lowered.begin(), lowered.end());
  // From the line before the one that differs.
  const auto around = static_cast<std::size_t>(at - replayed.begin());
  const std::size_t line = replayed.rfind('\n', around);
  const std::size_t begin = line == replayed.npos ? 0 : replayed.rfind('\n', line - 1) + 1;
  RC_LOG("replayed: " + replayed.substr(begin, 400) + "\nlowered: " + lowered.substr(begin, 400) +
         "\n");
  RC_ASSERT(replayed == lowered);
  std::set<const checked::Flow*> lowered_flows;
  for (const Program& one : state.programs) {
    for (const StatementRecord& statement : one.statements) {
      const bool is_replayed = !lowered_flows.insert(statement.flow.form().get()).second;
      for (std::size_t i = statement.first_step; is_replayed && i < statement.end_step; ++i)
        repeated_steps() += is_shown(one.plan.steps[i]) ? 1 : 0;
    }
  }
}

TEST(LoweringCache, GivesWhatLoweringEachFlowByItselfGives) {
  constexpr int kCases = 500;
  check_property(kCases, replayed_and_lowered_flows_agree);
  EXPECT_GE(repeated_steps(), scaled_minimum(2 * kCases));
}

}  // namespace
}  // namespace shard::lowering_cache_test
