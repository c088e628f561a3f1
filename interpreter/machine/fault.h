// Faults of the machine, and which device is meant.
#pragma once

#include <optional>

#include "interpreter/check/brackets.h"

namespace shard {

// Adds the fault to the scope's machine. Reports BadFault, UnknownAxis, UnitMismatch.
void check_fault(const ast::Fault& fault, CheckContext& context);
void check_slow(const ast::Slow& slow, CheckContext& context);

// Adds the faults of the command line to the program that begins, once per machine. May be null.
void add_given_faults(const std::vector<ast::Statement>* faults, CheckContext& context);

// The number of the device; reports what is wrong with it as `kind`.
std::optional<std::int64_t> check_device(const ast::DeviceName& device, DiagnosticKind kind,
                                         CheckContext& context);

}  // namespace shard
