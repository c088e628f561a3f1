// A large value shared between copies.
#pragma once

#include <memory>
#include <utility>

namespace shard {

// A T the size of a pointer; T{} takes nothing from the heap. It is only ever replaced, never modified in place.
template <class T>
class SharedValue {
 public:
  SharedValue() = default;
  // NOLINTBEGIN(google-explicit-constructor)
  SharedValue(T value) : held_(std::make_shared<const T>(std::move(value))) {}
  operator const T&() const { return **this; }
  // NOLINTEND(google-explicit-constructor)

  const T& operator*() const {
    static const T none{};
    return held_ == nullptr ? none : *held_;
  }
  const T* operator->() const { return &**this; }

 private:
  std::shared_ptr<const T> held_;
};

}  // namespace shard
