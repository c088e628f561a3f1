#include "interpreter/solve/mesh_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/cancellation.h"
#include "base/contains.h"
#include "grammar/print/printer.h"
#include "interpreter/machine/machine.h"
#include "interpreter/solve/open_size.h"

namespace shard {

namespace {

using Lengths = std::vector<std::int64_t>;

ast::Number count_of(std::int64_t value) {
  return {.value = Rational(value), .unit = kPlain, .text = std::to_string(value), .at = {}};
}

ast::MeshAxis axis_of(const std::string& name, const Lengths& lengths) {
  ast::MeshAxis axis{.name = {name, {}}, .sizes = {}, .bandwidth = {}};
  for (const std::int64_t length : lengths) axis.sizes.push_back(count_of(length));
  if (axis.sizes.empty()) axis.sizes.push_back(count_of(1));
  return axis;
}

std::int64_t product_of(const Lengths& lengths) {
  std::int64_t product = 1;
  for (const std::int64_t length : lengths) product *= length;
  return product;
}

// What each of `count` axes takes, the one that is asked for last.
using Split = std::vector<Lengths>;

// Every way to give whole axes of the slice to them; equal lengths differ in nothing.
std::vector<Split> splits_of(const Lengths& slice, std::size_t count) {
  std::size_t ways = 1;
  for (std::size_t i = 0; i < slice.size(); ++i) ways *= count;
  std::vector<Split> splits;
  for (std::size_t way = 0; way < ways; ++way) {
    Split split(count);
    std::size_t rest = way;
    for (const std::int64_t length : slice) {
      split[rest % count].push_back(length);
      rest /= count;
    }
    splits.push_back(std::move(split));
  }
  return splits;
}

// Every way to write the number of devices as a product of sizes.
void add_divisors(std::int64_t devices, Split& split, std::size_t axis,
                  std::vector<Split>& splits) {
  if (axis + 1 == split.size()) {
    split[axis] = {devices};
    splits.push_back(split);
    return;
  }
  for (std::int64_t divisor = 1; divisor <= devices; ++divisor) {
    if (devices % divisor != 0) continue;
    split[axis] = {divisor};
    add_divisors(devices / divisor, split, axis + 1, splits);
  }
}

// Of a single axis, which leaves devices without work: those of the slice's whole axes, else the divisors.
std::vector<Split> fewer_devices(const std::optional<Slice>& slice, std::int64_t devices) {
  std::vector<Split> splits;
  if (!slice) {
    for (std::int64_t divisor = 1; divisor <= devices; ++divisor) {
      if (devices % divisor == 0) splits.push_back({{divisor}});
    }
    return splits;
  }
  for (const Split& split : splits_of(slice->lengths, 2)) splits.push_back({split.back()});
  return splits;
}

std::vector<Split> all_splits(const std::vector<std::string>& axes, const Scope& scope) {
  std::int64_t devices = 1;
  for (const MeshAxis& axis : scope.mesh().axes) {
    if (contains(axes, axis.name)) devices *= axis.length().value_or(1);
  }
  const auto& slice = scope.machine.slice;
  std::vector<Split> splits;
  if (axes.size() == 1) {
    splits = fewer_devices(slice, devices);
  } else if (slice) {
    splits = splits_of(slice->lengths, axes.size());
  } else {
    Split split(axes.size());
    add_divisors(devices, split, 0, splits);
  }
  std::stable_sort(splits.begin(), splits.end(), [](const Split& a, const Split& b) {
    return product_of(a.back()) < product_of(b.back());
  });
  return splits;
}

const DeclaredAxis* declared_axis(const std::string& axis, const Scope& scope) {
  for (const DeclaredAxis& known : scope.machine.declared_axes) {
    if (known.name == axis) return &known;
  }
  return nullptr;
}

bool keeps_its_size(const MeshAxis& axis, const Scope& scope) {
  const DeclaredAxis* known = declared_axis(axis.name, scope);
  if (known == nullptr) return axis.kind == AxisKind::Core;
  return known->kind != AxisKind::Ici || known->ring.has_value();
}

// As it was declared.
ast::MeshAxis kept_axis(const MeshAxis& axis, const Scope& scope) {
  ast::MeshAxis kept = axis_of(axis.name, {axis.length().value_or(1)});
  const DeclaredAxis* known = declared_axis(axis.name, scope);
  if (known == nullptr) {
    kept.kind = ast::AxisKind::Core;
    return kept;
  }
  kept = axis_of(axis.name, known->sizes);
  if (known->ring) kept.kind = *known->ring ? ast::AxisKind::Ring : ast::AxisKind::Line;
  if (known->kind == AxisKind::Dcn) kept.kind = ast::AxisKind::Dcn;
  if (known->kind == AxisKind::Switch) kept.kind = ast::AxisKind::Switch;
  if (known->kind == AxisKind::Core) kept.kind = ast::AxisKind::Core;
  if (known->bandwidth) {
    kept.bandwidth = ast::Number{.value = *known->bandwidth,
                                 .unit = kBytesPerSecond,
                                 .text = fmt::format("{:g} B/s", known->bandwidth->to_double()),
                                 .at = {}};
  }
  return kept;
}

ast::Mesh mesh_of_split(const Split& split, const std::string& axis, const Scope& scope) {
  ast::Mesh candidate;
  std::size_t other = 0;
  for (const MeshAxis& known : scope.mesh().axes) {
    if (known.name == axis) {
      candidate.axes.push_back(axis_of(known.name, split.back()));
    } else if (keeps_its_size(known, scope)) {
      candidate.axes.push_back(kept_axis(known, scope));
    } else {
      candidate.axes.push_back(axis_of(known.name, split[other++]));
    }
  }
  return candidate;
}

// What is asked for on this mesh; nullopt if it has no value there.
std::optional<Quantity> value_on(const ast::Mesh& candidate, const Split& split,
                                 const ast::Expr& asked, EvaluationContext& context) {
  Scope& scope = context.check.scope;
  AskedTables tables(scope);
  tables.forget_mistakes();
  scope.asks = false;
  if (split.size() == 1 && scope.machine.slice) {
    scope.machine.slice->lengths = split.back();
    if (split.back().empty()) scope.machine.slice->lengths = {1};
  }
  DiagnosticSink unseen;
  CheckContext check{scope, unseen, context.check.scalars};
  check_mesh(candidate, {}, check);
  if (unseen.has_errors()) return std::nullopt;
  EvaluationContext inner{check, context.host};
  auto value = evaluate_quantity(asked, inner);
  if (unseen.has_errors()) return std::nullopt;
  return value;
}

bool takes_less(const Quantity& one, const Quantity& other) {
  return *one.value.constant() < *other.value.constant();
}

}  // namespace

std::vector<std::string> shared_axes(const Scope& scope) {
  std::vector<std::string> names;
  for (const MeshAxis& axis : scope.mesh().axes) {
    if (!keeps_its_size(axis, scope)) names.push_back(axis.name);
  }
  return names;
}

std::vector<TriedMesh> tried_meshes(const std::string& axis, const ast::Expr& asked,
                                    EvaluationContext& context, std::vector<std::string>& open) {
  const Scope& scope = context.check.scope;
  const auto axes = shared_axes(scope);
  std::vector<TriedMesh> tried;
  std::vector<std::string> seen;
  for (const Split& split : all_splits(axes, scope)) {
    throw_if_cancelled();
    const ast::Mesh candidate = mesh_of_split(split, axis, scope);
    const std::string text = axes_text(candidate);
    if (std::find(seen.begin(), seen.end(), text) != seen.end()) continue;
    seen.push_back(text);
    auto value = value_on(candidate, split, asked, context);
    if (!value) continue;
    if (!value->value.constant()) {
      // A size without a value decides which mesh is best.
      open = value->value.symbols();
      return {};
    }
    TriedMesh one{text, product_of(split.back()), *std::move(value)};
    // Of many meshes that give the axis the same size the best one.
    const bool is_same = axes.size() > 2 && !tried.empty() && tried.back().size == one.size;
    if (!is_same)
      tried.push_back(std::move(one));
    else if (takes_less(one.value, tried.back().value))
      tried.back() = std::move(one);
  }
  return tried;
}

}  // namespace shard
