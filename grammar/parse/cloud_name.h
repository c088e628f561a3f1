// Names of accelerators at clouds and vendors: `v5litepod-16`, `H100-SXM5-80GB`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace shard {

struct CloudMachine {
  std::string machine;  // as `hardware` takes it: "TPUv5e 4x4"
  std::string chip;     // a declaration of the chip if the library lacks it; else empty
  std::string meaning;  // "16 chips of TPU v5e", "4 nodes of 8 chips of H100 each"
  std::string mesh;     // of several nodes: "mesh {P: 4 dcn, X: 8}"; else empty
};
// nullopt if it is not such a name. For the large TPUs, clouds count cores instead of chips.
std::optional<CloudMachine> read_cloud_name(std::string_view text);

}  // namespace shard
