// The cost model `book`: the one place where FLOPs, bytes and times are computed. Sources: the sharded-matrices
// document, "What happens when we AllGather over multiple axes", "Case 3", "A Deeper Dive into TPU Communication
// Primitives"; cost model, "Time of a collective".
//
// In this folder:
//   cost.h                             the cost model `book`
//   collective_cost.h, permute_cost.h  the parts that the costs of collectives are made of
//   timeline.h, streams.h, step_readers.h when each step runs, and on what
//   exposed_time.h                     how long streams are busy, and how long only data moves
//   peak_memory.h, occupancy.h         what each device holds, and the copies that come and go
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/algebra/formula.h"
#include "runtime/machine/chip.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/mesh.h"
#include "runtime/plan/layout.h"
#include "runtime/plan/plan.h"

namespace shard {

// Per device. Times in seconds.
struct Cost {
  Amount flops;
  Amount hbm_bytes;
  Amount comm_bytes;
  Formula math;            // flops / C of the operands' dtype, over the chip's efficiency
  Formula math_at_peak;    // flops / C; 0 where the chip states no efficiency, as that is `math`
  Formula hbm;             // hbm_bytes / W_hbm
  Formula comms;           // max(latency, transfer) of a collective; in a total, the sum of these
  Formula comms_latency;   // T_min · hops
  Formula comms_transfer;  // bytes over bandwidth
  // The element type that has no rate of its own; in a total, the first such type.
  std::optional<DType> rate_borrowed = std::nullopt;
  bool severed = false;  // a collective whose devices cannot reach each other, as links have failed

