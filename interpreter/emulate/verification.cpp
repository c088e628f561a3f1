#include "interpreter/emulate/verification.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "base/check.h"
#include "interpreter/reference/parallel.h"
#include "interpreter/reference/rounding_error.h"
#include "runtime/element/number.h"
#include "runtime/platform/executor.h"

namespace shard {

namespace {

using ArrayPointer = std::shared_ptr<const oracle::Array>;

bool same_number(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Whether a test holds for all indices.
template <class Test>
bool holds_for_all(std::size_t count, const oracle::Watch& watch, const Test& test) {
  std::atomic<bool> all = true;
  oracle::in_ranges(watch, count, oracle::kElementsAtOnce, [&](std::size_t begin, std::size_t end) {
    int wrong = 0;
    for (std::size_t i = begin; i < end; ++i) wrong += static_cast<int>(!test(i));
    if (wrong != 0) all = false;
  });
  return all;
}

// A value for each index.
template <class Function>
Numbers numbers(std::size_t count, const oracle::Watch& watch, const Function& function) {
  Numbers result(count);
  oracle::in_ranges(watch, count, oracle::kElementsAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) result[i] = function(i);
  });
  return result;
}

// The array as an operand: nothing is known of elements that are not finite.
ArrayPointer settled(const ArrayPointer& array, bool is_finite, const oracle::Mode& mode) {
  if (is_finite) return array;
  oracle::Array copy = *array;
  if (copy.bound.empty()) copy.bound.assign(copy.value.size(), 0.0);
  oracle::settle(copy, mode);
  return std::make_shared<const oracle::Array>(std::move(copy));
}

// If copies of one array differ, as partial sums and their reduction do, either may have been used.
ArrayPointer joined(const ArrayPointer& a, const ArrayPointer& b, const oracle::Watch& watch) {
  if (a == b) return a;
  oracle::Array both = *a;
  both.bound = numbers(a->value.size(), watch, [&](std::size_t i) {
    const double apart = std::abs(a->value[i] - b->value[i]);
    return apart + std::max(a->bound_at(i), b->bound_at(i));
  });
  if (both.size.empty()) both.size = b->size;
  return std::make_shared<const oracle::Array>(std::move(both));
}

// Compares elements [begin, end).
Comparison compared(const oracle::Array& expected, bool exact, const oracle::Array& held,
                    std::size_t begin, std::size_t end) {
  Comparison result;
  for (std::size_t i = begin; i < end; ++i) {
    const double bound = exact ? 0 : expected.bound_at(i);
    if (!std::isfinite(bound)) {
      ++result.not_judged;
      if (!std::isfinite(held.value[i])) ++result.not_finite;
      continue;
    }
    if (same_number(held.value[i], expected.value[i])) continue;
    const double error = std::abs(held.value[i] - expected.value[i]);
    result.within = result.within && error <= bound;  // a NaN is outside
    if (error > result.largest_error || std::isnan(error)) result.largest_error = error;
    result.largest_share = std::max(result.largest_share, error / bound);
  }
  return result;
}

// Adds up comparisons of parts, in any order.
void merge_into(Comparison& whole, const Comparison& part) {
  whole.not_judged += part.not_judged;
  whole.not_finite += part.not_finite;
  whole.within = whole.within && part.within;
  if (part.largest_error > whole.largest_error || std::isnan(part.largest_error))
    whole.largest_error = part.largest_error;
  whole.largest_share = std::max(whole.largest_share, part.largest_share);
}

// The largest distance of two arrays and the largest element of both, over finite elements, and whether the same
// elements are finite in both: an integer array stores a number in place of a NaN.
struct Distance {
  double apart = 0;
  double largest = 0;
  bool same_finite = true;
};
Distance distance(const Numbers& a, const Numbers& b, std::size_t begin, std::size_t end) {
  Distance result;
  for (std::size_t i = begin; i < end; ++i) {
    if (std::isfinite(a[i]) != std::isfinite(b[i])) result.same_finite = false;
    if (!std::isfinite(a[i]) || !std::isfinite(b[i])) continue;
    result.apart = std::max(result.apart, std::abs(a[i] - b[i]));
    result.largest = std::max({result.largest, std::abs(a[i]), std::abs(b[i])});
  }
  return result;
}

// Whether the oracle's bounded value may differ from that of plain numbers: it assumes some value in place of NaN, and
// comparisons and choices then hide that nothing is known.
bool may_hide_unknown(const checked::Operation& operation) {
  const auto* elements = std::get_if<checked::Elementwise>(&operation.node);
  const auto decides = [](const ElementInstruction& instruction) {
    const bool compares =
        instruction.op >= ElementOp::Less && instruction.op <= ElementOp::NotEqual;
    return compares || instruction.op == ElementOp::Where;
  };
  if (elements != nullptr &&
      std::any_of(elements->program.begin(), elements->program.end(), decides))
    return true;
  const auto parts = checked::operands_of(operation);
  return std::any_of(parts.begin(), parts.end(),
                     [](const checked::Operation* part) { return may_hide_unknown(*part); });
}

}  // namespace

