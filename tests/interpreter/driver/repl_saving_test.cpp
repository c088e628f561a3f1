// What becomes of a session when it is saved, and taken back.
#include <gtest/gtest.h>

#include "tests/interpreter/driver/repl.h"

namespace shard::repl_test {
namespace {}  // namespace
}  // namespace shard::repl_test
