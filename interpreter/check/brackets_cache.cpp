#include "interpreter/check/brackets_cache.h"

namespace shard {

namespace {

// Bounds the memory of a script of ever new brackets.
constexpr std::size_t kMostBrackets = 4096;

// No name has these characters.
constexpr char kDimension = '\1';
constexpr char kAxis = '\2';
constexpr char kMark = '\3';

void add_names(const std::vector<ast::Identifier>& axes, std::string& key) {
  for (const ast::Identifier& axis : axes) {
    key += kAxis;
    key += axis.text;
  }
}

}  // namespace

std::string BracketsCache::key_of(const ast::ArrayRef& array, const Scope& scope) {
  if (scope.reads != nullptr || !scope.names.axis_names.empty() || !array.placed.empty()) return {};
  std::string key;
  for (const ast::Dimension& dimension : array.dimensions) {
    const auto* name = std::get_if<ast::Identifier>(&dimension.name);
    if (name == nullptr) return {};
    key += kDimension;
    key += name->text;
    add_names(dimension.axes, key);
  }
  key += kMark;
  key += static_cast<char>('0' + static_cast<int>(array.parts));
  add_names(array.unreduced, key);
  return key;
}

bool BracketsCache::holds(const Scope& scope) const {
  return dimensions_.shares_all(scope.names.dimension_names) && outside_ == scope.names.outside &&
         identified_ == scope.store.identified && mesh_ == scope.mesh();
}

const Brackets* BracketsCache::find(const std::string& key, const Scope& scope) {
  if (!holds(scope)) checked_.clear();
  const auto found = checked_.find(key);
  if (found == checked_.end()) return nullptr;
  Checked& checked = found->second;
  if (checked.bindings.shares_all(scope.names.bindings)) return &checked.brackets;
  // Something was bound since, as each pass of a loop does. A name without a length may have become what is none; within a
  // function names are bound in two places.
  const auto& labels = checked.brackets.labels;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const bool same = checked.lengths[i] && checked.lengths[i] == scope.length_of(labels[i]);
    if (!same || scope.names.outside != nullptr) return nullptr;
  }
  checked.bindings = scope.names.bindings;
  return &checked.brackets;
}

void BracketsCache::add(std::string key, const Brackets& brackets, const Scope& scope) {
  if (checked_.size() >= kMostBrackets || !holds(scope)) {
    checked_.clear();
    dimensions_ = scope.names.dimension_names;
    outside_ = scope.names.outside;
    identified_ = scope.store.identified;
    mesh_ = scope.mesh();
  }
  Checked checked{.brackets = brackets, .lengths = {}, .bindings = scope.names.bindings};
  for (const DimensionId label : brackets.labels) checked.lengths.push_back(scope.length_of(label));
  checked_.insert_or_assign(std::move(key), std::move(checked));
}

}  // namespace shard
