// Walks over the statements of a block that may be changed, also those inside of loops, branches and other blocks.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "grammar/tree/ast.h"

namespace shard {

// What is called, in the order in which a block is written; what makes an array comes before it. Empty functions are not called.
struct BlockWalk {
  std::function<void(ast::Statement&)>
      statement;  // one without statements inside, before its parts
  std::function<void(ast::ArrayRef&)> array;
  std::function<void(ast::Shaped&)> shaped;
  std::function<void(const ast::Call&)> call;
};
void walk_block(std::vector<ast::Statement>& body, const BlockWalk& walk);

// A number as it would be written.
ast::Number whole_number(std::int64_t value);

// Whether an axis in a subscript is a hole.
bool is_hole(const ast::Identifier& axis);
// Whether the size of an axis is one.
bool is_hole(const ast::MeshAxis& axis);
// Whether a flow leaves a layout open.
bool has_hole(const ast::Flow& flow);

}  // namespace shard
