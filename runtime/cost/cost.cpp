#include "runtime/cost/cost.h"

#include <algorithm>
#include <map>

#include "base/check.h"
#include "base/contains.h"
#include "base/match.h"
#include "runtime/plan/device_layout.h"

namespace shard {
namespace {

// Of the bytes of a copy, or of elements of it, those that pass HBM.
Amount in_hbm(const Copy& copy, const Amount& bytes) {
  if (copy.in_fast_memory) return {};
  return copy.at_hand == Rational(0) ? bytes : bytes * Amount(Rational(1) - copy.at_hand);
}

Amount bytes_of(const Copy& copy, const Mesh& mesh) {
  if (copy.in_fast_memory) return {};
  return in_hbm(copy, local_bytes(copy.shape, copy.dtype, copy.layout, mesh));
}

// Those of HBM where as many elements as `moved` has are read from one copy and written to another.
Amount moved_bytes(const Copy& from, const Copy& to, const Copy& moved, const Mesh& mesh) {
  const Amount bytes = local_bytes(moved.shape, moved.dtype, moved.layout, mesh);
  return in_hbm(from, bytes) + in_hbm(to, bytes);
}

// Adds to `lengths` the length of each label on one device.
void add_local_lengths(std::map<int, Amount>& lengths, const std::vector<int>& labels,
                       const Copy& copy, const Mesh& mesh) {
  const std::vector<Amount> local = local_shape(copy.shape, copy.layout, mesh);
  SHARD_CHECK(local.size() == labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) lengths.emplace(labels[i], local[i]);
}

// Operands of two dtypes are multiplied in the one that holds both, and at the slower one's rate if one of them is of integers.
Rate rate_for(const Chip& chip, DType left, DType right) {
  if (!is_integer(left) && !is_integer(right))
    return rate_of(chip, common_type(left, right).value_or(right));
  const Rate a = rate_of(chip, left);
  const Rate b = rate_of(chip, right);
  return {min(a.flops_per_second, b.flops_per_second), a.borrowed ? a.borrowed : b.borrowed};
}

void set_math(Cost& cost, const Rate& rate, const Chip& chip, bool is_product = false) {
  cost.math = flops_at_peak(chip, cost.flops, is_product) / rate.flops_per_second;
  if (chip.efficiency) cost.math_at_peak = Formula(cost.flops) / rate.flops_per_second;
  // A rate that nothing is computed at is not missed: casts and fills count no FLOPs.
  const auto flops = cost.flops.constant();
  if (!flops || !flops->is_zero()) cost.rate_borrowed = rate.borrowed;
}

void set_hbm(Cost& cost, const Amount& bytes, const Machine& machine) {
  cost.hbm_bytes = bytes;
  cost.hbm = Formula(bytes) / hbm_bandwidth(machine.chip);
}

// Local work takes as long as on the slowest device doing it.
Cost at_slowest(Cost cost, const Copy& result, const Machine& machine) {
  const Rational slowdown = slowdown_of(result.layout, machine);
  if (slowdown == Rational(1)) return cost;
  cost.math = Formula(slowdown) * cost.math;
  cost.math_at_peak = Formula(slowdown) * cost.math_at_peak;
  cost.hbm = Formula(slowdown) * cost.hbm;
  return cost;
}

struct KnownTimes {
  Rational math;
  Rational hbm;
  Rational comms;
  Rational latency;
  Rational transfer;
};

std::optional<KnownTimes> known_times(const Cost& cost) {
  const auto math = cost.math.constant();
  const auto hbm = cost.hbm.constant();
  const auto comms = cost.comms.constant();
  const auto latency = cost.comms_latency.constant();
  const auto transfer = cost.comms_transfer.constant();
  if (!math || !hbm || !comms || !latency || !transfer) return std::nullopt;
  return KnownTimes{*math, *hbm, *comms, *latency, *transfer};
}

}  // namespace

Formula Cost::time() const { return max(math, hbm) + comms; }
Formula Cost::lower() const { return max(math, comms); }
Formula Cost::upper() const { return math + comms; }

Cost& Cost::operator+=(const Cost& other) {
  flops = flops + other.flops;
  hbm_bytes = hbm_bytes + other.hbm_bytes;
  comm_bytes = comm_bytes + other.comm_bytes;
  math = math + other.math;
  math_at_peak = math_at_peak + other.math_at_peak;
  hbm = hbm + other.hbm;
  comms = comms + other.comms;
  comms_latency = comms_latency + other.comms_latency;
  comms_transfer = comms_transfer + other.comms_transfer;
  if (!rate_borrowed) rate_borrowed = other.rate_borrowed;
  severed = severed || other.severed;
  return *this;
}

Cost& Cost::operator-=(const Cost& other) {
  flops = flops - other.flops;
  hbm_bytes = hbm_bytes - other.hbm_bytes;
  comm_bytes = comm_bytes - other.comm_bytes;
  math = math - other.math;
  math_at_peak = math_at_peak - other.math_at_peak;
  hbm = hbm - other.hbm;
  comms = comms - other.comms;
  comms_latency = comms_latency - other.comms_latency;
  comms_transfer = comms_transfer - other.comms_transfer;
  return *this;
}

Bound bound_of(const Cost& cost) {
  const auto times = known_times(cost);
  if (!times) return Bound::Unknown;
  const Rational longest = std::max({times->math, times->hbm, times->comms});
  if (longest.is_zero()) return Bound::Nothing;
  if (longest == times->math) return Bound::Compute;
  if (longest == times->hbm) return Bound::Memory;
  return times->latency > times->transfer ? Bound::Latency : Bound::Communication;
}

std::string_view name_of(Bound bound) {
  switch (bound) {
    case Bound::Nothing:
      return "-";
    case Bound::Compute:
      return "compute";
    case Bound::Memory:
      return "memory";
    case Bound::Communication:
      return "communication";
    case Bound::Latency:
      return "latency";
    case Bound::Unknown:
      return "?";
  }
  SHARD_CHECK(!"a bound has a name");
}

// A piece reads parts; if it adds to the previous turn's sums, it reads those as well.
Cost cost_of_contraction(const ContractStep& step, const Copy& left, const Copy& right,
                         const Copy& result, const Machine& machine) {
  const Mesh& mesh = machine.mesh;
  const Amount whole = 1;
  const Amount part = step.piece ? whole / size_of(step.piece->axes, mesh) : whole;
  const auto is_cut = [&](const Copy& copy, const std::vector<int>& labels) {
    return step.piece && contains(labels, step.piece->along) &&
           !holds_part(copy, labels, *step.piece);
  };
  const auto bytes = [&](const Copy& copy, const std::vector<int>& labels) {
    return bytes_of(copy, mesh) * (is_cut(copy, labels) ? part : whole);
  };
  std::map<int, Amount> lengths;
  add_local_lengths(lengths, step.left_labels, left, mesh);
  add_local_lengths(lengths, step.right_labels, right, mesh);
  Cost cost;
  cost.flops = 2;
  for (const auto& [label, length] : lengths) cost.flops = cost.flops * length;
  // Lengths came from the first operand that has the label, so only a cut of that one is not accounted for yet.
  if (is_cut(left, step.left_labels) ||
      (!contains(step.left_labels, step.piece ? step.piece->along : -1) &&
       is_cut(right, step.right_labels)))
    cost.flops = cost.flops * part;
  set_math(cost, rate_for(machine.chip, left.dtype, right.dtype), machine.chip, true);
  Amount moved = bytes(left, step.left_labels) + bytes(right, step.right_labels) +
                 bytes(result, step.result_labels);
  const bool adds =
      step.piece && step.piece->onto.valid() && !contains(step.result_labels, step.piece->along);
  if (adds) moved = moved + bytes_of(result, mesh);
  set_hbm(cost, moved, machine);
  return at_slowest(cost, result, machine);
}

Cost cost_of_elements(const ElementwiseStep& step, const std::vector<Copy>& operands,
                      const Copy& result, const Machine& machine) {
  const Mesh& mesh = machine.mesh;
  std::map<int, Amount> lengths;
  add_local_lengths(lengths, step.result_labels, result, mesh);
  Cost cost;
  cost.flops =
      element_operations(step.program, step.operand_labels, {lengths.begin(), lengths.end()});
  Amount bytes = bytes_of(result, mesh);
  // What is computed in a wide type and stored in a narrow one takes the time of the wide one.
  DType widest = result.dtype;
  for (const Copy& operand : operands) {
    bytes = bytes + bytes_of(operand, mesh);
    if (!is_integer(operand.dtype) && !is_integer(widest))
      widest = common_type(operand.dtype, widest).value_or(widest);
  }
  set_math(cost, rate_of(machine.chip, widest), machine.chip);
  set_hbm(cost, bytes, machine);
  return at_slowest(cost, result, machine);
}

Cost cost_of_reduction(const Copy& operand, const Copy& result, const Machine& machine) {
  const Mesh& mesh = machine.mesh;
  Cost cost;
  cost.flops = 1;
  for (const Amount& length : local_shape(operand.shape, operand.layout, mesh))
    cost.flops = cost.flops * length;
  set_math(cost, rate_of(machine.chip, operand.dtype), machine.chip);
  set_hbm(cost, bytes_of(operand, mesh) + bytes_of(result, mesh), machine);
  return at_slowest(cost, result, machine);
}

// Of a view, or a device's own part: whoever reads it reads the operand. Out of fast memory it is written.
Cost cost_of_view(const Copy& operand, const Copy& result, const Machine& machine) {
  Cost cost;
  if (!operand.in_fast_memory || result.in_fast_memory) return cost;
  set_hbm(cost, bytes_of(result, machine.mesh), machine);
  return at_slowest(cost, result, machine);
}

Cost cost_of_selection(const SelectionStep& step, const std::vector<Copy>& operands,
                       const Copy& result, const Machine& machine) {
  const Mesh& mesh = machine.mesh;
  Cost cost;
  if (is_view(step, operands.front(), result))
    return cost_of_view(operands.front(), result, machine);
  switch (step.kind) {
    case SelectionKind::Reshape:
      set_hbm(cost, moved_bytes(operands.front(), result, result, mesh), machine);
      return at_slowest(cost, result, machine);
    case SelectionKind::Top:
    case SelectionKind::CumSum:
      cost = cost_of_reduction(operands.front(), result, machine);
      return cost;
    case SelectionKind::Gather: {
      Amount bytes = moved_bytes(operands.front(), result, result, mesh);
      for (std::size_t i = 1; i < operands.size(); ++i) bytes = bytes + bytes_of(operands[i], mesh);
      set_hbm(cost, bytes, machine);
      return at_slowest(cost, result, machine);
    }
    case SelectionKind::Concat: {
      Amount bytes = bytes_of(result, mesh);
      for (const Copy& operand : operands) bytes = bytes + bytes_of(operand, mesh);
      set_hbm(cost, bytes, machine);
      return at_slowest(cost, result, machine);
    }
    case SelectionKind::Scatter: {
      cost.flops = 1;
      for (const Amount& length : local_shape(operands[0].shape, operands[0].layout, mesh))
        cost.flops = cost.flops * length;
      set_math(cost, rate_of(machine.chip, operands[0].dtype), machine.chip);
      Amount bytes = bytes_of(result, mesh);
      for (const Copy& operand : operands) bytes = bytes + bytes_of(operand, mesh);
      set_hbm(cost, bytes, machine);
      return at_slowest(cost, result, machine);
    }
    case SelectionKind::Update: {
      Amount bytes = moved_bytes(operands[1], result, operands[1], mesh);
      if (operands.size() > 2) bytes = bytes + bytes_of(operands[2], mesh);
      // Otherwise everything else is copied.
      if (!step.in_place.valid()) bytes = bytes + moved_bytes(operands[0], result, result, mesh);
      set_hbm(cost, bytes, machine);
      return at_slowest(cost, result, machine);
    }
  }
  SHARD_CHECK(!"a selection has a cost");
}

Cost cost_of_transpose(const Copy& operand, const Copy& result, const Machine& machine) {
  const Mesh& mesh = machine.mesh;
  Cost cost;
  set_hbm(cost, bytes_of(operand, mesh) + bytes_of(result, mesh), machine);
  return at_slowest(cost, result, machine);
}

Cost cost_of(const Step& step, const Plan& plan, const Machine& machine) {
  const auto& copies = plan.copies;
  return match(
      step.action,  //
      [](const InputStep&) { return Cost{}; },
      [&](const ContractStep& s) {
        return cost_of_contraction(s, copies[s.left], copies[s.right], copies[s.result], machine);
      },
      [&](const ElementwiseStep& s) {
        std::vector<Copy> operands;
        for (const CopyId operand : s.operands) operands.push_back(copies[operand]);
        return cost_of_elements(s, operands, copies[s.result], machine);
      },
      [&](const ReductionStep& s) {
        return cost_of_reduction(copies[s.operand], copies[s.result], machine);
      },
      [&](const SelectionStep& s) {
        std::vector<Copy> operands;
        for (const CopyId operand : s.operands) operands.push_back(copies[operand]);
        return cost_of_selection(s, operands, copies[s.result], machine);
      },
      [&](const CollectiveStep& s) {
        return cost_of_collective(s.kind, s.axes, s.shift, copies[s.operand], copies[s.result],
                                  machine);
      },
      [&](const SliceStep& s) {
        return cost_of_view(copies[s.operand], copies[s.result], machine);
      },
      [&](const TransposeStep& s) {
        return cost_of_transpose(copies[s.operand], copies[s.result], machine);
      },
      [](const FreeStep&) { return Cost{}; });
}

}  // namespace shard
