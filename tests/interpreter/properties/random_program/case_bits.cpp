#include <algorithm>

#include "tests/interpreter/properties/random_program/case.h"
#include "tests/interpreter/support/copy_bits.h"

namespace shard::random_program {

using testing::bits_of;

std::string Case::complaint_about_bits() const {
  if (session_.state().programs.empty() || outcome_.programs.empty()) return "";
  for (const Program& program : session_.state().programs) {
    const auto direct = bits_of(program, {.threads = 1});
    // Nobody looks at products, so that partial ones may be added as they are made.
    const auto unseen =
        bits_of(program, {.threads = 2, .is_observed = [](CopyId) { return false; }});
    const bool same = std::all_of(unseen.begin(), unseen.end(), [&](const auto& copy) {
      return direct.at(copy.first) == copy.second;
    });
    if (!same) return "other bits when nobody looks at products";
    if (bits_of(program, {.threads = 2, .per_device = true}) != direct)
      return "other bits with blocks of its own for each device";
    // Hops add in an order of their own.
    const auto hops = bits_of(program, {.threads = 1, .hops = true});
    if (bits_of(program, {.threads = 3, .hops = true, .per_device = true}) != hops)
      return "other bits hop by hop, with blocks of its own for each device";
  }
  return "";
}

}  // namespace shard::random_program
