// Lines that a help offers, tried in the statement's place before anyone reads them.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "grammar/diagnostics/diagnostic.h"
#include "interpreter/ir/symbols.h"

namespace shard {

// Errors, by what is said.
using LineMistakes = std::multiset<std::pair<DiagnosticKind, std::string>>;
struct TriedLine {
  LineMistakes mistakes;
  bool warns = false;
  std::string
      mended;  // the lines as the help of their own first mistake would have them; empty if it has none
};
// What lines are in the place of a statement; nullopt if no more are tried.
using TryLine = std::function<std::optional<TriedLine>(const std::string& lines)>;

// Turns edits into corrected lines, as `DiagnosticSink::write_out_edits` does, and says which lines these are.
std::set<std::string> write_out_corrections(const Span& statement, std::string_view text,
                                            DiagnosticSink& sink);

// Of what was reported of the statement: a corrected line that would bring a mistake of its own is mended further, or taken out of
// the help. Where no line is left, the statement is searched for the one name that puts it right, and so is what was taken out.
// Lines that show how something is written in general stay. `scope` is that before the statement.
void try_lines(const Span& statement, std::string_view text,
               const std::set<std::string>& corrections, const Scope& scope,
               const TryLine& try_line, DiagnosticSink& sink);

}  // namespace shard
