#include "interpreter/program/step_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/contains.h"
#include "base/match.h"
#include "base/words.h"
#include "interpreter/planning/search/moves.h"

namespace shard {

namespace {

std::string in_subscript(const std::vector<std::string>& names) {
  return names.size() == 1 ? names.front() : "{" + join(names, ",") + "}";
}

std::size_t place_of(int label, const std::vector<int>& labels) {
  return static_cast<std::size_t>(std::find(labels.begin(), labels.end(), label) - labels.begin());
}

// One step, written from left to right.
class StepNotation {
 public:
  StepNotation(const StepRecord& record, const Step& step, const Plan& plan, const Mesh& mesh)
      : written_(record.written),
        step_(step),
        plan_(plan),
        mesh_(mesh),
        operands_(operands_of(step)) {}

  // What is done: everything before the arrow.
  std::string work() const {
    return match(
        step_.action, [](const InputStep&) { return std::string(); },
        [](const FreeStep&) { return std::string(); },
        [&](const ContractStep& contract) { return product(contract); },
        [&](const ElementwiseStep& elements) {
          return adds_part() ? "its sum with " + operand(1)
                             : to_string(elements.program, operands());
        },
        [&](const ReductionStep& reduction) {
          return fmt::format(
              "{}_{}({})", name_of(reduction.kind),
              reduced_names(reduction.operand_labels, reduction.result_labels, dimensions(0)),
              operand(0));
        },
        [&](const SelectionStep& selection) { return selected(selection); },
        [&](const CollectiveStep& step) { return collective(step) + " " + operand(0); },
        [&](const auto&) { return operand(0); });
  }

  std::string whole() const {
    if (!is_shown(step_)) return "";
    if (adds_part()) return work();
    return work() + to_result();
  }

  std::string line() const {
    if (!is_shown(step_) || adds_part()) return "";
    const auto* contract = std::get_if<ContractStep>(&step_.action);
    return (contract == nullptr ? work() : whole_product(*contract)) + to_result();
  }

 private:
  std::string to_result() const {
    return " → " + result().name + to_string(layout_of_result(), names_of_result(), mesh_);
  }
  const Copy& copy(std::size_t operand) const { return plan_.copies[operands_[operand]]; }
  const Copy& result() const { return plan_.copies[result_of(step_)]; }
  // As the statement writes them.
  const std::vector<std::string>& dimensions(std::size_t operand) const {
    return written_.empty() ? copy(operand).dimensions : written_[operand].dimensions;
  }
  const Layout& layout(std::size_t operand) const {
    return written_.empty() ? copy(operand).layout : written_[operand].layout;
  }
  const std::vector<std::string>& names_of_result() const {
    return written_.empty() ? result().dimensions : written_.back().dimensions;
  }
  const Layout& layout_of_result() const {
    return written_.empty() ? result().layout : written_.back().layout;
  }

  std::string operand(std::size_t i) const {
    return copy(i).name + to_string(layout(i), dimensions(i), mesh_);
  }
  std::vector<std::string> operands() const {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < operands_.size(); ++i) texts.push_back(operand(i));
    return texts;
  }

  // The parts of an overlapped product are added up as they arrive; the statement writes no such sum.
  bool adds_part() const {
    return std::holds_alternative<ElementwiseStep>(step_.action) && !operands_.empty() &&
           copy(0).unfinished;
  }

  // "A[I, J] ·_J B[J, K]", and with the parts that it is cut into "1/4 of A[I, J] ·_J B[J, K]".
  std::string product(const ContractStep& step) const {
    const std::string text = whole_product(step);
    return step.piece
               ? fmt::format("1/{} of {}", size_of(step.piece->axes, mesh_).to_string(), text)
               : text;
  }

  std::string whole_product(const ContractStep& step) const {
    return operand(0) + " " + product_sign(step) + " " + operand(1);
  }

  // "·_J", "·_{K,G}", or "·" for a product that sums over nothing.
  std::string product_sign(const ContractStep& step) const {
    std::vector<std::string> summed;
    for (std::size_t i = 0; i < step.left_labels.size(); ++i) {
      const int label = step.left_labels[i];
      if (contains(step.right_labels, label) && !contains(step.result_labels, label))
        summed.push_back(dimensions(0)[i]);
    }
    return summed.empty() ? "·" : "·_" + in_subscript(summed);
  }

