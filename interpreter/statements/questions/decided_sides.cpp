#include "interpreter/statements/questions/decided_sides.h"

#include "interpreter/holes/untaken_sides.h"
#include "interpreter/statements/questions/layout_search.h"

namespace shard {

std::vector<ast::Statement> with_decided_sides(std::vector<ast::Statement> body,
                                               const std::vector<OpenAxis>& axes, double limit,
                                               double seconds, RunContext& context) {
  // Sides inside of others are taken once the outer ones are decided.
  constexpr int kMostLevels = 8;
  for (int level = 0; level < kMostLevels; ++level) {
    OpenBlock block(body, context.scope, axes);
    if (block.holes() == 0) return body;
    const std::vector<ast::Statement> taken = with_open_sides(block.body());
    OpenBlock tried(taken, context.scope, axes);
    BlockPricer pricer(tried, context);
    const HoleRows whole(tried.holes(), 0);
    const auto left = untaken_holes(tried, pricer.statements_run(whole));
    LayoutSearch search(tried, pricer, {}, limit, 1, seconds);
    const FoundLayouts found = search.search({whole});
    const HoleRows& rows = !found.best.empty() ? found.best.front().rows
                           : found.smallest    ? found.smallest->rows
                                               : whole;
    std::set<std::size_t> decided;
    for (std::size_t hole = 0; hole < block.holes(); ++hole) {
      if (!left.contains(hole) || left.size() == block.holes() || level + 1 == kMostLevels)
        decided.insert(hole);
    }
    block.fill(rows, decided);
    body = block.body();
  }
  return body;
}

}  // namespace shard
