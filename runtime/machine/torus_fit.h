// Assigning the axes of a torus to the axes of a mesh.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/machine/mesh.h"

namespace shard {

// What a mesh axis requires: torus axes whose lengths multiply to `size`, and which have exactly these `lengths`, in
// this order, if given.
struct TorusDemand {
  std::int64_t size = 1;
  std::vector<std::int64_t> lengths;
};

// For each demand the torus axes it takes, major first: as written, else in the order of the torus.
using TorusFit = std::vector<std::vector<TorusAxis>>;

// Every way to assign all torus axes to the demands, none twice. Ways that give each demand the same lengths with the
// same wraparound cost the same and count as one, so the result holds only ways that differ in cost. REQUIRES: no torus
// axis has length 1.
std::vector<TorusFit> torus_fits(const std::vector<TorusAxis>& torus,
                                 const std::vector<TorusDemand>& demands);

}  // namespace shard
