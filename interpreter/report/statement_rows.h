// The rows of a statement: its text, and what its steps cost.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interpreter/program/program.h"
#include "interpreter/report/shown_statements.h"

namespace shard {

struct StatementRow {
  std::string text;
  std::shared_ptr<const Cost> cost = nullptr;  // null: a line without figures
  std::string below = {};  // what stands before the figures where the text leaves no room for them
};

// Statements that are shown in one place; at least one. Their costs are those of one pass. `all_steps`: also those that cost
// nothing, in a loop.
std::vector<StatementRow> statement_rows(const Program& program,
                                         const std::vector<ShownStatement>& statements,
                                         bool all_steps);

}  // namespace shard
