// The axes of a picture: where its ticks are, and what they are called. The picture in the terminal and the one in a file have the
// same ones.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "interpreter/solve/curves.h"

namespace shard {

struct PlotTick {
  double at = 0;  // in base units
  std::string text;
};

struct PlotScale {
  bool by_factors = false;  // logarithmic
  double low = 0;
  double high = 1;
  std::vector<PlotTick> ticks;  // ascending, within

  // 0 at its low end, 1 at its high one.
  double share(double value) const;
  // The value at a share.
  double value(double share) const;
  bool holds(double value) const { return value >= low && value <= high; }
};

// Of the sizes, from the first to the last one: in powers of two where the ends are some.
PlotScale size_scale(const Curves& curves, std::size_t most_ticks);
// Of the values: by factors where sizes are and no value is zero or negative, or where they span a factor of twenty.
PlotScale value_scale(const Curves& curves, std::size_t most_ticks);

// "1 ms", "4Ki", "2.5 GB".
std::string tick_text(double value, const Unit& unit);
// "time", "bytes", "value": what the values are, and how they are spread.
std::string value_title(const Curves& curves, const PlotScale& scale);
std::string size_title(const Curves& curves, const PlotScale& scale);
// "fsdp.comms = fsdp.math at B = 163,200".
std::string crossing_text(const Curves& curves, const CurveCrossing& crossing);
// A size, as `solve` prints it.
std::string crossing_size(const CurveCrossing& crossing);
// The value of a curve between the sizes at which it is known; none beside one at which it is not.
std::optional<double> value_near(const Curves& curves, const Curve& curve, double size,
                                 bool by_factors);

}  // namespace shard
