// Ordered maps and sets whose copies share common structure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/id.h"

namespace shard {

// A key's heap priority in the treap: similar keys spread out, and the shape does not depend on the order of insertion.
inline std::uint64_t tree_priority(std::uint64_t hash) {
  // The SplitMix64 finalizer, as std::hash of an integer is the integer itself.
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9ULL;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebULL;
  return hash ^ (hash >> 31);
}
inline std::uint64_t tree_priority(const std::string& key) {
  return tree_priority(std::uint64_t{std::hash<std::string>{}(key)});
}
template <class Tag>
std::uint64_t tree_priority(const Id<Tag>& id) {
  return tree_priority(static_cast<std::uint64_t>(id.value));
}
template <class First, class Second>
std::uint64_t tree_priority(const std::pair<First, Second>& key) {
  return tree_priority(tree_priority(key.first) + 31 * static_cast<std::uint64_t>(key.second));
}

// The first bytes of a key as a number in the order of the keys: a search compares numbers, and keys only where these are equal.
inline std::uint64_t order_prefix(const std::string& key) {
  std::uint64_t prefix = 0;
  const std::size_t length = std::min(key.size(), sizeof prefix);
  for (std::size_t i = 0; i < length; ++i)
    prefix = prefix << 8 | static_cast<unsigned char>(key[i]);
  // Most names are short, and shifting by all 64 bits is undefined.
  return length == 0 ? 0 : prefix << 8 * (sizeof prefix - length);
}
template <class Key>
std::uint64_t order_prefix(const Key& /*key*/) {
  return 0;
}

// Less than 0 if the first is before the second, whose prefix is the same.
inline int order_behind_prefix(const std::string& a, const std::string& b) {
  // Where neither is longer than the prefix, the shorter one is the other's begin.
  if (std::max(a.size(), b.size()) > sizeof(std::uint64_t)) return a.compare(b);
  return static_cast<int>(a.size()) - static_cast<int>(b.size());
}
template <class Key>
int order_behind_prefix(const Key& a, const Key& b) {
  if (a < b) return -1;
  return b < a ? 1 : 0;
}

// A std::map with value semantics that copies in constant time: a treap whose nodes are shared by all copies that have
// not changed them. A change copies the O(log n) nodes on the path to it, for this map alone. Entries keep their
// address until they are erased or the map is copied; do not keep a reference for writing across a copy. Several
// threads may read and change maps that share nodes; a single map must not be used concurrently.
template <class Key, class Value>
class PersistentMap {
 public:
  using Entry = std::pair<const Key, Value>;

 private:
  struct Node;
  using Link = std::shared_ptr<Node>;

 public:
  // Visits the entries in key order.
  class Iterator {
   public:
    // NOLINTBEGIN(readability-identifier-naming): the library's names
    using iterator_category = std::forward_iterator_tag;
    using value_type = Entry;
    using difference_type = std::ptrdiff_t;
    using pointer = const Entry*;
    using reference = const Entry&;
    // NOLINTEND(readability-identifier-naming)

    Iterator() = default;
    const Entry& operator*() const { return node_->entry; }
    const Entry* operator->() const { return &node_->entry; }
    Iterator& operator++() {
      node_ = next(root_, node_->entry.first);
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.node_ == b.node_; }

   private:
    friend class PersistentMap;
    Iterator(const Node* root, const Node* node) : root_(root), node_(node) {}
    const Node* root_ = nullptr;
    const Node* node_ = nullptr;  // null past the end
  };
  // NOLINTBEGIN(readability-identifier-naming)
  using const_iterator = Iterator;
  using iterator = Iterator;
  using value_type = Entry;
  // NOLINTEND(readability-identifier-naming)

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Iterator begin() const { return {root_.get(), leftmost(root_.get())}; }
  Iterator end() const { return {root_.get(), nullptr}; }
  Iterator find(const Key& key) const { return {root_.get(), lookup(key)}; }
  bool contains(const Key& key) const { return lookup(key) != nullptr; }
  std::size_t count(const Key& key) const { return contains(key) ? 1 : 0; }
  // REQUIRES: contains(key).
  const Value& at(const Key& key) const { return lookup(key)->entry.second; }

  // Whether neither was changed since one was copied from the other; in constant time.
  bool shares_all(const PersistentMap& other) const { return root_ == other.root_; }

  // The value of the key, for changes to this map alone; inserted if missing.
  Value& operator[](const Key& key) { return entry_of(root_, key, order_prefix(key)).second; }
  // The entry, and whether it is new; an existing value is kept.
  std::pair<Entry*, bool> try_emplace(const Key& key) { return try_emplace(key, Value()); }
  std::pair<Entry*, bool> try_emplace(const Key& key, Value value) {
    const bool is_new = !contains(key);
    Entry& entry = entry_of(root_, key, order_prefix(key));
    if (is_new) entry.second = std::move(value);
    return {&entry, is_new};
  }
  void insert_or_assign(const Key& key, Value value) { (*this)[key] = std::move(value); }
  // Skips entries whose keys are present already.
  template <class Begin, class End>
  void insert(Begin begin, End end) {
    for (; begin != end; ++begin) try_emplace(begin->first, begin->second);
  }
  std::size_t erase(const Key& key) {
    if (!contains(key)) return 0;
    erase(root_, key);
    --size_;
    return 1;
  }
  void clear() {
    root_.reset();
    size_ = 0;
  }

