#include "tests/interpreter/properties/random_program/varied_arrays.h"

#include <fmt/format.h>

#include <algorithm>

namespace shard::random_program {

std::string VariedArray::brackets() const {
  std::string text;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    text += (d == 0 ? "" : ", ") + dims[d];
    if (axes[d].size() == 1) text += "_" + axes[d].front();
    if (axes[d].size() < 2) continue;
    text += "_{";
    for (const std::string& axis : axes[d]) text += axis;
    text += "}";
  }
  return "[" + text + "]" + (place.empty() ? "" : "{" + place + "}");
}

std::int64_t VariedArrays::length(const std::string& dimension) const {
  const auto found = std::find_if(dimensions_.begin(), dimensions_.end(),
                                  [&](const Dimension& one) { return one.name == dimension; });
  return found == dimensions_.end() ? 0 : found->length;
}

Names VariedArrays::some_dimensions(std::size_t least, std::size_t most) {
  Names names;
  for (const Dimension& one : dimensions_) names.push_back(one.name);
  random_.shuffle(names);
  names.resize(least + random_.below(most - least + 1));
  return names;
}

VariedArray VariedArrays::laid_out_anew(VariedArray array) {
  array.axes.assign(array.dims.size(), {});
  array.layout_known = true;
  std::vector<Axis> axes = axes_;
  random_.shuffle(axes);
  for (const Axis& axis : axes) {
    if (array.dims.empty() || !random_.chance(50) || array.place.starts_with(axis.name)) continue;
    const std::size_t d = random_.below(array.dims.size());
    std::int64_t parts = axis.length;
    for (const std::string& other : array.axes[d]) {
      for (const Axis& one : axes_) parts *= one.name == other ? one.length : 1;
    }
    if (length(array.dims[d]) % parts == 0) array.axes[d].push_back(axis.name);
  }
  return array;
}

VariedArray VariedArrays::draft(const Names& dims, const std::string& dtype) {
  return laid_out_anew({fmt::format("A{}", ++made_), dims, {}, "", dtype});
}

bool VariedArrays::place(VariedArray& array) {
  std::vector<Axis> free;
  for (const Axis& axis : axes_) {
    const bool splits = std::any_of(array.axes.begin(), array.axes.end(), [&](const Names& names) {
      return std::find(names.begin(), names.end(), axis.name) != names.end();
    });
    if (!splits) free.push_back(axis);
  }
  if (free.empty()) return false;
  const Axis& axis = random_.pick(free);
  array.place =
      fmt::format("{}={}", axis.name, random_.below(static_cast<std::size_t>(axis.length)));
  return true;
}

void VariedArrays::add(VariedArray array) {
  std::erase_if(all_, [&](const VariedArray& one) { return one.name == array.name; });
  all_.push_back(std::move(array));
}

const VariedArray* VariedArrays::any() {
  return any_that([](const VariedArray&) { return true; });
}

}  // namespace shard::random_program
