// Machines and layouts in the notation's letters, for tests of planning.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/planning/term.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/topology.h"

namespace shard::testing {

// A TPU v5p with rings X, Y, Z, … of these sizes.
inline Machine rings(const std::vector<std::int64_t>& sizes) {
  Chip chip{"TPUv5p", {16, 20, 28}, {2, 2, 1}};
  chip.hbm = 96'000'000'000;
  chip.hbm_bandwidth = 2'800'000'000'000;
  chip.ici_one_way = 90'000'000'000;
  chip.dcn_bandwidth = 6'250'000'000;
  chip.rates = {{DType::Bf16, 459'000'000'000'000}};
  chip.wrap = WrapRule::Cube4;
  std::vector<DeclaredAxis> axes;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    axes.push_back({std::string(1, "XYZW"[i]), {sizes[i]}, AxisKind::Ici, true, std::nullopt});
  return {chip, std::get<Mesh>(fit_mesh(chip, std::nullopt, axes))};
}

inline std::vector<AxisId> axes_of(const Mesh& mesh, std::string_view letters) {
  std::vector<AxisId> axes;
  for (const char letter : letters) {
    const auto axis = mesh.find(std::string_view(&letter, 1));
    EXPECT_TRUE(axis.has_value()) << letter;
    axes.push_back(axis.value_or(AxisId{0}));
  }
  return axes;
}

// {"XY", ""} is [I_{XY}, J]; `unreduced` are the letters of {U_…}, in the order of the mesh.
inline Layout layout_of(const Mesh& mesh, const std::vector<std::string>& dims,
                        std::string_view unreduced = "") {
  Layout layout;
  for (const std::string& letters : dims) layout.dims.edit().push_back(axes_of(mesh, letters));
  layout.unreduced = axes_of(mesh, unreduced);
  return layout;
}

inline planning::Shape shape_of(const std::vector<std::int64_t>& lengths) {
  planning::Shape shape;
  for (const std::int64_t length : lengths) shape.lengths.emplace_back(length);
  return shape;
}

inline const std::vector<std::string>& letters() {
  static const std::vector<std::string> names = {"I", "J", "K", "L"};
  return names;
}

inline std::vector<std::string> names_of(const std::vector<planning::Move>& moves,
                                         const Mesh& mesh) {
  std::vector<std::string> names;
  for (const planning::Move& move : moves) names.push_back(name_of(move, letters(), mesh));
  return names;
}

}  // namespace shard::testing
