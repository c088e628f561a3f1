// What failing and slow links and devices do to a program (cost model, "Faults").
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
  bool was_reported = false;  // where the statement was planned
};

struct FaultEffects {
  std::vector<FaultMark> marks;
  std::vector<double> delays;  // by step: seconds that it takes longer; empty without a timeline
  // Collectives that run when a link has failed, or still when it does, and the machine as it is then.
  std::map<CopyId, std::shared_ptr<const Machine>> rerouted;
  std::optional<Failure> failure;
  // Something happens at a time, and times are no numbers.
  bool is_unknown = false;
};

// How the steps' times change when links fail. REQUIRES: every time is a number.
std::vector<TimelineChange> changes_of(const Program& program);
FaultEffects effects_of(const Program& program, const std::optional<Timeline>& timeline);
// The run ends at a failure: what comes before the step that fails is carried out, and the others end there.
void end_at(const Failure& failure, Timeline& timeline);

// Reports LinkFailed or DeviceFailed where a fault ends the run, if that was not done; whether it is so.
bool report_failure(const Program& program, const FaultEffects& effects, DiagnosticSink& sink);
// Reports BadFault of a time in a program without times, which cannot run; whether it is so.
bool report_unknown_times(const Program& program, const FaultEffects& effects,
                          DiagnosticSink& sink);

// Why a collective cannot run: "`AllGather_X …` cannot run: links X[1] and X[3] have failed", and at which time the last
// one did if that is given. A `send` is named as it is written. REQUIRES: the step's cost is severed on the mesh.
std::string severed_message(const Program& program, std::size_t step, const Machine& machine,
                            std::optional<double> at = std::nullopt);

}  // namespace shard
