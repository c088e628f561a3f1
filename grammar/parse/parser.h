// Text to tree.
//
// In this folder:
//   parser.h          the entry point
//   parser_context.h  the place in the tokens, mistakes, and the function that reads each construct; a file for each
//   line_form.h       lines that differ only in the names of arrays, which are read once
//   cloud_name.h      what clouds and vendors call accelerators
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "grammar/diagnostics/diagnostic.h"
#include "grammar/parse/line_form.h"
#include "grammar/source/source.h"
#include "grammar/tree/ast.h"
#include "grammar/tree/names.h"

namespace shard {

// Reads a whole file. Never fails: after a mistake it reports one diagnostic and continues with the next statement; the
// faulty one stays in the module with `has_error`. `names` grows by what the text declares.
ast::Module parse(const SourceMap& sources, FileId file, Names& names, DiagnosticSink& sink);

// A statement of a text. Its texts belong to the reader that returned it.
class ReadStatement {
 public:
  explicit ReadStatement(ast::Statement statement)
      : span_(statement.at.span), tree_(std::make_unique<ast::Statement>(std::move(statement))) {}
  explicit ReadStatement(FormedLine line) : span_(line.span), line_(std::move(line)) {}

  const Span& span() const { return span_; }
  // The line, if it has the form of an earlier one; else null.
  const FormedLine* line() const { return line_.form == nullptr ? nullptr : &line_; }
  // Built when it is first asked for.
  const ast::Statement& tree();

 private:
  Span span_;
  FormedLine line_;
  std::unique_ptr<ast::Statement> tree_;
};

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
  std::optional<ReadStatement> next();

 private:
  class Reading;
  std::unique_ptr<Reading> reading_;
};

// Whether the text ends inside a bracket, inside a block or after an operator, so that a REPL should ask for another
// line.
bool is_incomplete(std::string_view text);

}  // namespace shard
