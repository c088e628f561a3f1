#include "runtime/network/torus.h"

#include <utility>

namespace shard {

Torus::Torus(std::vector<TorusAxis> axes, Fabric fabric)
    : axes_(std::move(axes)), strides_(axes_.size()), fabric_(fabric) {
  for (std::size_t a = axes_.size(); a-- > 0;) {
    strides_[a] = places_;
    places_ *= axes_[a].length;
  }
}

}  // namespace shard
