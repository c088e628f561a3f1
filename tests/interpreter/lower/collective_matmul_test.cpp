// `overlap`: a product in parts gives what the product gives, whatever the mesh, the dtype and the way of executing.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/contains.h"
#include "interpreter/emulate/emulation.h"
#include "interpreter/session/session.h"
#include "tests/property.h"

namespace shard::collective_matmul_test {
namespace {

struct Flow {
  const char* text;
  const char* target;
};
constexpr Flow kFlows[] = {
    {"A[B_X, D_Y] ·_D W[D, F_Y]", "Out[B_X, F_Y]"},  // the gathered dimension is summed
    {"P[B_Y, D] ·_D W[D, F_Y]", "Out[B, F_Y]"},      // it stays
    {"W[D, F_Y] ·_D R[D_Y, B]", "Out[F_Y, B]"},      // the right operand is gathered
    {"W[D, F_Y] ·_F U[F_Y, E]", "Out[D, E_Y]"},      // scattered
    {"W[D, F_Y] ·_F V[F_Y, E_X]", "Out[D, E_X]"},    // reduced everywhere
    {"S[D_X, F_Y] ·_F U[F_Y, E] ·_E T[E, G_Y]", "Out[D_X, G_Y]"},  // a chain
};

// `type`: a declaration, or nothing.
std::string script(const std::string& machine, const Flow& flow, bool overlapped,
                   const std::string& type = "") {
  return fmt::format("{}\nB = 24, D = 48, E = 24, F = 72, G = 24\n{}{} → {}{}\n", machine, type,
                     flow.text, flow.target, overlapped ? " overlap Y" : "");
}

struct Ran {
  bool executed = false;
  bool within = true;
  std::uint64_t saturated = 0;
  std::size_t parts = 0;
  std::string flops;
};

Ran run(const std::string& text, bool per_device, bool hops) {
  SessionOptions options;
  options.executor = &emulated_devices();
  options.execution.verify = true;
  options.execution.per_device = per_device;
  options.execution.hops = hops;
  options.execution.memory = 2e9;
  Session session(options);
  const Outcome outcome = session.run("overlap.shard", text);
  Ran ran;
  EXPECT_TRUE(outcome.diagnostics.empty()) << text << outcome.diagnostics.front().message;
  if (outcome.programs.size() != 1) return ran;
  const Execution& execution = outcome.programs[0].execution;
  ran.executed = execution.executed;
  ran.saturated = execution.saturated;
  for (const Comparison& one : execution.comparisons) ran.within = ran.within && one.within;
  const auto& record = session.state().programs[0].statements.back();
  ran.parts = static_cast<std::size_t>(record.parts);
  ran.flops =
      total_cost(session.state().programs[0], record.first_step, record.end_step).flops.to_string();
  return ran;
}

TEST(Overlap, GivesWhatTheProductGives) {
  for (const char* machine :
       {"mesh {X: 2, Y: 2}", "mesh {X: 2, Y: 3}", "hardware TPUv5p 2x2x2\nmesh {X: 2, Y: 2x2}",
        "hardware TPUv5e 2x4\nmesh {X: 2, Y: 4}", "mesh {X: 1, Y: 6 switch 1e10 B/s}"}) {
    for (const Flow& flow : kFlows) {
      for (const bool per_device : {false, true}) {
        const std::string text = script(machine, flow, true);
        const Ran ran = run(text, per_device, per_device);
        EXPECT_TRUE(ran.executed && ran.within) << text;
        EXPECT_GT(ran.parts, 1u) << text;
      }
    }
  }
}

TEST(Overlap, OfIntegersClampsWhatTheProductClamps) {
  const std::string machine = "mesh {X: 2, Y: 4}";
  const Flow flow = {"A[B_X, D_Y] ·_D W[D, F_Y]", "Out[B_X, F_Y]"};
  const std::string type = "A: int8[B_X, D_Y]\nW: int8[D, F_Y]\n";
  const Ran whole = run(script(machine, flow, false, type), false, false);
  for (const bool per_device : {false, true}) {
    const Ran parts = run(script(machine, flow, true, type), per_device, false);
    EXPECT_TRUE(parts.executed && parts.within);
    EXPECT_EQ(parts.saturated, whole.saturated);
  }
}

TEST(Overlap, DoesTheSameWork) {
  const std::string machine = "mesh {X: 2, Y: 4}";
  for (const Flow& flow : {kFlows[0], kFlows[1], kFlows[2]}) {
    EXPECT_EQ(run(script(machine, flow, true), false, false).flops,
              run(script(machine, flow, false), false, false).flops);
  }
}

using Names = std::vector<std::string>;

// Random axes of the mesh, in any order.
Names any_axes(const Names& axes) {
  Names picked = axes;
  for (std::size_t i = picked.size(); i > 1; --i)
    std::swap(picked[i - 1], picked[*rc::gen::inRange<std::size_t>(0, i)]);
  picked.resize(*rc::gen::inRange<std::size_t>(0, axes.size() + 1));
  return picked;
}

std::string braced(const Names& axes) {
  return "{" + std::accumulate(axes.begin(), axes.end(), std::string()) + "}";
}

// `A[I_{YX}, J]`: each axis splits one of the two dimensions, or none.
std::string any_array(const std::string& name, const Names& dimensions, const Names& axes) {
  std::vector<Names> splits(2);
  for (const std::string& axis : any_axes(axes)) splits[*rc::gen::inRange(0, 2)].push_back(axis);
  std::string text = name + "[";
  for (std::size_t d = 0; d < 2; ++d) {
    text += (d == 0 ? "" : ", ") + dimensions[d];
    if (!splits[d].empty()) text += "_" + braced(splits[d]);
  }
  return text + "]";
}

// Over axes in another order than those of the split, blocks were added to others' sums; where two dimensions were gathered
// at once, a check of our own ended the process.
SHARD_PROPERTY(Overlap, OverSeveralAxesGivesWhatTheProductGivesOrIsRefused, 3000) {
  const Names axes = *rc::gen::element(Names{"X", "Y"}, Names{"X", "Y", "Z"});
  std::string text = "mesh {";
  for (const std::string& axis : axes)
    text += fmt::format("{}{}: {}", axis == "X" ? "" : ", ", axis, *rc::gen::inRange(1, 4));
  Names over = any_axes(axes);
  if (over.empty()) over = axes;
  text += fmt::format("}}\nI = 72, J = 72, K = 72\n{} · {} → {} overlap {}\n",
                      any_array("A", {"I", "J"}, axes), any_array("B", {"J", "K"}, axes),
                      any_array("C", {"I", "K"}, axes), braced(over));
  SessionOptions options;
  options.executor = &emulated_devices();
  options.execution.verify = true;
  options.execution.per_device = *rc::gen::arbitrary<bool>();
  options.execution.hops = *rc::gen::arbitrary<bool>();
  options.execution.memory = 2e9;
  options.model = *rc::gen::element(CostModel::Book, CostModel::Links);
  Session session(options);
  const Outcome outcome = session.run("overlap.shard", text);
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    // Three axes of 3 do not divide 72.
    if (diagnostic.kind != DiagnosticKind::NothingToOverlap &&
        diagnostic.kind != DiagnosticKind::NotDivisible)
      RC_FAIL(text + diagnostic.message);
  }
  if (!outcome.diagnostics.empty()) return;
  RC_ASSERT(outcome.programs.size() == 1u);
  RC_ASSERT(outcome.programs[0].execution.executed);
  for (const Comparison& one : outcome.programs[0].execution.comparisons) {
    if (!one.within) RC_FAIL(text);
  }
}

}  // namespace
}  // namespace shard::collective_matmul_test
