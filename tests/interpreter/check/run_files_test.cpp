#include "interpreter/check/run_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "tests/interpreter/support/folder.h"

namespace shard::run_files_test {
namespace {

namespace fs = std::filesystem;

class RunFilesOf : public testing::InAFolder {
 protected:
  RunFilesOf() {
    for (const char* name : {"a", "b"}) std::ofstream(path(name)) << name;
  }
  // Whether both can be had, the second after the first.
  bool fit(FileUse first, const std::string& one, FileUse second, const std::string& other) const {
    RunFiles files;
    EXPECT_FALSE(files.claim({first, path(one), {}}));
    return !files.claim({second, path(other), {}});
  }
};

TEST_F(RunFilesOf, NothingIsWrittenOverThatIsReadOrWritten) {
  for (const FileUse first : {FileUse::Script, FileUse::Module, FileUse::Load, FileUse::Save,
                              FileUse::Trace, FileUse::Output, FileUse::Earlier}) {
    EXPECT_FALSE(fit(first, "a", FileUse::Save, "a")) << described({first, "", {}});
    EXPECT_FALSE(fit(first, "a", FileUse::Trace, "a")) << described({first, "", {}});
    EXPECT_TRUE(fit(first, "a", FileUse::Save, "b")) << described({first, "", {}});
    const bool is_to_be_written = first == FileUse::Save || first == FileUse::Trace;
    EXPECT_EQ(fit(first, "a", FileUse::Load, "a"), !is_to_be_written) << described({first, "", {}});
    EXPECT_EQ(fit(first, "a", FileUse::Module, "a"), !is_to_be_written)
        << described({first, "", {}});
  }
}

TEST_F(RunFilesOf, AFileIsWhatItIsAndNotWhatItIsCalled) {
  fs::create_symlink(path("a"), path("link"));
  fs::create_hard_link(path("a"), path("hard"));
  fs::create_directory(path("folder"));
  fs::create_directory_symlink(path("folder"), path("other"));
  fs::create_symlink("new", path("to_new"));
  for (const char* name : {"link", "hard", "folder/../a", "./a", "other/../a", "none/../a"})
    EXPECT_FALSE(fit(FileUse::Save, "a", FileUse::Save, name)) << name;
  EXPECT_FALSE(fit(FileUse::Save, "new", FileUse::Save, "to_new"));
  EXPECT_FALSE(fit(FileUse::Save, "folder/new", FileUse::Save, "other/./new"));
  EXPECT_TRUE(fit(FileUse::Save, "folder/new", FileUse::Save, "new"));
}

TEST_F(RunFilesOf, NoFileIsInTheWayOfItself) {
  EXPECT_TRUE(fit(FileUse::Save, ".", FileUse::Save, "."));
  RunFiles files;
  EXPECT_FALSE(files.claim({FileUse::Save, "/dev/null", {}}));
  EXPECT_FALSE(files.claim({FileUse::Save, "/dev/null", {}}));
  EXPECT_FALSE(files.claim({FileUse::Save, "/dev/stdout", {}}));
  EXPECT_FALSE(files.claim({FileUse::Save, "/dev/stdout", {}}));
}

TEST_F(RunFilesOf, WhatIsOpenIsAFile) {
  const int file = ::open(path("a").c_str(), O_WRONLY);
  RunFiles files;
  files.claim_open(FileUse::Output, file, "standard output");
  ::close(file);
  EXPECT_TRUE(files.claim({FileUse::Save, path("a"), {}}));
  files.next_input();
  EXPECT_TRUE(files.claim({FileUse::Save, path("a"), {}}));
}

// Where the system takes `A` and `a` for one, that shows when the first is there; a link stands in for that.
TEST_F(RunFilesOf, NamesThatBecomeOneFileAreFoundBeforeTheSecondIsWritten) {
  const FileClaim first{FileUse::Save, path("new"), {}};
  const FileClaim second{FileUse::Save, path("NEW"), {}};
  RunFiles files;
  ASSERT_FALSE(files.claim(first));
  ASSERT_FALSE(files.claim(second));
  EXPECT_FALSE(files.in_the_way(first));
  std::ofstream(path("new")) << "new";
  files.written(first);
  EXPECT_FALSE(files.in_the_way(second));
  fs::create_hard_link(path("new"), path("NEW"));
  const auto other = files.in_the_way(second);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->path, path("new"));
}

TEST_F(RunFilesOf, AnInputOfASessionWritesAnewWhatTheLastOneWrote) {
  RunFiles files;
  files.claim({FileUse::Module, path("a"), {}});
  files.claim({FileUse::Save, path("b"), {}});
  files.next_input();
  EXPECT_FALSE(files.claim({FileUse::Save, path("b"), {}}));
  EXPECT_TRUE(files.claim({FileUse::Save, path("a"), {}}));
}

TEST_F(RunFilesOf, AScriptReadsAndDoesNotWriteOverWhatTheLastOneWrote) {
  const FileClaim saved{FileUse::Save, path("a"), {}};
  RunFiles files;
  files.claim(saved);
  files.claim({FileUse::Save, path("b"), {}});
  files.written(saved);
  files.next_script();
  EXPECT_FALSE(files.claim({FileUse::Load, path("a"), {}}));
  const auto other = files.claim({FileUse::Save, path("a"), {}});
  ASSERT_TRUE(other);
  EXPECT_EQ(other->use, FileUse::Earlier);
  EXPECT_FALSE(files.claim({FileUse::Save, path("b"), {}})) << "it was not written";
}

}  // namespace
}  // namespace shard::run_files_test
