#include "runtime/plan/fingerprint.h"

#include <algorithm>

#include "base/match.h"

namespace shard {
namespace {

// Lists are prefixed with their length, so that different problems never give the same bytes.
template <class T>
std::int64_t count(const T& items) {
  return static_cast<std::int64_t>(items.size());
}

void add_axes(Fingerprint& fingerprint, const std::vector<AxisId>& axes) {
  fingerprint.add(count(axes));
  for (const AxisId axis : axes) fingerprint.add(std::int64_t{axis.value});
}

void add_integer(Fingerprint& fingerprint, Rational::Integer value) {
  fingerprint.add(static_cast<std::int64_t>(value >> 64));
  fingerprint.add(static_cast<std::int64_t>(value));
}

}  // namespace

void Fingerprint::grow(std::size_t more) { bytes_.resize(2 * bytes_.size() + more); }

void Fingerprint::add(std::string_view text) {
  add(count(text));
  if (bytes_.size() < size_ + text.size()) grow(text.size());
  text.copy(&bytes_[size_], text.size());
  size_ += text.size();
}

void Fingerprint::add(const Rational& number) {
  const auto whole = number.to_int64();
  add(std::int64_t{whole ? 1 : 0});
  if (whole) return add(*whole);
  add_integer(*this, number.numerator());
  add_integer(*this, number.denominator());
}

void Fingerprint::add(const Amount& amount) {
  if (const auto number = amount.constant()) {
    add(std::int64_t{0});
    return add(*number);
  }
  add(count(amount.terms()));
  for (const Amount::Term& term : amount.terms()) {
    add(term.coefficient);
    add(count(term.powers));
    for (const Amount::Power& power : term.powers) {
      add(std::string_view(power.symbol));
      add(std::int64_t{power.exponent});
    }
  }
}

void Fingerprint::add(const Formula& formula) {
  add(static_cast<std::int64_t>(formula.op()));
  if (formula.op() == Formula::Op::Amount) return add(formula.amount());
  add(count(formula.arguments()));
  for (const Formula& argument : formula.arguments()) add(argument);
}

void Fingerprint::add(const Layout& layout) {
  add(count(layout.dims));
  for (const auto& axes : layout.dims) add_axes(*this, axes);
  add_axes(*this, layout.unreduced);
  if (!layout.unreduced.empty()) add(static_cast<std::int64_t>(layout.combination));
  add(count(layout.placed));
  for (const Placement& place : layout.placed) {
    add(std::int64_t{place.axis.value});
    add(place.coordinate);
  }
}

void Fingerprint::add(const std::vector<Amount>& shape, DType dtype) {
  add(static_cast<std::int64_t>(dtype));
  add(count(shape));
  for (const Amount& length : shape) add(length);
}

void Fingerprint::add_labels(const std::vector<int>& labels) {
  add(count(labels));
  for (const int label : labels) {
    const auto known = std::find(labels_.begin(), labels_.end(), label);
    add(static_cast<std::int64_t>(known - labels_.begin()));
    if (known == labels_.end()) labels_.push_back(label);
  }
}

void Fingerprint::add(const ElementProgram& program) {
  add(count(program));
  for (const ElementInstruction& instruction : program) {
    add(static_cast<std::int64_t>(instruction.op));
    add(static_cast<std::int64_t>(instruction.operand));
    add_labels({instruction.label});
  }
}

Fingerprint fingerprint_of(const Step& step, const Plan& plan) {
  Fingerprint result;
  result.add(static_cast<std::int64_t>(step.action.index()));
  const auto add_copy = [&](CopyId id) {
    result.add(plan.copies[id].shape, plan.copies[id].dtype);
    result.add(plan.copies[id].layout);
  };
  const auto operands = operands_of(step);
  result.add(count(operands));
  for (const CopyId operand : operands) add_copy(operand);
  if (result_of(step).valid()) add_copy(result_of(step));
  match(
      step.action,  //
      [&](const ContractStep& contract) {
        result.add_labels(contract.left_labels);
        result.add_labels(contract.right_labels);
        result.add_labels(contract.result_labels);
        if (!contract.piece) return;
        // Later turns all cost the same; only the first, which has no `onto`, differs.
        add_axes(result, contract.piece->axes);
        result.add_labels({contract.piece->along});
      },
      [&](const ElementwiseStep& elements) {
        for (const auto& labels : elements.operand_labels) result.add_labels(labels);
        result.add_labels(elements.result_labels);
        result.add(elements.program);
      },
      [&](const SelectionStep& selection) {
        result.add(static_cast<std::int64_t>(selection.kind));
        result.add(std::int64_t{selection.in_place.valid()});
        result.add(std::int64_t{selection.is_kept});
      },
      [&](const CollectiveStep& collective) {
        result.add(static_cast<std::int64_t>(collective.kind));
        result.add(std::int64_t{collective.shift});
        add_axes(result, collective.axes);
      },
      // Their copies say everything.
      [](const InputStep&) {}, [](const ReductionStep&) {}, [](const SliceStep&) {},
      [](const TransposeStep&) {}, [](const FreeStep&) {});
  return result;
}

}  // namespace shard
