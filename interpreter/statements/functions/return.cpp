// `return`: what a call of a function gives.
#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/check/flow.h"
#include "interpreter/check/intermediate_type.h"
#include "interpreter/statements/flow.h"
#include "interpreter/statements/functions/call.h"
#include "interpreter/statements/statement.h"

namespace shard {

namespace {

// How the report shows a result that no statement of the caller names.
std::string result_text(const ast::Expr& value, const ResultTarget& target) {
  const bool named = target.array != nullptr && target.array->name;
  return fmt::format("{} {}", named ? target.array->name->text + " =" : "return",
                     one_line(print(value, Spelling::Unicode)));
}

}  // namespace

bool Functions::check_results(const ast::Return& node, Span span) {
  CallFrame& frame = context_.state.calls.back();
  const std::size_t returned = node.values.size();
  const std::size_t wanted = frame.targets.size();
  if (!frame.targets.front().wanted) {
    frame.targets.resize(std::max<std::size_t>(returned, 1), frame.targets.front());
    return true;
  }
  const bool forwards = returned == 1 && as_function_call(node.values.front(), context_.scope);
  if (returned == wanted || returned == 0 || forwards) return true;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < returned; ++i)
    names.push_back(std::string(1, static_cast<char>('a' + static_cast<int>(i % 26))));
  report(context_.check, DiagnosticKind::NoResult, span,
         fmt::format("`{}` returns {} result{} here, and {} {} wanted", frame.function->name.text,
                     returned, returned == 1 ? "" : "s", wanted, wanted == 1 ? "is" : "are"),
         {returned == 1 ? fmt::format("one name takes it: a = {}(…)", frame.function->name.text)
                        : fmt::format("as many names take them: {} = {}(…)", join(names, ", "),
                                      frame.function->name.text)});
  frame.failed = true;
  return false;
}

void Functions::run_return(const ast::Return& node, Span span) {
  auto& calls = context_.state.calls;
  if (calls.empty()) {
    return report(context_.check, DiagnosticKind::MisplacedStatement, span,
                  "`return` stands outside of functions", {"fn norm(x[B, D]) { return x }"});
  }
  const std::size_t here = calls.size() - 1;  // calls inside the value move the frames
  calls[here].returned = true;
  if (!check_results(node, span) || node.values.empty()) return;
  const ast::Call* inner =
      node.values.size() == 1 ? as_function_call(node.values.front(), context_.scope) : nullptr;
  if (inner != nullptr) {
    auto results = call(*inner, node.values.front().at.span, calls[here].targets);
    forget_results();
    calls[here].failed = !results;
    if (results) calls[here].results = std::move(*results);
    return;
  }
  for (std::size_t i = 0; i < node.values.size(); ++i) {
    auto result = result_of(node.values[i], i, span);
    calls[here].failed = calls[here].failed || !result;
    if (!result) break;
    calls[here].results.push_back(std::move(*result));
  }
  if (!calls[here].failed) name_results();
  forget_results();
}

std::optional<CallResult> Functions::result_of(const ast::Expr& value, std::size_t place,
                                               Span span) {
  const auto expanded = expand(value);
  if (!expanded) return std::nullopt;
  const Scope& scope = context_.scope;
  const auto* name = std::get_if<ast::ArrayRef>(&expanded->node);
  const auto named =
      name != nullptr && name->name ? scope.names.find_array(name->name->text) : std::nullopt;
  // An array of the function's own hides a number of outside that is called as it is.
  const bool array =
      is_array_expression(*expanded, scope) ||
      (named && (scope.names.is_own(*named) || scope.find_binding(name->name->text) == nullptr));
  if (array) return return_array(*expanded, place, span);
  auto scalar = value_of(*expanded, context_);
  if (!scalar) return std::nullopt;
  return CallResult(std::move(*scalar));
}

