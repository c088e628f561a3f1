// The part of a program that an input of a session has to run.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "interpreter/program/program.h"

namespace shard {

// What an input wants from its program: the results of statements, and copies that are requested.
struct Wanted {
  std::set<std::size_t> statements;
  std::size_t first_entry = 0;  // requests from here on
};

// A program of its own, whose copies and statements are numbered anew.
struct PartToRun {
  Program program;
  std::vector<CopyId> originals;  // by copy of the part: which one it is of the whole
};

// The statements that are wanted and those that they depend on, except for what computes with unsized dimensions or uses the
// results of such. What `is_held` says of a copy is there already: it is an input of the part (InputKind::Held), and nothing
// that it was made of is run. The time depends on the part, and hardly on the whole.
PartToRun part_to_run(const Program& program, const Wanted& wanted,
                      const std::function<bool(CopyId)>& is_held);

}  // namespace shard
