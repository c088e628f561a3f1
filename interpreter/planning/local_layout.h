// What each device computes on its own: the layout of the result, or why the operands do not fit together.
#pragma once

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "interpreter/planning/term.h"

namespace shard::planning {

// Why layouts cannot be combined without communication.
struct Misfit {
  enum class Reason {
    ContractedDiffer,  // a contraction dimension is split differently on the two sides (case 2)
    BatchDiffer,       // a dimension that both operands keep is split differently
    AxisTwice,  // one axis would split two dimensions of the result (case 4), or both split and sum
    NotLinear,  // an operand is unreduced over an axis that the other one uses
    PlacesDiffer,  // the operands are held at different places of an axis
  };
  Reason reason;
  int label = -1;              // ContractedDiffer, BatchDiffer
  std::optional<AxisId> axis;  // AxisTwice, NotLinear, PlacesDiffer
  std::size_t operand = 0;     // NotLinear in an elementwise computation: the unreduced operand
};

// The layout of the local product, which is unreduced over every axis that splits a contraction dimension; or why there
// is none.
std::variant<Layout, Misfit> local_product(const Labels& left_labels, const Layout& left,
                                           const Labels& right_labels, const Layout& right,
                                           const Labels& result_labels);

// The layout of a local elementwise computation. It splits each label the way all operands with that label do, and is
// unreduced over the axes of the operands that are partial sums. The program has to be linear in those.
std::variant<Layout, Misfit> local_elements(const ElementProgram& program,
                                            const std::vector<Labels>& operand_labels,
                                            const std::vector<Layout>& operands,
                                            const Labels& result_labels);
// The layout of a local reduction, which is unreduced over the axes of the labels that it removes. NotLinear: a maximum
// of partial sums, or a sum of partial maxima.
std::variant<Layout, Misfit> local_reduction(ReductionKind kind, const Labels& operand_labels,
                                             const Layout& operand, const Labels& result_labels);

// Adds an operand's places to the result's, since a result is where all of its operands are. A misfit if the two are at
// different places of an axis.
std::optional<Misfit> add_places(const Layout& operand, Layout& result);

}  // namespace shard::planning
