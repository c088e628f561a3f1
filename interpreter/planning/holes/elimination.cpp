#include "interpreter/planning/holes/elimination.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <queue>
#include <tuple>
#include <utility>

#include "base/cancellation.h"

namespace shard::planning {

namespace {

// Sums in another order differ in their last digits.
constexpr double kRounding = 1e-10;
// Of a search; each takes 8 bytes, and 24 while it waits.
constexpr std::size_t kMostNodes = 2'000'000;

// The sum of the problem's costs first, then its rows.
std::vector<std::vector<CostTable>> sums_of(ChoiceProblem& problem) {
  std::vector<std::vector<CostTable>> sums = {std::move(problem.tables)};
  if (problem.limit < kImpossible)
    std::move(problem.rows.begin(), problem.rows.end(), std::back_inserter(sums));
  // What is impossible takes no memory either.
  for (std::size_t row = 1; row < sums.size(); ++row) {
    for (const CostTable& table : sums.front()) {
      const bool always = std::none_of(table.costs.begin(), table.costs.end(),
                                       [](double cost) { return std::isinf(cost); });
      if (always) continue;
      CostTable& possible = sums[row].emplace_back(table);
      for (double& cost : possible.costs) cost = std::isinf(cost) ? kImpossible : 0;
    }
  }
  return sums;
}

}  // namespace

class CheapestChoices::Search {
 public:
  Search(ChoiceProblem problem, std::size_t most_entries)
      : sizes_(problem.sizes),
        limit_(problem.limit),
        tree_(sizes_, sums_of(problem), most_entries),
        rows_(limit_ < kImpossible ? problem.rows.size() : 0) {
    if (tree_.is_too_large()) return;
    std::vector<double> weights(1 + rows_, 0);
    weights[0] = 1;
    costs_ = tree_.reduced(weights);
    weights[0] = 0;
    for (std::size_t row = 0; row < rows_; ++row) {
      weights[row + 1] = 1;
      memory_.push_back(tree_.reduced(weights));
      weights[row + 1] = 0;
    }
    if (!is_possible()) return;
    find_multipliers();
    const Waiting all{bound(costs_.least, priced_.least - allowance_), 0, 0};
    nodes_.push_back({});
    waiting_.push(all);
    path_.push_back({});
    open_.push_back(all);
  }

  bool is_too_large() const { return tree_.is_too_large(); }

  std::optional<Choice> next() {
    while (!waiting_.empty() && nodes_.size() < kMostNodes) {
      throw_if_cancelled();
      const Waiting best = waiting_.top();
      waiting_.pop();
      at_least_ = std::max(at_least_, best.bound);
      const Partial partial = partial_of(best, nodes_);
      if (best.depth == sizes_.size()) return Choice{partial.values, partial.cost};
      expand(best, partial, nodes_, [&](const Waiting& child) { waiting_.push(child); });
    }
    return std::nullopt;
  }

  std::optional<Choice> next_below(double most, double& most_nodes) {
    while (!open_.empty() && most_nodes > 0) {
      throw_if_cancelled();
      --most_nodes;
      const Waiting last = open_.back();
      open_.pop_back();
      // All that was found behind it is done.
      path_.resize(last.node + 1);
      if (last.bound >= most) continue;
      const Partial partial = partial_of(last, path_);
      if (last.depth == sizes_.size()) return Choice{partial.values, partial.cost};
      const std::size_t first = open_.size();
      expand(last, partial, path_, [&](const Waiting& child) { open_.push_back(child); });
      // The cheapest first, but the nodes stay in the order of the path.
      const auto begin = open_.begin() + static_cast<std::ptrdiff_t>(first);
      std::stable_sort(begin, open_.end(),
                       [](const Waiting& a, const Waiting& b) { return a.bound > b.bound; });
      std::vector<Node> sorted;
      for (auto child = begin; child != open_.end(); ++child) sorted.push_back(path_[child->node]);
      for (std::size_t i = 0; i < sorted.size(); ++i) {
        open_[first + i].node = static_cast<std::uint32_t>(path_.size() - sorted.size() + i);
        path_[open_[first + i].node] = sorted[i];
      }
    }
    return std::nullopt;
  }

