// What a run takes from the host, for checking before it starts.
#pragma once

#include "runtime/execute/emulator.h"
#include "runtime/machine/machine.h"
#include "runtime/plan/plan.h"

namespace shard {

// Host memory in bytes, FLOPs, blocks of arrays and hops that a run would take.
struct HostDemand {
  double bytes = 0;  // of arrays, packed operands and parts of products, tables of hops
  double flops = 0;
  double blocks = 0;  // of all copies, including those freed again
  double hops = 0;    // with RunOptions::hops
};
HostDemand host_demand(const Machine& machine, const Plan& plan, const RunOptions& options = {});

}  // namespace shard
