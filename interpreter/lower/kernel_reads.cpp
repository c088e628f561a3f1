#include "interpreter/lower/kernel_reads.h"

#include <algorithm>

#include "interpreter/lower/steps_in_place.h"

namespace shard {

namespace {

std::vector<int> places_of(const std::vector<int>& labels, const std::vector<int>& in) {
  std::vector<int> places;
  for (const int label : labels) {
    const auto found = std::find(in.begin(), in.end(), label);
    places.push_back(found == in.end() ? -1 : static_cast<int>(found - in.begin()));
  }
  return places;
}

}  // namespace

std::vector<KernelReads::AtHand> KernelReads::step(const Step& step) {
  if (is_seen_through(step, plan_)) {
    see_through(step);
    return {};
  }
  std::vector<AtHand> at_hand = read_operands(step);
  // What is changed in place is at hand as far as it was before.
  const CopyId changed = updated_in_place(step);
  if (!changed.valid() || has(changed)) there_.insert(result_of(step));
  return at_hand;
}

bool KernelReads::has(CopyId copy) const {
  CopyId elements = elements_of(copy);
  if (there_.count(elements) != 0) return true;
  while (true) {
    const auto part = std::find_if(parts_.begin(), parts_.end(),
                                   [&](const Part& one) { return one.part == elements; });
    if (part == parts_.end()) return false;
    elements = part->whole;
    const bool is_read = all_ != nullptr && all_->there_.count(elements) != 0;
    if (is_read || there_.count(elements) != 0) return true;
  }
}

CopyId KernelReads::elements_of(CopyId copy) const {
  const auto found = same_.find(copy);
  return found == same_.end() ? copy : found->second;
}

void KernelReads::see_through(const Step& step) {
  const auto* selection = std::get_if<SelectionStep>(&step.action);
  if (selection != nullptr && selection->kind == SelectionKind::Reshape) {
    same_[selection->result] = elements_of(selection->operands.front());
    return;
  }
  Part part = part_of(step);
  const auto before = std::find_if(parts_.begin(), parts_.end(),
                                   [&](const Part& one) { return are_same(one, part); });
  if (before != parts_.end()) {
    same_[part.part] = before->part;
    return;
  }
  if (selection != nullptr) boxes_.add_part(part.part, part.whole, *selection);
  parts_.push_back(std::move(part));
}

KernelReads::Part KernelReads::part_of(const Step& step) const {
  if (const auto* slice = std::get_if<SliceStep>(&step.action)) {
    return {.part = slice->result,
            .whole = elements_of(slice->operand),
            .whole_shape = plan_.copies[slice->operand].shape};
  }
  const auto& selection = std::get<SelectionStep>(step.action);
  const CopyId operand = selection.operands.front();
  const std::vector<int>& labels = selection.operand_labels.items().front();
  return {.part = selection.result,
          .whole = elements_of(operand),
          .whole_shape = plan_.copies[operand].shape,
          .kept = places_of(selection.result_labels.items(), labels),
          .along = places_of(selection.along.items(), labels),
          .position = *selection.position};
}

bool KernelReads::are_same(const Part& a, const Part& b) const {
  const Copy& one = plan_.copies[a.part];
  const Copy& other = plan_.copies[b.part];
  return a.whole == b.whole && a.whole_shape == b.whole_shape && a.kept == b.kept &&
         a.along == b.along && a.position == b.position && one.shape == other.shape &&
         one.layout == other.layout;
}

// Whether the rows that the step picks are those of an earlier one.
bool KernelReads::gathers_again(const Step& step) {
  const auto* selection = std::get_if<SelectionStep>(&step.action);
  if (selection == nullptr || selection->kind != SelectionKind::Gather) return false;
  Part part = part_of(step);
  std::vector<CopyId> indices;
  for (std::size_t i = 1; i < selection->operands.size(); ++i)
    indices.push_back(elements_of(selection->operands.items()[i]));
  const bool again = std::any_of(gathered_.begin(), gathered_.end(), [&](const auto& before) {
    return before.second == indices && are_same(before.first, part);
  });
  if (!again) gathered_.emplace_back(std::move(part), std::move(indices));
  return again;
}

// Of an operand that is indexed by others some elements are read alone, and of one that is changed in place none.
std::vector<KernelReads::AtHand> KernelReads::read_operands(const Step& step) {
  const auto* selection = std::get_if<SelectionStep>(&step.action);
  const bool in_part = selection != nullptr &&
                       (selection->kind == SelectionKind::Gather || updated_in_place(step).valid());
  std::vector<AtHand> at_hand;
  const bool again = gathers_again(step);
  for_each_operand(step, [&](CopyId operand) {
    const bool picked = selection != nullptr && operand == selection->operands.front();
    if (has(operand) || (again && picked)) {
      at_hand.push_back({operand, 1});
    } else if (!in_part || !picked) {
      const Rational before = Rational(1) - boxes_.read(elements_of(operand));
      if (before > Rational(0)) at_hand.push_back({operand, before});
      there_.insert(elements_of(operand));
    }
  });
  return at_hand;
}

}  // namespace shard