  double at_least() const {
    if (waiting_.empty()) return kImpossible;
    return std::max(at_least_, waiting_.top().bound);
  }

 private:
  // A choice of the values of the variables that were taken out last, as many as its depth.
  struct Node {
    std::uint32_t before = 0;
    std::uint32_t value = 0;
  };
  struct Waiting {
    double bound = 0;
    std::uint32_t depth = 0;
    std::uint32_t node = 0;
    // The lowest bound first, of equal ones the most complete, of these the one that was found first.
    friend bool operator<(const Waiting& a, const Waiting& b) {
      return std::tuple(-a.bound, a.depth, b.node) < std::tuple(-b.bound, b.depth, a.node);
    }
  };
  // What completing it takes at least: its cost, each row, and the cost with the rows priced.
  struct Partial {
    std::vector<std::size_t> values;
    double cost = 0;
    std::vector<double> rows;
    double priced = 0;
  };

  bool is_possible() const {
    return costs_.least < kImpossible &&
           std::all_of(memory_.begin(), memory_.end(), [&](const BucketTree::Reduced& row) {
             return row.least <= limit_ * (1 + kRounding);
           });
  }

  const BucketTree::Bucket& bucket_at(std::size_t depth) const {
    return tree_.buckets()[sizes_.size() - 1 - depth];
  }

  // Equal costs are equal, however they were added up.
  static double bound(double cost, double priced) {
    const double larger = std::max(cost, priced);
    if (!std::isfinite(larger) || larger <= 0) return larger;
    int exponent = 0;
    const double mantissa = std::frexp(larger, &exponent);
    return std::ldexp(std::round(mantissa / kRounding) * kRounding, exponent);
  }

  Partial partial_of(const Waiting& waiting, const std::vector<Node>& nodes) const {
    Partial partial{std::vector<std::size_t>(sizes_.size(), 0), costs_.least, {}, priced_.least};
    for (const auto& row : memory_) partial.rows.push_back(row.least);
    std::uint32_t node = waiting.node;
    for (std::size_t depth = waiting.depth; depth-- > 0;) {
      partial.values[bucket_at(depth).variable] = nodes[node].value;
      node = nodes[node].before;
    }
    for (std::size_t depth = 0; depth < waiting.depth; ++depth) {
      const BucketTree::Bucket& bucket = bucket_at(depth);
      add(depth, tree_.entry(bucket, partial.values) + partial.values[bucket.variable], partial);
    }
    return partial;
  }

  void add(std::size_t depth, std::size_t entry, Partial& partial) const {
    const std::size_t at = sizes_.size() - 1 - depth;
    partial.cost += costs_.above[at][entry];
    for (std::size_t row = 0; row < rows_; ++row)
      partial.rows[row] += memory_[row].above[at][entry];
    partial.priced += priced_.above[at][entry];
  }

  template <class Found>
  void expand(const Waiting& parent, const Partial& partial, std::vector<Node>& nodes,
              const Found& found) const {
    const BucketTree::Bucket& bucket = bucket_at(parent.depth);
    const std::size_t first = tree_.entry(bucket, partial.values);
    Partial child;
    for (std::size_t value = 0; value < sizes_[bucket.variable]; ++value) {
      child.cost = partial.cost;
      child.rows = partial.rows;
      child.priced = partial.priced;
      add(parent.depth, first + value, child);
      const bool fits = std::all_of(child.rows.begin(), child.rows.end(), [&](double bytes) {
        return bytes <= limit_ * (1 + kRounding);
      });
      if (!fits || std::isinf(child.cost)) continue;
      found({std::max(parent.bound, bound(child.cost, child.priced - allowance_)), parent.depth + 1,
             static_cast<std::uint32_t>(nodes.size())});
      nodes.push_back({parent.node, static_cast<std::uint32_t>(value)});
    }
  }

