// What `when` and `minimize` find for random pairs of cost blocks, against pricing both blocks at whole sizes: the plan that a
// formula belongs to changes with the size.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "interpreter/statements/entries.h"
#include "tests/interpreter/support/scripts.h"
#include "tests/property.h"

namespace shard::size_property_test {
namespace {

// Multiples of the number of devices.
constexpr std::int64_t kUnit = 16;
constexpr double kEqual = 1e-6;

class RandomPair {
 public:
  explicit RandomPair(unsigned seed) : random_(seed) {}

  std::string script() {
    const bool one_axis = below(3) == 0;
    axes_ = one_axis ? "X" : "XY";
    const std::string mesh = one_axis ? "{X: 4}" : pick({"{X: 2, Y: 4}", "{X: 4, Y: 4}"});
    std::string text = "hardware " + pick({"TPUv5p", "TPUv5e", "TPUv4p"}) + "\nmesh " + mesh;
    text += "\nD = " + length() + ", F = " + length() + "\n";
    text += pick({"plan cases", "plan cheapest"}) + "\n";
    text += "a = cost { " + statement() + " }\nb = cost { " + statement() + " }\n";
    left = "a." + figure();
    right = "b." + figure();
    return text;
  }
  CostModel model() { return below(2) == 0 ? CostModel::Book : CostModel::Links; }

  std::string left;
  std::string right;

 private:
  int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
  std::string pick(const std::vector<std::string>& of) {
    return of[static_cast<std::size_t>(below(static_cast<int>(of.size())))];
  }
  std::string length() { return pick({"512", "1024", "4096", "12288"}); }
  std::string figure() { return pick({"math", "comms", "time", "hbm", "upper", "lower"}); }

  std::string array(const std::string& name, const std::string& dimensions) {
    std::vector<std::string> split(dimensions.size());
    for (const char axis : axes_) {
      const auto place = static_cast<std::size_t>(below(static_cast<int>(dimensions.size()) + 2));
      if (place < split.size()) split[place] += axis;
    }
    std::string text = name + "[";
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      text += (d > 0 ? ", " : "") + std::string(1, dimensions[d]);
      if (!split[d].empty()) text += "_{" + split[d] + "}";
    }
    return text + "]";
  }

  std::string statement() {
    if (below(2) == 0)
      return array("In", "BD") + " ·_D " + array("W", "DF") + " → " + array("O", "BF");
    return array("In", "BD") + " ·_D " + array("W", "DF") + " ·_F " + array("V", "FD") + " → " +
           array("O", "BD");
  }

