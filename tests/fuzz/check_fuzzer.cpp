// Any bytes go through the whole of `shard check`: reading, names, layouts, inference, costs. Whether there are errors
// and what the exit status says agree, and checking twice gives the same.
#include <cstdint>
#include <string>

#include "base/check.h"
#include "grammar/diagnostics/render.h"
#include "interpreter/session/session.h"

namespace shard {
namespace {

struct Checked {
  ExitStatus status = ExitStatus::Fine;
  std::string complaints;
  bool has_errors = false;
};

Checked check(const std::string& text) {
  SessionOptions options;
  options.check_only = true;
  Session session(options);
  const Outcome outcome = session.run("fuzz.shard", text);
  Checked checked{.status = outcome.status};
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    checked.complaints += render(diagnostic, session.sources(), false);
    checked.has_errors = checked.has_errors || info(diagnostic.kind).severity == Severity::Error;
  }
  return checked;
}

}  // namespace
}  // namespace shard

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const shard::Checked first = shard::check(text);
  SHARD_CHECK(first.has_errors == (first.status != shard::ExitStatus::Fine));
  SHARD_CHECK(shard::check(text).complaints == first.complaints);
  return 0;
}
