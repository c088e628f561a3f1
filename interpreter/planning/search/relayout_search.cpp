#include "interpreter/planning/search/relayout_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <queue>
#include <type_traits>

#include "base/cancellation.h"
#include "interpreter/planning/search/distance_bound.h"
#include "interpreter/planning/search/hop_lists.h"
#include "interpreter/planning/search/neighbours.h"
#include "interpreter/planning/search/node_table.h"
#include "interpreter/planning/search/prices.h"
#include "interpreter/planning/search/symmetry.h"
#include "runtime/network/axis_group.h"

namespace shard::planning {

namespace {

// Above which a time is longer than another one for certain, rounding aside.
double with_slack(double seconds) { return seconds * (1 + 1e-9); }

template <class Key>
class RouteSearch final : public HopSink {
 public:
  RouteSearch(const Relayout& problem, const Ground& ground)
      : problem_(problem),
        ground_(ground),
        prices_(problem, ground),
        bound_(ground),
        symmetry_(ground),
        table_(nodes_) {
    if constexpr (std::is_same_v<Key, NarrowKey>) lists_ = HopLists::of(problem, ground);
  }

  std::optional<FoundRoute> run();
  Spread spread();

  // Weighs a hop from the node that is being expanded.
  bool add(const Hop& hop) override;
  bool wants(HopKind kind, AxisMask axes) override {
    const double seconds = prices_.quick({.kind = kind, .axes = axes}, local_).seconds;
    return nodes_[at_].reached.weight.seconds + seconds <= with_slack(best());
  }
  bool can_hold(const Places& to) override {
    return problem_.aim.most_held == HUGE_VAL ||
           local_ + ground_.local_bytes(to) <= problem_.aim.most_held;
  }

 private:
  // A node to expand; or, with `pending`, a hop from the node, to be priced.
  struct Open {
    double seconds = 0;  // at least, to the target
    NodeId node = 0;
    std::uint32_t version = 0;
    std::uint32_t order = 0;
    std::uint32_t pending = kNone;
    bool is_counted = false;  // of a pending permute: where its blocks go

    // For a heap with the least on top; first come, first served.
    friend bool operator<(const Open& a, const Open& b) {
      return a.seconds != b.seconds ? a.seconds > b.seconds : a.order > b.order;
    }
  };
  enum class Moves { TowardsTarget, All };

  // Seconds from a layout to the target, at least.
  double bound(const Places& from) const {
    const bool is_timed = problem_.aim.objective != Objective::Bytes;
    return problem_.everywhere || !is_timed ? 0 : bound_.seconds(from);
  }
  bool takes_too_much(const Hop& hop) {
    if (can_hold(hop.to)) return false;
    if (hop.kind == HopKind::Slice) is_slice_too_large_ = true;
    return true;
  }

  void start();
  void restart();
  void expand_all(Moves moves, std::size_t most_moves);
  void expand(NodeId id, Moves moves);
  void look_at(NodeId id, HopKind kind, AxisMask axes, const Key& to, const Price& price);
  bool expand_by_lists(NodeId id);
  void wait_for_price(const Hop& hop, const Price& price);
  void push(double seconds, NodeId id, std::uint32_t pending = kNone, bool is_counted = false);
  void price_pending(const Open& open);
  // What it costs the budget. On links every block of every device is followed: among many a price takes as long as a million moves.
  std::size_t work_of_price(AxisMask axes) const {
    constexpr std::size_t kMany = 8192;
    const std::size_t devices = ground_.enumerated(axes);
    return devices > kMany ? 16 * devices : 4 * devices;
  }
  bool is_target(const Node<Key>& node) const {
    return node.is_transposed && node.key == target_ && !problem_.everywhere;
  }
  double best() const {
    return arrived_ == kNone ? problem_.most_seconds : nodes_[arrived_].reached.weight.seconds;
  }
  FoundRoute route() const;

  // Keys of many axes take longer.
  static constexpr std::size_t kMovesEach = Key::kAxes > NarrowKey::kAxes ? 4 : 1;

