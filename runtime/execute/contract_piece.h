// Parts of a contraction, computed one after the other (plan.h, `Piece`).
#pragma once

#include <cstdint>

#include "runtime/execute/contract.h"
#include "runtime/plan/plan.h"

namespace shard {

// Gives `result`, an outline, what one turn makes. The blocks of `onto`, the result of the turn before, are taken over
// where the result has the piece's label, so that afterwards it has none. `onto` is null in the first turn. Returns how
// many elements were clamped. Throws std::bad_alloc.
std::uint64_t contract_piece(const DeviceArray& left, const DeviceArray& right,
                             const ContractionLabels& labels, const Piece& piece, DeviceArray* onto,
                             const Mesh& mesh, const Executor& executor, Kernels& kernels,
                             DeviceArray& result);

// How many devices make each element of a shard of the result in the turns together: more than one where all have the whole
// of it, and each makes every part. 1 of a contraction that is no piece. `result` may be an outline.
std::int64_t times_made(const ContractStep& step, const DeviceArray& result, const Mesh& mesh);

// Bytes that a contraction takes besides its arrays, which may be outlines: packed operands and, in turns, parts. `onto` as
// for contract_piece.
double bytes_beside(const ContractStep& step, const DeviceArray& left, const DeviceArray& right,
                    const DeviceArray* onto, const Mesh& mesh, Kernels& kernels,
                    const DeviceArray& result);

}  // namespace shard
