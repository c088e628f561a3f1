#include "interpreter/check/selection/places.h"

#include <algorithm>
#include <utility>

#include "interpreter/check/operation.h"

namespace shard {

namespace {

// What an array has in the place of a dimension, if that is a number which is not its length: `0`, `B - 1`, the `i` of a loop.
std::optional<ast::Expr> place_in(const ast::Dimension& dimension, DimensionId label,
                                  CheckContext& context) {
  const Scope& scope = context.scope;
  std::optional<ast::Expr> place;
  if (const auto* number = std::get_if<ast::Number>(&dimension.name)) {
    place = ast::Expr{*number, number->at};
  } else if (const auto* expr = std::get_if<Box<ast::Expr>>(&dimension.name)) {
    place = **expr;
  } else if (const auto* name = std::get_if<ast::Identifier>(&dimension.name)) {
    if (scope.find_binding(name->text) == nullptr || scope.names.find_dimension(name->text))
      return std::nullopt;
    place = ast::Expr{.node = ast::ArrayRef{.name = *name, .at = name->at}, .at = name->at};
  }
  if (!place || !dimension.axes.empty()) return std::nullopt;
  DiagnosticSink unseen;
  CheckContext trial{context.scope, unseen, context.scalars};
  const auto value = plain_number(*place, trial);
  const bool is_length = value && scope.length_of(label) == value->constant();
  return is_length ? std::nullopt : place;
}

}  // namespace

bool counts_places(const ast::ArrayRef& array) {
  const auto is_slice = [](const ast::Dimension& one) {
    return std::holds_alternative<ast::Slice>(one.name);
  };
  const auto is_no_length = [](const ast::Dimension& one) {
    if (const auto* number = std::get_if<ast::Number>(&one.name))
      return !(Rational(0) < number->value);
    const auto* expr = std::get_if<Box<ast::Expr>>(&one.name);
    return expr != nullptr && std::holds_alternative<ast::Unary>((*expr)->node);
  };
  const auto& dimensions = array.dimensions;
  return std::any_of(dimensions.begin(), dimensions.end(), is_no_length) ||
         (std::any_of(dimensions.begin(), dimensions.end(), is_slice) &&
          !std::all_of(dimensions.begin(), dimensions.end(), is_slice));
}

ast::Expr with_places(ast::Expr expr, CheckContext& context) {
  const Scope& scope = context.scope;
  auto* ref = std::get_if<ast::ArrayRef>(&expr.node);
  const auto known = ref != nullptr && ref->name && ref->bracketed && ref->indices.empty()
                         ? scope.names.find_array(ref->name->text)
                         : std::nullopt;
  if (!known) return expr;
  const std::vector<DimensionId> labels = scope.store.arrays[*known].dimensions;
  if (ref->dimensions.size() > labels.size()) return expr;
  bool only_places = true;
  for (std::size_t d = 0; d < ref->dimensions.size(); ++d) {
    ast::Dimension& dimension = ref->dimensions[d];
    auto place = place_in(dimension, labels[d], context);
    const auto* slice = std::get_if<ast::Slice>(&dimension.name);
    only_places = only_places && (place || (slice != nullptr && !slice->begin && !slice->end));
    if (!place) continue;
    ref->indices.push_back({ast::Identifier{scope.store.dimensions[labels[d]].name, place->at},
                            Box<ast::Expr>(*std::move(place))});
    dimension.name = ast::Slice{};
  }
  if (ref->indices.empty()) return expr;
  if (only_places) {
    ref->bracketed = false;
    ref->dimensions.clear();
  } else if (ref->dimensions.size() < labels.size()) {
    ref->dimensions.push_back({.name = ast::Rest{}, .axes = {}, .at = expr.at});
  }
  return expr;
}

std::optional<ast::Expr> picked_element(const ast::ArrayRef& array, CheckContext& context) {
  if (!array.indices.empty() || !counts_places(array)) return std::nullopt;
  ast::Expr picked = with_places({.node = array, .at = array.at}, context);
  const auto* ref = std::get_if<ast::ArrayRef>(&picked.node);
  return ref != nullptr && !ref->indices.empty() ? std::optional(std::move(picked)) : std::nullopt;
}

}  // namespace shard
