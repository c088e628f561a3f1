#include "interpreter/emulate/verification.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <stdexcept>
#include <tuple>

#include "runtime/element/number.h"
#include "tests/interpreter/support/scripts.h"

namespace shard::verification_test {
namespace {

using testing::Ran;

SessionOptions estimating() {
  SessionOptions options;
  options.execution.estimate = true;
  return options;
}

// Does something to what the devices hold of a copy, before it is judged.
using Damage = std::function<void(const Copy& copy, const DeviceArray& array)>;

// A script that runs on damaged devices.
struct Judged {
  explicit Judged(const std::string& text, const Damage& damage = {})
      : ran(text, estimating()), program(ran.session.state().programs.front()) {
    const Plan plan = finished_plan(program, {});
    Verification verification(program, plan, program.machine.mesh, scope(), InputValues::Normal, {},
                              2);
    RunOptions options{.threads = 2, .inputs = InputValues::Normal};
    options.observe = [&](CopyId id, const DeviceArray& array) {
      if (damage) damage(plan.copies[id], array);
      verification.observe(id, array);
    };
    run(program.machine, plan, options);
    comparisons = verification.take();
  }

  const Scope& scope() const { return ran.session.state().scope; }
  // Of the last array of that name.
  const Comparison& of(const std::string& name) const {
    for (auto it = comparisons.rbegin(); it != comparisons.rend(); ++it) {
      if (scope().store.arrays[it->array].name == name) return *it;
    }
    throw std::out_of_range(name);
  }
  // The names of arrays that do.
  std::vector<std::string> differing() const {
    std::vector<std::string> names;
    for (const Comparison& comparison : comparisons) {
      if (!comparison.within) names.push_back(scope().store.arrays[comparison.array].name);
    }
    return names;
  }

