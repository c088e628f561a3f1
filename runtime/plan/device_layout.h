// Which devices hold a part of an array, and how slow they are.
#pragma once

#include <cstdint>

#include "base/rational.h"
#include "runtime/machine/machine.h"
#include "runtime/plan/layout.h"

namespace shard {

// The slowdown of the slowest device holding an array in this layout; 1 if none is slow.
Rational slowdown_of(const Layout& layout, const Machine& machine);
// Whether the device holds a part of an array in this layout.
bool holds(std::int64_t device, const Layout& layout, const Mesh& mesh);

}  // namespace shard
