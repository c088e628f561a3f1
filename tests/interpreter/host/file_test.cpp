#include "interpreter/host/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <future>

#include "tests/interpreter/support/folder.h"

namespace shard::file_test {
namespace {

namespace fs = std::filesystem;

class File : public testing::InAFolder {
 protected:
  // What reading fails with; empty if it succeeds.
  static std::string failure_of(const std::string& path) {
    const auto text = read_text(path);
    return text ? "" : text.error().message;
  }
  static std::string failure_to_write(const std::string& path) {
    const auto written = write_file(path, std::string("text\n"));
    return written ? "" : written.error().message;
  }
};

TEST_F(File, IsReadByteForByte) {
  const std::string bytes("B = 1\r\n\0\xff no end of line", 25);
  std::ofstream(path("a.shard"), std::ios::binary) << bytes;
  const auto text = read_text(path("a.shard"));
  ASSERT_TRUE(text.has_value()) << text.error().message;
  EXPECT_EQ(*text, bytes);
}

TEST_F(File, MayBeEmpty) {
  std::ofstream(path("empty.shard"));
  const auto text = read_text(path("empty.shard"));
  ASSERT_TRUE(text.has_value());
  EXPECT_EQ(*text, "");
}

TEST_F(File, ThatIsMissingIsNamed) {
  EXPECT_EQ(failure_of(path("none.shard")), "there is no file " + path("none.shard"));
}

TEST_F(File, InAMissingFolderIsNamed) {
  EXPECT_EQ(failure_of(path("none/a.shard")), "there is no file " + path("none/a.shard"));
}

TEST_F(File, ThatIsAFolderIsRefused) {
  EXPECT_EQ(failure_of(folder_.string()), folder_.string() + " is a folder, and not a script");
}

// Opening a pipe that nobody writes to would wait for ever.
TEST_F(File, ThatIsAPipeIsRefusedWithoutWaiting) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_NE(failure_of(path("pipe")).find("is no regular file"), std::string::npos);
}

TEST_F(File, ThatIsADeviceIsRefused) {
  EXPECT_NE(failure_of("/dev/null").find("is no regular file"), std::string::npos);
}

TEST_F(File, ThatMayNotBeReadSaysWhy) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  std::ofstream(path("secret.shard")) << "B = 1\n";
  fs::permissions(path("secret.shard"), fs::perms::none);
  EXPECT_NE(failure_of(path("secret.shard")).find("cannot be opened"), std::string::npos);
}

TEST_F(File, BehindALinkIsRead) {
  std::ofstream(path("a.shard")) << "B = 1\n";
  fs::create_symlink(path("a.shard"), path("link.shard"));
  const auto text = read_text(path("link.shard"));
  ASSERT_TRUE(text.has_value());
  EXPECT_EQ(*text, "B = 1\n");
}

TEST_F(File, BehindALinkToNothingIsMissing) {
  fs::create_symlink(path("none"), path("link.shard"));
  EXPECT_EQ(failure_of(path("link.shard")), "there is no file " + path("link.shard"));
}

TEST_F(File, AboveTheLimitIsRefused) {
  std::ofstream(path("large.shard")) << "B = 1\n";
  fs::resize_file(path("large.shard"), kMaxFileSize + 1);
  EXPECT_NE(failure_of(path("large.shard")).find("is larger than 64 MiB"), std::string::npos);
}

TEST_F(File, AtTheLimitIsRead) {
  std::ofstream(path("large.shard")) << "B = 1\n";
  fs::resize_file(path("large.shard"), kMaxFileSize);
  EXPECT_EQ(failure_of(path("large.shard")), "");
}

TEST_F(File, BehindALinkIsWritten) {
  std::ofstream(path("a.json")) << "before";
  fs::create_symlink(path("a.json"), path("link"));
  EXPECT_EQ(failure_to_write(path("link")), "");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(*read_text(path("a.json")), "text\n");
}

// The link itself was written over.
TEST_F(File, BehindALinkToNothingIsMade) {
  fs::create_symlink("next", path("link"));
  fs::create_symlink("a.json", path("next"));
  EXPECT_EQ(failure_to_write(path("link")), "");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(*read_text(path("a.json")), "text\n");
}

TEST_F(File, BehindLinksInACircleIsNone) {
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  EXPECT_NE(failure_to_write(path("a")), "");
  EXPECT_EQ(count(), 2);
}

// The part had the name of the file and more, which was too long.
TEST_F(File, MayHaveTheLongestName) {
  const std::string name(255, 'a');
  EXPECT_EQ(failure_to_write(path(name)), "");
  EXPECT_EQ(*read_text(path(name)), "text\n");
}

TEST_F(File, ThatCannotBeSaysWhyAndLeavesNothing) {
  EXPECT_EQ(failure_to_write(path("none/a.json")),
            path("none/a.json") + " cannot be written: No such file or directory");
  EXPECT_EQ(failure_to_write(folder_.string()),
            folder_.string() + " cannot be written: it is no regular file");
  const auto written = write_file(path("a.json"), [](std::FILE*) {
    errno = ENOSPC;
    return false;
  });
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message,
            path("a.json") + " cannot be written: No space left on device");
  EXPECT_EQ(count(), 0);
}

// Pipes and devices were refused.
TEST_F(File, ThatIsAPipeTakesTheText) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  auto read = std::async(std::launch::async, [&] {
    std::ifstream pipe(path("pipe"));
    return std::string(std::istreambuf_iterator<char>(pipe), {});
  });
  EXPECT_EQ(failure_to_write(path("pipe")), "");
  EXPECT_EQ(read.get(), "text\n");
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

TEST_F(File, ThatIsADeviceTakesTheText) {
  EXPECT_EQ(failure_to_write("/dev/null"), "");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(failure_to_write("/dev/full"), "/dev/full cannot be written: No space left on device");
}

TEST_F(File, ThatIsOpenIsWrittenWhereItStands) {
  std::FILE* file = std::fopen(path("a.json").c_str(), "wb");
  std::fputs("before ", file);
  std::fflush(file);
  EXPECT_EQ(failure_to_write("/dev/fd/" + std::to_string(fileno(file))), "");
  std::fclose(file);
  EXPECT_EQ(*read_text(path("a.json")), "before text\n");
  EXPECT_NE(failure_to_write("/dev/fd/999"), "");
}

}  // namespace
}  // namespace shard::file_test
