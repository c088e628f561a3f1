// Elements picked or put by their place: which layouts that works in on each device alone.
#pragma once

#include "interpreter/planning/local_layout.h"

namespace shard::planning {

// The layout that a selection leaves locally, or why it cannot be done so:
//   Gather: what both operands have is split alike; the axes of `along` become unreduced, or place the result if it is
//     one element of it.
//   Update: the other operands are split as the first is, and nothing is unreduced; they need to be only where they are
//     put.
//   Top: `along` is whole.
//   Reshape: of each run of dimensions that become others, only the first is split (further ones too where those before
//     them are split into single elements), and the run's first new dimension takes these axes.
std::variant<Layout, Misfit> local_selection(const Selection& selection,
                                             const std::vector<Layout>& operands,
                                             const Labels& result_labels,
                                             const std::vector<Amount>& result_lengths,
                                             const Mesh& mesh);

// What each operand is asked to be in, where the first has this layout. `index_like`: layouts of labels that the first
// operand lacks.
std::vector<Layout> selection_operands(const Selection& selection, const Layout& first,
                                       const Labels& index_like_labels, const Layout& index_like,
                                       const Mesh& mesh);

// A layout of one shape for the same elements in another; nullopt where blocks would not stay whole.
std::optional<Layout> reshaped(const Labels& from_labels, const std::vector<Amount>& from,
                               const Layout& layout, const Labels& to_labels,
                               const std::vector<Amount>& to, const Mesh& mesh);

// Runs of dimensions that become others: [begin, end) of both shapes. nullopt if the lengths do not match. A label that
// both have stays itself; without numbers what is between such labels is one run.
struct ReshapeRun {
  std::size_t from_begin, from_end, to_begin, to_end;
};
std::optional<std::vector<ReshapeRun>> reshape_runs(const Labels& from_labels,
                                                    const std::vector<Amount>& from,
                                                    const Labels& to_labels,
                                                    const std::vector<Amount>& to);

}  // namespace shard::planning
