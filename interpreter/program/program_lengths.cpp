#include "interpreter/program/program_lengths.h"

#include <algorithm>

#include "base/contains.h"
#include "base/match.h"
#include "interpreter/planning/selection_layout.h"

namespace shard {

namespace {

using Length = LengthRelations::Length;
using Kept = LengthRelations::Kept;

constexpr auto kPartWhy = "is taken in parts";

// The lengths of an array in a computation, under its labels there.
struct LabelledLengths {
  std::vector<int> labels;
  std::vector<Length> lengths;

  std::optional<Length> find(int label) const {
    const auto at = position_of(labels, label);
    return at ? std::optional(lengths[*at]) : std::nullopt;
  }
};

class LengthCollector {
 public:
  LengthCollector(const Program& program, const Scope& scope, ProgramLengths& lengths)
      : program_(program), scope_(scope), lengths_(lengths), relations_(lengths.relations) {
    add_dimensions();
    add_copies();
    for (const Step& step : program.plan.steps) relate(step);
    for (const StatementRecord& statement : program.statements) {
      if (statement.flow.form()) relate(*statement.flow.form(), statement.flow);
    }
  }

 private:
  static std::optional<std::int64_t> number(const Amount& amount) {
    const auto constant = amount.constant();
    return constant ? constant->to_int64() : std::nullopt;
  }

  // A name is one dimension wherever it has the same length.
  void add_dimensions() {
    std::map<std::pair<std::string, std::optional<std::int64_t>>, Length> known;
    for (std::size_t i = 0; i < scope_.store.dimensions.size(); ++i) {
      const DimensionId id{static_cast<std::int32_t>(i)};
      const DimensionInfo& info = scope_.store.dimensions[id];
      const auto full = number(scope_.size_of(id));
      const Length length = relations_.add(full);
      lengths_.dimensions.push_back(length);
      if (info.coordinate) relations_.keep(length, Kept::Always, "counts the places of an axis");
      const auto [entry, is_new] = known.try_emplace({info.key, full}, length);
      if (is_new)
        lengths_.by_name[info.key].push_back(length);
      else
        relations_.same(entry->second, length);
    }
    for (std::size_t i = 0; i < lengths_.dimensions.size(); ++i) {
      const DimensionId same =
          scope_.store.dimensions[DimensionId{static_cast<std::int32_t>(i)}].same_as;
      if (same.valid()) relations_.same(of(same), lengths_.dimensions[i]);
    }
  }

  void add_copies() {
    for (std::size_t i = 0; i < program_.plan.copies.size(); ++i) {
      const CopyId id{static_cast<std::int32_t>(i)};
      const Copy& copy = program_.plan.copies[id];
      std::vector<Length> lengths;
      for (std::size_t d = 0; d < copy.shape.size(); ++d) {
        lengths.push_back(relations_.add(number(copy.shape[d])));
        divide(lengths.back(), copy.layout.dims[d]);
      }
      if (const ArrayId* owner = program_.owners.find(id)) {
        const auto& own = scope_.store.arrays[*owner].dimensions;
        for (std::size_t d = 0; d < std::min(own.size(), lengths.size()); ++d)
          relations_.same(of(own[d]), lengths[d]);
      }
      lengths_.copies.push_back(std::move(lengths));
    }
  }

  void divide(Length length, const std::vector<AxisId>& axes) {
    const auto parts = number(size_of(axes, program_.machine.mesh));
    if (parts) relations_.multiple_of(length, *parts);
  }

  // What has the same label in a computation is equally long.
  void join(const std::vector<LabelledLengths>& arrays) {
    std::map<int, Length> known;
    for (const LabelledLengths& array : arrays) {
      for (std::size_t d = 0; d < array.labels.size(); ++d) {
        const auto [entry, is_new] = known.try_emplace(array.labels[d], array.lengths[d]);
        if (!is_new) relations_.same(entry->second, array.lengths[d]);
      }
    }
  }

  LabelledLengths labelled(CopyId copy, const std::vector<int>& labels) const {
    return {labels, of(copy)};
  }

  void same_shape(CopyId a, CopyId b) {
    for (std::size_t d = 0; d < of(a).size(); ++d) relations_.same(of(a)[d], of(b)[d]);
  }

