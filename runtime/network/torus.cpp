#include "runtime/network/torus.h"

#include <utility>

namespace shard {

Torus::Torus(std::vector<TorusAxis> axes, bool is_network)
    : axes_(std::move(axes)), strides_(axes_.size()), is_network_(is_network) {
  for (std::size_t a = axes_.size(); a-- > 0;) {
    strides_[a] = places_;
    places_ *= axes_[a].length;
  }
}

}  // namespace shard
