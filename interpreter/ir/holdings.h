// Which copies of which arrays the devices hold. Checking asks what there is, lowering says what a statement makes and ends.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/persistent_map.h"
#include "base/persistent_vector.h"
#include "interpreter/ir/arrays.h"
#include "runtime/machine/mesh.h"
#include "runtime/plan/layout.h"
#include "runtime/plan/plan.h"

namespace shard {

// A copy that the devices hold. `copy` is invalid until a plan uses it: an input appears at its first use.
struct LiveCopy {
  Layout layout;  // without axes of size 1
  CopyId copy;
  bool made = false;      // by a step, and not given as an input
  bool inferred = false;  // on the way of a statement that does not write it: no name means it
  friend bool operator==(const LiveCopy&, const LiveCopy&) = default;
};

// Of one array, the newest last.
using LiveCopies = std::vector<LiveCopy>;

// A value like the tables that it goes with: a copy of it shares what neither of them changes.
class Holdings {
 public:
  const LiveCopies& of(ArrayId array) const;
  // Valid until those of another array are changed.
  LiveCopies& change(ArrayId array);
  // The copy that a bare name means: the newest one that the script wrote, whatever planning made besides; null if there is
  // none.
  const LiveCopy* newest_written(ArrayId array) const;
  // Whether a plan has one of its copies.
  bool is_planned(ArrayId array) const;
  // Its copies are in no plan any more.
  void end_plan(ArrayId array);

  // An array is passed for a parameter, which shares the copies that a plan has. `copy` is the one that its name means.
  void pass(ArrayId array, ArrayId parameter, const LiveCopy& copy);
  bool is_shared(CopyId copy) const { return shared_.count(copy) != 0; }

  // All of them as a supposition begins: in no plan yet. What did not change since it was last asked is not made again.
  Holdings supposed(const Mesh& mesh) const;
  // Of the arrays from `first` on, which `later`, a copy of this that has grown, has and this has not: plans refer to them.
  void append_from(const Holdings& later, std::size_t first);

  // Notes that all are as the mesh in force leaves them, next to the names that arrays have.
  void note_adopted(const PersistentMap<std::string, ArrayId>& names);
  // visit(array) for those whose copies changed since, and some that did not.
  template <class Visit>
  void visit_changed_since_adopted(const Visit& visit) const {
    copies_.visit_changed(adopted_, [&](ArrayId array, const LiveCopies&) { visit(array); });
  }
  // The same for those that are not as they were in `before`, of which this has grown.
  template <class Visit>
  void visit_changed_since(const Holdings& before, const Visit& visit) const {
    copies_.visit_changed(before.copies_, [&](ArrayId array, const LiveCopies& copies) {
      if (copies != before.of(array)) visit(array);
    });
  }
  const PersistentMap<std::string, ArrayId>& names_adopted() const { return names_adopted_; }

 private:
  using Copies = PersistentIdVector<ArrayId, LiveCopies>;
  struct Supposed {
    Mesh mesh;
    Copies written;  // that they were made of
    Copies copies;
  };

  bool has(ArrayId array) const { return static_cast<std::size_t>(array.value) < copies_.size(); }

  Copies copies_;  // shorter than the table of arrays where the last have none
  PersistentSet<CopyId> shared_;
  Copies adopted_;
  PersistentMap<std::string, ArrayId> names_adopted_;
  mutable Supposed supposed_;
};

}  // namespace shard