  void relate(const Step& step) {
    match(
        step.action, [&](const InputStep& input) { relate_input(input); },
        [&](const ContractStep& product) {
          const auto left = labelled(product.left, product.left_labels);
          const auto right = labelled(product.right, product.right_labels);
          const auto result = labelled(product.result, product.result_labels);
          join({left, right, result});
          if (!product.piece) return;
          for (const LabelledLengths& array : {left, right}) {
            if (const auto length = array.find(product.piece->along))
              divide(*length, product.piece->axes);
          }
        },
        [&](const ElementwiseStep& elements) {
          std::vector<LabelledLengths> arrays = {labelled(elements.result, elements.result_labels)};
          for (std::size_t i = 0; i < elements.operands.size(); ++i)
            arrays.push_back(labelled(elements.operands[i], elements.operand_labels[i]));
          join(arrays);
        },
        [&](const ReductionStep& reduction) {
          join({labelled(reduction.operand, reduction.operand_labels),
                labelled(reduction.result, reduction.result_labels)});
        },
        [&](const SelectionStep& selection) {
          std::vector<LabelledLengths> operands;
          for (std::size_t i = 0; i < selection.operands.size(); ++i)
            operands.push_back(labelled(selection.operands[i], selection.operand_labels[i]));
          relate_selection(selection.kind, operands,
                           labelled(selection.result, selection.result_labels), selection.along);
        },
        [&](const CollectiveStep& move) { same_shape(move.operand, move.result); },
        [&](const SliceStep& slice) { same_shape(slice.operand, slice.result); },
        [&](const TransposeStep& transpose) {
          for (std::size_t d = 0; d < transpose.order.size(); ++d)
            relations_.same(of(transpose.operand)[transpose.order[d]], of(transpose.result)[d]);
        },
        [](const FreeStep&) {});
  }

  void relate_input(const InputStep& input) {
    const bool is_given = input.kind == InputKind::Given;
    if (!is_given && input.kind != InputKind::Coordinate) return;
    for (const Length length : of(input.result)) {
      relations_.keep(length, Kept::Always,
                      is_given ? "is as long as in its file" : "counts the places of an axis");
    }
  }

  void relate_selection(SelectionKind kind, const std::vector<LabelledLengths>& operands,
                        const LabelledLengths& result, const std::vector<int>& along) {
    if (kind == SelectionKind::Reshape) return relate_reshape(operands.front(), result);
    std::vector<LabelledLengths> arrays = operands;
    arrays.push_back(result);
    join(arrays);
    // Of the result's labels the one that no operand has, and the other way round for what is put together.
    std::optional<Length> own;
    for (std::size_t d = 0; d < result.labels.size(); ++d) {
      const bool known = std::any_of(operands.begin(), operands.end(), [&](const auto& operand) {
        return operand.find(result.labels[d]).has_value();
      });
      if (!known) own = result.lengths[d];
    }
    if (kind == SelectionKind::Concat) return relate_concat(operands, result, own);
    if (kind == SelectionKind::Update && operands.size() == 2) own = part_of(operands);
    if (kind == SelectionKind::Update) keep_parts(operands, along);
    const bool scatters = kind == SelectionKind::Scatter;
    if (scatters) own = std::nullopt;  // it is indexed
    for (const int label : along) {
      const auto looked_along = (scatters ? result : operands.front()).find(label);
      if (looked_along) relate_along(kind, *looked_along, own);
    }
  }

  // Of what is put in the place of a part: the dimension that the array lacks.
  static std::optional<Length> part_of(const std::vector<LabelledLengths>& operands) {
    const LabelledLengths& put = operands[1];
    for (std::size_t d = 0; d < put.labels.size(); ++d) {
      if (!operands.front().find(put.labels[d])) return put.lengths[d];
    }
    return std::nullopt;
  }

  // Parts that are put beside other parts or an index are indices, each with a dimension of its own.
  void keep_parts(const std::vector<LabelledLengths>& operands, const std::vector<int>& along) {
    constexpr std::size_t kFirstIndex = 2;  // behind the array and what is put in
    if (operands.size() < kFirstIndex + 2) return;
    for (std::size_t i = kFirstIndex; i < operands.size(); ++i) {
      for (std::size_t d = 0; d < operands[i].labels.size(); ++d) {
        const int label = operands[i].labels[d];
        const bool shared = std::any_of(operands.begin(), operands.end(), [&](const auto& other) {
          return &other != &operands[i] && &other != &operands[1] && other.find(label).has_value();
        });
        if (shared) continue;
        relations_.keep(operands[i].lengths[d], Kept::Always, kPartWhy);
        for (const int looked_along : along) {
          if (const auto length = operands.front().find(looked_along))
            relations_.keep(*length, Kept::Always, kPartWhy);
        }
      }
    }
  }

