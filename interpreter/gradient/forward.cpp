#include "interpreter/gradient/forward.h"

#include <fmt/format.h>

#include <algorithm>

#include "grammar/tree/names.h"

namespace shard::gradient {

Forward::Forward(const Scope& scope, PartName part_name, const std::set<DimensionId>& named)
    : scope_(&scope), part_name_(std::move(part_name)) {
  for (const DimensionId label : named) give_name(label);
}

// A dimension that stood for another one in a call is that one behind it.
DimensionId Forward::named_here(DimensionId label) const {
  const auto& dimensions = scope_->store.dimensions;
  while (dimensions[label].stands_in && own_names_.count(label) == 0 &&
         scope_->names.find_dimension(dimensions[label].name) != label)
    label = dimensions[label].same_as;
  return label;
}

// "N'8" of a length, "D'1" of a dimension.
void Forward::give_name(DimensionId label) {
  const DimensionInfo& info = scope_->store.dimensions[label];
  const auto is_free = [&](const std::string& name) {
    return !scope_->names.find_dimension(name) && named_.try_emplace(name_key(name), label).second;
  };
  std::string name = info.literal ? "N'" + info.name : info.name + "'1";
  for (int number = 2; !is_free(name); ++number)
    name = info.literal ? name + "'" : fmt::format("{}'{}", info.name, number);
  own_names_.emplace(label, std::move(name));
}

void Forward::note(const std::vector<DimensionId>& labels) {
  std::map<std::string, DimensionId> beside;    // by name_key
  std::map<DimensionId, DimensionId> standing;  // for the dimension behind it
  for (const DimensionId inner : labels) {
    const DimensionId label = named_here(inner);
    const auto [other, is_first] = standing.try_emplace(label, inner);
    if (!is_first && !(other->second == inner))
      twins_.insert(inner == label ? other->second : inner);
    const DimensionInfo& info = scope_->store.dimensions[label];
    if (info.literal || own_names_.count(label) > 0) {
      dimensions_.insert(label);
      continue;
    }
    const std::string key = name_key(info.name);
    const auto outside = scope_->names.find_dimension(info.name);
    if (dimensions_.insert(label).second) {
      const auto [known, is_new] = named_.try_emplace(key, outside.value_or(label));
      if (!are_alike(known->second, label) || is_size_of_another(label)) give_name(label);
    }
    const auto [twin, is_new] = beside.try_emplace(key, label);
    if (!is_new && !(twin->second == label) && own_names_.count(label) == 0 &&
        own_names_.count(twin->second) == 0)
      twins_.insert(twin->second == outside ? label : twin->second);
  }
}

// A block's own dimension is that of outside which is called so and as long, but for one beside another of its length.
bool Forward::are_alike(DimensionId one, DimensionId other) const {
  const DimensionId a = named_here(one);
  const DimensionId b = named_here(other);
  const DimensionInfo& its = scope_->store.dimensions[a];
  const DimensionInfo& others = scope_->store.dimensions[b];
  if (a == b) return true;
  if (own_names_.count(a) > 0 || own_names_.count(b) > 0) return false;
  return !its.same_as.valid() && !others.same_as.valid() && its.name == others.name &&
         scope_->size_of(a) == scope_->size_of(b);
}

// A function gave the name a length of its own, and the script has a size of that name.
bool Forward::is_size_of_another(DimensionId label) const {
  const DimensionInfo& info = scope_->store.dimensions[label];
  const BindingInfo* size = info.own_length ? scope_->find_binding(info.name) : nullptr;
  return size != nullptr && whole_length(size->value) != info.own_length;
}

const std::string& Forward::bracket_name(DimensionId inner) const {
  const DimensionId label = named_here(inner);
  const DimensionInfo& info = scope_->store.dimensions[label];
  return info.literal ? info.name : name(label);
}

const std::string& Forward::name(DimensionId inner) const {
  const DimensionId label = named_here(inner);
  const auto length = own_names_.find(label);
  return length == own_names_.end() ? scope_->store.dimensions[label].name : length->second;
}

const checked::Kernel* Forward::kernel_of(ArrayId array) const {
  const auto& origin = scope_->store.arrays[array].origin;
  return origin != nullptr && origin->kernel ? &*origin->kernel : nullptr;
}

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
  // Results on the way of something that has a number have two: `f'1'1`.
  const std::size_t number =
      prime == std::string::npos ? prime : wanted.find_first_not_of('\'', prime);
  const std::size_t more =
      number == std::string::npos ? number : wanted.find_first_not_of("0123456789", number);
  std::string name = more == std::string::npos ? wanted : stem + "'" + std::to_string(++next);
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

const LiveCopy* Forward::own_copy(ArrayId array) const {
  const LiveCopies& all = scope_->held.of(array);
  const auto first = [&](auto fits) -> const LiveCopy* {
    const auto found = std::find_if(all.begin(), all.end(), fits);
    return found == all.end() ? nullptr : &*found;
  };
  const auto* sum =
      first([](const LiveCopy& copy) { return !copy.inferred && copy.layout.unreduced.empty(); });
  if (sum != nullptr) return sum;
  const auto* written = first([](const LiveCopy& copy) { return !copy.inferred; });
  return written != nullptr || all.empty() ? written : &all.front();
}

// In bytes per device.
bool Forward::takes_no_more(const Layout& layout, const Layout& own) const {
  const auto parts = [&](const Layout& one) {
    Amount product(1);
    for (const std::vector<AxisId>& axes : one.dims)
      product = product * size_of(axes, scope_->mesh());
    return product;
  };
  if (layout.placed != own.placed) return false;
  const Amount mine = parts(layout);
  const Amount its = parts(own);
  return mine == its || (mine.constant() && its.constant() && *mine.constant() > *its.constant());
}

bool Forward::is_moved(ArrayId array, const Layout& layout) const {
  const LiveCopy* own = own_copy(array);
  if (own == nullptr || own->layout == layout || !layout.unreduced.empty()) return false;
  const LiveCopies& all = scope_->held.of(array);
  const bool is_there = std::any_of(all.begin(), all.end(), [&](const LiveCopy& copy) {
    return !copy.inferred && copy.layout == layout;
  });
  return is_there && own->layout.unreduced.empty() && takes_no_more(layout, own->layout);
}

LiveCopies Forward::held_as(ArrayId array) const {
  LiveCopies copies;
  const auto take = [&](LiveCopy copy) {
    copy.inferred = false;
    copies.push_back(std::move(copy));
  };
  const LiveCopies& all = scope_->held.of(array);
  if (const LiveCopy* own = own_copy(array)) take(*own);
  for (const LiveCopy& copy : all) {
    if (!copy.inferred && is_moved(array, copy.layout)) take(copy);
  }
  for (const auto& [kept, layout] : kept_) {
    if (kept != array) continue;
    for (const LiveCopy& copy : all) {
      const bool is_there = std::any_of(copies.begin(), copies.end(), [&](const LiveCopy& one) {
        return one.layout == copy.layout;
      });
      if (copy.layout == layout && !is_there) take(copy);
    }
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
  std::vector<std::string> names;
  for (const DimensionId label : labels) names.push_back(bracket_name(label));
  return to_string(layout, names, scope_->mesh());
}

std::string Forward::brackets(const std::vector<DimensionId>& labels, const Layout& layout) {
  note(labels);
  return brackets_of(labels, layout);
}

Piece Forward::read(ArrayId array, const std::vector<DimensionId>& labels, const Layout* layout) {
  const LiveCopies copies = held_as(array);
  Layout own = copies.empty() ? replicated(labels.size()) : copies.front().layout;
  // What the script keeps is read wherever it may be.
  const auto kept = std::find_if(kept_.rbegin(), kept_.rend(),
                                 [&](const auto& one) { return one.first == array; });
  if (kept != kept_.rend()) {
    own = kept->second;
  } else if (layout != nullptr) {
    const Layout wanted = without_trivial_axes(*layout, scope_->mesh());
    if (is_moved(array, wanted)) own = wanted;
  }
  return {.text = name_of(array) + brackets(labels, own),
          .labels = {labels.begin(), labels.end()},
          .dtypes = {scope_->store.arrays[array].dtype}};
}

const NamedPart* Forward::part(ArrayId of, int operation) {
  const auto known = parts_.find({of, operation});
  if (known != parts_.end()) return &known->second;
  const auto& origin = scope_->store.arrays[of].origin;
  // What a kernel makes on its way has no memory.
  if (origin == nullptr || origin->kernel) return nullptr;
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
