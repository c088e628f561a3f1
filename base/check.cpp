#include "base/check.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/check_failure.h"

namespace shard {

namespace {

std::atomic<int> thrown_checks = 0;

}  // namespace

ThrownChecks::ThrownChecks() { ++thrown_checks; }
ThrownChecks::~ThrownChecks() { --thrown_checks; }

void check_failed(const char* condition, const char* file, int line) {
  const std::string message = std::string("internal error: ") + condition + " does not hold (" +
                              file + ":" + std::to_string(line) + "); please report this as a bug";
  if (thrown_checks > 0) throw CheckFailure(message);
  std::fprintf(stderr, "shard: %s\n", message.c_str());
  std::abort();
}

}  // namespace shard
