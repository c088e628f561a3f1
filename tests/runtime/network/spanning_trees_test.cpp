// Trees by which one place sends to all others.
#include "runtime/network/spanning_trees.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "runtime/network/routes.h"
#include "tests/property.h"

namespace shard::spanning_trees_test {
namespace {

TorusAxis ring(std::int64_t length) { return {.length = length, .wraps = true}; }
TorusAxis line(std::int64_t length) { return {.length = length, .wraps = false}; }

std::vector<std::size_t> all_axes(const Torus& torus) {
  std::vector<std::size_t> axes(torus.axes().size());
  for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = i;
  return axes;
}

// Each place is reached once, from one that was reached a round before, by the link between them.
void check_tree(const Torus& torus, const SpanningTree& tree, std::int64_t root) {
  std::vector<std::int64_t> rounds(static_cast<std::size_t>(torus.places()), -1);
  rounds[static_cast<std::size_t>(root)] = 0;
  for (const TreeHop& hop : tree) {
    const TorusAxis& axis = torus.axes()[hop.axis];
    const std::int64_t begin = torus.coordinate(hop.from, hop.axis);
    const std::int64_t end = begin + (hop.up ? 1 : -1);
    RC_ASSERT(axis.wraps || (end >= 0 && end < axis.length));  // there is such a link
    RC_ASSERT(torus.at(hop.from, hop.axis, (end + axis.length) % axis.length) == hop.to);
    RC_ASSERT(rounds[static_cast<std::size_t>(hop.from)] == static_cast<std::int64_t>(hop.round));
    RC_ASSERT(rounds[static_cast<std::size_t>(hop.to)] == -1);  // no place is reached twice
    rounds[static_cast<std::size_t>(hop.to)] = static_cast<std::int64_t>(hop.round) + 1;
  }
  RC_ASSERT(static_cast<std::int64_t>(tree.size()) == torus.places() - 1);
}

// Of the place with fewest of them.
std::size_t fewest_links(const Torus& torus) {
  std::size_t fewest = 0;
  for (std::int64_t place = 0; place < torus.places(); ++place) {
    std::size_t links = 0;
    for (std::size_t a = 0; a < torus.axes().size(); ++a) {
      const TorusAxis& axis = torus.axes()[a];
      const std::int64_t at = torus.coordinate(place, a);
      if (axis.length == 1) continue;
      links += axis.wraps ? 2 : (at > 0 ? 1U : 0U) + (at + 1 < axis.length ? 1U : 0U);
    }
    if (place == 0 || links < fewest) fewest = links;
  }
  return fewest;
}

// Next to a single line and no longer rings, the rings of two at its end hang by one link for each place. (Next to three of
// them there would be seven trees; six are found.)
std::size_t narrowest_cut(const Torus& torus) {
  std::size_t lines = 0;
  std::size_t pairs = 0;
  std::size_t rings = 0;
  for (const TorusAxis& axis : torus.axes()) {
    if (axis.length > 1) ++(!axis.wraps ? lines : axis.length == 2 ? pairs : rings);
  }
  const std::size_t fewest = fewest_links(torus);
  if (lines != 1 || rings != 0 || pairs == 0) return fewest;
  return pairs == 3 ? 6 : std::min(fewest, std::size_t{1} << pairs);
}

SHARD_PROPERTY(SpanningTrees, AreAsManyAsTheNarrowestCutHasLinks, 2'000) {
  std::vector<TorusAxis> axes(static_cast<std::size_t>(*rc::gen::inRange(1, 5)));
  for (TorusAxis& axis : axes) {
    const std::int64_t length = *rc::gen::inRange(1, 7);
    axis = *rc::gen::inRange(0, 2) == 1 ? ring(length) : line(length);
  }
  const Torus torus(axes);
  const std::int64_t root = *rc::gen::inRange<std::int64_t>(0, torus.places());
  const auto trees = spanning_trees(torus, all_axes(torus), root);
  RC_ASSERT(trees.has_value() == (torus.places() > 1));
  if (!trees) return;
  RC_ASSERT(trees->size() == narrowest_cut(torus));
  std::set<std::size_t> links;
  for (const SpanningTree& tree : *trees) {
    check_tree(torus, tree, root);
    // No two trees share a link.
    for (const TreeHop& hop : tree)
      RC_ASSERT(links.insert(torus.link(hop.from, hop.axis, hop.up)).second);
  }
}

TEST(SpanningTrees, LeaveAxesAloneThatTakeNoPart) {
  const Torus torus({ring(4), ring(3)});
  const auto trees = spanning_trees(torus, {1}, 7);  // (2, 1)
  ASSERT_TRUE(trees.has_value());
  ASSERT_EQ(trees->size(), 2u);
  for (const SpanningTree& tree : *trees) {
    for (const TreeHop& hop : tree) EXPECT_EQ(torus.coordinate(hop.to, 0), 2);
  }
}

TEST(SpanningTrees, AreNoneWhereLinksMisbehave) {
  EXPECT_FALSE(spanning_trees(Torus({{.length = 4, .wraps = true, .cuts = {1}}}), {0}, 0));
  EXPECT_FALSE(
      spanning_trees(Torus({{.length = 4, .wraps = true, .slow = {{1, Rational(3)}}}}), {0}, 0));
}

// A tree carries its part over every link, and its head goes on at once.
TEST(SpanningTrees, ALargeBlockTakesItsShareOfTheBandwidthOfAllLinks) {
  constexpr std::int64_t kBytes = 1'200'000;
  const LinkRates rates{.bandwidth = 1e9, .hop = 1e-6};
  const std::vector<std::pair<std::vector<TorusAxis>, double>> cases = {
      {{ring(8)}, 2},
      {{ring(4), ring(8)}, 4},
      {{ring(4), ring(4), ring(3)}, 6},
      {{line(4), line(5)}, 2},
      {{ring(4), line(5)}, 3},
      {{ring(2), line(4)}, 2},
      {{ring(2), ring(2), line(4)}, 4},
      {{ring(2), line(3), line(4)}, 4},
      {{ring(2), ring(3), line(4)}, 5}};
  for (const auto& [axes, trees] : cases) {
    std::vector<Routes::Axis> links;
    for (const TorusAxis& axis : axes) links.push_back({axis, false});
    Routes routes(links, Fabric::Torus, Routes::Keep::Hops);
    const auto found = spanning_trees(routes.torus(), all_axes(routes.torus()), 0);
    ASSERT_TRUE(found.has_value());
    routes.broadcast(*found);
    const double seconds = time_on_links(routes, kBytes, 1, rates).seconds;
    EXPECT_NEAR(seconds, kBytes / trees * 1e-9 + static_cast<double>(routes.hops()) * 1e-6, 1e-12);
    EXPECT_EQ(routes.busiest(), Rational::fraction(1, static_cast<std::int64_t>(trees)));
  }
}

}  // namespace
}  // namespace shard::spanning_trees_test
