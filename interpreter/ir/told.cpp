#include "interpreter/ir/told.h"

#include "grammar/tree/names.h"

namespace shard {

bool Told::was_reported(const std::string& name) const {
  const std::string key = name_key(name);
  return unknown.count(key) != 0 || misread_inputs.count(key) != 0;
}

}  // namespace shard
