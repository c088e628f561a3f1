// Layouts: which axes split which dimension of an array, and over which it is still unreduced.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/cow_vector.h"
#include "runtime/algebra/amount.h"
#include "runtime/element/combination.h"
#include "runtime/element/dtype.h"
#include "runtime/machine/mesh.h"

namespace shard {

// Dimensions are positions. Unmentioned axes replicate. Subscripts are major to minor: `I_{XY}` splits by X first
// (documents: sharded matrices, "A unified notation for sharding").
//
// A layout may be placed: `x[B, D]{Z=0}` is held only by the devices whose coordinate on Z is 0 (design: language,
// "Arrays, layouts and copies"). A placing axis is used up: it splits nothing else.
struct Placement {
  AxisId axis;
  std::int64_t coordinate = 0;
  friend auto operator<=>(const Placement&, const Placement&) = default;
};

struct Layout {
  SharedList<std::vector<AxisId>> dims;
  SharedList<AxisId> unreduced;                // sorted
  Combination combination = Combination::Sum;  // of `unreduced`; meaningless if that is empty
  SharedList<Placement> placed = {};           // sorted

  std::size_t rank() const { return dims.size(); }
  friend bool operator==(const Layout& a, const Layout& b) {
    return a.dims == b.dims && a.unreduced == b.unreduced && a.placed == b.placed &&
           (a.unreduced.empty() || a.combination == b.combination);
  }
  friend std::weak_ordering operator<=>(const Layout& a, const Layout& b) {
    if (const auto order = a.dims <=> b.dims; order != 0) return order;
    if (const auto order = a.unreduced <=> b.unreduced; order != 0) return order;
    if (const auto order = a.placed <=> b.placed; order != 0) return order;
    return a.unreduced.empty() ? std::weak_ordering::equivalent : a.combination <=> b.combination;
  }
};

// The layout that replicates everything.
Layout replicated(std::size_t rank);
// The same unreduced and placing axes for an array of another rank, with no dimension split.
Layout unsplit(const Layout& layout, std::size_t rank);
// Every axis along which devices hold different blocks, from `dims` and `unreduced`, sorted; an axis used twice appears
// twice.
std::vector<AxisId> axes_used(const Layout& layout);
// An axis that occurs twice in `dims`, `unreduced` and `placed`, if there is one.
std::optional<AxisId> reused_axis(const Layout& layout);
// Whether the axis occurs in any of these.
bool uses(const Layout& layout, AxisId axis);
// The coordinate at which the axis places the layout, if it does.
std::optional<std::int64_t> place_on(const Layout& layout, AxisId axis);
// The dimension that `axis` splits, if any.
std::optional<std::size_t> dimension_split_by(const Layout& layout, AxisId axis);

// The product of the axes' sizes.
Amount size_of(const std::vector<AxisId>& axes, const Mesh& mesh);
// The global shape divided by each dimension's axes.
std::vector<Amount> local_shape(const std::vector<Amount>& shape, const Layout& layout,
                                const Mesh& mesh);
// Whether the axes cut a length into equal parts; true while their sizes are symbols.
bool divides(const Rational& length, const std::vector<AxisId>& axes, const Mesh& mesh);
// The first dimension whose length is not divisible by its axes, both being numbers.
std::optional<std::size_t> indivisible_dimension(const std::vector<Amount>& shape,
                                                 const Layout& layout, const Mesh& mesh);
// Bytes per device (cost model, "Bytes of an array").
Amount local_bytes(const std::vector<Amount>& shape, DType dtype, const Layout& layout,
                   const Mesh& mesh);
// The layout without axes of size 1, which have no effect.
Layout without_trivial_axes(const Layout& layout, const Mesh& mesh);

// "U", "max" or "min", as in `{U_X}`, `{max_X}`.
std::string_view name_of(Combination combination);
// "partial sums", "partial maxima", "partial minima".
std::string partial_name(Combination combination);
// "[I_X, J_{YZ}]{U_W}", with the given dimension names.
std::string to_string(const Layout& layout, const std::vector<std::string>& dimension_names,
                      const Mesh& mesh);
// "{Z=0}", "{Y=1, Z=0}", or "".
std::string placement_to_string(const Layout& layout, const Mesh& mesh);
// The subscript for axes, without the underscore: "X", "{XY}", "{data,model}".
std::string axes_to_string(const std::vector<AxisId>& axes, const Mesh& mesh);
// What stands between its braces if more follows in them: "X", "XY", "data,model".
std::string axis_names(const std::vector<AxisId>& axes, const Mesh& mesh);

}  // namespace shard
