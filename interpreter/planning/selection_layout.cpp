#include "interpreter/planning/selection_layout.h"

#include <algorithm>

#include "base/contains.h"

namespace shard::planning {

namespace {

Amount product_of(const std::vector<Amount>& lengths, std::size_t begin, std::size_t end) {
  Amount product = 1;
  for (std::size_t i = begin; i < end; ++i) product = product * lengths[i];
  return product;
}

bool all_numbers(const std::vector<Amount>& lengths, std::size_t begin, std::size_t end) {
  return std::all_of(lengths.begin() + static_cast<std::ptrdiff_t>(begin),
                     lengths.begin() + static_cast<std::ptrdiff_t>(end),
                     [](const Amount& length) { return length.constant().has_value(); });
}

// Cuts a run into the shortest ones with equal lengths on both sides.
bool cut_run(const ReshapeRun& run, const std::vector<Amount>& from, const std::vector<Amount>& to,
             std::vector<ReshapeRun>& runs) {
  if (run.from_begin == run.from_end && run.to_begin == run.to_end) return true;
  if (!all_numbers(from, run.from_begin, run.from_end) ||
      !all_numbers(to, run.to_begin, run.to_end)) {
    runs.push_back(run);
    return run.from_begin < run.from_end && run.to_begin < run.to_end;
  }
  const Amount whole = product_of(from, run.from_begin, run.from_end);
  if (!(whole == product_of(to, run.to_begin, run.to_end))) return false;
  ReshapeRun rest = run;
  while (rest.from_begin < rest.from_end && rest.to_begin < rest.to_end) {
    ReshapeRun next{rest.from_begin, rest.from_begin + 1, rest.to_begin, rest.to_begin + 1};
    const auto lengths = [&] {
      return std::pair(product_of(from, next.from_begin, next.from_end).constant(),
                       product_of(to, next.to_begin, next.to_end).constant());
    };
    for (auto [a, b] = lengths(); !(*a == *b); std::tie(a, b) = lengths()) {
      const bool grow_from = *a < *b;
      if (grow_from ? next.from_end == rest.from_end : next.to_end == rest.to_end) return false;
      ++(grow_from ? next.from_end : next.to_end);
    }
    rest.from_begin = next.from_end;
    rest.to_begin = next.to_end;
    runs.push_back(next);
  }
  // Whatever remains on one side has length 1.
  if (runs.empty()) {
    runs.push_back(rest);
    return true;
  }
  runs.back().from_end = rest.from_end;
  runs.back().to_end = rest.to_end;
  return true;
}

// The axes of a run in a row, if each device holds one contiguous stretch of it.
std::optional<std::vector<AxisId>> stretch_axes(const ReshapeRun& run, const Layout& layout,
                                                const std::vector<Amount>& lengths,
                                                const Mesh& mesh) {
  std::vector<AxisId> axes;
  bool single = true;  // the dimensions so far are split into single elements
  for (std::size_t i = run.from_begin; i < run.from_end; ++i) {
    const auto& own = layout.dims[i];
    if (!own.empty() && !single) return std::nullopt;
    axes.insert(axes.end(), own.begin(), own.end());
    single = single && size_of(own, mesh) == lengths[i];
  }
  return axes;
}

// Distributes a row of axes over the dimensions of a run, to each as many as divide it.
bool place_axes(const ReshapeRun& run, const std::vector<AxisId>& axes,
                const std::vector<Amount>& lengths, const Mesh& mesh, Layout& layout) {
  std::size_t next = 0;
  for (std::size_t i = run.to_begin; i < run.to_end && next < axes.size(); ++i) {
    while (next < axes.size()) {
      layout.dims.edit()[i].push_back(axes[next]);
      if (indivisible_dimension({lengths[i]}, Layout{.dims = {layout.dims[i]}, .unreduced = {}},
                                mesh)) {
        layout.dims.edit()[i].pop_back();
        break;
      }
      ++next;
    }
    if (next < axes.size() && !(size_of(layout.dims[i], mesh) == lengths[i])) return false;
  }
  return next == axes.size();
}

Misfit differs(int label) { return {.reason = Misfit::Reason::BatchDiffer, .label = label}; }

// Where a number picks one element along a dimension split over `axes`: the place that holds it. nullopt if there is no
// single place, or lengths are not numbers.
std::optional<std::vector<Placement>> places_of(const Selection& selection,
                                                const std::vector<AxisId>& axes, const Mesh& mesh) {
  const bool updates = selection.kind == SelectionKind::Update;
  // A single element is put where it is; a part may lie at several places.
  const bool of_several =
      selection.operands.size() > (updates ? 2U : 1U) ||
      (updates && !contains_all(selection.operands.front().labels, selection.operands[1].labels));
  const auto along = position_of(selection.operands.front().labels, selection.along.front());
  const auto index = picked_index(selection);
  const auto length = selection.operands.front().shape.lengths[*along].constant();
  const auto parts = size_of(axes, mesh).constant();
  if (of_several || !index || !length || !parts) return std::nullopt;
  const auto block = (*length / *parts).to_int64();
  if (!block || *block == 0) return std::nullopt;
  std::int64_t rest = *index / *block;
  std::vector<Placement> places;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    const std::int64_t size = *mesh.axes[*axis].length();
    places.push_back({*axis, rest % size});
    rest /= size;
  }
  std::sort(places.begin(), places.end());
  return places;
}

std::variant<Layout, Misfit> local_gather(const Selection& selection,
                                          const std::vector<Layout>& operands,
                                          const Labels& result_labels, const Mesh& mesh) {
  const Labels& labels = selection.operands.front().labels;
  Layout result = replicated(result_labels.size());
  for (const Layout& operand : operands) {
    if (const auto misfit = add_places(operand, result)) return *misfit;
  }
  result.unreduced = operands.front().unreduced;
  result.combination = operands.front().combination;
  const bool is_single = result_labels.size() < labels.size();  // and no range
  for (std::size_t d = 0; d < labels.size(); ++d) {
    const auto& axes = operands.front().dims[d];
    if (!contains(selection.along, labels[d])) {
      result.dims.edit()[*position_of(result_labels, labels[d])] = axes;
      continue;
    }
    const auto places = is_single ? places_of(selection, axes, mesh) : std::nullopt;
    if (places) {
      const Layout there{.dims = {}, .unreduced = {}, .placed = *places};
      if (const auto misfit = add_places(there, result)) return *misfit;
      continue;
    }
    if (!axes.empty() && !result.unreduced.empty() && result.combination != Combination::Sum)
      return Misfit{.reason = Misfit::Reason::NotLinear, .axis = axes.front()};
    if (!axes.empty()) result.combination = Combination::Sum;
    auto& unreduced = result.unreduced.edit();
    unreduced.insert(unreduced.end(), axes.begin(), axes.end());
  }
  Labels seen = labels;
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const Labels& index = selection.operands[i].labels;
    if (!operands[i].unreduced.empty())
      return Misfit{
          .reason = Misfit::Reason::NotLinear, .axis = operands[i].unreduced.front(), .operand = i};
    for (std::size_t d = 0; d < index.size(); ++d) {
      auto& axes = result.dims.edit()[*position_of(result_labels, index[d])];
      if (contains(seen, index[d]) && axes != operands[i].dims[d]) return differs(index[d]);
      axes = operands[i].dims[d];
      seen.push_back(index[d]);
    }
  }
  result.unreduced.sort();
  return result;
}

