#include "interpreter/program/ended_copies.h"

namespace shard {

namespace {

// The statement frees a copy that nothing reads any more, unless the copy also belongs to another array.
void end_copy(CopyId copy, ArrayId array, std::size_t statement, const Holdings& held,
              Program& program) {
  const ArrayId* owner = program.owners.find(copy);
  if (owner == nullptr || *owner != array || held.is_shared(copy)) return;
  program.ended.set_first(copy, static_cast<int>(statement));
}

}  // namespace

void end_array(ArrayId array, std::size_t statement, const Holdings& held, Program& program) {
  for (const LiveCopy& live : held.of(array)) end_copy(live.copy, array, statement, held, program);
}

void end_replaced(ArrayId array, CopyId by, std::size_t statement, const Holdings& held,
                  Program& program) {
  for (const LiveCopy& live : held.of(array)) {
    if (live.copy.valid() && live.copy != by && live.layout == program.plan.copies[by].layout)
      end_copy(live.copy, array, statement, held, program);
  }
}

}  // namespace shard
