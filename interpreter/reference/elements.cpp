#include "interpreter/reference/elements.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "interpreter/reference/bounded.h"
#include "interpreter/reference/parallel.h"
#include "interpreter/reference/rounding_error.h"
#include "interpreter/reference/strides.h"

namespace shard::oracle {

namespace {

// NaN and numbers out of range may come out as anything.
Near checked_range(Near near, double largest) {
  if (std::isnan(near.value) || std::isnan(near.bound) || std::abs(near.value) > largest)
    return {0, HUGE_VAL};
  return near;
}

// Numbers with their bounds, in the type in which elements are computed.
class NearNumbers {
 public:
  using Number = Near;

  NearNumbers(const ElementProgram& program, DType dtype)
      : computed_(dtype == DType::Fp64 || is_integer(dtype) ? DType::Fp64 : DType::Fp32),
        u_(unit_roundoff(computed_)),
        underflow_(computed_),
        largest_(largest_of(computed_)),
        part_error_(coarsest(program) * static_cast<double>(program.size())) {}

  // Devices round their parts of a sum relative to the size of the parts, once per instruction.
  Near element(const Array& from, std::size_t at) const {
    const double parts = from.size.empty() ? 0 : part_error_ * from.size[at];
    return {from.value[at], from.bound_at(at) + parts};
  }
  // Whole numbers below a million are exact in every type that computes, as fp32 holds them up to 2^24; others are
  // rounded.
  Near constant(double number) const {
    const bool exact = number == std::nearbyint(number) && std::abs(number) < 1e6;
    return {number, exact ? 0 : u_ * std::abs(number)};
  }
  Near position(double place) const { return {place, place * u_ < 1 ? 0 : place * u_}; }
  void apply(ElementOp op, std::span<const std::span<Near>> arguments) const {
    apply_to_all(op, arguments, u_);
    for (Near& value : arguments[0]) {
      value.bound += underflow_(value.value, value.bound);
      value = checked_range(value, largest_);
    }
  }
  static void store(const Near& number, std::size_t at, Array& to) {
    to.value[at] = number.value;
    to.bound[at] = number.bound;
  }

 private:
  // The largest unit roundoff of the types that parts of sums are rounded to: they are cast to fp32 and fp64 alone.
  double coarsest(const ElementProgram& program) const {
    double u = u_;
    for (const ElementInstruction& instruction : program) {
      if (const auto type = cast_type(instruction.op)) u = std::max(u, unit_roundoff(*type));
    }
    return u;
  }

  DType computed_;
  double u_;
  UnderflowError underflow_;
  double largest_;
  double part_error_;
};

// Values alone.
struct PlainNumbers {
  using Number = double;

  PlainNumbers(const ElementProgram& /*program*/, DType /*dtype*/) {}
  static double element(const Array& from, std::size_t at) { return from.value[at]; }
  static double constant(double number) { return number; }
  static double position(double place) { return place; }
  static void apply(ElementOp op, std::span<const std::span<double>> arguments) {
    apply_to_all(op, arguments);
  }
  static void store(double number, std::size_t at, Array& to) { to.value[at] = number; }
};

// Runs a program instruction by instruction, each for a block of elements.
template <class Kind>
class ElementRun {
 public:
  // Elements of a block: enough to spread the cost of dispatching an instruction, few enough that a level of the stack,
  // 4 KiB with bounds, stays in cache.
  static constexpr std::size_t kAtOnce = 256;
  using Number = typename Kind::Number;

  ElementRun(const ElementProgram& program, const std::vector<Labelled>& operands,
             const std::vector<int>& labels, const std::vector<std::int64_t>& shape, DType dtype)
      : program_(program),
        operands_(operands),
        labels_(labels),
        shape_(shape),
        kind_(program, dtype) {
    for (const Labelled& operand : operands) {
      strides_.push_back(strides_along(operand, labels));
      is_whole_.push_back(operand.labels == labels && operand.array->shape == shape);
    }
  }

  // Computes the result's elements [begin, end).
  void run(std::size_t begin, std::size_t end, Array& result) {
    for (std::size_t first = begin; first < end; first += kAtOnce) {
      const std::size_t some = std::min(kAtOnce, end - first);
      const std::vector<Number>& values = some_values(first, some);
      for (std::size_t i = 0; i < some; ++i) Kind::store(values[i], first + i, result);
    }
  }

 private:
  // Up to kAtOnce elements from `begin` on. Valid until the next call.
  const std::vector<Number>& some_values(std::size_t begin, std::size_t count) {
    std::size_t height = 0;  // of the stack
    for (const ElementInstruction& instruction : program_) {
      if (height + 1 > stack_.size()) stack_.emplace_back(kAtOnce);
      switch (instruction.op) {
        case ElementOp::Operand:
          take_operand(instruction.operand, begin, count, stack_[height++]);
          break;
        case ElementOp::Constant:
          stack_[height++].assign(kAtOnce,
                                  kind_.constant(instruction.constant.constant()->to_double()));
          break;
        case ElementOp::Position:
          take_positions(instruction.label, begin, count, stack_[height++]);
          break;
        default:
          height -= static_cast<std::size_t>(arity_of(instruction.op));
          apply(instruction.op, height++, count);
      }
    }
    return stack_[height - 1];
  }

