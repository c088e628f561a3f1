#include "runtime/redistribute.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/check.h"
#include "base/find.h"
#include "runtime/block.h"
#include "runtime/number.h"

namespace shard {
namespace {

// A part of one result shard and where it comes from.
struct Piece {
  Extents extents;
  std::vector<std::size_t>
      sources;  // operand shards: one, or the partial sums in the order of addition
  std::int64_t source_offset = 0;  // of the first element, in elements
  std::int64_t target_offset = 0;
};

struct Move {
  const DeviceArray& operand;
  const DeviceArray& result;
  const Mesh& mesh;
  std::vector<AxisId> summed;   // operand is unreduced over them, result is not
  std::vector<bool> exchanged;  // by axis: devices along it exchange blocks
  std::vector<bool> in_result;  // by axis: the result's layout uses it
  Extents source_strides;
  Extents target_strides;
};

std::size_t position(AxisId axis) { return static_cast<std::size_t>(axis.value); }

Move plan_move(const DeviceArray& operand, const std::vector<AxisId>& axes, const Mesh& mesh,
               const DeviceArray& result) {
  SHARD_CHECK(operand.shape == result.shape);
  Move move{operand,
            result,
            mesh,
            {},
            std::vector<bool>(mesh.axes.size()),
            std::vector<bool>(mesh.axes.size()),
            row_major_strides(operand.local_shape),
            row_major_strides(result.local_shape)};
  for (AxisId axis : axes) move.exchanged[position(axis)] = true;
  for (AxisId axis : result.shard_axes) move.in_result[position(axis)] = true;
  for (AxisId axis : operand.layout.unreduced) {
    if (!contains(result.layout.unreduced, axis)) move.summed.push_back(axis);
  }
  for (AxisId axis : result.layout.unreduced) SHARD_CHECK(contains(operand.layout.unreduced, axis));
  return move;
}

// Whether the devices of a result shard read their own block of the operand: they agree with its
// holder at `held` on every axis of the operand. On `exchanged` axes they need not.
bool is_local(const Move& move, const std::vector<std::int64_t>& wanted,
              const std::vector<std::int64_t>& held, bool except_exchanged) {
  return std::all_of(move.operand.shard_axes.begin(), move.operand.shard_axes.end(),
                     [&](AxisId axis) {
                       const std::size_t a = position(axis);
                       return (except_exchanged && move.exchanged[a]) ||
                              (move.in_result[a] && wanted[a] == held[a]);
                     });
}

// The operand shards that hold the block with these numbers per dimension, as the device at
// `wanted` sees them.
std::vector<std::size_t> holders(const Move& move, const Extents& block,
                                 const std::vector<std::int64_t>& wanted) {
  std::vector<std::int64_t> held = wanted;
  for (std::size_t d = 0; d < block.size(); ++d)
    place_along(move.operand.layout.dims[d], block[d], held, move.mesh);
  std::vector<std::size_t> sources;
  const std::int64_t partials = length_of(move.summed, move.mesh);
  for (std::int64_t p = 0; p < partials; ++p) {
    place_along(move.summed, p, held, move.mesh);
    SHARD_CHECK(is_local(move, wanted, held, /*except_exchanged=*/true));
    sources.push_back(shard_of(move.operand, held, move.mesh));
  }
  return sources;
}

// The overlap of the operand's block number `block` with the region that begins at `origin`.
Piece overlap(const Move& move, const Extents& block, const Extents& origin,
              const Extents& extents) {
  Piece piece;
  piece.extents.reserve(block.size());
  for (std::size_t d = 0; d < block.size(); ++d) {
    const std::int64_t block_begin = block[d] * move.operand.local_shape[d];
    const std::int64_t begin = std::max(origin[d], block_begin);
    const std::int64_t end =
        std::min(origin[d] + extents[d], block_begin + move.operand.local_shape[d]);
    piece.extents.push_back(end - begin);
    piece.source_offset += (begin - block_begin) * move.source_strides[d];
    piece.target_offset += (begin - origin[d]) * move.target_strides[d];
  }
  return piece;
}

// The next block in row-major order between first and last, both included; false after the last.
bool advance(Extents& block, const Extents& first, const Extents& last) {
  for (std::size_t d = block.size(); d-- > 0;) {
    if (++block[d] <= last[d]) return true;
    block[d] = first[d];
  }
  return false;
}

// All pieces of a result shard.
std::vector<Piece> pieces_of(const Move& move, std::size_t shard) {
  const auto wanted = holder_of(move.result, shard, move.mesh);
  const Extents origin = block_origin(move.result, wanted, move.mesh);
  const Extents& extents = move.result.local_shape;
  if (element_count(extents) == 0) return {};
  Extents first(origin.size());
  Extents last(origin.size());
  for (std::size_t d = 0; d < origin.size(); ++d) {
    first[d] = origin[d] / move.operand.local_shape[d];
    last[d] = (origin[d] + extents[d] - 1) / move.operand.local_shape[d];
  }
  std::vector<Piece> pieces;
  Extents block = first;
  do {
    pieces.push_back(overlap(move, block, origin, extents));
    pieces.back().sources = holders(move, block, wanted);
  } while (advance(block, first, last));
  return pieces;
}

// Whether every device of the result shard holds exactly its content in `operand`, so that nothing
// moves.
bool keeps_buffer(const Move& move, std::size_t shard, const std::vector<Piece>& pieces) {
  if (pieces.size() != 1 || pieces.front().sources.size() != 1) return false;
  if (move.operand.storage != move.result.storage ||
      pieces.front().extents != move.operand.local_shape)
    return false;
  const auto wanted = holder_of(move.result, shard, move.mesh);
  const auto held = holder_of(move.operand, pieces.front().sources.front(), move.mesh);
  return is_local(move, wanted, held, /*except_exchanged=*/false);
}

// Large pieces are cut along their longest dimension, so that a few shards still keep all threads
// busy. The cut depends on the shape alone.
constexpr std::int64_t kCutElements = std::int64_t{1} << 18;
constexpr std::int64_t kMostCuts = 64;

struct Task {
  std::size_t shard;
  Piece piece;
};

void append_cut(const Move& move, std::size_t shard, const Piece& piece, std::vector<Task>& tasks) {
  const auto longest = std::max_element(piece.extents.begin(), piece.extents.end());
  const std::int64_t cuts = std::min(element_count(piece.extents) / kCutElements, kMostCuts);
  if (longest == piece.extents.end() || cuts <= 1) return tasks.push_back({shard, piece});
  const auto d = static_cast<std::size_t>(longest - piece.extents.begin());
  const std::int64_t length = (*longest + cuts - 1) / cuts;
  for (std::int64_t begin = 0; begin < *longest; begin += length) {
    Piece part = piece;
    part.extents[d] = std::min(length, *longest - begin);
    part.source_offset += begin * move.source_strides[d];
    part.target_offset += begin * move.target_strides[d];
    tasks.push_back({shard, std::move(part)});
  }
}

std::uint64_t perform(const Move& move, const Task& task) {
  const DeviceArray& operand = move.operand;
  const auto source_bytes =
      task.piece.source_offset * static_cast<std::int64_t>(element_size(operand.storage));
  const auto target_bytes =
      task.piece.target_offset * static_cast<std::int64_t>(element_size(move.result.storage));
  const TargetBlock target{move.result.shards[task.shard]->data() + target_bytes,
                           move.result.storage, move.target_strides};
  std::vector<const std::byte*> sources;
  for (std::size_t source : task.piece.sources)
    sources.push_back(operand.shards[source]->data() + source_bytes);
  if (sources.size() > 1)
    return sum_blocks(task.piece.extents, sources, operand.storage, move.source_strides, target,
                      operand.layout.combination);
  return copy_block(task.piece.extents, {sources.front(), operand.storage, move.source_strides},
                    target);
}

}  // namespace

std::uint64_t redistribute(const DeviceArray& operand, const std::vector<AxisId>& axes,
                           const Mesh& mesh, const Executor& executor, DeviceArray& result) {
  const Move move = plan_move(operand, axes, mesh, result);
  std::vector<Task> tasks;
  for (std::size_t s = 0; s < result.shards.size(); ++s) {
    const std::vector<Piece> pieces = pieces_of(move, s);
    if (keeps_buffer(move, s, pieces)) {
      result.shards[s] = operand.shards[pieces.front().sources.front()];
      continue;
    }
    for (const Piece& piece : pieces) append_cut(move, s, piece, tasks);
  }
  allocate_missing(result);
  std::vector<std::uint64_t> clamped(tasks.size(), 0);
  executor.parallel_for_each_shard(tasks.size(),
                                   [&](std::size_t t) { clamped[t] = perform(move, tasks[t]); });
  return std::accumulate(clamped.begin(), clamped.end(), std::uint64_t{0});
}

void shift_blocks(const DeviceArray& operand, const std::vector<AxisId>& axes, std::int64_t shift,
                  const Mesh& mesh, const Executor& executor, DeviceArray& result) {
  SHARD_CHECK(operand.layout == result.layout && operand.storage == result.storage);
  const std::int64_t length = length_of(axes, mesh);
  std::vector<std::size_t> sources;
  for (std::size_t s = 0; s < result.shards.size(); ++s) {
    auto coordinates = holder_of(result, s, mesh);
    const std::int64_t down = index_along(axes, coordinates, mesh) - shift % length;
    place_along(axes, (down + length) % length, coordinates, mesh);
    sources.push_back(shard_of(operand, coordinates, mesh));
    if (sources.back() == s) result.shards[s] = operand.shards[s];
  }
  allocate_missing(result);
  executor.parallel_for_each_shard(sources.size(), [&](std::size_t s) {
    if (sources[s] == s) return;
    std::memcpy(result.shards[s]->data(), operand.shards[sources[s]]->data(), shard_bytes(operand));
  });
}

}  // namespace shard
