// A function computes the same whatever the script calls the dimensions of its arguments, and so does what `backward` derives
// through it: the letters of the function are put for each other, for sizes and for axes of the script.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "tests/interpreter/support/scripts.h"
#include "tests/property.h"

namespace shard::crossed_names_test {
namespace {

// Of x[A, B, C], x2[A, B, C] and w[C, D], which are as long, so that no length tells one from the other.
const std::vector<std::string>& bodies() {
  static const std::vector<std::string> all = {
      "return x ⊙ iota_A",
      "return where(iota_A ≥ iota_B, x, 0)",
      "return sum_A(x) + x",
      "return x ⊙ sum_B(x ⊙ x2)",
      "return softmax_C(x)",
      "return cumsum_B(x)",
      "y = x ·_C w\n  return y ⊙ sum_A(y)",
      "return x / sqrt(mean_C(x ⊙ x) + 1) ⊙ iota_C",
      "h[B, A, C] = x\n  return h",
      "h[A, C, B] = x\n  return h ⊙ iota_B",
      "return x[:, 0:2, :]",
      "P = 3\n  h[A, P, C] = x[:, 0:3, :]\n  return h ⊙ iota_P",
      "P = 4\n  h[P, A, B, C] = x ⊙ iota_P\n  return h[1:3, …]",
      "R = 2\n  e = top_{C,R}(x)\n  return x[C = e]",
      "e = argmax_C(x)\n  return x ⊙ one_hot_C(e)",
      "for i in 0..3 { x = x ⊙ (1 + 0.1 ⊙ iota_A) + sum_B(x) / 9 }\n  return x",
      "x[A = 0] = sum_A(x)\n  return x",
      "return g(x)",
      "return g(g(x)) + x",
      "y = g(x)\n  backward y\n  return dx",
      "fused {\n    s = x ·_C w\n    p = softmax_D(s)\n    o = p ·_D w\n  }\n  return o ⊙ iota_B",
  };
  return all;
}

const std::vector<std::string>& inner_functions() {
  static const std::vector<std::string> all = {
      "fn g(z[B, C, A]) { return z ⊙ iota_B + sum_C(z) }",
      "fn g(z[C, A, B]) { return where(iota_C ≥ iota_A, z, 0) }",
      "fn g(z[A, B, C]) { return softmax_A(z) ⊙ (iota_A + 2 ⊙ iota_B + 3 ⊙ iota_C) }",
      "fn g(z[D, A, E]) { return z ⊙ iota_A ⊙ max_D(z) }",
      "fn g(z[…, A]) { return z ⊙ iota_A }",
  };
  return all;
}

struct Case {
  std::string body;
  std::string inner;
  std::vector<bool> is_split;  // the first two dimensions
};

std::string script(const Case& one, const std::vector<std::string>& names) {
  const auto laid_out = [&](std::size_t i) {
    return names[i] + (one.is_split[i] ? std::string(i == 0 ? "_X" : "_Y") : "");
  };
  const std::string& a = names[0];
  const std::string& b = names[1];
  const std::string& c = names[2];
  std::string text = fmt::format(
      "mesh {{X: 2, Y: 2}}\n{} = 4, {} = 4, {} = 4, {} = 4\n{}\nfn f(x[A, B, C], x2[A, B, C], w[C, "
      "D]) {{\n  {}\n}}\n",
      a, b, c, names[3], one.inner, one.body);
  text += fmt::format(
      "x: fp64[{}, {}, {}] = random(1)\nx2: fp64[{}, {}, {}] = random(2)\nw: fp64[{}, {}] = "
      "random(3)\n",
      laid_out(0), laid_out(1), c, laid_out(0), b, c, c, names[3]);
  text += "y = f(x, x2, w)\nprint y\n";
  if (one.body.find("backward") == std::string::npos) text += "backward y\nprint dx\n";
  return text;
}

// Of each array that the script prints, or its first mistake.
struct Result {
  std::vector<std::vector<double>> values;
  std::string mistake;
};

Result result_of(const std::string& text) {
  const testing::Ran ran(text, testing::running());
  Result result;
  for (const Entry& entry : ran.outcome.entries) {
    if (const auto* array = boxed_in<ArrayEntry>(entry)) result.values.push_back(array->values);
  }
  for (const Diagnostic& diagnostic : ran.outcome.diagnostics) {
    if (info(diagnostic.kind).severity == Severity::Error && result.mistake.empty())
      result.mistake = diagnostic.message;
  }
  return result;
}

bool are_close(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (const double value : b) largest = std::max(largest, std::abs(value));
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](double x, double y) { return std::abs(x - y) <= 1e-9 * largest; });
}

TEST(CrossedNames, ChangeNoValueAndNoGradient) {
  std::mt19937_64 random(rc::detail::configuration().testParams.seed);
  const auto below = [&](std::size_t bound) { return random() % bound; };
  std::map<std::string, Result> plain;
  std::vector<std::string> letters = {"A", "B", "C", "D", "E", "P", "R"};
  const int cases = scaled_cases(2'000);
  for (int i = 0; i < cases && !HasFailure(); ++i) {
    const Case one{.body = bodies()[below(bodies().size())],
                   .inner = inner_functions()[below(inner_functions().size())],
                   .is_split = {below(2) == 1, below(2) == 1}};
    const std::string base = script(one, {"Ua", "Ub", "Uc", "Ud"});
    const auto [known, is_new] = plain.try_emplace(base);
    if (is_new) known->second = result_of(base);
    ASSERT_EQ(known->second.mistake, "") << base;
    ASSERT_FALSE(known->second.values.empty()) << base;
    std::shuffle(letters.begin(), letters.end(), random);
    const std::string text = script(one, {letters.begin(), letters.begin() + 4});
    const Result result = result_of(text);
    EXPECT_EQ(result.mistake, "") << text;
    ASSERT_EQ(result.values.size(), known->second.values.size()) << text;
    for (std::size_t k = 0; k < result.values.size(); ++k)
      EXPECT_TRUE(are_close(result.values[k], known->second.values[k])) << text;
  }
}

}  // namespace
}  // namespace shard::crossed_names_test
