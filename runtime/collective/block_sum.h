// Sums one block over devices, tile after tile: an implementation detail of reduce.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "runtime/array/block_copy.h"
#include "runtime/collective/reduction_order.h"
#include "runtime/element/number.h"
#include "runtime/platform/stream_copy.h"

namespace shard {

// Elements summed at a time, at most and at least, and bytes kept meanwhile, which fit into the second-level cache.
// With many devices tiles get smaller; below 64 elements the work per tile would outweigh the additions.
inline constexpr std::int64_t kTile = 4096;
inline constexpr std::int64_t kLeastTile = 64;
inline constexpr std::int64_t kTileBytes = std::int64_t{1} << 19;
// For runs of fewer elements, a call to copy takes longer than copying.
inline constexpr std::int64_t kShortRun = 16;

// Where the elements of a result block are in the operand's: rows of contiguous elements.
struct Rows {
  std::int64_t length = 1;
  Extents extents;  // of the block
  Extents strides;  // of the operand's

  Rows(const Extents& block, const Extents& operand) : extents(block) {
    strides = row_major_strides(operand);
    for (std::size_t d = block.size(); d-- > 0;) {
      length *= block[d];
      if (block[d] != operand[d]) break;
    }
  }

  std::int64_t offset(std::int64_t element) const {
    std::int64_t offset = 0;
    for (std::size_t d = extents.size(); d-- > 0;) {
      offset += element % extents[d] * strides[d];
      element /= extents[d];
    }
    return offset;
  }
};

// What the places hold of one result block.
struct Sources {
  const std::byte* const* first;           // the first place's shard
  const std::vector<std::size_t>& shards;  // by place: the distance from the first place's shard
  // In elements, to the first element of the result block; negative if only later elements are present.
  std::int64_t offset;
  const std::byte* at(std::int64_t place) const {
    return first[shards[static_cast<std::size_t>(place)]];
  }
};

// Elements of a tile that are contiguous both in the operand and in the result.
struct Run {
  std::int64_t source;  // the offset of the first in the operand's block
  std::int64_t target;  // in the result's block
  std::int64_t begin;   // in the tile
  std::int64_t count;
};

// Elements of a tile that one axis sums in the same way.
struct SummedRange {
  std::int64_t begin;
  std::int64_t end;
  std::int64_t coordinate;  // for which they are summed
};

// Sums one result block, in the type T.
template <class T>
class BlockSum {
 public:
  // `streamed`: written past the caches. `storage`: the type of the result's buffer.
  BlockSum(Combination combination, const Rows& rows, DType storage, bool streamed)
      : combination_(combination), rows_(rows), storage_(storage), streamed_(streamed) {}

  // Sums segments of a block. Returns how many elements were clamped.
  std::uint64_t run(const Sources& sources, std::byte* target, const Variant& variant,
                    const std::vector<Segment>& segments) {
    sources_ = &sources;
    target_ = target;
    std::int64_t elements = 0;
    for (const Segment& segment : segments) elements += segment.end - segment.begin;
    if (folds_ != &variant.folds || std::min(elements, kTile) > room_) {
      folds_ = &variant.folds;
      room_ = std::min(elements, kTile);
      reserve();
    }
    std::uint64_t clamped = 0;
    std::size_t next = 0;
    std::int64_t at = segments.front().begin;
    while (next < segments.size()) {
      fill(segments, next, at);
      clamped += finish();
    }
    if (streamed_) end_streaming();
    return clamped;
  }

 private:
  // Makes room for the parts along each axis, for temporaries and for the sum.
  void reserve() {
    std::int64_t arrays = 2;
    std::size_t temporaries = 0;
    for (const Fold& fold : *folds_) {
      arrays += fold.length;
      temporaries = std::max(temporaries, fold.sums->temporaries());
    }
    arrays += static_cast<std::int64_t>(temporaries);
    tile_ = std::clamp(kTileBytes / (arrays * static_cast<std::int64_t>(sizeof(T))), kLeastTile,
                       std::max(room_, kLeastTile));
    if (arrays * tile_ > capacity_) {
      capacity_ = arrays * tile_;
      memory_ = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(capacity_));
    }
    T* next = memory_.get();
    rooms_.clear();
    parts_.resize(folds_->size());
    spans_.resize(folds_->size());
    for (std::size_t j = 0; j < folds_->size(); ++j) {
      rooms_.push_back(next);
      parts_[j].resize(static_cast<std::size_t>((*folds_)[j].length));
      next += (*folds_)[j].length * tile_;
    }
    sum_ = next;
    temporaries_ = next + tile_;
  }

