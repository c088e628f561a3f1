// Every primitive between two layouts, told from where the blocks of the array lie before and after it, not from subscripts; and
// the cheapest way over all layouts, by relaxing until nothing changes. Shares with the planner what a collective costs, and
// nothing else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "base/contains.h"
#include "interpreter/planning/search/weight.h"
#include "runtime/cost/cost.h"
#include "runtime/network/link_time_cache.h"

namespace shard::testing {

// What joins the devices along an axis, if that is not the torus.
struct Network {
  AxisKind kind = AxisKind::Ici;
  std::optional<Rational> bandwidth = {};
};

// The machine with its first axes over these networks. A Switch axis without a bandwidth is one of a fully linked node.
inline Machine over_networks(Machine machine, const std::vector<Network>& networks) {
  machine.chip.core_link = 300'000'000'000;
  for (std::size_t i = 0; i < std::min(networks.size(), machine.mesh.axes.size()); ++i) {
    if (networks[i].kind == AxisKind::Ici) continue;
    MeshAxis& axis = machine.mesh.axes[AxisId{static_cast<std::int32_t>(i)}];
    axis.kind = networks[i].kind;
    axis.bandwidth = networks[i].bandwidth;
    axis.torus.clear();
    const bool is_full = axis.kind == AxisKind::Switch && !axis.bandwidth;
    if (is_full) machine.chip.wrap = WrapRule::Full;
  }
  machine.link_times = std::make_shared<LinkTimes>();
  return machine;
}

// The networks that a machine may have beside the torus, alone and together; two of the same kind with one bandwidth are one.
inline const std::vector<std::vector<Network>>& sets_of_networks() {
  static const Network torus;
  static const Network slices{AxisKind::Dcn};
  static const Network faster_slices{AxisKind::Dcn, 25'000'000'000};
  static const Network behind_switch{AxisKind::Switch, 450'000'000'000};
  static const Network linked{AxisKind::Switch};
  static const Network cores{AxisKind::Core};
  static const std::vector<std::vector<Network>> all = {{slices},
                                                        {torus, slices},
                                                        {behind_switch},
                                                        {torus, cores},
                                                        {slices, slices},
                                                        {slices, behind_switch},
                                                        {slices, faster_slices},
                                                        {cores, torus, slices},
                                                        {linked, linked},
                                                        {torus, linked, linked},
                                                        {linked, behind_switch, linked},
                                                        {linked, slices}};
  return all;
}

class BlockOracle {
 public:
  BlockOracle(Machine machine, std::size_t rank) : machine_(std::move(machine)), rank_(rank) {
    for (std::size_t a = 0; a < machine_.mesh.axes.size(); ++a)
      sizes_.push_back(*machine_.mesh.axes[axis(a)].length());
    for (const std::int64_t size : sizes_) units_ *= size;
    Layout none = replicated(rank);
    enumerate(0, none);
    for (const Layout& layout : layouts_) held_.push_back(held_in(layout));
    find_moves();
  }

  // On a machine with as many devices along each axis: the same leads to the same, at other prices.
  BlockOracle on(Machine machine) const {
    BlockOracle other = *this;
    other.machine_ = std::move(machine);
    other.by_.clear();
    other.prices_.clear();
    return other;
  }

  const Machine& machine() const { return machine_; }
  const std::vector<Layout>& layouts() const { return layouts_; }
  std::size_t moves() const { return moves_.size(); }

  // The least seconds, and the least bytes among the ways that take no longer; nullopt if none arrives.
  std::optional<planning::Weight> cheapest(std::size_t from, std::size_t to,
                                           const std::vector<Amount>& shape) {
    Reached reached(layouts_.size());
    reached[from] = planning::Weight{};
    relax(reached, shape, to);
    return reached[to];
  }

  // By layout; nullopt where none arrives.
  using Reached = std::vector<std::optional<planning::Weight>>;
  // From what is reached to all layouts, or only as far as `to` needs.
  void relax(Reached& reached, const std::vector<Amount>& shape,
             std::optional<std::size_t> to = {}) {
    std::vector<bool> divides;
    for (const Layout& layout : layouts_)
      divides.push_back(!indivisible_dimension(shape, layout, machine_.mesh));
    by_.assign(layouts_.size(), nullptr);
    for (bool changes = true; changes;) {
      changes = false;
      for (const BlockMove& move : moves_) {
        if (!reached[move.from] || !divides[move.to]) continue;
        if (to && reached[*to] && planning::lighter(*reached[*to], *reached[move.from])) continue;
        planning::Weight weight = *reached[move.from] + price(move, shape);
        weight.steps = 0;
        if (reached[move.to] && !planning::lighter(weight, *reached[move.to])) continue;
        reached[move.to] = weight;
        by_[move.to] = &move;
        changes = true;
      }
    }
  }

  // The layouts on the way found last.
  std::vector<Layout> way(std::size_t to) const {
    std::vector<Layout> way = {layouts_[to]};
    for (const BlockMove* move = by_[to]; move != nullptr; move = by_[move->from])
      way.insert(way.begin(), layouts_[move->from]);
    return way;
  }

  // What a device holds: a range of each dimension, in units of which all axes together cut it into one each.
  using Block = std::vector<std::pair<std::int64_t, std::int64_t>>;
  // By layout and device.
  const std::vector<std::vector<Block>>& held() const { return held_; }
  std::int64_t units() const { return units_; }
  const std::vector<std::int64_t>& sizes() const { return sizes_; }

 private:
  struct BlockMove {
    std::size_t from;
    std::size_t to;
    std::optional<CollectiveKind> kind;  // none: a slice
    std::vector<AxisId> axes;
  };

  static AxisId axis(std::size_t number) { return AxisId{static_cast<std::int32_t>(number)}; }

  void enumerate(std::size_t number, const Layout& so_far) {
    if (number == sizes_.size()) {
      layouts_.push_back(so_far);
      std::sort(layouts_.back().unreduced.edit().begin(), layouts_.back().unreduced.edit().end());
      return;
    }
    enumerate(number + 1, so_far);
    Layout unreduced = so_far;
    unreduced.unreduced.edit().push_back(axis(number));
    enumerate(number + 1, unreduced);
    for (std::size_t d = 0; d < rank_; ++d) {
      for (std::size_t at = 0; at <= so_far.dims[d].size(); ++at) {
        Layout split = so_far;
        auto& subscript = split.dims.edit()[d];
        subscript.insert(subscript.begin() + static_cast<std::ptrdiff_t>(at), axis(number));
        enumerate(number + 1, split);
      }
    }
  }

  std::vector<Block> held_in(const Layout& layout) const {
    std::vector<Block> held;
    for (std::int64_t device = 0; device < units_; ++device) {
      const auto place = coordinates(machine_.mesh, device);
      Block block;
      for (const auto& subscript : layout.dims) {
        std::int64_t begin = 0;
        std::int64_t length = units_;
        for (const AxisId split : subscript) {
          length /= sizes_[static_cast<std::size_t>(split.value)];
          begin += length * place[static_cast<std::size_t>(split.value)];
        }
        block.emplace_back(begin, begin + length);
      }
      held.push_back(std::move(block));
    }
    return held;
  }

  static std::int64_t volume(const Block& block) {
    std::int64_t result = 1;
    for (const auto& [begin, end] : block) result *= end - begin;
    return result;
  }
  static std::int64_t shared(const Block& a, const Block& b) {
    std::int64_t result = 1;
    for (std::size_t d = 0; d < a.size(); ++d) {
      result *= std::max<std::int64_t>(
          0, std::min(a[d].second, b[d].second) - std::max(a[d].first, b[d].first));
    }
    return result;
  }

  // By device: those that differ from it on the axes of the set alone.
  std::vector<std::vector<std::int64_t>> groups_along(unsigned set) const {
    std::vector<std::vector<std::int64_t>> groups(static_cast<std::size_t>(units_));
    for (std::int64_t a = 0; a < units_; ++a) {
      const auto here = coordinates(machine_.mesh, a);
      for (std::int64_t b = 0; b < units_; ++b) {
        const auto there = coordinates(machine_.mesh, b);
        bool together = true;
        for (std::size_t i = 0; i < sizes_.size(); ++i)
          together = together && ((set >> i & 1U) || here[i] == there[i]);
        if (together) groups[static_cast<std::size_t>(a)].push_back(b);
      }
    }
    return groups;
  }

  void find_moves() {
    std::vector<std::vector<std::vector<std::int64_t>>> groups;
    for (unsigned set = 0; set < 1U << sizes_.size(); ++set) groups.push_back(groups_along(set));
    for (std::size_t from = 0; from < layouts_.size(); ++from) {
      for (std::size_t to = 0; to < layouts_.size(); ++to) {
        if (from == to) continue;
        if (layouts_[from].unreduced == layouts_[to].unreduced)
          add_alike(from, to, groups);
        else
          add_sums(from, to, groups);
      }
    }
  }

  using Groups = std::vector<std::vector<std::vector<std::int64_t>>>;

  void add(std::size_t from, std::size_t to, std::optional<CollectiveKind> kind, unsigned set) {
    std::vector<AxisId> axes;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      if (set >> i & 1U) axes.push_back(axis(i));
    }
    moves_.push_back({from, to, kind, std::move(axes)});
  }

  void add_alike(std::size_t from, std::size_t to, const Groups& groups) {
    const auto& had = held_[from];
    const auto& has = held_[to];
    const std::int64_t before = volume(had.front());
    const std::int64_t after = volume(has.front());
    bool contained = true;
    for (std::size_t d = 0; d < had.size(); ++d)
      contained = contained && shared(had[d], has[d]) == after;
    if (contained) add(from, to, std::nullopt, 0);
    if (before == after && are_permuted(from, to))
      add(from, to, CollectiveKind::CollectivePermute, 0);
    for (unsigned set = 1; set < groups.size(); ++set) {
      if (!are_apart(groups[set], had)) continue;
      const auto count = static_cast<std::int64_t>(groups[set].front().size());
      // Each brings what it has, and nobody else in the group has it.
      if (after == count * before && every_pair(groups[set], had, has, before))
        add(from, to, CollectiveKind::AllGather, set);
      // Each sends every other one an equal part of what it has, and no two get the same.
      if (after == before && before % count == 0 && are_apart(groups[set], has) &&
          every_pair(groups[set], had, has, before / count))
        add(from, to, CollectiveKind::AllToAll, set);
    }
  }

  // Whether what one device of a group had and what another one then has share so much.
  static bool every_pair(const std::vector<std::vector<std::int64_t>>& group,
                         const std::vector<Block>& had, const std::vector<Block>& has,
                         std::int64_t part) {
    for (std::size_t device = 0; device < group.size(); ++device) {
      for (const std::int64_t other : group[device]) {
        if (shared(had[static_cast<std::size_t>(other)], has[device]) != part) return false;
      }
    }
    return true;
  }

  // Whole blocks, each of them, and of each partial sum, on as many devices.
  bool are_permuted(std::size_t from, std::size_t to) const {
    const auto sorted = [&](std::size_t layout) {
      std::vector<Block> blocks = held_[layout];
      for (std::int64_t device = 0; device < units_; ++device) {
        const auto place = coordinates(machine_.mesh, device);
        for (const AxisId axis : layouts_[layout].unreduced) {
          const std::int64_t sum = place[static_cast<std::size_t>(axis.value)];
          blocks[static_cast<std::size_t>(device)].emplace_back(sum, sum);
        }
      }
      std::sort(blocks.begin(), blocks.end());
      return blocks;
    };
    return sorted(from) == sorted(to);
  }

  // Over the axes along which sums are then complete: everywhere, or of each part on one device.
  void add_sums(std::size_t from, std::size_t to, const Groups& groups) {
    unsigned set = 0;
    for (const AxisId summed : layouts_[from].unreduced) set |= 1U << summed.value;
    for (const AxisId left : layouts_[to].unreduced) {
      if (!(set >> left.value & 1U)) return;
      set &= ~(1U << left.value);
    }
    const std::int64_t before = volume(held_[from].front());
    const std::int64_t after = volume(held_[to].front());
    const auto count = static_cast<std::int64_t>(groups[set].front().size());
    if (!every_pair(groups[set], held_[from], held_[to], after)) return;
    if (before == after) add(from, to, CollectiveKind::AllReduce, set);
    if (before == count * after && are_apart(groups[set], held_[to]))
      add(from, to, CollectiveKind::ReduceScatter, set);
  }

  static bool are_apart(const std::vector<std::vector<std::int64_t>>& group,
                        const std::vector<Block>& has) {
    for (std::size_t device = 0; device < group.size(); ++device) {
      for (const std::int64_t other : group[device]) {
        const auto there = static_cast<std::size_t>(other);
        if (there != device && shared(has[there], has[device]) != 0) return false;
      }
    }
    return true;
  }

  // On links the order matters, and it is that of the subscripts which the axes leave, or which they come to.
  std::vector<AxisId> in_order(const BlockMove& move) const {
    if (move.kind == CollectiveKind::AllReduce || move.kind == CollectiveKind::CollectivePermute)
      return move.axes;
    const bool gathers = move.kind == CollectiveKind::AllGather;
    std::vector<AxisId> ordered;
    for (const auto& subscript : layouts_[gathers ? move.from : move.to].dims) {
      std::copy_if(subscript.begin(), subscript.end(), std::back_inserter(ordered),
                   [&](AxisId axis) { return contains(move.axes, axis); });
    }
    return ordered;
  }

  planning::Weight price(const BlockMove& move, const std::vector<Amount>& shape) {
    if (!move.kind) return {};
    const Copy operand{.shape = shape, .dtype = DType::Bf16, .layout = layouts_[move.from]};
    Copy result = operand;
    result.layout = layouts_[move.to];
    const auto bytes =
        local_bytes(shape, DType::Bf16, operand.layout, machine_.mesh).constant()->to_double();
    const bool routed = move.kind == CollectiveKind::CollectivePermute;
    const std::vector<AxisId> axes =
        machine_.model == CostModel::Links ? in_order(move) : move.axes;
    const auto key =
        std::tuple(*move.kind, axes, routed ? move.from : 0, routed ? move.to : 0, bytes);
    const auto [entry, is_new] = prices_.try_emplace(key);
    if (is_new)
      entry->second =
          planning::weigh(cost_of_collective(*move.kind, axes, 0, operand, result, machine_));
    return entry->second;
  }

  Machine machine_;
  std::size_t rank_;
  std::vector<std::int64_t> sizes_;
  std::int64_t units_ = 1;
  std::vector<Layout> layouts_;
  std::vector<std::vector<Block>> held_;  // by layout and device
  std::vector<BlockMove> moves_;
  std::vector<const BlockMove*> by_;  // by layout: the last move of the best way there
  std::map<std::tuple<CollectiveKind, std::vector<AxisId>, std::size_t, std::size_t, double>,
           planning::Weight>
      prices_;
};

}  // namespace shard::testing
