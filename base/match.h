// Dispatch over value trees: `match` visits a std::variant with one callable per alternative; `Box<T>` holds a
// recursive alternative by value.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

namespace shard {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

// Calls the case for the alternative that `node` holds. A missing alternative does not compile. Never end a match with
// `const auto&`: it would swallow alternatives added later.
template <class Variant, class... Cases>
decltype(auto) match(Variant&& node, Cases&&... cases) {
  return std::visit(Overloaded{std::forward<Cases>(cases)...}, std::forward<Variant>(node));
}

// A heap cell with value semantics: copying copies the content, equality compares it. Never empty, unless moved from.
template <class T>
class Box {
 public:
  // NOLINTBEGIN(google-explicit-constructor)
  template <class U = T, class = std::enable_if_t<std::is_same_v<std::decay_t<U>, T>>>
  Box(U&& value) : cell_(std::make_unique<T>(std::forward<U>(value))) {}
  // NOLINTEND(google-explicit-constructor)
  Box(const Box& other) : cell_(std::make_unique<T>(*other)) {}
  Box(Box&&) noexcept = default;
  Box& operator=(const Box& other) {
    if (this != &other) cell_ = std::make_unique<T>(*other);
    return *this;
  }
  Box& operator=(Box&&) noexcept = default;
  ~Box() = default;

  T& operator*() { return *cell_; }
  const T& operator*() const { return *cell_; }
  T* operator->() { return cell_.get(); }
  const T* operator->() const { return cell_.get(); }

  friend bool operator==(const Box& a, const Box& b) { return *a == *b; }

 private:
  std::unique_ptr<T> cell_;
};

}  // namespace shard
