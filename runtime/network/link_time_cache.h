// Collectives that were timed on links, and weighed routes.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/network/link_simulation.h"

namespace shard {

// What the routes of a collective (route_schedule.h) come to, for blocks of any size.
struct RouteWeights {
  struct Stage {
    Rational busiest = 0;  // blocks on the busiest link
    std::int64_t hops = 0;
    std::optional<double> seconds = std::nullopt;  // for blocks of one size, if it was asked for
  };
  std::int64_t most_sent = 0;  // blocks that one device sends
  bool severed = false;
  std::vector<Stage> stages;
};

// Remembers every answer: planning asks for the same collectives again and again. For one thread.
class LinkTimes {
 public:
  // Seconds of the schedule (link_simulation.h) for blocks of so many bytes.
  double seconds(CollectiveKind kind, const Torus& torus, std::int64_t block_bytes,
                 const LinkRates& rates);
  // What `find` returns for the collective that the key tells.
  std::optional<RouteWeights> weights(const std::string& key,
                                      const std::function<std::optional<RouteWeights>()>& find);

 private:
  struct Question {
    CollectiveKind kind;
    std::vector<TorusAxis> axes;
    bool is_network;
    std::int64_t block_bytes;
    double bandwidth;
    double hop;
    friend auto operator<=>(const Question&, const Question&) = default;
  };
  std::map<Question, double> seconds_;
  std::map<std::string, std::optional<RouteWeights>> weights_;
};

}  // namespace shard
