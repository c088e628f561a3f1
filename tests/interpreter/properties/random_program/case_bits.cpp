#include <fmt/format.h>

#include <algorithm>

#include "tests/interpreter/properties/random_program/case.h"
#include "tests/interpreter/support/copy_bits.h"

namespace shard::random_program {

using testing::bits_of;

std::string Case::complaint_about_bits() const {
  if (session_.state().programs.empty() || outcome_.programs.empty()) return "";
  struct Way {
    const char* name;
    RunOptions options;
  };
  const Way ways[] = {
      {"hop by hop", {.threads = 2, .hops = true}},
      {"with blocks of its own for each device", {.threads = 2, .per_device = true}},
      {"hop by hop, with blocks of its own for each device",
       {.threads = 3, .hops = true, .per_device = true}}};
  for (const Program& program : session_.state().programs) {
    const auto direct = bits_of(program, {.threads = 1});
    // Nobody looks at products, so that partial ones may be added as they are made.
    const auto unseen =
        bits_of(program, {.threads = 2, .is_observed = [](CopyId) { return false; }});
    const bool same = std::all_of(unseen.begin(), unseen.end(), [&](const auto& copy) {
      return direct.at(copy.first) == copy.second;
    });
    if (!same) return "other bits when nobody looks at products";
    for (const Way& way : ways) {
      if (bits_of(program, way.options) != direct)
        return fmt::format("other bits when it is run {}", way.name);
    }
  }
  return "";
}

}  // namespace shard::random_program
