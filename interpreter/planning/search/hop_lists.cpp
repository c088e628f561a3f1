#include "interpreter/planning/search/hop_lists.h"

#include "interpreter/planning/search/neighbours.h"
#include "runtime/plan/fingerprint.h"

namespace shard::planning {

namespace {

constexpr std::size_t kMostHops = 1'000'000;
// Planning runs on one thread for each session.
thread_local std::map<std::string, HopLists> known_lists;
thread_local std::size_t hops_kept = 0;

// What Neighbours asks of the ground, but for lengths.
std::string key_of(const Ground& ground) {
  Fingerprint key;
  key.add(static_cast<std::int64_t>(ground.axes()));
  key.add(static_cast<std::int64_t>(ground.rank()));
  for (std::size_t a = 0; a < ground.axes(); ++a) {
    key.add(static_cast<std::int64_t>(ground.size(a)));
    key.add(std::int64_t{ground.is_symbolic(a)});
    key.add(std::int64_t{ground.target().is_unreduced(a)});
    const auto alike = ground.alike_axis_before(a);
    key.add(alike ? static_cast<std::int64_t>(*alike) : -1);
  }
  for (std::size_t d = 0; d < ground.rank(); ++d) {
    const auto before = ground.alike_before(d);
    key.add(before ? static_cast<std::int64_t>(*before) : -1);
  }
  return std::move(key).bytes();
}

class Recorder final : public HopSink {
 public:
  explicit Recorder(const Ground& ground) : ground_(ground) {}
  bool add(const Hop& hop) override {
    hops.push_back({NarrowKey::of(hop.to, ground_.axes()).bits, hop.axes, hop.kind});
    return true;
  }
  std::vector<KeyedHop> hops;

 private:
  const Ground& ground_;
};

}  // namespace

HopLists* HopLists::of(const Relayout& problem, const Ground& ground) {
  constexpr std::size_t kMostRank = 6;
  if (ground.axes() > kAxes || ground.rank() > kMostRank || !ground.is_cut_evenly() ||
      ground.has_places() || !problem.whole.empty())
    return nullptr;
  if (hops_kept > kMostHops) {
    known_lists.clear();
    hops_kept = 0;
  }
  return &known_lists[key_of(ground)];
}

const std::vector<KeyedHop>& HopLists::from(const NarrowKey& key, const Ground& ground) {
  const auto [entry, is_new] = lists_.try_emplace(key.bits);
  if (is_new) {
    Recorder recorder(ground);
    const Places places = key.places(ground.axes());
    Neighbours neighbours(places, ground, recorder);
    neighbours.find_others();
    neighbours.find_permutes();
    hops_kept += recorder.hops.size();
    entry->second = std::move(recorder.hops);
  }
  return entry->second;
}

}  // namespace shard::planning
