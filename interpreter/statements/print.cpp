#include "interpreter/statements/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/check/array.h"
#include "interpreter/check/flow.h"
#include "interpreter/statements/block_entries.h"
#include "interpreter/statements/flow.h"
#include "interpreter/statements/functions/call.h"
#include "interpreter/statements/loops/printed_pieces.h"
#include "interpreter/statements/statement.h"
#include "interpreter/statements/wanted_array.h"

namespace shard {

namespace {

// The array that `_` means: not one that was declared under that name, or is an input.
std::optional<ArrayId> last_array(const Scope& scope) {
  const auto array = scope.names.find_array(kLastValue);
  if (!array) return std::nullopt;
  const ArrayInfo& info = scope.store.arrays[*array];
  return info.computed && !info.declared ? array : std::nullopt;
}

// A session has something of its own that is called so.
bool is_last_value_taken(const Scope& scope) {
  return (scope.names.find_array(kLastValue) && !last_array(scope)) ||
         scope.names.find_dimension(kLastValue);
}

void end_last_array(RunContext& context) {
  const auto last = last_array(context.scope);
  if (!last) return;
  context.scope.names.array_names.erase(kLastValue);
  carry_out(checked::Drop{*last, std::nullopt}, context);
}

// A session at a terminal has its last value under this name, which stands for `_` there.
void keep_last(const Value& value, Span span, RunContext& context) {
  Scope& scope = context.scope;
  if (!context.options.interactive || scope.names.loops > 0 || std::holds_alternative<Word>(value))
    return;
  if (is_last_value_taken(scope)) return;
  end_last_array(context);
  scope.names.bindings[kLastValue] = {
      .name = kLastValue, .value = value, .span = span, .depth = scope.names.depth};
}

// Whether nobody has to be spared its elements, in a session that runs what it is told.
bool shows_elements(const std::vector<Amount>& shape, const RunContext& context) {
  constexpr std::int64_t kMost = 64;
  if (!is_last_value(context) || context.options.memory == 0) return false;
  Rational count = 1;
  for (const Amount& length : shape) {
    const auto known = length.constant();
    if (!known) return false;
    count = count * *known;
  }
  return count <= Rational(kMost);
}

// An array that a line only names: which copies of it there are, and what it holds if that is little.
void say_named(const ast::Expr& expr, ArrayId array, RunContext& context) {
  const Scope& scope = context.scope;
  const ArrayInfo& info = scope.store.arrays[array];
  const LiveCopies& copies = scope.held.of(array);
  const auto written = std::count_if(copies.begin(), copies.end(),
                                     [](const LiveCopy& copy) { return !copy.inferred; });
  const bool shows = shows_elements(scope.shape_of(info.dimensions), context);
  if (!shows || written > 1) {
    const std::string text = fmt::format("{}: {}, held as {}", info.name, name_of(info.dtype),
                                         list_copies(array, scope));
    context.state.entries.emplace_back(PrintedEntry{.names = {text}, .values = {text}});
  }
  if (!shows) return;
  const auto copy = requested_copy(expr, context);
  if (copy) say_copy(*copy, expr, expr.at.span, context);
}

void add_entry(std::optional<FiguresEntry> entry, RunContext& context) {
  if (entry) context.state.entries.emplace_back(Box<FiguresEntry>(*std::move(entry)));
}

// A block alone is printed as a list of its figures, `c.steps` as a list of its steps. Not in a loop, where a value is a
// row of a table: there a block has the columns that are most asked for. False if it is neither.
bool say_block(const ast::Expr& expr, RunContext& context) {
  if (say_steps(expr, context)) return true;
  const auto* ref = std::get_if<ast::ArrayRef>(&expr.node);
  if (ref == nullptr || !ref->name || ref->bracketed || context.scope.names.loops > 0) return false;
  const Supposition* block = block_named(ref->name->text, context.scope);
  if (block == nullptr) return false;
  add_entry(all_figures(ref->name->text, *block, context), context);
  return true;
}

// A call of a function, of which the last value is what it returns. False if it is anything else.
bool say_call(const ast::Expr& expr, RunContext& context) {
  const ast::Call* call = as_function_call(expr, context.scope);
  if (call == nullptr) return false;
  Functions calls(context);
  const bool said = say_returned(*call, expr, Says::Elements, calls, context);
  calls.forget_results();
  return said;
}

// A value that is printed under the expression that was written for it.
struct PrintedScalar {
  const ast::Expr* written;
  ast::Expr value;
};

// Nullopt after a mistake.
std::optional<PrintedPiece> scalars_of(const std::vector<PrintedScalar>& printed,
                                       RunContext& context) {
  PrintedPiece piece;
  std::vector<std::string>& names = piece.names;
  std::vector<Value>& values = piece.values;
  for (const auto& [expr, scalar] : printed) {
    if (const auto* text = std::get_if<ast::Text>(&expr->node)) {
      names.push_back(text->value);
      values.emplace_back(Word{text->value});
      continue;
    }
    auto value = value_of(scalar, context);
    if (!value) return std::nullopt;
    if (const auto* block = std::get_if<Supposition>(&*value)) {
      auto figures = main_figures(one_line(print(*expr, Spelling::Unicode)), *block, context);
      if (!figures) return std::nullopt;
      for (FigureColumn& figure : *figures) {
        names.push_back(std::move(figure.name));
        values.push_back(std::move(figure.value));
      }
      continue;
    }
    names.push_back(one_line(print(*expr, Spelling::Unicode)));
    values.push_back(std::move(*value));
  }
  if (!values.empty()) keep_last(values.back(), printed.front().written->at.span, context);
  return piece;
}

// Of several arrays each has a row of its own in the report. An expression alone on a line is printed as well.
ast::Statement printed_alone(const ast::Expr& expr, ast::Statement statement) {
  if (auto* print = std::get_if<ast::Print>(&statement.node)) print->values = {expr};
  return statement;
}

// Outside of loops each piece is said below the statement that computes it. In one all are gathered first, as they may be a row.
class Printing {
 public:
  Printing(const ast::Print& printed, const ast::Statement& statement, RunContext& context)
      : printed_(printed), statement_(statement), context_(context), calls_(context) {}

