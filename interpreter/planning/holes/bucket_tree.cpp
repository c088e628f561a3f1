#include "interpreter/planning/holes/bucket_tree.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/cancellation.h"
#include "base/contains.h"

namespace shard::planning {

namespace {

using Adjacency = std::vector<std::set<std::size_t>>;

// The variable of which the fewest pairs of neighbours are no neighbours of each other (min-fill); of equal ones that with the
// smallest table.
std::size_t least_filling(const Adjacency& neighbours, const std::set<std::size_t>& left,
                          const std::vector<std::size_t>& sizes) {
  std::size_t best = *left.begin();
  std::pair<std::size_t, double> least = {static_cast<std::size_t>(-1), 0};
  for (const std::size_t variable : left) {
    const auto& around = neighbours[variable];
    std::size_t missing = 0;
    double size = 1;
    for (const std::size_t one : around) {
      size *= static_cast<double>(sizes[one]);
      for (const std::size_t other : around)
        missing += one < other && !neighbours[one].contains(other) ? 1 : 0;
    }
    if (std::pair(missing, size) < least) {
      least = {missing, size};
      best = variable;
    }
  }
  return best;
}

void join(Adjacency& neighbours, const std::vector<std::size_t>& variables) {
  for (const std::size_t one : variables) {
    for (const std::size_t other : variables) {
      if (one != other) neighbours[one].insert(other);
    }
  }
}

}  // namespace

BucketTree::BucketTree(const std::vector<std::size_t>& sizes,
                       const std::vector<std::vector<CostTable>>& sums, std::size_t most_entries)
    : sizes_(sizes) {
  is_too_large_ = !make_order(sums, most_entries);
  if (is_too_large_) return;
  std::vector<std::size_t> place(sizes.size());  // by variable
  for (std::size_t b = 0; b < buckets_.size(); ++b) place[buckets_[b].variable] = b;
  const auto first_of = [&](const std::vector<std::size_t>& variables) {
    std::size_t first = buckets_.size();
    for (const std::size_t variable : variables) first = std::min(first, place[variable]);
    return first;
  };
  for (std::size_t b = 0; b < buckets_.size(); ++b) {
    const std::size_t next = first_of(buckets_[b].around);
    if (next < buckets_.size()) buckets_[next].from.push_back(b);
  }
  std::vector<TablesInOrder> tables(buckets_.size(), TablesInOrder(sums.size()));
  for (std::size_t sum = 0; sum < sums.size(); ++sum) {
    for (const CostTable& table : sums[sum]) {
      // One without variables belongs to any bucket.
      const std::size_t at = first_of(table.variables);
      if (!buckets_.empty()) tables[at % buckets_.size()][sum].push_back(&table);
    }
  }
  for (std::size_t b = 0; b < buckets_.size(); ++b) fill(buckets_[b], tables[b]);
}

bool BucketTree::make_order(const std::vector<std::vector<CostTable>>& sums,
                            std::size_t most_entries) {
  Adjacency neighbours(sizes_.size());
  for (const auto& tables : sums) {
    for (const CostTable& table : tables) join(neighbours, table.variables);
  }
  std::set<std::size_t> left;
  for (std::size_t v = 0; v < sizes_.size(); ++v) left.insert(v);
  while (!left.empty()) {
    const std::size_t next = least_filling(neighbours, left, sizes_);
    Bucket bucket{.variable = next,
                  .around = {neighbours[next].begin(), neighbours[next].end()},
                  .strides = {},
                  .from = {},
                  .places = {},
                  .sums = {}};
    double size = static_cast<double>(sizes_[next]);
    for (const std::size_t one : bucket.around) size *= static_cast<double>(sizes_[one]);
    if (static_cast<double>(entries_) + size > static_cast<double>(most_entries)) return false;
    entries_ += static_cast<std::size_t>(size);
    std::size_t stride = sizes_[next];
    bucket.strides.resize(bucket.around.size());
    for (std::size_t i = bucket.around.size(); i-- > 0;) {
      bucket.strides[i] = stride;
      stride *= sizes_[bucket.around[i]];
    }
    join(neighbours, bucket.around);
    for (const std::size_t one : bucket.around) neighbours[one].erase(next);
    left.erase(next);
    buckets_.push_back(std::move(bucket));
  }
  return true;
}

std::size_t BucketTree::entry(const Bucket& bucket, const std::vector<std::size_t>& values) const {
  std::size_t at = 0;
  for (std::size_t i = 0; i < bucket.around.size(); ++i)
    at += bucket.strides[i] * values[bucket.around[i]];
  return at;
}

void BucketTree::fill(Bucket& bucket, const TablesInOrder& tables) const {
  std::size_t count = sizes_[bucket.variable];
  for (const std::size_t one : bucket.around) count *= sizes_[one];
  bucket.sums.resize(tables.size());
  for (std::size_t sum = 0; sum < tables.size(); ++sum) {
    if (!tables[sum].empty()) bucket.sums[sum].resize(count, 0);
  }
  bucket.places.resize(bucket.from.size(), std::vector<std::size_t>(count));
  std::vector<std::size_t> values(sizes_.size(), 0);
  const std::size_t own = sizes_[bucket.variable];
  for (std::size_t entry = 0; entry < count; ++entry) {
    throw_if_cancelled();
    values[bucket.variable] = entry % own;
    for (std::size_t i = 0; i < bucket.around.size(); ++i)
      values[bucket.around[i]] = entry / bucket.strides[i] % sizes_[bucket.around[i]];
    for (std::size_t sum = 0; sum < tables.size(); ++sum) {
      for (const CostTable* table : tables[sum]) {
        std::size_t at = 0;
        for (const std::size_t variable : table->variables)
          at = at * sizes_[variable] + values[variable];
        bucket.sums[sum][entry] += table->costs[at];
      }
    }
    for (std::size_t f = 0; f < bucket.from.size(); ++f) {
      const Bucket& earlier = buckets_[bucket.from[f]];
      bucket.places[f][entry] = this->entry(earlier, values) / sizes_[earlier.variable];
    }
  }
}

BucketTree::Reduced BucketTree::reduced(const std::vector<double>& weights) const {
  Reduced result;
  std::vector<std::vector<double>> rests(buckets_.size());  // the least, by values around
  for (std::size_t b = 0; b < buckets_.size(); ++b) {
    throw_if_cancelled();
    const Bucket& bucket = buckets_[b];
    const std::size_t own = sizes_[bucket.variable];
    std::size_t around = 1;
    for (const std::size_t one : bucket.around) around *= sizes_[one];
    const std::size_t count = around * own;
    std::vector<double> totals(count, 0);
    for (std::size_t sum = 0; sum < weights.size(); ++sum) {
      if (bucket.sums[sum].empty() || (sum > 0 && weights[sum] == 0)) continue;
      for (std::size_t entry = 0; entry < count; ++entry) {
        const double value = bucket.sums[sum][entry];
        totals[entry] += std::isinf(value) ? value : weights[sum] * value;
      }
    }
    for (std::size_t f = 0; f < bucket.from.size(); ++f) {
      for (std::size_t entry = 0; entry < count; ++entry)
        totals[entry] += rests[bucket.from[f]][bucket.places[f][entry]];
    }
    std::vector<double>& rest = rests[b];
    rest.resize(around);
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const auto begin = totals.begin() + static_cast<std::ptrdiff_t>(i * own);
      rest[i] = *std::min_element(begin, begin + static_cast<std::ptrdiff_t>(own));
      for (std::size_t value = 0; value < own; ++value) {
        double& total = totals[i * own + value];
        total = std::isinf(total) ? kImpossible : total - rest[i];
      }
    }
    if (bucket.around.empty()) result.least += rest.front();
    result.above.push_back(std::move(totals));
  }
  return result;
}

}  // namespace shard::planning