  // visit(entry) for every entry that is new or differs from `before`, which this map was copied from, plus up to O(log
  // n) unchanged entries for each. In no particular order; each visit takes O(log n).
  template <class Visit>
  void visit_changed(const PersistentMap& before, const Visit& visit) const {
    visit_changed(root_.get(), before, visit);
  }

  friend bool operator==(const PersistentMap& a, const PersistentMap& b) {
    if (a.root_ == b.root_) return true;
    if (a.size() != b.size()) return false;
    for (Iterator i = a.begin(), k = b.begin(); i != a.end(); ++i, ++k) {
      if (!(*i == *k)) return false;
    }
    return true;
  }

  // Like std::erase_if.
  template <class Predicate>
  friend std::size_t erase_if(PersistentMap& map, const Predicate& is_erased) {
    std::vector<Key> erased;
    for (const Entry& entry : map) {
      if (is_erased(entry)) erased.push_back(entry.first);
    }
    for (const Key& key : erased) map.erase(key);
    return erased.size();
  }

 private:
  struct Node {
    Node(const Key& key, std::uint64_t prefix_of_key)
        : prefix(prefix_of_key), entry(key, Value()), priority(tree_priority(key)) {}
    std::uint64_t prefix;
    Entry entry;
    std::uint64_t priority;  // at least that of each child
    Link left;
    Link right;
  };

  // Less than 0 if the key, which has this prefix, is before the node's.
  static int compare(std::uint64_t prefix, const Key& key, const Node& node) {
    if (prefix != node.prefix) return prefix < node.prefix ? -1 : 1;
    return order_behind_prefix(key, node.entry.first);
  }
  const Node* lookup(const Key& key) const {
    const std::uint64_t prefix = order_prefix(key);
    const Node* node = root_.get();
    while (node != nullptr) {
      const int order = compare(prefix, key, *node);
      if (order == 0) return node;
      node = (order < 0 ? node->left : node->right).get();
    }
    return nullptr;
  }
  static const Node* leftmost(const Node* node) {
    while (node != nullptr && node->left != nullptr) node = node->left.get();
    return node;
  }
  // The node with the next greater key.
  static const Node* next(const Node* node, const Key& key) {
    const Node* found = nullptr;
    while (node != nullptr) {
      const bool behind = key < node->entry.first;
      if (behind) found = node;
      node = (behind ? node->left : node->right).get();
    }
    return found;
  }

  // Makes sure that the node belongs to this map alone.
  static Node& own(Link& link) {
    if (link.use_count() != 1) link = std::make_shared<Node>(*link);
    return *link;
  }
  static void rotate(Link& link, Link Node::*from, Link Node::*to) {
    Link risen = std::move((*link).*from);
    (*link).*from = std::move((*risen).*to);
    (*risen).*to = std::move(link);
    link = std::move(risen);
  }
  // Recursion is safe: over random priorities a treap of n entries has an expected depth of O(log n).
  Entry& entry_of(Link& link, const Key& key, std::uint64_t prefix) {
    if (link == nullptr) {
      link = std::make_shared<Node>(key, prefix);
      ++size_;
      return link->entry;
    }
    Node& node = own(link);
    const int order = compare(prefix, key, node);
    if (order == 0) return node.entry;
    const bool below_left = order < 0;
    Link Node::*side = below_left ? &Node::left : &Node::right;
    Entry& entry = entry_of(node.*side, key, prefix);
    if ((node.*side)->priority > node.priority)
      rotate(link, side, below_left ? &Node::right : &Node::left);
    return entry;
  }
  void erase(Link& link, const Key& key) {
    Node& node = own(link);
    if (key < node.entry.first) {
      erase(node.left, key);
    } else if (node.entry.first < key) {
      erase(node.right, key);
    } else {
      const Link gone = link;
      link = joined(node.left, node.right);
    }
  }
  // Joins two trees, all keys of the first being less than those of the second.
  static Link joined(Link left, Link right) {
    if (left == nullptr) return right;
    if (right == nullptr) return left;
    if (left->priority > right->priority) {
      Node& node = own(left);
      node.right = joined(std::move(node.right), std::move(right));
      return left;
    }
    Node& node = own(right);
    node.left = joined(std::move(left), std::move(node.left));
    return right;
  }
  template <class Visit>
  static void visit_changed(const Node* node, const PersistentMap& before, const Visit& visit) {
    // A node that both maps share has the same subtree in both.
    if (node == nullptr || before.lookup(node->entry.first) == node) return;
    visit(node->entry);
    visit_changed(node->left.get(), before, visit);
    visit_changed(node->right.get(), before, visit);
  }

  Link root_;
  std::size_t size_ = 0;
};

// A std::set with value semantics that copies in constant time, see PersistentMap.
template <class Key>
class PersistentSet {
 public:
  std::size_t size() const { return keys_.size(); }
  bool empty() const { return keys_.empty(); }
  bool contains(const Key& key) const { return keys_.contains(key); }
  std::size_t count(const Key& key) const { return keys_.count(key); }
  // Returns whether the key is new.
  bool insert(const Key& key) { return keys_.try_emplace(key).second; }
  std::size_t erase(const Key& key) { return keys_.erase(key); }
  void clear() { keys_.clear(); }
  // visit(key), in order.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const auto& [key, present] : keys_) visit(key);
  }

 private:
  struct Present {};
  PersistentMap<Key, Present> keys_;
};

}  // namespace shard
