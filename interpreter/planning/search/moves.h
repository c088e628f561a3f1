// Primitive moves between the layouts of one array.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/cost/cost.h"
#include "runtime/machine/machine.h"
#include "runtime/plan/layout.h"
#include "runtime/plan/plan.h"

namespace shard::planning {

// The array that is moved, independent of its layout.
struct Shape {
  std::vector<Amount> lengths;
  DType dtype = DType::Bf16;
  friend bool operator==(const Shape&, const Shape&) = default;
};

// Local work that makes a new array from the moved one: it reads blocks and writes them with the dimensions in another
// order.
struct Transpose {
  std::vector<std::size_t> order;  // dimension i of the new array is the old one's order[i]
  DType dtype = DType::Bf16;

  friend bool operator==(const Transpose&, const Transpose&) = default;
};
bool reorders(const Transpose& transpose);
// The layout with its dimensions in that order.
Layout reordered(const Layout& layout, const Transpose& transpose);

// One primitive: a collective, a transpose, or a slice (neither of the two), which is free.
struct Move {
  std::optional<CollectiveKind> kind;
  std::vector<AxisId> axes;  // major first
  std::optional<std::size_t>
      dimension;  // the one that ReduceScatter and AllToAll split, if it is one
  Layout from;
  Layout to;
  std::optional<Transpose> transpose = {};  // if set, `to` is `from` in the new order

  friend bool operator==(const Move&, const Move&) = default;
};

Cost cost_of(const Move& move, const Shape& shape, const Machine& machine);

// A subscript of axes with something behind them: "{X,K}", "{XY,-1}".
std::string subscript_to_string(const std::vector<AxisId>& axes, std::string_view behind,
                                const Mesh& mesh);

// The move's name in the notation: "AllGather_X", "ReduceScatter_{X,J}", "ReduceScatter_{X→I,Y→J}", "slice".
std::string name_of(const Move& move, const std::vector<std::string>& dimension_names,
                    const Mesh& mesh);

// Slices one after the other as one: what is between them is not made.
std::vector<Move> joined_slices(std::vector<Move> moves);

// Which moves are allowed on the way to a target.
enum class MoveRule {
  // The documents' cases of a product: only gathers, reductions and slices. An axis that moves to another dimension is
  // gathered and sliced again.
  Cases,
  // AllToAlls and permutes as well, where they lead straight to the target: what one would write by hand.
  Direct,
  // Every primitive, over idle axes too, wherever it leads: the cheapest there is.
  Any,
};

// The primitives that lead from `from` towards `to`: gathers of minor axes that the target lacks (of one or several
// dimensions at once), reductions of unreduced axes (a ReduceScatter onto the dimension that the target splits over
// them, else an AllReduce), AllToAlls of a minor axis, slices, and reorderings of a dimension's axes. Layouts that do
// not divide the shape are left out. A placed array is sent to the target's place, or broadcast if the target has none.
std::vector<Move> moves_towards(const Layout& from, const Layout& to, const Shape& shape,
                                const Mesh& mesh, MoveRule rule);

}  // namespace shard::planning
