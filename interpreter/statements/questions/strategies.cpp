#include "interpreter/statements/questions/strategies.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/contains.h"

namespace shard {

namespace {

// In the order in which they are said.
constexpr std::string_view kStrategyNames[] = {"data parallel", "FSDP", "tensor parallel",
                                               "FSDP and tensor parallel"};

auto strategy_place(const BestEntry::Strategy& strategy) {
  return std::find(std::begin(kStrategyNames), std::end(kStrategyNames), strategy.name);
}

// Axes for the batch and for hidden dimensions.
struct AxisShare {
  AxisRow data;
  AxisRow hidden;
  bool keeps_weights = false;  // whole on every device of the data's axes
  bool keeps_model = false;  // data without a hidden dimension, whole along the axes of hidden ones
};

class Strategist {
 public:
  explicit Strategist(const OpenBlock& block) : block_(block) {
    const auto& arrays = block.arrays();
    if (arrays.empty() || has_names_apart(arrays)) return;
    const std::vector<std::string> result = result_of(block);
    if (result.empty()) return;
    batch_ = result.front();
    model_ = result.back();
    for (const OpenArray& array : arrays) {
      for (const OpenArray::Part& part : array.parts) {
        if (!is_data(array) && part.dimension != model_) hidden_.insert(part.dimension);
      }
    }
  }

  std::optional<HoleRows> layout(const AxisShare& share) const {
    HoleRows rows(block_.holes(), kOpen);
    const bool weights = std::any_of(block_.arrays().begin(), block_.arrays().end(),
                                     [&](const OpenArray& array) { return !is_data(array); });
    if (batch_.empty() || model_ == batch_ || !weights) return std::nullopt;
    for (const OpenArray& array : block_.arrays()) {
      if (!lay_out(array, share, rows)) return std::nullopt;
    }
    std::replace(rows.begin(), rows.end(), kOpen, std::size_t{0});
    return block_.allows(rows) ? std::optional(rows) : std::nullopt;
  }

 private:
  static constexpr std::size_t kOpen = static_cast<std::size_t>(-1);

  // The dimensions of the last array that the block makes, where they are written and not one alone; else those of the last one with
  // holes, and of one that a function makes after those of the block. In a block that has holes in what it is given alone, the first of
  // that, if it has the batch.
  static std::vector<std::string> result_of(const OpenBlock& block) {
    constexpr std::size_t kFewest = 2;
    const auto& arrays = block.arrays();
    const auto last_made = [&](bool in_function) {
      return std::find_if(arrays.rbegin(), arrays.rend(), [&](const OpenArray& array) {
        return array.is_made && !array.parts.empty() && array.in_function == in_function;
      });
    };
    auto last = last_made(false);
    if (last == arrays.rend()) last = last_made(true);
    const OpenArray& other = last == arrays.rend() ? arrays.front() : *last;
    const auto& result = block.last_result();
    const bool is_given = last == arrays.rend() && !other.parts.empty() && !result.empty() &&
                          other.parts.front().dimension == result.front();
    if (result.size() >= kFewest && !is_given) return result;
    std::vector<std::string> names;
    for (const OpenArray::Part& part : other.parts) names.push_back(part.dimension);
    return names;
  }

  // Whether a function has a dimension of its own, that no array of the block has: which is the batch is not seen.
  static bool has_names_apart(const std::vector<OpenArray>& arrays) {
    std::set<std::string> outside;
    for (const OpenArray& array : arrays) {
      for (const OpenArray::Part& part : array.parts) {
        if (!array.in_function) outside.insert(part.dimension);
      }
    }
    const auto is_apart = [&](const OpenArray& array) {
      return array.in_function &&
             std::any_of(array.parts.begin(), array.parts.end(), [&](const OpenArray::Part& part) {
               return !outside.contains(part.dimension);
             });
    };
    return !outside.empty() && std::any_of(arrays.begin(), arrays.end(), is_apart);
  }

  bool is_data(const OpenArray& array) const {
    return std::any_of(array.parts.begin(), array.parts.end(),
                       [&](const OpenArray::Part& part) { return part.dimension == batch_; });
  }

