// The cheapest way to do a product of two arrays, told from where blocks lie: which parts of the two each device has together, and of
// which sums these are terms. Moves of each array are the block oracle's.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "interpreter/planning/term_plan.h"
#include "tests/interpreter/planning/search/block_oracle.h"

namespace shard::testing {

class ContractionOracle {
 public:
  using Labels = planning::Labels;
  using Lengths = std::map<int, std::int64_t>;

  ContractionOracle(BlockOracle& left, BlockOracle& right, BlockOracle& result, Labels left_labels,
                    Labels right_labels, Labels result_labels)
      : left_(left),
        right_(right),
        result_(result),
        left_labels_(std::move(left_labels)),
        right_labels_(std::move(right_labels)),
        result_labels_(std::move(result_labels)) {
    for (std::size_t c = 0; c < result_.layouts().size(); ++c)
      by_blocks_[result_.held()[c]].push_back(c);
    for (std::size_t a = 0; a < left_.layouts().size(); ++a) {
      for (std::size_t b = 0; b < right_.layouts().size(); ++b) {
        if (const auto c = meets(a, b)) meetings_.push_back({a, b, *c});
      }
    }
  }

  std::size_t meetings() const { return meetings_.size(); }

  std::optional<planning::Weight> cheapest(std::size_t left, std::size_t right, std::size_t target,
                                           const Lengths& lengths) {
    const auto reach = [&](BlockOracle& oracle, std::size_t from, const Labels& labels) {
      BlockOracle::Reached reached(oracle.layouts().size());
      reached[from] = planning::Weight{};
      oracle.relax(reached, shape(labels, lengths));
      return reached;
    };
    const auto lefts = reach(left_, left, left_labels_);
    const auto rights = reach(right_, right, right_labels_);
    BlockOracle::Reached results(result_.layouts().size());
    std::map<std::vector<std::int64_t>, planning::Weight> prices;
    for (const auto& [a, b, c] : meetings_) {
      if (!lefts[a] || !rights[b]) continue;
      planning::Weight weight = *lefts[a] + *rights[b] + price(a, b, c, lengths, prices);
      weight.steps = 0;
      if (!results[c] || planning::lighter(weight, *results[c])) results[c] = weight;
    }
    result_.relax(results, shape(result_labels_, lengths), target);
    return results[target];
  }

  std::vector<Amount> shape(const Labels& labels, const Lengths& lengths) const {
    std::vector<Amount> shape;
    for (const int label : labels) shape.emplace_back(lengths.at(label));
    return shape;
  }

 private:
  using Block = BlockOracle::Block;
  struct MeetingPlace {
    std::size_t left;
    std::size_t right;
    std::size_t result;
  };

  // A term of a sum: the coordinates of what was a partial sum before, and the range of what is summed over now.
  using Summand = Block;

  static void add_partial(const BlockOracle& oracle, std::size_t layout, std::int64_t device,
                          Summand& summand) {
    const auto place = coordinates(oracle.machine().mesh, device);
    for (const AxisId axis : oracle.layouts()[layout].unreduced) {
      const std::int64_t at = place[static_cast<std::size_t>(axis.value)];
      summand.emplace_back(at, at);
    }
  }

