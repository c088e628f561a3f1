// Sums of partial sums: what is unreduced over the same axes is added first, and reduced once.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "interpreter/estimate/totals.h"
#include "tests/interpreter/properties/random_program/random.h"
#include "tests/interpreter/support/scripts.h"
#include "tests/property.h"

namespace shard::random_program::sum_property_test {
namespace {

constexpr const char* kMachine = "hardware TPUv5p 4x4x4\nmesh {X: 4x4, Y: 4}\n";
constexpr const char* kArrays =
    "B = 64, D = 64, F = 128\n"
    "h[B, F_Y], W[F_Y, D], g[B, F_Y], V[F_Y, D]\n"
    "p[B, F_X], Q[F_X, D], x[B, D_Y]\n";

bool is_reduction(const Step& step) {
  const auto* collective = std::get_if<CollectiveStep>(&step.action);
  return collective != nullptr && (collective->kind == CollectiveKind::ReduceScatter ||
                                   collective->kind == CollectiveKind::AllReduce);
}

// How many reductions the last statement has.
std::size_t reductions(const testing::Ran& ran) {
  const Program& program = ran.session.state().programs.back();
  const StatementRecord& last = program.statements.back();
  std::size_t count = 0;
  for (std::size_t i = last.first_step; i < last.end_step; ++i)
    count += is_reduction(program.plan.steps[i]) ? 1 : 0;
  return count;
}

std::string complaint_about(const testing::Ran& ran) {
  for (const Diagnostic& diagnostic : ran.outcome.diagnostics) {
    if (info(diagnostic.kind).severity == Severity::Error) return diagnostic.message;
  }
  if (ran.outcome.programs.size() != 1) return "it was not run";
  const Execution& execution = ran.outcome.programs.front().execution;
  if (!execution.executed) return "it was not executed: " + execution.reason;
  for (const Comparison& comparison : execution.comparisons) {
    if (!comparison.within)
      return ran.session.state().scope.store.arrays[comparison.array].name + " differs";
  }
  return "";
}

struct Sum {
  const char* statement;
  std::size_t reductions;
};
constexpr Sum kSums[] = {
    {"y[B, D_Y] = h ·_F W + g ·_F V", 1},
    {"y[B, D] = h ·_F W + g ·_F V", 1},
    {"y[B, D_Y] = h ·_F W - 2 * (g ·_F V) + 0.5 * (h ·_F V)", 1},
    // What is whole is added afterwards.
    {"y[B, D_Y] = x + h ·_F W", 1},
    {"y[B, D_Y] = x + h ·_F W + g ·_F V", 1},
    {"y[B, D_Y] = h ·_F W - x - g ·_F V", 1},
    {"y[B, D_Y] = x - (h ·_F W - 3 * (g ·_F V))", 1},
    // Something else is computed of the sum.
    {"y[B, D_Y] = relu(h ·_F W + g ·_F V)", 1},
    {"y[B, D_Y] = x ⊙ relu(x + h ·_F W + g ·_F V)", 1},
    // Each group of axes for itself.
    {"y[B, D] = h ·_F W + p ·_F Q + g ·_F V - 2 * (p ·_F Q)", 2},
    // Reductions along a dimension.
    {"y[B] = sum_F(h) + mean_F(g)", 1},
    // Partial sums of which one has the other as a factor are no sum.
    {"y[B, D_Y] = (h ·_F W) ⊙ (g ·_F V)", 2},
};

TEST(Sums, AreReducedOnce) {
  for (const char* rule : {"", "plan cheapest\n", "plan overlap\n", "plan bytes\n"}) {
    for (const Sum& sum : kSums) {
      const std::string script = std::string(rule) + kMachine + kArrays + sum.statement + "\n";
      const testing::Ran ran(script, testing::running());
      EXPECT_EQ(complaint_about(ran), "") << script;
      const bool is_by_cases = *rule == '\0';
      EXPECT_TRUE(!is_by_cases || reductions(ran) == sum.reductions) << script;
    }
  }
}

// ------------------------------------------------------------ random sums

std::string any_layout(Random& random, const std::vector<std::string>& dims) {
  std::vector<std::string> axes(dims.size());
  for (const char* axis : {"X", "Y"}) {
    if (random.chance(70)) axes[random.below(axes.size())] += axis;
  }
  std::string text;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    text += (text.empty() ? "" : ", ") + dims[i];
    if (!axes[i].empty()) text += "_{" + axes[i] + "}";
  }
  return "[" + text + "]";
}

// A sum as one statement, and with a statement for each of its terms.
struct Scripts {
  std::string together;
  std::string apart;
};

Scripts any_sum(Random& random) {
  std::string head = kMachine;
  head += "B = 64, D = 64, F = 128\n";
  const std::string target = any_layout(random, {"B", "D"});
  std::string sum;
  std::string terms;
  std::string names;
  const std::size_t count = 2 + random.below(3);
  for (std::size_t i = 0; i < count; ++i) {
    std::string sign = random.pick(std::vector<std::string>{"+", "-", "+ 2 *", "- 0.5 *"});
    if (i == 0 && sign.front() == '+') sign = sign.substr(1);
    const bool is_product = i < 2 || random.chance(60);
    const std::string own = fmt::format("T{}{}", i, target);
    std::string value = fmt::format("x{}{}", i, any_layout(random, {"B", "D"}));
    head += fmt::format("{}\n", value);
    if (is_product) {
      const std::string left = fmt::format("h{}{}", i, any_layout(random, {"B", "F"}));
      const std::string right = fmt::format("W{}{}", i, any_layout(random, {"F", "D"}));
      head += fmt::format("{}\n{}\n", left, right);
      value = fmt::format("({} ·_F {})", left, right);
      terms += fmt::format("{} = {}\n", own, value);
    } else {
      terms += fmt::format("{} = {} + 0\n", own, value);
    }
    sum += fmt::format(" {} {}", sign, value);
    names += fmt::format(" {} {}", sign, own);
  }
  return {fmt::format("{}y{} ={}\n", head, target, sum),
          fmt::format("{}{}y{} ={}\n", head, terms, target, names)};
}

// What planning weighs.
double seconds(const testing::Ran& ran) {
  double sum = 0;
  for (const StatementRecord& statement : ran.session.state().programs.back().statements) {
    if (statement.ways != nullptr) sum += statement.ways->made.front()->weight.seconds;
  }
  return sum;
}

double bytes_moved(const testing::Ran& ran) {
  const Program& program = ran.session.state().programs.back();
  return total_cost(program, 0, program.plan.steps.size()).comm_bytes.constant()->to_double();
}

TEST(Sums, TakeNoMoreThanTheirTermsApart) {
  constexpr int kFull = 300;
  const int cases = scaled_cases(kFull);
  const std::uint64_t seed = rc::detail::configuration().testParams.seed;
  int fewer = 0;
  for (int i = 0; i < cases && !HasFailure(); ++i) {
    Random random(seed_of_case(seed, i));
    const Scripts scripts = any_sum(random);
    SCOPED_TRACE(fmt::format("case {} of RC_PARAMS=seed={}\n{}", i, seed, scripts.together));
    for (const std::string rule : {"", "plan bytes\n"}) {
      const testing::Ran together(rule + scripts.together, testing::running());
      const testing::Ran apart(rule + scripts.apart, testing::running());
      ASSERT_EQ(complaint_about(together), "");
      ASSERT_EQ(complaint_about(apart), "") << scripts.apart;
      const double bytes = bytes_moved(together);
      const double bytes_apart = bytes_moved(apart);
      if (rule.empty()) {
        EXPECT_LE(seconds(together), seconds(apart) * (1 + 1e-9));
        if (bytes < bytes_apart) ++fewer;
      } else {
        EXPECT_LE(bytes, bytes_apart);
      }
    }
  }
  std::cout << fewer << " of " << cases << " move fewer bytes\n";
  EXPECT_GE(fewer, scaled_minimum(kFull / 20));
}

}  // namespace
}  // namespace shard::random_program::sum_property_test
