#include "interpreter/statements/functions/call.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/contains.h"
#include "grammar/tree/names.h"
#include "grammar/tree/statement_parts.h"
#include "grammar/tree/walk_expression.h"
#include "interpreter/check/flow.h"
#include "interpreter/check/level.h"
#include "interpreter/ir/frames.h"
#include "interpreter/statements/flow.h"
#include "interpreter/statements/recorder.h"

namespace shard {

const ast::Call* as_function_call(const ast::Expr& expr, const Scope& scope) {
  const auto* call = std::get_if<ast::Call>(&expr.node);
  const bool own = call != nullptr && call->subscript.empty() &&
                   scope.names.functions.count(name_key(call->function.text)) != 0;
  return own ? call : nullptr;
}

bool calls_function(const ast::Expr& expr, const Scope& scope) {
  if (scope.names.functions.empty()) return false;
  return any_inside(
      expr, [&](const ast::Expr& inner) { return as_function_call(inner, scope) != nullptr; });
}

namespace {

std::shared_ptr<const DeclaredForm> with_dimensions(const DeclaredForm& form,
                                                    std::vector<DimensionId> dimensions) {
  return std::make_shared<const DeclaredForm>(
      DeclaredForm{std::move(dimensions), form.layout, form.span});
}

// What the caller wants of a result, with the dimensions that the function has for the caller's.
void name_inside(TargetHint& hint, const std::vector<StandIn>& stand_ins) {
  const auto named = [&](std::vector<DimensionId> labels) {
    for (const StandIn& one : stand_ins) {
      if (one.is_only_one) std::replace(labels.begin(), labels.end(), one.argument, one.own);
    }
    return labels;
  };
  if (stand_ins.empty()) return;
  if (hint.brackets) hint.brackets->labels = named(std::move(hint.brackets->labels));
  if (hint.declared != nullptr)
    hint.declared = with_dimensions(*hint.declared, named(hint.declared->dimensions));
}

}  // namespace

// Of two names of the pattern for one dimension the second stays one of its own where both are in the result.
void Functions::name_outside(ArrayId array, const std::vector<StandIn>& stand_ins) {
  Scope& scope = context_.scope;
  const std::vector<DimensionId> before = std::as_const(scope.store).arrays[array].dimensions;
  std::vector<DimensionId> labels = before;
  for (DimensionId& label : labels) {
    const auto stands = std::find_if(stand_ins.begin(), stand_ins.end(),
                                     [&](const StandIn& one) { return one.own == label; });
    if (stands == stand_ins.end()) continue;
    label = contains(labels, stands->argument) ? scope.add_beside(stands->name, stands->argument)
                                               : stands->argument;
  }
  if (labels == before) return;
  ArrayInfo& info = scope.store.arrays[array];
  if (info.form != nullptr) {
    std::vector<DimensionId> declared = info.form->dimensions;
    for (std::size_t d = 0; d < labels.size(); ++d)
      std::replace(declared.begin(), declared.end(), before[d], labels[d]);
    info.form = with_dimensions(*info.form, std::move(declared));
  }
  info.dimensions = std::move(labels);
}

void Functions::report_from_call(const DiagnosticSink& inner, Span span, const std::string& name) {
  const Note note{span, fmt::format("in this call of `{}`", name)};
  for (Diagnostic diagnostic : inner.all()) {
    auto& notes = diagnostic.notes;
    // What is about no line is about no call of it.
    const bool again = !diagnostic.span.valid() || diagnostic.span == note.span ||
                       (!notes.empty() && notes.back().span == note.span);
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
  RunnerState& state = context_.state;
  const std::size_t program = state.current;
  const auto statements = [&] {
    return program < state.programs.size() ? state.programs[program].statements.size() : 0;
  };
  const std::size_t first = statements();
  state.calls.push_back(std::move(frame));
  run_apart(function->body, sink, context_);
  frame = std::move(state.calls.back());
  state.calls.pop_back();
  const std::size_t end = statements();
  if (state.calls.empty() && state.current == program && end > first)
    state.ended_calls.push_back({function->name.text, frame.span, program, first, end});
  if (budget != nullptr) --budget->calls;
}

std::optional<CallResult> Functions::call(const ast::Call& call, Span span, ResultTarget target) {
  std::vector<ResultTarget> targets;
  targets.push_back(std::move(target));
  auto results = this->call(call, span, std::move(targets));
  if (!results) return std::nullopt;
  return results->empty() ? CallResult() : std::move(results->front());
}

std::optional<std::vector<CallResult>> Functions::call(const ast::Call& call, Span span,
                                                       std::vector<ResultTarget> targets) {
  Scope& scope = context_.scope;
  const auto function = scope.names.functions.at(name_key(call.function.text));
  const Level level(context_.options.budget);
  if (!check_depth(*function, span) || !level.check(span, context_.check)) return std::nullopt;
  ArgumentBinder binder(function, call, span, context_);
  if (!binder.check_count()) return std::nullopt;
  const std::size_t first_result = results_.size();
  std::vector<ast::Expr> arguments;
  for (const auto& argument : call.arguments) {
    auto expanded = expand(*argument);
    if (!expanded) return std::nullopt;
    arguments.push_back(std::move(*expanded));
  }
  if (!binder.evaluate(arguments)) return std::nullopt;

  const RegionRecord region(checked::RegionKind::Call, span, context_.options.recorder);
  const auto ended_before = scope.names.ended;
  FunctionFrame names(scope);
  for (std::size_t i = first_result; i < results_.size(); ++i)
    scope.names.bindings.erase(results_[i]);
  CallFrame frame{.function = function,
                  .targets = std::move(targets),
                  .first_array = scope.store.arrays.size(),
                  .span = span};
  DiagnosticSink inner;
  if (binder.bind()) {
    for (ResultTarget& target : frame.targets) name_inside(target.hint, binder.stand_ins());
    run_body(frame, inner);
  } else {
    frame.failed = true;
  }
  std::vector<ArrayId> over = names.pop();
  // What a module's functions have inside is no name of the script's.
  if (function->name.at.span.file != span.file) scope.names.ended = ended_before;
  for (const CallResult& result : frame.results) {
    if (const auto* array = std::get_if<ArrayId>(&result)) std::erase(over, *array);
  }
  for (const CallResult& result : frame.results) {
    if (const auto* array = std::get_if<ArrayId>(&result)) name_outside(*array, binder.stand_ins());
  }
  end_with_block(over, context_);
  report_from_call(inner, span, function->name.text);
  Budget* budget = context_.options.budget;
  const bool ended = budget == nullptr || !budget->stopped();
  if (!ended || frame.failed || inner.has_errors()) return std::nullopt;
  const bool gave =
      !frame.results.empty() && !std::holds_alternative<std::monostate>(frame.results.front());
  if (frame.targets.front().wanted && !gave) {
    report(context_.check, DiagnosticKind::NoResult, span,
           fmt::format("`{}` returned nothing, and its result is needed here", function->name.text),
           {"`return` with a value ends the function"},
           {{function->name.at.span, "the function is here"}});
    return std::nullopt;
  }
  return std::move(frame.results);
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

ResultTarget Functions::target_of(const ast::Call& call, const ast::ArrayRef& target) {
  const Scope& scope = context_.scope;
  ResultTarget result{
      .array = &target,
      .hint = look_up_target(target, ast::Expr{.node = call, .at = {}}, context_.check),
      .dtype = std::nullopt,
      .text = {},
      .wanted = true};
  const auto earlier = target.name ? scope.names.find_declared(target.name->text) : std::nullopt;
  if (earlier && scope.store.arrays[*earlier].declared)
    result.dtype = scope.store.arrays[*earlier].dtype;
  return result;
}

std::optional<Value> Functions::assign(const ast::Call& call, const ast::ArrayRef& target,
                                       Span span, const std::string& text) {
  Scope& scope = context_.scope;
  ResultTarget result_target = target_of(call, target);
  result_target.text = text;
  const bool failed = result_target.hint.failed;
  auto result = this->call(call, span, std::move(result_target));
  forget_results();
  if (!result || failed) {
    if (target.name) scope.forget_array(target.name->text);
    return std::nullopt;
  }
  return name_result(*result, target, call, span);
}

std::vector<std::optional<Value>> Functions::assign(const ast::Call& call,
                                                    const std::vector<ast::ArrayRef>& targets,
                                                    Span span) {
  std::vector<std::optional<Value>> values(targets.size());
  std::vector<ResultTarget> result_targets;
  bool failed = false;
  for (const ast::ArrayRef& target : targets) {
    result_targets.push_back(target_of(call, target));
    failed = failed || result_targets.back().hint.failed;
  }
  auto results = this->call(call, span, std::move(result_targets));
  forget_results();
  const bool fine = results && !failed && results->size() == targets.size();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (fine)
      values[i] = name_result((*results)[i], targets[i], call, span);
    else
      context_.scope.forget_array(targets[i].name->text);
  }
  return values;
}

// Dimensions that the function gave a length, as `R = k` does, keep their names where the call stands: a name that means nothing
// there, or the same dimension of an earlier result, is theirs; under one that is as long there they are one dimension. Any other
// length of the name is the caller's, and brackets at the call, `a[N, Q] = f(x)`, give another.
void Functions::name_dimensions(ArrayId array) {
  Scope& scope = context_.scope;
  const std::vector<DimensionId> labels = scope.store.arrays[array].dimensions;
  for (std::size_t d = 0; d < labels.size(); ++d) {
    const DimensionInfo info = std::as_const(scope.store.dimensions)[labels[d]];
    // A length is the same dimension everywhere, once it is known by it.
    if (info.literal) scope.intern_length(*info.literal);
    if (info.literal || !info.own_length) continue;
    const auto known = scope.names.find_dimension(info.name);
    if (known == labels[d]) continue;
    const bool is_size = scope.find_binding(info.name) != nullptr;
    const bool of_result = known && scope.store.dimensions[*known].own_length;
    if (!is_size && (!known || of_result)) {
      scope.names.dimension_names[info.key] = labels[d];
      continue;
    }
    const bool of_outside = scope.names.is_length_of_outside(info.name);
    const DimensionId own = scope.intern_dimension(info.name);
    if (scope.length_of(own) != Rational(*info.own_length)) {
      // Within a function the script's length of that name is no other length of its own.
      if (!of_outside) continue;
      scope.names.dimension_names[info.key] = labels[d];
      scope.names.bindings.erase(info.key);
    } else if (!contains(labels, own)) {
      scope.store.arrays[array].dimensions.edit()[d] = own;
    }
  }
}

std::optional<Value> Functions::name_result(CallResult& result, const ast::ArrayRef& target,
                                            const ast::Call& call, Span span) {
  Scope& scope = context_.scope;
  const std::string key = target.name ? name_key(target.name->text) : "";
  if (const auto* array = std::get_if<ArrayId>(&result)) {
    if (key.empty()) return std::nullopt;
    const auto earlier = scope.names.find_array(key);
    if (earlier && scope.names.is_own(*earlier) && *earlier != *array)
      end_replaced_array(*earlier, context_);
    scope.names.array_names[key] = *array;
    scope.names.dropped.erase(key);
    scope.told.unknown.erase(key);
    name_dimensions(*array);
    // `W, m, v = adam(W, m, v, dW, rate)`: what gradients were made of is history.
    if (std::any_of(call.arguments.begin(), call.arguments.end(), [&](const auto& argument) {
          return names_array(*argument, target.name->text);
        }))
      scope.store.arrays[*array].of_gradients = false;
    return std::nullopt;
  }
  auto& value = std::get<Value>(result);
  if (!target.bracketed) return std::move(value);
  report(context_.check, DiagnosticKind::NotArray, span,
         fmt::format("`{}` returns {}, and an array is needed here", call.function.text,
                     to_text(value)));
  scope.told.unknown.insert(key);
  return std::nullopt;
}

std::optional<ast::Expr> Functions::expand(const ast::Expr& expr) {
  ast::Expr expanded = expr;
  if (!calls_function(expr, context_.scope)) return expanded;
  if (!expand_calls(expanded)) return std::nullopt;
  return expanded;
}

ast::ArrayRef Functions::passing_name(const ast::Call& call, ast::Location at,
                                      const std::vector<std::string>& taken) const {
  ast::ArrayRef name{.name = call.function, .at = at};
  std::string& text = name.name->text;
  int number = 0;
  do {
    text = fmt::format("{}'{}", call.function.text, ++number);
  } while (context_.scope.names.find_array(text) || context_.scope.find_binding(text) != nullptr ||
           contains(taken, text));
  return name;
}

void Functions::will_forget(const ast::ArrayRef& name) {
  results_.push_back(name_key(name.name->text));
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
  ast::ArrayRef name = passing_name(*call, expr.at);
  const std::string key = name_key(name.name->text);
  auto result = this->call(*call, expr.at.span,
                           {.array = &name, .hint = {}, .dtype = {}, .text = {}, .wanted = true});
  if (!result) return false;
  results_.push_back(key);
  if (const auto* array = std::get_if<ArrayId>(&*result)) {
    scope.names.array_names[key] = *array;
    name_dimensions(*array);
  } else {
    scope.names.bindings[key] = {.name = name.name->text,
                                 .value = std::get<Value>(*result),
                                 .span = expr.at.span,
                                 .depth = scope.names.depth};
  }
  expr.node = std::move(name);
  return true;
}

void Functions::forget_results() {
  const auto is_returned = [&](ArrayId array) {
    const auto& calls = context_.state.calls;
    return std::any_of(calls.begin(), calls.end(), [&](const CallFrame& frame) {
      return std::any_of(frame.results.begin(), frame.results.end(), [&](const CallResult& result) {
        const auto* one = std::get_if<ArrayId>(&result);
        return one != nullptr && *one == array;
      });
    });
  };
  for (const std::string& key : results_) {
    const auto array = context_.scope.names.find_array(key);
    if (array && !is_returned(*array)) end_with_block({*array}, context_);
    context_.scope.names.array_names.erase(key);
    context_.scope.names.bindings.erase(key);
  }
  results_.clear();
}

std::optional<Value> RunContext::call(const ast::Call& call, Span span) {
  return Functions(*this).scalar(call, span);
}

}  // namespace shard
