// `plot c.time, d.time against B from 1Ki to 1Mi save "times.svg"`.

#include <fmt/format.h>

#include <utility>

#include "grammar/print/printer.h"
#include "interpreter/check/run_files.h"
#include "interpreter/solve/curves.h"
#include "interpreter/statements/statement.h"

namespace shard {

void run(const ast::Plot& plot, const ast::Statement& statement, RunContext& context) {
  if (refused_in_cost_block("plot", statement.at.span, context)) return;
  const Span span = statement.at.span;
  EvaluationContext evaluation{context.check, context};
  auto curves = curves_of(plot, span, evaluation);
  if (!curves) return;
  PlotEntry entry{.curves = *std::move(curves)};
  if (plot.path) {
    if (!plot.path->value.ends_with(".svg") && !plot.path->value.starts_with("/dev/")) {
      return report(context.check, DiagnosticKind::BadArgument, span,
                    fmt::format("a picture is saved as SVG, and \"{}\" is another kind of file",
                                plot.path->value),
                    {"save \"times.svg\""});
    }
    if (!claim_file({FileUse::Save, plot.path->value, span}, context.options.files,
                    {"give each picture a file of its own"}, context.check))
      return;
    entry.path = plot.path->value;
  }
  context.state.entries.emplace_back(Box<PlotEntry>(std::move(entry)));
}

}  // namespace shard
