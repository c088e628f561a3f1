#include "base/periods.h"

namespace shard {

namespace {

// Where its whole periods end that begin there; one of them is no repetition.
std::size_t end_of_periods(const std::vector<std::size_t>& sequence, std::size_t begin,
                           std::size_t period) {
  std::size_t same = begin;
  while (same + period < sequence.size() && sequence[same] == sequence[same + period]) ++same;
  const std::size_t periods = (same - begin) / period + 1;
  return periods == 1 ? begin : begin + periods * period;
}

}  // namespace

std::vector<PeriodicPart> periodic_parts(const std::vector<std::size_t>& sequence,
                                         std::size_t longest) {
  std::vector<PeriodicPart> parts;
  for (std::size_t begin = 0; begin < sequence.size(); begin = parts.back().end) {
    PeriodicPart part{.begin = begin, .end = begin + 1, .period = 1};
    for (std::size_t period = 1; period <= longest && begin + 2 * period <= sequence.size();
         ++period) {
      const std::size_t end = end_of_periods(sequence, begin, period);
      if (end > part.end) part = {.begin = begin, .end = end, .period = period};
    }
    parts.push_back(part);
  }
  return parts;
}

}  // namespace shard
