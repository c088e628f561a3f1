#include "runtime/element/number.h"

namespace shard {

Bf16 to_bf16(double value) {
  const float nearest = static_cast<float>(value);
  if (std::isnan(value) || std::isinf(nearest) || static_cast<double>(nearest) == value)
    return to_bf16(nearest);
  // Round to odd: a set last bit keeps the discarded bits visible, so that the second rounding meets no false tie.
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  if (std::abs(static_cast<double>(nearest)) > std::abs(value)) --bits;
  return to_bf16(std::bit_cast<float>(bits | 1u));
}

std::size_t element_size(DType dtype) {
  return with_element_type(dtype, [](auto element) { return sizeof(element); });
}

double read_element(const std::byte* data, DType dtype, std::size_t index) {
  return with_element_type(dtype, [&](auto element) {
    using T = decltype(element);
    std::uint64_t clamped = 0;
    return convert<double>(reinterpret_cast<const T*>(data)[index], clamped);
  });
}

double rounded_to(DType dtype, double value) {
  return with_element_type(dtype, [&](auto element) {
    std::uint64_t clamped = 0;
    return convert<double>(convert<decltype(element)>(value, clamped), clamped);
  });
}

bool write_element(std::byte* data, DType dtype, std::size_t index, double value) {
  return with_element_type(dtype, [&](auto element) {
    using T = decltype(element);
    std::uint64_t clamped = 0;
    reinterpret_cast<T*>(data)[index] = convert<T>(value, clamped);
    return clamped != 0;
  });
}

}  // namespace shard
