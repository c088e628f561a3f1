#include "interpreter/lower/sum_groups.h"

#include <algorithm>
#include <utility>

#include "base/contains.h"
#include "runtime/element/dtype.h"

namespace shard {

namespace {

using planning::Made;
using planning::Term;

using PartialAxes = std::vector<AxisId>;

// A program over elements as a tree: what is done, to what.
struct ElementTree {
  ElementInstruction instruction;
  std::vector<ElementTree> arguments;
};

ElementTree element_tree_of(const ElementProgram& program) {
  std::vector<ElementTree> stack;
  for (const ElementInstruction& instruction : program) {
    const auto first = stack.end() - arity_of(instruction.op);
    ElementTree tree{instruction,
                     {std::make_move_iterator(first), std::make_move_iterator(stack.end())}};
    stack.erase(first, stack.end());
    stack.push_back(std::move(tree));
  }
  return std::move(stack.back());
}

void append_program(const ElementTree& tree, ElementProgram& program) {
  for (const ElementTree& argument : tree.arguments) append_program(argument, program);
  program.push_back(tree.instruction);
}

ElementProgram element_program_of(const ElementTree& tree) {
  ElementProgram program;
  append_program(tree, program);
  return program;
}

// A term of a sum, added or taken away.
struct SignedTerm {
  ElementTree tree;
  bool is_negative = false;
};

bool adds_terms(const ElementTree& tree) {
  const ElementOp op = tree.instruction.op;
  return op == ElementOp::Add || op == ElementOp::Subtract || op == ElementOp::Negate;
}

void add_signed_terms(ElementTree tree, bool is_negative, std::vector<SignedTerm>& terms) {
  if (!adds_terms(tree)) return terms.push_back({std::move(tree), is_negative});
  const bool flips = tree.instruction.op != ElementOp::Add;
  const std::size_t last = tree.arguments.size() - 1;
  for (std::size_t i = 0; i <= last; ++i)
    add_signed_terms(std::move(tree.arguments[i]), (flips && i == last) != is_negative, terms);
}

ElementTree sum_of_terms(std::vector<SignedTerm> terms) {
  ElementTree sum = std::move(terms.front().tree);
  if (terms.front().is_negative) sum = {{.op = ElementOp::Negate}, {std::move(sum)}};
  for (std::size_t i = 1; i < terms.size(); ++i) {
    const ElementOp op = terms[i].is_negative ? ElementOp::Subtract : ElementOp::Add;
    sum = {{.op = op}, {std::move(sum), std::move(terms[i].tree)}};
  }
  return sum;
}

std::size_t leaves_in(const Term& term) {
  if (std::holds_alternative<planning::Source>(term.node)) return 1;
  std::size_t count = 0;
  for (const Term* operand : operands_of(term)) count += leaves_in(*operand);
  return count;
}

// The axes over which an operand comes out as partial sums, or holds them as it is written. Integers saturate where they are
// stored, so their sums are not put together otherwise.
PartialAxes partial_axes(const Term& term, const Made& made) {
  const auto* source = std::get_if<planning::Source>(&term.node);
  const Layout& layout = source == nullptr ? made.start : source->layouts.front();
  if (is_integer(term.shape.dtype) || layout.combination != Combination::Sum) return {};
  return layout.unreduced;
}

// A part of the value, as it is planned.
struct PlannedPart {
  checked::Operation operation;
  Term term;
  std::vector<std::size_t> leaves;
};

// Brackets the sums of one elementwise computation.
class SumsOfElements {
 public:
  // `axes`: over which each operand is partial sums.
  SumsOfElements(const PlannedPart& whole, std::vector<PlannedPart> operands,
                 std::vector<PartialAxes> axes)
      : whole_(whole), operands_(std::move(operands)), axes_(std::move(axes)) {
    const auto& elements = std::get<checked::Elementwise>(whole.operation.node);
    uses_.resize(operands_.size());
    count_uses(elements.program, uses_);
    for (const PartialAxes& own : axes_) {
      if (!own.empty() && !contains(groups_, own)) groups_.push_back(own);
    }
  }

  // Whether brackets were set.
  bool run() {
    const auto& elements = std::get<checked::Elementwise>(whole_.operation.node);
    const std::size_t before = operands_.size();
    if (std::count_if(axes_.begin(), axes_.end(), [](const auto& own) { return !own.empty(); }) < 2)
      return false;
    ElementTree tree = element_tree_of(elements.program);
    if (axes_of(tree)) return false;
    tree_ = bracketed(std::move(tree));
    return operands_.size() > before;
  }

  // The computation over what stands in brackets. REQUIRES: `run()` gave true.
  PlannedPart result() {
    return built(tree_, whole_.operation.labels, whole_.operation.dtype, whole_.term.shape.dtype);
  }

