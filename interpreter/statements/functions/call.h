// Calls of the script's own functions. A call runs the function's statements where it stands: their steps become part
// of the plan, and the names inside are the function's own.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "interpreter/check/operation.h"
#include "interpreter/statements/functions/bind_arguments.h"
#include "interpreter/statements/run_context.h"

namespace shard {

// Whether a call of one of the script's functions stands in the expression.
bool calls_function(const ast::Expr& expr, const Scope& scope);
// The expression as a call of one of the script's functions; nullptr if it is anything else.
const ast::Call* as_function_call(const ast::Expr& expr, const Scope& scope);

// Calls of one statement.
class Functions {
 public:
  explicit Functions(RunContext& context) : context_(context) {}

  // Runs a call. With a target the returned array flows into it; `text` is how the report shows that. nullopt after a report, of
  // ArgumentMismatch, NoResult, TooMuchRecursion.
  std::optional<CallResult> call(const ast::Call& call, Span span, ResultTarget target);
  // The same with a target for each of its results, or with one that wants none of them.
  std::optional<std::vector<CallResult>> call(const ast::Call& call, Span span,
                                              std::vector<ResultTarget> targets);
  // The same for the value of a scalar; an array is NotScalar, nothing is NoResult.
  std::optional<Value> scalar(const ast::Call& call, Span span);
  // `h = norm(x)`, `h[B_X, D] = norm(x)`: an array that is returned gets the name; a scalar is given back, to be bound
  // to it. nullopt if there is none, and after a report.
  std::optional<Value> assign(const ast::Call& call, const ast::ArrayRef& target, Span span,
                              const std::string& text);
  // `q, k[B_X] = both(x)`: the same of several results, which are given back one for each target.
  std::vector<std::optional<Value>> assign(const ast::Call& call,
                                           const std::vector<ast::ArrayRef>& targets, Span span);

  // Runs the calls inside an expression and puts names of their results into their places; nullopt after a report.
  std::optional<ast::Expr> expand(const ast::Expr& expr);
  // A name that nothing has and that is not among `taken`, for a result of the call that is read once.
  ast::ArrayRef passing_name(const ast::Call& call, ast::Location at,
                             const std::vector<std::string>& taken = {}) const;
  // What has such a name ends with the statement.
  void will_forget(const ast::ArrayRef& name);
  // Forgets the names that `expand` made, and those.
  void forget_results();

  // `return` in the function that runs (return.cpp).
  void run_return(const ast::Return& node, Span span);

 private:
  // Whether a call may begin inside those that run; reports TooMuchRecursion.
  bool check_depth(const ast::Function& function, Span span);
  // Runs the statements of the frame's function; what they return is in the frame then.
  void run_body(CallFrame& frame, DiagnosticSink& sink);
  // What was wrong inside, with the place of the call.
  void report_from_call(const DiagnosticSink& inner, Span span, const std::string& name);
  bool expand_calls(ast::Expr& expr);
  ResultTarget target_of(const ast::Call& call, const ast::ArrayRef& target);
  void name_dimensions(ArrayId array);
  // Gives a result of a call its dimensions outside of it.
  void name_outside(ArrayId array, const std::vector<StandIn>& stand_ins);
  // An array takes the target's name; of a scalar the value, which is to be bound to it.
  std::optional<Value> name_result(CallResult& result, const ast::ArrayRef& target,
                                   const ast::Call& call, Span span);
  // Whether there is a target for each result of the function that runs; reports NoResult.
  bool check_results(const ast::Return& node, Span span);
  // One result of several goes to the target at `place`. nullopt after a report.
  std::optional<CallResult> result_of(const ast::Expr& value, std::size_t place, Span span);
  std::optional<CallResult> return_array(const ast::Expr& value, std::size_t place, Span span);
  // The array itself is the result if it was made in this call and is as the target wants it; nullopt if not, and after a
  // report, by which the call has failed.
  std::optional<ArrayId> adopt(const ast::ArrayRef& array, std::size_t place);
  // Gives results the names of their targets, once all of them are there.
  void name_results();

  RunContext& context_;
  std::vector<std::string> results_;  // by name_key
};

}  // namespace shard
