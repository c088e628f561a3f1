#include "interpreter/statements/bindings.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/contains.h"
#include "base/format.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "grammar/tree/walk_expression.h"
#include "interpreter/check/array.h"
#include "interpreter/check/flow.h"
#include "interpreter/check/input_source.h"
#include "interpreter/check/selection/places.h"
#include "interpreter/statements/flow.h"
#include "interpreter/statements/functions/call.h"
#include "interpreter/statements/statement.h"
#include "interpreter/suggest/line_variants.h"

namespace shard {

namespace {

// A size that is bound after arrays were planned with it does not reach them.
bool is_used_by_arrays(const Scope& scope, const std::string& name) {
  const auto dimension = scope.names.find_dimension(name);
  if (!dimension) return false;
  // A dimension without a size that renamed another has the length of that one.
  std::vector<DimensionId> alike = {*dimension};
  while (scope.store.dimensions[alike.back()].same_as.valid())
    alike.push_back(scope.store.dimensions[alike.back()].same_as);
  for (const auto& [key, id] : scope.names.array_names) {
    if (!scope.held.is_planned(id)) continue;
    const std::vector<DimensionId>& own = scope.store.arrays[id].dimensions;
    if (std::any_of(own.begin(), own.end(), [&](DimensionId one) { return contains(alike, one); }))
      return true;
  }
  return false;
}

// The length that a dimension without a size of its own has by now, as it renamed one that has a size.
std::optional<Rational> length_by_renaming(const Scope& scope, const std::string& name) {
  const auto dimension = scope.names.find_dimension(name);
  const bool renames = dimension && scope.find_binding(name) == nullptr &&
                       scope.store.dimensions[*dimension].same_as.valid();
  return renames ? scope.length_of(*dimension) : std::nullopt;
}

// Whether a value with names that mean nothing was to be an array: what it is given to is declared as one.
bool is_for_array(const ast::Binding& binding, const Scope& scope) {
  const auto array = scope.names.find_declared(binding.name.text);
  return array && scope.store.arrays[*array].form != nullptr &&
         scope.find_binding(binding.name.text) == nullptr && names_unknown(*binding.value, scope);
}

void run_call_binding(const ast::Binding& binding, const ast::ArrayRef& target,
                      const ast::Statement& statement, RunContext& context) {
  ScalarBinder binder(context);
  if (binder.accumulates(binding)) return;
  Functions calls(context);
  if (const ast::Call* call = as_function_call(*binding.value, context.scope)) {
    auto value =
        calls.assign(*call, target, binding.value->at.span, print(statement, Spelling::Unicode));
    if (value) binder.bind(binding.name, std::move(*value));
    return;
  }
  const auto value = calls.expand(*binding.value);
  if (value && is_array_expression(*value, context.scope)) {
    plan_flow(check_flow(*value, target, statement.at.span, context.check), statement, context);
  } else {
    binder.bind_value(binding, value ? value_of(*value, context) : std::nullopt);
  }
  calls.forget_results();
}

// `D = max_D(x)`: `sqrt(D)` goes on to be that of the size.
void warn_beside_number(const ast::Identifier& name, RunContext& context) {
  const Scope& scope = context.scope;
  const auto dimension = scope.names.find_dimension(name.text);
  if (!scope.names.find_array(name.text) || scope.names.hides_outer_scalar(name.text) ||
      (!dimension && scope.find_binding(name.text) == nullptr))
    return;
  report(context.check, DiagnosticKind::NumberBesideArray, name.at.span,
         fmt::format("`{}` is a {} as well, and means that where a number can stand", name.text,
                     dimension ? "dimension" : "number"),
         {"another name for the array keeps the two apart"});
}

// `statement`: which gives this value and no other, for a report shows it as the text of what it plans.
void run_binding(const ast::Binding& binding, const ast::Statement& statement,
                 RunContext& context) {
  ScalarBinder binder(context);
  const ast::ArrayRef target{.name = binding.name, .at = binding.name.at};
  const bool is_new = !context.scope.names.find_array(binding.name.text);
  if (is_input_source(*binding.value, context.scope)) {
    fill(*binding.value, target, statement.at.span, context);
  } else if (calls_function(*binding.value, context.scope)) {
    run_call_binding(binding, target, statement, context);
  } else if (is_array_expression(*binding.value, context.scope) ||
             is_for_array(binding, context.scope)) {
    plan_flow(check_flow(*binding.value, target, statement.at.span, context.check), statement,
              context);
  } else if (!binder.accumulates(binding)) {
    binder.bind_value(binding, value_of(*binding.value, context));
  }
  if (is_new) warn_beside_number(binding.name, context);
}

}  // namespace

void ScalarBinder::bind_value(const ast::Binding& binding, std::optional<Value> value) {
  if ((!value || !bind(binding.name, std::move(*value))) &&
      scope_.find_binding(binding.name.text) == nullptr) {
    scope_.told.unknown.insert(name_key(binding.name.text));
  }
}

bool ScalarBinder::accumulates(const ast::Binding& binding) {
  const BindingInfo* earlier = scope_.find_binding(binding.name.text);
  if (scope_.names.loops == 0 || earlier == nullptr || earlier->depth >= scope_.names.depth)
    return false;
  if (scope_.names.hides_outer_scalar(binding.name.text) ||
      !mentions(*binding.value, binding.name.text))
    return false;
  fail(DiagnosticKind::SizeRebound, binding.name.at.span,
       fmt::format("`{}` is bound outside of the loop, and names do not change from pass to pass",
                   binding.name.text),
       {"where each pass adds the same, that is multiplied by the number of passes"},
       {{earlier->span, fmt::format("it is {} from here on", to_text(earlier->value))}});
  return true;
}

bool ScalarBinder::bind(const ast::Identifier& name, Value value) {
  if (!check_name_length(name, context_) || !check_reserved(name)) return false;
  if (scope_.names.find_dimension(name.text) && !check_length(name, value)) return false;
  if (!may_bind(name, value)) return false;
  if (std::holds_alternative<Quantity>(value)) scope_.names.hide_outer_array(name.text);
  warn_beside_array(name, value);
  scope_.told.unknown.erase(name_key(name.text));
  if (has_own_sizes()) bind_own_length(name, value);
  scope_.names.bindings[name_key(name.text)] = {.name = name.text,
                                                .value = std::move(value),
                                                .span = name.at.span,
                                                .depth = scope_.names.depth};
  return true;
}

bool ScalarBinder::check_reserved(const ast::Identifier& name) {
  if (name.text != "LOCAL") return true;
  fail(DiagnosticKind::Redeclared, name.at.span,
       "`LOCAL` is a word of the language: it stands after a product's sign",
       {"give it another name"});
  return false;
}

// What stands in brackets as a dimension is meant as a length, however many arrays are called so: `B` is a batch.
void ScalarBinder::warn_beside_array(const ast::Identifier& name, const Value& value) {
  const auto array = scope_.names.find_array(name.text);
  if (!array || scope_.store.arrays[*array].anonymous || !std::holds_alternative<Quantity>(value) ||
      scope_.names.find_dimension(name.text) || scope_.find_binding(name.text) != nullptr)
    return;
  report(context_, DiagnosticKind::NumberBesideArray, name.at.span,
         fmt::format("`{}` is an array, and stays as it is beside this number", name.text),
         {fmt::format("{} = {} fills the array",
                      scope_.describe(*array, newest_layout(*array, scope_)), to_text(value)),
          "another name for the number keeps the two apart"});
}

bool ScalarBinder::has_own_sizes() const {
  return scope_.names.outside != nullptr || (scope_.names.depth > 0 && !scope_.supposition);
}

void ScalarBinder::bind_own_length(const ast::Identifier& name, const Value& value) {
  // In a function, small letters that are no dimension may be an index, and become one where they stand in brackets as such.
  if (scope_.names.outside != nullptr && !is_size_like(name.text) &&
      !scope_.names.find_dimension(name.text))
    return;
  if (const auto length = whole_length(value)) scope_.intern_own_length(name.text, *length);
}

bool ScalarBinder::check_length(const ast::Identifier& name, const Value& value) {
  const auto* quantity = std::get_if<Quantity>(&value);
  if (quantity == nullptr || is_length(*quantity)) return true;
  // `2080` of 2080.45 looks like a length.
  const auto number = quantity->value.constant();
  const bool fraction = number && quantity->unit.is_plain() && !number->to_int64();
  const std::string text = fraction ? fmt::format("{:.10g}", number->to_double()) : to_text(value);
  fail(DiagnosticKind::BadArgument, name.at.span,
       fmt::format("`{}` is a dimension, and {} is no length: {}", name.text, text, kLengthRule));
  return false;
}

// In a function a dimension of the script alone, which lacks a size there: the function's own may have another.
bool ScalarBinder::is_of_outside(const std::string& name) const {
  const auto& outside = scope_.names.outside;
  const auto known = scope_.names.find_dimension(name);
  if (!outside || !known) return false;
  const auto outer = outside->dimension_names.find(name_key(name));
  return outer != outside->dimension_names.end() && outer->second == *known;
}

bool ScalarBinder::may_bind(const ast::Identifier& name, const Value& value) {
  const BindingInfo* earlier = scope_.find_binding(name.text);
  if (earlier != nullptr && is_same_value(earlier->value, value)) return true;
  if (earlier != nullptr && earlier->depth < scope_.names.depth && has_own_sizes()) return true;
  if (earlier == nullptr && is_of_outside(name.text)) return true;
  const auto renamed = length_by_renaming(scope_, name.text);
  if (renamed && is_same_value(Quantity{Formula(*renamed), kPlain}, value)) return true;
  const bool used = is_used_by_arrays(scope_, name.text);
  if (options_.interactive) {
    if (used || earlier != nullptr) change_size(name);
    return true;
  }
  if (!used && (earlier == nullptr || earlier->depth != scope_.names.depth)) return true;
  std::vector<Note> notes;
  std::vector<Edit> edits;
  std::string help =
      "give sizes once, before the first statement that uses them; cost { … } takes another size "
      "inside its block";
  std::string message = fmt::format("the size of `{}` comes after arrays that use it", name.text);
  if (renamed) {
    const DimensionId other =
        scope_.store.dimensions[*scope_.names.find_dimension(name.text)].same_as;
    message = fmt::format("`{}` is {} long already: it stands in the place of `{}`", name.text,
                          format_integer(renamed->to_int64().value_or(0)),
                          scope_.store.dimensions[other].name);
    help = fmt::format("if `{}` is meant, write that there, and leave this line out",
                       scope_.store.dimensions[other].name);
  }
  if (earlier != nullptr) {
    message = fmt::format("`{}` is bound twice", name.text);
    notes.push_back({earlier->span, fmt::format("it is {} from here on", to_text(earlier->value))});
    const std::string other = free_name(name.text, scope_);
    edits.push_back({name.at.span, other});
    const auto* quantity = std::get_if<Quantity>(&value);
    help =
        quantity != nullptr && is_length(*quantity)
            ? fmt::format(
                  "`{}` then stands in the brackets of what is so long; cost {{ … }} "
                  "takes another size inside its block",
                  other)
            : fmt::format("a name keeps its value: what follows says `{}` for the new one", other);
  }
  report(context_, DiagnosticKind::SizeRebound, name.at.span, std::move(message), {std::move(help)},
         std::move(notes), std::move(edits));
  return false;
}

void ScalarBinder::change_size(const ast::Identifier& name) {
  const auto dimension = scope_.names.find_dimension(name.text);
  if (!dimension) return;
  const auto length = scope_.size_of(*dimension).constant();
  const std::set<ArrayId> users = users_of(*dimension);
  const std::vector<std::string> dropped = drop_computed(users, name.at.span);
  DimensionId now = *dimension;
  if (length) {
    // What was planned keeps the size that it was planned with.
    scope_.store.dimensions[*dimension].own_length = length->to_int64();
    scope_.names.dimension_names.erase(name_key(name.text));
    now = scope_.intern_dimension(name.text);
  }
  const auto names_before = scope_.names.array_names;
  for (const auto& [key, array] : names_before) {
    if (users.count(array) != 0) scope_.names.array_names[key] = renewed(array, *dimension, now);
  }
  if (dropped.empty()) return;
  const std::string what =
      fmt::format("{} {} dropped", join_words(dropped), dropped.size() == 1 ? "is" : "are");
  fail(DiagnosticKind::ArraysDropped, name.at.span,
       length ? fmt::format("the size of `{}` changes, so {}", name.text, what)
              : fmt::format("`{}` had no size so far: {}, as planned without it", name.text, what));
}

std::vector<std::string> ScalarBinder::drop_computed(const std::set<ArrayId>& users, Span span) {
  std::vector<std::string> dropped;
  erase_if(scope_.names.array_names, [&](const auto& entry) {
    const ArrayInfo& array = scope_.store.arrays[entry.second];
    const bool has_contents = array.values && array.values->kind == InputKind::Given;
    if (users.count(entry.second) == 0) return false;
    if (!array.computed && !has_contents && drop_made_copies(entry.second, dropped)) return false;
    scope_.names.dropped[entry.first] = {.span = span, .by_size = true};
    dropped.push_back("`" + array.name + "`");
    return true;
  });
  return dropped;
}

bool ScalarBinder::drop_made_copies(ArrayId input, std::vector<std::string>& dropped) {
  LiveCopies& copies = scope_.held.change(input);
  const auto is_made = [](const LiveCopy& copy) { return copy.made; };
  if (std::all_of(copies.begin(), copies.end(), is_made)) return false;
  for (const LiveCopy& copy : copies) {
    if (copy.made && !copy.inferred)
      dropped.push_back("`" + scope_.describe(input, copy.layout) + "`");
  }
  std::erase_if(copies, is_made);
  return true;
}

ArrayId ScalarBinder::renewed(ArrayId input, DimensionId before, DimensionId now) {
  ArrayInfo array = scope_.store.arrays[input];
  std::replace(array.dimensions.edit().begin(), array.dimensions.edit().end(), before, now);
  const ArrayId id = scope_.store.arrays.add(std::move(array));
  LiveCopies copies = scope_.held.of(input);
  scope_.held.change(id) = std::move(copies);
  scope_.held.end_plan(id);
  return id;
}

std::set<ArrayId> ScalarBinder::users_of(DimensionId dimension) const {
  std::set<ArrayId> users;
  // A dimension of unknown length may have been renamed.
  const auto is_the_same = [&](DimensionId label) {
    while (!(label == dimension) && scope_.store.dimensions[label].same_as.valid())
      label = scope_.store.dimensions[label].same_as;
    return label == dimension;
  };
  const auto has = [&](const std::vector<DimensionId>& labels) {
    return std::any_of(labels.begin(), labels.end(), is_the_same);
  };
  for (const auto& [key, id] : scope_.names.array_names) {
    if (has(scope_.store.arrays[id].dimensions)) users.insert(id);
  }
  using Flow = checked::FlowOfStatement;
  const std::function<bool(const checked::Operation&, const Flow&)> uses =
      [&](const checked::Operation& operation, const Flow& flow) {
        const auto* use = std::get_if<checked::Use>(&operation.node);
        if (has(operation.labels) || (use != nullptr && users.count(flow.array(use->array)) != 0))
          return true;
        const auto operands = checked::operands_of(operation);
        return std::any_of(operands.begin(), operands.end(),
                           [&](const auto* operand) { return uses(*operand, flow); });
      };
  for (const Program& program : state_.programs) {
    for (const StatementRecord& statement : program.statements) {
      const checked::Flow& form = *statement.flow.form();
      if (has(form.labels) || uses(form.value, statement.flow)) users.insert(statement.target);
    }
  }
  return users;
}

void ScalarBinder::fail(DiagnosticKind kind, Span span, std::string message,
                        std::vector<std::string> help, std::vector<Note> notes) {
  report(context_, kind, span, std::move(message), std::move(help), std::move(notes));
}

void run(const ast::Bindings& bindings, const ast::Statement& statement, RunContext& context) {
  if (bindings.items.size() == 1) return run_binding(bindings.items.front(), statement, context);
  for (const ast::Binding& binding : bindings.items) {
    const Span span = cover(binding.name.at.span, binding.value->at.span);
    run_binding(binding, {.node = ast::Bindings{.items = {binding}}, .at = {span}}, context);
  }
}

}  // namespace shard
