#include "interpreter/solve/mesh_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/cancellation.h"
#include "base/contains.h"
#include "grammar/print/printer.h"
#include "grammar/tree/walk_expression.h"
#include "interpreter/machine/machine.h"
#include "interpreter/solve/open_size.h"
#include "runtime/machine/mesh_splits.h"

namespace shard {

namespace {

ast::Number count_of(std::int64_t value) {
  return {.value = Rational(value), .unit = kPlain, .text = std::to_string(value), .at = {}};
}

ast::MeshAxis axis_of(const std::string& name, const AxisLengths& lengths) {
  ast::MeshAxis axis{.name = {name, {}}, .sizes = {}, .bandwidth = {}};
  for (const std::int64_t length : lengths) axis.sizes.push_back(count_of(length));
  if (axis.sizes.empty()) axis.sizes.push_back(count_of(1));
  return axis;
}

std::int64_t product_of(const AxisLengths& lengths) {
  std::int64_t product = 1;
  for (const std::int64_t length : lengths) product *= length;
  return product;
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

// The axes of the torus that the shared axes have among them, in the order of the slice: rings and lines keep theirs.
AxisLengths free_torus(const Slice& slice, const Scope& scope) {
  AxisLengths lengths = longer_than_one(slice.lengths);
  for (const MeshAxis& axis : scope.mesh().axes) {
    if (!keeps_its_size(axis, scope)) continue;
    for (const TorusAxis& taken : axis.torus) {
      const auto found = std::find(lengths.begin(), lengths.end(), taken.length);
      if (found != lengths.end()) lengths.erase(found);
    }
  }
  return lengths;
}

// The slice whose axes the machine's are, if they are those of a torus.
const Slice* torus_slice(const Scope& scope) {
  const MachineState& machine = scope.machine;
  const bool is_one = machine.chip && machine.slice && is_torus(*machine.chip, *machine.slice);
  return is_one ? &*machine.slice : nullptr;
}

// What each of the axes takes, the one that is asked for last. A single axis may leave devices without work.
std::vector<MeshSplit> all_splits(const std::vector<std::string>& axes, const Scope& scope) {
  const std::size_t takers = std::max<std::size_t>(axes.size(), 2);
  std::vector<MeshSplit> splits;
  if (const Slice* slice = torus_slice(scope)) {
    splits = torus_splits(free_torus(*slice, scope), takers);
  } else {
    std::int64_t devices = 1;
    for (const MeshAxis& axis : scope.mesh().axes) {
      if (contains(axes, axis.name)) devices *= axis.length().value_or(1);
    }
    splits = divisor_splits(devices, takers);
  }
  if (axes.size() == 1) {
    for (MeshSplit& split : splits) split.erase(split.begin());
  }
  std::stable_sort(splits.begin(), splits.end(), [](const MeshSplit& a, const MeshSplit& b) {
    return product_of(a.back()) < product_of(b.back());
  });
  return splits;
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

ast::Mesh mesh_of_split(const MeshSplit& split, const std::string& axis, const Scope& scope) {
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

// Of a slice what a mesh has whose single shared axis takes these.
void leave_out_devices(const AxisLengths& taken, Scope& scope) {
  if (!scope.machine.slice) return;
  AxisLengths lengths = taken;
  const bool on_torus = torus_slice(scope) != nullptr;
  for (const MeshAxis& axis : scope.mesh().axes) {
    if (!keeps_its_size(axis, scope)) continue;
    for (const TorusAxis& kept : axis.torus) lengths.push_back(kept.length);
    if (!on_torus && axis.kind == AxisKind::Switch) lengths.push_back(axis.length().value_or(1));
  }
  if (lengths.empty()) lengths.push_back(1);
  scope.machine.slice->lengths = std::move(lengths);
}

// What is asked for on this mesh; nullopt if it has no value there.
std::optional<Quantity> value_on(const ast::Mesh& candidate, const MeshSplit& split,
                                 const ast::Expr& asked, EvaluationContext& context) {
  Scope& scope = context.check.scope;
  AskedTables tables(scope);
  tables.forget_mistakes();
  scope.asks = false;
  if (split.size() == 1) leave_out_devices(split.back(), scope);
  DiagnosticSink unseen;
  CheckContext check{scope, unseen, context.check.scalars};
  check_mesh(candidate, {}, check);
  if (unseen.has_errors()) return std::nullopt;
  EvaluationContext inner{check, context.host};
  auto value = evaluate_quantity(asked, inner);
  if (unseen.has_errors()) return std::nullopt;
  return value;
}

// The block whose figures these are; null for anything else.
const ast::BlockExpr* block_of(const ast::Expr& object, const Scope& scope) {
  if (const auto* block = std::get_if<ast::BlockExpr>(&object.node)) return block;
  const auto* name = std::get_if<ast::ArrayRef>(&object.node);
  if (name == nullptr || !name->name || name->bracketed) return nullptr;
  const BindingInfo* binding = scope.find_binding(name->name->text);
  const auto* known = binding == nullptr ? nullptr : std::get_if<Supposition>(&binding->value);
  return known == nullptr ? nullptr : known->block.get();
}

bool has_mesh(const ast::BlockExpr& block) {
  return std::any_of(block.body.begin(), block.body.end(), [](const ast::Statement& statement) {
    return std::holds_alternative<ast::Mesh>(statement.node);
  });
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
  for (const MeshSplit& split : all_splits(axes, scope)) {
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

void note_own_meshes(const ast::Expr& asked, const std::string& axis, CheckContext& context) {
  std::vector<const ast::BlockExpr*> noted;
  any_inside(asked, [&](const ast::Expr& expr) {
    const auto* member = std::get_if<ast::Member>(&expr.node);
    const ast::BlockExpr* block =
        member == nullptr ? nullptr : block_of(*member->object, context.scope);
    if (block == nullptr || !has_mesh(*block) || contains(noted, block)) return false;
    noted.push_back(block);
    const std::string name = one_line(print(*member->object, Spelling::Unicode));
    const bool is_name = std::holds_alternative<ast::ArrayRef>(member->object->node);
    report(
        context, DiagnosticKind::OtherMachine, member->object->at.span,
        fmt::format("{} has a `mesh` of its own: its figures are the same whatever `{}` is",
                    is_name ? "`" + name + "`" : "this block", axis),
        {fmt::format("without that `mesh` it is priced on those that are tried for `{}`", axis)});
    return false;
  });
}

}  // namespace shard
