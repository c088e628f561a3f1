// Flows without the names of their arrays: what many of them have in common.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "grammar/tree/ast.h"
#include "runtime/plan/fingerprint.h"

namespace shard {

// Which array a name is: equal numbers for the same one. Negative: it is none, and tells flows apart.
using ArrayNumber = std::function<int(const ast::ArrayRef& array)>;

// What a flow says, beside the names of its arrays, and in which order they stand in it.
struct FlowForm {
  Fingerprint bytes;
  std::vector<const ast::ArrayRef*>
      arrays;  // where one is named, from left to right, the target last
};

// Adds to `form`. False if the flow says more than forms tell: a block, a text, a member, a length that is reckoned.
bool add_form(const ast::Expr& value, const ast::ArrayRef& target, const ArrayNumber& number_of,
              FlowForm& form);

}  // namespace shard
