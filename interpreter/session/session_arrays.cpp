#include "interpreter/session/session_arrays.h"

#include <algorithm>
#include <vector>

namespace shard {

bool is_reached(CopyId copy, const Program& program, const Scope& scope) {
  const ArrayId* owner = program.owners.find(copy);
  if (owner == nullptr) return false;
  const ArrayInfo& array = scope.store.arrays[*owner];
  const auto named = scope.names.find_array(array.name);
  const LiveCopies& copies = scope.held.of(*owner);
  return named && *named == *owner &&
         std::any_of(copies.begin(), copies.end(),
                     [&](const LiveCopy& live) { return live.copy == copy; });
}

KeptCopies SessionArrays::inputs_of(const PartToRun& part) const {
  KeptCopies held;
  for (const Step& step : part.program.plan.steps) {
    const auto* input = std::get_if<InputStep>(&step.action);
    if (input == nullptr || input->kind != InputKind::Held) continue;
    held.emplace(input->result,
                 copies_.at(part.originals[static_cast<std::size_t>(input->result.value)]));
  }
  return held;
}

void SessionArrays::add(std::size_t program, const KeptCopies& copies, const Program& whole,
                        const Scope& scope) {
  if (program != program_) {
    copies_.clear();
    bytes_ = 0;
    program_ = program;
  }
  for (const auto& [id, copy] : copies) {
    if (copies_.insert_or_assign(id, copy).second) bytes_ += copy->bytes();
  }
  if (bytes_ > most_) make_room(whole, scope);
}

void SessionArrays::make_room(const Program& whole, const Scope& scope) {
  const auto let_go = [&](KeptCopies::iterator copy) {
    bytes_ -= copy->second->bytes();
    return copies_.erase(copy);
  };
  for (auto copy = copies_.begin(); copy != copies_.end();)
    copy = is_reached(copy->first, whole, scope) ? std::next(copy) : let_go(copy);
  // Ids grow with time. There is room for more then, so that this is not done for every line.
  while (bytes_ > most_ / 2 && !copies_.empty()) let_go(copies_.begin());
}

}  // namespace shard
