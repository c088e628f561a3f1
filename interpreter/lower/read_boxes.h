// Which elements of an array a kernel has read, where it reads parts of it that overlap.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/rational.h"
#include "runtime/plan/plan.h"

namespace shard {

// From `begin` up to `end`, without it.
struct ElementRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

// For each dimension of an array a range of its elements.
using ElementBox = std::vector<ElementRange>;

// Of `box` what lies in none of `others`, as boxes that share no element.
std::vector<ElementBox> without_boxes(const ElementBox& box, const std::vector<ElementBox>& others);

class ReadBoxes {
 public:
  explicit ReadBoxes(const Plan& plan) : plan_(plan) {}

  // `selection` makes `part`, elements of `whole` at one position. Nothing is known of it where the position or a length that
  // it cuts is no number, and where axes split what it cuts.
  void add_part(CopyId part, CopyId whole, const SelectionStep& selection);
  // The share of the part that no reading so far has read, which is read now: 1 where nothing is known of it.
  Rational read(CopyId part);

 private:
  struct Part {
    CopyId root;            // what it is a part of, through all parts between
    ElementBox box;         // of the root
    std::vector<int> dims;  // for each dimension of the part that of the root
  };

  std::optional<Part> known(CopyId copy, const Copy& as) const;

  const Plan& plan_;
  std::map<CopyId, Part> parts_;
  std::map<CopyId, std::vector<ElementBox>> read_;  // of each root, without a common element
};

}  // namespace shard
