// Runs a program on emulated devices and compares the outcome with the unsharded computation.
//
// In this folder:
//   emulation.h                   runs a program
//   verification.h, judgements.h  judges what the devices hold; which copy is judged against what
#pragma once

#include "interpreter/execute/program_executor.h"

namespace shard {

// The devices of any machine, emulated on this one; for SessionOptions::executor.
const ProgramExecutor& emulated_devices();

}  // namespace shard
