// A cost block as a whole: all its figures, and its steps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpreter/statements/run_context.h"

namespace shard {

// The cost block that a scalar of this name is; null if it is none.
const Supposition* block_named(const std::string& name, const Scope& scope);

// `name` is what the script calls the block. Nothing after a report.
std::optional<FiguresEntry> all_figures(const std::string& name, const Supposition& block,
                                        RunContext& context);
std::optional<StepsEntry> dearest_steps(const std::string& name, const Supposition& block,
                                        RunContext& context);
// Of the steps from `first` to in front of `end`.
StepsEntry dearest_steps(const std::string& name, const Program& program, std::size_t first,
                         std::size_t end);

// The block whose steps `c.steps` are; nullopt if it is another expression, or after a report.
std::optional<Supposition> block_of_steps(const ast::Expr& expr, RunContext& context);

// What a row of `print` has of a block: the figures that are most asked for, as columns.
struct FigureColumn {
  std::string name;  // "c.math"
  Value value;
};
std::optional<std::vector<FigureColumn>> main_figures(const std::string& name,
                                                      const Supposition& block,
                                                      RunContext& context);

// flips.cpp, for `why`. For each size of the statement that has a number: the nearest smaller and the nearest larger one at which planning, with everything
// else as it is, would choose otherwise; none within a factor of 4096. Empty where lengths are parts of the statement, as in indices.
std::vector<WayFlip> flips_of(const StatementRecord& record, const Program& program,
                              const Scope& scope);

}  // namespace shard
