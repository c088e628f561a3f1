// A session behind a pseudo-terminal, with a folder of its own for what it keeps.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/interpreter/driver/terminal.h"

namespace shard::repl_test {

namespace fs = std::filesystem;
using namespace testing;  // NOLINT(google-build-using-namespace): keys, prompts, the terminal

class Repl : public ::testing::Test {
 protected:
  Repl() {
    std::string pattern = (fs::temp_directory_path() / "shard_repl_test_XXXXXX").string();
    if (const char* made = mkdtemp(pattern.data())) state_ = made;
  }
  ~Repl() override {
    std::error_code ignored;
    fs::remove_all(state_, ignored);
  }
  fs::path state_;
};

// A session that has shown its prompt.
struct Ready : Terminal {
  explicit Ready(const fs::path& state) : Terminal(state) { await(kPrompt); }
};

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace shard::repl_test
