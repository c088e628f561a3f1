// Random programs on one line, and the same with a statement for each operation: the products of their backward passes take equal
// FLOPs, which are twice those of the forward pass.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/words.h"
#include "interpreter/program/program.h"
#include "tests/interpreter/properties/random_program/random.h"
#include "tests/interpreter/support/scripts.h"
#include "tests/property.h"

namespace shard::random_program::gradient_flops_test {
namespace {

using Dims = std::vector<std::string>;

// An expression on one line, and the name of the statement that makes the same.
struct Value {
  std::string text;
  std::string name;
  bool is_product = false;
};

class OneLine {
 public:
  explicit OneLine(std::uint64_t seed) : random_(seed) {
    const Value value = product({"B", "S"}, 3);
    one_line_ = "out = " + value.text + "\n";
    statements_ += "out = " + value.name + "\n";
  }

  std::string one_line() const { return kHead + inputs_ + one_line_ + "backward out\n"; }
  std::string by_statement() const { return kHead + inputs_ + statements_ + "backward out\n"; }

 private:
  static constexpr const char* kHead = "B = 2, S = 3, D = 5, F = 7, H = 4\n";

  Value input(const Dims& dims) {
    const std::string name = fmt::format("p{}", ++count_);
    inputs_ += fmt::format("{}: fp32[{}] = random({})\n", name, join(dims, ", "), count_);
    return {name, name};
  }

  Value make(const std::string& form, const Value& x, const Value& y = {}) {
    const auto written = [&](const std::string& a, const std::string& b) {
      return fmt::format(fmt::runtime(form), a, b);
    };
    const std::string name = fmt::format("t{}", ++count_);
    statements_ += fmt::format("{} = {}\n", name, written(x.name, y.name));
    return {"(" + written(x.text, y.text) + ")", name, form.find("·") != std::string::npos};
  }

  Value product(const Dims& dims, int depth) {
    Dims summed = {"D", "F", "H"};
    std::erase_if(summed, [&](const std::string& one) {
      return std::find(dims.begin(), dims.end(), one) != dims.end();
    });
    const std::string over = random_.pick(summed);
    const Dims left = {dims.front(), over};
    Dims right(dims.begin() + 1, dims.end());
    right.push_back(over);
    return make("{} ·_" + over + " {}", factor(left, depth - 1), factor(right, depth - 1));
  }

  // Products of products may be done in another order, but for what stands between them.
  Value factor(const Dims& dims, int depth) {
    Value value = any(dims, depth);
    return value.is_product ? make("silu({})", value) : value;
  }

  Value any(const Dims& dims, int depth) {
    if (depth <= 0 || dims.size() != 2) return input(dims);
    switch (random_.below(9)) {
      case 0:
        return make("softmax_" + dims.back() + "({} / 2)", any(dims, depth));
      case 1:
        return make("silu({}) ⊙ {}", any(dims, depth - 1), any(dims, depth - 1));
      case 2:
        return make("{} + {}", any(dims, depth - 1), any(dims, depth - 1));
      case 3:
        return make("{} / sqrt({} + 3)", any(dims, depth - 1), norm(dims, depth - 1));
      case 4:
        return make("{} - {}", any(dims, depth - 1), norm(dims, depth - 1));
      case 5:
        return make("max({}, {})", any(dims, depth - 1), any(dims, depth - 1));
      case 6:
        return make("abs({}) ⊙ {}", any(dims, depth - 1), input({dims.back()}));
      default:
        return product(dims, depth);
    }
  }

  Value norm(const Dims& dims, int depth) {
    const std::vector<std::string> kinds = {"sum", "mean", "max"};
    return make(random_.pick(kinds) + "_" + dims.back() + "({})", any(dims, depth));
  }

  Random random_;
  std::string inputs_;
  std::string statements_;
  std::string one_line_;
  int count_ = 0;
};

struct Flops {
  double forward = 0;
  double backward = 0;
};

// Of products; of all arrays that are gradients, or were made of one.
Flops flops_of_products(const std::string& script) {
  const testing::Ran ran(script);
  EXPECT_TRUE(ran.outcome.diagnostics.empty()) << script << ran.outcome.diagnostics.front().message;
  Flops flops;
  for (const Program& program : ran.session.state().programs) {
    for (const StatementRecord& record : program.statements) {
      const bool back = ran.session.state().scope.store.arrays[record.target].of_gradients;
      for (std::size_t i = record.first_step; i < record.end_step; ++i) {
        if (!std::holds_alternative<ContractStep>(program.plan.steps[i].action)) continue;
        (back ? flops.backward : flops.forward) +=
            program.steps[i].cost->flops.constant()->to_double();
      }
    }
  }
  return flops;
}

TEST(GradientFlops, OfProductsAreTwiceThoseOfTheForwardPass) {
  const std::uint64_t seed = rc::detail::configuration().testParams.seed;
  const int cases = scaled_cases(400);
  for (int i = 0; i < cases; ++i) {
    const OneLine drawn(seed_of_case(seed, i));
    const Flops one_line = flops_of_products(drawn.one_line());
    const Flops by_statement = flops_of_products(drawn.by_statement());
    EXPECT_EQ(one_line.backward, 2 * one_line.forward)
        << "case " << i << " of RC_PARAMS=seed=" << seed << ":\n"
        << drawn.one_line();
    EXPECT_EQ(one_line.forward, by_statement.forward) << drawn.one_line() << drawn.by_statement();
    EXPECT_EQ(one_line.backward, by_statement.backward) << drawn.one_line() << drawn.by_statement();
  }
}

}  // namespace
}  // namespace shard::random_program::gradient_flops_test
