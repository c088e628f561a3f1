#include "interpreter/statements/missing_figures.h"

#include <fmt/format.h>

#include <string>

#include "interpreter/machine/machine.h"
#include "interpreter/suggest/chip_help.h"
#include "runtime/machine/chip_figure.h"

namespace shard {

namespace {

// Of the chip, not of the statement that is the first to notice.
void note_rates(const Program& target, RunContext& context) {
  const StatementRecord& record = target.statements.back();
  const std::string& chip = context.scope.hardware().chip.name;
  for (std::size_t i = record.first_step; i < record.end_step; ++i) {
    const auto& borrowed = target.steps[i].cost->rate_borrowed;
    if (!borrowed || !context.scope.told.rates_missed.insert({chip, *borrowed}).second) continue;
    report(context.check, DiagnosticKind::RateMissing, Span{},
           fmt::format("{} has no rate of its own for {}; that of bf16 is used", chip,
                       name_of(*borrowed)),
           {fmt::format("a rate is given as chip Mine = {} {{{}: 4e14 FLOP/s}}", chip,
                        rate_figure(*borrowed))});
  }
}

// The times of all that goes over an axis between nodes are formulas in the rate that the chip does not state.
void note_figures(const Program& target, RunContext& context) {
  const Scope& scope = context.scope;
  const std::string& chip = scope.hardware().chip.name;
  if (chip.empty()) return;
  const StatementRecord& record = target.statements.back();
  for (std::size_t i = record.first_step; i < record.end_step; ++i) {
    for (const std::string& symbol : target.steps[i].cost->comms.symbols()) {
      if (!is_chip_symbol(symbol) ||
          !context.scope.told.figures_missed.emplace(chip, symbol).second)
        continue;
      report(context.check, DiagnosticKind::FigureMissing, Span{},
             fmt::format("{} states no {}: times that need it are formulas", chip, symbol),
             {hardware_line({symbol}, scope)});
    }
  }
}

}  // namespace

void note_missing_figures(const Program& program, RunContext& context) {
  note_rates(program, context);
  note_figures(program, context);
}

}  // namespace shard