// Where the elements that an Update changes are held: where the array is, and along a split dimension where the element
// is.
Layout updated_place(const Selection& selection, const Layout& whole, const Mesh& mesh) {
  Layout place{.dims = {}, .unreduced = {}, .placed = whole.placed};
  const auto along = position_of(selection.operands.front().labels, selection.along.front());
  if (const auto places = places_of(selection, whole.dims[*along], mesh))
    (void)add_places({.dims = {}, .unreduced = {}, .placed = *places}, place);
  return place;
}

std::variant<Layout, Misfit> local_update(const Selection& selection,
                                          const std::vector<Layout>& operands, const Mesh& mesh) {
  const Labels& labels = selection.operands.front().labels;
  const Layout place = updated_place(selection, operands.front(), mesh);
  const auto& sums = operands.front().unreduced;
  if (!sums.empty() && operands.front().combination != Combination::Sum)
    return Misfit{.reason = Misfit::Reason::NotLinear, .axis = sums.front()};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    // Each device changes its own part of a sum by one of a sum.
    const bool fits = i < 2 ? operands[i].unreduced == sums : operands[i].unreduced.empty();
    if (!fits || (i == 1 && !sums.empty() && operands[i].combination != Combination::Sum))
      return Misfit{
          .reason = Misfit::Reason::NotLinear,
          .axis = operands[i].unreduced.empty() ? sums.front() : operands[i].unreduced.front(),
          .operand = i};
    for (const Placement& held : operands[i].placed) {
      if (place_on(place, held.axis) != held.coordinate)
        return Misfit{.reason = Misfit::Reason::PlacesDiffer, .axis = held.axis};
    }
    for (std::size_t d = 0; d < operands[i].dims.size(); ++d) {
      const int label = selection.operands[i].labels[d];
      const auto shared = position_of(labels, label);
      if (shared ? operands[i].dims[d] != operands.front().dims[*shared]
                 : !operands[i].dims[d].empty())
        return differs(label);
    }
  }
  return operands.front();
}

