#include "interpreter/statements/functions/bind_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "grammar/tree/statement_parts.h"
#include "grammar/tree/walk_expression.h"
#include "interpreter/check/flow.h"
#include "interpreter/check/selection/places.h"
#include "interpreter/ir/frames.h"
#include "interpreter/statements/flow.h"
#include "interpreter/statements/use.h"

namespace shard {

ArgumentBinder::ArgumentBinder(std::shared_ptr<const ast::Function> function, const ast::Call& call,
                               Span span, RunContext& context)
    : known_(std::move(function)),
      function_(*known_),
      call_(call),
      span_(span),
      run_(context),
      context_(context.check),
      scope_(context.scope) {
  for (const auto* subscript : subscripts_of(function_)) {
    for (const ast::Identifier& name : *subscript) {
      if (names_all_axes(name.text)) lists_.insert(std::string(without_all_axes(name.text)));
    }
  }
}

bool ArgumentBinder::evaluate(const std::vector<ast::Expr>& expanded) {
  for (std::size_t i = 0; i < expanded.size(); ++i) {
    auto passed = function_.parameters[i].bracketed ? array_argument(expanded[i], i)
                                                    : scalar_argument(expanded[i], i);
    if (!passed) return false;
    passed_.push_back(std::move(*passed));
  }
  return true;
}

bool ArgumentBinder::bind() {
  for (std::size_t i = 0; i < passed_.size(); ++i) {
    const auto* array = std::get_if<PassedArray>(&passed_[i]);
    if (array != nullptr && !match_pattern(i, *array)) return false;
  }
  if (!match_waiting()) return false;
  for (std::size_t i = 0; i < passed_.size(); ++i) {
    const ast::Identifier& name = *function_.parameters[i].name;
    const std::string key = name_key(name.text);
    scope_.told.unknown.erase(key);
    scope_.names.dropped.erase(key);
    if (const auto* value = std::get_if<Value>(&passed_[i])) {
      scope_.names.array_names.erase(key);
      scope_.names.bindings[key] = {
          .name = name.text, .value = *value, .span = name.at.span, .depth = scope_.names.depth};
      // Not that of the script, which may have a dimension of the name.
      const auto length = whole_length(*value);
      if (length && scope_.names.find_dimension(name.text) && !is_dimension_of_pattern(name.text))
        scope_.intern_own_length(name.text, *length);
    } else {
      scope_.names.array_names[key] = bind_array(i, std::get<PassedArray>(passed_[i]));
    }
  }
  return true;
}

bool ArgumentBinder::is_dimension_of_pattern(const std::string& name) const {
  return std::any_of(
      function_.parameters.begin(), function_.parameters.end(), [&](const auto& parameter) {
        return std::any_of(parameter.dimensions.begin(), parameter.dimensions.end(),
                           [&](const ast::Dimension& dimension) {
                             const auto* own = std::get_if<ast::Identifier>(&dimension.name);
                             return own != nullptr && name_key(own->text) == name_key(name);
                           });
      });
}

bool ArgumentBinder::check_count() {
  const std::size_t wanted = function_.parameters.size();
  const std::size_t given = call_.arguments.size();
  if (wanted == given) return true;
  const std::string message =
      fmt::format("`{}` takes {} argument{}, and {} {} written", function_.name.text, wanted,
                  wanted == 1 ? "" : "s", given, given == 1 ? "is" : "are");
  std::vector<std::string> names;
  for (const ast::ArrayRef& parameter : function_.parameters) {
    if (parameter.name) names.push_back(print(parameter, Spelling::Unicode));
  }
  const bool too_few = given < wanted && names.size() == wanted;
  if (!too_few)
    return fail(span_, message, function_.name.at.span, "the function is here",
                {fmt::format("it is called as {}({})", function_.name.text, join(names, ", "))});
  // The call as it is written, with the parameters that are left.
  std::vector<std::string> missing;
  for (std::size_t i = given; i < wanted; ++i) missing.push_back("`" + names[i] + "`");
  for (std::size_t i = 0; i < given; ++i)
    names[i] = one_line(print(*call_.arguments[i], Spelling::Unicode));
  return fail(span_,
              fmt::format("{}: {} {} missing", message, join_words(missing),
                          missing.size() == 1 ? "is" : "are"),
              function_.name.at.span, "the function is here", {},
              {{span_, fmt::format("{}({})", function_.name.text, join(names, ", "))}});
}

bool ArgumentBinder::fail(Span span, std::string message, Span place, std::string note,
                          std::vector<std::string> help, std::vector<Edit> edits) {
  report(context_, DiagnosticKind::ArgumentMismatch, span, std::move(message), std::move(help),
         {{place, std::move(note)}}, std::move(edits));
  return false;
}

Span ArgumentBinder::argument_span(std::size_t i) const { return call_.arguments[i]->at.span; }

std::string ArgumentBinder::argument_text(std::size_t i) const {
  return "`" + one_line(print(*call_.arguments[i], Spelling::Unicode)) + "`";
}

std::string ArgumentBinder::parameter_text(std::size_t i) const {
  return "`" + print(function_.parameters[i], Spelling::Unicode) + "`";
}

bool ArgumentBinder::is_array(const ast::Expr& expr) const {
  if (is_array_expression(expr, scope_)) return true;
  const auto* plain = std::get_if<ast::ArrayRef>(&expr.node);
  const bool known = plain != nullptr && plain->name && scope_.names.find_array(plain->name->text);
  return known || unknown_name(expr) != nullptr;
}

// A name that is no scalar's is an array's here.
const ast::ArrayRef* ArgumentBinder::unknown_name(const ast::Expr& expr) const {
  const ast::ArrayRef* found = nullptr;
  any_inside(expr, [&](const ast::Expr& inner) {
    const auto* array = std::get_if<ast::ArrayRef>(&inner.node);
    if (found != nullptr || array == nullptr || !array->name) return false;
    const std::string& name = array->name->text;
    const bool known = scope_.names.find_array(name) || scope_.find_binding(name) != nullptr ||
                       scope_.names.find_dimension(name) || scope_.find_axes(name) ||
                       name == "devices";
    if (!known) found = array;
    return !known;
  });
  return found;
}

std::optional<Passed> ArgumentBinder::array_argument(const ast::Expr& expr, std::size_t i) {
  if (!is_array(expr)) {
    fail(argument_span(i),
         fmt::format("{} is a scalar, and `{}` takes an array here", argument_text(i),
                     function_.name.text),
         function_.parameters[i].at.span, "the parameter has brackets");
    return std::nullopt;
  }
  const auto* plain = std::get_if<ast::ArrayRef>(&expr.node);
  if (plain == nullptr) return computed(expr, i);
  // `W[l, …]` is an element here, as in a calculation.
  if (const auto picked = picked_element(*plain, context_)) return computed(*picked, i);
  return changes_elements(*plain) ? computed(expr, i) : use_of(*plain);
}

std::optional<Passed> ArgumentBinder::use_of(const ast::ArrayRef& array) {
  const auto operation = check_use(array, context_);
  if (!operation) return std::nullopt;
  const auto& use = std::get<checked::Use>(operation->node);
  return PassedArray{use.array, operation->labels, use.layout};
}

std::optional<Passed> ArgumentBinder::computed(const ast::Expr& expr, std::size_t i) {
  if (!is_array_expression(expr, scope_)) {
    // Nothing but its unknown name makes it an array.
    if (const ast::ArrayRef* name = unknown_name(expr)) {
      check_use(*name, context_);
      return std::nullopt;
    }
  }
  ast::ArrayRef target{.name = function_.parameters[i].name, .at = expr.at};
  // The caller may have an array of that name, and the argument may be made of it, or be the first to name it.
  std::string& name = target.name->text;
  while (scope_.names.find_array(name) || names_array(expr, name)) name += "'";
  const auto flow = check_flow(expr, target, expr.at.span, context_);
  if (flow)
    plan_flow(*flow, target.name->text + " = " + one_line(print(expr, Spelling::Unicode)), run_);
  // Its array is passed on, and has no name where the call stands; inputs that it was the first to use stay the script's.
  scope_.names.array_names.erase(name_key(target.name->text));
  if (!flow) return std::nullopt;
  return PassedArray{flow->target, flow->labels, scope_.held.newest_written(flow->target)->layout};
}

std::optional<Passed> ArgumentBinder::scalar_argument(const ast::Expr& expr, std::size_t i) {
  if (is_array_expression(expr, scope_)) {
    fail(argument_span(i),
         fmt::format("{} is an array, and `{}` takes a scalar here", argument_text(i),
                     function_.name.text),
         function_.parameters[i].at.span, "the parameter has no brackets", {with_brackets()});
    return std::nullopt;
  }
  auto value = value_of(expr, run_);
  if (!value) return std::nullopt;
  return std::move(*value);
}

// The function with brackets after the parameters for which this call has arrays.
std::string ArgumentBinder::with_brackets() {
  ast::Function meant = function_;
  for (std::size_t i = 0; i < meant.parameters.size() && i < call_.arguments.size(); ++i) {
    const ast::Expr& argument = *call_.arguments[i];
    if (meant.parameters[i].bracketed || !is_array_expression(argument, scope_)) continue;
    DiagnosticSink unsaid;
    CheckContext aside{scope_, unsaid, scalar_source()};
    const auto operation = check_operation(argument, {}, aside);
    if (!operation)
      return fmt::format("a parameter for arrays is written with brackets: `{}[I, J]`",
                         meant.parameters[i].name->text);
    meant.parameters[i].bracketed = true;
    for (const std::string& name : scope_.store.names_of(operation->labels))
      meant.parameters[i].dimensions.push_back({.name = ast::Identifier{name, {}}});
  }
  std::vector<std::string> names;
  for (const ast::ArrayRef& parameter : meant.parameters)
    names.push_back(print(parameter, Spelling::Unicode));
  const std::string head = fmt::format("fn {}({})", meant.name.text, join(names, ", "));
  const std::string body = body_text();
  return body.empty() ? "write its head " + head : head + " " + body;
}

// The function's block as it is written, on one line; empty where it cannot stand on one, or nobody would read it there.
std::string ArgumentBinder::body_text() const {
  if (run_.options.modules == nullptr || function_.body.empty()) return "";
  const Span last = function_.body.back().at.span;
  const std::string_view text = run_.options.modules->sources().text(last.file);
  const std::size_t open = text.find('{', function_.parameters.back().at.span.end);
  const std::size_t close = text.find('}', last.end);
  constexpr std::size_t kLongest = 300;
  if (open == std::string_view::npos || close == std::string_view::npos || close < open ||
      close - open > kLongest)
    return "";
  std::string line = one_line(text.substr(open, close + 1 - open));
  return line.find('#') == std::string::npos ? line : "";
}

bool ArgumentBinder::match_pattern(std::size_t i, const PassedArray& whole) {
  const ast::ArrayRef& pattern = function_.parameters[i];
  const std::vector<ast::Dimension> named = named_dimensions(pattern);
  const bool is_open = named.size() < pattern.dimensions.size();
  if (whole.labels.size() < named.size() || (!is_open && whole.labels.size() > named.size())) {
    return fail(
        argument_span(i),
        fmt::format("{} has {} dimension{}, and the parameter {} has {}{}", argument_text(i),
                    whole.labels.size(), whole.labels.size() == 1 ? "" : "s", parameter_text(i),
                    named.size(), is_open ? " or more" : ""),
        pattern.at.span, "the parameter is here");
  }
  if (is_open && named.empty() && !match_whole(i, whole)) return false;
  labels_.resize(passed_.size());
  const std::size_t rest = whole.labels.size() - named.size();
  const auto opens = std::find_if(
      pattern.dimensions.begin(), pattern.dimensions.end(),
      [](const ast::Dimension& one) { return std::holds_alternative<ast::Rest>(one.name); });
  const auto first = opens - pattern.dimensions.begin();
  PassedArray passed = whole;
  passed.labels.erase(passed.labels.begin() + first,
                      passed.labels.begin() + first + std::ptrdiff_t(rest));
  const auto begin = static_cast<std::size_t>(first);
  for (std::size_t d = 0; d < whole.labels.size(); ++d) {
    if (d >= begin && d < begin + rest) {
      labels_[i].push_back(unnamed(whole.labels[d]));
      continue;
    }
    const std::size_t own = d < begin ? d : d - rest;
    if (!match_length(i, own, passed)) return false;
    if (!match_or_wait(i, named[own].axes, passed.layout.dims[d], AxisOrder::Written,
                       named[own].at.span))
      return false;
  }
  const bool other_parts = !pattern.unreduced.empty() && !passed.layout.unreduced.empty() &&
                           combination_of(pattern.parts) != passed.layout.combination;
  if (other_parts) {
    return fail(argument_span(i),
                fmt::format("{} holds {}, and the parameter {} takes {}", argument_text(i),
                            partial_name(passed.layout.combination), parameter_text(i),
                            partial_name(combination_of(pattern.parts))),
                pattern.at.span, "the parameter is here");
  }
  return match_or_wait(i, pattern.unreduced, passed.layout.unreduced, AxisOrder::Any,
                       pattern.at.span);
}

// `w[…]` and `g[…]` are alike: what one of them had beyond the other would be repeated along it, unseen.
bool ArgumentBinder::match_whole(std::size_t i, const PassedArray& whole) {
  if (!alike_) alike_ = {i, whole.labels};
  if (alike_->labels == whole.labels) return true;
  const std::size_t first = alike_->argument;
  return fail(argument_span(i),
              fmt::format("argument {}, {}, is not of the dimensions of argument {}, {}", i + 1,
                          argument_text(i), first + 1, argument_text(first)),
              function_.parameters[i].at.span,
              fmt::format("`…` alone stands for the same dimensions here and in {}",
                          parameter_text(first)));
}

DimensionId ArgumentBinder::unnamed(DimensionId label) {
  const DimensionInfo info = std::as_const(scope_.store).dimensions[label];
  unnamed_.push_back(label);
  const bool is_taken = contains_alike(named_, label);
  if (!is_taken && !is_dimension_of_pattern(info.name)) return label;
  if (info.literal) return scope_.intern_length_beside(named_, *info.literal);
  const std::string name = info.name + kBeside;
  const DimensionId own = is_taken ? scope_.add_beside(name, label) : scope_.stand_in(name, label);
  scope_.names.dimension_names[name_key(name)] = own;
  stand_ins_.push_back({own, label, info.name, !is_taken});
  return own;
}

ArrayId ArgumentBinder::bind_array(std::size_t i, const PassedArray& passed) {
  const ast::ArrayRef& parameter = function_.parameters[i];
  const ArrayId id = scope_.store.arrays.add({.name = parameter.name->text,
                                              .dimensions = labels_[i],
                                              .dtype = scope_.store.arrays[passed.array].dtype,
                                              .computed = true,
                                              .span = parameter.at.span});
  carry_out({.array = passed.array,
             .parameter = id,
             .layout = without_trivial_axes(passed.layout, scope_.mesh()),
             .span = argument_span(i),
             .parameter_span = parameter.at.span},
            run_);
  return id;
}

}  // namespace shard
