// An argument whose lengths are not those of its parameter.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpreter/check/brackets.h"

namespace shard {

// Lengths that a parameter takes, with the names of those that any length is right for.
struct WantedLength {
  std::optional<Amount> length;
  std::string name = {};
};
using WantedLengths = std::vector<WantedLength>;

// "[32, 64]", "[32, F]".
std::string lengths_text(const std::vector<Amount>& lengths);
std::string lengths_text(const WantedLengths& wanted);
bool has_lengths(const std::vector<Amount>& lengths, const WantedLengths& wanted);

// The argument with its dimensions in the order in which they have the lengths that are wanted; nothing where no order has, or
// the argument is no array with brackets.
std::vector<Edit> reordered_argument(const ast::Expr& argument, const std::vector<Amount>& lengths,
                                     const WantedLengths& wanted);

}  // namespace shard