  void run() {
    const bool complete = add_pieces();
    if (complete && are_in_a_row(pieces_, context_))
      say_row(pieces_, printed_.values.front().at.span, context_);
    else
      say_lines(pieces_, statement_.at.span, context_);
    calls_.forget_results();
  }

 private:
  // False after a mistake.
  bool add_pieces() {
    for (const ast::Expr& expr : printed_.values) {
      // What functions of the script return may be either.
      auto value = calls_.expand(expr);
      if (!value) return false;
      if (!asks_for_array(*value, context_.scope)) {
        scalars_.push_back({&expr, *std::move(value)});
        continue;
      }
      if (!add_scalars()) return false;
      PrintedPiece piece{.names = {one_line(print(expr, Spelling::Unicode))}, .values = {}};
      piece.array = &expr;
      piece.copy =
          wanted_array(*value, printed_alone(expr, statement_), context_, Unnamed::LastValue);
      add(std::move(piece));
    }
    return add_scalars();
  }

  bool add_scalars() {
    auto piece = scalars_of(scalars_, context_);
    scalars_.clear();
    if (!piece) return false;
    if (!piece->values.empty()) add(*std::move(piece));
    return true;
  }

  void add(PrintedPiece piece) {
    pieces_.push_back(std::move(piece));
    if (context_.scope.names.loops > 0) return;
    say_lines(pieces_, statement_.at.span, context_);
    pieces_.clear();
  }

