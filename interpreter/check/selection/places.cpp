#include "interpreter/check/selection/places.h"

#include <algorithm>
#include <utility>

#include "grammar/print/printer.h"
#include "grammar/tree/walk_expression.h"
#include "interpreter/check/input_source.h"
#include "interpreter/check/operation.h"

namespace shard {

bool is_size_like(const std::string& name) { return name.front() >= 'A' && name.front() <= 'Z'; }

namespace {

// `C[:, idx]`: an array of indices.
bool names_indices(const std::string& name, const Scope& scope) {
  const auto array = scope.names.find_array(name);
  return array && is_integer(scope.store.arrays[*array].dtype) && !scope.names.find_dimension(name);
}

// A name that has a value and is no dimension. A capital letter outside of blocks is taken for a size of the script, `D = 12`: that of a
// dimension that no array has yet.
bool names_place(const std::string& name, const Scope& scope) {
  const BindingInfo* binding = scope.find_binding(name);
  if (binding == nullptr && names_indices(name, scope)) return true;
  if (binding == nullptr || scope.names.find_dimension(name)) return false;
  return !is_size_like(name) || binding->depth > 0;
}

// What stands in the place of a dimension, if it counts: a number, `B - 1`, the `i` of a loop. A name that is a dimension names it,
// and so does a length that the array's dimension has for a name.
std::optional<ast::Expr> count_in(const ast::Dimension& dimension, DimensionId label,
                                  const Scope& scope) {
  if (!dimension.axes.empty()) return std::nullopt;
  if (const auto* number = std::get_if<ast::Number>(&dimension.name)) {
    const auto& literal = scope.store.dimensions[label].literal;
    if (literal && number->value == Rational(*literal)) return std::nullopt;
    return ast::Expr{*number, number->at};
  }
  if (const auto* expr = std::get_if<Box<ast::Expr>>(&dimension.name)) return **expr;
  const auto* name = std::get_if<ast::Identifier>(&dimension.name);
  if (name == nullptr || !names_place(name->text, scope)) return std::nullopt;
  return ast::Expr{.node = ast::ArrayRef{.name = *name, .at = name->at}, .at = name->at};
}

bool is_slice(const ast::Dimension& dimension) {
  return std::holds_alternative<ast::Slice>(dimension.name);
}

// `A[i, j]`, `A[i, …]`: names alone that have values, and of which none is a dimension.
bool names_scalars(const ast::ArrayRef& array, const Scope& scope) {
  bool found = false;
  for (const ast::Dimension& one : array.dimensions) {
    if (std::holds_alternative<ast::Rest>(one.name)) continue;
    const auto* name = std::get_if<ast::Identifier>(&one.name);
    if (name == nullptr || !one.axes.empty() || !names_place(name->text, scope)) return false;
    found = true;
  }
  return found;
}

// The lengths of all of its dimensions: the whole array.
bool are_lengths(const std::vector<std::optional<ast::Expr>>& counts,
                 const std::vector<DimensionId>& labels, CheckContext& context) {
  for (std::size_t d = 0; d < counts.size(); ++d) {
    if (!counts[d]) continue;
    DiagnosticSink unseen;
    CheckContext trial{context.scope, unseen, context.scalars};
    const auto value = plain_number(*counts[d], trial);
    if (!value || context.scope.length_of(labels[d]) != value->constant()) return false;
  }
  return true;
}

}  // namespace

void open_rest(ast::ArrayRef& array, std::size_t rank) {
  auto& written = array.dimensions;
  const auto rest =
      std::find_if(written.begin(), written.end(), [](const ast::Dimension& dimension) {
        return std::holds_alternative<ast::Rest>(dimension.name);
      });
  if (rest == written.end() || written.size() > rank + 1) return;
  const ast::Dimension all{.name = ast::Slice{}, .axes = {}, .at = rest->at};
  const std::size_t count = rank + 1 - written.size();
  written.insert(written.erase(rest), count, all);
}

bool counts_places(const ast::ArrayRef& array) {
  const auto is_count = [](const ast::Dimension& one) {
    return one.axes.empty() && (std::holds_alternative<ast::Number>(one.name) ||
                                std::holds_alternative<Box<ast::Expr>>(one.name));
  };
  const auto is_no_length = [](const ast::Dimension& one) {
    if (const auto* number = std::get_if<ast::Number>(&one.name))
      return !(Rational(0) < number->value);
    const auto* expr = std::get_if<Box<ast::Expr>>(&one.name);
    return expr != nullptr && std::holds_alternative<ast::Unary>((*expr)->node);
  };
  const auto is_rest = [](const ast::Dimension& one) {
    return std::holds_alternative<ast::Rest>(one.name);
  };
  const auto is_scalar = [](const ast::Dimension& one) {
    return one.axes.empty() && std::holds_alternative<ast::Identifier>(one.name);
  };
  const auto& dimensions = array.dimensions;
  const auto any = [&](const auto& is) {
    return std::any_of(dimensions.begin(), dimensions.end(), is);
  };
  if (any(is_no_length)) return true;
  if (any(is_slice)) {
    return !std::all_of(dimensions.begin(), dimensions.end(),
                        [&](const auto& one) { return is_slice(one) || is_rest(one); });
  }
  // `A[2, 3]`, `A[i, 0]`, `A[2, …]`; names that are dimensions are found later.
  return any(is_count) && std::all_of(dimensions.begin(), dimensions.end(), [&](const auto& one) {
           return is_count(one) || is_scalar(one) || is_rest(one);
         });
}

ast::Expr with_places(ast::Expr expr, CheckContext& context) {
  const Scope& scope = context.scope;
  auto* ref = std::get_if<ast::ArrayRef>(&expr.node);
  const auto known = ref != nullptr && ref->name && ref->bracketed && ref->indices.empty()
                         ? scope.names.find_array(ref->name->text)
                         : std::nullopt;
  if (!known) return expr;
  const std::vector<DimensionId> labels = scope.store.arrays[*known].dimensions;
  ast::ArrayRef open = *ref;
  open_rest(open, labels.size());
  if (open.dimensions.size() > labels.size()) return expr;
  std::vector<std::optional<ast::Expr>> counts;
  for (std::size_t d = 0; d < open.dimensions.size(); ++d)
    counts.push_back(count_in(open.dimensions[d], labels[d], scope));
  const bool sliced = std::any_of(open.dimensions.begin(), open.dimensions.end(), is_slice);
  const bool counted = std::any_of(counts.begin(), counts.end(),
                                   [](const auto& count) { return count.has_value(); });
  if (!counted || (!sliced && are_lengths(counts, labels, context))) return expr;
  bool only_places = true;
  for (std::size_t d = 0; d < open.dimensions.size(); ++d) {
    ast::Dimension& dimension = open.dimensions[d];
    const auto* slice = std::get_if<ast::Slice>(&dimension.name);
    only_places = only_places && (counts[d] || (slice != nullptr && !slice->begin && !slice->end));
    if (!counts[d]) continue;
    open.indices.push_back({ast::Identifier{scope.index_name(labels[d]), counts[d]->at},
                            Box<ast::Expr>(*std::move(counts[d]))});
    dimension.name = ast::Slice{};
  }
  if (only_places) {
    open.bracketed = false;
    open.dimensions.clear();
  } else if (open.dimensions.size() < labels.size()) {
    open.dimensions.push_back({.name = ast::Rest{}, .axes = {}, .at = expr.at});
  }
  expr.node = std::move(open);
  return expr;
}

std::optional<ast::Expr> picked_element(const ast::ArrayRef& array, CheckContext& context) {
  if (!array.bracketed || !array.indices.empty()) return std::nullopt;
  if (!counts_places(array) && !names_scalars(array, context.scope)) return std::nullopt;
  ast::Expr picked = with_places({.node = array, .at = array.at}, context);
  const auto* ref = std::get_if<ast::ArrayRef>(&picked.node);
  if (ref == nullptr || ref->indices.empty()) return std::nullopt;
  // Beside the name of a dimension a number is a length, `A[3, J]`, but one that can be none.
  const auto names_dimension = [](const ast::Dimension& one) {
    return std::holds_alternative<ast::Identifier>(one.name) ||
           std::holds_alternative<ast::Number>(one.name);
  };
  const bool may_be_length =
      std::any_of(ref->dimensions.begin(), ref->dimensions.end(), names_dimension) &&
      std::none_of(array.dimensions.begin(), array.dimensions.end(), is_slice) &&
      std::all_of(ref->indices.begin(), ref->indices.end(), [&](const ast::Index& index) {
        const auto* number = std::get_if<ast::Number>(&(*index.value).node);
        return number != nullptr && Rational(0) < number->value;
      });
  return may_be_length ? std::nullopt : std::optional(std::move(picked));
}

std::optional<ast::Expr> changed_element(const ast::ArrayRef& target, const ast::Expr& value,
                                         CheckContext& context) {
  auto picked = picked_element(target, context);
  const auto name_of = [](const ast::Dimension& one) {
    return std::get_if<ast::Identifier>(&one.name);
  };
  if (!picked || !std::all_of(target.dimensions.begin(), target.dimensions.end(), name_of))
    return picked;
  // `x[n] = zeros`, `x[n] = iota_n`, `x[n] = y[n]` of another input: an array is made anew that is n long.
  const std::string text = print(value, Spelling::Unicode);
  const auto is_size = [&](const ast::Dimension& one) {
    const std::string& name = name_of(one)->text;
    return text.ends_with("_" + name) || text.find("_" + name + "(") != std::string::npos ||
           any_inside(value, [&](const ast::Expr& inner) {
             const auto* array = std::get_if<ast::ArrayRef>(&inner.node);
             return array != nullptr && array->name &&
                    !context.scope.names.find_array(array->name->text) &&
                    std::any_of(array->dimensions.begin(), array->dimensions.end(),
                                [&](const ast::Dimension& dimension) {
                                  const auto* other = name_of(dimension);
                                  return other != nullptr && other->text == name;
                                });
           });
  };
  const bool is_made = is_input_source(value, context.scope) ||
                       std::any_of(target.dimensions.begin(), target.dimensions.end(), is_size);
  return is_made ? std::nullopt : std::move(picked);
}

std::vector<ast::Expr> places_behind(const ast::Shaped& shaped, const Scope& scope) {
  if (!shaped.unreduced.empty()) return {};
  std::vector<ast::Expr> places;
  for (const ast::Dimension& dimension : shaped.dimensions) {
    if (!dimension.axes.empty()) return {};
    if (const auto* number = std::get_if<ast::Number>(&dimension.name)) {
      places.push_back({*number, dimension.at});
    } else if (const auto* value = std::get_if<Box<ast::Expr>>(&dimension.name)) {
      places.push_back(**value);
    } else {
      const auto* name = std::get_if<ast::Identifier>(&dimension.name);
      if (name == nullptr || scope.names.find_dimension(name->text)) return {};
      places.push_back({ast::ArrayRef{.name = *name, .at = dimension.at}, dimension.at});
      if (!is_number(places.back(), scope)) return {};
    }
  }
  return places;
}

}  // namespace shard
