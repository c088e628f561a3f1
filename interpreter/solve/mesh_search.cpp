#include "interpreter/solve/mesh_search.h"

#include <algorithm>
#include <utility>

#include "grammar/print/printer.h"
#include "interpreter/machine/machine.h"
#include "interpreter/solve/open_size.h"

namespace shard {

namespace {

ast::Number count_of(std::int64_t value) {
  return {.value = Rational(value), .unit = kPlain, .text = std::to_string(value), .at = {}};
}

ast::MeshAxis axis_of(const std::string& name, const std::vector<std::int64_t>& lengths) {
  ast::MeshAxis axis{.name = {name, {}}, .sizes = {}, .bandwidth = {}};
  for (const std::int64_t length : lengths) axis.sizes.push_back(count_of(length));
  if (axis.sizes.empty()) axis.sizes.push_back(count_of(1));
  return axis;
}

std::int64_t product_of(const std::vector<std::int64_t>& lengths) {
  std::int64_t product = 1;
  for (const std::int64_t length : lengths) product *= length;
  return product;
}

struct AxisSplit {
  std::vector<std::int64_t> own;
  std::vector<std::int64_t> rest;
};

// Which whole axes of the slice the axis takes; equal lengths differ in nothing.
std::vector<AxisSplit> splits_of(const std::vector<std::int64_t>& slice) {
  std::vector<AxisSplit> splits;
  for (std::size_t chosen = 0; chosen < (std::size_t{1} << slice.size()); ++chosen) {
    AxisSplit split;
    for (std::size_t i = 0; i < slice.size(); ++i)
      ((chosen >> i & 1U) != 0 ? split.own : split.rest).push_back(slice[i]);
    splits.push_back(std::move(split));
  }
  return splits;
}

std::vector<AxisSplit> divisors_of(std::int64_t devices) {
  std::vector<AxisSplit> splits;
  for (std::int64_t divisor = 1; divisor <= devices; ++divisor) {
    if (devices % divisor == 0) splits.push_back({{divisor}, {devices / divisor}});
  }
  return splits;
}

}  // namespace

std::vector<TriedMesh> tried_meshes(const std::string& axis, const ast::Expr& asked,
                                    EvaluationContext& context) {
  Scope& scope = context.check.scope;
  const Mesh mesh = scope.mesh();
  std::vector<std::string> names;
  for (const MeshAxis& known : mesh.axes) names.push_back(known.name);
  const bool is_first = names.front() == axis;
  const std::string& other = is_first ? names.back() : names.front();
  const auto devices = mesh.device_count();
  auto splits = scope.machine.slice ? splits_of(scope.machine.slice->lengths)
                                    : divisors_of(devices.value_or(1));
  std::stable_sort(splits.begin(), splits.end(), [](const AxisSplit& a, const AxisSplit& b) {
    return product_of(a.own) < product_of(b.own);
  });
  std::vector<TriedMesh> tried;
  for (const AxisSplit& split : splits) {
    ast::Mesh candidate;
    candidate.axes = {axis_of(axis, split.own), axis_of(other, split.rest)};
    if (!is_first) std::swap(candidate.axes.front(), candidate.axes.back());
    const std::string text = axes_text(candidate);
    if (std::any_of(tried.begin(), tried.end(),
                    [&](const TriedMesh& known) { return known.mesh == text; }))
      continue;
    AskedTables tables(scope);
    tables.forget_mistakes();
    scope.asks = false;
    DiagnosticSink unseen;
    CheckContext check{scope, unseen, context.check.scalars};
    check_mesh(candidate, {}, check);
    if (unseen.has_errors()) continue;
    EvaluationContext inner{check, context.host};
    const auto value = evaluate_quantity(asked, inner);
    if (!value || unseen.has_errors() || !value->value.constant()) continue;
    tried.push_back({text, product_of(split.own), *value});
  }
  return tried;
}

}  // namespace shard
