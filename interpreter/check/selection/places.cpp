#include "interpreter/check/selection/places.h"

#include <algorithm>
#include <utility>

#include "grammar/print/printer.h"
#include "grammar/tree/walk_expression.h"
#include "interpreter/check/input_source.h"
#include "interpreter/check/operation.h"

namespace shard {

namespace {

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
  if (name == nullptr || scope.find_binding(name->text) == nullptr ||
      scope.names.find_dimension(name->text))
    return std::nullopt;
  return ast::Expr{.node = ast::ArrayRef{.name = *name, .at = name->at}, .at = name->at};
}

bool is_slice(const ast::Dimension& dimension) {
  return std::holds_alternative<ast::Slice>(dimension.name);
}

// `…` as all of each dimension that is not written.
void open_rest(ast::ArrayRef& array, std::size_t rank) {
  auto& written = array.dimensions;
  const auto rest =
      std::find_if(written.begin(), written.end(), [](const ast::Dimension& dimension) {
        return std::holds_alternative<ast::Rest>(dimension.name);
      });
  if (rest == written.end() || written.size() > rank + 1) return;
  const ast::Dimension all{.name = ast::Slice{}, .axes = {}, .at = rest->at};
  written.insert(written.erase(rest), rank + 1 - written.size(), all);
}

// `A[i, j]`: names alone, of which one has a value and is no dimension.
bool names_scalar(const ast::ArrayRef& array, const Scope& scope) {
  bool found = false;
  for (const ast::Dimension& one : array.dimensions) {
    const auto* name = std::get_if<ast::Identifier>(&one.name);
    if (name == nullptr || !one.axes.empty()) return false;
    found = found ||
            (!scope.names.find_dimension(name->text) && scope.find_binding(name->text) != nullptr);
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

bool counts_places(const ast::ArrayRef& array) {
  const auto is_all = [](const ast::Dimension& one) {
    return is_slice(one) || std::holds_alternative<ast::Rest>(one.name);
  };
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
  const auto is_scalar = [](const ast::Dimension& one) {
    return one.axes.empty() && std::holds_alternative<ast::Identifier>(one.name);
  };
  const auto& dimensions = array.dimensions;
  const auto any = [&](const auto& is) {
    return std::any_of(dimensions.begin(), dimensions.end(), is);
  };
  if (any(is_no_length)) return true;
  if (any(is_slice)) return !std::all_of(dimensions.begin(), dimensions.end(), is_all);
  // `A[2, 3]`, `A[i, 0]`, `A[0, …]`
  return any(is_count) && std::all_of(dimensions.begin(), dimensions.end(), [&](const auto& one) {
           return is_count(one) || is_scalar(one) || std::holds_alternative<ast::Rest>(one.name);
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
    open.indices.push_back({ast::Identifier{scope.store.dimensions[labels[d]].name, counts[d]->at},
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
  // Names are looked up only where a loop or a function gives scalars of its own: scripts have many arrays, and few elements.
  const Environment& names = context.scope.names;
  const bool is_inside = names.loops > 0 || names.outside != nullptr;
  if (!counts_places(array) && !(is_inside && names_scalar(array, context.scope)))
    return std::nullopt;
  ast::Expr picked = with_places({.node = array, .at = array.at}, context);
  const auto* ref = std::get_if<ast::ArrayRef>(&picked.node);
  return ref != nullptr && !ref->indices.empty() ? std::optional(std::move(picked)) : std::nullopt;
}

std::optional<ast::Expr> changed_element(const ast::ArrayRef& target, const ast::Expr& value,
                                         CheckContext& context) {
  auto picked = picked_element(target, context);
  if (!picked) return std::nullopt;
  // `x[n] = iota_n`, `x[n] = y[n]`, `x[n] = zeros` make an array anew that is n long.
  const std::string text = print(value, Spelling::Unicode);
  for (const ast::Dimension& one : target.dimensions) {
    const auto* name = std::get_if<ast::Identifier>(&one.name);
    if (name == nullptr) return picked;
    const bool sized = is_input_source(value, context.scope) || text.ends_with("_" + name->text) ||
                       text.find("_" + name->text + "(") != std::string::npos ||
                       any_inside(value, [&](const ast::Expr& inner) {
                         const auto* array = std::get_if<ast::ArrayRef>(&inner.node);
                         return array != nullptr &&
                                std::any_of(array->dimensions.begin(), array->dimensions.end(),
                                            [&](const ast::Dimension& dimension) {
                                              const auto* other =
                                                  std::get_if<ast::Identifier>(&dimension.name);
                                              return other != nullptr && *other == *name;
                                            });
                       });
    if (sized) return std::nullopt;
  }
  return picked;
}

}  // namespace shard
