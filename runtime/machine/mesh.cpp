#include "runtime/machine/mesh.h"

#include <algorithm>

#include "base/check.h"
#include "base/contains.h"

namespace shard {

Rational TorusAxis::slowness(std::int64_t link) const {
  const auto found = std::find_if(slow.begin(), slow.end(),
                                  [&](const SlowLink& one) { return one.position == link; });
  return found == slow.end() ? Rational(1) : found->by;
}

Rational TorusAxis::slowness() const {
  Rational most = 1;
  for (const SlowLink& one : slow) {
    if (!contains(cuts, one.position)) most = std::max(most, one.by);
  }
  return most;
}
namespace {

std::int64_t number_of(const MeshAxis& axis) {
  const auto length = axis.length();
  SHARD_CHECK(length.has_value());
  return *length;
}

}  // namespace

std::optional<std::int64_t> MeshAxis::length() const {
  const auto number = size.constant();
  return number ? number->to_int64() : std::nullopt;
}

std::string MeshAxis::torus_name(std::size_t number) const {
  return number == 0 ? name : name + "." + std::to_string(number);
}

std::optional<AxisId> Mesh::find(std::string_view name) const {
  std::int32_t index = 0;
  for (const MeshAxis& axis : axes) {
    if (axis.name == name) return AxisId{index};
    ++index;
  }
  return std::nullopt;
}

std::optional<std::int64_t> Mesh::device_count() const {
  std::int64_t count = 1;
  for (const MeshAxis& axis : axes) {
    const auto length = axis.length();
    if (!length || __builtin_mul_overflow(count, *length, &count)) return std::nullopt;
  }
  return count;
}

std::vector<std::int64_t> coordinates(const Mesh& mesh, std::int64_t device) {
  std::vector<std::int64_t> result(mesh.axes.size());
  for (std::size_t i = result.size(); i-- > 0;) {
    const std::int64_t length = number_of(mesh.axes[AxisId{static_cast<std::int32_t>(i)}]);
    result[i] = device % length;
    device /= length;
  }
  return result;
}

std::int64_t device_at(const Mesh& mesh, const std::vector<std::int64_t>& coordinates) {
  SHARD_CHECK(coordinates.size() == mesh.axes.size());
  std::int64_t device = 0;
  std::size_t i = 0;
  for (const MeshAxis& axis : mesh.axes) device = device * number_of(axis) + coordinates[i++];
  return device;
}

}  // namespace shard