// Top, CumSum: the dimension that is looked along must not be split.
std::variant<Layout, Misfit> local_along(const Selection& selection, const Layout& operand,
                                         const Labels& result_labels) {
  if (!operand.unreduced.empty())
    return Misfit{.reason = Misfit::Reason::NotLinear, .axis = operand.unreduced.front()};
  Layout result = unsplit(operand, result_labels.size());
  const Labels& labels = selection.operands.front().labels;
  for (std::size_t d = 0; d < labels.size(); ++d) {
    if (!contains(selection.along, labels[d]))
      result.dims.edit()[*position_of(result_labels, labels[d])] = operand.dims[d];
    else if (!operand.dims[d].empty())
      return differs(labels[d]);
  }
  return result;
}

// Concat: what is joined must not be split, and all else is split alike.
std::variant<Layout, Misfit> local_concat(const Selection& selection,
                                          const std::vector<Layout>& operands,
                                          const Labels& result_labels) {
  Layout result = replicated(result_labels.size());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (const auto misfit = add_places(operands[i], result)) return *misfit;
    if (!operands[i].unreduced.empty())
      return Misfit{
          .reason = Misfit::Reason::NotLinear, .axis = operands[i].unreduced.front(), .operand = i};
    const Labels& labels = selection.operands[i].labels;
    for (std::size_t d = 0; d < labels.size(); ++d) {
      const auto shared = position_of(result_labels, labels[d]);
      const auto& axes = operands[i].dims[d];
      if (!shared && !axes.empty()) return differs(labels[d]);
      if (!shared) continue;
      if (i > 0 && result.dims[*shared] != axes) return differs(labels[d]);
      result.dims.edit()[*shared] = axes;
    }
  }
  return result;
}

// Scatter: a sum over what the result lacks, which is whole along the dimensions of the indices.
std::variant<Layout, Misfit> local_scatter(const Selection& selection,
                                           const std::vector<Layout>& operands,
                                           const Labels& result_labels) {
  const Labels& labels = selection.operands.front().labels;
  const Layout& from = operands.front();
  Layout result = replicated(result_labels.size());
  for (const Layout& operand : operands) {
    if (const auto misfit = add_places(operand, result)) return *misfit;
  }
  if (!from.unreduced.empty() && from.combination != Combination::Sum)
    return Misfit{.reason = Misfit::Reason::NotLinear, .axis = from.unreduced.front()};
  result.unreduced = from.unreduced;
  for (std::size_t d = 0; d < labels.size(); ++d) {
    if (const auto kept = position_of(result_labels, labels[d])) {
      result.dims.edit()[*kept] = from.dims[d];
    } else {
      auto& unreduced = result.unreduced.edit();
      unreduced.insert(unreduced.end(), from.dims[d].begin(), from.dims[d].end());
    }
  }
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const Labels& index = selection.operands[i].labels;
    if (!operands[i].unreduced.empty())
      return Misfit{
          .reason = Misfit::Reason::NotLinear, .axis = operands[i].unreduced.front(), .operand = i};
    for (std::size_t d = 0; d < index.size(); ++d) {
      if (operands[i].dims[d] != from.dims[*position_of(labels, index[d])])
        return differs(index[d]);
    }
  }
  result.unreduced.sort();
  return result;
}

}  // namespace

std::optional<std::int64_t> picked_index(const Selection& selection) {
  const auto along = position_of(selection.operands.front().labels, selection.along.front());
  const auto number = selection.position.constant();
  const auto length = selection.operands.front().shape.lengths[*along].constant();
  if (!number || !length) return std::nullopt;
  return (*number < Rational(0) ? *number + *length : *number).to_int64();
}

