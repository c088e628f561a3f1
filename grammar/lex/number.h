// Numbers with suffixes and units, for the lexer.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/rational.h"
#include "base/unit.h"

namespace shard {

struct WrittenNumber {
  std::size_t length = 0;  // bytes of the text that belong to it
  Rational value;          // in base units; overflow if it is too large
  Unit unit;
  std::string text;  // canonical: without thousands commas, one blank before the unit
};

// Reads the number at the beginning of `text`, which starts with a digit or with `.` and a digit. Thousands commas are
// accepted only if `commas` is set.
WrittenNumber read_number(std::string_view text, bool commas);

}  // namespace shard
