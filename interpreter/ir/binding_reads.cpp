#include "interpreter/ir/binding_reads.h"

#include <algorithm>

namespace shard {

namespace {

// As a supposition sees it that is read at this point.
const BindingInfo* binding_at(const Scope& scope, const std::string& key) {
  const auto own = scope.names.bindings.find(key);
  if (own != scope.names.bindings.end()) return &own->second;
  if (!scope.names.outside) return nullptr;
  const auto outer = scope.names.outside->bindings.find(key);
  return outer == scope.names.outside->bindings.end() ? nullptr : &outer->second;
}

}  // namespace

BindingReads::Read BindingReads::read(const BindingInfo* binding) {
  if (binding == nullptr) return {};
  const auto* supposition = std::get_if<Supposition>(&binding->value);
  if (supposition != nullptr) return {.value = std::nullopt, .block = supposition->block};
  return {.value = binding->value, .block = {}};
}

bool BindingReads::is_read(const BindingInfo* binding, const Read& known) {
  const std::weak_ptr<const ast::BlockExpr> none;
  const auto* supposition =
      binding == nullptr ? nullptr : std::get_if<Supposition>(&binding->value);
  const auto is_block = [&](const auto& block) {
    return !known.block.owner_before(block) && !block.owner_before(known.block);
  };
  if (supposition != nullptr) return is_block(supposition->block);
  if (!is_block(none) || known.value.has_value() != (binding != nullptr)) return false;
  return binding == nullptr || is_same_value(*known.value, binding->value);
}

void BindingReads::note(const std::string& key, const BindingInfo* binding) {
  if (binding == nullptr || binding->depth < depth_) reads_.try_emplace(key, read(binding));
}

bool BindingReads::names_hold_for(const Scope& scope) const {
  return std::all_of(reads_.begin(), reads_.end(), [&](const auto& entry) {
    return is_read(binding_at(scope, entry.first), entry.second);
  });
}

void BindingReads::tell(const Scope& scope) const {
  if (scope.reads == nullptr) return;
  for (const auto& [key, value] : reads_) scope.reads->note(key, binding_at(scope, key));
  for (const Block& block : blocks_) scope.reads->note_block(block);
}

}  // namespace shard