  void take_operand(std::size_t number, std::size_t begin, std::size_t count,
                    std::vector<Number>& to) const {
    const Array& from = *operands_[number].array;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at =
          is_whole_[number] ? begin + i
                            : static_cast<std::size_t>(offset_of(
                                  static_cast<std::int64_t>(begin + i), shape_, strides_[number]));
      to[i] = kind_.element(from, at);
    }
  }

  void take_positions(int label, std::size_t begin, std::size_t count,
                      std::vector<Number>& to) const {
    std::vector<std::int64_t> along(labels_.size(), 0);
    along[static_cast<std::size_t>(std::find(labels_.begin(), labels_.end(), label) -
                                   labels_.begin())] = 1;
    for (std::size_t i = 0; i < count; ++i)
      to[i] = kind_.position(
          static_cast<double>(offset_of(static_cast<std::int64_t>(begin + i), shape_, along)));
  }

  // Applies it to the arguments from stack_[first] on; the result replaces the first of them.
  void apply(ElementOp op, std::size_t first, std::size_t count) {
    arguments_.clear();
    for (std::size_t a = 0; a < static_cast<std::size_t>(arity_of(op)); ++a)
      arguments_.emplace_back(stack_[first + a].data(), count);
    kind_.apply(op, arguments_);
  }

  const ElementProgram& program_;
  const std::vector<Labelled>& operands_;
  const std::vector<int>& labels_;
  const std::vector<std::int64_t>& shape_;
  Kind kind_;
  std::vector<std::vector<std::int64_t>> strides_;
  std::vector<bool> is_whole_;  // by operand: its elements line up with the result's
  std::vector<std::vector<Number>> stack_;
  std::vector<std::span<Number>> arguments_;  // of the instruction that runs
};

}  // namespace

Array element_values(const ElementProgram& program, const std::vector<Labelled>& operands,
                     const std::vector<int>& labels, const std::vector<std::int64_t>& shape,
                     DType dtype, const Mode& mode) {
  std::int64_t count = 1;
  for (const std::int64_t length : shape) count *= length;
  const auto elements = static_cast<std::size_t>(count);
  Array result{.shape = shape, .value = Numbers(elements), .bound = {}, .size = {}};
  if (mode.bounded()) result.bound.resize(elements);
  in_ranges(mode.watch, elements, kElementsAtOnce, [&](std::size_t begin, std::size_t end) {
    if (mode.bounded())
      ElementRun<NearNumbers>(program, operands, labels, shape, dtype).run(begin, end, result);
    else
      ElementRun<PlainNumbers>(program, operands, labels, shape, dtype).run(begin, end, result);
  });
  return result;
}

Array reduced_values(ReductionKind kind, const Labelled& operand, const std::vector<int>& labels,
                     DType dtype, DType result_dtype, const Mode& mode) {
  const Array& from = *operand.array;
  Array result;
  for (const int label : labels) {
    const auto at = std::find(operand.labels.begin(), operand.labels.end(), label);
    result.shape.push_back(from.shape[static_cast<std::size_t>(at - operand.labels.begin())]);
  }
  std::int64_t count = 1;
  for (const std::int64_t length : result.shape) count *= length;
  // Where an element of the operand goes: the result's strides along the operand's labels.
  const std::vector<std::int64_t> strides = strides_along(labels, result.shape, operand.labels);
  const bool sums = kind == ReductionKind::Sum || kind == ReductionKind::Mean;
  const double sign = kind == ReductionKind::Min ? -1 : 1;
  result.value.assign(static_cast<std::size_t>(count),
                      sums ? 0 : -sign * std::numeric_limits<double>::infinity());
  const bool bounded = mode.bounded();
  result.bound.assign(static_cast<std::size_t>(bounded ? count : 0), 0.0);
  Numbers sizes(bounded && sums ? result.bound : Numbers());
  for (std::size_t i = 0; i < from.value.size(); ++i) {
    mode.watch.look(i);
    const auto to =
        static_cast<std::size_t>(offset_of(static_cast<std::int64_t>(i), from.shape, strides));
    if (!sums) {
      result.value[to] = sign * std::max(sign * result.value[to], sign * from.value[i]);
      if (bounded) result.bound[to] = std::max(result.bound[to], from.bound_at(i));
      continue;
    }
    result.value[to] += from.value[i];
    if (!bounded) continue;
    result.bound[to] += from.bound_at(i);
    sizes[to] += from.size_at(i);
  }
  if (!sums) return result;
  const double terms = static_cast<double>(from.value.size()) / static_cast<double>(count);
  const double u = std::max(unit_roundoff(accumulation_type(dtype)),
                            unit_roundoff(accumulation_type(result_dtype)));
  const double largest =
      std::min(largest_of(accumulation_type(dtype)), largest_of(accumulation_type(result_dtype)));
  const bool exact = is_integer(dtype) && kind == ReductionKind::Sum;
  const double share = kind == ReductionKind::Mean ? 1 / terms : 1;
  for (std::size_t i = 0; i < result.value.size(); ++i) {
    result.value[i] *= share;
    if (!bounded) continue;
    result.bound[i] = (result.bound[i] + sum_error(terms, sizes[i], u, exact)) * share;
    if (sizes[i] > largest) result.bound[i] = HUGE_VAL;
  }
  return result;
}

}  // namespace shard::oracle
