// Judges what the devices hold, statement by statement, as it is made.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "interpreter/emulate/judgements.h"
#include "interpreter/execute/comparison.h"
#include "interpreter/program/program.h"
#include "interpreter/reference/unsharded.h"
#include "runtime/array/device_array.h"
#include "runtime/execute/emulator.h"

namespace shard {

// What is known of a copy once it was judged.
struct VerifiedCopy {
  std::shared_ptr<const oracle::Array> array;  // what it holds, NaN and infinities as they are
  bool is_finite = true;
  std::size_t parts = 1;  // partial results per element, before reduction
  // What the whole array is in the unsharded computation.
  std::shared_ptr<const oracle::Array> unsharded = nullptr;
};
// Bytes of host memory.
double bytes_of(const VerifiedCopy& copy);

// Compares copies as they are made, before they are freed. Every copy of a named array is judged by its origin: an
// input by its values; what a statement computes by the statement in fp64 on its operands as the devices hold them,
// within the bound on rounding (interpreter/reference/reference.h); another layout by the copy that it comes from, bit
// by bit, or as the sum of the parts. So if every step is right, the whole is.
class Verification {
 public:
  // `plan`: of the program, as it is run. Checks `cancelled` regularly and throws Cancelled.
  Verification(const Program& program, const Plan& plan, const Mesh& mesh, const Scope& scope,
               InputValues inputs, std::function<bool()> cancelled, int threads);
  Verification(const Verification&) = delete;
  Verification& operator=(const Verification&) = delete;

  // Whether the copy is judged.
  bool judges(CopyId copy) const { return judgements_.find(copy) != nullptr; }
  // A copy that was judged in an earlier run, and is an input of this one.
  void hold(CopyId copy, const VerifiedCopy& verified);
  // What is known of these copies is not forgotten; null: of none.
  void keep(std::function<bool(CopyId)> keeps) { keeps_ = std::move(keeps); }
  // After the run: what is known of a copy that is kept.
  VerifiedCopy verified(CopyId copy);
  // REQUIRES: called in the order of the steps that make the copies.
  void observe(CopyId copy, const DeviceArray& device_array);
  // In the order in which the arrays were made.
  std::vector<Comparison> take() { return std::move(comparisons_); }

 private:
  using Held = VerifiedCopy;
  // What it has to hold.
  struct Expected {
    std::shared_ptr<const oracle::Array> array;
    bool exact = false;  // compared bit by bit, without bounds
  };

  Held held_by(const DeviceArray& device_array, DType dtype) const;
  Loop in_blocks(std::size_t elements) const;
  void catch_up(int statement);
  void forget_after(CopyId judged);
  Expected expected_input(ArrayId array);
  Expected expected_of_source(CopyId source, const Held& held, DType dtype) const;
  Expected expected_of_statement(const checked::Flow& flow, int statement, const Held& held);
  std::shared_ptr<const oracle::Array> operand(int statement, ArrayId array) const;
  bool has_whole_operands(const checked::Operation& operation, int statement);
  Comparison& comparison_of(ArrayId array);
  // Whether everything that is judged is within its bounds.
  bool compare(const Expected& expected, const oracle::Array& held, int statement,
               Comparison& comparison) const;
  // Notes the drift. Without any, the devices' array also serves as the unsharded computation's.
  void note_drift(ArrayId array, Held& held, Comparison& comparison);

  const Program& program_;
  const Mesh& mesh_;
  const Scope& scope_;
  oracle::Watch watch_;
  Judgements judgements_;
  oracle::Unsharded unsharded_;
  std::map<CopyId, Held> held_;
  std::function<bool(CopyId)> keeps_;
  std::set<ArrayId> kept_arrays_;           // of the unsharded computation
  int judged_ = -1;                         // the last statement of which a copy was judged
  int next_ = 0;                            // the next statement of the unsharded computation
  std::map<ArrayId, std::size_t> numbers_;  // index in `comparisons_`
  std::vector<Comparison> comparisons_;
};

// Bytes that verifying takes at most, in addition to those of the run.
double bytes_to_verify(const Program& program, const Plan& plan, const Scope& scope);

}  // namespace shard
