// The statements of a text, read ahead of whoever runs them.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "grammar/parse/parser.h"
#include "grammar/tree/ast.h"

namespace shard {

// A long text is read by a thread of its own, some hundred statements ahead: reading takes a quarter of the time of
// estimating it. A short one is read as it is asked for.
class StatementStream {
 public:
  // What is wrong in a statement is reported when it is asked for. `names` grows meanwhile, and is nobody else's until the
  // end; `sources` may grow.
  // Reading looks for `cancelled`, and `next` then throws Cancelled.
  StatementStream(const SourceMap& sources, FileId file, Names& names, DiagnosticSink& sink,
                  std::function<bool()> cancelled = {});
  // Ends the reading, wherever it is.
  ~StatementStream();
  StatementStream(const StatementStream&) = delete;
  StatementStream& operator=(const StatementStream&) = delete;

  // Null at the end; the one before is gone then. Throws what reading threw: std::bad_alloc, Cancelled.
  const ast::Statement* next();

 private:
  // Statements in their order, and what was reported up to the end of each.
  struct Batch {
    std::vector<ast::Statement> statements;
    std::vector<std::size_t> reported;
    std::vector<Diagnostic> diagnostics;
  };

  void read_ahead(FileId file, Names& names, std::function<bool()> cancelled);
  // Waits for room in the queue; false if nobody wants more.
  bool hand_over(Batch batch);
  bool take_batch();

  DiagnosticSink& sink_;
  std::optional<StatementReader> reader_;
  // Of a short text.
  std::optional<ast::Statement> statement_;
  // Of a long one.
  SourceMap sources_;
  DiagnosticSink read_;
  Batch batch_;
  std::size_t next_ = 0;
  std::size_t reported_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> ahead_;
  Batch used_;  // which the thread that made it takes apart
  bool is_read_ = false;
  bool is_unwanted_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace shard
