#include "runtime/collective/run_routes.h"

#include <algorithm>

#include "base/check.h"

namespace shard {
namespace {

using Bytes = std::vector<std::byte>;

class RouteRun {
 public:
  RouteRun(const Routes& routes, std::int64_t block_elements, std::int64_t element_bytes,
           HeldBlocks& held, const Executor& executor)
      : routes_(routes),
        block_elements_(block_elements),
        element_bytes_(element_bytes),
        held_(held),
        executor_(executor),
        hops_left_(routes.parts().size(), 0),
        is_under_way_(routes.parts().size(), false),
        travelling_(routes.parts().size()),
        carried_(routes.links(), 0) {
    for (const auto& round : routes.rounds()) {
      for (const RouteHop& hop : round) ++hops_left_[hop.part];
    }
  }

  std::vector<std::int64_t> run() {
    for (const auto& round : routes_.rounds()) {
      for (const RouteHop& hop : round) take(hop);
    }
    return std::move(carried_);
  }

 private:
  // Where in a block the part begins and ends, in bytes.
  std::pair<std::ptrdiff_t, std::ptrdiff_t> range(const RoutePart& part) const {
    const auto [begin, end] = elements_of(part, block_elements_);
    return {begin * element_bytes_, end * element_bytes_};
  }

  void take(const RouteHop& hop) {
    executor_.throw_if_cancelled();
    const RoutePart& part = routes_.parts()[hop.part];
    const auto [begin, end] = range(part);
    Bytes& at = travelling_[hop.part];
    if (!is_under_way_[hop.part]) {
      const auto source = held_.find({part.block, part.from});
      SHARD_CHECK(source != held_.end());
      at.assign(source->second.begin() + begin, source->second.begin() + end);
      is_under_way_[hop.part] = true;
    }
    at = Bytes(at);  // a copy of its own at the next place
    carried_[hop.link] += end - begin;
    if (--hops_left_[hop.part] > 0) return;
    Bytes& block = held_[{part.block, part.to}];
    block.resize(static_cast<std::size_t>(block_elements_ * element_bytes_));
    std::copy(at.begin(), at.end(), block.begin() + begin);
    at = Bytes();
  }

  const Routes& routes_;
  std::int64_t block_elements_;
  std::int64_t element_bytes_;
  HeldBlocks& held_;
  const Executor& executor_;
  std::vector<std::int64_t> hops_left_;  // by part
  std::vector<bool> is_under_way_;
  std::vector<Bytes> travelling_;  // by part: its bytes, where it is now
  std::vector<std::int64_t> carried_;
};

}  // namespace

std::vector<std::int64_t> run_routes(const Routes& routes, std::int64_t block_elements,
                                     std::int64_t element_bytes, HeldBlocks& held,
                                     const Executor& executor) {
  return RouteRun(routes, block_elements, element_bytes, held, executor).run();
}

}  // namespace shard
