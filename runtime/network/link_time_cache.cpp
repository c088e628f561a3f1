#include "runtime/network/link_time_cache.h"

namespace shard {

double LinkTimes::seconds(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                          const LinkRates& rates) {
  const Question question{kind,        torus.axes(),    torus.fabric(),
                          block_bytes, rates.bandwidth, rates.hop};
  if (const auto known = seconds_.find(question); known != seconds_.end()) return known->second;
  const double seconds = seconds_on_links(kind, torus, block_bytes, rates);
  seconds_.emplace(question, seconds);
  return seconds;
}

std::optional<RouteWeights> LinkTimes::weights(
    const std::string& key, const std::function<std::optional<RouteWeights>()>& find) {
  const auto known = weights_.find(key);
  return known != weights_.end() ? known->second : weights_.emplace(key, find()).first->second;
}

LinkTimes::Lines& LinkTimes::lines(const std::string& machine) { return lines_[machine]; }

}  // namespace shard
