// What a script asks to be shown: `print`, `expect`, `expect error`, `why`.
#pragma once

#include <optional>

#include "interpreter/statements/runner.h"

namespace shard {

// Answers against the state as it is now; entries are appended to it, mistakes are reported.
class Answers {
 public:
  Answers(RunnerState& state, const RunnerOptions& options, CheckContext& context,
          const Suppose& suppose, const CallFunction* call)
      : state_(state), options_(options), context_(context), suppose_(suppose), call_(call) {}

  void print(const ast::Print& printed, Span span);
  void expect(const ast::Expect& expect, Span span);
  void expect_error(const ast::ExpectError& expect, Span span);
  void why(const ast::Why& why, Span span);
  // A value that a statement of its own asks for.
  void say(const ast::Expr& expr, const Value& value);
  // The same of an array: its type and its copies.
  void say(ArrayId array);
  void refuse_inside_block(std::string_view word, Span span);

 private:
  std::optional<Value> value_of(const ast::Expr& expr);
  void fail(DiagnosticKind kind, Span span, std::string message, std::vector<std::string> help = {},
            std::vector<Note> notes = {});
  // A row of the loop's table, or a line.
  void add_printed(std::vector<std::string> names, const std::vector<Value>& values, Span span);
  // Values of both sides of a comparison that does not hold.
  void add_sides(const ast::Expr& condition, ExpectedEntry& entry);
  std::string missing_sizes(const ast::Expr& condition);
  // "the left side is 2 MiB, the right side 1 MiB: twice as much"
  std::string sides_text(const ExpectedEntry& entry, const ast::Expr& condition);
  // The layout in which an array of the condition is held, where the condition holds with that.
  std::vector<Note> other_layouts(const ast::Expr& condition);
  // Figures are those of one device: what divides a count of all of them.
  std::vector<Edit> share_edits(const ast::Expr& condition);
  std::vector<Edit> rounded_edits(const ast::Expr& condition);
  void judge(const ExpectedEntry& entry, const ast::Expr& condition);
  DiagnosticSink diagnostics_of(const std::vector<ast::Statement>& body);
  std::string parts_text(const ast::Expr& condition);
  bool is_target(const StatementRecord& statement, const ast::Identifier& name) const;

  RunnerState& state_;
  const RunnerOptions& options_;
  CheckContext& context_;
  const Suppose& suppose_;
  const CallFunction* call_;
};

}  // namespace shard