  // max(math, hbm) + comms: the time of one statement, which the planner minimises.
  Formula time() const;
  // max(Σ math, Σ comms) and Σ math + Σ comms (cost model, "A statement, a block").
  Formula lower() const;
  Formula upper() const;
  Cost& operator+=(const Cost& other);
  // Of a total that has the other one in it: the amounts and times without it.
  Cost& operator-=(const Cost& other);
};

enum class Bound { Nothing, Compute, Memory, Communication, Latency, Unknown };
// What dominates the time: the largest of math, hbm and comms, the first of these on a tie; Latency if comms is largest
// and waits for hops rather than bytes. Unknown while sizes are missing, Nothing if all are 0.
Bound bound_of(const Cost& cost);
std::string_view name_of(Bound bound);  // "compute", "memory", "communication", "latency", "-", "?"

// A simulated time, to the femtosecond.
Formula to_seconds(double seconds);

// V, the volume of a collective: global bytes over the axes that split the array and are not part of it (cost model,
// "V, the volume of a collective").
Amount collective_volume(const std::vector<AxisId>& axes, const Copy& operand, const Mesh& mesh);

// One collective between two layouts of an array. Axes of size 1 take no part; if no others are left, it costs nothing.
// Any other takes T_launch and then:
// With W1 for one link in one direction, W = 2·W1, T_min the latency of a hop, h the hops of an axis, ⌈|X|/2⌉ on a ring
// and
// X|−1 on a line (cost model, "Time of a collective"):
//
//   AllGather and ReduceScatter of V over
//     rings X1 … Xn       max(T_min·Σh, V / (n·W)); a mesh axis `X: 4x4` is two rings
//     one line X          (|X|−1) · max(T_min, V / (|X|·W1))
//     several with lines  max(T_min·Σh, V / Σ bandwidths), W for a ring and W1 for a line
//     a network P         max(one hop, (1−1/|P|)·V / W_dcn); P is a Dcn or Switch axis
//     a full node of n    max(one hop, (1−1/n)·V / ((n−1)·W1)), which is V / (n·W1)
//   AllReduce             ReduceScatter + AllGather
//   AllToAll of V over
//     rings, lines        max(T_min·Σh, V·max(c_i·|Xi|) / (4·N·W)), c_i = 1 for a ring, else 2
//     a network P         max(one hop, (1−1/|P|)·V / (|P|·W_dcn))
//                         The factor 1−1/|P|, for what a device has already, is not in the source ("Scaling Between
//                         Pods"): with it two slices need half the batch the source asks for, many nearly all of it
//     a full node of n    max(one hop, (1−1/n)·V / (n·(n−1)·W1))
//   CollectivePermute, Shift and send
//     rings, lines        load of the busiest link / W1 + T_min · hops of the longest way
//     a network P         what a device sends there / W_dcn + one hop
//     a full node         what a device sends to one other / W1 + one hop
//   Broadcast of V over
//     rings, lines        V / W1 + T_min·Σh, each link of the shortest ways carries V once
//     a network P         V / W_dcn + one hop
//     a full node         V / W1 + one hop
//
// A full node is that of a chip with WrapRule::Full; n is the product of those of its axes that take part, whichever
// they are. Every chip has a link of W1, each way, to each other one (AMD, "Instinct MI300X Accelerator Data Sheet"), so
// what n devices exchange, a part for each of the others, goes over n−1 links of each at the same time, with no part
// passed on. What goes to one device takes the one link that leads there, and what goes to all of them takes every link
// with all of its bytes.
//
// A ring with a failed link is a line; a slow link limits the whole axis to its own pace (cost model, "Faults").
//
// Over axes of several kinds one primitive runs after the other: the torus moves V, then the switch V / |torus|, then
// the network between slices what is left; an AllToAll moves all that a device holds in each.
//
// Links and ports: a permuted block takes the shortest way, one torus axis after the other, and splits in half where
// both directions are equally long. `ports` in the cost model's "bytes of the busiest link / (ports·W1)" is the number
// of torus axes that the block has to travel: it leaves in as many equal parts, the k-th of which starts along the k-th
// axis. So one block alone takes bytes / (ports·W1); if all devices send at once, parts of several blocks add up on a
// link. While sizes are symbols, and beyond 65,536 devices, it is bytes·max(c_i·|Xi|) / (2·W) + T_min·Σh: the bytes of
// two AllToAlls, which can do any permutation. A Shift by k over one ring of unknown length is k·(bytes / W1 + T_min).
Cost cost_of_collective(CollectiveKind kind, const std::vector<AxisId>& axes, int shift,
                        const Copy& operand, const Copy& result, const Machine& machine);
// Sends `bytes` from one device to another through all ports that lead there: bytes / (ports·W1) + T_min·hops.
// REQUIRES: every size is a number.
Cost cost_of_send(const Amount& bytes, std::int64_t from, std::int64_t to, const Machine& machine);
// Local contraction: FLOPs are 2 · product of all distinct local dimensions (cost model, "Local work").
Cost cost_of_contraction(const ContractStep& step, const Copy& left, const Copy& right,
                         const Copy& result, const Machine& machine);
// Local elementwise work: each operation of the program is one FLOP per element of the dimensions that its own
// arguments have; the result and each of `operands` pass HBM once (cost model, "Local work"). A chain of operations is
// one step, so its intermediates do not.
Cost cost_of_elements(const ElementwiseStep& step, const std::vector<Copy>& operands,
                      const Copy& result, const Machine& machine);
// A reduction is one FLOP per element of the operand; operand and result pass HBM. Selected or written elements are
// read and written; a Top compares each element of its operand once. A Reshape moves nothing.
Cost cost_of_selection(const SelectionStep& step, const std::vector<Copy>& operands,
                       const Copy& result, const Machine& machine);
Cost cost_of_reduction(const Copy& operand, const Copy& result, const Machine& machine);
// Operand and result pass HBM.
Cost cost_of_transpose(const Copy& operand, const Copy& result, const Machine& machine);
// Any step of a plan. Inputs, slices and frees cost nothing.
Cost cost_of(const Step& step, const Plan& plan, const Machine& machine);

}  // namespace shard
