// The layouts that a block leaves open, as variables of one choice.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "interpreter/holes/open_block.h"

namespace shard {

// An array whose brackets have holes, or a hole that several such arrays share. Each value has a row for each hole.
struct OpenVariable {
  std::vector<std::size_t> holes;  // ascending
  std::vector<std::vector<std::size_t>> values;
};
// Arrays with the same holes are one variable, and those whose holes another one has as well are none of their own. A hole that is
// in several is a variable itself, so that they agree about it.
std::vector<OpenVariable> variables_of(const OpenBlock& block);

// All layouts, in the order of rows, the first hole slowest, until the function returns false. Returns whether it never did.
bool for_each_layout(const OpenBlock& block, const std::function<bool(const HoleRows&)>& visit);

// The variables whose values decide on these holes, and the rows of these holes by the values of the variables.
struct DecidedHoles {
  std::vector<std::size_t> variables;
  std::vector<std::size_t> holes;  // in order
  // Row-major by the values of `variables`; empty: these values do not agree.
  std::vector<std::vector<std::size_t>> rows;
};
DecidedHoles decided_by(const std::vector<OpenVariable>& variables,
                        const std::vector<std::size_t>& holes);
// How many combinations of values that would be.
double combinations(const std::vector<OpenVariable>& variables,
                    const std::vector<std::size_t>& holes);

// The rows that the values of all variables make.
HoleRows rows_of_choice(const std::vector<OpenVariable>& variables,
                        const std::vector<std::size_t>& values, std::size_t holes);

}  // namespace shard
