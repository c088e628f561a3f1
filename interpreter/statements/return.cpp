// `return`: what a call of a function gives.
#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/check/flow.h"
#include "interpreter/check/intermediate_type.h"
#include "interpreter/statements/call.h"
#include "interpreter/statements/flow.h"
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

void Functions::run_return(const ast::Return& node, Span span) {
  auto& calls = context_.state.calls;
  if (calls.empty()) {
    return report(context_.check, DiagnosticKind::MisplacedStatement, span,
                  "`return` stands outside of functions", {"fn norm(x[B, D]) { return x }"});
  }
  const std::size_t here = calls.size() - 1;  // calls inside the value move the frames
  calls[here].returned = true;
  if (!node.value) return;
  if (const ast::Call* inner = as_function_call(*node.value, context_.scope)) {
    auto result = call(*inner, node.value->at.span, calls[here].target);
    forget_results();
    calls[here].failed = !result;
    if (result) calls[here].result = std::move(*result);
    return;
  }
  const auto value = expand(*node.value);
  if (!value) {
    calls[here].failed = true;
    return;
  }
  const auto* name = std::get_if<ast::ArrayRef>(&value->node);
  const bool array =
      is_array_expression(*value, context_.scope) ||
      (name != nullptr && name->name && context_.scope.names.find_array(name->name->text) &&
       context_.scope.find_binding(name->name->text) == nullptr);
  if (array) {
    return_array(*value, span);
  } else if (auto scalar = value_of(*value, context_)) {
    calls[here].result = std::move(*scalar);
  } else {
    calls[here].failed = true;
  }
  forget_results();
}

bool Functions::adopt(const ast::ArrayRef& array) {
  CallFrame& frame = context_.state.calls.back();
  Scope& scope = context_.scope;
  const auto id = scope.names.find_array(array.name ? array.name->text : "");
  if (!id || static_cast<std::size_t>(id->value) < frame.first_array) return false;
  const auto operation = check_use(array, context_.check);
  if (!operation) {
    frame.failed = true;
    return true;
  }
  ArrayInfo& info = scope.store.arrays[*id];
  const Layout layout =
      without_trivial_axes(std::get<checked::Use>(operation->node).layout, scope.mesh());
  if (operation->labels != info.dimensions) return false;
  if (frame.target.dtype && *frame.target.dtype != info.dtype) return false;
  const TargetHint& hint = frame.target.hint;
  auto brackets = hint.brackets;
  if (!brackets && hint.declared != nullptr && hint.declared->dimensions == info.dimensions)
    brackets = Brackets{hint.declared->dimensions, hint.declared->layout};
  if (brackets) {
    const bool as_wanted = brackets->labels == info.dimensions &&
                           without_trivial_axes(brackets->layout, scope.mesh()) == layout;
    if (!as_wanted) return false;
  }
  LiveCopies& copies = scope.held.change(*id);
  std::stable_partition(copies.begin(), copies.end(),
                        [&](const LiveCopy& copy) { return copy.layout != layout; });
  if (frame.target.array != nullptr && frame.target.array->name) {
    const std::string& name = frame.target.array->name->text;
    info.declared = frame.target.dtype.has_value();
    info.form = brackets ? hint.declared : nullptr;
    carry_out(checked::Rename{.array = *id, .before = std::exchange(info.name, name), .name = name},
              context_);
  }
  frame.result = *id;
  return true;
}

void Functions::return_array(const ast::Expr& value, Span span) {
  const std::size_t here = context_.state.calls.size() - 1;
  const auto* plain = std::get_if<ast::ArrayRef>(&value.node);
  if (plain != nullptr && plain->indices.empty() && adopt(*plain)) return;
  const ResultTarget target = context_.state.calls[here].target;
  auto flow = target.array != nullptr
                  ? check_flow(value, *target.array, target.hint, span, context_.check)
                  : check_evaluate(value, span, context_.check);
  CallFrame& frame = context_.state.calls[here];
  frame.failed = !flow && target.array != nullptr;
  if (!flow) return;
  if (target.dtype && !flow->is_copy) {
    ArrayInfo& info = context_.scope.store.arrays[flow->target];
    info.dtype = *target.dtype;
    widen_intermediates(flow->value, info.dtype);
    info.declared = true;
    info.form = flow->layout ? target.hint.declared : nullptr;
  }
  frame.result = flow->target;
  plan_flow(*flow, target.text.empty() ? result_text(value, target) : target.text, context_);
}

void run(const ast::Return& node, const ast::Statement& statement, RunContext& context) {
  Functions(context).run_return(node, statement.at.span);
}

}  // namespace shard