  const Relayout& problem_;
  const Ground& ground_;
  Prices prices_;
  DistanceBound bound_;
  Symmetry symmetry_;
  std::vector<Node<Key>> nodes_;
  NodeTable<Key> table_;
  HopLists* lists_ = nullptr;
  std::priority_queue<Open> open_;
  std::vector<Hop> pending_;
  Key target_;
  NodeId arrived_ = kNone;
  std::uint32_t opened_ = 0;
  std::size_t weighed_ = 0;
  std::size_t most_weighed_ = 0;
  double left_out_ = HUGE_VAL;  // the least that a route by what the budget left out can take
  // Of the node that is being expanded.
  NodeId at_ = kNone;
  Places here_;
  double local_ = 0;
  bool is_slice_too_large_ = false;
};

template <class Key>
void RouteSearch<Key>::start() {
  target_ = Key::of(ground_.target(), ground_.axes());
  for (const auto& [source, number] : ground_.sources()) {
    const auto [id, is_new] =
        table_.find_or_add(Key::of(source, ground_.axes()), !problem_.transpose);
    RouteWeight begun;
    if (!problem_.begun.empty()) begun.weight = problem_.begun[number];
    if (!is_new && !lighter(begun, nodes_[id].reached)) continue;
    nodes_[id].reached = begun;
    nodes_[id].source = static_cast<std::uint32_t>(number);
    nodes_[id].bound = bound(source);
    if (is_target(nodes_[id]) && begun.weight.seconds <= with_slack(best())) arrived_ = id;
    push(begun.weight.seconds + nodes_[id].bound, id);
  }
}

// Everything that was reached is to be expanded again.
template <class Key>
void RouteSearch<Key>::restart() {
  open_ = {};
  pending_.clear();
  for (NodeId id = 0; id < nodes_.size(); ++id)
    push(nodes_[id].reached.weight.seconds + nodes_[id].bound, id);
}

template <class Key>
void RouteSearch<Key>::push(double seconds, NodeId id, std::uint32_t pending, bool is_counted) {
  if (seconds > with_slack(best())) return;
  open_.push({.seconds = seconds,
              .node = id,
              .version = nodes_[id].version,
              .order = opened_++,
              .pending = pending,
              .is_counted = is_counted});
}

template <class Key>
void RouteSearch<Key>::look_at(NodeId id, HopKind kind, AxisMask axes, const Key& to,
                               const Price& price) {
  const bool is_transposed = nodes_[id].is_transposed || kind == HopKind::Transpose;
  const double seconds = nodes_[id].reached.weight.seconds + price.seconds;
  if (seconds > with_slack(best())) return;
  const auto [next, is_new] = table_.find_or_add(symmetry_.canonical(to), is_transposed);
  // By far the most hops lead to where others were sooner.
  if (!is_new && with_slack(nodes_[next].reached.weight.seconds) < seconds) return;
  RouteWeight step{.weight = {.seconds = price.seconds, .bytes = price.bytes, .steps = 1}};
  if (kind == HopKind::Permute) step.unfamiliar += 256;
  // Fewer devices take part in what comes after it.
  if (kind == HopKind::Keep) step.unfamiliar += nodes_[id].reached.weight.steps;
  if (problem_.transpose && nodes_[id].is_transposed) ++step.unfamiliar;
  const RouteWeight reached = nodes_[id].reached + step;
  Node<Key>& node = nodes_[next];
  if (is_new && !problem_.everywhere) node.bound = bound(to.places(ground_.axes()));
  const bool is_better = is_new || lighter(reached, node.reached) ||
                         (!lighter(node.reached, reached) && nodes_[id].source < node.source);
  if (!is_better) return;
  node.reached = reached;
  node.before = id;
  node.came = to;
  node.by = kind;
  node.axes = axes;
  node.source = nodes_[id].source;
  ++node.version;
  if (is_target(node)) arrived_ = next;
  push(reached.weight.seconds + node.bound, next);
}

template <class Key>
bool RouteSearch<Key>::add(const Hop& hop) {
  const bool is_local = !collective_of(hop.kind);
  if (!is_local && ground_.breaks_whole(hop.axes)) return true;
  if (takes_too_much(hop)) return true;
  if (weighed_ >= most_weighed_) return false;
  weighed_ += kMovesEach;
  const Price price = prices_.quick(hop, local_);
  if (prices_.is_quick(hop)) {
    look_at(at_, hop.kind, hop.axes, Key::of(hop.to, ground_.axes()), price);
    return true;
  }
  wait_for_price(hop, price);
  return true;
}

// To be priced when nothing else is as near.
template <class Key>
void RouteSearch<Key>::wait_for_price(const Hop& hop, const Price& price) {
  const double least = nodes_[at_].reached.weight.seconds + price.seconds;
  const double seconds = least + bound(hop.to);
  if (seconds > with_slack(best())) return;
  pending_.push_back(hop);
  push(seconds, at_, static_cast<std::uint32_t>(pending_.size() - 1));
}

// As Neighbours finds them, whose hops go to `add`. Those of one kind over the same axes cost the same.
template <>
bool RouteSearch<WideKey>::expand_by_lists(NodeId /*id*/) {
  return true;
}
template <>
bool RouteSearch<NarrowKey>::expand_by_lists(NodeId id) {
  constexpr std::size_t kKinds = 16;
  constexpr std::size_t kSets = std::size_t{1} << HopLists::kAxes;
  struct Known {
    Price price;
    bool is_quick = false;
    bool is_set = false;
  };
  std::array<Known, kKinds * kSets> known;
  const double reached = nodes_[id].reached.weight.seconds;
  for (const KeyedHop& hop : lists_->from(NarrowKey::of(here_, ground_.axes()), ground_)) {
    if (weighed_ >= most_weighed_) return false;
    ++weighed_;
    Known& own = known[static_cast<std::size_t>(hop.kind) * kSets + hop.axes];
    if (!own.is_set) {
      const Hop like{.kind = hop.kind, .axes = hop.axes, .to = {}};
      own = {prices_.quick(like, local_), prices_.is_quick(like), true};
    }
    if (reached + own.price.seconds > with_slack(best())) continue;
    if (own.is_quick && problem_.aim.most_held == HUGE_VAL) {
      look_at(id, hop.kind, hop.axes, NarrowKey{hop.to}, own.price);
      continue;
    }
    const Hop full{
        .kind = hop.kind, .axes = hop.axes, .to = NarrowKey{hop.to}.places(ground_.axes())};
    if (takes_too_much(full)) continue;
    if (own.is_quick)
      look_at(id, hop.kind, hop.axes, NarrowKey{hop.to}, own.price);
    else
      wait_for_price(full, own.price);
  }
  return true;
}

template <class Key>
void RouteSearch<Key>::price_pending(const Open& open) {
  const Hop hop = pending_[open.pending];
  const Places from = nodes_[open.node].key.places(ground_.axes());
  const bool is_last = hop.to == ground_.target();
  const bool is_transposed = nodes_[open.node].is_transposed || hop.kind == HopKind::Transpose;
  const NodeId known =
      table_.find(symmetry_.canonical(Key::of(hop.to, ground_.axes())), is_transposed);
  if (known != kNone &&
      with_slack(nodes_[known].reached.weight.seconds + nodes_[known].bound) < open.seconds)
    return;
  const double local = ground_.local_bytes(from);
  if (hop.kind == HopKind::Permute && !open.is_counted) {
    const double least = nodes_[open.node].reached.weight.seconds +
                         prices_.counted(from, hop, local).seconds + bound(hop.to);
    push(std::max(open.seconds, least), open.node, open.pending, true);
    weighed_ += ground_.enumerated(hop.axes) / 4;
    return;
  }
  look_at(open.node, hop.kind, hop.axes, Key::of(hop.to, ground_.axes()),
          prices_.exact(from, hop, local, is_last));
  weighed_ += work_of_price(hop.axes);
}

template <class Key>
void RouteSearch<Key>::expand(NodeId id, Moves moves) {
  at_ = id;
  here_ = nodes_[id].key.places(ground_.axes());
  local_ = ground_.local_bytes(here_);
  is_slice_too_large_ = false;
  const double bound = nodes_[id].reached.weight.seconds + nodes_[id].bound;
  Neighbours neighbours(here_, ground_, *this);
  bool all = problem_.transpose && !nodes_[id].is_transposed
                 ? add({.kind = HopKind::Transpose, .axes = 0, .to = here_})
                 : true;
  if (moves == Moves::TowardsTarget)
    all = all && neighbours.find_towards_target();
  else if (lists_ != nullptr)
    all = all && expand_by_lists(id);
  else
    all = all && neighbours.find_others() && neighbours.find_permutes();
  if (is_slice_too_large_) all = all && neighbours.find_longer_slices();
  if (!all) left_out_ = std::min(left_out_, bound);
}

// Moves never take less than no time, so once the least is on top, nothing else arrives in less than the best so far.
template <class Key>
void RouteSearch<Key>::expand_all(Moves moves, std::size_t most_moves) {
  weighed_ = 0;
  most_weighed_ = most_moves;
  while (!open_.empty() && weighed_ < most_weighed_) {
    throw_if_cancelled();
    const Open open = open_.top();
    if (open.seconds > with_slack(best())) return;
    open_.pop();
    if (open.version != nodes_[open.node].version) continue;
    if (open.pending != kNone)
      price_pending(open);
    else if (open.node != arrived_)
      expand(open.node, moves);
  }
}

template <class Key>
FoundRoute RouteSearch<Key>::route() const {
  FoundRoute found{.source = nodes_[arrived_].source};
  const auto hops = hops_to(arrived_, nodes_, symmetry_, ground_.axes());
  for (const auto& [from, hop] : hops)
    found.moves.push_back(prices_.move(from, hop, found.moves.size() + 1 == hops.size()));
  found.moves = joined_slices(std::move(found.moves));
  return found;
}

template <class Key>
Spread RouteSearch<Key>::spread() {
  start();
  expand_all(Moves::All, problem_.most_moves);
  Spread spread{.weighed = weighed_,
                .is_complete = left_out_ == HUGE_VAL &&
                               (open_.empty() || open_.top().seconds > with_slack(best()))};
  std::vector<NodeId> order(nodes_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](NodeId a, NodeId b) {
    return nodes_[a].reached.weight.seconds < nodes_[b].reached.weight.seconds;
  });
  std::vector<std::uint32_t> numbers(nodes_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) numbers[order[i]] = i;
  for (const NodeId id : order) {
    const Node<Key>& node = nodes_[id];
    const std::uint32_t before = node.before == kNone ? Stop::kNone : numbers[node.before];
    spread.stops.push_back({node.key.places(ground_.axes()), node.reached.weight, node.source,
                            before, node.by, node.axes});
  }
  return spread;
}

template <class Key>
std::optional<FoundRoute> RouteSearch<Key>::run() {
  // A good route to begin with: all that takes longer need not be looked at.
  constexpr std::size_t kFirstMoves = 20'000;
  start();
  expand_all(Moves::TowardsTarget, kFirstMoves);
  const std::size_t first = weighed_;
  if (problem_.straight) {
    if (arrived_ == kNone) return std::nullopt;
    FoundRoute found = route();
    found.weighed = first;
    return found;
  }
  restart();
  left_out_ = HUGE_VAL;
  expand_all(Moves::All, problem_.most_moves);
  if (arrived_ == kNone) return std::nullopt;
  FoundRoute found = route();
  found.weighed = first + weighed_;
  if (!open_.empty()) left_out_ = std::min(left_out_, open_.top().seconds);
  if (with_slack(left_out_) < best()) found.bound = left_out_;
  return found;
}

}  // namespace

std::optional<FoundRoute> find_route(const Relayout& problem) {
  const auto ground = Ground::of(problem);
  if (!ground) return std::nullopt;
  if (ground->axes() <= NarrowKey::kAxes && ground->most_where() < NarrowKey::kWheres)
    return RouteSearch<NarrowKey>(problem, *ground).run();
  return RouteSearch<WideKey>(problem, *ground).run();
}

Spread spread_from(const Relayout& problem, const Ground& ground) {
  if (ground.axes() <= NarrowKey::kAxes && ground.most_where() < NarrowKey::kWheres)
    return RouteSearch<NarrowKey>(problem, ground).spread();
  return RouteSearch<WideKey>(problem, ground).spread();
}

}  // namespace shard::planning