  // "E[V, D][V = Tok[B]]"
  std::string selected(const SelectionStep& step) const {
    switch (step.kind) {
      case SelectionKind::Gather:
        return is_range(step) ? part(step, result().shape[*own_dimension(step)]) : indexed(step, 1);
      case SelectionKind::Update:
        return (part_put(step) ? part(step, *part_put(step)) : indexed(step, 2)) + " = " +
               operand(1);
      case SelectionKind::Reshape:
        return fmt::format("Reshape({})", operand(0));
      case SelectionKind::Top: {
        const auto added = own_dimension(step);
        return added ? fmt::format("top_{{{},{}}}({})", along(step, 0), names_of_result()[*added],
                                   operand(0))
                     : fmt::format("argmax_{}({})", along(step, 0), operand(0));
      }
      case SelectionKind::CumSum:
        return fmt::format("cumsum_{}({})", along(step, 0), operand(0));
      case SelectionKind::Concat:
        return joined(step);
      case SelectionKind::Scatter:
        return scattered(step);
    }
    SHARD_CHECK(!"a selection has a text");
  }
  // The dimension of the result that the operand lacks.
  static std::optional<std::size_t> own_dimension(const SelectionStep& step) {
    for (std::size_t d = 0; d < step.result_labels.size(); ++d) {
      if (!contains(step.operand_labels.front(), step.result_labels[d])) return d;
    }
    return std::nullopt;
  }
  bool is_range(const SelectionStep& step) const {
    return operands_.size() == 1 && own_dimension(step).has_value();
  }
  // `array`: the operand that holds the first index, if it is no number.
  std::string indexed(const SelectionStep& step, std::size_t array) const {
    std::vector<std::string> indices;
    for (std::size_t i = 0; i < step.along.size(); ++i) {
      indices.push_back(
          fmt::format("{} = {}", along(step, i),
                      array < operands_.size() ? operand(array + i) : step.position->to_string()));
    }
    return fmt::format("{}[{}]", operand(0), join(indices, ", "));
  }
  // How long the part is that is put in; nullopt if it is no part.
  std::optional<Amount> part_put(const SelectionStep& step) const {
    for (std::size_t d = 0; operands_.size() == 2 && d < step.operand_labels[1].size(); ++d) {
      if (!contains(step.operand_labels.front(), step.operand_labels[1][d]))
        return copy(1).shape[d];
    }
    return std::nullopt;
  }
  // "A[I_X, 0:32]"
  std::string part(const SelectionStep& step, const Amount& length) const {
    const std::size_t at = place_of(step.along.front(), step.operand_labels.front());
    std::vector<std::string> names = dimensions(0);
    const Formula end = *step.position + Formula(length);
    names[at] = fmt::format("{}:{}", step.position->to_string(), end.to_string());
    return copy(0).name + to_string(layout(0), names, mesh_);
  }
  // "concat_J(A[I, K], B[I, L])", "pad_{K,J}(A[I, K])"
  std::string joined(const SelectionStep& step) const {
    const std::string& whole = names_of_result()[place_of(step.along.front(), step.result_labels)];
    if (operands_.size() > 1) return fmt::format("concat_{}({})", whole, join(operands(), ", "));
    std::size_t own = 0;
    while (contains(step.result_labels, step.operand_labels.front()[own])) ++own;
    return fmt::format("pad_{{{},{}}}({})", dimensions(0)[own], whole, operand(0));
  }
  // "scatter_V(Tok[T], A[T, D])"
  std::string scattered(const SelectionStep& step) const {
    std::vector<std::string> made;
    for (const int label : step.along)
      made.push_back(names_of_result()[place_of(label, step.result_labels)]);
    std::vector<std::string> arguments = operands();
    std::rotate(arguments.begin(), arguments.begin() + 1, arguments.end());
    return fmt::format("scatter_{}({})", in_subscript(made), join(arguments, ", "));
  }
  const std::string& along(const SelectionStep& step, std::size_t place) const {
    return dimensions(0)[place_of(step.along[place], step.operand_labels.front())];
  }

  // "AllGather_X", "ReduceScatter_{X,J}", "Shift_{X,2}"
  std::string collective(const CollectiveStep& step) const {
    if (names_step(step.kind) && step.shift != 1) {
      return "Shift_" + planning::subscript_to_string(step.axes, std::to_string(step.shift), mesh_);
    }
    const planning::Move move{
        .kind = step.kind, .axes = step.axes, .from = {}, .to = layout_of_result()};
    return planning::name_of(move, dimensions(0), mesh_);
  }

