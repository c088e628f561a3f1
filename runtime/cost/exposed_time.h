// How long the streams of a timeline are busy, and how long something moves while nothing is computed.
#pragma once

#include <vector>

#include "runtime/cost/timeline.h"

namespace shard {

// Seconds that each stream is busy.
std::vector<double> busy_seconds(const Timeline& timeline);
// Sets `exposed`, given the steps and the end.
void set_exposed(Timeline& timeline);

}  // namespace shard