Verification::Verification(const Program& program, const Plan& plan, const Mesh& mesh,
                           const Scope& scope, InputValues inputs, std::function<bool()> cancelled,
                           int threads)
    : program_(program),
      mesh_(mesh),
      scope_(scope),
      watch_(
          [cancelled = std::move(cancelled)] {
            if (cancelled && cancelled()) throw Cancelled();
          },
          threads),
      judgements_(program, plan),
      unsharded_(scope, mesh,
                 [inputs](const InputStep& input, std::uint64_t index, DType dtype) {
                   return rounded_to(dtype, input_element(inputs, input, index));
                 },
                 {.watch = watch_, .bounds = oracle::Bounds::None}) {}

// Loops over blocks that together have this many elements.
Loop Verification::in_blocks(std::size_t elements) const {
  return [this, elements](std::size_t count, const std::function<void(std::size_t)>& body) {
    const std::size_t at_once =
        oracle::kElementsAtOnce * count / std::max<std::size_t>(1, elements) + 1;
    oracle::in_ranges(watch_, count, at_once, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) body(i);
    });
  };
}

Verification::Held Verification::held_by(const DeviceArray& device_array, DType dtype) const {
  std::size_t elements = 1;
  for (const std::int64_t length : device_array.shape) elements *= static_cast<std::size_t>(length);
  GlobalArray whole = assemble(device_array, mesh_, in_blocks(elements));
  oracle::Array array{
      .shape = whole.shape, .value = std::move(whole.values), .bound = {}, .size = {}};
  Held held;
  const Layout& layout = device_array.layout;
  if (!layout.unreduced.empty()) {
    held.parts = static_cast<std::size_t>(length_of(layout.unreduced, mesh_));
    array.size = assemble_sizes(device_array, mesh_);
  }
  if (held.parts > 1 && layout.combination == Combination::Sum) {
    // The rounding error of adding up the parts, now or later.
    const double u = unit_roundoff(accumulation_type(dtype));
    const auto terms = static_cast<double>(held.parts);
    array.bound = numbers(elements, watch_, [&](std::size_t i) {
      return oracle::sum_error(terms, array.size[i], u, is_integer(dtype));
    });
  }
  held.is_finite =
      holds_for_all(elements, watch_, [&](std::size_t i) { return std::isfinite(array.value[i]); });
  held.array = std::make_shared<const oracle::Array>(std::move(array));
  return held;
}

void Verification::catch_up(int statement) {
  for (; next_ <= statement; ++next_) {
    if (judgements_.is_carried_out(next_))
      unsharded_.run(program_.statements[static_cast<std::size_t>(next_)].flow.get());
  }
}

Verification::Expected Verification::expected_input(ArrayId array) {
  return {.array = unsharded_.array(array), .exact = true};
}