std::optional<std::vector<ReshapeRun>> reshape_runs(const Labels& from_labels,
                                                    const std::vector<Amount>& from,
                                                    const Labels& to_labels,
                                                    const std::vector<Amount>& to) {
  std::vector<ReshapeRun> runs;
  ReshapeRun open{0, 0, 0, 0};
  for (std::size_t i = 0; i < from_labels.size(); ++i) {
    const auto same = position_of(to_labels, from_labels[i]);
    if (!same) continue;
    if (*same < open.to_begin) return std::nullopt;  // in another order
    open.from_end = i;
    open.to_end = *same;
    if (!cut_run(open, from, to, runs)) return std::nullopt;
    runs.push_back({i, i + 1, *same, *same + 1});
    open = {i + 1, i + 1, *same + 1, *same + 1};
  }
  open.from_end = from_labels.size();
  open.to_end = to_labels.size();
  if (!cut_run(open, from, to, runs)) return std::nullopt;
  return runs;
}

std::optional<Layout> reshaped(const Labels& from_labels, const std::vector<Amount>& from,
                               const Layout& layout, const Labels& to_labels,
                               const std::vector<Amount>& to, const Mesh& mesh) {
  const auto runs = reshape_runs(from_labels, from, to_labels, to);
  if (!runs) return std::nullopt;
  Layout result = unsplit(layout, to_labels.size());
  for (const ReshapeRun& run : *runs) {
    const auto axes = stretch_axes(run, layout, from, mesh);
    if (!axes || !place_axes(run, *axes, to, mesh, result)) return std::nullopt;
  }
  return result;
}

std::variant<Layout, Misfit> local_selection(const Selection& selection,
                                             const std::vector<Layout>& operands,
                                             const Labels& result_labels,
                                             const std::vector<Amount>& result_lengths,
                                             const Mesh& mesh) {
  std::variant<Layout, Misfit> left = operands.front();
  switch (selection.kind) {
    case SelectionKind::Gather:
      left = local_gather(selection, operands, result_labels, mesh);
      break;
    case SelectionKind::Update:
      left = local_update(selection, operands, mesh);
      break;
    case SelectionKind::Top:
    case SelectionKind::CumSum:
      left = local_along(selection, operands.front(), result_labels);
      break;
    case SelectionKind::Concat:
      left = local_concat(selection, operands, result_labels);
      break;
    case SelectionKind::Scatter:
      left = local_scatter(selection, operands, result_labels);
      break;
    case SelectionKind::Reshape: {
      const Term& operand = selection.operands.front();
      const auto layout = reshaped(operand.labels, operand.shape.lengths, operands.front(),
                                   result_labels, result_lengths, mesh);
      if (!layout) return Misfit{.reason = Misfit::Reason::BatchDiffer};
      left = *layout;
      break;
    }
  }
  const Layout* layout = std::get_if<Layout>(&left);
  if (layout == nullptr) return left;
  if (const auto axis = reused_axis(*layout))
    return Misfit{.reason = Misfit::Reason::AxisTwice, .axis = axis};
  return left;
}

std::vector<Layout> selection_operands(const Selection& selection, const Layout& first,
                                       const Labels& index_like_labels, const Layout& index_like,
                                       const Mesh& mesh) {
  std::vector<Layout> layouts = {first};
  const bool updates = selection.kind == SelectionKind::Update;
  const Labels& labels = selection.operands.front().labels;
  for (std::size_t i = 1; i < selection.operands.size(); ++i) {
    Layout own = replicated(selection.operands[i].labels.size());
    own.placed = updates ? updated_place(selection, first, mesh).placed : first.placed;
    if (updates && i == 1) own.unreduced = first.unreduced;
    for (std::size_t d = 0; d < own.rank(); ++d) {
      const int label = selection.operands[i].labels[d];
      if (const auto shared = position_of(labels, label)) {
        own.dims.edit()[d] = first.dims[*shared];
      } else if (const auto like = position_of(index_like_labels, label)) {
        own.dims.edit()[d] = index_like.dims[*like];
      }
    }
    layouts.push_back(std::move(own));
  }
  return layouts;
}

}  // namespace shard::planning
