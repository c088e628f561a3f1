// How what is priced is planned as one size grows: a formula of a cost block is that of one plan, and holds where it is planned so.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "interpreter/solve/open_size.h"

namespace shard {

// A comparison of which one size is asked for.
struct SizeComparison {
  ast::Expr left;
  ast::Expr right;
  ast::BinaryOp op = ast::BinaryOp::Equal;
  AskedSize size;
  Sides sides;  // with the size open

  std::optional<Sides> at(const Rational& number, EvaluationContext& context) const {
    return sides_at(left, &right, size.name.text, number, context);
  }
};

// From `first` to `last` times the step both sides are these formulas.
struct SizePlan {
  std::int64_t first = 1;
  std::int64_t last = 1;
  Sides sides;
};

// With 4 rungs to a factor of two 1, 2, …, 8, 10, 12, 14, 16, 20, …; beyond 2^24 only powers of 4, for nothing new begins there.
std::vector<std::int64_t> ladder(std::int64_t most, std::int64_t rungs_of_two);

// At how many sizes a search prices at most; with links, where the moves of each are simulated, at fewer. What it has not come to
// by then it says.
inline constexpr std::size_t kMostPriced = 600;
inline constexpr std::size_t kMostSimulated = 120;

// What is planned at each rung with the size weighed at that number, and between rungs whose steps differ the neighbours at which
// they change. Plans with the same formulas are one. `step`: sizes are multiples of it; none: they are powers of two, as those of
// axes. Empty where a figure takes numbers, and where nearly every size has a plan of its own: with `too_many` set. One plan,
// without a search, where nothing is priced.
std::vector<SizePlan> plans_of(const SizeComparison& asked, std::optional<std::int64_t> step,
                               EvaluationContext& context, bool& too_many);

// What the keys of numbers from `low` to `high` are, where those of both are known and differ: calls `change(last, first, key)` for
// each pair of neighbours with other keys. `key_at` has none where there is no such thing: then the neighbour's.
template <class Key, class KeyAt, class Change>
void find_changes(std::int64_t low, const Key& low_key, std::int64_t high, const Key& high_key,
                  const KeyAt& key_at, const Change& change) {
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    const std::optional<Key> key = key_at(middle);
    if (key && *key == low_key) {
      low = middle;
    } else if (!key || *key == high_key) {
      high = middle;
    } else {
      find_changes(low, low_key, middle, *key, key_at, change);
      return find_changes(middle, *key, high, high_key, key_at, change);
    }
  }
  change(low, high, high_key);
}

}  // namespace shard
