#include "runtime/collective/redistribute.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/contains.h"
#include "runtime/array/block_copy.h"
#include "runtime/element/number.h"
#include "runtime/network/block_moves.h"
#include "runtime/platform/stream_copy.h"

namespace shard {
namespace {

// Parts of result shards that differ only in their offsets.
struct PieceShape {
  Extents extents;
  std::int64_t cuts;  // the number of cuts to make
  BlockCopy copy;
};

// A part of one result shard, and its source.
struct BlockPart {
  std::size_t shard;
  std::size_t source;  // operand shard
  std::size_t shape;
  std::int64_t source_offset;  // of the first element, in elements
  std::int64_t target_offset;
};

// What follows from the two layouts, the same for all result shards.
struct LayoutChange {
  const DeviceArray& operand;
  const DeviceArray& result;
  const Mesh& mesh;
  std::int64_t source_size;  // bytes per element
  std::int64_t target_size;
  Extents source_strides;
  Extents target_strides;
  // By dimension and block of the operand: what the block contributes to the number of its shard, and its number
  // without the coordinates on axes along which devices exchange.
  std::vector<std::vector<std::size_t>> shard_parts;
  std::vector<std::vector<std::int64_t>> fixed_parts;
  // By result shard: the operand shard it would need if every block number were 0; and, by dimension and result shard:
  // where it begins, which of `fixed_parts` it needs, and which block of the operand its device has.
  std::vector<std::int64_t> first_sources;
  std::vector<std::vector<std::int64_t>> origins;
  std::vector<std::vector<std::int64_t>> fixed;
  std::vector<std::vector<std::int64_t>> held;
  bool all_in_result = true;  // all devices of a result shard agree on the operand's axes
};

// By index along `axes`: the number that the coordinates on `some` of them form.
std::vector<std::int64_t> numbers_along(const std::vector<AxisId>& axes,
                                        const std::vector<AxisId>& some, const Mesh& mesh) {
  std::vector<std::int64_t> numbers = {0};
  for (const AxisId axis : axes) {
    const std::int64_t length = length_of(axis, mesh);
    const bool counts = contains(some, axis);
    std::vector<std::int64_t> longer;
    for (const std::int64_t number : numbers) {
      for (std::int64_t c = 0; c < length; ++c)
        longer.push_back(counts ? number * length + c : number);
    }
    numbers = std::move(longer);
  }
  return numbers;
}

LayoutChange plan_move(const DeviceArray& operand, const std::vector<AxisId>& axes,
                       const Mesh& mesh, const DeviceArray& result) {
  SHARD_CHECK(operand.shape == result.shape);
  LayoutChange move{operand,
                    result,
                    mesh,
                    static_cast<std::int64_t>(element_size(operand.storage)),
                    static_cast<std::int64_t>(element_size(result.storage)),
                    row_major_strides(operand.local_shape),
                    row_major_strides(result.local_shape),
                    {},
                    {},
                    {},
                    {},
                    {},
                    {}};
  SHARD_CHECK(operand.layout.unreduced == result.layout.unreduced);
  move.first_sources.assign(result.shards.size(), 0);
  const auto is_in_dimension = [&](AxisId axis) {
    return std::any_of(operand.layout.dims.begin(), operand.layout.dims.end(),
                       [&](const auto& dim) { return contains(dim, axis); });
  };
  for (AxisId axis : operand.shard_axes) {
    move.all_in_result = move.all_in_result && fixes_coordinate(result, axis);
    SHARD_CHECK(contains(axes, axis) || fixes_coordinate(result, axis));
    if (is_in_dimension(axis)) continue;
    const auto stride = static_cast<std::int64_t>(shard_stride(operand, axis, mesh));
    const auto coordinates = indices_along({axis}, result, mesh);
    for (std::size_t s = 0; s < coordinates.size(); ++s)
      move.first_sources[s] += stride * coordinates[s];
  }
  for (std::size_t d = 0; d < operand.layout.rank(); ++d) {
    const auto& dim = operand.layout.dims[d];
    std::vector<AxisId> fixed;
    std::copy_if(dim.begin(), dim.end(), std::back_inserter(fixed),
                 [&](AxisId axis) { return !contains(axes, axis); });
    move.shard_parts.push_back(shard_parts_along(dim, operand, mesh));
    move.fixed_parts.push_back(numbers_along(dim, fixed, mesh));
    move.fixed.push_back(indices_along(fixed, result, mesh));
    move.held.push_back(indices_along(dim, result, mesh));
    move.origins.push_back(indices_along(result.layout.dims[d], result, mesh));
    for (std::int64_t& origin : move.origins.back()) origin *= result.local_shape[d];
  }
  return move;
}

// The part of one dimension of a result block that comes from one block of the operand.
struct DimensionPart {
  std::int64_t extent;
  std::int64_t source_offset;
  std::int64_t target_offset;
  std::size_t shard_part;
};

// Lists the pieces of the result's shards.
class Pieces {
 public:
  Pieces(const LayoutChange& move, bool streamed) : move_(move), streamed_(streamed) {}

