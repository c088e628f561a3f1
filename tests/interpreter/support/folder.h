// Tests with a folder of their own, which is gone afterwards.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace shard::testing {

class InAFolder : public ::testing::Test {
 protected:
  InAFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "shard_test_XXXXXX").string();
    if (const char* made = mkdtemp(pattern.data())) folder_ = made;
  }
  ~InAFolder() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  // Of what lies in it, hidden files too.
  std::ptrdiff_t count() const {
    return std::distance(std::filesystem::directory_iterator(folder_), {});
  }

  std::filesystem::path folder_;
};

}  // namespace shard::testing
