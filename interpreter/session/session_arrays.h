// What the devices hold between the inputs of a session at a terminal, so that a line runs its own statements alone.
#pragma once

#include <cstddef>

#include "interpreter/execute/execution.h"
#include "interpreter/ir/symbols.h"
#include "interpreter/program/part_to_run.h"

namespace shard {

// Copies of one program, by their ids in it. What is not among them can be made again.
class SessionArrays {
 public:
  // Holds at most `most` bytes, the newest copies of them.
  explicit SessionArrays(double most) : most_(most) {}

  // Whether that copy of program number `program` is held.
  bool has(std::size_t program, CopyId copy) const {
    return program == program_ && copies_.contains(copy);
  }
  // What a run of the part begins with.
  KeptCopies inputs_of(const PartToRun& part) const;
  // Takes over what a run of a part has given. Those of another program are let go, and before copies that names of `scope` still
  // reach, those that none does.
  void add(std::size_t program, const KeptCopies& copies, const Program& whole, const Scope& scope);

 private:
  void make_room(const Program& whole, const Scope& scope);

  double most_;
  double bytes_ = 0;
  std::size_t program_ = 0;
  KeptCopies copies_;
};

// Whether a statement that follows may read the copy: a name means its array, which still has it.
bool is_reached(CopyId copy, const Program& program, const Scope& scope);

}  // namespace shard