  // Examines a result shard. Returns the operand shard that equals it and is already on each of its devices, if there
  // is one.
  std::optional<std::size_t> look_at(std::size_t shard) {
    shard_ = shard;
    spans_.resize(move_.shard_parts.size());
    for (std::size_t d = 0; d < spans_.size(); ++d) fill_spans(d);
    if (count() != 1 || !is_there_already()) return std::nullopt;
    auto source = static_cast<std::size_t>(move_.first_sources[shard]);
    for (const auto& spans : spans_) source += spans.front().shard_part;
    return source;
  }
  // The number of pieces of the shard last examined, and their listing.
  std::size_t count() const {
    std::size_t count = 1;
    for (const auto& spans : spans_) count *= spans.size();
    return count;
  }
  void add() {
    extents_.resize(spans_.size(), -1);
    add_pieces(0, {shard_, static_cast<std::size_t>(move_.first_sources[shard_]), 0, 0, 0});
  }
  void clear() { list_.clear(); }

  const std::vector<BlockPart>& list() const { return list_; }
  const std::vector<PieceShape>& shapes() const { return shapes_; }

 private:
  void fill_spans(std::size_t d) {
    const std::int64_t length = move_.operand.local_shape[d];
    const std::int64_t own = move_.result.local_shape[d];
    const std::int64_t origin = move_.origins[d][shard_];
    spans_[d].clear();
    if (own == 0) return;
    const std::int64_t fixed = move_.fixed[d][shard_];
    for (std::int64_t block = origin / length; block * length < origin + own; ++block) {
      const auto b = static_cast<std::size_t>(block);
      // A device that exchanges with this one must have what is needed.
      SHARD_CHECK(move_.fixed_parts[d][b] == fixed);
      const std::int64_t begin = std::max(origin, block * length);
      const std::int64_t end = std::min(origin + own, (block + 1) * length);
      spans_[d].push_back({end - begin, (begin - block * length) * move_.source_strides[d],
                           (begin - origin) * move_.target_strides[d], move_.shard_parts[d][b]});
    }
  }

  // Whether the single piece is a whole block that all devices of the result shard hold.
  bool is_there_already() const {
    if (!move_.all_in_result) return false;
    for (std::size_t d = 0; d < spans_.size(); ++d) {
      const DimensionPart& span = spans_[d].front();
      if (span.extent != move_.operand.local_shape[d]) return false;
      const auto held = static_cast<std::size_t>(move_.held[d][shard_]);
      if (move_.shard_parts[d][held] != span.shard_part) return false;
    }
    return move_.operand.storage == move_.result.storage;
  }

  void add_pieces(std::size_t d, const BlockPart& piece) {
    if (d == spans_.size()) {
      if (!shape_) shape_ = shape_of(extents_);
      return add_cut(piece, *shape_);
    }
    for (const DimensionPart& span : spans_[d]) {
      if (extents_[d] != span.extent) {
        extents_[d] = span.extent;
        shape_.reset();
      }
      add_pieces(d + 1, {piece.shard, piece.source + span.shard_part, 0,
                         piece.source_offset + span.source_offset,
                         piece.target_offset + span.target_offset});
    }
  }

