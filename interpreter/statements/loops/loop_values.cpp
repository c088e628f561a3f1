#include "interpreter/statements/loops/loop_values.h"

#include <fmt/format.h>

#include <utility>

namespace shard {

namespace {

// What `solve` may have found: a question, or a name for several numbers.
bool may_be_several(const ast::Expr& expr, const Scope& scope) {
  if (std::holds_alternative<ast::Question>(expr.node)) return true;
  const auto* ref = std::get_if<ast::ArrayRef>(&expr.node);
  if (ref == nullptr || !ref->name || ref->bracketed) return false;
  const BindingInfo* binding = scope.find_binding(ref->name->text);
  return binding != nullptr && std::holds_alternative<List>(binding->value);
}

ast::Alternative pass_of(const Quantity& quantity, const ast::Location& at) {
  const Rational number = quantity.value.constant().value_or(Rational(0));
  return {ast::Expr{ast::Number{number, quantity.unit, to_text(quantity), at}, at}, false, at};
}

void report_values(const ast::Expr& expr, const Value& value, const std::string& variable,
                   RunContext& context) {
  const Span span = expr.at.span;
  const auto* name = std::get_if<ast::ArrayRef>(&expr.node);
  if (std::holds_alternative<Quantity>(value) && name != nullptr && name->name) {
    const Span begin{span.file, span.begin, span.begin};
    report(context.check, DiagnosticKind::NotNotation, span,
           fmt::format("a loop runs over numbers, `0..{}`, or over a list", name->name->text), {},
           {}, {{begin, "0.."}});
    return;
  }
  report(context.check, DiagnosticKind::BadArgument, span,
         fmt::format("a loop runs over a list or a range, and this is {}", to_text(value)),
         {fmt::format("for {} in 0..8 {{ … }}", variable),
          fmt::format("for {} in [1Ki, 4Ki] {{ … }}", variable)});
}

std::vector<ast::Alternative> passes_of_item(const ast::Alternative& item,
                                             const std::string& variable, RunContext& context) {
  const auto* expr = std::get_if<ast::Expr>(&item.value);
  if (expr == nullptr || (!item.spread && !may_be_several(*expr, context.scope))) return {item};
  const auto value = value_of(*expr, context);
  if (!value) return {};
  if (const auto* word = std::get_if<Word>(&*value); word != nullptr && word->text == kHoldsNever)
    return {};
  std::vector<ast::Alternative> passes;
  const auto* list = std::get_if<List>(&*value);
  if (list != nullptr) {
    for (const Quantity& quantity : list->values) passes.push_back(pass_of(quantity, item.at));
    return passes;
  }
  const auto* quantity = std::get_if<Quantity>(&*value);
  if (quantity != nullptr && quantity->remark && quantity->value.constant())
    return {pass_of(*quantity, item.at)};
  report_values(*expr, *value, variable, context);
  return {};
}

}  // namespace

std::vector<ast::Alternative> passes_of(const std::vector<ast::Alternative>& items,
                                        const std::string& variable, RunContext& context) {
  std::vector<ast::Alternative> passes;
  for (const ast::Alternative& item : items) {
    for (ast::Alternative& pass : passes_of_item(item, variable, context))
      passes.push_back(std::move(pass));
  }
  return passes;
}

void run_pass(const std::vector<ast::Statement>& body, const std::string& name,
              DiagnosticSink& sink, RunContext& context) {
  auto& entries = context.state.entries;
  const std::size_t begin = entries.size();
  run_apart(body, sink, context);
  for (std::size_t i = begin; i < entries.size(); ++i) {
    auto* plot = std::get_if<Box<PlotEntry>>(&entries[i]);
    if (plot == nullptr) continue;
    auto& remarks = (*plot)->curves.remarks;
    remarks.insert(remarks.begin(), name);
  }
}

}  // namespace shard
