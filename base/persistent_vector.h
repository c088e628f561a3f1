// A vector indexed by Ids whose copies share common structure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace shard {

// An IdVector with value semantics that copies in constant time: a tree with 32 branches per node, whose nodes are
// shared by all copies that have not changed them. Changing an element first gives this vector its own copy of the
// leaf. References to elements are valid until the vector is appended to or copied. Several threads may read and change
// vectors that share nodes; a single vector must not be used concurrently.
template <class IdType, class T>
class PersistentIdVector {
 public:
  IdType add(T item) {
    if (root_ == nullptr) {
      root_ = std::make_shared<Node>();
    } else if (size_ == kBranches << shift_) {
      auto above = std::make_shared<Node>();
      above->children.push_back(std::move(root_));
      root_ = std::move(above);
      shift_ += kBits;
    }
    leaf(size_).push_back(std::move(item));
    return IdType{static_cast<std::int32_t>(size_++)};
  }
  const T& operator[](IdType id) const { return at(static_cast<std::size_t>(id.value)); }
  // For reading or writing. Reading through a non-const vector also copies shared nodes.
  T& operator[](IdType id) {
    const auto index = static_cast<std::size_t>(id.value);
    return leaf(index)[index % kBranches];
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // Whether one was copied from the other and neither has changed since.
  bool is_same(const PersistentIdVector& other) const {
    return root_ == other.root_ && size_ == other.size_;
  }

  // visit(id, element), in order, for every element that is new or differs from `before`, which this vector was copied
  // from, plus its neighbours in the leaf, which may be unchanged.
  template <class Visit>
  void visit_changed(const PersistentIdVector& before, const Visit& visit) const {
    if (root_ != nullptr) visit_changed(*root_, shift_, 0, before, visit);
  }

  class Iterator {
   public:
    // NOLINTBEGIN(readability-identifier-naming): the library's names
    using iterator_category = std::forward_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T*;
    using reference = const T&;
    // NOLINTEND(readability-identifier-naming)

    Iterator() = default;
    const T& operator*() const { return vector_->at(index_); }
    const T* operator->() const { return &vector_->at(index_); }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    friend class PersistentIdVector;
    Iterator(const PersistentIdVector* vector, std::size_t index)
        : vector_(vector), index_(index) {}
    const PersistentIdVector* vector_ = nullptr;
    std::size_t index_ = 0;
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size_}; }

 private:
  // A change copies some tens of elements, and three levels hold 32,768: fewer bits deepen the tree, more copy more.
  static constexpr std::size_t kBits = 5;
  static constexpr std::size_t kBranches = std::size_t{1} << kBits;

  struct Node {
    std::vector<std::shared_ptr<Node>> children;  // of an inner node
    std::vector<T> items;                         // of a leaf
  };

  const T& at(std::size_t index) const {
    const Node* node = root_.get();
    for (std::size_t shift = shift_; shift > 0; shift -= kBits)
      node = node->children[(index >> shift) % kBranches].get();
    return node->items[index % kBranches];
  }
  // The node for the indices from `first` on, at the level with this shift; null if there is none.
  const Node* node_of(std::size_t first, std::size_t shift) const {
    if (first >= size_ || shift > shift_) return nullptr;
    const Node* node = root_.get();
    for (std::size_t at = shift_; at > shift; at -= kBits)
      node = node->children[(first >> at) % kBranches].get();
    return node;
  }
  template <class Visit>
  static void visit_changed(const Node& node, std::size_t shift, std::size_t first,
                            const PersistentIdVector& before, const Visit& visit) {
    if (before.node_of(first, shift) == &node) return;
    for (std::size_t i = 0; i < node.items.size(); ++i)
      visit(IdType{static_cast<std::int32_t>(first + i)}, node.items[i]);
    for (std::size_t i = 0; i < node.children.size(); ++i)
      visit_changed(*node.children[i], shift - kBits, first + (i << shift), before, visit);
  }
  // The leaf of the index, owned by this vector along with its ancestors; created if the index is the next one.
  std::vector<T>& leaf(std::size_t index) {
    std::shared_ptr<Node>* link = &root_;
    for (std::size_t shift = shift_;; shift -= kBits) {
      if (*link == nullptr) {
        *link = std::make_shared<Node>();
      } else if (link->use_count() != 1) {
        *link = std::make_shared<Node>(**link);
      }
      if (shift == 0) return (*link)->items;
      auto& children = (*link)->children;
      const std::size_t branch = (index >> shift) % kBranches;
      if (branch == children.size()) children.emplace_back();
      link = &children[branch];
    }
  }

  std::shared_ptr<Node> root_;
  std::size_t size_ = 0;
  std::size_t shift_ = 0;  // of an index, to select the root's branch
};

}  // namespace shard