  std::mt19937 random_;
  std::string axes_;
};

SessionOptions estimating(CostModel model) {
  SessionOptions options;
  options.model = model;
  return options;
}

// -1, 0, 1 by size, from a loop over whole sizes.
std::map<std::int64_t, int> priced_signs(const std::string& text, const RandomPair& pair,
                                         CostModel model) {
  std::string sizes;
  for (double size = 1; size < 2e5; size *= 1.37)
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(kUnit * std::llround(size));
  const testing::Ran ran(
      text + "for B in [" + sizes + "] { print B, " + pair.left + ", " + pair.right + " }\n",
      estimating(model));
  std::map<std::int64_t, int> signs;
  for (const Entry& entry : ran.outcome.entries) {
    const auto* table = boxed_in<PrintedTable>(entry);
    if (table == nullptr) continue;
    for (const auto& row : table->rows) {
      const double left = row[1].number.value_or(0);
      const double right = row[2].number.value_or(0);
      const bool same = std::abs(left - right) <= kEqual * std::max(left, right);
      signs[std::llround(row[0].number.value_or(0))] = same ? 0 : left > right ? 1 : -1;
    }
  }
  return signs;
}

bool is_in(const std::vector<SizeRange>& ranges, const Rational& size) {
  for (const SizeRange& range : ranges) {
    const bool after = !range.from || *range.from < size || (range.has_from && *range.from == size);
    const bool before = !range.to || size < *range.to || (range.has_to && size == *range.to);
    if (after && before) return true;
  }
  return false;
}

const PrintedCell* printed_in(const Outcome& outcome) {
  for (const Entry& entry : outcome.entries) {
    const auto* printed = boxed_in<PrintedEntry>(entry);
    if (printed != nullptr) return &printed->cells.front();
  }
  return nullptr;
}

TEST(Sizes, ConditionsAgreeWithPricesAtWholeSizes) {
  const int pairs = scaled_cases(60);
  for (int seed = 0; seed < pairs; ++seed) {
    RandomPair pair(static_cast<unsigned>(seed));
    const std::string text = pair.script();
    const CostModel model = pair.model();
    const testing::Ran ran(text + "when B { " + pair.left + " > " + pair.right + " }\n",
                           estimating(model));
    const auto signs = priced_signs(text, pair, model);
    ASSERT_GT(signs.size(), 20U) << text;
    const PrintedCell* found = printed_in(ran.outcome);
    const auto* condition = found == nullptr || found->found == nullptr
                                ? nullptr
                                : std::get_if<Condition>(&*found->found);
    if (condition == nullptr) {
      // Neither side depends on the size.
      EXPECT_EQ(testing::kinds_of(ran.outcome), testing::Kinds{"NoOpenSize"}) << text;
      continue;
    }
    for (const auto& [size, sign] : signs) {
      if (sign == 0) continue;
      EXPECT_EQ(is_in(condition->ranges, Rational(size)), sign > 0)
          << "seed " << seed << ", B = " << size << ": " << to_text(Value(*condition)) << "\n"
          << text << pair.left << " > " << pair.right;
    }
  }
}

// What is printed at sizes.
std::map<std::int64_t, double> priced(const std::string& text, const std::string& what,
                                      const std::vector<std::int64_t>& sizes, CostModel model) {
  std::string list;
  for (const std::int64_t size : sizes) list += (list.empty() ? "" : ", ") + std::to_string(size);
  const testing::Ran ran(text + "for B in [" + list + "] { print B, " + what + " }\n",
                         estimating(model));
  std::map<std::int64_t, double> values;
  for (const Entry& entry : ran.outcome.entries) {
    const auto* table = boxed_in<PrintedTable>(entry);
    if (table == nullptr) continue;
    for (const auto& row : table->rows)
      values[std::llround(row[0].number.value_or(0))] = row[1].number.value_or(0);
  }
  return values;
}

// Those that are tried, and the multiples of the unit on both sides of the one that was found.
std::vector<std::int64_t> sizes_around(std::optional<double> found) {
  std::vector<std::int64_t> sizes;
  for (double size = 1; size < 2e5; size *= 1.37) sizes.push_back(kUnit * std::llround(size));
  if (found) {
    const auto below = static_cast<std::int64_t>(std::floor(*found / kUnit)) * kUnit;
    for (const std::int64_t size : {below, below + kUnit}) {
      if (size > 0) sizes.push_back(size);
    }
  }
  return sizes;
}

TEST(Sizes, NoneThatIsTriedTakesLessThanTheLeast) {
  const int pairs = scaled_cases(30);
  int inside = 0;
  for (int seed = 0; seed < pairs; ++seed) {
    RandomPair pair(static_cast<unsigned>(seed + 1000));
    const std::string text = pair.script();
    const CostModel model = pair.model();
    const std::string what = pair.left + " + 3000 * " + pair.right + " / B";
    const testing::Ran ran(text + "minimize " + what + " over B\n", estimating(model));
    const PrintedCell* found = printed_in(ran.outcome);
    ASSERT_NE(found, nullptr) << "seed " << seed << "\n" << text << what;
    const std::optional<double> at = found->number;
    const auto* word = found->found == nullptr ? nullptr : std::get_if<Word>(&*found->found);
    ASSERT_TRUE(at || word != nullptr) << text << what;
    const auto values = priced(text, what, sizes_around(at), model);
    ASSERT_GT(values.size(), 20U) << text << what;
    const auto by_value = [](const auto& one, const auto& other) {
      return one.second < other.second;
    };
    const double least = std::min_element(values.begin(), values.end(), by_value)->second;
    double said = 0;
    if (at) {
      ++inside;
      const auto next = values.lower_bound(static_cast<std::int64_t>(std::ceil(*at)));
      if (next == values.end()) continue;
      said = next->second;
      if (next != values.begin()) said = std::min(said, std::prev(next)->second);
    } else {
      const bool falls = word->remark.find("larger") != std::string::npos;
      said = falls ? values.rbegin()->second : values.begin()->second;
    }
    EXPECT_LE(said, least * (1 + kEqual)) << "seed " << seed << ": " << found->text << "\n"
                                          << text << "minimize " << what;
  }
  EXPECT_GE(inside, scaled_minimum(10));
}

}  // namespace
}  // namespace shard::size_property_test
