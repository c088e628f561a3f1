// Sums of tables over the same variables, and what is left of them when the variables are taken out one after the other.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace shard::planning {

inline constexpr double kImpossible = std::numeric_limits<double>::infinity();

// A cost for each combination of values of some variables.
struct CostTable {
  std::vector<std::size_t> variables;  // each once
  std::vector<double> costs;  // row-major, the last variable fastest; kImpossible: not to be chosen
};

// Several sums are kept at once. A variable's bucket has the tables that it was the first of their variables to be taken out with.
class BucketTree {
 public:
  struct Bucket {
    std::size_t variable = 0;
    std::vector<std::size_t> around;               // variables taken out later
    std::vector<std::size_t> strides;              // of each of these, in `entry`
    std::vector<std::size_t> from;                 // buckets whose rest has this variable
    std::vector<std::vector<std::size_t>> places;  // by `from`: the entry of its rest, by entry
    std::vector<std::vector<double>> sums;         // by sum: of its tables, by entry; empty: zero
  };
  // Of one sum: how far each entry of each bucket is above the least with the same values around it, and that least altogether.
  struct Reduced {
    std::vector<std::vector<double>> above;  // by bucket and entry
    double least = 0;
  };

  BucketTree(const std::vector<std::size_t>& sizes, const std::vector<std::vector<CostTable>>& sums,
             std::size_t most_entries);

  bool is_too_large() const { return is_too_large_; }
  std::size_t entries() const { return entries_; }
  // In the order in which variables are taken out.
  const std::vector<Bucket>& buckets() const { return buckets_; }
  // The entry of a bucket for its variable's first value and these values of the others; further values follow it.
  std::size_t entry(const Bucket& bucket, const std::vector<std::size_t>& values) const;

  // Of the weighted sum of all sums; what is impossible in the first one is so in all, whatever its weight.
  Reduced reduced(const std::vector<double>& weights) const;

 private:
  using TablesInOrder = std::vector<std::vector<const CostTable*>>;  // by sum
  bool make_order(const std::vector<std::vector<CostTable>>& sums, std::size_t most_entries);
  void fill(Bucket& bucket, const TablesInOrder& tables) const;

  std::vector<std::size_t> sizes_;
  std::vector<Bucket> buckets_;
  std::size_t entries_ = 0;
  bool is_too_large_ = false;
};

}  // namespace shard::planning
