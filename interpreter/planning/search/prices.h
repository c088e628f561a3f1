// What the hops of a search cost, as doubles. All figures are those of runtime/cost, asked for once for each set of axes.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "interpreter/planning/search/hop.h"
#include "interpreter/planning/search/relayout.h"
#include "runtime/network/link_time_cache.h"

namespace shard::planning {

struct Price {
  double seconds = 0;
  double bytes = 0;  // moved
};

class Prices {
 public:
  Prices(const Relayout& problem, const Ground& ground);
  Prices(const Prices&) = delete;
  Prices& operator=(const Prices&) = delete;

  // Whether `quick` is the price itself. If not, it is a lower bound: permutes have to be routed, and the model `links`
  // simulates.
  bool is_quick(const Hop& hop) const;
  // All prices are `ordered` by the problem's objective. A better bound for a permute, counted from where its blocks go.
  Price counted(const Places& from, const Hop& hop, double local) {
    return in_order(counted_price(from, hop, local));
  }
  // `local`: bytes on one device before the hop.
  Price quick(const Hop& hop, double local) { return in_order(quick_price(hop, local)); }
  Price exact(const Places& from, const Hop& hop, double local, bool is_last) {
    return in_order(exact_price(from, hop, local, is_last));
  }
  Move move(const Places& from, const Hop& hop, bool is_last) const;

 private:
  // Times that are max(latency, bytes · per_byte), or for blocks that travel by routes the sum of the two.
  using Line = LinkTimes::Line;
  Price in_order(const Price& price) const {
    const Weight weight = ordered({price.seconds, price.bytes, 1}, problem_.aim.objective);
    return {.seconds = weight.seconds, .bytes = weight.bytes};
  }
  Price counted_price(const Places& from, const Hop& hop, double local);
  Price quick_price(const Hop& hop, double local);
  Price exact_price(const Places& from, const Hop& hop, double local, bool is_last);
  // A collective over axes of several networks goes over one after the other (docs/cost-model.md).
  struct Passage {
    Line line;
    double share = 1;  // of the volume, that goes over this network
    double least =
        0;  // seconds in which some device can receive what it lacks, per byte of the volume
  };
  using Passages = std::vector<Passage>;
  // `volume`: bytes of what the devices have together once it is gathered.
  double collective_seconds(CollectiveKind kind, AxisMask axes, double volume);
  const Passages& passages(CollectiveKind kind, AxisMask axes);
  Passages find_passages(CollectiveKind kind, AxisMask axes);
  const Line& line(CollectiveKind kind, AxisMask axes);
  Line line_of(CollectiveKind kind, AxisMask axes) const;
  Price simulated(const Places& from, const Hop& hop, double local, bool is_last);
  Price permuted(const Places& from, const Hop& hop, double local);
  std::string key_of_permute(const Places& from, const Hop& hop) const;
  double least_arriving(AxisMask axes, double bytes) const;

  const Relayout& problem_;
  const Ground& ground_;
  bool by_formula_;
  double launch_;         // T_launch, seconds
  LinkTimes::Lines own_;  // if the machine remembers none
  LinkTimes::Lines* lines_;
  std::unordered_map<AxisMask, Passages> gathers_;
  std::unordered_map<AxisMask, Passages> exchanges_;
  std::unordered_map<std::string, Price> simulated_;
};

}  // namespace shard::planning
