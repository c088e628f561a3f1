// Against what `--verify` judges the copies of a program, and how long it needs their contents.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "base/id.h"
#include "interpreter/program/program.h"

namespace shard {

// Of a copy of a named array.
struct Judgement {
  // What it has to equal: an input's values; the statement's value, computed from its operands as the devices hold
  // them; or what `source`, another copy of the array, holds after moving or adding up.
  // What a statement has left on its way has been judged with its result.
  enum class By { Input, Statement, Source, Part };
  By by = By::Input;
  CopyId source;
  int statement = -1;
};

// REQUIRES: `plan` is the plan of `program`, as it is run.
class Judgements {
 public:
  Judgements(const Program& program, const Plan& plan);

  // Null for copies without a name, which are intermediate steps.
  const Judgement* find(CopyId copy) const { return judgements_.find(copy); }
  // Whether the plan makes what the statement computes. Of one that a part of a program has only because it moved an array
  // that others read, too, it does not: what else that one reads may not be there.
  bool is_carried_out(int statement) const;
  // The copies of an array that the steps of a statement read, except by steps that only make another copy of it.
  std::vector<CopyId> read_by(int statement, ArrayId array) const;
  // Whether a copy's contents are still needed after `judged` has been judged.
  bool is_needed_after(CopyId copy, CopyId judged) const;
  // The copies, and the arrays of the unsharded computation, that are no longer needed after a copy has been judged.
  const std::vector<CopyId>& copies_done_with(CopyId judged) const;
  const std::vector<ArrayId>& arrays_done_with(CopyId judged) const;
  // The array itself, or the one passed for a parameter.
  ArrayId passed(ArrayId array) const;

 private:
  void judge_steps(const Plan& plan);
  void judge(const Step& step, std::size_t at);
  void note_reads(const Step& step);
  void note_ends();
  // When a statement's own copy is judged; for statements without one, when that of the next statement is.
  std::vector<std::size_t> judging_steps() const;
  void need(CopyId copy, std::size_t step);

  const Program& program_;
  IdMap<ArrayId, ArrayId> passed_;
  IdMap<ArrayId, int>
      parts_;  // arrays that are what a statement has left on its way: the statement that names them
  IdMap<CopyId, Judgement> judgements_;
  IdMap<CopyId, CopyId> moved_from_;        // the named copy from which an unnamed one was moved
  std::vector<std::vector<CopyId>> reads_;  // by statement
  enum class Steps { None, OfOthers, Own };
  std::vector<Steps> steps_;  // by statement
  std::map<std::size_t, CopyId> judged_at_;
  IdMap<CopyId, std::size_t> judged_in_;  // the step
  IdMap<CopyId, std::size_t> needed_until_;
  std::map<CopyId, std::vector<CopyId>> copies_done_;
  std::map<CopyId, std::vector<ArrayId>> arrays_done_;
};

}  // namespace shard