  const ast::Print& printed_;
  const ast::Statement& statement_;
  RunContext& context_;
  Functions calls_;
  std::vector<PrintedScalar> scalars_;  // that stand together
  std::vector<PrintedPiece> pieces_;
};

}  // namespace

void run(const ast::Print& printed, const ast::Statement& statement, RunContext& context) {
  if (refused_in_cost_block("print", statement.at.span, context)) return;
  if (printed.values.size() == 1 && say_block(printed.values.front(), context)) return;
  if (printed.values.size() == 1 && say_call(printed.values.front(), context)) return;
  Printing(printed, statement, context).run();
}

bool say_steps(const ast::Expr& expr, RunContext& context) {
  const auto block = block_of_steps(expr, context);
  if (!block) return false;
  const auto& member = std::get<ast::Member>(expr.node);
  auto steps = dearest_steps(print(*member.object, Spelling::Unicode), *block, context);
  if (steps) context.state.entries.emplace_back(Box<StepsEntry>(*std::move(steps)));
  return true;
}

void say(const ast::Expr& expr, const Value& value, RunContext& context) {
  keep_last(value, expr.at.span, context);
  const std::string text = one_line(print(expr, Spelling::Unicode));
  if (const auto* block = std::get_if<Supposition>(&value))
    return add_entry(all_figures(text, *block, context), context);
  add_printed({text}, {value}, expr.at.span, context);
}

void say_result(const ast::Expr& value, const ast::Expr& written, const ast::Statement& statement,
                RunContext& context) {
  const std::size_t told = context.check.sink.all().size();
  auto flow = check_evaluate(value, statement.at.span, context.check);
  if (!flow) {
    const auto* array = std::get_if<ast::ArrayRef>(&value.node);
    const bool is_named = array != nullptr && array->name;
    context.state.incomplete = context.state.incomplete || !is_named;
    // A script only names it; a person at a terminal asks.
    if (!context.options.interactive || !is_named || context.check.sink.all().size() > told) return;
    if (const auto id = context.scope.names.find_array(array->name->text))
      say_named(value, *id, context);
    return;
  }
  const auto made = plan_unnamed(*std::move(flow), statement, context);
  if (!made || !is_last_value(context)) return;
  if (shows_elements(growing_program(context).plan.copies[*made].shape, context))
    say_copy(*made, written, statement.at.span, context);
}

bool say_returned(const ast::Call& call, const ast::Expr& written, Says says, Functions& calls,
                  RunContext& context) {
  Scope& scope = context.scope;
  const auto function = scope.names.functions.at(name_key(call.function.text));
  const auto* last =
      function->body.empty() ? nullptr : std::get_if<ast::Return>(&function->body.back().node);
  if (last == nullptr || last->values.size() != 1 || !is_last_value(context) ||
      is_last_value_taken(scope))
    return false;
  ast::ArrayRef target;
  target.name = ast::Identifier{.text = kLastValue, .at = written.at};
  target.at = written.at;
  const auto value =
      calls.assign(call, target, written.at.span, one_line(print(written, Spelling::Unicode)));
  if (value) {
    say(written, *value, context);
    return true;
  }
  const auto made = scope.names.find_array(kLastValue);
  if (!made || scope.store.arrays[*made].name != kLastValue) return true;
  scope.store.arrays[*made].anonymous = true;
  scope.names.bindings.erase(kLastValue);
  const auto shape = scope.shape_of(scope.store.arrays[*made].dimensions);
  if (says == Says::FewElements && !shows_elements(shape, context)) return true;
  const auto copy = requested_copy({.node = std::move(target), .at = written.at}, context);
  if (copy) say_copy(*copy, written, written.at.span, context);
  return true;
}

bool is_last_value(const RunContext& context) {
  const Scope& scope = context.scope;
  return context.options.interactive && !scope.supposition && scope.names.loops == 0 &&
         scope.names.depth == 0 && context.state.calls.empty();
}

std::optional<CopyId> plan_unnamed(checked::Flow flow, const ast::Statement& statement,
                                   RunContext& context) {
  Scope& scope = context.scope;
  const ArrayId target = flow.target;
  const Span span = flow.span;
  const bool is_kept = is_last_value(context) && !is_last_value_taken(scope);
  if (is_kept) scope.store.arrays[target].name = kLastValue;
  plan_flow(std::move(flow), print(statement, Spelling::Unicode), context);
  const CopyId result = growing_program(context).statements.back().result;
  if (!result.valid()) return std::nullopt;
  if (!is_kept) return result;
  end_last_array(context);
  scope.names.bindings.erase(kLastValue);
  scope.names.array_names[kLastValue] = target;
  scope.store.arrays[target].span = span;
  return result;
}

}  // namespace shard
