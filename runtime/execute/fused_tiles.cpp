#include "runtime/execute/fused_tiles.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "runtime/element/number.h"
#include "runtime/execute/tile_program.h"

namespace shard {
namespace {

// At least one in this many computed columns must be wanted: more waste outweighs what not storing partial sums saves.
constexpr std::int64_t kMostWaste = 4;
// Tasks per thread, so that threads do not wait long for the last one.
constexpr std::int64_t kTasksOfThread = 16;

}  // namespace

// One thread's tiles of some areas.
class SumOfProducts::Tiles {
 public:
  Tiles(const SumOfProducts& all, const Strips& rows, const Strips& columns)
      : all_(all), rows_(rows), columns_(columns) {}

  // The part of an area that is in one strip of columns.
  std::uint64_t run(const Area& area, std::int64_t strip) {
    const std::int64_t first = std::max(area.column, strip * kTileColumns);
    const std::int64_t end = std::min(area.column + area.columns, (strip + 1) * kTileColumns);
    if (first >= end) return 0;
    program_.make(*area.alike->variant, area.alike->segment.place);
    tiles_.resize(program_.temporaries() * kTileSize);
    std::uint64_t clamped = 0;
    for (std::int64_t row = area.row; row < area.row + area.rows;) {
      const std::int64_t in_tile = row % kTileRows;
      const std::int64_t count = std::min(kTileRows - in_tile, area.row + area.rows - row);
      add(area.alike->group, row / kTileRows, strip, {in_tile, count});
      clamped += store(area, row, count, first, end);
      row += count;
    }
    return clamped;
  }

 private:
  float* tile(std::size_t i) { return tiles_.data() + i * kTileSize; }

  void add(std::size_t group, std::int64_t row_strip, std::int64_t column_strip, TileRows rows) {
    const TileOperands operands{rows_.at(rows_.sets[group], row_strip, 0),
                                columns_.at(columns_.sets[group], column_strip, 0), rows_.step(),
                                columns_.step(), rows_.operand.steps()};
    const std::span<const std::int32_t> places(program_.places());
    for (const TileProgram::Step& step : program_.steps()) {
      float* to = tile(step.to);
      if (step.is_products) {
        add_products(operands, all_.product_.kernel,
                     places.subspan(step.from, step.end - step.from), rows, step.adds, to);
        continue;
      }
      const float* from = tile(step.from);
      for (std::int64_t i = 0; i < rows.count * kTileColumns; ++i)
        to[i] = step.adds ? to[i] + from[i] : from[i];
    }
  }

  std::uint64_t store(const Area& area, std::int64_t row, std::int64_t rows, std::int64_t first,
                      std::int64_t end) {
    std::uint64_t clamped = 0;
    with_element_type(all_.result_.storage, [&](auto element) {
      using To = decltype(element);
      To* block = reinterpret_cast<To*>(all_.result_.shards[area.alike->shard]->data());
      for (std::int64_t r = 0; r < rows; ++r) {
        const float* from = tile(0) + r * kTileColumns + first % kTileColumns;
        To* to = block + area.target + (row + r - area.row) * area.target_row +
                 (first - area.column) * area.target_column;
        for (std::int64_t c = 0; c < end - first; ++c)
          to[c * area.target_column] = convert<To>(from[c], clamped);
      }
    });
    return clamped;
  }

