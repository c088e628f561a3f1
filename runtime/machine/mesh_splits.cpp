#include "runtime/machine/mesh_splits.h"

#include <algorithm>
#include <utility>

#include "base/contains.h"

namespace shard {

namespace {

// The axes from `axis` on.
void add_divisors(std::int64_t devices, MeshSplit& split, std::size_t axis,
                  std::vector<MeshSplit>& splits) {
  if (axis + 1 == split.size()) {
    split[axis] = longer_than_one({devices});
    splits.push_back(split);
    return;
  }
  for (std::int64_t divisor = 1; divisor <= devices; ++divisor) {
    if (devices % divisor != 0) continue;
    split[axis] = longer_than_one({divisor});
    add_divisors(devices / divisor, split, axis + 1, splits);
  }
}

}  // namespace

AxisLengths longer_than_one(AxisLengths lengths) {
  lengths.erase(std::remove(lengths.begin(), lengths.end(), 1), lengths.end());
  return lengths;
}

bool is_torus(const Chip& chip, const Slice& slice) {
  return !slice.lengths.empty() && has_torus(chip.wrap);
}

std::vector<MeshSplit> torus_splits(const AxisLengths& torus, std::size_t count) {
  const AxisLengths lengths = longer_than_one(torus);
  std::vector<MeshSplit> splits;
  if (count == 0) return splits;
  std::size_t ways = 1;
  for (std::size_t i = 0; i < lengths.size(); ++i) ways *= count;
  for (std::size_t way = 0; way < ways; ++way) {
    MeshSplit split(count);
    std::size_t rest = way;
    for (const std::int64_t length : lengths) {
      split[rest % count].push_back(length);
      rest /= count;
    }
    if (!contains(splits, split)) splits.push_back(std::move(split));
  }
  return splits;
}

std::vector<MeshSplit> divisor_splits(std::int64_t devices, std::size_t count) {
  std::vector<MeshSplit> splits;
  if (count == 0) return splits;
  MeshSplit split(count);
  add_divisors(devices, split, 0, splits);
  return splits;
}

}  // namespace shard
