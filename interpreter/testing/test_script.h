// The scripts below paths, and how each is run.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace shard::test {

// What a fence in a document prints, as the document says.
struct FenceOutput {
  std::string text;
  std::size_t line = 0;  // where the fence opens that says it
};

// A script. With `x.out` or `x.err` beside `x.shard`, it prints these bytes on standard output and standard error, and a missing
// one of the two stands for nothing; without both, it has to end as it should and no more. A fence in a document is one, too.
struct TestScript {
  std::string path;  // as the caller names it
  std::string text;
  std::vector<std::string> arguments;  // of the command, without the script
  std::string folder;                  // where it is run
  std::string name;                    // what it is called there
  bool on_standard_input = false;      // `x.in`
  bool canonical = false;              // it is to be as `shard fmt` writes it
  bool strict = false;                 // what is not expected is not printed
  bool is_named = false;               // it is one of the paths itself
  int status = 0;
  std::string
      stray;  // what is wrong where there is no script: an expected file alone, a fence that is not understood

  // Of a fence in the document `path`, which is given to the command on standard input and called `name`:
  std::size_t line = 0;  // where it opens, from 1; 0: it is no fence
  std::optional<FenceOutput>
      output;              // what it prints, on standard output and then on standard error
  std::string draws;       // a kind of diagnostic: it ends as one of that kind does
  bool is_silent = false;  // nothing is said about it

  bool is_fence() const { return line > 0; }
  // As it is told of: its path, of a fence "README.md:12".
  std::string title() const;
  // Whether the thread count is varied.
  bool runs() const { return !arguments.empty() && arguments.front() == "run"; }
  // Whether it is a session, typed in.
  bool types() const { return !arguments.empty() && arguments.front() == "transcript"; }
  // Whether it asks for help, which takes no script.
  bool asks() const { return !arguments.empty() && arguments.front() == "help"; }
  // Whether it is a script for `shard fmt`.
  bool formats() const { return arguments == std::vector<std::string>{"fmt"} && status == 0; }
  // "tests/ffn.out" for ".out".
  std::string beside(const char* extension) const;
  // Whether something says what it prints.
  bool has_expectation() const;
};

// Applies the `# exit:` and `# args:` lines with which the script begins. What is wrong with them; empty if nothing.
std::string apply_header(TestScript& script);

// Those in files and folders, and in folders below, whose title has `filter` in it; sorted, none twice. Fails for paths that cannot be
// read, and for settings that say nothing.
Result<std::vector<TestScript>> find_scripts(const std::vector<std::string>& paths,
                                             const std::string& filter);

// Those in the fences of a document with this text, as `find_scripts` would find them were it at the path.
Result<std::vector<TestScript>> scripts_of_document(const std::string& path, std::string text);

// The bytes of a file; empty if it does not exist.
std::string read_bytes(const std::string& path);

}  // namespace shard::test
