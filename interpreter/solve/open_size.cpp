#include "interpreter/solve/open_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/contains.h"
#include "grammar/tree/names.h"
#include "grammar/tree/walk_expression.h"
#include "interpreter/estimate/figures.h"
#include "interpreter/planning/search/weight.h"

namespace shard {

namespace {

// Axes of a block without a mesh that have a value outside of it, `Y = 4`.
void put_axes(Quantity& quantity, const Scope& scope) {
  Values values;
  for (const std::string& symbol : quantity.value.symbols()) {
    const BindingInfo* binding = scope.find_axis(symbol) ? scope.find_binding(symbol) : nullptr;
    const auto* known = binding == nullptr ? nullptr : std::get_if<Quantity>(&binding->value);
    const auto number = known == nullptr ? std::nullopt : known->value.constant();
    if (number && known->unit.is_plain()) values.emplace(symbol, *number);
  }
  if (!values.empty()) quantity.value = quantity.value.substitute(values);
}

std::optional<Quantity> one_side(const ast::Expr& expr, EvaluationContext& context) {
  auto value = evaluate_quantity(expr, context);
  if (value && prices(expr)) put_axes(*value, context.check.scope);
  return value;
}

std::optional<Sides> both(const ast::Expr& left, const ast::Expr* right,
                          EvaluationContext& context) {
  const auto one = one_side(left, context);
  if (!one) return std::nullopt;
  if (right == nullptr) return Sides{*one, {Formula(0), one->unit}};
  const auto other = one_side(*right, context);
  if (!other) return std::nullopt;
  return Sides{*one, *other};
}

const BindingInfo* newest_block(const Scope& scope) {
  const BindingInfo* newest = nullptr;
  const auto place = [](const BindingInfo& info) {
    return std::pair(info.span.file.value, info.span.begin);
  };
  for (const auto& [key, binding] : scope.names.bindings) {
    if (!std::holds_alternative<Supposition>(binding.value)) continue;
    if (newest == nullptr || place(*newest) < place(binding)) newest = &binding;
  }
  return newest;
}

bool names_times(const ast::Expr& expr) {
  return any_inside(expr, [](const ast::Expr& inner) {
    const auto* name = std::get_if<ast::ArrayRef>(&inner.node);
    return name != nullptr && name->name && name->name->text.starts_with("T_");
  });
}

void put_figures(ast::Expr& expr, const BindingInfo& block, const Scope& scope) {
  const auto* name = std::get_if<ast::ArrayRef>(&expr.node);
  if (name != nullptr && name->name && !name->bracketed) {
    const std::string word = name->name->text;
    const bool is_time = word.starts_with("T_") && is_quantity(word.substr(2));
    const bool is_name = scope.find_binding(word) != nullptr ||
                         scope.names.find_dimension(word).has_value() ||
                         scope.names.find_array(word).has_value();
    if (!is_time || is_name) return;
    const ast::Location at = name->at;
    ast::Expr object{ast::ArrayRef{.name = ast::Identifier{block.name, at}, .at = at}, at};
    expr.node = ast::Member{std::move(object), {word.substr(2), at}, {}};
    return;
  }
  for_each_operand(expr, [&](ast::Expr& operand) { put_figures(operand, block, scope); });
}

// This time of the block instead of figures that take numbers.
void put_time(ast::Expr& expr, const std::string& time, EvaluationContext& context) {
  if (auto* member = std::get_if<ast::Member>(&expr.node)) {
    if (is_quantity(member->field.text) && !evaluate_quantity(expr, context))
      member->field.text = time;
    return;
  }
  for_each_operand(expr, [&](ast::Expr& operand) { put_time(operand, time, context); });
}

}  // namespace

AskedTables::AskedTables(Scope& scope) : scope_(scope), before_(scope) { scope_.asks = true; }

void AskedTables::name_totals(const StatementHost& host) {
  const auto totals = newest_block(scope_) == nullptr ? host.totals() : nullptr;
  if (totals == nullptr) return;
  for (const BlockFigure& known : block_figures()) {
    const auto quantity = figure(*totals, std::string(known.name));
    const std::string name = "T_" + std::string(known.name);
    if (!quantity || quantity->unit != kSeconds || scope_.find_binding(name) != nullptr) continue;
    scope_.names.bindings.insert_or_assign(
        name_key(name),
        BindingInfo{.name = name, .value = *quantity, .span = {}, .depth = scope_.names.depth});
  }
}

AskedTables::~AskedTables() {
  Told told = std::move(scope_.told);
  const bool keeps = keeps_mistakes_;
  scope_ = std::move(before_);
  if (keeps) scope_.told = std::move(told);
}

void AskedTables::ask(const std::string& key) {
  scope_.asked.insert(key);
  scope_.open_asked_lengths();
}

void AskedTables::open(const std::string& name) {
  const std::string key = name_key(name);
  ask(key);
  scope_.names.bindings.erase(key);
  // What is neither a dimension nor an axis stands for itself.
  if (!scope_.names.find_dimension(name) && !scope_.find_axis(name)) {
    scope_.names.bindings.insert_or_assign(
        key, BindingInfo{.name = name,
                         .value = Quantity{Formula::symbol(name), kPlain},
                         .span = {},
                         .depth = scope_.names.depth});
  }
  if (scope_.names.outside == nullptr || !scope_.names.outside->bindings.contains(key)) return;
  OuterNames outside = *scope_.names.outside;
  outside.bindings.erase(key);
  scope_.names.outside = std::make_shared<const OuterNames>(std::move(outside));
}

// What a cost block came to at another number does not hold here: blocks remember what was asked.
void AskedTables::tell_trial(const std::string& symbol, double number) {
  scope_.asked.insert(fmt::format("{} = {}", symbol, number));
}

void AskedTables::give(const std::string& name, const Rational& value) {
  const std::string key = name_key(name);
  ask(key);
  BindingInfo binding{.name = name,
                      .value = Quantity{Formula(value), kPlain},
                      .span = {},
                      .depth = scope_.names.depth};
  if (scope_.names.outside != nullptr) {
    OuterNames outside = *scope_.names.outside;
    outside.bindings.insert_or_assign(key, binding);
    scope_.names.outside = std::make_shared<const OuterNames>(std::move(outside));
  }
  scope_.names.bindings.insert_or_assign(key, std::move(binding));
}

namespace {

// The tables as a question has them for one trial, which leaves nothing, and whose reports nobody sees.
struct Trial {
  Trial(const ast::Expr& left, const ast::Expr* right, EvaluationContext& outside)
      : tables(outside.check.scope),
        check{outside.check.scope, unseen, outside.check.scalars},
        context{check, outside.host} {
    if (names_times(left) || (right != nullptr && names_times(*right)))
      tables.name_totals(outside.host);
    tables.forget_mistakes();
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  AskedTables tables;
  DiagnosticSink unseen;
  CheckContext check;
  EvaluationContext context;
};

}  // namespace

AskedSize asked_size(const ast::Identifier& name, const Scope& scope) {
  const auto dimension = scope.names.find_dimension(name.text);
  return {name, dimension ? scope.symbol_of(*dimension) : name.text};
}

std::optional<Sides> open_sides(const ast::Expr& left, const ast::Expr* right,
                                const std::vector<std::string>& open, EvaluationContext& context,
                                bool* undecided) {
  AskedTables tables(context.check.scope);
  if (names_times(left) || (right != nullptr && names_times(*right)))
    tables.name_totals(context.host);
  for (const std::string& name : open) tables.open(name);
  if (undecided == nullptr) return both(left, right, context);
  DiagnosticSink sink;
  CheckContext check{context.check.scope, sink, context.check.scalars};
  EvaluationContext inner{check, context.host};
  auto sides = both(left, right, inner);
  const auto& told = sink.all();
  *undecided = !sides && sink.has_errors() &&
               std::all_of(told.begin(), told.end(), [](const Diagnostic& diagnostic) {
                 return info(diagnostic.kind).severity != Severity::Error ||
                        diagnostic.kind == DiagnosticKind::Undecidable;
               });
  if (*undecided) return std::nullopt;
  for (const Diagnostic& diagnostic : told) context.check.sink.report(diagnostic);
  return sides;
}

std::optional<Sides> sides_at(const ast::Expr& left, const ast::Expr* right,
                              const std::string& size, const Rational& number,
                              EvaluationContext& context) {
  Trial trial(left, right, context);
  trial.tables.give(size, number);
  // An axis without a mesh is a symbol of formulas: only their plan can be that of the number.
  std::optional<planning::TrialSizes> weighed;
  if (!context.check.scope.names.find_dimension(size)) {
    trial.tables.tell_trial(size, number.to_double());
    weighed.emplace(planning::TrialSizes::Numbers{{size, number.to_double()}});
  }
  const auto sides = both(left, right, trial.context);
  if (!sides || trial.unseen.has_errors()) return std::nullopt;
  const auto known = [](const Quantity& quantity) {
    const auto value = quantity.value.constant();
    return value && !value->is_overflow();
  };
  return known(sides->left) && known(sides->right) ? sides : std::nullopt;
}

std::optional<Sides> sides_planned_at(const ast::Expr& left, const ast::Expr* right,
                                      const std::vector<std::string>& open,
                                      const std::map<std::string, double, std::less<>>& numbers,
                                      EvaluationContext& context) {
  Trial trial(left, right, context);
  for (const std::string& name : open) trial.tables.open(name);
  for (const auto& [symbol, number] : numbers) trial.tables.tell_trial(symbol, number);
  const planning::TrialSizes weighed(numbers);
  auto sides = both(left, right, trial.context);
  if (trial.unseen.has_errors()) return std::nullopt;
  return sides;
}

std::vector<std::string> open_symbols(const ast::Expr& left, const ast::Expr& right,
                                      EvaluationContext& context) {
  Trial trial(left, &right, context);
  std::set<std::string> symbols;
  for (const char* const time : {"math", "hbm", "comms"}) {
    for (const ast::Expr* side : {&left, &right}) {
      ast::Expr asked = *side;
      put_time(asked, time, trial.context);
      const auto value = one_side(asked, trial.context);
      if (!value) continue;
      for (std::string& symbol : value->value.symbols()) symbols.insert(std::move(symbol));
    }
  }
  return {symbols.begin(), symbols.end()};
}

namespace {

// This figure of each block, apart from what is asked of it.
void gather_figures(const ast::Expr& expr, const std::string& figure,
                    std::vector<ast::Expr>& found) {
  if (const auto* member = std::get_if<ast::Member>(&expr.node)) {
    if (is_quantity(member->field.text))
      found.push_back({ast::Member{member->object, {figure, member->field.at}, {}}, expr.at});
  } else if (std::holds_alternative<ast::BlockExpr>(expr.node)) {
    ast::Expr block = expr;
    std::get<ast::BlockExpr>(block.node).kind = ast::BlockKind::Cost;
    found.push_back({ast::Member{std::move(block), {figure, expr.at}, {}}, expr.at});
  } else {
    for_each_operand(expr,
                     [&](const ast::Expr& operand) { gather_figures(operand, figure, found); });
  }
}

}  // namespace

std::vector<std::string> sizes_of_blocks(const ast::Expr& left, const ast::Expr& right,
                                         EvaluationContext& context) {
  // What is read from memory has every size that is computed with, and what is moved those that are not.
  std::vector<ast::Expr> figures;
  for (const char* const figure : {"hbm_bytes", "comm_bytes"}) {
    gather_figures(left, figure, figures);
    gather_figures(right, figure, figures);
  }
  Trial trial(left, &right, context);
  std::set<std::string> symbols;
  for (const ast::Expr& figure : figures) {
    const auto value = one_side(figure, trial.context);
    if (!value) continue;
    for (std::string& symbol : value->value.symbols()) symbols.insert(std::move(symbol));
  }
  return {symbols.begin(), symbols.end()};
}

bool prices(const ast::Expr& expr) {
  return any_inside(expr, [](const ast::Expr& inner) {
    const auto* call = std::get_if<ast::Call>(&inner.node);
    // Of an array that is cut, its bytes on a device.
    return std::holds_alternative<ast::Member>(inner.node) ||
           std::holds_alternative<ast::BlockExpr>(inner.node) ||
           (call != nullptr && call->function.text == "bytes");
  });
}

std::optional<std::int64_t> step_of(const ast::Expr& left, const ast::Expr* right,
                                    const std::string& size, EvaluationContext& context) {
  // No number of devices has this factor: only the divisor that is tried divides the product.
  constexpr std::int64_t kPrime = 1'048'583;
  const std::int64_t devices = context.check.scope.mesh().device_count().value_or(1);
  for (std::int64_t divisor = 1; divisor <= devices; ++divisor) {
    if (devices % divisor != 0) continue;
    if (sides_at(left, right, size, Rational(divisor * kPrime), context)) return divisor;
  }
  return std::nullopt;
}

ast::Expr with_figures(const ast::Expr& expr, const Scope& scope) {
  const BindingInfo* block = newest_block(scope);
  ast::Expr result = expr;
  if (block != nullptr) put_figures(result, *block, scope);
  return result;
}

}  // namespace shard
