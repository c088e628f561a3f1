#include "interpreter/holes/untaken_sides.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "grammar/print/printer.h"

namespace shard {

namespace {

using Body = std::vector<ast::Statement>;

// visit(branch) for all of them, outer ones first; not for those of functions, which are decided where they are called.
void for_each_branch(Body& body, const std::function<void(ast::If&)>& visit) {
  for (ast::Statement& statement : body) {
    if (auto* loop = std::get_if<ast::Loop>(&statement.node)) for_each_branch(loop->body, visit);
    if (auto* group = std::get_if<ast::Group>(&statement.node)) for_each_branch(group->body, visit);
    if (auto* fused = std::get_if<ast::Fused>(&statement.node)) for_each_branch(fused->body, visit);
    if (auto* branch = std::get_if<ast::If>(&statement.node)) {
      visit(*branch);
      for_each_branch(branch->body, visit);
      if (branch->otherwise) for_each_branch(*branch->otherwise, visit);
    }
  }
}

// The statements of the block that stand in this part of it.
std::set<std::size_t> statements_in(const Body& part, const OpenBlock& block) {
  std::set<std::size_t> found;
  for (std::size_t i = 0; i < block.statements().size(); ++i) {
    const Span& span = block.statements()[i].span;
    if (std::any_of(part.begin(), part.end(), [&](const ast::Statement& statement) {
          const Span& around = statement.at.span;
          return around.file.value == span.file.value && around.begin <= span.begin &&
                 span.end <= around.end;
        }))
      found.insert(i);
  }
  return found;
}

bool has_open(const Body& body) {
  return std::any_of(body.begin(), body.end(), [](const ast::Statement& statement) {
    return print(statement, Spelling::Unicode).find("_?") != std::string::npos;
  });
}

ast::Expr number(std::int64_t value) {
  return {ast::Number{Rational(value), kPlain, std::to_string(value), {}}, {}};
}

// `1 > 0`, or `0 > 1`.
ast::Expr condition_that(bool holds) {
  return {ast::Binary{ast::BinaryOp::Greater, number(holds ? 1 : 0), number(holds ? 0 : 1), {}, {}},
          {}};
}

}  // namespace

std::set<std::size_t> untaken_holes(const OpenBlock& block, const std::set<std::size_t>& ran) {
  std::set<std::size_t> untaken;
  const auto add = [&](const Body& side) {
    const auto inside = statements_in(side, block);
    const bool is_taken = std::any_of(inside.begin(), inside.end(),
                                      [&](std::size_t at) { return ran.contains(at); });
    if (!is_taken) untaken.insert(inside.begin(), inside.end());
  };
  Body body = block.body();
  for_each_branch(body, [&](const ast::If& branch) {
    add(branch.body);
    if (branch.otherwise) add(*branch.otherwise);
  });
  std::set<std::size_t> holes;
  for (const std::size_t at : untaken) {
    const auto& own = block.statements()[at].holes;
    holes.insert(own.begin(), own.end());
  }
  for (std::size_t at = 0; at < block.statements().size(); ++at) {
    if (untaken.contains(at)) continue;
    for (const std::size_t hole : block.statements()[at].holes) holes.erase(hole);
  }
  return holes;
}

std::vector<ast::Statement> with_open_sides(std::vector<ast::Statement> body) {
  for_each_branch(body, [](ast::If& branch) {
    if (has_open(branch.body))
      branch.condition = condition_that(true);
    else if (branch.otherwise && has_open(*branch.otherwise))
      branch.condition = condition_that(false);
  });
  return body;
}

}  // namespace shard
