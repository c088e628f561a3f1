// SHARD_CHECK guards our own invariants: a failure is a bug in Shard, never in a script.
#pragma once

namespace shard {

// Prints the condition, its location and a request to report it, then aborts.
[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace shard

#define SHARD_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::shard::check_failed(#condition, __FILE__, __LINE__))