  const SumOfProducts& all_;
  const Strips& rows_;
  const Strips& columns_;
  TileProgram program_;
  std::vector<float> tiles_;
};

SumOfProducts::SumOfProducts(const ShortProduct& product, std::vector<const std::byte*> first,
                             std::vector<const std::byte*> second, const SumInOrder& sum,
                             const DeviceArray& partial, DeviceArray& result)
    : product_(product),
      first_(std::move(first)),
      second_(std::move(second)),
      sum_(sum),
      partial_(partial),
      result_(result),
      alike_(sum.all_alike()) {
  find_areas(partial);
  turned_ = computed_columns(true) < computed_columns(false);
  if (turned_) std::transform(areas_.begin(), areas_.end(), areas_.begin(), turned);
  // By group, as groups have their own strips.
  std::stable_sort(areas_.begin(), areas_.end(),
                   [](const Area& a, const Area& b) { return a.alike->group < b.alike->group; });
}

void SumOfProducts::find_areas(const DeviceArray& partial) {
  const Rows runs(result_.local_shape, partial.local_shape);
  const std::int64_t columns = static_cast<std::int64_t>(product_.second.lines.size());
  for (const SumInOrder::Alike& alike : alike_) {
    for (std::int64_t at = alike.segment.begin; at < alike.segment.end;) {
      const std::int64_t end = std::min(alike.segment.end, (at / runs.length + 1) * runs.length);
      std::int64_t source = alike.offset + runs.offset(at);
      while (at < end) {
        const std::int64_t column = source % columns;
        const bool whole = column == 0 && end - at >= columns;
        const std::int64_t rows = whole ? (end - at) / columns : 1;
        const std::int64_t taken = whole ? columns : std::min(columns - column, end - at);
        append({&alike, source / columns, rows, column, taken, at, taken, 1});
        at += rows * taken;
        source += rows * taken;
      }
    }
  }
}

// Rows directly below one another become one area.
void SumOfProducts::append(const Area& area) {
  if (!areas_.empty()) {
    Area& last = areas_.back();
    const bool joins = last.alike == area.alike && last.row + last.rows == area.row &&
                       last.column == area.column && last.columns == area.columns &&
                       last.target + last.rows * last.target_row == area.target;
    if (joins) {
      last.rows += area.rows;
      return;
    }
  }
  areas_.push_back(area);
}

SumOfProducts::Area SumOfProducts::turned(const Area& area) {
  Area turned = area;
  std::swap(turned.row, turned.column);
  std::swap(turned.rows, turned.columns);
  std::swap(turned.target_row, turned.target_column);
  return turned;
}

std::int64_t SumOfProducts::computed_columns(bool is_turned) const {
  std::int64_t all = 0;
  for (const Area& one : areas_) {
    const Area area = is_turned ? turned(one) : one;
    all += elements_of_tiles(area.rows, area.column % kTileColumns + area.columns);
  }
  return all;
}

bool SumOfProducts::is_worthwhile() const {
  std::int64_t wanted = 0;
  for (const Area& area : areas_) wanted += area.rows * area.columns;
  return computed_columns(false) <= kMostWaste * wanted;
}

SumOfProducts::Strips SumOfProducts::strips_of(bool of_first, std::int64_t width) const {
  Strips strips{of_first ? product_.first : product_.second, width, {}, {}, nullptr};
  std::map<std::vector<const std::byte*>, std::size_t> known;
  for (const auto& group : sum_.groups()) {
    std::vector<const std::byte*> blocks;
    for (const std::size_t shard : group) blocks.push_back((of_first ? first_ : second_)[shard]);
    const auto [found, is_new] = known.try_emplace(blocks, strips.blocks.size());
    if (is_new) strips.blocks.push_back(std::move(blocks));
    strips.sets.push_back(found->second);
  }
  return strips;
}

void SumOfProducts::cut(Strips& strips, const Executor& executor) const {
  const std::size_t places = strips.blocks.front().size();
  const std::size_t blocks = strips.blocks.size() * places;
  const std::size_t bytes =
      blocks * static_cast<std::size_t>(strips.count() * strips.step()) * sizeof(float);
  strips.memory = take_buffers(1, bytes, partial_.pool).front();
  executor.parallel_for_each_shard(
      blocks,
      [&](std::size_t block) {
        const std::size_t set = block / places;
        const std::size_t place = block % places;
        for (std::int64_t strip = 0; strip < strips.count(); ++strip)
          strips.operand.cut(strips.blocks[set][place], strip, strips.width,
                             strips.at(set, strip, static_cast<std::int64_t>(place)));
      },
      bytes);
}

std::uint64_t SumOfProducts::run(const Executor& executor) {
  Strips rows = strips_of(!turned_, kTileRows);
  Strips columns = strips_of(turned_, kTileColumns);
  cut(rows, executor);
  cut(columns, executor);
  const auto areas = static_cast<std::int64_t>(areas_.size());
  const std::int64_t slices =
      std::clamp(executor.threads() * kTasksOfThread / columns.count(), std::int64_t{1}, areas);
  const auto tasks = static_cast<std::size_t>(columns.count() * slices);
  std::vector<std::uint64_t> clamped(tasks, 0);
  executor.parallel_for_each_shard(tasks, [&](std::size_t task) {
    const auto strip = static_cast<std::int64_t>(task) / slices;
    const auto slice = static_cast<std::int64_t>(task) % slices;
    Tiles tiles(*this, rows, columns);
    for (std::int64_t a = areas * slice / slices; a < areas * (slice + 1) / slices; ++a)
      clamped[task] += tiles.run(areas_[static_cast<std::size_t>(a)], strip);
  });
  return std::accumulate(clamped.begin(), clamped.end(), std::uint64_t{0});
}

}  // namespace shard
