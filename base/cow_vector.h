// A list shared between copies until one of them is changed.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace shard {

// A value like a std::vector, the size of a pointer, which takes nothing from the heap until it is given elements or
// edited; copying it copies no elements. It converts to a `const std::vector<T>&`, valid until the list is changed or
// destroyed. `edit` and `sort` modify elements, copying them first if another list shares them. Several threads may
// read, copy and change lists that share elements; a single list must not be used concurrently.
template <class T>
class SharedList {
 public:
  // NOLINTBEGIN(readability-identifier-naming): the library's names
  using value_type = T;
  using size_type = std::size_t;
  using const_reference = const T&;
  using const_iterator = typename std::vector<T>::const_iterator;
  using iterator = const_iterator;
  // NOLINTEND(readability-identifier-naming)

  SharedList() = default;
  // NOLINTBEGIN(google-explicit-constructor)
  SharedList(std::vector<T> items) : held_(items.empty() ? nullptr : new Held(std::move(items))) {}
  SharedList(std::initializer_list<T> items)
      : held_(items.size() == 0 ? nullptr : new Held(std::vector<T>(items))) {}
  operator const std::vector<T>&() const { return items(); }
  // NOLINTEND(google-explicit-constructor)
  SharedList(const SharedList& other) noexcept : held_(other.held_) {
    if (held_ != nullptr) held_->lists.fetch_add(1, std::memory_order_relaxed);
  }
  SharedList(SharedList&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
  SharedList& operator=(SharedList other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ~SharedList() {
    if (held_ != nullptr && held_->lists.fetch_sub(1, std::memory_order_acq_rel) == 1) delete held_;
  }

  const std::vector<T>& items() const {
    static const std::vector<T> none;
    return held_ == nullptr ? none : held_->items;
  }
  // The elements, for changes to this list alone; the reference is valid until the list is copied.
  std::vector<T>& edit() {
    if (held_ == nullptr) {
      held_ = new Held(std::vector<T>());
    } else if (held_->lists.load(std::memory_order_acquire) != 1) {
      *this = SharedList(new Held(held_->items));
    }
    return held_->items;
  }
  void sort() {
    if (size() > 1) std::sort(edit().begin(), edit().end());
  }

  const_iterator begin() const { return items().begin(); }
  const_iterator end() const { return items().end(); }
  std::size_t size() const { return held_ == nullptr ? 0 : held_->items.size(); }
  bool empty() const { return size() == 0; }
  const T& operator[](std::size_t index) const { return held_->items[index]; }
  const T& front() const { return held_->items.front(); }
  const T& back() const { return held_->items.back(); }

  friend bool operator==(const SharedList& a, const SharedList& b) {
    return a.held_ == b.held_ || a.items() == b.items();
  }
  friend bool operator==(const SharedList& a, const std::vector<T>& b) { return a.items() == b; }
  friend auto operator<=>(const SharedList& a, const SharedList& b) {
    using Order = decltype(a.items() <=> b.items());
    return a.held_ == b.held_ ? Order::equivalent : a.items() <=> b.items();
  }
  // The same for lists that share their elements, and another one for other lists that live at the same time.
  const void* identity() const { return held_; }

 private:
  struct Held {
    explicit Held(std::vector<T> of) : items(std::move(of)) {}
    std::atomic<std::size_t> lists = 1;
    std::vector<T> items;
  };
  explicit SharedList(Held* held) : held_(held) {}

  Held* held_ = nullptr;  // null: empty
};

}  // namespace shard
