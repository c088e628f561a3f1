#include "interpreter/driver/script_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "interpreter/driver/console.h"
#include "interpreter/host/file.h"
#include "interpreter/testing/document.h"

namespace shard {

namespace {

int worse(int a, int b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

// What is said of a document that is given as a script; empty if it is none.
std::string told_of_document(const std::string& path, const std::string& text) {
  const bool is_one =
      test::is_document(path) && !test::scripts_of({.path = path, .text = text}).empty();
  return is_one
             ? fmt::format("{0} is a document with scripts in its fences: shard test {0} runs them",
                           path)
             : "";
}

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

int for_each_file(const Arguments& arguments, const RunOne& run_one) {
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

int for_each_script(const Arguments& arguments, const RunOne& run_one) {
  return for_each_file(arguments, [&](const std::string& name, const std::string& text) {
    const std::string told = told_of_document(name, text);
    return told.empty() ? run_one(name, text) : fail(told);
  });
}

}  // namespace shard
