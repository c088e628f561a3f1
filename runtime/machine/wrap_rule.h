// How the chips of a slice or a node are joined, and the words for it: `wrap: cube4` in `chip NAME {…}`. One table.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace shard {

// When an axis of a slice is a ring (cost model, "Which axes wrap around"), or that there is no torus.
enum class WrapRule {
  Pod,     // TPU v2, v3: an axis as long as the pod's wraps
  Cube4,   // v4p, v5p, 7x: all axes wrap if each longer than 1 is a multiple of 4, else none
  Axis16,  // v5e, v6e: an axis of length 16 wraps
  Switch,  // a node behind a switch: W1 is all that a chip sends at once, to whichever others
  Full,  // a node without a switch: a link of W1, each way, from every chip to every other (AMD, "Instinct MI300X
         // Accelerator Data Sheet")
};

struct WrapWord {
  std::string_view word;
  WrapRule rule;
  std::string_view meaning;  // shown by `shard help wrap`
};

std::span<const WrapWord> wrap_words();
const WrapWord& info_of(WrapRule rule);
std::optional<WrapRule> find_wrap_rule(std::string_view word);

// Whether the chips form a torus. If not, any division of the node into axes will do.
constexpr bool has_torus(WrapRule rule) {
  return rule != WrapRule::Switch && rule != WrapRule::Full;
}

}  // namespace shard
