#include "stdlib/library.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace shard::library_test {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST(Library, EveryModuleInTheFolderIsCompiledInByteForByte) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SHARD_SOURCE_DIR "/stdlib")) {
    if (entry.path().extension() != ".shard") continue;
    ++count;
    EXPECT_EQ(library_module(entry.path().stem().string()), read(entry.path())) << entry.path();
  }
  EXPECT_EQ(library_modules().size(), count);
}

TEST(Library, UnknownModulesAreAbsent) { EXPECT_EQ(library_module("nothing"), std::nullopt); }

TEST(Library, ModulesAreListedByName) { EXPECT_EQ(library_modules().front(), "hardware"); }

}  // namespace
}  // namespace shard::library_test
