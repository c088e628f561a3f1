// Modules that a script uses: files next to it, and those of the library.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "interpreter/check/brackets.h"
#include "interpreter/check/run_files.h"

namespace shard {

// Reads modules into the texts of a session. Knows which are being run, so that none uses itself.
class Modules {
 public:
  Modules(SourceMap& sources, RunFiles& files) : sources_(sources), files_(files) {}

  const SourceMap& sources() const { return sources_; }

  // The module as a tree, and the name that tells whether it was used before.
  struct Module {
    std::string path;
    ast::Module tree;
    bool has_errors = false;  // of reading, which were reported
  };
  // Finds and reads it: a file `mlp.shard` next to the script that says `use mlp`, else the library's. nullopt if it was
  // used before, or after a report: UnknownModule, ModuleCycle, FileInUse, and what is wrong in its text.
  std::optional<Module> open(const ast::Use& use, CheckContext& context);
  // Its statements have been run.
  void close() { open_.pop_back(); }

 private:
  struct Text {
    std::string path;
    std::string text;
    bool in_library = false;
  };
  std::optional<Text> find(const ast::Use& use, CheckContext& context) const;
  bool check_cycle(const ast::Use& use, const std::string& path, CheckContext& context) const;

  SourceMap& sources_;
  RunFiles& files_;
  std::vector<std::string> open_;  // paths of modules that run, the innermost last
};

// Adds a note to everything that a module has to say.
void report_from_module(const DiagnosticSink& inner, const ast::Use& use, DiagnosticSink& sink);

}  // namespace shard
