#include "runtime/execute/tile_program.h"

#include <algorithm>

namespace shard {

// The additions along one axis. Parts are products, for the places from `place` on, or temporaries, from `parts` on.
class TileProgram::Adder {
 public:
  Adder(TileProgram& program, const Fold& fold, bool of_products, std::int64_t place,
        std::size_t parts, std::size_t result)
      : program_(program),
        fold_(fold),
        of_products_(of_products),
        place_(place),
        parts_(parts),
        result_(result),
        temporaries_(program.take(fold.sums->temporaries())),
        begin_(program.steps_.size()) {}

  void add_part(std::size_t coordinate) {
    if (!of_products_) return add(parts_ + coordinate);
    auto& steps = program_.steps_;
    auto& places = program_.places_;
    if (steps.size() == begin_ || !steps.back().is_products)
      steps.push_back({true, steps.size() != begin_, 0, places.size(), places.size()});
    places.push_back(
        static_cast<std::int32_t>(place_ + static_cast<std::int64_t>(coordinate) * fold_.stride));
    ++steps.back().end;
  }
  void add_temporary(std::size_t i) { add(temporaries_ + i); }
  void keep(std::size_t i) { end_sum(temporaries_ + i); }
  void finish() { end_sum(result_); }

 private:
  void add(std::size_t from) {
    program_.steps_.push_back({false, program_.steps_.size() != begin_, 0, from});
  }
  void end_sum(std::size_t to) {
    auto& steps = program_.steps_;
    for (; begin_ < steps.size(); ++begin_) steps[begin_].to = to;
  }

  TileProgram& program_;
  const Fold& fold_;
  bool of_products_;
  std::int64_t place_;
  std::size_t parts_;
  std::size_t result_;
  std::size_t temporaries_;
  std::size_t begin_;  // first step of the sum
};

std::size_t TileProgram::take(std::size_t count) {
  next_ += count;
  temporaries_ = std::max(temporaries_, next_);
  return next_ - count;
}

void TileProgram::make(const Variant& variant, std::int64_t place) {
  variant_ = &variant;
  place_ = place;
  steps_.clear();
  places_.clear();
  fold(variant.folds.size() - 1, 0, 0);
}

// Sums over the axes up to the j-th; `place` gives the coordinates on later ones.
void TileProgram::fold(std::size_t j, std::int64_t place, std::size_t result) {
  const Fold& fold = variant_->folds[j];
  const std::size_t free = next_;
  const std::size_t parts = take(j == 0 ? 0 : static_cast<std::size_t>(fold.length));
  for (std::int64_t c = 0; j > 0 && c < fold.length; ++c)
    this->fold(j - 1, place + c * fold.stride, parts + static_cast<std::size_t>(c));
  Adder adder(*this, fold, j == 0, place, parts, result);
  fold.sums->walk(place_ / fold.stride % fold.length, adder);
  next_ = free;
}

}  // namespace shard
