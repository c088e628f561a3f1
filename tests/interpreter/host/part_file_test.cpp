#include "interpreter/host/part_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>

#include "interpreter/host/file.h"
#include "interpreter/host/interrupt.h"
#include "tests/interpreter/support/folder.h"

namespace shard::part_file_test {
namespace {

namespace fs = std::filesystem;

using PartFiles = testing::InAFolder;
// By this name they run first, when there are no threads yet.
using PartFilesDeathTest = testing::InAFolder;

mode_t mode_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

// A sanitizer reports some signals by handlers of its own, and those are left to it.
bool ends_the_process(int signal) {
  struct sigaction now {};
  return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_DFL;
}

// Signals left `a.npy.PID.part` behind.
TEST_F(PartFilesDeathTest, AreGoneAfterASignalThatEndsTheProcess) {
  for (const int signal :
       {SIGHUP,    SIGINT,  SIGQUIT, SIGPIPE, SIGTERM,  SIGXCPU, SIGABRT, SIGALRM,
        SIGVTALRM, SIGUSR1, SIGUSR2, SIGXFSZ, SIGSEGV,  SIGBUS,  SIGFPE,  SIGILL,
        SIGTRAP,   SIGSYS,  SIGPOLL, SIGPWR,  SIGRTMIN, SIGRTMAX}) {
    if (!ends_the_process(signal)) continue;
    EXPECT_EXIT(
        {
          leave_no_parts();
          PartFile part;
          std::FILE* file = part.open(path("a.npy"));
          const bool is_there = file != nullptr && count() == 1;
          if (is_there) std::raise(signal);
          std::_Exit(1);
        },
        ::testing::KilledBySignal(signal), "");
    EXPECT_EQ(count(), 0) << "after signal " << signal;
  }
}

TEST_F(PartFilesDeathTest, AreGoneAfterTheSecondInterrupt) {
  EXPECT_EXIT(
      {
        leave_no_parts();
        catch_interrupts(Interrupts::First);
        PartFile part;
        if (part.open(path("a.npy")) == nullptr) std::_Exit(1);
        std::raise(SIGINT);
        if (!interrupted() || count() != 1) std::_Exit(2);
        std::raise(SIGINT);
        std::_Exit(3);
      },
      ::testing::KilledBySignal(SIGINT), "");
  EXPECT_EQ(count(), 0);
}

TEST_F(PartFilesDeathTest, LeaveSignalsIgnoredThatAre) {
  EXPECT_EXIT(
      {
        std::signal(SIGHUP, SIG_IGN);
        leave_no_parts();
        std::raise(SIGHUP);
        std::_Exit(7);
      },
      ::testing::ExitedWithCode(7), "");
}

TEST_F(PartFiles, AreGoneUnlessTheyBecameTheirTarget) {
  {
    PartFile part;
    ASSERT_NE(part.open(path("a.npy")), nullptr);
    EXPECT_EQ(count(), 1);
  }
  EXPECT_EQ(count(), 0);
  {
    PartFile part;
    std::FILE* file = part.open(path("a.npy"));
    ASSERT_NE(file, nullptr);
    std::fputs("whole", file);
    ASSERT_TRUE(part.become_target());
  }
  EXPECT_EQ(count(), 1);
  EXPECT_EQ(*read_text(path("a.npy")), "whole");
}

// A process that was killed leaves a part, and in a container the next one has its number.
TEST_F(PartFiles, PassOverThoseThatAreLeft) {
  const std::string left = path(".shard." + std::to_string(::getpid()) + ".0.part");
  std::ofstream(left) << "left";
  ASSERT_TRUE(write_file(path("a.npy"), std::string("whole")));
  EXPECT_EQ(*read_text(path("a.npy")), "whole");
  EXPECT_EQ(*read_text(left), "left");
}

// A file that only its owner might read became one for all.
TEST_F(PartFiles, TakeThePermissionsOfWhatTheyReplace) {
  std::ofstream(path("a.npy")) << "before";
  fs::permissions(path("a.npy"), fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(write_file(path("a.npy"), std::string("after")));
  EXPECT_EQ(mode_of(path("a.npy")), 0600U);
}

TEST_F(PartFiles, ReplaceNothingThatMayNotBeWritten) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everything";
  std::ofstream(path("a.npy")) << "before";
  fs::permissions(path("a.npy"), fs::perms::owner_read);
  EXPECT_FALSE(write_file(path("a.npy"), std::string("after")));
  EXPECT_EQ(*read_text(path("a.npy")), "before");
}

}  // namespace
}  // namespace shard::part_file_test
