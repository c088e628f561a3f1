// Shares of all routes of a torus: every order of its axes, and every place to turn on the first one.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "runtime/network/colour_shares.h"

namespace shard {

inline std::vector<ColourShare> turned_shares(const Torus& torus) {
  std::vector<ColourShare> shares;
  std::vector<std::size_t> order(torus.axes().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    shares.push_back({order, 0});
    std::vector<std::size_t> turned = order;
    turned.push_back(order.front());
    for (std::int64_t turn = 1; turn < torus.axes()[order.front()].longest_way(); ++turn)
      shares.push_back({turned, 0, turn});
  } while (std::next_permutation(order.begin(), order.end()));
  for (ColourShare& share : shares)
    share.share = Rational::fraction(1, static_cast<std::int64_t>(shares.size()));
  return shares;
}

}  // namespace shard
