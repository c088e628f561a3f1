#include "interpreter/check/unused_name.h"

namespace shard {

std::string unused_name(std::initializer_list<const char*> names, const Scope& scope) {
  for (const char* name : names) {
    const bool taken = scope.names.find_dimension(name) || scope.names.find_array(name) ||
                       scope.find_binding(name) != nullptr || scope.find_axes(name);
    if (!taken) return name;
  }
  return *names.begin() + std::string("2");
}

}  // namespace shard