  // A dimension along which elements are picked or put.
  void relate_along(SelectionKind kind, Length along, std::optional<Length> own) {
    if (kind == SelectionKind::Top) {
      if (own) relations_.keep(*own, Kept::Always, "says how many are wanted");
      if (own && relations_.full(*own)) relations_.at_least(along, *relations_.full(*own));
    } else if (kind != SelectionKind::CumSum && own) {
      relations_.keep(along, Kept::Always, kPartWhy);
      relations_.keep(*own, Kept::Always, kPartWhy);
    } else if (kind != SelectionKind::CumSum) {
      relations_.keep(along, Kept::UnlessAsked, "is indexed");
    }
  }

  void relate_concat(const std::vector<LabelledLengths>& operands, const LabelledLengths& result,
                     std::optional<Length> whole) {
    constexpr auto kWhy = "is put together from parts";
    if (whole) relations_.keep(*whole, Kept::Always, kWhy);
    for (const LabelledLengths& operand : operands) {
      for (std::size_t d = 0; d < operand.labels.size(); ++d) {
        if (!result.find(operand.labels[d]))
          relations_.keep(operand.lengths[d], Kept::Always, kWhy);
      }
    }
  }

  void relate_reshape(const LabelledLengths& from, const LabelledLengths& to) {
    const auto amounts = [&](const LabelledLengths& array) {
      std::vector<Amount> shape;
      for (const Length length : array.lengths) {
        const auto full = relations_.full(length);
        shape.push_back(full ? Amount(*full) : Amount::symbol("?"));
      }
      return shape;
    };
    const auto runs = planning::reshape_runs(from.labels, amounts(from), to.labels, amounts(to));
    if (!runs) return keep_reshaped(from.lengths, to.lengths);
    for (const planning::ReshapeRun& run : *runs) {
      const auto part = [](const LabelledLengths& array, std::size_t begin, std::size_t end) {
        return std::vector<Length>(array.lengths.begin() + static_cast<std::ptrdiff_t>(begin),
                                   array.lengths.begin() + static_cast<std::ptrdiff_t>(end));
      };
      const std::vector<Length> before = part(from, run.from_begin, run.from_end);
      const std::vector<Length> after = part(to, run.to_begin, run.to_end);
      if (before.size() == 1 && after.size() == 1)
        relations_.same(before[0], after[0]);
      else if (before.size() == 1)
        relations_.product(before[0], after);
      else if (after.size() == 1)
        relations_.product(after[0], before);
      else
        keep_reshaped(before, after);
    }
  }

  void keep_reshaped(const std::vector<Length>& before, const std::vector<Length>& after) {
    for (const auto* lengths : {&before, &after}) {
      for (const Length length : *lengths)
        relations_.keep(length, Kept::Always, "is split and merged together with others");
    }
  }

  // Operations inside of a statement have dimensions, too, and no copies that would say how long they are.
  void relate(const checked::Flow& flow, const checked::FlowOfStatement& arrays) {
    relate(flow.value, arrays);
    if (flow.target.valid()) relate_use(arrays.array(flow.target), flow.labels);
  }

  void relate_use(ArrayId array, const std::vector<DimensionId>& labels) {
    const auto& own = scope_.store.arrays[array].dimensions;
    for (std::size_t d = 0; d < std::min(own.size(), labels.size()); ++d)
      relations_.same(of(own[d]), of(labels[d]));
  }

  LabelledLengths labelled(const std::vector<DimensionId>& labels) const {
    LabelledLengths result{.labels = numbered(labels), .lengths = {}};
    for (const DimensionId label : labels) result.lengths.push_back(of(label));
    return result;
  }

  void relate(const checked::Operation& operation, const checked::FlowOfStatement& arrays) {
    if (const auto* use = std::get_if<checked::Use>(&operation.node))
      relate_use(arrays.array(use->array), operation.labels);
    if (const auto* selection = std::get_if<checked::Selection>(&operation.node)) {
      std::vector<LabelledLengths> operands;
      for (const checked::Operation& operand : selection->operands)
        operands.push_back(labelled(operand.labels));
      relate_selection(selection->kind, operands, labelled(operation.labels),
                       numbered(selection->along));
    }
    for (const checked::Operation* operand : checked::operands_of(operation))
      relate(*operand, arrays);
  }

  const std::vector<Length>& of(CopyId copy) const { return lengths_.of(copy); }
  Length of(DimensionId dimension) const { return lengths_.of(dimension); }

  const Program& program_;
  const Scope& scope_;
  ProgramLengths& lengths_;
  LengthRelations& relations_;
};

}  // namespace

ProgramLengths lengths_of(const Program& program, const Scope& scope) {
  ProgramLengths lengths;
  LengthCollector(program, scope, lengths);
  return lengths;
}

std::vector<LengthRelations::Length> ProgramLengths::named(const std::string& key) const {
  const auto found = by_name.find(key);
  return found == by_name.end() ? std::vector<LengthRelations::Length>() : found->second;
}

}  // namespace shard
