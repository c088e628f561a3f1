// The picture of `plot` as a file.
#pragma once

#include <string>

#include "interpreter/statements/entries.h"

namespace shard {

// An SVG document of its own; the same bytes wherever it is made. Colours are those of Okabe and Ito, which colour-blind readers tell
// apart, and curves have dashes of their own besides.
std::string svg_of(const PlotEntry& plot);

}  // namespace shard
