#include "runtime/plan/layout.h"

#include <algorithm>

#include "base/words.h"

namespace shard {

Layout replicated(std::size_t rank) { return {std::vector<std::vector<AxisId>>(rank), {}}; }

std::vector<AxisId> axes_used(const Layout& layout) {
  std::vector<AxisId> axes = layout.unreduced;
  for (const auto& dim : layout.dims) axes.insert(axes.end(), dim.begin(), dim.end());
  std::sort(axes.begin(), axes.end());
  return axes;
}

Layout unsplit(const Layout& layout, std::size_t rank) {
  Layout result = layout;
  result.dims = std::vector<std::vector<AxisId>>(rank);
  return result;
}

namespace {

std::vector<AxisId> all_axes(const Layout& layout) {
  std::vector<AxisId> axes = axes_used(layout);
  for (const Placement& place : layout.placed) axes.push_back(place.axis);
  std::sort(axes.begin(), axes.end());
  return axes;
}

}  // namespace

std::optional<AxisId> reused_axis(const Layout& layout) {
  const std::vector<AxisId> axes = all_axes(layout);
  const auto twice = std::adjacent_find(axes.begin(), axes.end());
  if (twice == axes.end()) return std::nullopt;
  return *twice;
}

bool uses(const Layout& layout, AxisId axis) {
  const std::vector<AxisId> axes = all_axes(layout);
  return std::binary_search(axes.begin(), axes.end(), axis);
}

std::optional<std::int64_t> place_on(const Layout& layout, AxisId axis) {
  for (const Placement& place : layout.placed) {
    if (place.axis == axis) return place.coordinate;
  }
  return std::nullopt;
}

std::optional<std::size_t> dimension_split_by(const Layout& layout, AxisId axis) {
  for (std::size_t d = 0; d < layout.dims.size(); ++d) {
    const auto& axes = layout.dims[d];
    if (std::find(axes.begin(), axes.end(), axis) != axes.end()) return d;
  }
  return std::nullopt;
}

Amount size_of(const std::vector<AxisId>& axes, const Mesh& mesh) {
  if (axes.size() == 1) return mesh.axes[axes.front()].size;
  Amount size = 1;
  for (const AxisId axis : axes) size = size * mesh.axes[axis].size;
  return size;
}

std::vector<Amount> local_shape(const std::vector<Amount>& shape, const Layout& layout,
                                const Mesh& mesh) {
  std::vector<Amount> result;
  result.reserve(shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d)
    result.push_back(shape[d] / size_of(layout.dims[d], mesh));
  return result;
}

bool divides(const Rational& length, const std::vector<AxisId>& axes, const Mesh& mesh) {
  const auto whole = length.to_int64();
  if (!whole) return !size_of(axes, mesh).constant();
  // Part by part, as a product of many axes may be no 64-bit number.
  std::int64_t rest = *whole;
  bool is_even = true;
  for (const AxisId axis : axes) {
    const auto parts = mesh.axes[axis].length();
    if (!parts) return true;
    is_even = is_even && rest % *parts == 0;
    rest /= *parts;
  }
  return is_even;
}

std::optional<std::size_t> indivisible_dimension(const std::vector<Amount>& shape,
                                                 const Layout& layout, const Mesh& mesh) {
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (layout.dims[d].empty()) continue;
    const auto length = shape[d].constant();
    if (length && !divides(*length, layout.dims[d], mesh)) return d;
  }
  return std::nullopt;
}

Amount local_bytes(const std::vector<Amount>& shape, DType dtype, const Layout& layout,
                   const Mesh& mesh) {
  Amount bytes = bytes_of(dtype);
  for (const Amount& length : local_shape(shape, layout, mesh)) bytes = bytes * length;
  return bytes;
}

Layout without_trivial_axes(const Layout& layout, const Mesh& mesh) {
  const auto trivial = [&](AxisId axis) { return mesh.axes[axis].length() == 1; };
  const bool has_any = std::any_of(mesh.axes.begin(), mesh.axes.end(),
                                   [](const auto& axis) { return axis.length() == 1; });
  if (!has_any) return layout;  // the original, so that it keeps sharing its lists
  Layout result = layout;
  for (auto& dim : result.dims.edit()) std::erase_if(dim, trivial);
  std::erase_if(result.unreduced.edit(), trivial);
  std::erase_if(result.placed.edit(), [&](const Placement& place) { return trivial(place.axis); });
  return result;
}

namespace {

void append_names(const std::vector<AxisId>& axes, const Mesh& mesh, std::string& text) {
  const bool letters = std::all_of(axes.begin(), axes.end(),
                                   [&](AxisId axis) { return mesh.axes[axis].name.size() == 1; });
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (i > 0 && !letters) text += ',';
    text += mesh.axes[axes[i]].name;
  }
}

void append_axes(const std::vector<AxisId>& axes, const Mesh& mesh, std::string& text) {
  const bool is_single = axes.size() == 1;
  if (!is_single) text += '{';
  append_names(axes, mesh, text);
  if (!is_single) text += '}';
}

}  // namespace

std::string axes_to_string(const std::vector<AxisId>& axes, const Mesh& mesh) {
  std::string text;
  append_axes(axes, mesh, text);
  return text;
}

std::string axis_names(const std::vector<AxisId>& axes, const Mesh& mesh) {
  std::string text;
  append_names(axes, mesh, text);
  return text;
}

std::string_view name_of(Combination combination) {
  if (combination == Combination::Sum) return "U";
  return combination == Combination::Max ? "max" : "min";
}

std::string partial_name(Combination combination) {
  if (combination == Combination::Sum) return "partial sums";
  return combination == Combination::Max ? "partial maxima" : "partial minima";
}

std::string to_string(const Layout& layout, const std::vector<std::string>& dimension_names,
                      const Mesh& mesh) {
  std::string text = "[";
  for (std::size_t d = 0; d < layout.dims.size(); ++d) {
    if (d > 0) text += ", ";
    text += dimension_names[d];
    if (layout.dims[d].empty()) continue;
    text += '_';
    append_axes(layout.dims[d], mesh, text);
  }
  text += ']';
  if (!layout.unreduced.empty()) {
    text += '{';
    text += name_of(layout.combination);
    text += '_';
    append_axes(layout.unreduced, mesh, text);
    text += '}';
  }
  if (!layout.placed.empty()) text += placement_to_string(layout, mesh);
  return text;
}

std::string placement_to_string(const Layout& layout, const Mesh& mesh) {
  if (layout.placed.empty()) return "";
  std::vector<std::string> places;
  for (const Placement& place : layout.placed)
    places.push_back(mesh.axes[place.axis].name + "=" + std::to_string(place.coordinate));
  return "{" + join(places, ", ") + "}";
}

}  // namespace shard
