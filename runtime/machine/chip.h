// The figures of a chip. The catalogue itself is stdlib/hardware.shard, in Shard's own language.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/rational.h"
#include "runtime/algebra/formula.h"
#include "runtime/element/dtype.h"
#include "runtime/machine/wrap_rule.h"

namespace shard {

// What connects the devices along a mesh axis: torus links, the network between slices, a node without a torus (a switch,
// or the links of WrapRule::Full), or what joins the cores of one chip.
enum class AxisKind { Ici, Dcn, Switch, Core };

// What share of the peak rate a product of three equal lengths, m = n = k = `size`, reaches.
struct SizedEfficiency {
  std::int64_t size = 1;
  Rational efficiency = 1;
  friend bool operator==(const SizedEfficiency&, const SizedEfficiency&) = default;
};

struct Chip {
  std::string name;
  std::vector<std::int64_t> pod;  // largest slice; empty: unknown
  std::vector<std::int64_t> host;
  std::optional<Rational> hbm;             // bytes
  std::optional<Rational> hbm_bandwidth;   // bytes/s
  std::optional<Rational> fast_memory;     // bytes: what a kernel works in
  std::optional<Rational> ici_one_way;     // W1: bytes/s of one link, one direction
  std::optional<Rational> dcn_bandwidth;   // bytes/s per chip
  std::optional<Rational> pcie_bandwidth;  // bytes/s
  std::optional<Rational> hop;             // T_min: seconds
  std::optional<Rational> launch;          // T_launch: seconds
  std::optional<Rational> cores;           // devices of one chip
  std::optional<Rational> core_link;       // W_core: bytes/s that one core sends to the others
  std::map<DType, Rational> rates;         // FLOP/s (operations/s for integers), by operand dtype
  std::optional<Rational> efficiency;      // achievable FLOP/s over `rates`, of large products
  // By size, ascending; the last one is `efficiency`. Empty: the same at every size.
  std::vector<SizedEfficiency> efficiency_by_size;
  WrapRule wrap = WrapRule::Cube4;

  friend bool operator==(const Chip&, const Chip&) = default;
};

// The chip before any `hardware` statement: no figures. Costs then contain the symbols C, W, W_hbm.
Chip unknown_chip();

// The type whose figure applies: catalogues give one figure for both fp8 formats, and one for 32-bit integers.
DType rated_as(DType dtype);
// FLOP/s for operands of `dtype`. A dtype without a rate takes bf16's, and `borrowed` is that dtype. Without figures,
// the symbol `C`.
struct Rate {
  Formula flops_per_second;
  std::optional<DType> borrowed = std::nullopt;
};
Rate rate_of(const Chip& chip, DType dtype);
// W1 in bytes/s, or `W / 2` with the symbol W.
Formula one_way_bandwidth(const Chip& chip);
// W = 2·W1, both directions of one axis.
Formula axis_bandwidth(const Chip& chip);
// W, what an axis carries of a large AllGather's volume per second (cost model, "Time of a collective"): both directions of a ring,
// 2·W1; W1 behind a switch; in a node where each chip has a link to each other, all links of one, (pod - 1)·W1.
Formula exchange_bandwidth(const Chip& chip);
// Bytes/s of HBM, or the symbol `W_hbm`.
Formula hbm_bandwidth(const Chip& chip);
// Bytes/s of the network between slices, per chip, or the symbol `W_dcn`.
Formula dcn_bandwidth(const Chip& chip);

// Bytes/s that a core sends to the other cores of its chip, or the symbol `W_core`.
Formula core_bandwidth(const Chip& chip);

// The least seconds a hop takes (cost model, "Symbols"): T_min on ICI, between cores and behind a switch, 1 us unless the
// chip states it, and ten times that on DCN. Without a declared chip the symbol `T_min`.
Formula hop_latency(AxisKind kind, const Chip& chip);
// T_launch: the seconds that every collective takes before its first byte moves; 0 unless the chip states it.
Formula launch_time(const Chip& chip);

// Devices of one chip; 1 unless the chip states it.
Formula cores_of(const Chip& chip);
// The figures of one of the chip's cores: an equal share of memory, rates and bandwidths. What joins the cores stays.
Chip one_core_of(const Chip& chip);

// Achievable FLOP/s over the peak for large products; 1 unless the chip states it.
Formula efficiency_of(const Chip& chip);
// The FLOPs that the peak rate would do in the time that `flops` take: flops / efficiency, and of products, where the chip
// states efficiencies by size, linear in the FLOPs between the 2·n³ of two sizes. A product smaller than the smallest
// takes as long as that one (cost model, "Efficiency").
Formula flops_at_peak(const Chip& chip, const Amount& flops, bool is_product);

}  // namespace shard
