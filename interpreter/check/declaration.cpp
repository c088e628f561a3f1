#include "interpreter/check/declaration.h"

#include <fmt/format.h>

#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/check/array.h"
#include "interpreter/check/operation.h"
#include "interpreter/check/origin_notes.h"

namespace shard {

namespace {

void bind_size(DimensionId dimension, const ast::Number& number, CheckContext& context) {
  Scope& scope = context.scope;
  const std::string name = scope.store.dimensions[dimension].name;
  if (!is_length({Formula(number.value), number.unit})) {
    report(context, DiagnosticKind::BadArgument, number.at.span,
           fmt::format("`{}` is no length of a dimension: {}", number.text, kLengthRule));
    return;
  }
  const Amount known = scope.size_of(dimension);
  if (known.constant()) {
    if (*known.constant() == number.value) return;
    report(
        context, DiagnosticKind::SizeMismatch, number.at.span,
        fmt::format("dimension `{}` is {} long, and {} here", name, known.to_string(), number.text),
        {"or give one of the two dimensions another name"}, length_notes({dimension}, scope),
        {{number.at.span, known.to_string()}});
    return;
  }
  if (scope.names.outside)
    return scope.intern_own_length(name, number.value.to_int64().value_or(1));
  scope.names.bindings[name_key(name)] = {
      .name = name, .value = Quantity{Formula(number.value), kPlain}, .span = number.at.span};
}

// What makes the array that is there in the layout of these brackets; nothing of an array of other dimensions.
std::optional<std::string> other_layout_line(ArrayId earlier, const Brackets& brackets,
                                             const Scope& scope) {
  const ArrayInfo& info = scope.store.arrays[earlier];
  const LiveCopy* held = scope.held.newest_written(earlier);
  const Layout wanted = without_trivial_axes(brackets.layout, scope.mesh());
  if (held == nullptr || !(info.dimensions == brackets.labels) || held->layout == wanted)
    return std::nullopt;
  return relayout_line(earlier, held->layout, wanted, scope);
}

// Whether a declaration that the script has once is here in another pass of its loop: each pass has an array of its own. What
// stands behind the declaration was made in an earlier pass, too.
bool is_other_pass(const ArrayInfo& earlier, const ast::ArrayRef& array, const Scope& scope) {
  const Span& here = array.at.span;
  const bool is_behind = earlier.span.file == here.file && earlier.span.begin > here.begin;
  return scope.names.loops > 0 && (earlier.declaration == here || is_behind);
}

bool declare(const ast::ArrayRef& array, DType dtype, const std::vector<ast::Number>& sizes,
             CheckContext& context) {
  Scope& scope = context.scope;
  if (!array.name) return false;
  for (std::size_t i = 0; i < sizes.size() && i < array.dimensions.size(); ++i) {
    if (const auto* name = std::get_if<ast::Identifier>(&array.dimensions[i].name)) {
      bind_size(scope.intern_dimension(name->text), sizes[i], context);
    }
  }
  const auto brackets = check_brackets(array, context);
  const std::string key = name_key(array.name->text);
  const auto earlier = scope.names.find_array(array.name->text);
  // What a function declares is its own, whatever the script has under that name.
  const bool hides = earlier && scope.names.outside && !scope.names.is_own(*earlier);
  if (earlier && !hides &&
      (scope.store.arrays[*earlier].declared || scope.store.arrays[*earlier].computed) &&
      !scope.held.of(*earlier).empty() &&
      !is_other_pass(scope.store.arrays[*earlier], array, scope)) {
    std::vector<std::string> help = {"give one of the two another name, or `drop` the first"};
    if (auto line = brackets ? other_layout_line(*earlier, *brackets, scope) : std::nullopt)
      help.insert(help.begin(), "another layout of the same array is made by a line: " + *line);
    report(context, DiagnosticKind::Redeclared, array.name->at.span,
           fmt::format("`{}` is there already", array.name->text), std::move(help),
           {{scope.store.arrays[*earlier].span, "made here"}});
    return false;
  }
  if (!brackets) {
    scope.told.unknown.insert(key);
    return false;
  }
  ArrayInfo info{
      .name = array.name->text, .dimensions = brackets->labels, .dtype = dtype, .declared = true};
  info.span = array.at.span;
  info.declaration = info.span;
  const Layout layout = without_trivial_axes(brackets->layout, scope.mesh());
  info.form =
      std::make_shared<const DeclaredForm>(DeclaredForm{brackets->labels, layout, info.span});
  const ArrayId id = scope.store.arrays.add(std::move(info));
  scope.held.change(id) = {{.layout = layout}};
  scope.names.array_names[key] = id;
  return true;
}

}  // namespace

bool check_as_declared(const ast::ArrayRef& target, const Brackets& brackets,
                       CheckContext& context) {
  const Scope& scope = context.scope;
  const auto id = scope.names.find_array(target.name ? target.name->text : "");
  if (!id) return true;
  const ArrayInfo& info = scope.store.arrays[*id];
  if (info.form == nullptr || info.read || info.computed) return true;
  const bool same = brackets.labels == info.form->dimensions &&
                    without_trivial_axes(brackets.layout, scope.mesh()) == info.form->layout;
  if (same) return true;
  const std::string declared = scope.describe(*id, info.form->layout);
  report(
      context, DiagnosticKind::TargetMismatch, target.at.span,
      fmt::format("`{}` is declared as `{}`, and is made as `{}` here", info.name, declared,
                  print(target, Spelling::Unicode)),
      {fmt::format("declare it as it is made: {}: {}{}", info.name, name_of(info.dtype),
                   to_string(brackets.layout, scope.store.names_of(brackets.labels), scope.mesh())),
       fmt::format("or make it as it is declared: write {} on this line", declared)},
      {{info.span, "declared here"}});
  return false;
}

bool check_given(const ast::ArrayRef& array, CheckContext& context) {
  if (!array.bracketed || !array.name) return check_use(array, context).has_value();
  const auto brackets = check_brackets(array, context);
  if (!brackets) {
    if (array.name) context.scope.told.unknown.insert(name_key(array.name->text));
    return false;
  }
  Scope& scope = context.scope;
  const std::string key = name_key(array.name->text);
  if (!check_as_declared(array, *brackets, context)) return false;
  ArrayInfo info{.name = array.name->text, .dimensions = brackets->labels, .declared = true};
  if (const auto earlier = scope.names.find_array(array.name->text)) {
    info.name = scope.store.arrays[*earlier].name;
    info.dtype = scope.store.arrays[*earlier].dtype;
    info.declaration = scope.store.arrays[*earlier].declaration;
  }
  info.span = array.at.span;
  const ArrayId id = scope.store.arrays.add(std::move(info));
  scope.held.change(id) = {{.layout = without_trivial_axes(brackets->layout, scope.mesh())}};
  scope.names.array_names[key] = id;
  scope.names.dropped.erase(key);
  scope.told.unknown.erase(key);
  return true;
}

bool check_declaration(const ast::Declaration& declaration, CheckContext& context) {
  const auto dtype = check_dtype(declaration.dtype, context);
  if (!declaration.sizes.empty() && !declaration.arrays.empty() &&
      declaration.sizes.size() != declaration.arrays.front().dimensions.size()) {
    report(context, DiagnosticKind::RankMismatch, declaration.sizes.front().at.span,
           fmt::format("{} size{} for {} dimensions", declaration.sizes.size(),
                       declaration.sizes.size() == 1 ? "" : "s",
                       declaration.arrays.front().dimensions.size()),
           {"write one size for each dimension"});
    return false;
  }
  bool fine = true;
  for (const ast::ArrayRef& array : declaration.arrays)
    fine = declare(array, dtype.value_or(DType::Bf16), declaration.sizes, context) && fine;
  return fine;
}

// Arrays of one number: `A[I_X, J] = 0.5` of what is declared.
bool is_fill(const ast::Expr& value, const ast::ArrayRef& target, const Scope& scope) {
  if (!target.bracketed || !target.name || !target.indices.empty()) return false;
  const auto array = scope.names.find_declared(target.name->text);
  return array && scope.store.arrays[*array].declared && is_number(value, scope);
}

void report_untyped_fill(const ast::Expr& value, const ast::ArrayRef& target,
                         CheckContext& context) {
  ast::ArrayRef brackets = target;
  brackets.name.reset();
  const std::string typed = fmt::format(
      "{}: bf16{}", target.name->text,
      print(ast::Expr{.node = std::move(brackets), .at = target.at}, Spelling::Unicode));
  report(context, DiagnosticKind::NotArray, value.at.span,
         fmt::format("`{}` is not an array, and nothing says what type the elements of `{}` have",
                     print(value, Spelling::Unicode), target.name->text),
         {}, {}, {{target.at.span, typed}});
}

std::optional<checked::Operation> check_fill(const ast::Expr& value, const ast::ArrayRef& target,
                                             const TargetHint& hint, CheckContext& context) {
  if (!hint.brackets) return std::nullopt;
  const Scope& scope = context.scope;
  if (!target.unreduced.empty()) {
    const std::string number = print(value, Spelling::Unicode);
    report(context, DiagnosticKind::ResultUnreduced, value.at.span,
           "a number fills each element on all devices, and partial sums of one value are an input",
           {}, {},
           {{value.at.span, number == "0"   ? "zeros"
                            : number == "1" ? "ones"
                                            : number + " ⊙ ones"}});
    return std::nullopt;
  }
  const DType dtype = scope.store.arrays[*scope.names.find_declared(target.name->text)].dtype;
  return filled(value, hint.brackets->labels, dtype, context);
}

std::optional<checked::Operation> filled(const ast::Expr& value,
                                         const std::vector<DimensionId>& labels, DType dtype,
                                         CheckContext& context) {
  const auto number = plain_number(value, context);
  if (!number || !check_element_count(labels, value.at.span, context)) return std::nullopt;
  checked::Elementwise elements;
  elements.program.push_back({.op = ElementOp::Constant, .constant = *number});
  checked::Operation result{.node = std::move(elements), .labels = labels};
  result.dtype = dtype;
  result.layout = replicated(labels.size());
  result.span = value.at.span;
  return result;
}

}  // namespace shard