std::optional<ArrayId> Functions::adopt(const ast::ArrayRef& array, std::size_t place) {
  CallFrame& frame = context_.state.calls.back();
  const ResultTarget& target = frame.targets[place];
  Scope& scope = context_.scope;
  const auto id = scope.names.find_array(array.name ? array.name->text : "");
  if (!id || static_cast<std::size_t>(id->value) < frame.first_array) return std::nullopt;
  // One array is one result.
  const auto is_it = [&](const CallResult& result) {
    const auto* one = std::get_if<ArrayId>(&result);
    return one != nullptr && *one == *id;
  };
  if (std::any_of(frame.results.begin(), frame.results.end(), is_it)) return std::nullopt;
  const auto operation = check_use(array, context_.check);
  if (!operation) {
    frame.failed = true;
    return std::nullopt;
  }
  const ArrayInfo& info = std::as_const(scope.store.arrays)[*id];
  const Layout layout =
      without_trivial_axes(std::get<checked::Use>(operation->node).layout, scope.mesh());
  if (operation->labels != info.dimensions) return std::nullopt;
  if (target.dtype && *target.dtype != info.dtype) return std::nullopt;
  const TargetHint& hint = target.hint;
  auto brackets = hint.brackets;
  if (!brackets && hint.declared != nullptr && hint.declared->dimensions == info.dimensions)
    brackets = Brackets{hint.declared->dimensions, hint.declared->layout};
  if (brackets) {
    const bool as_wanted = brackets->labels == info.dimensions &&
                           without_trivial_axes(brackets->layout, scope.mesh()) == layout;
    if (!as_wanted) return std::nullopt;
  }
  LiveCopies& copies = scope.held.change(*id);
  std::stable_partition(copies.begin(), copies.end(),
                        [&](const LiveCopy& copy) { return copy.layout != layout; });
  if (target.array != nullptr && target.array->name) {
    ArrayInfo& named = scope.store.arrays[*id];
    named.declared = target.dtype.has_value();
    named.form = brackets ? hint.declared : nullptr;
  }
  return id;
}

// While another result is still to be made, its value may name the function's own array that is called as a target is.
void Functions::name_results() {
  CallFrame& frame = context_.state.calls.back();
  for (std::size_t i = 0; i < frame.results.size(); ++i) {
    const auto* id = std::get_if<ArrayId>(&frame.results[i]);
    const ast::ArrayRef* target = frame.targets[i].array;
    if (id == nullptr || target == nullptr || !target->name) continue;
    ArrayInfo& info = context_.scope.store.arrays[*id];
    if (info.name == target->name->text) continue;
    const std::string before = std::exchange(info.name, target->name->text);
    carry_out(checked::Rename{.array = *id, .before = before, .name = info.name}, context_);
  }
}

std::optional<CallResult> Functions::return_array(const ast::Expr& value, std::size_t place,
                                                  Span span) {
  const std::size_t here = context_.state.calls.size() - 1;
  const auto* plain = std::get_if<ast::ArrayRef>(&value.node);
  if (plain != nullptr && plain->indices.empty() && !has_part(*plain)) {
    if (const auto own = adopt(*plain, place)) return CallResult(*own);
    if (context_.state.calls[here].failed) return std::nullopt;
  }
  const ResultTarget target = context_.state.calls[here].targets[place];
  std::optional<ast::ArrayRef> made;
  if (target.array != nullptr) made = *target.array;
  const bool several = context_.state.calls[here].targets.size() > 1;
  if (made && made->name && several) made->name->text += fmt::format("'{}", place + 1);
  auto flow = made ? check_flow(value, *made, target.hint, span, context_.check)
                   : check_evaluate(value, span, context_.check);
  if (!flow) return made ? std::nullopt : std::optional(CallResult());
  // The target is the caller's: what the function calls so ends with the call, and not here.
  flow->replaces = {};
  if (target.dtype && !flow->is_copy) {
    ArrayInfo& info = context_.scope.store.arrays[flow->target];
    info.dtype = *target.dtype;
    widen_intermediates(flow->value, info.dtype);
    info.declared = true;
    info.form = flow->layout ? target.hint.declared : nullptr;
  }
  const ArrayId result = flow->target;
  plan_flow(*flow, target.text.empty() ? result_text(value, target) : target.text, context_);
  return CallResult(result);
}

void run(const ast::Return& node, const ast::Statement& statement, RunContext& context) {
  Functions(context).run_return(node, statement.at.span);
}

}  // namespace shard
