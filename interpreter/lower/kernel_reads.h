// What of HBM a kernel has at hand: the arrays and parts of arrays that its steps have read or made so far.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/rational.h"
#include "interpreter/lower/read_boxes.h"
#include "runtime/plan/plan.h"

namespace shard {

// Copies are told apart by the elements that they are of: an array and its Reshape are the same ones, two equal parts of an array
// too, and whoever has an array has its parts.
class KernelReads {
 public:
  struct AtHand {
    CopyId copy;
    Rational share;  // of its elements, above 0
  };

  // `all`: what the kernel has at hand in the end. A part of what it reads as a whole, be it later, is no reading of its own.
  explicit KernelReads(const Plan& plan, const KernelReads* all = nullptr)
      : plan_(plan), all_(all), boxes_(plan) {}

  // The next step of the kernel. Gives what of its operands is at hand before it, or by another operand.
  std::vector<AtHand> step(const Step& step);

 private:
  // Elements of another copy.
  struct Part {
    CopyId part;   // the first copy that is of them
    CopyId whole;  // likewise
    SharedList<Amount> whole_shape;
    std::vector<int>
        kept;  // for each label of the part its place in the whole, -1 for one that the whole lacks
    std::vector<int> along;  // likewise for those that elements are taken along
    Formula position;
  };

  bool has(CopyId copy) const;
  CopyId elements_of(CopyId copy) const;
  void see_through(const Step& step);
  bool gathers_again(const Step& step);
  Part part_of(const Step& step) const;
  bool are_same(const Part& a, const Part& b) const;
  std::vector<AtHand> read_operands(const Step& step);

  const Plan& plan_;
  const KernelReads* all_;
  std::map<CopyId, CopyId> same_;  // the first copy of the same elements, where that is another one
  std::vector<Part> parts_;
  std::vector<std::pair<Part, std::vector<CopyId>>> gathered_;  // with the elements of the indices
  std::set<CopyId> there_;
  ReadBoxes boxes_;
};

}  // namespace shard