Verification::Expected Verification::expected_of_source(CopyId source, const Held& held,
                                                        DType dtype) const {
  const Held& from = held_.at(source);
  const bool adds_up = from.parts != held.parts;
  if (!adds_up) return {.array = from.array, .exact = true};
  const oracle::Mode mode{.watch = watch_, .bounds = oracle::Bounds::Carried};
  oracle::Array sum = *settled(from.array, from.is_finite, mode);
  if (held.parts == 1) {
    oracle::round_once(sum, dtype, mode);
    oracle::settle(sum, mode);
  }
  return {.array = std::make_shared<const oracle::Array>(std::move(sum)), .exact = false};
}

std::shared_ptr<const oracle::Array> Verification::operand(int statement, ArrayId array) const {
  const oracle::Mode mode{.watch = watch_, .bounds = oracle::Bounds::Carried};
  ArrayPointer all;
  for (const CopyId copy : judgements_.read_by(statement, array)) {
    const Held& held = held_.at(copy);
    const ArrayPointer one = settled(held.array, held.is_finite, mode);
    all = all == nullptr ? one : joined(all, one, watch_);
  }
  SHARD_CHECK(all != nullptr);
  return all;
}

// Whether the unsharded computation has the same arrays for all operands.
bool Verification::has_whole_operands(const checked::Operation& operation, int statement) {
  if (const auto* use = std::get_if<checked::Use>(&operation.node))
    return operand(statement, use->array) == unsharded_.array(use->array);
  const auto parts = checked::operands_of(operation);
  return std::all_of(parts.begin(), parts.end(), [&](const checked::Operation* part) {
    return has_whole_operands(*part, statement);
  });
}

Verification::Expected Verification::expected_of_statement(const checked::Flow& flow, int statement,
                                                           const Held& held) {
  const bool once = next_ == statement && held.parts == 1 && !may_hide_unknown(flow.value) &&
                    has_whole_operands(flow.value, statement);
  oracle::Oracle oracle(scope_, mesh_, [&](ArrayId array) { return operand(statement, array); },
                        {.watch = watch_, .bounds = oracle::Bounds::Carried});
  auto result = std::make_shared<const oracle::Array>(oracle.result(flow, held.parts > 1));
  const auto is_known = [&](std::size_t i) { return std::isfinite(result->bound_at(i)); };
  if (once && holds_for_all(result->value.size(), watch_, is_known)) {
    unsharded_.put(flow.target,
                   std::make_shared<const oracle::Array>(oracle::Array{
                       .shape = result->shape, .value = result->value, .bound = {}, .size = {}}));
    ++next_;
  }
  return {.array = std::move(result), .exact = false};
}

Comparison& Verification::comparison_of(ArrayId array) {
  const auto [found, is_new] = numbers_.try_emplace(array, comparisons_.size());
  if (is_new) comparisons_.push_back({.array = array});
  return comparisons_[found->second];
}

bool Verification::compare(const Expected& expected, const oracle::Array& held, int statement,
                           Comparison& comparison) const {
  SHARD_CHECK(held.shape == expected.array->shape);
  Comparison own;
  std::mutex mutex;
  oracle::in_ranges(
      watch_, held.value.size(), oracle::kElementsAtOnce, [&](std::size_t begin, std::size_t end) {
        const Comparison part = compared(*expected.array, expected.exact, held, begin, end);
        const std::scoped_lock lock(mutex);
        merge_into(own, part);
      });
  // All copies of an array leave the same elements open, so they count once.
  const std::size_t not_judged = std::max(comparison.not_judged, own.not_judged);
  const std::size_t not_finite = std::max(comparison.not_finite, own.not_finite);
  if (comparison.within && !own.within) comparison.statement = statement;
  merge_into(comparison, own);
  comparison.not_judged = not_judged;
  comparison.not_finite = not_finite;
  comparison.elements = held.value.size();
  ++comparison.copies;
  return own.within;
}