  bool lay_out(const OpenArray& array, const AxisShare& share, HoleRows& rows) const {
    const bool data = is_data(array);
    std::vector<AxisRow> wanted(array.parts.size());
    bool splits_hidden = false;
    for (std::size_t i = 0; i < array.parts.size(); ++i) {
      const std::string& name = array.parts[i].dimension;
      if (data ? name == batch_ : name == model_ && !share.keeps_weights) wanted[i] = share.data;
      splits_hidden = splits_hidden || hidden_.contains(name);
    }
    for (const std::string& axis : share.hidden) {
      for (std::size_t i = 0; i < array.parts.size(); ++i) {
        const std::string& name = array.parts[i].dimension;
        const bool has_model = data && name == model_ && !share.keeps_model;
        if (splits_hidden ? !hidden_.contains(name) : !has_model) continue;
        // What is written stays as it is; an axis that goes nowhere splits nothing of this array.
        if (!array.parts[i].hole && !contains(array.parts[i].axes, axis)) continue;
        wanted[i].push_back(axis);
        if (divides(array, i, wanted[i])) break;
        wanted[i].pop_back();
      }
    }
    for (std::size_t i = 0; i < array.parts.size(); ++i) {
      if (!put(array.parts[i], wanted[i], rows)) return false;
    }
    return true;
  }

  bool put(const OpenArray::Part& part, const AxisRow& wanted, HoleRows& rows) const {
    if (!part.hole) return part.axes == wanted;
    const auto at = std::find(block_.rows().begin(), block_.rows().end(), wanted);
    if (at == block_.rows().end()) return false;
    const auto row = static_cast<std::size_t>(at - block_.rows().begin());
    // A hole that others share has one row.
    if (rows[*part.hole] != kOpen && rows[*part.hole] != row) return false;
    rows[*part.hole] = row;
    return true;
  }

  bool divides(const OpenArray& array, std::size_t part, const AxisRow& row) const {
    OpenArray alone{.name = "", .parts = {array.parts[part]}, .other_axes = {}};
    alone.parts.front().hole.reset();
    alone.parts.front().axes = row;
    return block_.allows(alone, HoleRows(block_.holes(), 0));
  }

  const OpenBlock& block_;
  std::string batch_;
  std::string model_;
  std::set<std::string> hidden_;
};

// The axes in two parts of which neither is empty: in all ways, or cut in two where they stand.
std::vector<AxisShare> shares_of(const AxisRow& all, bool in_all_ways) {
  std::vector<AxisShare> shares;
  if (in_all_ways) {
    for (std::size_t chosen = 1; chosen + 1 < (std::size_t{1} << all.size()); ++chosen) {
      AxisShare& share = shares.emplace_back();
      for (std::size_t i = 0; i < all.size(); ++i)
        ((chosen >> i & 1U) != 0 ? share.data : share.hidden).push_back(all[i]);
    }
    return shares;
  }
  for (auto cut = all.begin() + 1; cut < all.end(); ++cut)
    shares.push_back({{all.begin(), cut}, {cut, all.end()}});
  return shares;
}

}  // namespace

std::vector<NamedStrategy> named_strategies(const OpenBlock& block,
                                            const std::vector<OpenAxis>& axes) {
  const Strategist strategist(block);
  AxisRow all;
  for (const OpenAxis& axis : axes) all.push_back(axis.name);
  std::vector<NamedStrategy> strategies;
  for (const std::string_view name : kStrategyNames) strategies.push_back({std::string(name), {}});
  strategies.push_back({});
  const auto add = [&](NamedStrategy& strategy, const AxisShare& share) {
    if (auto rows = strategist.layout(share)) strategy.layouts.push_back(*std::move(rows));
  };
  if (all.empty()) return {};
  add(strategies[0], {all, {}, true});
  add(strategies[1], {all, {}});
  add(strategies[2], {{}, all});
  for (AxisShare share : shares_of(all, block.has_all_rows())) {
    add(strategies[3], share);
    share.keeps_model = true;
    add(strategies[4], share);
    share.keeps_weights = true;
    add(strategies[4], share);
  }
  std::erase_if(strategies, [](const NamedStrategy& one) { return one.layouts.empty(); });
  return strategies;
}

void keep_better(const std::vector<BestEntry::Strategy>& more,
                 std::vector<BestEntry::Strategy>& known) {
  const auto rank = [](const BestEntry::Strategy& one) {
    return std::pair(!one.fits, one.row.time);
  };
  for (const BestEntry::Strategy& strategy : more) {
    const auto same =
        std::find_if(known.begin(), known.end(),
                     [&](const BestEntry::Strategy& other) { return other.name == strategy.name; });
    if (same == known.end())
      known.push_back(strategy);
    else if (rank(strategy) < rank(*same))
      *same = strategy;
  }
  std::sort(known.begin(), known.end(), [](const auto& one, const auto& other) {
    return strategy_place(one) < strategy_place(other);
  });
}

}  // namespace shard
