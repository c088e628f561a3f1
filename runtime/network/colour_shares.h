// How much of each block goes around the axes of a torus in which order, such that no axis is busier than it has to be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/rational.h"
#include "runtime/network/torus.h"

namespace shard {

// A share of every block, and the order of axes in which it is gathered.
struct ColourShare {
  std::vector<std::size_t> order;
  Rational share;
  std::int64_t turn = 0;  // Part::turn (collective_schedule.h)
};

// The links over which an axis brings blocks to a place in a gather: 2 on a ring; 1 on a line, whose end decides; less
// in proportion to the slowness of its slowest link.
Rational gather_rate(const TorusAxis& axis);

// The shares of a gather, as exact fractions that add up to 1. In the order a1, a2, … a place gets n1 − 1, n1·(n2 − 1),
// … blocks over the links of these axes. The loads of all orders are the corners of the base polytope of f(S) = Π of
// the lengths in S − 1, which is supermodular. So the busiest axis is busy for at least max over S of f(S) / Σ rates in
// S, the cut bound (link_bounds.h), and shares of orders reach that. `rates`: those of the axes. For up to five axes;
// beyond, one order starting with each axis, with equal shares.
std::vector<ColourShare> gather_shares(const Torus& torus, const std::vector<Rational>& rates);

// The shares of an exchange, whose loads are the same in every order: all orders of up to three axes, so that each axis
// has something to carry from the first slot to the last. With more axes, the cyclic orders, the least busy axes first.
std::vector<ColourShare> exchange_shares(const Torus& torus);

}  // namespace shard
