// How two texts differ, for a person to read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shard::test {

struct DifferenceStyle {
  bool colour = false;
  std::size_t columns = 100;    // longer lines go on below; 0: they do not
  std::size_t most_lines = 60;  // what is beyond is counted
  std::size_t first_line = 1;   // the number of the first one
};

// The lines that differ among some that do not, each behind its number: `-` those of `expected`, `+` those of `actual`. Characters
// that would not be seen are written out. Empty if the texts are equal.
std::string difference(std::string_view expected, std::string_view actual,
                       const DifferenceStyle& style = {});

// `actual`, with the drifts of --verify that `expected` has in its place where they are neighbouring powers of two: a drift close
// to a power comes out on either side of it, as processors add in other orders.
std::string with_drifts_of(std::string_view expected, std::string_view actual);

}  // namespace shard::test