  // The layout of the result that the devices can compute from these; nullopt if parts do not fit or the sums would be
  // wrong.
  std::optional<std::size_t> meets(std::size_t a, std::size_t b) const {
    std::vector<Block> blocks;
    std::vector<Summand> summands;
    std::map<Block, std::set<Summand>> terms;
    for (std::int64_t device = 0; device < left_.units(); ++device) {
      std::map<int, std::pair<std::int64_t, std::int64_t>> ranges;
      const auto at = static_cast<std::size_t>(device);
      for (std::size_t d = 0; d < left_labels_.size(); ++d)
        ranges[left_labels_[d]] = left_.held()[a][at][d];
      for (std::size_t d = 0; d < right_labels_.size(); ++d) {
        const auto [entry, is_new] = ranges.emplace(right_labels_[d], right_.held()[b][at][d]);
        if (!is_new && entry->second != right_.held()[b][at][d]) return std::nullopt;
      }
      Block block;
      for (const int label : result_labels_) {
        block.push_back(ranges.at(label));
        ranges.erase(label);
      }
      Summand summand;
      add_partial(left_, a, device, summand);
      add_partial(right_, b, device, summand);
      for (const auto& [label, range] : ranges) summand.push_back(range);
      terms[block].insert(summand);
      blocks.push_back(std::move(block));
      summands.push_back(std::move(summand));
    }
    // Everything is somewhere, and of each block all terms, as many as of any other.
    std::int64_t all = 1;
    for (const AxisId axis : left_.layouts()[a].unreduced) all *= left_.sizes()[axis_number(axis)];
    for (const AxisId axis : right_.layouts()[b].unreduced) all *= left_.sizes()[axis_number(axis)];
    std::set<Block> parts;
    for (const Summand& summand : summands) {
      const std::size_t before =
          left_.layouts()[a].unreduced.size() + right_.layouts()[b].unreduced.size();
      parts.insert(Block(summand.begin() + static_cast<std::ptrdiff_t>(before), summand.end()));
    }
    all *= static_cast<std::int64_t>(parts.size());
    for (const auto& [block, found] : terms) {
      if (static_cast<std::int64_t>(found.size()) != all) return std::nullopt;
    }
    return layout_of(blocks, summands, all);
  }

  static std::size_t axis_number(AxisId axis) { return static_cast<std::size_t>(axis.value); }

  // Along the axes that the result is unreduced over each term is once; along others the terms are the same.
  std::optional<std::size_t> layout_of(const std::vector<Block>& blocks,
                                       const std::vector<Summand>& summands,
                                       std::int64_t all) const {
    const auto known = by_blocks_.find(blocks);
    if (known == by_blocks_.end()) return std::nullopt;
    for (const std::size_t c : known->second) {
      const Layout& layout = result_.layouts()[c];
      std::int64_t count = 1;
      for (const AxisId axis : layout.unreduced) count *= left_.sizes()[axis_number(axis)];
      if (count != all) continue;
      std::map<std::vector<std::int64_t>, Summand> by_place;
      std::set<Summand> seen;
      bool fits = true;
      for (std::size_t device = 0; device < summands.size(); ++device) {
        const auto place = coordinates(result_.machine().mesh, static_cast<std::int64_t>(device));
        std::vector<std::int64_t> on;
        for (const AxisId axis : layout.unreduced) on.push_back(place[axis_number(axis)]);
        const auto [entry, is_new] = by_place.emplace(on, summands[device]);
        fits = fits && entry->second == summands[device];
        if (is_new) fits = fits && seen.insert(summands[device]).second;
      }
      if (fits) return c;
    }
    return std::nullopt;
  }

  planning::Weight price(std::size_t a, std::size_t b, std::size_t c, const Lengths& lengths,
                         std::map<std::vector<std::int64_t>, planning::Weight>& prices) const {
    std::vector<std::int64_t> key;
    const auto copy = [&](const BlockOracle& oracle, std::size_t layout, const Labels& labels) {
      const Block& block = oracle.held()[layout].front();
      for (const auto& [begin, end] : block) key.push_back(end - begin);
      return Copy{.shape = shape(labels, lengths),
                  .dtype = DType::Bf16,
                  .layout = oracle.layouts()[layout]};
    };
    const Copy left = copy(left_, a, left_labels_);
    const Copy right = copy(right_, b, right_labels_);
    const Copy result = copy(result_, c, result_labels_);
    const auto [entry, is_new] = prices.try_emplace(key);
    if (is_new) {
      const ContractStep step{.left_labels = left_labels_,
                              .right_labels = right_labels_,
                              .result_labels = result_labels_};
      entry->second =
          planning::weigh(cost_of_contraction(step, left, right, result, left_.machine()));
    }
    return entry->second;
  }

  BlockOracle& left_;
  BlockOracle& right_;
  BlockOracle& result_;
  Labels left_labels_;
  Labels right_labels_;
  Labels result_labels_;
  std::map<std::vector<Block>, std::vector<std::size_t>> by_blocks_;
  std::vector<MeetingPlace> meetings_;
};

}  // namespace shard::testing
