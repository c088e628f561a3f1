// `--scale 1/64` and `--set B=1Ki`: on how large arrays a plan is executed.
#pragma once

#include <string>
#include <vector>

#include "base/rational.h"
#include "base/result.h"
#include "interpreter/program/cut_sizes.h"

namespace shard {

// A part of a whole, above 0 and up to 1: "1/64", "0.25".
Result<Rational> parse_scale(const std::string& text);
// Lengths as a script gives them: "B=1Ki, D = 2^7".
Result<std::vector<SizeCut::Length>> parse_sizes(const std::string& text);
// "B=1024,D=128", as `parse_sizes` reads it.
std::string sizes_text(const std::vector<SizeCut::Length>& lengths);

}  // namespace shard
