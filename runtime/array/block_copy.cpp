#include "runtime/array/block_copy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <optional>

#include "runtime/array/block_loops.h"
#include "runtime/element/number.h"
#include "runtime/platform/simd.h"
#include "runtime/platform/stream_copy.h"

namespace shard {
namespace {

// The innermost two loops of a copy: `row` runs along the target's memory; `column` runs along the source's, if that is
// another direction.
struct Plane {
  BlockLoop column;
  BlockLoop row;
  bool dense() const { return row.source == 1 && row.target == 1; }
};

// Removes the plane's loops from `loops`.
Plane take_plane(std::vector<BlockLoop>& loops) {
  Plane plane;
  if (loops.empty()) {
    plane.row = {1, 1, 1};
    return plane;
  }
  plane.row = loops.back();
  loops.pop_back();
  if (loops.empty()) return plane;
  auto column = std::prev(loops.end());
  if (!plane.dense()) {
    column = std::min_element(
        loops.begin(), loops.end(),
        [](const BlockLoop& a, const BlockLoop& b) { return a.source < b.source; });
  }
  plane.column = *column;
  loops.erase(column);
  return plane;
}

// Rows of a few bytes, adjacent in the source but apart in the target, as in moves between many devices, are moved as
// one item each.
struct Items {
  std::size_t bytes;  // per item
  Plane plane;        // of items
};

// Removes their loops from `loops`; nullopt if there are no such items.
std::optional<Items> take_items(std::vector<BlockLoop>& loops, std::size_t element) {
  // Powers of two within these bounds compile to a move or two; other rows take the general copy.
  constexpr std::size_t kLeast = 4;
  constexpr std::size_t kMost = 32;
  if (loops.size() < 3 || loops.back().source != 1 || loops.back().target != 1) return std::nullopt;
  const std::int64_t together = loops.back().extent;
  const std::size_t bytes = static_cast<std::size_t>(together) * element;
  if (bytes < kLeast || bytes > kMost || !std::has_single_bit(bytes)) return std::nullopt;
  const auto column = std::find_if(loops.begin(), loops.end() - 2,
                                   [&](const BlockLoop& loop) { return loop.source == together; });
  if (column == loops.end() - 2) return std::nullopt;
  const Items items{bytes, {*column, *(loops.end() - 2)}};
  loops.resize(loops.size() - 2);
  loops.erase(column);
  return items;
}

// Items of `Bytes` bytes; the plane's strides are in elements of `element` bytes. A cache line of the source is read at
// once, and each row of the target is written contiguously after the one before.
template <std::size_t Bytes>
void copy_items(const Plane& plane, std::int64_t element, const std::byte* source,
                std::byte* target) {
  constexpr std::int64_t kLine = 64 / Bytes;
  const auto [column, row] = plane;
  for (std::int64_t i0 = 0; i0 < column.extent; i0 += kLine) {
    const std::int64_t i1 = std::min(i0 + kLine, column.extent);
    for (std::int64_t j = 0; j < row.extent; ++j) {
      for (std::int64_t i = i0; i < i1; ++i) {
        std::memcpy(target + (i * column.target + j * row.target) * element,
                    source + (i * column.source + j * row.source) * element, Bytes);
      }
    }
  }
}

void copy_items(const Items& items, std::int64_t element, const std::byte* source,
                std::byte* target) {
  switch (items.bytes) {
    case 4:
      return copy_items<4>(items.plane, element, source, target);
    case 8:
      return copy_items<8>(items.plane, element, source, target);
    case 16:
      return copy_items<16>(items.plane, element, source, target);
    default:
      return copy_items<32>(items.plane, element, source, target);
  }
}

constexpr std::int64_t kTile = 32;  // 32 × 32 fp64 of either side fit in the first-level cache

template <class To, class From>
std::uint64_t copy_tiled(const Plane& plane, const From* source, To* target) {
  std::uint64_t clamped = 0;
  const auto [column, row] = plane;
  for (std::int64_t i0 = 0; i0 < column.extent; i0 += kTile) {
    const std::int64_t i1 = std::min(i0 + kTile, column.extent);
    for (std::int64_t j0 = 0; j0 < row.extent; j0 += kTile) {
      const std::int64_t j1 = std::min(j0 + kTile, row.extent);
      for (std::int64_t i = i0; i < i1; ++i) {
        for (std::int64_t j = j0; j < j1; ++j) {
          target[i * column.target + j * row.target] =
              convert<To>(source[i * column.source + j * row.source], clamped);
        }
      }
    }
  }
  return clamped;
}

// Bytes; streaming shorter rows would leave most cache lines half written.
constexpr std::size_t kStreamedRow = 256;

// Converts one row.
template <class To, class From>
std::uint64_t convert_row(const From* from, std::int64_t count, To* to) {
  std::uint64_t clamped = 0;
  for (std::int64_t j = 0; j < count; ++j) to[j] = convert<To>(from[j], clamped);
  return clamped;
}

// Every int8 product is stored by this: written so that it vectorises.
SHARD_CLONES
std::uint64_t convert_row(const std::int32_t* from, std::int64_t count, std::int8_t* to) {
  // Counts fit 32 bits within a chunk, which keeps the inner loop in 32-bit lanes.
  constexpr std::int64_t kChunk = 1 << 16;
  std::uint64_t clamped = 0;
  for (std::int64_t begin = 0; begin < count; begin += kChunk) {
    const std::int64_t end = std::min(begin + kChunk, count);
    std::uint32_t outside = 0;
    for (std::int64_t j = begin; j < end; ++j) {
      const std::int32_t inside = std::min(std::max(from[j], -128), 127);
      outside += inside != from[j] ? 1 : 0;
      to[j] = static_cast<std::int8_t>(inside);
    }
    clamped += outside;
  }
  return clamped;
}

template <class To, class From>
std::uint64_t copy_plane(const Plane& plane, const From* source, To* target, bool streamed) {
  if (!plane.dense()) return copy_tiled(plane, source, target);
  std::uint64_t clamped = 0;
  for (std::int64_t i = 0; i < plane.column.extent; ++i) {
    const From* from = source + i * plane.column.source;
    To* to = target + i * plane.column.target;
    if constexpr (std::is_same_v<To, From>) {
      const std::size_t bytes = static_cast<std::size_t>(plane.row.extent) * sizeof(To);
      if (streamed && bytes >= kStreamedRow) {
        const From* next = i + 1 < plane.column.extent ? from + plane.column.source : nullptr;
        stream_copy(reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(from),
                    bytes, reinterpret_cast<const std::byte*>(next));
      } else {
        std::memcpy(to, from, bytes);
      }
    } else {
      clamped += convert_row(from, plane.row.extent, to);
    }
  }
  return clamped;
}

}  // namespace

Extents row_major_strides(const Extents& extents) {
  Extents strides(extents.size(), 1);
  for (std::size_t d = extents.size(); d-- > 1;)
    strides[d - 1] = strides[d] * std::max<std::int64_t>(extents[d], 1);
  return strides;
}

std::int64_t element_count(const Extents& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>{});
}