  std::size_t shape_of(const Extents& extents) {
    for (std::size_t i = shapes_.size(); i-- > 0;) {
      if (shapes_[i].extents == extents) return i;
    }
    // Cuts large pieces, so that a few shards still keep all threads busy: pieces of 2^18 elements are long enough that
    // a task costs little, and 64 are plenty for any number of threads. The cut depends on the shape alone.
    constexpr std::int64_t kCutElements = std::int64_t{1} << 18;
    constexpr std::int64_t kMostCuts = 64;
    const std::int64_t cuts = std::min(element_count(extents) / kCutElements, kMostCuts);
    shapes_.push_back({extents, extents.empty() ? 1 : cuts,
                       BlockCopy(extents, move_.operand.storage, move_.source_strides,
                                 move_.result.storage, move_.target_strides, streamed_)});
    return shapes_.size() - 1;
  }

  void add_cut(const BlockPart& piece, std::size_t shape) {
    const std::int64_t cuts = shapes_[shape].cuts;
    if (cuts <= 1) {
      list_.push_back(piece);
      list_.back().shape = shape;
      return;
    }
    const Extents whole = shapes_[shape].extents;
    // Cuts between rows if there are enough: rows split into 1 KiB pieces took 7 ms instead of 2.8 (bench/README.md).
    auto along = std::find_if(whole.begin(), whole.end(),
                              [cuts](std::int64_t extent) { return extent >= cuts; });
    if (along == whole.end()) along = std::max_element(whole.begin(), whole.end());
    const auto d = static_cast<std::size_t>(along - whole.begin());
    const std::int64_t length = (whole[d] + cuts - 1) / cuts;
    for (std::int64_t begin = 0; begin < whole[d]; begin += length) {
      Extents extents = whole;
      extents[d] = std::min(length, whole[d] - begin);
      list_.push_back({piece.shard, piece.source, shape_of(extents),
                       piece.source_offset + begin * move_.source_strides[d],
                       piece.target_offset + begin * move_.target_strides[d]});
    }
  }