 private:
  static void count_uses(const ElementProgram& program, std::vector<std::size_t>& uses) {
    for (const ElementInstruction& instruction : program) {
      if (instruction.op == ElementOp::Operand) ++uses[instruction.operand];
    }
  }

  // Which operands come out as partial sums over the axes.
  std::vector<bool> marks(const std::vector<std::size_t>& uses, const PartialAxes& axes) const {
    std::vector<bool> partial;
    for (std::size_t i = 0; i < uses.size(); ++i)
      partial.push_back(uses[i] > 0 && i < axes_.size() && axes_[i] == axes);
    return partial;
  }

  // What is computed elsewhere as well is not computed again for a part.
  bool is_used_elsewhere(const std::vector<std::size_t>& uses) const {
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const bool is_array = std::holds_alternative<planning::Source>(operands_[i].term.node);
      if (!is_array && uses[i] > 0 && uses[i] < uses_[i]) return true;
    }
    return false;
  }

  // The axes over which the part is a partial sum, if its operands are left unreduced.
  std::optional<PartialAxes> axes_of(const ElementTree& tree) const {
    const ElementProgram program = element_program_of(tree);
    std::vector<std::size_t> uses(operands_.size());
    count_uses(program, uses);
    if (is_used_elsewhere(uses)) return std::nullopt;
    for (const PartialAxes& axes : groups_) {
      const std::vector<bool> partial = marks(uses, axes);
      if (contains(partial, true) && is_linear_in(program, partial)) return axes;
    }
    return std::nullopt;
  }

  ElementTree bracketed(ElementTree tree) {
    if (const auto axes = axes_of(tree)) return in_brackets(std::move(tree), *axes);
    if (adds_terms(tree)) return bracketed_sum(std::move(tree));
    for (ElementTree& argument : tree.arguments) argument = bracketed(std::move(argument));
    return tree;
  }

  // Each group stands where its first term stood.
  ElementTree bracketed_sum(ElementTree tree) {
    std::vector<SignedTerm> terms;
    add_signed_terms(std::move(tree), false, terms);
    std::vector<std::pair<std::optional<PartialAxes>, std::vector<SignedTerm>>> groups;
    for (SignedTerm& term : terms) {
      auto axes = axes_of(term.tree);
      const auto known = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
        return axes && group.first == axes;
      });
      if (known != groups.end()) {
        known->second.push_back(std::move(term));
        continue;
      }
      groups.emplace_back(std::move(axes), std::vector<SignedTerm>());
      groups.back().second.push_back(std::move(term));
    }
    std::vector<SignedTerm> sum;
    for (auto& [axes, members] : groups) {
      const bool is_negative = members.front().is_negative;
      if (!axes) {
        sum.push_back({bracketed(std::move(members.front().tree)), is_negative});
        continue;
      }
      for (SignedTerm& member : members) member.is_negative = member.is_negative != is_negative;
      sum.push_back({in_brackets(sum_of_terms(std::move(members)), *axes), is_negative});
    }
    return sum_of_terms(std::move(sum));
  }

  // A sum of several partial sums as one operand.
  ElementTree in_brackets(ElementTree tree, const PartialAxes& axes) {
    std::vector<std::size_t> uses(operands_.size());
    count_uses(element_program_of(tree), uses);
    const std::vector<bool> partial = marks(uses, axes);
    const auto dtype = type_in_brackets(tree);
    if (std::count(partial.begin(), partial.end(), true) < 2 || !dtype) return tree;
    operands_.push_back(built(tree, labels_of(tree), *dtype, *dtype));
    return {{.op = ElementOp::Operand, .operand = operands_.size() - 1}, {}};
  }

  // That of all operands and casts; nullopt if they have none in common.
  std::optional<DType> type_in_brackets(const ElementTree& tree) const {
    std::optional<DType> type;
    for (const ElementInstruction& instruction : element_program_of(tree)) {
      auto own = cast_type(instruction.op);
      if (instruction.op == ElementOp::Operand)
        own = operands_[instruction.operand].operation.dtype;
      if (!own) continue;
      type = type ? common_type(*type, *own) : own;
      if (!type) return std::nullopt;
    }
    return type;
  }

  // In the order of the whole.
  std::vector<DimensionId> labels_of(const ElementTree& tree) const {
    std::vector<DimensionId> used;
    for (const ElementInstruction& instruction : element_program_of(tree)) {
      if (instruction.op == ElementOp::Position) used.push_back(DimensionId{instruction.label});
      if (instruction.op != ElementOp::Operand) continue;
      const auto& labels = operands_[instruction.operand].operation.labels;
      used.insert(used.end(), labels.begin(), labels.end());
    }
    std::vector<DimensionId> labels = whole_.operation.labels;
    std::erase_if(labels, [&](DimensionId label) { return !contains(used, label); });
    return labels;
  }

  // The computation that the tree is, over those of the operands that it has.
  PlannedPart built(const ElementTree& tree, const std::vector<DimensionId>& labels, DType dtype,
                    DType planned) const {
    checked::Elementwise elements{.program = element_program_of(tree), .operands = {}};
    planning::Elementwise planned_elements;
    std::vector<std::size_t> leaves;
    std::vector<std::size_t> taken;
    for (ElementInstruction& instruction : elements.program) {
      if (instruction.op != ElementOp::Operand) continue;
      const std::size_t operand = instruction.operand;
      const auto known = std::find(taken.begin(), taken.end(), operand);
      instruction.operand = static_cast<std::size_t>(known - taken.begin());
      if (known != taken.end()) continue;
      taken.push_back(operand);
      const PlannedPart& part = operands_[operand];
      elements.operands.push_back(part.operation);
      planned_elements.operands.push_back(part.term);
      leaves.insert(leaves.end(), part.leaves.begin(), part.leaves.end());
    }
    planned_elements.program = elements.program;
    PlannedPart part{.operation = whole_.operation,
                     .term = {.node = Box<planning::Elementwise>(std::move(planned_elements)),
                              .labels = numbered(labels),
                              .shape = {.lengths = lengths_of(labels), .dtype = planned}},
                     .leaves = std::move(leaves)};
    part.operation.node = std::move(elements);
    if (labels != whole_.operation.labels || dtype != whole_.operation.dtype)
      part.operation.layout = std::nullopt;
    part.operation.labels = labels;
    part.operation.dtype = dtype;
    return part;
  }

  std::vector<Amount> lengths_of(const std::vector<DimensionId>& labels) const {
    const auto& all = whole_.operation.labels;
    std::vector<Amount> lengths;
    for (const DimensionId label : labels) {
      const auto place = std::find(all.begin(), all.end(), label) - all.begin();
      lengths.push_back(whole_.term.shape.lengths[static_cast<std::size_t>(place)]);
    }
    return lengths;
  }

  const PlannedPart& whole_;
  std::vector<PlannedPart> operands_;  // those of the whole, then what stands in brackets
  std::vector<PartialAxes> axes_;
  std::vector<std::size_t> uses_;    // how often the whole reads each of its operands
  std::vector<PartialAxes> groups_;  // each once
  ElementTree tree_;
};

