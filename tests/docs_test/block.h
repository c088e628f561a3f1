// Blocks of the documentation that are scripts, and what the command makes of them.
#pragma once

#include <string>
#include <utility>

#include "interpreter/testing/process.h"
#include "tests/docs_test/markdown.h"

namespace shard::docs {

// What a block did: what it printed, and what is wrong with that.
struct Done {
  std::string printed;
  std::string problem;
};

class Command {
 public:
  explicit Command(std::string shard) : shard_(std::move(shard)) {}

  Done run(const Part& block) const;

 private:
  test::Execution execute(const std::string& verb, const Words& arguments,
                          const std::string& script) const;
  static std::string ended(const test::Execution& execution);
  Done succeed(const std::string& verb, const Words& arguments, const std::string& script) const;
  Done check(const std::string& script) const;
  Done draw(const std::string& kind, const std::string& script) const;
  static Done type(const std::string& transcript);

  std::string shard_;
};

}  // namespace shard::docs