  // The rows that the cheapest choice of a priced sum has.
  std::vector<double> rows_of_least(const BucketTree::Reduced& reduced) const {
    std::vector<std::size_t> values(sizes_.size(), 0);
    std::vector<double> rows(rows_, 0);
    for (std::size_t depth = 0; depth < sizes_.size(); ++depth) {
      const BucketTree::Bucket& bucket = bucket_at(depth);
      const auto& above = reduced.above[sizes_.size() - 1 - depth];
      const std::size_t first = tree_.entry(bucket, values);
      std::size_t& value = values[bucket.variable];
      for (std::size_t other = 1; other < sizes_[bucket.variable]; ++other) {
        if (above[first + other] < above[first + value]) value = other;
      }
      for (std::size_t row = 0; row < rows_; ++row) {
        if (!bucket.sums[row + 1].empty()) rows[row] += bucket.sums[row + 1][first + value];
      }
    }
    return rows;
  }

  // Multipliers that make the bound of the cost large: against what exceeds the limit, in shorter and shorter steps.
  void find_multipliers() {
    priced_ = costs_;
    constexpr double kMostWork = 4e7;  // entries
    constexpr int kMostSteps = 100;
    const int steps = static_cast<int>(std::min<double>(
        kMostSteps, kMostWork / static_cast<double>((tree_.entries() + 1) * (rows_ + 1))));
    std::vector<double> weights(1 + rows_, 0);  // seconds for each byte
    weights[0] = 1;
    BucketTree::Reduced reduced = costs_;
    double length = costs_.least / 2;  // seconds for the whole limit
    constexpr double kShorter = 0.94;
    for (int step = 0; step < steps && rows_ > 0; ++step) {
      const std::vector<double> rows = rows_of_least(reduced);
      double squares = 0;
      for (const double row : rows) squares += std::pow(row / limit_ - 1, 2);
      if (squares == 0) return;
      double allowed = 0;
      for (std::size_t row = 0; row < rows_; ++row) {
        const double excess = (rows[row] / limit_ - 1) / std::sqrt(squares);
        weights[row + 1] = std::max(0.0, weights[row + 1] + length * excess / limit_);
        allowed += weights[row + 1] * limit_;
      }
      length *= kShorter;
      reduced = tree_.reduced(weights);
      if (reduced.least - allowed <= priced_.least - allowance_) continue;
      priced_ = reduced;
      allowance_ = allowed;
    }
  }

  std::vector<std::size_t> sizes_;
  double limit_;
  BucketTree tree_;
  std::size_t rows_;
  BucketTree::Reduced costs_;
  std::vector<BucketTree::Reduced> memory_;
  BucketTree::Reduced priced_;  // the cost with the multipliers' rows
  double allowance_ = 0;        // the multipliers times the limit
  std::vector<Node> nodes_;
  std::priority_queue<Waiting> waiting_;
  std::vector<Node> path_;     // depth first
  std::vector<Waiting> open_;  // of it, the next one last
  double at_least_ = 0;
};

CheapestChoices::CheapestChoices(ChoiceProblem problem, std::size_t most_entries) {
  const bool is_empty = std::any_of(problem.sizes.begin(), problem.sizes.end(),
                                    [](std::size_t size) { return size == 0; });
  if (is_empty) problem = {.sizes = {1}, .tables = {{{0}, {kImpossible}}}, .rows = {}};
  auto search = std::make_unique<Search>(std::move(problem), most_entries);
  if (!search->is_too_large()) search_ = std::move(search);
}

CheapestChoices::~CheapestChoices() = default;

bool CheapestChoices::is_too_large() const { return search_ == nullptr; }

std::optional<Choice> CheapestChoices::next() {
  return search_ != nullptr ? search_->next() : std::nullopt;
}

std::optional<Choice> CheapestChoices::next_below(double most, double& most_nodes) {
  return search_ != nullptr ? search_->next_below(most, most_nodes) : std::nullopt;
}

double CheapestChoices::at_least() const { return search_ != nullptr ? search_->at_least() : 0; }

}  // namespace shard::planning
