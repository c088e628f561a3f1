// Text to tree.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "grammar/ast.h"
#include "grammar/diagnostic.h"
#include "grammar/names.h"
#include "grammar/source.h"

namespace shard {

// Reads a whole file. Never fails: after a mistake it reports one diagnostic and goes on at the next statement, which
// stays in the module with `has_error`. `names` grows with what the text declares.
ast::Module parse(const SourceMap& sources, FileId file, Names& names, DiagnosticSink& sink);

// The same statement by statement, without the comments around them: each is read when it is asked for, and many are never
// there at once.
class StatementReader {
 public:
  StatementReader(const SourceMap& sources, FileId file, Names& names, DiagnosticSink& sink);
  ~StatementReader();
  StatementReader(const StatementReader&) = delete;
  StatementReader& operator=(const StatementReader&) = delete;

  // nullopt at the end of the text.
  std::optional<ast::Statement> next();

 private:
  struct Reading;
  std::unique_ptr<Reading> reading_;
};

// Whether the text ends inside a bracket, a block or after an operator, so that a REPL should ask for another line.
bool is_incomplete(std::string_view text);

}  // namespace shard
