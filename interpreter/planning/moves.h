// Primitive moves between layouts of one array.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/cost/cost.h"
#include "runtime/machine/machine.h"
#include "runtime/plan/layout.h"
#include "runtime/plan/plan.h"

namespace shard::planning {

// What is moved, whichever layout it is in.
struct Shape {
  std::vector<Amount> lengths;
  DType dtype = DType::Bf16;
  friend bool operator==(const Shape&, const Shape&) = default;
};

// The local work that makes another array of what is moved: blocks are read, and written with the dimensions in another
// order.
struct Transpose {
  std::vector<std::size_t> order;  // its dimension i is dimension order[i] of what is moved
  DType dtype = DType::Bf16;

  friend bool operator==(const Transpose&, const Transpose&) = default;
};
bool reorders(const Transpose& transpose);
// The layout with its dimensions in that order.
Layout reordered(const Layout& layout, const Transpose& transpose);

// One primitive: a collective, a transpose, or a slice (neither), which is free.
struct Move {
  std::optional<CollectiveKind> kind;
  std::vector<AxisId> axes;              // major first
  std::optional<std::size_t> dimension;  // that ReduceScatter and AllToAll put the axes on
  Layout from;
  Layout to;
  std::optional<Transpose> transpose = {};  // then `to` is `from` in its order

  friend bool operator==(const Move&, const Move&) = default;
};

Cost cost_of(const Move& move, const Shape& shape, const Machine& machine);

// "AllGather_X", "ReduceScatter_{X,J}", "slice": the move's name in the notation.
std::string name_of(const Move& move, const std::vector<std::string>& dimension_names,
                    const Mesh& mesh);

// Which moves may be taken on the way to a target.
enum class MoveRule {
  // The documents' cases of a product: gathers, reductions and slices only. An axis that changes its dimension is
  // gathered and sliced off again.
  Cases,
  // AllToAlls and reorderings as well: every move brings a subscript nearer to where the target has it.
  Direct,
  // Any axis may be gathered and sliced back, any sum taken everywhere: reaches every target whose unreduced axes the
  // start has, even where lengths do not divide on the way.
  Any,
};

// The primitives that lead from `from` towards `to`: gathers of minor axes that the target does not have (of one or
// several dimensions at once), reductions of unreduced axes (onto the dimension where the target has them, else
// AllReduce), AllToAlls of a minor axis, slices, and reorderings of a dimension's axes. Layouts that do not divide the
// shape are left out. What is placed is sent to the target's place, or broadcast where the target has none.
std::vector<Move> moves_towards(const Layout& from, const Layout& to, const Shape& shape,
                                const Mesh& mesh, MoveRule rule);

}  // namespace shard::planning
