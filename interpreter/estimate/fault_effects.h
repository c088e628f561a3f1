// What failed and slow links and devices do to a program (cost model, "Faults").
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "interpreter/program/program.h"
#include "runtime/cost/timeline.h"
#include "runtime/machine/fault.h"
#include "runtime/machine/machine.h"

namespace shard {

// A step that the machine cannot carry out.
struct Failure {
  std::size_t step = 0;
  DiagnosticKind kind = DiagnosticKind::LinkFailed;
  int device = -1;
  double at = 0;  // seconds; when the run ends
  std::string message;
  bool was_reported = false;  // when the statement was planned
};

struct FaultEffects {
  std::vector<FaultMark> marks;
  std::vector<double> delays;  // by step: seconds that faults add; empty without a timeline
  // Collectives that start after a link has failed, or are still running when it does, and the machine as it is then.
  std::map<CopyId, std::shared_ptr<const Machine>> rerouted;
  std::optional<Failure> failure;
  // A fault has a time, but the steps' times are not numbers.
  bool is_unknown = false;
};

// How the steps' times change when links fail. REQUIRES: every time is a number.
std::vector<TimelineChange> changes_of(const Program& program);
FaultEffects effects_of(const Program& program, const std::optional<Timeline>& timeline);
// Ends the run at a failure: the steps before the failing one in the script are carried out, the others end there.
void end_at(const Failure& failure, Timeline& timeline);

// Reports LinkFailed or DeviceFailed if a fault ends the run and that was not reported yet. Returns whether one ends
// it.
bool report_failure(const Program& program, const FaultEffects& effects, DiagnosticSink& sink);
// Reports BadFault if a fault has a time but the program has none, so that it cannot run. Returns whether that is so.
bool report_unknown_times(const Program& program, const FaultEffects& effects,
                          DiagnosticSink& sink);

// Why a collective cannot run: "`AllGather_X …` cannot run: links X[1] and X[3] have failed", with the time of the last
// failure if it is given. A `send` is quoted as written. REQUIRES: the step's cost is severed on the machine's mesh.
std::string severed_message(const Program& program, std::size_t step, const Machine& machine,
                            std::optional<double> at = std::nullopt);

}  // namespace shard
