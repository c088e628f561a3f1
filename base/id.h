// Typed indices: an Id<AxisTag> cannot index a table of dimensions.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace shard {

template <class Tag>
struct Id {
  std::int32_t value = -1;

  bool valid() const { return value >= 0; }
  friend auto operator<=>(const Id&, const Id&) = default;
};

// A vector indexed by one kind of Id only.
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

// A map stored as a vector, for dense Ids: it takes room for every Id up to the largest with a value.
template <class IdType, class T>
class IdMap {
 public:
  // Null if there is no value; an invalid Id never has one.
  const T* find(IdType id) const {
    const auto at = static_cast<std::size_t>(id.value);
    return id.valid() && at < values_.size() && values_[at] ? &*values_[at] : nullptr;
  }
  bool contains(IdType id) const { return find(id) != nullptr; }
  // The number of Ids with a value.
  std::size_t size() const { return size_; }
  // REQUIRES: id.valid().
  void set(IdType id, T value) {
    const auto at = static_cast<std::size_t>(id.value);
    if (at >= values_.size()) values_.resize(at + 1);
    if (!values_[at]) ++size_;
    values_[at] = std::move(value);
  }
  // Sets the value unless there is one already. REQUIRES: id.valid().
  void set_first(IdType id, T value) {
    if (!contains(id)) set(id, std::move(value));
  }
  void erase(IdType id) {
    if (!contains(id)) return;
    values_[static_cast<std::size_t>(id.value)].reset();
    --size_;
  }
  // visit(id, value), in ascending order of Ids.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (values_[i]) visit(IdType{static_cast<std::int32_t>(i)}, *values_[i]);
    }
  }

 private:
  std::vector<std::optional<T>> values_;
  std::size_t size_ = 0;
};

}  // namespace shard
