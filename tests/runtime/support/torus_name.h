// What a failing test calls a torus.
#pragma once

#include <string>

#include "runtime/network/collective_schedule.h"

namespace shard::testing {

// " 4 8 line": a ring of 4 places and a line of 8.
inline std::string name_of(const Torus& torus) {
  std::string name;
  for (const TorusAxis& axis : torus.axes())
    name += " " + std::to_string(axis.length) + (axis.is_ring() ? "" : " line");
  return name;
}

}  // namespace shard::testing
