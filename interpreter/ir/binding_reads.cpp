#include "interpreter/ir/binding_reads.h"

#include <algorithm>

namespace shard {

namespace {

// As a supposition sees it that is read at this point.
const BindingInfo* binding_at(const Scope& scope, const std::string& key) {
  const auto own = scope.bindings.find(key);
  if (own != scope.bindings.end()) return &own->second;
  if (!scope.outside) return nullptr;
  const auto outer = scope.outside->bindings.find(key);
  return outer == scope.outside->bindings.end() ? nullptr : &outer->second;
}

}  // namespace

BindingReads::Read BindingReads::read(const BindingInfo* binding) {
  if (binding == nullptr) return {};
  const auto* supposition = std::get_if<Supposition>(&binding->value);
  if (supposition != nullptr) return {.value = std::nullopt, .block = supposition->block};
  return {.value = binding->value, .block = {}};
}

bool BindingReads::are_same(const Read& one, const Read& other) {
  const bool same_block =
      !one.block.owner_before(other.block) && !other.block.owner_before(one.block);
  if (!same_block || one.value.has_value() != other.value.has_value()) return false;
  return !one.value || is_same_value(*one.value, *other.value);
}

void BindingReads::note(const std::string& key, const BindingInfo* binding) {
  if (binding == nullptr || binding->depth < depth_) reads_.try_emplace(key, read(binding));
}

bool BindingReads::names_hold_for(const Scope& scope) const {
  return std::all_of(reads_.begin(), reads_.end(), [&](const auto& entry) {
    return are_same(entry.second, read(binding_at(scope, entry.first)));
  });
}

void BindingReads::tell(const Scope& scope) const {
  if (scope.reads == nullptr) return;
  for (const auto& [key, value] : reads_) scope.reads->note(key, binding_at(scope, key));
  for (const Block& block : blocks_) scope.reads->note_block(block);
}

}  // namespace shard