BlockCopy::BlockCopy(const Extents& extents, DType source_type, const Extents& source_strides,
                     DType target_type, const Extents& target_strides, bool streamed)
    : streamed_(streamed), source_type_(source_type), target_type_(target_type) {
  auto loops = loops_over(extents, source_strides, target_strides);
  empty_ = !loops;
  if (empty_) return;
  const auto items =
      source_type == target_type ? take_items(*loops, element_size(source_type)) : std::nullopt;
  const Plane plane = items ? items->plane : take_plane(*loops);
  item_ = items ? items->bytes : 0;
  column_ = plane.column;
  row_ = plane.row;
  loops_ = std::move(*loops);
}

std::uint64_t BlockCopy::run(const std::byte* source, std::byte* target) const {
  if (empty_) return 0;
  const Plane plane{column_, row_};
  if (item_ != 0) {
    const auto element = static_cast<std::int64_t>(element_size(source_type_));
    walk(loops_, [&](std::int64_t source_offset, std::int64_t target_offset) {
      copy_items({item_, plane}, element, source + source_offset * element,
                 target + target_offset * element);
    });
    return 0;
  }
  return with_element_type(source_type_, [&](auto from) {
    return with_element_type(target_type_, [&](auto to) {
      const auto* source_data = reinterpret_cast<const decltype(from)*>(source);
      auto* target_data = reinterpret_cast<decltype(to)*>(target);
      if (loops_.empty()) return copy_plane(plane, source_data, target_data, streamed_);
      std::uint64_t clamped = 0;
      walk(loops_, [&](std::int64_t source_offset, std::int64_t target_offset) {
        clamped +=
            copy_plane(plane, source_data + source_offset, target_data + target_offset, streamed_);
      });
      return clamped;
    });
  });
}

std::uint64_t copy_block(const Extents& extents, const SourceBlock& source,
                         const TargetBlock& target) {
  return BlockCopy(extents, source.type, source.strides, target.type, target.strides)
      .run(source.data, target.data);
}

void fill_offsets(const Extents& extents, const Extents& strides, std::int64_t begin,
                  std::int64_t count, std::vector<std::int64_t>& offsets) {
  Extents index(extents.size());
  std::int64_t rest = begin;
  std::int64_t offset = 0;
  for (std::size_t d = extents.size(); d-- > 0;) {
    index[d] = rest % extents[d];
    rest /= extents[d];
    offset += index[d] * strides[d];
  }
  for (std::int64_t i = 0; i < count; ++i) {
    offsets[static_cast<std::size_t>(i)] = offset;
    for (std::size_t d = extents.size(); d-- > 0;) {
      offset += strides[d];
      if (++index[d] < extents[d]) break;
      offset -= strides[d] * extents[d];
      index[d] = 0;
    }
  }
}

}  // namespace shard
