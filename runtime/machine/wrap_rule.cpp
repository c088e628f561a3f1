#include "runtime/machine/wrap_rule.h"

#include <algorithm>
#include <iterator>

namespace shard {
namespace {

constexpr WrapWord kWrapWords[] = {
    {"pod", WrapRule::Pod, "an axis that spans the pod is a ring"},
    {"cube4", WrapRule::Cube4,
     "all axes are rings, if each that is longer than 1 is a multiple of 4; otherwise none"},
    {"axis16", WrapRule::Axis16, "an axis of length 16 is a ring"},
    {"switch", WrapRule::Switch,
     "no rings: every chip of the node reaches every other through a switch, and W1 is all it "
     "sends"},
    {"full", WrapRule::Full,
     "no rings: every chip of the node has a link of W1 to each of the others"},
};

}  // namespace

std::span<const WrapWord> wrap_words() { return kWrapWords; }

const WrapWord& info_of(WrapRule rule) {
  return *std::find_if(std::begin(kWrapWords), std::end(kWrapWords),
                       [rule](const WrapWord& known) { return known.rule == rule; });
}

std::optional<WrapRule> find_wrap_rule(std::string_view word) {
  const auto at = std::find_if(std::begin(kWrapWords), std::end(kWrapWords),
                               [&](const WrapWord& known) { return known.word == word; });
  return at == std::end(kWrapWords) ? std::nullopt : std::optional(at->rule);
}

}  // namespace shard
