// Words with which other languages and sentences compute and control, and which are no remark and no label beside notation.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace shard {

// In the place of a sign between operands: `x (mod 2)`, `A, minus B`.
inline bool is_sign_word(std::string_view word) {
  constexpr std::string_view kWords[] = {"mod", "plus", "minus", "times"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

// Before a statement, for whether and how often it is run: `while n > 5: A = B`.
inline bool is_control_word(std::string_view word) {
  constexpr std::string_view kWords[] = {"while", "until", "unless", "repeat", "lambda"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

}  // namespace shard
