#include "interpreter/planning/search/block_pattern.h"

#include <algorithm>
#include <cstdlib>

#include "interpreter/planning/search/neighbours.h"

namespace shard::planning {

namespace {

std::string axes_of(const Subscripts::Subscript& subscript) {
  return {subscript.axes.begin(), subscript.axes.begin() + subscript.count};
}

// The devices along the axes of a pattern, and which block each has and needs.
class Devices {
 public:
  Devices(const BlockPattern& pattern, const Ground& ground) : ground_(ground) {
    for (const auto& [before, after] : pattern.dims) {
      for (const char axis : before + after) {
        if (axes_.find(axis) == std::string::npos) axes_.push_back(axis);
      }
    }
    std::sort(axes_.begin(), axes_.end());
    for (const char axis : axes_) count_ *= length(axis);
  }

  std::size_t count() const { return count_; }
  const std::string& axes() const { return axes_; }
  std::size_t length(char axis) const {
    return static_cast<std::size_t>(ground_.size(static_cast<std::size_t>(axis)));
  }
  // How far apart numbers are whose devices are neighbours along the axis.
  std::size_t stride(char axis) const {
    std::size_t stride = 1;
    for (std::size_t i = axes_.size(); axes_[--i] != axis;) stride *= length(axes_[i]);
    return stride;
  }
  // By device: the number of the block of an array whose dimensions are split so.
  std::vector<std::uint32_t> blocks(const std::vector<std::string>& subscripts) const {
    std::vector<std::uint32_t> blocks(count_, 0);
    for (const std::string& axes : subscripts) {
      for (const char axis : axes) {
        const std::size_t size = length(axis);
        const std::size_t step = stride(axis);
        std::size_t coordinate = 0;
        std::size_t left = step;
        for (std::uint32_t& block : blocks) {
          block = block * static_cast<std::uint32_t>(size) + static_cast<std::uint32_t>(coordinate);
          if (--left != 0) continue;
          left = step;
          coordinate = coordinate + 1 == size ? 0 : coordinate + 1;
        }
      }
    }
    return blocks;
  }

 private:
  const Ground& ground_;
  std::string axes_;  // the first being major
  std::size_t count_ = 1;
};

// By block: the devices with this number that do not have and need the same one, in order.
std::vector<std::uint32_t> sorted_by_block(const std::vector<std::uint32_t>& own,
                                           const std::vector<std::uint32_t>& other) {
  std::vector<std::uint32_t> begins(own.size() + 1, 0);
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i] != other[i]) ++begins[own[i] + std::size_t{1}];
  }
  for (std::size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  std::vector<std::uint32_t> devices(begins.back());
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i] != other[i]) devices[begins[own[i]]++] = static_cast<std::uint32_t>(i);
  }
  return devices;
}

}  // namespace

BlockPattern::BlockPattern(const Places& from, const Places& to, const Ground& ground) {
  const Subscripts now(from, ground);
  const Subscripts then(to, ground);
  for (std::size_t d = 0; d < ground.rank(); ++d) {
    Axes before = axes_of(now.dims[d]);
    Axes after = axes_of(then.dims[d]);
    if (before == after) continue;
    while (!before.empty() && !after.empty() && before.front() == after.front()) {
      before.erase(0, 1);
      after.erase(0, 1);
    }
    while (!before.empty() && !after.empty() && before.back() == after.back()) {
      before.pop_back();
      after.pop_back();
    }
    dims.emplace_back(std::move(before), std::move(after));
  }
  std::sort(dims.begin(), dims.end());
}

std::string BlockPattern::key() const {
  std::string key;
  for (const auto& [before, after] : dims) {
    key += before;
    key.push_back('\x7e');
    key += after;
    key.push_back('\x7f');
  }
  return key;
}

BlockWays least_ways(const BlockPattern& pattern, const Ground& ground) {
  constexpr std::size_t kMostDevices = 65'536;
  const Devices devices(pattern, ground);
  for (const char axis : devices.axes()) {
    if (ground.is_symbolic(static_cast<std::size_t>(axis))) return {};
  }
  if (devices.count() > kMostDevices) return {};
  std::vector<std::string> before;
  std::vector<std::string> after;
  for (const auto& [now, then] : pattern.dims) {
    before.push_back(now);
    after.push_back(then);
  }
  const auto has = devices.blocks(before);
  const auto needs = devices.blocks(after);
  const auto senders = sorted_by_block(has, needs);
  const auto receivers = sorted_by_block(needs, has);
  if (senders.size() != receivers.size()) return {};
  BlockWays ways;
  std::vector<std::uint32_t> hops(senders.size(), 0);
  for (const char axis : devices.axes()) {
    const auto number = static_cast<std::size_t>(axis);
    const auto& distances = ground.distances(number);
    if (distances.empty()) continue;
    const std::size_t size = devices.length(axis);
    const std::size_t stride = devices.stride(axis);
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < senders.size(); ++i) {
      const std::size_t begin = senders[i] / stride % size;
      const std::size_t end = receivers[i] / stride % size;
      hops[i] += distances[begin * size + end];
      all += distances[begin * size + end];
    }
    const double links = ground.links_each(number) * static_cast<double>(devices.count());
    ways.busiest = std::max(ways.busiest, static_cast<double>(all) / links);
  }
  if (!hops.empty()) ways.hops = *std::max_element(hops.begin(), hops.end());
  return ways;
}

}  // namespace shard::planning
