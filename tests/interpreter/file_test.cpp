#include "interpreter/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace shard {
namespace {

namespace fs = std::filesystem;

class File : public ::testing::Test {
 protected:
  File() {
    std::string pattern = (fs::temp_directory_path() / "shard_file_test_XXXXXX").string();
    if (const char* made = mkdtemp(pattern.data())) folder_ = made;
  }
  ~File() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // What reading fails with; empty if it succeeds.
  static std::string failure_of(const std::string& path) {
    const auto text = read_text(path);
    return text ? "" : text.error().message;
  }

  fs::path folder_;
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

}  // namespace
}  // namespace shard
