#include "stdlib/library.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace shard::library_test {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST(Library, EveryModuleInTheFolderIsCompiledInByteForByte) {
  std::size_t count = 0;
  const std::filesystem::path root = SHARD_SOURCE_DIR "/stdlib";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".shard") continue;
    ++count;
    std::string name = entry.path().lexically_relative(root).replace_extension().generic_string();
    std::replace(name.begin(), name.end(), '/', '.');
    EXPECT_EQ(library_module(name), read(entry.path())) << entry.path();
  }
  EXPECT_EQ(library_modules().size(), count);
}

TEST(Library, UnknownModulesAreAbsent) { EXPECT_EQ(library_module("nothing"), std::nullopt); }

TEST(Library, ModulesAreListedByName) { EXPECT_EQ(library_modules().front(), "hardware"); }

TEST(Library, EveryFunctionSaysWhatItIsWhereItIsFromAndHowItIsUsed) {
  EXPECT_GT(library_functions().size(), 60U);
  std::set<std::string> names;
  for (const LibraryFunction& function : library_functions()) {
    EXPECT_TRUE(names.insert(function.name).second) << function.name << " is there twice";
    EXPECT_NE(function.comment.find("Source: "), std::string::npos) << function.name;
    EXPECT_NE(function.comment.find('.'), std::string::npos) << function.name;
    EXPECT_NE(function.example.find(function.name), std::string::npos) << function.name;
    EXPECT_TRUE(function.source.ends_with("}\n")) << function.source;
    EXPECT_EQ(function.signature.back(), ')') << function.signature;
  }
}

TEST(Library, EveryModuleSaysWhatItHas) {
  for (const std::string_view module : library_modules())
    EXPECT_NE(library_help(module).find("use " + std::string(module)), std::string::npos) << module;
  EXPECT_NE(library_help("models").find("use models.llama3_70b"), std::string::npos);
  EXPECT_NE(library_help("models.llama3_70b").find("D = 8192"), std::string::npos);
  EXPECT_NE(library_help("rms_norm").find("use transformer"), std::string::npos);
  EXPECT_EQ(library_help("nothing"), "");
}

TEST(Library, SourcesAreThoseOfTheFiles) {
  EXPECT_EQ(library_source("models.llama3_8b"),
            read(SHARD_SOURCE_DIR "/stdlib/models/llama3_8b.shard"));
  EXPECT_NE(read(SHARD_SOURCE_DIR "/stdlib/transformer.shard").find(library_source("layer")),
            std::string::npos);
  EXPECT_EQ(library_source("nothing"), "");
}

TEST(Library, HintsAtTheModuleOfAFunction) {
  EXPECT_EQ(library_hint("rms_norm"), "the library has it: use transformer");
  EXPECT_EQ(library_hint("gated_mpl"),
            "did you mean `gated_mlp`? The library has it: use transformer");
  EXPECT_EQ(library_hint("quite_another_word"), std::nullopt);
}

// docs/library.md has a row for each function and each model, and no others: | `name(…)` | … |.
TEST(Library, ThePageListsWhatThereIs) {
  const std::string page = read(SHARD_SOURCE_DIR "/docs/library.md");
  std::set<std::string> listed;
  const std::regex row(R"(\n\| `([^`]+)` \|)");
  for (std::sregex_iterator it(page.begin(), page.end(), row), end; it != end; ++it)
    listed.insert((*it)[1]);
  std::set<std::string> there;
  for (const LibraryFunction& function : library_functions()) there.insert(function.signature);
  for (const std::string_view module : library_modules()) {
    const std::string name(module);
    if (name.find('.') != std::string::npos) there.insert(name);
    EXPECT_NE(page.find("`use " + name + "`"), std::string::npos) << name;
  }
  EXPECT_EQ(listed, there);
}

}  // namespace
}  // namespace shard::library_test
