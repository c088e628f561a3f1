// What SHARD_CHECK finds, where it must not end the process: a session loses the line, and not all that was typed before.
#pragma once

#include <stdexcept>

namespace shard {

// `what()` is what is printed else.
class CheckFailure : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// While one exists, SHARD_CHECK throws a CheckFailure on whatever thread it fails. Who catches it lets go of what the failed
// computation has changed.
class ThrownChecks {
 public:
  ThrownChecks();
  ~ThrownChecks();
  ThrownChecks(const ThrownChecks&) = delete;
  ThrownChecks& operator=(const ThrownChecks&) = delete;
};

}  // namespace shard
