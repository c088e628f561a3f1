// Elements picked or put by position: in which layouts each device can do that on its own.
#pragma once

#include "interpreter/planning/local_layout.h"

namespace shard::planning {

// The layout that a local selection leaves, or why it cannot be done locally:
//   Gather: dimensions that operands share are split alike; the axes of `along` become unreduced, or place the result if
//     it is a single element of `along`. A range is whole on each device, with 0 where the device lacks an element.
//   Update: the other operands are split as the first one is and whole along dimensions that it lacks; indices are reduced, and
//     what is put in is unreduced over the same axes as the first. They are needed only where they are put.
//   Top, CumSum: `along` is not split.
//   Concat: what is joined is not split, other dimensions of all operands are split alike, and nothing is unreduced.
//   Scatter: the indices are split as the first operand is; what axes split of it and is summed away becomes unreduced over them.
//   Reshape: in each run of dimensions that turn into others, only the first is split (a further one too if those
//     before it are split into single elements), and the run's first new dimension takes its axes.
std::variant<Layout, Misfit> local_selection(const Selection& selection,
                                             const std::vector<Layout>& operands,
                                             const Labels& result_labels,
                                             const std::vector<Amount>& result_lengths,
                                             const Mesh& mesh);

// The layouts asked of the operands, given that of the first. `index_like`: a layout for labels that the first operand
// lacks.
std::vector<Layout> selection_operands(const Selection& selection, const Layout& first,
                                       const Labels& index_like_labels, const Layout& index_like,
                                       const Mesh& mesh);

// Which element along its dimension `position` picks, from the beginning; nullopt if that or the length is not known.
std::optional<std::int64_t> picked_index(const Selection& selection);

// The layout that the same elements have in another shape; nullopt if blocks would be torn apart.
std::optional<Layout> reshaped(const Labels& from_labels, const std::vector<Amount>& from,
                               const Layout& layout, const Labels& to_labels,
                               const std::vector<Amount>& to, const Mesh& mesh);

// Runs of dimensions that turn into others: [begin, end) of both shapes. nullopt if the lengths do not match. A label
// that both shapes have stays itself; if lengths are not numbers, everything between two such labels is one run.
struct ReshapeRun {
  std::size_t from_begin, from_end, to_begin, to_end;
};
std::optional<std::vector<ReshapeRun>> reshape_runs(const Labels& from_labels,
                                                    const std::vector<Amount>& from,
                                                    const Labels& to_labels,
                                                    const std::vector<Amount>& to);

}  // namespace shard::planning
