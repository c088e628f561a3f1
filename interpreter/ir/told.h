// What was reported already, so that one mistake stays one error.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/dtype.h"
#include "base/persistent_map.h"
#include "interpreter/ir/arrays.h"

namespace shard {

// Names by name_key.
struct Told {
  // A mistake was reported where they were to be made, so using them is no second mistake.
  PersistentSet<std::string> unknown;
  // A mistake was reported in their brackets, and other brackets make them known.
  PersistentSet<std::string> misread_inputs;
  // Dimensions, and into how many parts, that were reported as not dividing.
  std::set<std::pair<DimensionId, std::string>> indivisible;
  // Sorted dimensions of arrays that were reported as too large.
  std::set<std::vector<DimensionId>> oversized;
  // Axes whose absence, or a mistake in their `mesh`, was reported.
  std::set<std::string> unknown_axes;
  // Chips, and element types for which another rate is used, which was said.
  std::set<std::pair<std::string, DType>> rates_missed;
  // Chips, and figures that they do not state and a time needs, which was said.
  std::set<std::pair<std::string, std::string>> figures_missed;
  // Arrays that were reported as indices of another type than integers.
  std::set<std::string> no_indices;
  // Targets in functions, by file and place, for whose open names something is gathered.
  std::set<std::pair<int, std::size_t>> gathered_targets;
  // A `?` in the newest `mesh`, for which nothing looks: other holes of that mesh, and those of layouts over it, are the same mistake.
  bool open_sizes = false;
  bool axis_count_reported = false;  // more axes than there may be, without a mesh
  bool module_failed = false;  // a module could not be read: what it would have made is not missed

  // Whether a mistake was reported where the name was to be made.
  bool was_reported(const std::string& name) const;
  // The same, or it may have been to come from a module that has mistakes.
  bool is_unknown(const std::string& name) const { return module_failed || was_reported(name); }
  // Whether something is missing because of a mistake: what cannot be decided then is no mistake of its own.
  bool lacks_anything() const { return module_failed || !unknown.empty() || !unknown_axes.empty(); }
};

}  // namespace shard
