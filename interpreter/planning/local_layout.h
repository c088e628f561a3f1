// What is computed on each device alone: the layout that is left, or why the operands do not fit each other.
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
    ContractedDiffer,  // a contracted dimension is split differently on the two sides (case 2)
    BatchDiffer,       // a dimension that both keep is split differently
    AxisTwice,     // an axis would split two dimensions of the result (case 4), or split and sum
    NotLinear,     // an operand is unreduced over an axis that the other one uses
    PlacesDiffer,  // the operands are held at different places of an axis
  };
  Reason reason;
  int label = -1;              // ContractedDiffer, BatchDiffer
  std::optional<AxisId> axis;  // AxisTwice, NotLinear, PlacesDiffer
  std::size_t operand = 0;  // NotLinear, of an elementwise computation: the one that is unreduced
};

// The layout of the local product, unreduced over every axis of a contracted dimension; or why there is none.
std::variant<Layout, Misfit> local_product(const Labels& left_labels, const Layout& left,
                                           const Labels& right_labels, const Layout& right,
                                           const Labels& result_labels);

// The same for a computation on elements: it splits each label as all operands that have it do, and is unreduced over
// the axes of those operands that are partial sums, in which the program has to be linear.
std::variant<Layout, Misfit> local_elements(const ElementProgram& program,
                                            const std::vector<Labels>& operand_labels,
                                            const std::vector<Layout>& operands,
                                            const Labels& result_labels);
// And for a reduction, which leaves the axes of the labels it takes away unreduced. NotLinear: a maximum of partial
// sums, or a sum of partial maxima.
std::variant<Layout, Misfit> local_reduction(ReductionKind kind, const Labels& operand_labels,
                                             const Layout& operand, const Labels& result_labels);

// Adds the places of an operand to those of a result, which is where all its operands are. A misfit if the two are at
// different places of an axis.
std::optional<Misfit> add_places(const Layout& operand, Layout& result);

}  // namespace shard::planning
