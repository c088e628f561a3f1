// Running a program, seen from outside: what is asked for and what comes of it. Knows no arrays on devices, so that who only
// estimates is built without them.
//
// In this folder:
//   execution.h         what a run is asked for, and what comes of it
//   comparison.h        how what the devices hold compares with the unsharded computation
//   program_executor.h  what runs programs; implemented by interpreter/emulate/
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "interpreter/execute/comparison.h"
#include "interpreter/program/cut_sizes.h"
#include "runtime/plan/plan.h"
#include "runtime/plan/run_values.h"

namespace shard {

struct ExecutionOptions {
  bool estimate = false;  // costs only
  // Files of inputs are read where nothing is executed, too: for lines that will be.
  bool reads_files = false;
  bool verify = false;
  InputValues inputs = InputValues::Integers;
  int threads = 0;
  bool hops = false;        // RunOptions::hops
  bool per_device = false;  // RunOptions::per_device
  SizeCut cut = {};         // on how large arrays it is executed
  double memory = 0;        // bytes of host memory that may be used
  // At the speed of the products in bench/README.md, 1.7e10 FLOPs in 44 ms, half a second. Beyond it a script is only
  // estimated.
  double max_flops = 2e11;
  std::function<bool()> cancelled;
};

// A copy as the devices hold it after a run, for later runs of programs that go on with it. What it is made of is a matter of the
// executor that gave it.
class KeptCopy {
 public:
  KeptCopy() = default;
  KeptCopy(const KeptCopy&) = delete;
  KeptCopy& operator=(const KeptCopy&) = delete;
  virtual ~KeptCopy() = default;

  virtual double bytes() const = 0;  // of host memory
};
using KeptCopies = std::map<CopyId, std::shared_ptr<const KeptCopy>>;

struct Execution {
  bool executed = false;
  std::vector<CutDimension> cut;  // what was shorter than planned
  std::string reason;             // why it was not run: "D has no size"
  std::string demand;  // what it takes, if that exceeds a limit: "running it takes 134.2 MFLOPs"
  std::optional<DiagnosticKind> refusal;  // that of the exceeded limit, for an error
  bool too_large = false;                 // smaller arrays would pass it
  // 64: with SizeCut::scale 1/64 it would pass all limits, and with no larger 1/2^n; 0: with none, or nobody looked for it.
  std::int64_t scale_with_room = 0;
  std::vector<CutDimension> kept_lengths;  // with none: the longest of those that no scale shortens
  std::optional<Fault> fault;
  bool is_planned_fault = false;  // the fault is the emulated machine's (FaultEffects::failure)
  int fault_statement = -1;
  bool cancelled = false;
  std::size_t steps_done = 0;  // of all the plan's; fewer where it was cancelled
  std::size_t steps = 0;
  std::uint64_t saturated = 0;
  std::map<CopyId, GlobalArray> kept;  // whole arrays that the program asks for (Program::requests)
  KeptCopies held;                     // those that ProgramRun::keeps wants, after a run to the end
  std::vector<Comparison>
      comparisons;  // in the order in which the arrays were made; empty without `verify`
};

}  // namespace shard