  const LayoutChange& move_;
  bool streamed_;
  std::size_t shard_ = 0;                          // the shard last examined
  std::vector<std::vector<DimensionPart>> spans_;  // by dimension
  Extents extents_;
  std::optional<std::size_t> shape_;  // the shape with these extents
  std::vector<BlockPart> list_;
  std::vector<PieceShape> shapes_;
};

std::uint64_t perform(const LayoutChange& move, const PieceShape& shape, const BlockPart& piece) {
  const std::int64_t source_bytes = piece.source_offset * move.source_size;
  const std::int64_t target_bytes = piece.target_offset * move.target_size;
  std::byte* target = move.result.shards[piece.shard]->data() + target_bytes;
  return shape.copy.run(move.operand.shards[piece.source]->data() + source_bytes, target);
}

// Bytes per task: enough that handing one out costs little in comparison.
constexpr std::size_t kTaskBytes = std::size_t{1} << 18;
// What a piece costs besides its bytes, in bytes; a rough figure, which only sizes tasks.
constexpr std::size_t kPieceWork = 256;
// With as many shards, tasks of whole shards balance the load between threads.
constexpr std::size_t kManyShards = 32;

}  // namespace

std::uint64_t redistribute(const DeviceArray& operand, const std::vector<AxisId>& axes,
                           const Mesh& mesh, const Executor& executor, DeviceArray& result) {
  const LayoutChange move = plan_move(operand, axes, mesh, result);
  const std::size_t bytes = shard_bytes(result) * result.shards.size();
  const bool streamed = shard_bytes(result) * result.shards.size() >= kStreamedBytes;
  Pieces pieces(move, streamed);
  const bool may_stay = move.all_in_result && operand.storage == result.storage &&
                        operand.local_shape == result.local_shape;
  std::vector<std::size_t> moved;  // result shards
  for (std::size_t s = 0; s < result.shards.size(); ++s) {
    const auto there = may_stay ? pieces.look_at(s) : std::nullopt;
    if (there) {
      result.shards[s] = operand.shards[*there];
    } else {
      moved.push_back(s);
    }
  }
  allocate_missing(result);
  if (moved.empty() || element_count(result.local_shape) == 0) return 0;
  pieces.look_at(moved.front());
  const std::size_t count = moved.size() * pieces.count();
  const std::size_t work = bytes + count * kPieceWork;
  // With many small shards a task takes several; with a few large ones, some pieces.
  const bool by_shard = moved.size() >= kManyShards && bytes / moved.size() <= kTaskBytes;
  if (!by_shard) {
    for (const std::size_t s : moved) {
      pieces.look_at(s);
      pieces.add();
    }
  }
  const auto& list = pieces.list();
  const std::size_t all = by_shard ? moved.size() : list.size();
  const std::size_t in_task =
      by_shard ? std::clamp<std::size_t>(kTaskBytes / (work / all + 1), 1, all / kManyShards)
               : std::max<std::size_t>(kTaskBytes / (work / all + 1), 1);
  const std::size_t tasks = (all + in_task - 1) / in_task;
  std::vector<std::uint64_t> clamped(tasks, 0);
  const auto perform_list = [&](const Pieces& some, std::size_t begin, std::size_t end) {
    std::uint64_t count_clamped = 0;
    for (std::size_t p = begin; p < end; ++p)
      count_clamped += perform(move, some.shapes()[some.list()[p].shape], some.list()[p]);
    return count_clamped;
  };
  executor.parallel_for_each_shard(
      tasks,
      [&](std::size_t t) {
        const std::size_t begin = t * in_task;
        const std::size_t end = std::min(begin + in_task, all);
        if (by_shard) {
          Pieces own(move, streamed);
          for (std::size_t i = begin; i < end; ++i) {
            own.look_at(moved[i]);
            own.add();
            clamped[t] += perform_list(own, 0, own.list().size());
            own.clear();
          }
        } else {
          clamped[t] = perform_list(pieces, begin, end);
        }
        end_streaming();
      },
      work);
  return std::accumulate(clamped.begin(), clamped.end(), std::uint64_t{0});
}

void move_blocks(CollectiveKind kind, const DeviceArray& operand, const std::vector<AxisId>& axes,
                 int step, const Mesh& mesh, const Executor& executor, DeviceArray& result) {
  SHARD_CHECK(operand.layout == result.layout && operand.storage == result.storage);
  const std::int64_t length = length_of(axes, mesh);
  std::vector<std::int64_t> place_before(static_cast<std::size_t>(length));
  for (std::int64_t place = 0; place < length; ++place)
    place_before[static_cast<std::size_t>(place_after(kind, place, length, step))] = place;
  std::vector<std::size_t> sources;
  for (std::size_t s = 0; s < result.shards.size(); ++s) {
    auto coordinates = holder_of(result, s, mesh);
    const auto place = static_cast<std::size_t>(index_along(axes, coordinates, mesh));
    place_along(axes, place_before[place], coordinates, mesh);
    sources.push_back(shard_of(operand, coordinates, mesh));
    if (sources.back() == s) result.shards[s] = operand.shards[s];
  }
  allocate_missing(result);
  const std::size_t bytes = shard_bytes(operand);
  const std::size_t all = bytes * sources.size();
  // Cuts large blocks, so that a few of them keep all threads busy.
  const std::size_t parts = std::max<std::size_t>(bytes / kTaskBytes, 1);
  executor.parallel_for_each_shard(
      sources.size() * parts,
      [&](std::size_t t) {
        const std::size_t s = t / parts;
        if (sources[s] == s) return;
        const std::size_t begin = bytes / parts * (t % parts);
        const std::size_t end = t % parts + 1 == parts ? bytes : begin + bytes / parts;
        std::byte* target = result.shards[s]->data() + begin;
        const std::byte* source = operand.shards[sources[s]]->data() + begin;
        if (all < kStreamedBytes) {
          if (end > begin) std::memcpy(target, source, end - begin);
          return;
        }
        stream_copy(target, source, end - begin);
        end_streaming();
      },
      all);
}

}  // namespace shard
