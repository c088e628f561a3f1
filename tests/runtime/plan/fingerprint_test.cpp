#include "runtime/plan/fingerprint.h"

#include <gtest/gtest.h>

#include <set>

namespace shard::fingerprint_test {
namespace {

const AxisId kX{0};
const AxisId kY{1};

template <class... Parts>
std::string bytes(const Parts&... parts) {
  Fingerprint fingerprint;
  (fingerprint.add(parts), ...);
  return fingerprint.bytes();
}

std::string labels(const std::vector<std::vector<int>>& lists) {
  Fingerprint fingerprint;
  for (const auto& list : lists) fingerprint.add_labels(list);
  return fingerprint.bytes();
}

TEST(Fingerprint, TellsNumbersApart) {
  std::set<std::string> seen;
  for (const std::int64_t number : {0L, 1L, 126L, 127L, 128L, -1L, 1L << 40, INT64_MIN})
    EXPECT_TRUE(seen.insert(bytes(number)).second) << number;
  EXPECT_NE(bytes(std::int64_t{1}, std::int64_t{127}), bytes(std::int64_t{127}, std::int64_t{1}));
  EXPECT_NE(bytes(std::string_view("ab"), std::string_view("c")),
            bytes(std::string_view("a"), std::string_view("bc")));
}

TEST(Fingerprint, TellsAmountsApart) {
  const Amount b = Amount::symbol("B");
  const Amount x = Amount::symbol("X");
  std::set<std::string> seen;
  for (const Amount& amount :
       {Amount(), Amount(2), Amount(Rational::fraction(1, 2)), Amount(Rational::overflow()), b,
        b * b, 2 * b, b / x, b * x, b + x, b - x, power(Amount(10), 30), power(Amount(10), 31)})
    EXPECT_TRUE(seen.insert(bytes(amount)).second) << amount.to_string();
  EXPECT_EQ(bytes(b * x), bytes(x * b));
}

TEST(Fingerprint, TellsFormulasApart) {
  const Formula b = Formula::symbol("B");
  const Formula c = Formula::symbol("C");
  std::set<std::string> seen;
  for (const Formula& formula : {b, max(b, c), min(b, c), ceil(b / c), max(b, c) + b})
    EXPECT_TRUE(seen.insert(bytes(formula)).second) << formula.to_string();
}

TEST(Fingerprint, TellsLayoutsApart) {
  std::set<std::string> seen;
  const std::vector<Layout> layouts = {
      {.dims = {{}, {}}, .unreduced = {}},
      {.dims = {{}}, .unreduced = {}},
      {.dims = {{kX}, {}}, .unreduced = {}},
      {.dims = {{}, {kX}}, .unreduced = {}},
      {.dims = {{kX, kY}, {}}, .unreduced = {}},
      {.dims = {{kY, kX}, {}}, .unreduced = {}},
      {.dims = {{kX}, {kY}}, .unreduced = {}},
      {.dims = {{}, {}}, .unreduced = {kX}},
      {.dims = {{}, {}}, .unreduced = {kX}, .combination = Combination::Max},
      {.dims = {{}, {}}, .unreduced = {}, .placed = {{kX, 0}}},
      {.dims = {{}, {}}, .unreduced = {}, .placed = {{kX, 1}}},
      {.dims = {{}, {}}, .unreduced = {}, .placed = {{kY, 0}}}};
  for (const Layout& layout : layouts) EXPECT_TRUE(seen.insert(bytes(layout)).second);
}

TEST(Fingerprint, OtherNamesForTheSameLabelsMakeNoDifference) {
  EXPECT_EQ(labels({{0, 1}, {1, 2}, {0, 2}}), labels({{7, 3}, {3, 5}, {7, 5}}));
  EXPECT_NE(labels({{0, 1}, {1, 2}, {0, 2}}), labels({{0, 1}, {2, 1}, {0, 2}}));
  EXPECT_NE(labels({{0, 1}}), labels({{0}, {0}}));
}

// One step in several plans that differ in one thing each.
TEST(Fingerprint, TellsStepsApart) {
  const Copy left{.shape = {8, 4}, .dtype = DType::Bf16, .layout = replicated(2)};
  const Copy right{.shape = {4, 8}, .dtype = DType::Bf16, .layout = replicated(2)};
  const Copy result{.shape = {8, 8}, .dtype = DType::Bf16, .layout = replicated(2)};
  const auto key = [](const Copy& a, const Copy& b, const Copy& c, const std::vector<int>& labels) {
    Plan plan;
    ContractStep step{.left = plan.copies.add(a), .right = plan.copies.add(b)};
    step.result = plan.copies.add(c);
    step.left_labels = {0, 1};
    step.right_labels = labels;
    step.result_labels = {0, labels[1]};
    return fingerprint_of({.action = step}, plan).bytes();
  };
  const std::string plain = key(left, right, result, {1, 2});
  EXPECT_EQ(key(left, right, result, {1, 2}), plain);
  EXPECT_EQ(key(left, right, result, {1, 5}), plain);
  Copy other = right;
  other.dtype = DType::Fp32;
  EXPECT_NE(key(left, other, result, {1, 2}), plain);
  other = right;
  other.layout.dims.edit()[1] = {kX};
  EXPECT_NE(key(left, other, result, {1, 2}), plain);
  other = right;
  other.shape.edit()[0] = 5;
  EXPECT_NE(key(left, other, result, {1, 2}), plain);
  EXPECT_NE(key(left, right, result, {2, 1}), plain);
}

}  // namespace
}  // namespace shard::fingerprint_test
