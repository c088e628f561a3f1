#include "interpreter/lower/alternatives.h"

#include "interpreter/lower/lower.h"

namespace shard {

std::vector<WeighedWay> weighed_ways(const StatementRecord& record, const Program& program,
                                     const Scope& scope) {
  std::vector<WeighedWay> ways;
  if (record.ways == nullptr) return ways;
  const checked::Flow flow = record.flow.get();
  for (const planning::MadePtr& made : record.ways->all()) {
    ways.push_back({.steps = steps_of_way(*made, flow, scope, program),
                    .by_cheapest = made == record.ways->cheaper,
                    .cost = {made, &made->cost},
                    .time = made->time});
  }
  return ways;
}

}  // namespace shard
