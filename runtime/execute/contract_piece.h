// Parts of a contraction, computed one after the other (plan.h, `Piece`).
#pragma once

#include <cstdint>

#include "runtime/execute/contract.h"
#include "runtime/plan/plan.h"

namespace shard {

// Fills `result`, an outline, with what one turn makes. If the result has the piece's label, it takes over the blocks
// of `onto`, the previous turn's result, which then has none. `onto` is null in the first turn. Returns how many
// elements were clamped. Throws std::bad_alloc.
std::uint64_t contract_piece(const DeviceArray& left, const DeviceArray& right,
                             const ContractionLabels& labels, const Piece& piece, DeviceArray* onto,
                             const Mesh& mesh, const Executor& executor, Kernels& kernels,
                             DeviceArray& result);

// How many devices compute each element of a shard of the result, over all turns: more than one if all hold the whole
// result and each computes every part. 1 for a contraction that is not a piece. `result` may be an outline.
std::int64_t times_made(const ContractStep& step, const DeviceArray& result, const Mesh& mesh);

// Bytes that a contraction takes in addition to its arrays, which may be outlines: packed operands and, in turns,
// parts. `onto` as for contract_piece.
double bytes_beside(const ContractStep& step, const DeviceArray& left, const DeviceArray& right,
                    const DeviceArray* onto, const Mesh& mesh, Kernels& kernels,
                    const DeviceArray& result);

}  // namespace shard
