// Text to tree.
//
// In this folder:
//   parser.h          the entry point
//   notation.h        notation in texts that are no scripts
//   parser_context.h  the place in the tokens, and mistakes
//   scope.h           what holds while a part of a statement is read
//   construct.h       the function that reads each construct; a file for each
//   cloud_name.h      what clouds and vendors call accelerators
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "grammar/diagnostics/diagnostic.h"
#include "grammar/source/source.h"
#include "grammar/tree/ast.h"
#include "grammar/tree/names.h"

namespace shard {

// Reads a whole file. Never fails: after a mistake it reports one diagnostic and continues with the next statement; the
// faulty one stays in the module with `has_error`. `names` grows by what the text declares.
ast::Module parse(const SourceMap& sources, FileId file, Names& names, DiagnosticSink& sink);

// Reads a text statement by statement, without the comments around them. Each one is read when it is asked for, so that
// only a few exist at once.
class StatementReader {
 public:
  // Reads at least this many lines at once.
  StatementReader(const SourceMap& sources, FileId file, Names& names, DiagnosticSink& sink,
                  std::size_t lines = 1);
  ~StatementReader();
  StatementReader(const StatementReader&) = delete;
  StatementReader& operator=(const StatementReader&) = delete;

  // nullopt at the end of the text.
  std::optional<ast::Statement> next();

 private:
  class Reading;
  std::unique_ptr<Reading> reading_;
};

// Whether the text ends inside a bracket, inside a block or after an operator, so that a REPL should ask for another
// line.
bool is_incomplete(std::string_view text);

}  // namespace shard
