// From checked statements to steps of a plan: planning decides, the runtime's plan records, each step is priced once.
//
// In this folder:
//   lower.h                   checked statements to steps
//   lower_program.h           a whole checked program to plans
//   fuse.h                    a block of statements as one kernel
//   kernel_reads.h            what of HBM such a kernel has at hand
//   read_boxes.h              the same of parts of an array that overlap
//   lost_precision.h          what is lost in a narrower type
//   steps_in_place.h          which steps make nothing of their own
//   kept_views.h              views that are copies, as their array is changed
//   events.h                  what changes a program besides assignments
//   lowering_cache.h          flows that lower to the same steps but for their arrays
//   computation.h, written.h  what planning decides, and what is done as it is written
//   sum_groups.h              sums of partial sums, which are reduced once
//   collective_matmul.h       products cut alongside the hops of their collectives
//   overlap_pairs.h           which products can be cut so
//   alternatives.h            the ways that were weighed, as `why` shows them
//   step_writer.h             appends steps, each priced once
#pragma once

#include <string>
#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "interpreter/planning/term_plan.h"
#include "interpreter/program/program.h"

namespace shard {

// Plans a flow and appends its steps; what is held changes accordingly, and nothing else of the tables does. On an error
// (NoSuchCopy, ResultUnreduced, InferredCommunication) reports it and returns false; the target is then held as written, so
// that later statements are checked. `held` may be the scope's own, which is not read besides. REQUIRES: the program is one of
// the scope's machine.
bool lower(checked::Flow flow, std::string text, const Scope& scope, Holdings& held,
           Program& program, DiagnosticSink& sink);

// The ways for a flow with the sizes of `scope`, apart from the script: from what it writes, and from where the ways of `known` start.
// Null if it cannot be planned so.
planning::Ways ways_anew(const checked::Flow& flow, const planning::Ways& known, const Scope& scope,
                         const Program& program);

// The steps of a way that was weighed for a flow, in the notation, as lowering would write them. `scope`: that in which it was
// planned, or a later one.
std::vector<std::string> steps_of_way(const planning::Made& way, const checked::Flow& flow,
                                      const Scope& scope, const Program& program);

}  // namespace shard
