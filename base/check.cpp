#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace shard {

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr,
               "shard: internal error: %s does not hold (%s:%d); please report this as a bug\n",
               condition, file, line);
  std::abort();
}

}  // namespace shard
