// What is added, in which order, for a tile of a sum over devices: an implementation detail of fused_tiles.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/collective/reduction_order.h"

namespace shard {

// Additions of products and of temporaries that combine the places of a variant into the sum for one place. Temporaries
// are numbered; number 0 is the sum.
class TileProgram {
 public:
  struct Step {
    bool is_products;
    bool adds;            // otherwise it starts the sum
    std::size_t to;       // a temporary
    std::size_t from;     // a temporary, or the index of the first product in places()
    std::size_t end = 0;  // past the last one
  };

  void make(const Variant& variant, std::int64_t place);
  const std::vector<Step>& steps() const { return steps_; }
  const std::vector<std::int32_t>& places() const { return places_; }
  std::size_t temporaries() const { return temporaries_; }

 private:
  class Adder;
  void fold(std::size_t j, std::int64_t place, std::size_t result);
  std::size_t take(std::size_t count);

  const Variant* variant_ = nullptr;
  std::int64_t place_ = 0;
  std::vector<Step> steps_;
  std::vector<std::int32_t> places_;
  std::size_t next_ = 1;  // the next free temporary
  std::size_t temporaries_ = 1;
};

}  // namespace shard