  const std::vector<WrittenArray>& written_;  // empty: as the copies are kept
  const Step& step_;
  const Plan& plan_;
  const Mesh& mesh_;
  std::vector<CopyId> operands_;
};

// Where the number at `begin` ends; `begin` if there is none, or if it is a part of a name, as in `W1` and `y'2`.
std::size_t number_end(std::string_view text, std::size_t begin) {
  const auto digits_end = [&](std::size_t at) {
    while (at < text.size() && is_digit(text[at])) ++at;
    return at;
  };
  const bool in_name = begin > 0 && (is_letter(text[begin - 1]) || is_digit(text[begin - 1]) ||
                                     text[begin - 1] == '_' || text[begin - 1] == '\'');
  std::size_t end = in_name ? begin : digits_end(begin);
  // A fraction, as `(271/1000)`: others of the same quantity may be written with a point.
  if (end == begin && begin < text.size() && text[begin] == '(') {
    const std::size_t sign = digits_end(begin + 1);
    if (sign == begin + 1 || sign >= text.size() || text[sign] != '/') return begin;
    const std::size_t close = digits_end(sign + 1);
    return close > sign + 1 && close < text.size() && text[close] == ')' ? close + 1 : begin;
  }
  if (end == begin) return begin;
  if (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1]))
    end = digits_end(end + 1);
  if (end + 1 < text.size() && text[end] == 'e') {
    const std::size_t sign = text[end + 1] == '+' || text[end + 1] == '-' ? 1 : 0;
    const std::size_t exponent = digits_end(end + 1 + sign);
    if (exponent > end + 1 + sign) end = exponent;
  }
  return end;
}

StepNotation notation_of(const Program& program, std::size_t step) {
  return {program.steps[step], program.plan.steps[step], program.plan, program.machine.mesh};
}

}  // namespace

bool is_shown(const Step& step) {
  return !std::holds_alternative<InputStep>(step.action) &&
         !std::holds_alternative<FreeStep>(step.action);
}

std::vector<std::size_t> shown_steps(const Program& program, const StatementRecord& record) {
  std::vector<std::size_t> steps;
  for (std::size_t i = record.first_step; i < record.end_step; ++i) {
    if (is_shown(program.plan.steps[i])) steps.push_back(i);
  }
  return steps;
}

WrittenArray as_kept(const Copy& copy) { return {copy.dimensions, copy.layout}; }

std::vector<WrittenArray> arrays_written(const StepRecord& record, const Step& step,
                                         const Plan& plan) {
  if (!record.written.empty()) return record.written;
  std::vector<WrittenArray> arrays;
  for_each_operand(step, [&](CopyId operand) { arrays.push_back(as_kept(plan.copies[operand])); });
  if (result_of(step).valid()) arrays.push_back(as_kept(plan.copies[result_of(step)]));
  return arrays;
}

std::string text_of(const StepRecord& record, const Step& step, const Plan& plan,
                    const Mesh& mesh) {
  return StepNotation(record, step, plan, mesh).whole();
}

std::string step_text(const Program& program, std::size_t step) {
  return notation_of(program, step).whole();
}

std::string step_line(const Program& program, std::size_t step) {
  return notation_of(program, step).line();
}

std::string step_text_without_result(const Program& program, std::size_t step) {
  return notation_of(program, step).work();
}

std::optional<std::string> folded_text(std::string_view first, std::string_view last) {
  std::string text;
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < first.size() && k < last.size()) {
    const std::size_t end = number_end(first, i);
    const std::size_t other_end = number_end(last, k);
    if (end == i || other_end == k) {
      if (first[i] != last[k]) return std::nullopt;
      text += first[i];
      ++i;
      ++k;
      continue;
    }
    const std::string_view number = first.substr(i, end - i);
    const std::string_view other = last.substr(k, other_end - k);
    text += number;
    if (number != other) (text += "…") += other;
    i = end;
    k = other_end;
  }
  return i == first.size() && k == last.size() ? std::optional(text) : std::nullopt;
}

std::string reduced_names(const std::vector<int>& operand, const std::vector<int>& result,
                          const std::vector<std::string>& names) {
  std::vector<std::string> along;
  for (std::size_t i = 0; i < operand.size(); ++i) {
    if (!contains(result, operand[i])) along.push_back(names[i]);
  }
  return in_subscript(along);
}

}  // namespace shard