// Walks the value, its term and the way that makes it side by side.
class Grouping {
 public:
  PlannedPart grouped(const checked::Operation& operation, const Term& term, const Made& made) {
    PlannedPart part{operation, term, {}};
    const auto* from = std::get_if<planning::MadeFrom>(&made.origin);
    if (from == nullptr || made.term != nullptr) {
      for (std::size_t left = leaves_in(term); left > 0; --left)
        part.leaves.push_back(next_leaf_++);
      return part;
    }
    std::vector<PlannedPart> operands;
    const auto operations = operands_of(operation);
    const auto terms = operands_of(term);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      operands.push_back(grouped(*operations[i], *terms[i], *from->operands[i]));
      part.leaves.insert(part.leaves.end(), operands.back().leaves.begin(),
                         operands.back().leaves.end());
    }
    if (is_changed_) put_into(part, operands);
    if (!std::holds_alternative<checked::Elementwise>(operation.node)) return part;
    std::vector<PartialAxes> axes;
    for (std::size_t i = 0; i < terms.size(); ++i)
      axes.push_back(partial_axes(*terms[i], *from->operands[i]));
    SumsOfElements sums(part, std::move(operands), std::move(axes));
    if (!sums.run()) return part;
    is_changed_ = true;
    return sums.result();
  }

  bool is_changed() const { return is_changed_; }

 private:
  // They are parts of what may be changed.
  static void put_into(PlannedPart& part, const std::vector<PlannedPart>& operands) {
    const auto operations = operands_of(part.operation);
    const auto terms = operands_of(part.term);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const_cast<checked::Operation&>(*operations[i]) = operands[i].operation;
      const_cast<Term&>(*terms[i]) = operands[i].term;
    }
  }

  std::size_t next_leaf_ = 0;
  bool is_changed_ = false;
};

}  // namespace

std::optional<GroupedSums> with_grouped_sums(const checked::Operation& value, const Term& term,
                                             const Made& way) {
  Grouping grouping;
  PlannedPart part = grouping.grouped(value, term, way);
  if (!grouping.is_changed()) return std::nullopt;
  return GroupedSums{std::move(part.operation), std::move(part.term), std::move(part.leaves)};
}

}  // namespace shard
