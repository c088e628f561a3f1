// A large value that copies share.
#pragma once

#include <memory>
#include <utility>

namespace shard {

// A T that takes a pointer, and none of the heap while it is T{}. It is replaced, and never changed in its place.
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
