#include "interpreter/lower/read_boxes.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace shard {

namespace {

// Parts that overlap in one dimension leave one box, and a stencil's a few dozen. With more than this, which takes parts at odd
// places in several dimensions, what is asked is no longer worth its quadratic time, and a part is charged as a whole.
constexpr std::size_t kMostBoxes = 4096;

std::optional<std::int64_t> number(const Amount& amount) {
  const auto constant = amount.constant();
  return constant ? constant->to_int64() : std::nullopt;
}

// Appends to `pieces` what of `box` lies outside of `other`: before and behind it along each dimension in turn.
void subtract(ElementBox box, const ElementBox& other, std::vector<ElementBox>& pieces) {
  for (std::size_t d = 0; d < box.size(); ++d) {
    if (other[d].end <= box[d].begin || box[d].end <= other[d].begin) {
      pieces.push_back(std::move(box));
      return;
    }
  }
  for (std::size_t d = 0; d < box.size(); ++d) {
    const auto keep = [&](ElementRange range) {
      if (range.begin >= range.end) return;
      pieces.push_back(box);
      pieces.back()[d] = range;
    };
    keep({box[d].begin, other[d].begin});
    keep({other[d].end, box[d].end});
    box[d] = {std::max(box[d].begin, other[d].begin), std::min(box[d].end, other[d].end)};
  }
}

Rational share_of(const ElementBox& piece, const ElementBox& box) {
  Rational share = 1;
  for (std::size_t d = 0; d < box.size(); ++d)
    share = share * Rational(piece[d].end - piece[d].begin) / Rational(box[d].end - box[d].begin);
  return share;
}

bool is_empty(const ElementRange& range) { return range.begin >= range.end; }

}  // namespace

std::vector<ElementBox> without_boxes(const ElementBox& box,
                                      const std::vector<ElementBox>& others) {
  std::vector<ElementBox> left = {box};
  for (const ElementBox& other : others) {
    std::vector<ElementBox> pieces;
    for (ElementBox& piece : left) subtract(std::move(piece), other, pieces);
    left = std::move(pieces);
    if (left.empty()) break;
  }
  return left;
}

// A part in the shape that it was cut in, or an array of its own, which is a box of itself. A length that is no number is one
// element long here: whoever cuts it is not known.
std::optional<ReadBoxes::Part> ReadBoxes::known(CopyId copy, const Copy& as) const {
  const auto found = parts_.find(copy);
  if (found != parts_.end() && plan_.copies[copy].shape == as.shape) return found->second;
  if (found != parts_.end()) return std::nullopt;
  Part whole{.root = copy, .box = {}, .dims = std::vector<int>(as.shape.size())};
  std::iota(whole.dims.begin(), whole.dims.end(), 0);
  for (const Amount& length : as.shape) whole.box.push_back({0, number(length).value_or(1)});
  return whole;
}

void ReadBoxes::add_part(CopyId part, CopyId whole, const SelectionStep& selection) {
  const Copy& from = plan_.copies[selection.operands.front()];
  const Copy& result = plan_.copies[part];
  // In another shape than its first copy, a Reshape of it, places are other ones.
  if (plan_.copies[whole].shape != from.shape) return;
  std::optional<Part> outer = known(whole, from);
  const auto position = selection.position->constant();
  const auto begin = position ? position->to_int64() : std::nullopt;
  if (!outer || !begin || selection.along.size() != 1) return;
  const std::vector<int>& labels = selection.operand_labels.items().front();
  const auto place_of = [&](int label) {
    return static_cast<int>(std::find(labels.begin(), labels.end(), label) - labels.begin());
  };
  const int cut = place_of(selection.along.items().front());
  const auto length = number(from.shape.items()[cut]);
  if (!length || !from.layout.dims.items()[cut].empty()) return;
  Part made{.root = outer->root, .box = outer->box, .dims = {}};
  ElementRange& range = made.box[outer->dims[cut]];
  const std::int64_t first = *begin < 0 ? *begin + *length : *begin;
  std::int64_t count = 1;
  for (std::size_t i = 0; i < selection.result_labels.size(); ++i) {
    const int place = place_of(selection.result_labels.items()[i]);
    const bool is_cut = place == static_cast<int>(labels.size()) || place == cut;
    made.dims.push_back(outer->dims[is_cut ? cut : place]);
    if (!is_cut) continue;
    const auto taken = number(result.shape.items()[i]);
    if (!taken) return;
    count = *taken;
  }
  range = {range.begin + first, range.begin + first + count};
  if (std::any_of(made.box.begin(), made.box.end(), is_empty)) return;
  parts_.emplace(part, std::move(made));
}

Rational ReadBoxes::read(CopyId part) {
  const auto found = parts_.find(part);
  if (found == parts_.end()) return 1;
  std::vector<ElementBox>& before = read_[found->second.root];
  const ElementBox& box = found->second.box;
  if (before.size() > kMostBoxes) return 1;
  std::vector<ElementBox> left = without_boxes(box, before);
  Rational share = 0;
  for (ElementBox& piece : left) {
    share = share + share_of(piece, box);
    before.push_back(std::move(piece));
  }
  return share;
}

}  // namespace shard
