#include "interpreter/gradient/forward.h"

#include <algorithm>

#include "grammar/tree/names.h"

namespace shard::gradient {

const checked::Flow* Forward::flow_of(ArrayId array) {
  const auto known = flows_.find(array);
  if (known != flows_.end()) return &known->second;
  const auto& origin = scope_->store.arrays[array].origin;
  if (origin == nullptr) return nullptr;
  return &flows_.emplace(array, origin->flow.get()).first->second;
}

void Forward::add(ArrayId array) {
  history_.insert(array);
  if (is_named(array)) reserved_.insert(name_key("d" + scope_->store.arrays[array].name));
}

bool Forward::is_named(ArrayId array) const {
  return scope_->names.find_array(scope_->store.arrays[array].name) == array;
}

std::string Forward::free_name(const std::string& called) {
  // The result of a call inside of an expression is called as the call is written.
  const std::string wanted = called.substr(0, called.find_first_of(" ([{"));
  const auto is_free = [&](const std::string& name) {
    const auto known = scope_->names.find_array(name);
    const std::string key = name_key(name);
    return !taken_.contains(key) && !reserved_.contains(key) && !known;
  };
  // A name has one number at its end.
  const std::size_t prime = wanted.find('\'');
  const std::string stem = wanted.substr(0, prime);
  int& next = numbers_[name_key(stem)];
  const bool has_two = prime != std::string::npos && wanted.find('\'', prime + 1) != std::string::npos;
  std::string name = has_two ? stem + "'" + std::to_string(++next) : wanted;
  while (!is_free(name)) name = stem + "'" + std::to_string(++next);
  taken_.insert(name_key(name));
  return name;
}

std::string Forward::gradient_name(const std::string& of, bool lasts) {
  std::string name = "d" + of;
  const auto known = scope_->names.find_array(name);
  const bool is_read = known && history_.contains(*known);
  if (!lasts || is_read || !taken_.insert(name_key(name)).second) return free_name(name);
  return name;
}

const std::string& Forward::name_of(ArrayId array) {
  const auto known = names_.find(array);
  if (known != names_.end()) return known->second;
  const std::string& own = scope_->store.arrays[array].name;
  std::string name = own;
  if (is_named(array))
    taken_.insert(name_key(own));
  else
    name = free_name(own);
  return names_.emplace(array, std::move(name)).first->second;
}

LiveCopies Forward::held_as(ArrayId array) const {
  const LiveCopies& all = scope_->held.of(array);
  LiveCopies copies;
  const auto take = [&](auto fits) {
    const auto found = std::find_if(all.begin(), all.end(), fits);
    if (found == all.end()) return false;
    copies.push_back(*found);
    copies.back().inferred = false;
    return true;
  };
  const auto is_sum = [](const LiveCopy& copy) {
    return !copy.inferred && copy.layout.unreduced.empty();
  };
  if (!take(is_sum) && !take([](const LiveCopy& copy) { return !copy.inferred; }))
    take([](const LiveCopy&) { return true; });
  for (const auto& [kept, layout] : kept_) {
    if (kept != array || (!copies.empty() && copies.front().layout == layout)) continue;
    const Layout& wanted = layout;
    take([&](const LiveCopy& copy) { return copy.layout == wanted; });
  }
  return copies;
}

std::vector<HeldAs> Forward::held() const {
  std::vector<HeldAs> held;
  for (const auto& [array, name] : names_) held.push_back({array, held_as(array)});
  return held;
}

Layout Forward::layout_of(ArrayId array) const {
  const LiveCopies copies = held_as(array);
  Layout layout = copies.empty() ? replicated(scope_->store.arrays[array].dimensions.size())
                                 : copies.front().layout;
  layout.unreduced = {};
  return layout;
}

std::string Forward::brackets_of(const std::vector<DimensionId>& labels,
                                 const Layout& layout) const {
  return to_string(layout, scope_->store.names_of(labels), scope_->mesh());
}

std::string Forward::brackets(const std::vector<DimensionId>& labels, const Layout& layout) {
  note(labels);
  return brackets_of(labels, layout);
}

Piece Forward::read(ArrayId array, const std::vector<DimensionId>& labels) {
  const LiveCopies copies = held_as(array);
  const Layout layout = copies.empty() ? replicated(labels.size()) : copies.back().layout;
  return {.text = name_of(array) + brackets(labels, layout),
          .labels = {labels.begin(), labels.end()},
          .dtypes = {scope_->store.arrays[array].dtype}};
}

const NamedPart* Forward::part(ArrayId of, int operation) {
  const auto known = parts_.find({of, operation});
  if (known != parts_.end()) return &known->second;
  const auto& origin = scope_->store.arrays[of].origin;
  if (origin == nullptr) return nullptr;
  const checked::OnTheWay* found = nullptr;
  for (const checked::OnTheWay& made : origin->on_the_way) {
    if (made.operation != operation) continue;
    const bool is_sum = made.layout.unreduced.empty();
    if (found == nullptr || (is_sum && !found->layout.unreduced.empty())) found = &made;
  }
  if (found == nullptr) return nullptr;
  const checked::Operation& value = checked::operation_at(flow_of(of)->value, operation);
  std::string called = part_name_ ? part_name_(of, operation) : "";
  if (called.empty()) called = scope_->store.arrays[of].name + "'" + std::to_string(operation);
  NamedPart part{.name = free_name(called),
                 .of = of,
                 .operation = operation,
                 .labels = value.labels,
                 .dtype = value.dtype,
                 .layout = found->layout};
  return &parts_.emplace(std::pair(of, operation), std::move(part)).first->second;
}

Piece Forward::read(const NamedPart& part) {
  return {.text = part.name + brackets(part.labels, part.layout),
          .labels = {part.labels.begin(), part.labels.end()},
          .dtypes = {part.dtype}};
}

}  // namespace shard::gradient
