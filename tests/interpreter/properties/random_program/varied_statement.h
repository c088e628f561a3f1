// Statements of varied programs: as a rule they are legal, by what is known of the arrays before them.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/interpreter/properties/random_program/varied_arrays.h"

namespace shard::random_program {

class VariedStatements {
 public:
  VariedStatements(Random& random, VariedArrays& arrays, std::set<std::string>& features);

  // Functions and the first inputs.
  std::vector<std::string> begin();
  // Any statement; nullopt if the draw did not come to one.
  std::optional<std::string> next();

 private:
  using Line = std::optional<std::string>;

  std::string input();
  std::string dtype();
  Line plain();  // one that may stand in a block
  Line product();
  Line elements();
  Line filled();
  Line reduction();
  Line softmax();
  Line relayout();
  Line collective();
  Line partial_sums();
  Line picked();
  Line picked_by_array();
  Line changed_element();
  Line reshaped();
  Line top();
  Line looked_along();
  Line joined();
  Line picked_at_once();
  Line placed_input();
  Line moved();
  // An axis as long that the array does not use; empty if there is none.
  std::string idle_axis_like(const std::string& axis, const VariedArray& array);
  Line sent();
  Line call();
  Line loop();
  Line branch();
  Line group();
  Line expectation();
  Line differentiated();
  Line plotted();

  // `target` made of what stands right of `=`, and known from now on.
  std::string made(VariedArray target, const std::string& value, bool with_brackets);
  // An expression of elements of arrays whose dimensions are among these.
  std::string expression(const Names& dims, int depth);

  Random& random_;
  VariedArrays& arrays_;
  std::set<std::string>& features_;
  std::string main_type_;
  int depth_ = 0;  // of blocks
};

}  // namespace shard::random_program
