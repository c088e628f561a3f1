// Whether an expression is about arrays or numbers: decided by the names in it, before any of it is checked.
#include <algorithm>

#include "base/function.h"
#include "base/words.h"
#include "grammar/tree/names.h"
#include "grammar/tree/walk_expression.h"
#include "interpreter/check/operation.h"
#include "interpreter/ir/chip_constant.h"

namespace shard {

namespace {

// What the names of an expression without brackets and numbers say.
struct NameCount {
  bool names_only = true;
  bool has_brackets = false;
  bool known_array = false;
  bool array_only = false;
  bool ambiguous = false;  // a name is an array and a scalar
  bool figure = false;     // a name is a figure of the chip as well
  bool unknown = false;    // a name means nothing
  bool all_scalar = true;
};

bool is_known_scalar(const std::string& name, const Scope& scope) {
  if (scope.names.hides_outer_scalar(name)) return false;
  return scope.find_binding(name) != nullptr || scope.names.find_dimension(name) ||
         scope.find_axes(name);
}

// A part of arithmetic is an array if it holds brackets or a name that is an array's and nothing else's.
void count_part(const NameCount& inner, NameCount& count) {
  count.has_brackets = count.has_brackets || inner.has_brackets || inner.array_only;
  count.unknown = count.unknown || inner.unknown;
  count.ambiguous = count.ambiguous || inner.ambiguous;
  count.names_only = false;
}

// Functions of arrays whose value is a scalar.
bool takes_arrays_as_they_are(const std::string& function) {
  const FunctionInfo* known = find_function(function);
  return known != nullptr &&
         (known->use == FunctionUse::OfArray || known->use == FunctionUse::Contents);
}

void count_names(const ast::Expr& expr, const Scope& scope, NameCount& count) {
  match(
      expr.node,
      [&](const ast::ArrayRef& array) {
        if (array.bracketed || is_iota(expr, scope)) {
          count.has_brackets = true;
        } else if (array.name) {
          const bool scalar = is_known_scalar(array.name->text, scope);
          const bool known = scope.names.find_array(array.name->text).has_value();
          count.known_array = count.known_array || known;
          count.array_only = count.array_only || (known && !scalar);
          count.ambiguous = count.ambiguous || (known && scalar);
          const bool figure = chip_constant(array.name->text, scope.hardware().chip).has_value();
          count.figure = count.figure || figure;
          count.unknown =
              count.unknown || (!scalar && !known && !figure && array.name->text != "devices");
          count.all_scalar = count.all_scalar && scalar;
        }
      },
      [&](const ast::Product& product) {
        count.has_brackets = count.has_brackets || product.local || !product.index.empty();
        count_names(*product.left, scope, count);
        count_names(*product.right, scope, count);
      },
      [&](const ast::Collective&) { count.has_brackets = true; },
      [&](const ast::Binary& binary) {
        NameCount inner;
        count_names(*binary.left, scope, inner);
        count_names(*binary.right, scope, inner);
        count_part(inner, count);
      },
      [&](const ast::Unary& unary) {
        NameCount inner;
        count_names(*unary.operand, scope, inner);
        count_part(inner, count);
      },
      [&](const ast::Number&) { count.names_only = false; },
      [&](const ast::Call& call) {
        NameCount inner;
        if (!takes_arrays_as_they_are(call.function.text)) {
          inner.has_brackets = !call.subscript.empty();
          for (const auto& argument : call.arguments) count_names(*argument, scope, inner);
        }
        count_part(inner, count);
      },
      [&](const ast::Shaped&) { count.has_brackets = true; },
      [&](const ast::Indexed&) { count.has_brackets = true; },
      [&](const ast::Text&) { count.names_only = false; },
      [&](const ast::Member&) { count.names_only = false; },
      [&](const ast::SizeOf&) { count.names_only = false; },
      [&](const ast::BlockExpr&) { count.names_only = false; },
      [&](const ast::Question&) { count.names_only = false; });
}

// The 8 of `iota_8`.
std::optional<std::int64_t> length_of_iota(const std::string& name) {
  const bool digits = !name.empty() && std::all_of(name.begin(), name.end(), is_digit);
  const auto number = digits ? Rational::parse(name) : std::nullopt;
  const auto length = number ? number->to_int64() : std::nullopt;
  return length && *length > 0 && *length <= kMaxLength ? length : std::nullopt;
}

// The name after `iota_`, if it is a dimension or can be one: a size that stands in no brackets yet.
std::optional<std::string> iota_name(const ast::Expr& expr, const Scope& scope) {
  const auto* array = std::get_if<ast::ArrayRef>(&expr.node);
  if (array == nullptr || array->bracketed || !array->name) return std::nullopt;
  std::string name = array->name->text;
  if (!name.starts_with(kIotaPrefix) || scope.names.find_array(name) ||
      is_known_scalar(name, scope))
    return std::nullopt;
  name.erase(0, kIotaPrefix.size());
  std::erase_if(name, [](char c) { return c == '{' || c == '}'; });
  if (scope.names.find_dimension(name) || length_of_iota(name)) return name;
  const BindingInfo* binding = scope.find_binding(name);
  const auto* size = binding == nullptr ? nullptr : std::get_if<Quantity>(&binding->value);
  return size != nullptr && is_length(*size) ? std::optional(name) : std::nullopt;
}

}  // namespace

bool is_iota(const ast::Expr& expr, const Scope& scope) {
  return iota_name(expr, scope).has_value();
}

std::optional<DimensionId> iota_dimension(const ast::Expr& expr, Scope& scope) {
  const auto name = iota_name(expr, scope);
  if (!name) return std::nullopt;
  const auto length = length_of_iota(*name);
  return length ? scope.intern_length(*length) : scope.intern_dimension(*name);
}

bool is_array_expression(const ast::Expr& expr, const Scope& scope) {
  NameCount count;
  count_names(expr, scope, count);
  if (count.has_brackets) return true;
  if (count.names_only) return count.known_array && !count.all_scalar;
  return count.array_only && !count.figure;
}

bool names_unknown(const ast::Expr& expr, const Scope& scope) {
  NameCount count;
  count_names(expr, scope, count);
  return count.unknown;
}

bool hangs_on_mistake(const ast::Expr& expr, const Scope& scope) {
  if (scope.told.unknown.empty() && scope.told.misread_inputs.empty()) return false;
  return any_inside(expr, [&](const ast::Expr& inner) {
    if (const auto* call = std::get_if<ast::Call>(&inner.node)) {
      const std::string& name = call->function.text;
      return scope.told.was_reported(name) && scope.names.functions.count(name_key(name)) == 0;
    }
    const auto* array = std::get_if<ast::ArrayRef>(&inner.node);
    return array != nullptr && array->name && !array->bracketed &&
           scope.told.was_reported(array->name->text) &&
           !scope.names.find_array(array->name->text) &&
           scope.find_binding(array->name->text) == nullptr;
  });
}

bool is_number(const ast::Expr& expr, const Scope& scope) {
  if (const auto* array = std::get_if<ast::ArrayRef>(&expr.node)) {
    return !array->bracketed && array->name && !is_iota(expr, scope) &&
           !scope.names.find_array(array->name->text) && is_known_scalar(array->name->text, scope);
  }
  NameCount count;
  count_names(expr, scope, count);
  const auto* product = std::get_if<ast::Product>(&expr.node);
  if (product != nullptr)
    return is_number(*product->left, scope) && is_number(*product->right, scope);
  return !count.has_brackets && !count.unknown && !count.ambiguous &&
         !std::holds_alternative<ast::Text>(expr.node);
}

}  // namespace shard