  // Collects a tile, starting with element `at` of segment `next`; advances both.
  void fill(const std::vector<Segment>& segments, std::size_t& next, std::int64_t& at) {
    runs_.clear();
    for (auto& spans : spans_) spans.clear();
    count_ = 0;
    while (next < segments.size() && count_ < tile_) {
      const Segment& segment = segments[next];
      const std::int64_t count = std::min(segment.end - at, tile_ - count_);
      add_runs(at, count);
      for (std::size_t j = 0; j < folds_->size(); ++j) add_span(j, segment.place, count);
      count_ += count;
      at += count;
      if (at < segment.end) break;
      if (++next < segments.size()) at = segments[next].begin;
    }
    places_.clear();
    if (count_ >= static_cast<std::int64_t>(runs_.size()) * kShortRun) return;
    for (const Run& run : runs_) {
      for (std::int64_t i = 0; i < run.count; ++i) places_.push_back(run.source + i);
    }
  }

  void add_runs(std::int64_t element, std::int64_t count) {
    std::int64_t begin = count_;
    while (count > 0) {
      const std::int64_t taken = std::min(count, rows_.length - element % rows_.length);
      const std::int64_t source = rows_.offset(element);
      const bool joins = !runs_.empty() && runs_.back().source + runs_.back().count == source &&
                         runs_.back().target + runs_.back().count == element;
      if (joins) {
        runs_.back().count += taken;
      } else {
        runs_.push_back({source, element, begin, taken});
      }
      begin += taken;
      element += taken;
      count -= taken;
    }
  }

  void add_span(std::size_t j, std::int64_t place, std::int64_t count) {
    const Fold& fold = (*folds_)[j];
    const std::int64_t coordinate = place / fold.stride % fold.length;
    if (!spans_[j].empty() && spans_[j].back().coordinate == coordinate) {
      spans_[j].back().end += count;
    } else {
      spans_[j].push_back({count_, count_ + count, coordinate});
    }
  }

  std::uint64_t finish() {
    const bool as_it_is = (std::is_same_v<T, double> ? DType::Fp64 : DType::Fp32) == storage_;
    if (as_it_is && runs_.size() == 1 && !streamed_) {
      fold(folds_->size() - 1, 0, reinterpret_cast<T*>(target_) + runs_.front().target);
      return 0;
    }
    fold(folds_->size() - 1, 0, sum_);
    std::uint64_t clamped = 0;
    with_element_type(storage_, [&](auto element) {
      using To = decltype(element);
      for (const Run& run : runs_) {
        To* to = reinterpret_cast<To*>(target_) + run.target;
        const T* from = sum_ + run.begin;
        if (std::is_same_v<To, T> && streamed_) {
          stream_copy(reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(from),
                      static_cast<std::size_t>(run.count) * sizeof(T));
          continue;
        }
        for (std::int64_t i = 0; i < run.count; ++i) to[i] = convert<To>(from[i], clamped);
      }
    });
    return clamped;
  }

  // Sums over the axes up to the j-th; `place` gives the coordinates on later ones.
  void fold(std::size_t j, std::int64_t place, T* result) {
    const Fold& fold = (*folds_)[j];
    for (std::int64_t c = 0; c < fold.length; ++c) {
      T* room = rooms_[j] + c * tile_;
      const std::int64_t part = place + c * fold.stride;
      const T*& data = parts_[j][static_cast<std::size_t>(c)];
      if (j == 0) {
        data = held(part, room);
      } else {
        this->fold(j - 1, part, room);
        data = room;
      }
    }
    for (const SummedRange& span : spans_[j])
      fold.sums->run(span.coordinate, parts_[j], span.begin, span.end - span.begin, combination_,
                     result + span.begin, temporaries_);
  }

  // What a place holds, either in place or gathered into `room`.
  const T* held(std::int64_t place, T* room) const {
    const T* data = reinterpret_cast<const T*>(sources_->at(place));
    const std::int64_t offset = sources_->offset;
    if (runs_.size() == 1) return data + (offset + runs_.front().source);
    if (!places_.empty()) {
      const std::int64_t* places = places_.data();
      for (std::int64_t i = 0; i < count_; ++i) room[i] = data[offset + places[i]];
      return room;
    }
    for (const Run& run : runs_)
      std::memcpy(room + run.begin, data + (offset + run.source),
                  static_cast<std::size_t>(run.count) * sizeof(T));
    return room;
  }

  Combination combination_;
  const Rows& rows_;
  DType storage_;
  bool streamed_;
  const Sources* sources_ = nullptr;
  std::byte* target_ = nullptr;
  const std::vector<Fold>* folds_ = nullptr;
  std::int64_t room_ = 0;  // elements per tile, at most, for the segments given
  std::int64_t tile_ = 0;  // elements per tile
  std::int64_t capacity_ = 0;
  std::unique_ptr<T[]> memory_;
  std::vector<T*> rooms_;  // by fold: for the parts along its axis
  T* sum_ = nullptr;
  T* temporaries_ = nullptr;
  std::vector<std::vector<const T*>> parts_;  // by fold
  std::int64_t count_ = 0;                    // elements in the tile
  std::vector<Run> runs_;
  // The offset of each element in the operand's block, if runs are short.
  std::vector<std::int64_t> places_;
  std::vector<std::vector<SummedRange>> spans_;  // by fold
};

}  // namespace shard
