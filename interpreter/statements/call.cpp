#include "interpreter/statements/call.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "grammar/tree/names.h"
#include "grammar/tree/walk_expression.h"
#include "interpreter/check/flow.h"
#include "interpreter/check/level.h"
#include "interpreter/statements/bind_arguments.h"

namespace shard {

namespace {

// The names of a point of the script, put back when a call ends.
struct SavedNames {
  OuterNames names;
  std::map<std::string, AxisId> axis_names;
  std::shared_ptr<const OuterNames> outside;
  int depth = 0;
  std::size_t first_own_array = 0;
};

OuterNames names_of(const Scope& scope) {
  return {scope.dimension_names, scope.array_names, scope.bindings, scope.unknown, scope.dropped};
}

void put_names(Scope& scope, OuterNames names) {
  scope.dimension_names = std::move(names.dimension_names);
  scope.array_names = std::move(names.array_names);
  scope.bindings = std::move(names.bindings);
  scope.unknown = std::move(names.unknown);
  scope.dropped = std::move(names.dropped);
}

// Inputs that the function was the first to use are the script's; what it wrote into with an index stays written.
void keep_what_lasts(const Scope& inside, const CallFrame& frame, OuterNames& outer) {
  const auto known = outer.array_names;
  inside.array_names.visit_changed(known, [&](const auto& entry) {
    const auto& [key, id] = entry;
    const ArrayInfo& info = inside.arrays[id];
    const bool is_new_input =
        static_cast<std::size_t>(id.value) >= frame.first_array && !info.computed && !info.declared;
    if (is_new_input) outer.array_names.try_emplace(key, id);
    const bool is_written = frame.written.count(key) != 0 && outer.array_names.contains(key);
    if (is_written) outer.array_names[key] = id;
  });
}

// The names of outside are hidden, but for those that every function sees.
SavedNames enter(Scope& scope) {
  SavedNames saved{names_of(scope), scope.axis_names, scope.outside, scope.depth,
                   scope.first_own_array};
  put_names(scope, scope.outside ? *scope.outside : saved.names);
  if (!scope.outside) scope.outside = std::make_shared<const OuterNames>(saved.names);
  scope.axis_names.clear();
  scope.first_own_array = scope.arrays.size();
  ++scope.depth;
  return saved;
}

void leave(Scope& scope, const CallFrame& frame, SavedNames saved) {
  keep_what_lasts(scope, frame, saved.names);
  if (saved.outside) {
    OuterNames outer = *saved.outside;
    keep_what_lasts(scope, frame, outer);
    saved.outside = std::make_shared<const OuterNames>(std::move(outer));
  }
  scope.note_ended(saved.names.bindings);
  scope.note_ended(saved.names.array_names);
  put_names(scope, std::move(saved.names));
  scope.axis_names = std::move(saved.axis_names);
  scope.outside = std::move(saved.outside);
  scope.depth = saved.depth;
  scope.first_own_array = saved.first_own_array;
}

}  // namespace

const ast::Call* as_function_call(const ast::Expr& expr, const Scope& scope) {
  const auto* call = std::get_if<ast::Call>(&expr.node);
  const bool own = call != nullptr && call->subscript.empty() &&
                   scope.functions.count(name_key(call->function.text)) != 0;
  return own ? call : nullptr;
}

bool calls_function(const ast::Expr& expr, const Scope& scope) {
  if (scope.functions.empty()) return false;
  return any_inside(
      expr, [&](const ast::Expr& inner) { return as_function_call(inner, scope) != nullptr; });
}

void Functions::report_from_call(const DiagnosticSink& inner, Span span, const std::string& name) {
  const Note note{span, fmt::format("in this call of `{}`", name)};
  for (Diagnostic diagnostic : inner.all()) {
    auto& notes = diagnostic.notes;
    const bool again = !notes.empty() && notes.back().span == note.span;
    if (!again && notes.size() >= kMostNotes) notes.pop_back();  // the outermost call is reported
    if (!again) notes.push_back(note);
    context_.check.sink.report(std::move(diagnostic));
  }
}

bool Functions::check_depth(const ast::Function& function, Span span) {
  Budget* budget = context_.options.budget;
  if (budget == nullptr || budget->calls < kMaxCalls) return true;
  if (!budget->stopped()) {
    report(context_.check, DiagnosticKind::TooMuchRecursion, span,
           fmt::format("more than {} calls inside each other", kMaxCalls),
           {"let an `if` end it, or write a loop: for i in 0..L { … }"},
           {{function.name.at.span, "the function is here"}});
  }
  budget->unwinding = true;
  return false;
}

void Functions::run_body(CallFrame& frame, DiagnosticSink& sink) {
  Budget* budget = context_.options.budget;
  const auto function = frame.function;
  if (budget != nullptr) ++budget->calls;
  context_.state.calls.push_back(std::move(frame));
  run_apart(function->body, sink, context_);
  frame = std::move(context_.state.calls.back());
  context_.state.calls.pop_back();
  if (budget != nullptr) --budget->calls;
}

std::optional<CallResult> Functions::call(const ast::Call& call, Span span, ResultTarget target) {
  Scope& scope = context_.scope;
  const auto function = scope.functions.at(name_key(call.function.text));
  const Level level(context_.options.budget);
  if (!check_depth(*function, span) || !level.check(span, context_.check)) return std::nullopt;
  ArgumentBinder binder(*function, call, span, context_);
  if (!binder.check_count()) return std::nullopt;
  const std::size_t first_result = results_.size();
  std::vector<ast::Expr> arguments;
  for (const auto& argument : call.arguments) {
    auto expanded = expand(*argument);
    if (!expanded) return std::nullopt;
    arguments.push_back(std::move(*expanded));
  }
  if (!binder.evaluate(arguments)) return std::nullopt;

  SavedNames saved = enter(scope);
  for (std::size_t i = first_result; i < results_.size(); ++i) scope.bindings.erase(results_[i]);
  CallFrame frame{.function = function,
                  .target = std::move(target),
                  .first_array = scope.arrays.size(),
                  .result = {}};
  DiagnosticSink inner;
  if (binder.bind()) {
    run_body(frame, inner);
  } else {
    frame.failed = true;
  }
  leave(scope, frame, std::move(saved));
  report_from_call(inner, span, function->name.text);
  Budget* budget = context_.options.budget;
  const bool ended = budget == nullptr || !budget->stopped();
  if (!ended || frame.failed || inner.has_errors()) return std::nullopt;
  if (frame.target.wanted && std::holds_alternative<std::monostate>(frame.result)) {
    report(context_.check, DiagnosticKind::NoResult, span,
           fmt::format("`{}` returned nothing, and its result is needed here", function->name.text),
           {"`return` with a value ends the function"},
           {{function->name.at.span, "the function is here"}});
    return std::nullopt;
  }
  return std::move(frame.result);
}

std::optional<Value> Functions::scalar(const ast::Call& call, Span span) {
  auto result = this->call(call, span, {.hint = {}, .text = {}, .wanted = true});
  if (!result) return std::nullopt;
  if (auto* value = std::get_if<Value>(&*result)) return std::move(*value);
  report(context_.check, DiagnosticKind::NotScalar, span,
         fmt::format("`{}` returns an array, and arithmetic takes scalars", call.function.text),
         {"give the array a name first, and ask for a figure of it: bytes(y)"});
  return std::nullopt;
}

std::optional<Value> Functions::assign(const ast::Call& call, const ast::ArrayRef& target,
                                       Span span, const std::string& text) {
  Scope& scope = context_.scope;
  const std::string key = target.name ? name_key(target.name->text) : "";
  ResultTarget result_target{
      .array = &target,
      .hint = look_up_target(target, ast::Expr{.node = call, .at = {}}, context_.check),
      .dtype = std::nullopt,
      .text = text,
      .wanted = true};
  if (const auto earlier = target.name ? scope.find_array(target.name->text) : std::nullopt;
      earlier && scope.arrays[*earlier].declared) {
    result_target.dtype = scope.arrays[*earlier].dtype;
  }
  const bool failed = result_target.hint.failed;
  auto result = this->call(call, span, std::move(result_target));
  forget_results();
  if (!result || failed) {
    if (target.name) scope.forget_array(target.name->text);
    return std::nullopt;
  }
  if (const auto* array = std::get_if<ArrayId>(&*result)) {
    if (key.empty()) return std::nullopt;
    scope.array_names[key] = *array;
    scope.dropped.erase(key);
    scope.unknown.erase(key);
    return std::nullopt;
  }
  auto& value = std::get<Value>(*result);
  if (!target.bracketed) return std::move(value);
  report(context_.check, DiagnosticKind::NotArray, span,
         fmt::format("`{}` returns {}, and an array is needed here", call.function.text,
                     to_text(value)));
  scope.unknown.insert(key);
  return std::nullopt;
}

std::optional<ast::Expr> Functions::expand(const ast::Expr& expr) {
  ast::Expr expanded = expr;
  if (!calls_function(expr, context_.scope)) return expanded;
  if (!expand_calls(expanded)) return std::nullopt;
  return expanded;
}

bool Functions::expand_calls(ast::Expr& expr) {
  const Level level(context_.options.budget);
  if (!level.check(expr.at.span, context_.check)) return false;
  Scope& scope = context_.scope;
  const ast::Call* call = as_function_call(expr, scope);
  if (call == nullptr) {
    bool fine = true;
    for_each_operand(expr, [&](ast::Expr& operand) { fine = fine && expand_calls(operand); });
    return fine;
  }
  ast::ArrayRef name{.name = call->function, .at = expr.at};
  int number = 0;
  do {
    name.name->text = fmt::format("{}'{}", call->function.text, ++number);
  } while (scope.find_array(name.name->text) || scope.find_binding(name.name->text) != nullptr);
  const std::string key = name_key(name.name->text);
  auto result = this->call(*call, expr.at.span,
                           {.array = &name, .hint = {}, .dtype = {}, .text = {}, .wanted = true});
  if (!result) return false;
  results_.push_back(key);
  if (const auto* array = std::get_if<ArrayId>(&*result)) {
    scope.array_names[key] = *array;
  } else {
    scope.bindings[key] = {.name = name.name->text,
                           .value = std::get<Value>(*result),
                           .span = expr.at.span,
                           .depth = scope.depth};
  }
  expr.node = std::move(name);
  return true;
}

void Functions::forget_results() {
  for (const std::string& key : results_) {
    context_.scope.array_names.erase(key);
    context_.scope.bindings.erase(key);
  }
  results_.clear();
}

std::optional<Value> RunContext::call(const ast::Call& call, Span span) {
  return Functions(*this).scalar(call, span);
}

}  // namespace shard
