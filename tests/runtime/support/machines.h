// Chips of facts/hardware.tsv and arrays on them, for tests of layouts and costs.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/format.h"
#include "runtime/cost/cost.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/topology.h"

namespace shard::testing {

inline Chip tpu_v4p() {
  Chip chip{"TPUv4p", {16, 16, 16}, {2, 2, 1}};
  chip.hbm_bandwidth = 1'200'000'000'000;
  chip.ici_one_way = 45'000'000'000;
  chip.rates = {{DType::Bf16, 275'000'000'000'000}};
  chip.wrap = WrapRule::Cube4;
  return chip;
}

inline Chip tpu_v5p() {
  Chip chip{"TPUv5p", {16, 20, 28}, {2, 2, 1}};
  chip.hbm = 96'000'000'000;
  chip.hbm_bandwidth = 2'800'000'000'000;
  chip.ici_one_way = 90'000'000'000;
  chip.dcn_bandwidth = 6'250'000'000;
  chip.rates = {{DType::Bf16, 459'000'000'000'000}, {DType::Int8, 918'000'000'000'000}};
  chip.wrap = WrapRule::Cube4;
  return chip;
}

inline Chip tpu_v5e() {
  Chip chip{"TPUv5e", {16, 16}, {4, 2}};
  chip.hbm_bandwidth = 820'000'000'000;
  chip.ici_one_way = 45'000'000'000;
  chip.dcn_bandwidth = 3'125'000'000;
  chip.rates = {{DType::Bf16, 197'000'000'000'000}, {DType::Int8, 394'000'000'000'000}};
  chip.wrap = WrapRule::Axis16;
  return chip;
}

inline Chip tpu_v3() {
  Chip chip{"TPUv3", {32, 32}, {4, 2}};
  chip.ici_one_way = 100'000'000'000;
  chip.wrap = WrapRule::Pod;
  return chip;
}

inline Chip h100() {
  Chip chip{"H100", {8}, {}};
  chip.ici_one_way = 450'000'000'000;
  chip.wrap = WrapRule::Switch;
  return chip;
}

// Eight chips with a link to each other one.
inline Chip mi300x() {
  Chip chip{"MI300X", {8}, {}};
  chip.ici_one_way = 64'000'000'000;
  chip.wrap = WrapRule::Full;
  return chip;
}

inline DeclaredAxis axis(std::string name, std::vector<std::int64_t> sizes) {
  return {std::move(name), std::move(sizes), AxisKind::Ici, std::nullopt, std::nullopt};
}
inline DeclaredAxis ring(std::string name, std::int64_t size) {
  return {std::move(name), {size}, AxisKind::Ici, true, std::nullopt};
}
inline DeclaredAxis line(std::string name, std::int64_t size) {
  return {std::move(name), {size}, AxisKind::Ici, false, std::nullopt};
}
inline DeclaredAxis dcn(std::string name, std::int64_t size) {
  return {std::move(name), {size}, AxisKind::Dcn, std::nullopt, std::nullopt};
}

// A mesh without a slice.
inline Machine machine(const Chip& chip, const std::vector<DeclaredAxis>& axes) {
  return {chip, std::get<Mesh>(fit_mesh(chip, std::nullopt, axes))};
}
inline Machine machine_on(const Chip& chip, std::vector<std::int64_t> slice,
                          const std::vector<DeclaredAxis>& axes) {
  return {chip, std::get<Mesh>(fit_mesh(chip, Slice{std::move(slice), std::nullopt}, axes))};
}
// A slice whose axes are X, Y, Z.
inline Machine slice(const Chip& chip, std::vector<std::int64_t> lengths) {
  return {chip, default_mesh(chip, {std::move(lengths), std::nullopt})};
}
// No chip and no sizes: each axis is its own symbol.
inline Machine symbolic(const std::vector<std::string>& names) {
  Machine result;
  for (const std::string& name : names) {
    result.mesh.axes.add({name, Amount::symbol(name), AxisKind::Ici, {}, std::nullopt});
  }
  return result;
}

// The axes of one-letter names: "XY".
inline std::vector<AxisId> axes(const Machine& machine, std::string_view letters) {
  std::vector<AxisId> result;
  for (const char letter : letters) {
    const auto id = machine.mesh.find(std::string_view(&letter, 1));
    EXPECT_TRUE(id.has_value()) << "no axis " << letter;
    result.push_back(id.value_or(AxisId{0}));
  }
  return result;
}

// {"XY", ""} is [I_{XY}, J]; `unreduced` are the letters of {U_…}, in the order of the mesh.
inline Layout layout(const Machine& machine, const std::vector<std::string>& dims,
                     std::string_view unreduced = "") {
  Layout result;
  for (const std::string& letters : dims) result.dims.edit().push_back(axes(machine, letters));
  result.unreduced = axes(machine, unreduced);
  return result;
}

inline Copy array(std::vector<Amount> shape, Layout layout, DType dtype = DType::Bf16) {
  Copy copy;
  copy.name = "A";
  for (std::size_t i = 0; i < shape.size(); ++i) copy.dimensions.edit().emplace_back(1, "IJKL"[i]);
  copy.shape = std::move(shape);
  copy.dtype = dtype;
  copy.layout = std::move(layout);
  return copy;
}

// A collective that takes `from` to `to`.
inline Cost collective(CollectiveKind kind, const Machine& machine, std::string_view over,
                       const std::vector<Amount>& shape, Layout from, Layout to,
                       DType dtype = DType::Bf16) {
  return cost_of_collective(kind, axes(machine, over), 0, array(shape, std::move(from), dtype),
                            array(shape, std::move(to), dtype), machine);
}

inline double number(const Formula& formula) {
  const auto value = formula.constant();
  EXPECT_TRUE(value.has_value()) << formula.to_string();
  return value.value_or(Rational(-1)).to_double();
}
inline std::string seconds(const Formula& formula) { return format_seconds(number(formula)); }

}  // namespace shard::testing
