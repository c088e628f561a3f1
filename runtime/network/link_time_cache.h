// A cache of collectives timed on links, and of weighed routes.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/network/link_simulation.h"

namespace shard {

// What the routes of a collective (route_schedule.h) add up to, for blocks of any size.
struct RouteWeights {
  struct Stage {
    Rational busiest = 0;  // blocks on the busiest link
    std::int64_t hops = 0;
    std::optional<double> seconds = std::nullopt;  // for blocks of one size, if asked for
  };
  std::int64_t most_sent = 0;  // blocks that one device sends
  bool severed = false;
  std::vector<Stage> stages;
};

// Caches every answer, as planning asks for the same collectives again and again. Not thread-safe.
class LinkTimes {
 public:
  // Seconds of the schedule (link_simulation.h) for blocks of `block_bytes` bytes.
  double seconds(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                 const LinkRates& rates);
  // The result of `find` for the collective identified by the key.
  std::optional<RouteWeights> weights(const std::string& key,
                                      const std::function<std::optional<RouteWeights>()>& find);
  // A cost as it grows with bytes: seconds for hops, seconds for each byte, and bytes moved for each byte.
  struct Line {
    double latency = 0;
    double per_byte = 0;
    double moved = 1;
  };
  using Lines = std::unordered_map<std::string, Line>;
  // Such costs on one machine, by keys that whoever finds them gives them. `machine`: everything that they depend on.
  Lines& lines(const std::string& machine);

 private:
  struct Question {
    CollectiveKind kind;
    std::vector<TorusAxis> axes;
    Fabric fabric;
    std::int64_t block_bytes;
    double bandwidth;
    double hop;
    friend auto operator<=>(const Question&, const Question&) = default;
  };
  std::map<Question, double> seconds_;
  std::map<std::string, std::optional<RouteWeights>> weights_;
  std::map<std::string, Lines> lines_;
};

}  // namespace shard
