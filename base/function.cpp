#include "base/function.h"

#include <algorithm>
#include <iterator>

namespace shard {
namespace {

constexpr FunctionInfo kFunctions[] = {
#define SHARD_FUNCTION(name, use, along, example, meaning) \
  {#name, FunctionUse::use, false, Along::along, example, meaning},
#define SHARD_ELEMENT_FUNCTION(name, op, use, along, example, meaning) \
  {#name, FunctionUse::use, true, Along::along, example, meaning},
#include "base/functions.def"
#define SHARD_DTYPE(dtype, name, ...) \
  {name, FunctionUse::None, true, Along::None, name "(A)", "each element as " name},
#define SHARD_DTYPE_ALIAS(word, dtype, place)
#include "base/dtypes.def"
};

}  // namespace

std::span<const FunctionInfo> functions() { return kFunctions; }

const FunctionInfo* find_function(std::string_view name) {
  const auto at = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                               [&](const FunctionInfo& function) { return function.name == name; });
  return at == std::end(kFunctions) ? nullptr : at;
}

bool casts_like(std::string_view name) {
  const FunctionInfo* function = find_function(name);
  return function != nullptr && function->use == FunctionUse::Cast;
}

}  // namespace shard
