#include "interpreter/planning/product_cases.h"

#include <algorithm>

#include "base/cancellation.h"
#include "base/contains.h"
#include "interpreter/planning/local_layout.h"

namespace shard::planning {

namespace {

using Axes = std::vector<AxisId>;

// How one label may be split on the two sides; an operand without the label ignores its half.
struct Option {
  Axes left;
  Axes right;
  friend bool operator==(const Option&, const Option&) = default;
};

void add(std::vector<Option>& options, Option option) {
  if (std::find(options.begin(), options.end(), option) == options.end())
    options.push_back(std::move(option));
}

void add_both(std::vector<Option>& options, const Axes& axes) { add(options, {axes, axes}); }

// Axes that `operand` uses on dimensions of the result.
Axes kept_axes(const Operand& operand, const Labels& result) {
  Axes axes;
  for (std::size_t i = 0; i < operand.labels.size(); ++i) {
    if (position_of(result, operand.labels[i])) {
      axes.insert(axes.end(), operand.layout.dims[i].begin(), operand.layout.dims[i].end());
    }
  }
  for (const Placement& place : operand.layout.placed) axes.push_back(place.axis);
  return axes;
}

Axes without(Axes axes, const Axes& removed) {
  std::erase_if(axes, [&](AxisId axis) {
    return std::find(removed.begin(), removed.end(), axis) != removed.end();
  });
  return axes;
}

class CaseFinder {
 public:
  CaseFinder(const Operand& left, const Operand& right, const Labels& result,
             const std::optional<Layout>& target)
      : left_(left), right_(right), result_(result), target_(target) {}

  std::vector<std::pair<Layout, Layout>> find() {
    labels_ = left_.labels;
    for (const int label : right_.labels) {
      if (!position_of(left_.labels, label)) labels_.push_back(label);
    }
    for (const int label : labels_) options_.push_back(options_of(label));
    for (const auto& [left_places, right_places] : place_options()) {
      Layout left = unsplit(left_.layout, left_.layout.rank());
      Layout right = unsplit(right_.layout, right_.layout.rank());
      left.placed = left_places;
      right.placed = right_places;
      choose(0, left, right, {});
    }
    return std::move(pairs_);
  }

 private:
  using Places = std::vector<Placement>;

  // Where the operands are held: as they are; both where one of them or the target is; everywhere.
  std::vector<std::pair<Places, Places>> place_options() const {
    const Places& left = left_.layout.placed;
    const Places& right = right_.layout.placed;
    std::vector<std::pair<Places, Places>> options = {{left, right}};
    const auto add_pair = [&](const Places& places) {
      const std::pair<Places, Places> both(places, places);
      if (std::find(options.begin(), options.end(), both) == options.end()) options.push_back(both);
    };
    if (left.empty() && right.empty()) return options;
    add_pair(right);
    add_pair(left);
    if (target_) add_pair(target_->placed);
    add_pair({});
    return options;
  }

  const Axes* split(const Operand& operand, int label) const {
    const auto place = position_of(operand.labels, label);
    return place ? &operand.layout.dims[*place] : nullptr;
  }

  const Axes* target_split(int label) const {
    const auto place = position_of(result_, label);
    return place && target_ ? &target_->dims[*place] : nullptr;
  }

  std::vector<Option> options_of(int label) const {
    const Axes* left = split(left_, label);
    const Axes* right = split(right_, label);
    if (left != nullptr && right != nullptr) {
      return position_of(result_, label) ? batch_options(*left, *right, target_split(label))
                                         : contracted_options(*left, *right);
    }
    if (left != nullptr) return free_options(*left, right_, target_split(label));
    if (right != nullptr) return free_options(*right, left_, target_split(label));
    return {};
  }

  static std::vector<Option> contracted_options(const Axes& left, const Axes& right) {
    std::vector<Option> options;
    if (left == right) {
      add_both(options, left);
      return options;
    }
    add_both(options, {});
    for (const Axes* axes : {&left, &right}) {
      for (std::size_t length = axes->size(); length > 0; --length) {
        add_both(options, Axes(axes->begin(), axes->begin() + static_cast<std::ptrdiff_t>(length)));
      }
    }
    return options;
  }

  static std::vector<Option> batch_options(const Axes& left, const Axes& right,
                                           const Axes* target) {
    std::vector<Option> options;
    add_both(options, left);
    add_both(options, right);
    if (target != nullptr) add_both(options, *target);
    return options;
  }

  std::vector<Option> free_options(const Axes& axes, const Operand& other,
                                   const Axes* target) const {
    std::vector<Option> options;
    add_both(options, axes);
    if (target != nullptr) add_both(options, *target);
    add_both(options, without(axes, kept_axes(other, result_)));
    return options;
  }

  // Adds the axes to those that the result uses; false if it would use one of them twice.
  static bool add_used(const Axes& axes, Axes& used) {
    for (const AxisId axis : axes) {
      if (contains(used, axis)) return false;
      used.push_back(axis);
    }
    return true;
  }

  // `used`: by the labels before, in the result.
  void choose(std::size_t index, const Layout& left, const Layout& right, const Axes& used) {
    if (pairs_.size() == kMostPairs) return;
    throw_if_cancelled();
    if (index == labels_.size()) {
      if (!reused_axis(left) && !reused_axis(right) &&
          std::holds_alternative<Layout>(
              local_product(left_.labels, left, right_.labels, right, result_))) {
        pairs_.emplace_back(left, right);
      }
      return;
    }
    for (const Option& option : options_[index]) {
      Axes now = used;
      if (!add_used(option.left, now)) continue;
      Layout left_choice = left;
      Layout right_choice = right;
      if (const auto place = position_of(left_.labels, labels_[index]))
        left_choice.dims.edit()[*place] = option.left;
      if (const auto place = position_of(right_.labels, labels_[index]))
        right_choice.dims.edit()[*place] = option.right;
      choose(index + 1, left_choice, right_choice, now);
    }
  }

  const Operand& left_;
  const Operand& right_;
  const Labels& result_;
  const std::optional<Layout>& target_;
  Labels labels_;
  std::vector<std::vector<Option>> options_;
  std::vector<std::pair<Layout, Layout>> pairs_;
};

}  // namespace

std::vector<std::pair<Layout, Layout>> candidate_layouts(const Operand& left, const Operand& right,
                                                         const Labels& result_labels,
                                                         const std::optional<Layout>& target) {
  return CaseFinder(left, right, result_labels, target).find();
}

}  // namespace shard::planning
