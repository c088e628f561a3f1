#include "interpreter/driver/script_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "interpreter/driver/console.h"
#include "interpreter/host/file.h"

namespace shard {

namespace {

int worse(int a, int b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

}  // namespace

FileClaim trace_claim(const Arguments& arguments) { return {FileUse::Trace, arguments.trace, {}}; }

Result<RunFiles> files_of(const Arguments& arguments) {
  RunFiles files;
  files.claim_open(FileUse::Output, STDOUT_FILENO, "standard output");
  files.claim_open(FileUse::Output, STDERR_FILENO, "standard error");
  for (const std::string& path : arguments.files) {
    if (path == "-")
      files.claim_open(FileUse::Script, STDIN_FILENO, "standard input");
    else
      files.claim({FileUse::Script, path, {}});
  }
  if (arguments.trace.empty()) return files;
  if (const auto other = files.claim(trace_claim(arguments)))
    return failure(fmt::format("--trace {} would be written over: it is {}", arguments.trace,
                               described(*other)));
  return files;
}

int for_each_file(
    const Arguments& arguments,
    const std::function<int(const std::string& name, const std::string& text)>& run_one) {
  int status = 0;
  for (const std::string& path : arguments.files) {
    status = worse(status, within_memory([&] {
                     const auto text = read_text(path);
                     return text ? run_one(path == "-" ? arguments.stdin_name : path, *text)
                                 : fail(text.error().message);
                   }));
  }
  return status;
}

}  // namespace shard
