#include "interpreter/program/ended_copies.h"

namespace shard {

namespace {

// The statement frees a copy that nothing reads any more, unless the copy also belongs to another array.
void end_copy(CopyId copy, ArrayId array, std::size_t statement, const Scope& scope,
              Program& program) {
  const ArrayId* owner = program.owners.find(copy);
  if (owner == nullptr || *owner != array || is_shared(copy, scope)) return;
  program.ended.set_first(copy, static_cast<int>(statement));
}

}  // namespace

bool is_shared(CopyId copy, const Scope& scope) {
  return scope.store.shared_copies.count(copy) != 0;
}

void end_array(ArrayId array, const Scope& scope, Program& program) {
  for (const LiveCopy& live : scope.store.arrays[array].copies)
    end_copy(live.copy, array, program.statements.size() - 1, scope, program);
}

void end_replaced(ArrayId array, CopyId by, std::size_t statement, const Scope& scope,
                  Program& program) {
  for (const LiveCopy& live : scope.store.arrays[array].copies) {
    if (live.copy.valid() && live.copy != by && live.layout == program.plan.copies[by].layout)
      end_copy(live.copy, array, statement, scope, program);
  }
}

}  // namespace shard
