// Typed indices: an Id<AxisTag> cannot index a table of dimensions.
#pragma once

#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

namespace shard {

template <class Tag>
struct Id {
  std::int32_t value = -1;

  bool valid() const { return value >= 0; }
  friend auto operator<=>(const Id&, const Id&) = default;
};

// A vector that is indexed by one kind of Id only.
template <class IdType, class T>
class IdVector {
 public:
  IdType add(T item) {
    items_.push_back(std::move(item));
    return IdType{static_cast<std::int32_t>(items_.size()) - 1};
  }
  T& operator[](IdType id) { return items_[static_cast<std::size_t>(id.value)]; }
  const T& operator[](IdType id) const { return items_[static_cast<std::size_t>(id.value)]; }
  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  friend bool operator==(const IdVector&, const IdVector&) = default;

 private:
  std::vector<T> items_;
};

}  // namespace shard
