// How long the streams of a timeline are busy, how long something moves while nothing is computed, and how long something
// moves that the whole waits for.
#pragma once

#include <vector>

#include "runtime/cost/timeline.h"

namespace shard {

// Seconds that each stream is busy.
std::vector<double> busy_seconds(const Timeline& timeline);
// Sets `exposed`, given the steps and the end.
void set_exposed(Timeline& timeline);
// Seconds during which something moves that is critical, at any place; what moves at the same time counts once.
double critical_seconds(const Timeline& timeline);

}  // namespace shard