void Verification::note_drift(ArrayId array, Held& held, Comparison& comparison) {
  const ArrayPointer whole = unsharded_.array(array);
  SHARD_CHECK(whole->shape == held.array->shape);
  // Partial sums are compared as what reducing them would give.
  const Numbers& values = held.array->value;
  const auto rounded = [&, dtype = scope_.store.arrays[array].dtype](std::size_t i) {
    return rounded_to(dtype, values[i]);
  };
  const Numbers own = held.parts > 1 ? numbers(values.size(), watch_, rounded) : Numbers();
  Distance all;
  std::mutex mutex;
  oracle::in_ranges(watch_, whole->value.size(), oracle::kElementsAtOnce,
                    [&](std::size_t begin, std::size_t end) {
                      const Distance part =
                          distance(held.parts > 1 ? own : values, whole->value, begin, end);
                      const std::scoped_lock lock(mutex);
                      all.apart = std::max(all.apart, part.apart);
                      all.largest = std::max(all.largest, part.largest);
                      all.same_finite = all.same_finite && part.same_finite;
                    });
  if (all.apart > 0) comparison.drift = std::max(comparison.drift, all.apart / all.largest);
  if (all.apart > 0 || held.parts > 1 || !held.is_finite || !all.same_finite) return;
  held.array = whole;
}

void Verification::observe(CopyId id, const DeviceArray& device_array) {
  const Judgement* judgement = judgements_.find(id);
  if (judgement == nullptr) return;
  const ArrayId owner = *program_.owners.find(id);
  const DType dtype = program_.plan.copies[id].dtype;
  Held held = held_by(device_array, dtype);
  if (judgement->by == Judgement::By::Part) {
    held_[id] = std::move(held);
    return forget_after(id);
  }
  Comparison& comparison = comparison_of(owner);
  // The whole script catches up before what its statements use is released.
  if (judgement->by != Judgement::By::Input) catch_up(judgement->statement - 1);
  Expected expected;
  switch (judgement->by) {
    case Judgement::By::Input:
      expected = expected_input(owner);
      break;
    case Judgement::By::Part:
    case Judgement::By::Source:
      expected = expected_of_source(judgement->source, held, dtype);
      break;
    case Judgement::By::Statement: {
      const auto& record = program_.statements[static_cast<std::size_t>(judgement->statement)];
      const checked::Flow flow = record.flow.get();
      SHARD_CHECK(flow.target == owner);
      expected = expected_of_statement(flow, judgement->statement, held);
      break;
    }
  }
  judged_ = std::max(judged_, judgement->statement);
  const bool within = compare(expected, *held.array, judgement->statement, comparison);
  if (expected.exact && within) {
    // It is exactly as far away as the array that it equals.
    if (held.parts == 1) held.array = expected.array;
  } else {
    catch_up(judgement->statement);
    note_drift(owner, held, comparison);
  }
  held_[id] = std::move(held);
  if (keeps_ && keeps_(id)) kept_arrays_.insert(owner);
  forget_after(id);
}

void Verification::forget_after(CopyId judged) {
  for (const CopyId copy : judgements_.copies_done_with(judged)) {
    if (!keeps_ || !keeps_(copy)) held_.erase(copy);
  }
  for (const ArrayId array : judgements_.arrays_done_with(judged)) {
    if (!kept_arrays_.contains(array)) unsharded_.forget(array);
  }
}

void Verification::hold(CopyId copy, const VerifiedCopy& verified) {
  held_[copy] = verified;
  if (verified.unsharded != nullptr)
    unsharded_.put(*program_.owners.find(copy), verified.unsharded);
}

VerifiedCopy Verification::verified(CopyId copy) {
  catch_up(judged_);
  VerifiedCopy known = held_.at(copy);
  known.unsharded = unsharded_.array(*program_.owners.find(copy));
  return known;
}

double bytes_of(const VerifiedCopy& copy) {
  const auto numbers = [](const ArrayPointer& array) {
    return array == nullptr
               ? 0.0
               : static_cast<double>(sizeof(double) * (array->value.size() + array->bound.size() +
                                                       array->size.size()));
  };
  return numbers(copy.array) + (copy.unsharded == copy.array ? 0 : numbers(copy.unsharded));
}

}  // namespace shard