  Ran ran;
  Program program;
  std::vector<Comparison> comparisons;
};

// Moves one element of a device's block by so many of the numbers that bf16 has.
void move_element(const DeviceArray& array, std::size_t shard, std::size_t element, int steps) {
  ASSERT_EQ(array.storage, DType::Bf16);
  auto* numbers = reinterpret_cast<Bf16*>(array.shards[shard]->data());
  numbers[element].bits = static_cast<std::uint16_t>(numbers[element].bits + steps);
}

// One of the copies of that name, the first or a later one, with an element of its last block moved.
Damage moved(const std::string& name, int steps, int which = 1) {
  return [name, steps, left = which](const Copy& copy, const DeviceArray& array) mutable {
    if (copy.name == name && --left == 0) move_element(array, array.shards.size() - 1, 3, steps);
  };
}

const std::string kLayers = R"(mesh {X: 2}
B = 16, D = 64, F = 128
fn norm(x[B, D]) { return x / sqrt(mean_D(x ⊙ x) + 1e-5) }
fn mlp(x[B, D], w[D, F], v[F, D]) {
  h = norm(x) ·_D w
  r = relu(h)
  y = r ·_F v
  return x + y
}
x[B_X, D] = random(1)
a = mlp(x, W1[D, F], V1[F, D])
b = mlp(a, W2[D, F], V2[F, D])
c = mlp(b, W3[D, F], V3[F, D])
d = mlp(c, W4[D, F], V4[F, D])
e[B, D] = d
)";

TEST(Verification, HoldsBehindAnyNumberOfLayers) {
  const Judged judged(kLayers);
  EXPECT_EQ(judged.differing(), std::vector<std::string>());
  EXPECT_EQ(judged.of("d").not_judged, 0U);
  EXPECT_GT(judged.of("d").drift, 0);
  EXPECT_LT(judged.of("d").drift, 0.1);
}

// Bounds that are carried from statement to statement had grown so wide here that anything was within rounding.
TEST(Verification, FindsAnElementThatIsWrongByLittleMoreThanOneRoundingBehindFourLayers) {
  const Ran ran(kLayers);
  const Scope& scope = ran.session.state().scope;
  const Program& program = ran.session.state().programs.front();
  oracle::Unsharded carried(scope, program.machine.mesh,
                            [](const InputStep& input, std::uint64_t index, DType dtype) {
                              return rounded_to(dtype,
                                                input_element(InputValues::Normal, input, index));
                            },
                            {});
  for (const StatementRecord& statement : program.statements) carried.run(statement.flow.get());
  const auto last = carried.array(*scope.names.find_array("d"));
  for (const auto& [name, which, text] :
       {std::tuple{"d", 1, "what `d = mlp(c"}, std::tuple{"y", 4, "what `y = r ·_F v` gives"}}) {
    for (const int steps : {2, -2}) {
      const Judged judged(kLayers, moved(name, steps, which));
      ASSERT_EQ(judged.differing(), std::vector<std::string>{name}) << steps;
      const Comparison& wrong = judged.of(name);
      EXPECT_LT(wrong.largest_share, 5);
      const std::string message = difference_text(wrong, judged.program, judged.scope());
      EXPECT_NE(message.find(text), std::string::npos) << message;
      for (const double bound : last->bound) EXPECT_GT(bound, 10 * wrong.largest_error);
    }
  }
}

TEST(Verification, FindsWrongElementsOfInputsAndOfOtherLayouts) {
  EXPECT_EQ(Judged(kLayers, moved("W3", 1)).differing(), std::vector<std::string>{"W3"});
  EXPECT_EQ(Judged(kLayers, moved("e", 1)).differing(), std::vector<std::string>{"e"});
  const std::string gathered = "mesh {X: 2}\nI = 8\nA[I_X]\nAllGather_X A[I_X] → A[I]\n";
  int copies = 0;
  const Judged judged(gathered, [&](const Copy& copy, const DeviceArray& array) {
    if (copy.name == "A" && ++copies == 2) move_element(array, 0, 3, 1);
  });
  ASSERT_EQ(judged.differing(), std::vector<std::string>{"A"});
  EXPECT_EQ(difference_text(judged.of("A"), judged.program, judged.scope()).substr(0, 47),
            "`A` differs from what `AllGather_X A[I_X] → A");
}

// Of partial sums, what a device holds counts, and not only what they come to.
TEST(Verification, FindsAWrongPartOfASum) {
  const std::string script =
      "mesh {X: 4}\nI = 8, J = 64, K = 4\nA[I, J_X] ·LOCAL B[J_X, K] → C[I, K]{U_X}\n"
      "AllReduce_X C[I, K]{U_X} → C[I, K]\n";
  EXPECT_EQ(Judged(script).differing(), std::vector<std::string>());
  const auto spoil = [](bool reduced) {
    return [reduced](const Copy& copy, const DeviceArray& array) {
      if (copy.name != "C" || copy.layout.unreduced.empty() != reduced) return;
      if (reduced) return move_element(array, 0, 3, 2);
      reinterpret_cast<float*>(array.shards[2]->data())[3] += 0.01F;
    };
  };
  EXPECT_EQ(Judged(script, spoil(false)).differing(), std::vector<std::string>{"C"});
  EXPECT_EQ(Judged(script, spoil(true)).differing(), std::vector<std::string>{"C"});
}

TEST(Verification, CountsElementsAndNotCopies) {
  const Judged judged(
      "mesh {X: 2}\nI = 8\nZ[I_X]\nZ = zeros\nq[I_X] = where(iota_I < 3, 0, 1) / Z\n"
      "AllGather_X q[I_X] → q[I]\nw[I] = q + 1\nw[I] → w[I_X]\n");
  EXPECT_EQ(judged.differing(), std::vector<std::string>());
  for (const std::string name : {"q", "w"}) {
    EXPECT_EQ(judged.of(name).elements, 8U);
    EXPECT_EQ(judged.of(name).not_judged, 8U);
    EXPECT_EQ(judged.of(name).not_finite, 8U);
    EXPECT_EQ(judged.of(name).copies, 2);
  }
}

TEST(Verification, WhatIsJudgedLiesBesideWhatIsNot) {
  const Judged judged(
      "I = 4\nx[I] = iota_I / (iota_I mod 2)\ny[I] = where(iota_I mod 2 == 0, 7, x)\n");
  EXPECT_EQ(judged.differing(), std::vector<std::string>());
  EXPECT_EQ(judged.of("x").not_judged, 2U);
  EXPECT_EQ(judged.of("y").not_judged, 0U);
}

// The memory that it says is what it takes: held arrays and those of the whole script end with their last use.
TEST(Verification, TakesNoMoreMemoryForMoreLayers) {
  const auto bytes = [](int layers) {
    std::string script = "I = 256, J = 256\nA[I, J]\n";
    for (int i = 0; i < layers; ++i) script += "A = A ⊙ A\n";
    const Ran ran(script, estimating());
    const Program& program = ran.session.state().programs.front();
    return bytes_to_verify(program, finished_plan(program, {}), ran.session.state().scope);
  };
  EXPECT_EQ(bytes(20), bytes(3));
}

}  // namespace
}  // namespace shard::verification_test
