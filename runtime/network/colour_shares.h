// How much of each block goes round the axes of a torus in which order, so that no axis is busier than it has to be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/rational.h"
#include "runtime/network/torus.h"

namespace shard {

// A share of every block, and the order in which it is gathered along the axes.
struct ColourShare {
  std::vector<std::size_t> order;
  Rational share;
  std::int64_t turn = 0;  // Part::turn (collective_schedule.h)
};

// How many links an axis brings to a place, for a gather: 2 on a ring, 1 on a line, where the place at its end counts;
// less by as much as its slowest link is slow.
Rational gather_rate(const TorusAxis& axis);

// Of a gather, as exact fractions that add up to 1. Along the order a1, a2, … a place gets n1 − 1, n1·(n2 − 1), … blocks by
// the links of these axes. The loads of all orders are the corners of the base polytope of f(S) = Π of the lengths in S − 1,
// which is supermodular; so the least busy of busiest axes takes max over S of f(S) / Σ rates in S, which is the cut bound
// (link_bounds.h), and shares of orders reach it. `rates` are those of the axes, by which the loads are to be.
// Up to five axes; beyond, each order that begins with another axis has the same share.
std::vector<ColourShare> gather_shares(const Torus& torus, const std::vector<Rational>& rates);

// Of an exchange, whose loads are the same in every order: all orders of up to three axes, so that each axis has something to
// carry from the first slot to the last. Of more axes those around them, the less busy ones first.
std::vector<ColourShare> exchange_shares(const Torus& torus);

}  // namespace shard
