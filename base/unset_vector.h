// Long lists of numbers, left uninitialised.
#pragma once

#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace shard {

// Elements constructed without a value stay uninitialised, so that memory is first touched by the threads that fill a
// list in parallel.
template <class T>
class UnsetElements : public std::allocator<T> {
 public:
  template <class U>
  struct rebind {                    // NOLINT(readability-identifier-naming): the library's name
    using other = UnsetElements<U>;  // NOLINT(readability-identifier-naming): the library's name
  };

  template <class U>
  void construct(U* place) noexcept {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
  }
};

// `Numbers(n)` has n elements to be written before they are read; `Numbers(n, 0.0)` has zeros.
using Numbers = std::vector<double, UnsetElements<double>>;

}  // namespace shard
