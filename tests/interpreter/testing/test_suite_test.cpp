#include "interpreter/testing/test_suite.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "interpreter/host/interrupt.h"
#include "interpreter/testing/process.h"
#include "interpreter/testing/test_script.h"
#include "tests/interpreter/support/folder.h"

namespace shard::test_suite_test {
namespace {

namespace fs = std::filesystem;

// The command is a stand-in: it takes the script as one of the shell's, without what it is given before it.
constexpr const char* kCommand =
    "#!/bin/sh\nfor script; do :; done\nTHREADS=none\n"
    "while [ $# -gt 1 ]; do [ \"$1\" = --threads ] && THREADS=$2; shift; done\n. \"./$script\"\n";

class Suite : public testing::InAFolder {
 protected:
  Suite() {
    write("command", kCommand);
    fs::permissions(path("command"), fs::perms::owner_all);
    suite_.shard = path("command");
    suite_.paths = {path("tests")};
    suite_.thread_counts = {"1", "4"};
    suite_.timeout = 60;
    suite_.jobs = 2;
  }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
  }
  // What it prints, without the folder's own name.
  std::string run() {
    std::ostringstream out;
    std::ostringstream errors;
    status_ = test::run_tests(suite_, out, errors);
    std::string text = out.str() + errors.str();
    const std::string folder = path("");
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder))
      text.erase(at, folder.size());
    return text;
  }

  test::TestSuite suite_;
  int status_ = -1;
};

TEST_F(Suite, ComparesBothStreams) {
  write("tests/a.shard", "echo one; echo two >&2\n");
  write("tests/a.out", "one\n");
  EXPECT_EQ(run(),
            "FAILED tests/a.shard\ntests/a.err: - expected, + printed\n    1 + two\n\n0 passed, 1 "
            "failed\n");
  EXPECT_EQ(status_, 3);
  write("tests/a.err", "two\n");
  EXPECT_EQ(run(), "1 passed\n");
  EXPECT_EQ(status_, 0);
}

TEST_F(Suite, JudgesScriptsAloneByTheirExitStatus) {
  write("tests/a.shard", "echo anything\n");
  write("tests/b.shard", "echo why >&2; exit 3\n");
  write("tests/c.shard", "# exit: 3\nexit 3\n");
  EXPECT_EQ(run(),
            "FAILED tests/b.shard\nexit status 3 instead of 0\n    why\n\n2 passed, 1 failed\n");
}

TEST_F(Suite, IsStrictWhereAsked) {
  write("tests/test.options", "strict: yes\n");
  write("tests/sub/a.shard", "echo anything\n");
  write("tests/sub/b.out", "");
  EXPECT_EQ(
      run(),
      "FAILED tests/sub/a.shard\ntests/sub/a.out: - expected, + printed\n    1 + anything\n\n"
      "FAILED tests/sub/b.out\nit belongs to no script: beside it is neither b.shard nor b.in\n\n"
      "0 passed, 2 failed\n");
}

TEST_F(Suite, WantsTheSameOnAllThreadCounts) {
  write("tests/a.shard", "echo $THREADS\n");
  EXPECT_EQ(run(),
            "FAILED tests/a.shard\n- threads: 1, + threads: 4\n    1 - 1\n    1 + 4\n\n0 passed, 1 "
            "failed\n");
  write("tests/a.shard", "# args: check\necho $THREADS\n");
  write("tests/a.out", "none\n");
  EXPECT_EQ(run(), "1 passed\n");
}

TEST_F(Suite, RunsAScriptInItsOwnFolder) {
  write("tests/sub/a.shard", "echo $script; ls\n");
  write("tests/sub/a.out", "a.shard\na.out\na.shard\n");
  EXPECT_EQ(run(), "1 passed\n");
  write("tests/test.options", "from: ..\n");
  write("tests/sub/a.out", "tests/sub/a.shard\ncommand\ntests\n");
  EXPECT_EQ(run(), "1 passed\n");
}

TEST_F(Suite, LeavesOutFoldersUnlessTheyAreNamed) {
  write("tests/a.shard", "");
  write("tests/data/test.options", "skip: yes\n");
  write("tests/data/b.shard", "");
  write("tests/.hidden/c.shard", "");
  EXPECT_EQ(run(), "1 passed\n");
  suite_.paths = {path("tests/data"), path("tests/data/b.shard"), path("tests/a.shard")};
  EXPECT_EQ(run(), "2 passed\n");
}

TEST_F(Suite, Updates) {
  suite_.update = true;
  write("tests/a.shard", "echo one; echo two >&2\n");
  write("tests/alone.shard", "echo three\n");
  write("tests/fails.shard", "echo four; exit 1\n");
  write("tests/a.out", "old\n");
  write("tests/fails.out", "old\n");
  EXPECT_EQ(
      run(),
      "wrote tests/a.out\nwrote tests/a.err\nFAILED tests/fails.shard\nexit status 1 instead of "
      "0\ntests/fails.out: - expected, + printed\n    1 - old\n    1 + four\n\n2 passed, 1 "
      "failed\n");
  EXPECT_EQ(test::read_bytes(path("tests/a.err")), "two\n");
  EXPECT_FALSE(fs::exists(path("tests/alone.out")));
  suite_.paths = {path("tests/alone.shard")};
  EXPECT_EQ(run(), "wrote tests/alone.out\n1 passed\n");
  EXPECT_EQ(run(), "1 passed\n");
}

// The stand-in for fences: the script is on standard input, and $4 in front of `-` what it is called.
constexpr const char* kReader =
    "#!/bin/sh\nTHREADS=none\nVERB=$1\n"
    "while [ $# -gt 1 ]; do [ \"$1\" = --threads ] && THREADS=$2; [ \"$1\" = --stdin-name ] && "
    "NAME=$2; shift; done\ncat > ./.script\n. ./.script\n";

class Documents : public Suite {
 protected:
  Documents() {
    write("command", kReader);
    suite_.jobs = 1;  // they share the file
  }
};

TEST_F(Documents, RunTheirFences) {
  write("tests/a.md",
        "Text\n```shard\necho one; echo two >&2\n```\n\n``` text\none\ntwo\n```\n"
        "```shard fragment\nexit 1\n```\n```python\nexit 1\n```\n"
        "~~~{.shard run --estimate}\necho $VERB $NAME\n~~~\n"
        "1. In a list:\n   ```shard fmt\n   echo $VERB $NAME\n   ```\n   ```output\n   fmt "
        "script.shard\n   ```\n");
  write("tests/no-scripts.md", "```sh\nexit 1\n```\n");
  EXPECT_EQ(run(), "3 passed\n");
  EXPECT_EQ(status_, 0);
  suite_.filter = "a.md:16";
  EXPECT_EQ(run(), "1 passed\n");
  suite_.filter = "";
  suite_.paths = {path("tests/no-scripts.md")};
  EXPECT_EQ(run(),
            "shard: there is no script in tests/no-scripts.md: x.shard, with x.out or x.err beside "
            "it for what it prints, or x.md with fences named shard\n");
  EXPECT_EQ(status_, 2);
}

TEST_F(Documents, NameTheirOwnLines) {
  write("tests/a.md",
        "Text\n```shard\necho three\n```\n```text\nfour\n```\n"
        "```shard\necho $NAME:$(grep -n HERE .script | head -1) >&2; exit 1\n```\n"
        "```shard rum\n```\n```shard error AxisReuse\n```\n```shard error AxisReused\necho "
        "well\n```\n");
  EXPECT_EQ(
      run(),
      "FAILED tests/a.md:2\ntests/a.md: - expected, + printed\n    6 - four\n    6 + three\n\n"
      "FAILED tests/a.md:8\nexit status 1 instead of 0\n    a.md:9:echo $NAME:$(grep -n HERE "
      ".script | head -1) >&2; exit 1\n\n"
      "FAILED tests/a.md:11\n`rum` is none of run, check, error, fmt, read, session, help, "
      "fragment; did "
      "you mean `run`?\n\n"
      "FAILED tests/a.md:13\nthere is no diagnostic AxisReuse; did you mean AxisReused?\n\n"
      "FAILED tests/a.md:15\nit does not draw AxisReused\n\n"
      "0 passed, 5 failed\n");
}

TEST_F(Documents, AreUpdated) {
  suite_.update = true;
  write(
      "tests/a.md",
      "```shard\necho one\n```\n```text\nold\nold\n```\nBetween\r\n- A list:\n  ```shard\n  echo "
      "two; echo; "
      "echo three\n  ```\n  ```text\n  ```\n```shard\necho four; exit 1\n```\n```text\nold\n```\n");
  EXPECT_EQ(run(),
            "wrote tests/a.md\nFAILED tests/a.md:15\nexit status 1 instead of 0\ntests/a.md: - "
            "expected, + "
            "printed\n   19 - old\n   19 + four\n\n2 passed, 1 failed\n");
  const std::string text = test::read_bytes(path("tests/a.md"));
  EXPECT_EQ(text,
            "```shard\necho one\n```\n```text\none\n```\nBetween\r\n- A list:\n  ```shard\n  echo "
            "two; echo; "
            "echo three\n  ```\n  ```text\n  two\n\n  three\n  ```\n```shard\necho four; exit "
            "1\n```\n```text\nold\n```\n");
  write("tests/a.md", "```shard\necho '```'\n```\n```text\n```\n");
  EXPECT_EQ(run(),
            "FAILED tests/a.md:1\nthe output for line 4 has a line that would close its fence: "
            "open it with more of ```\n\n0 passed, 1 failed\n");
}

TEST_F(Suite, TellsCrashesAndStopsWhatHangs) {
  suite_.timeout = 0.2;
  write("tests/a.shard", "echo before >&2; kill -SEGV $$\n");
  write("tests/b.shard", "sleep 60 >/dev/null 2>&1 &\nwait\n");
  const std::string text = run();
  EXPECT_NE(
      text.find("CRASHED tests/a.shard\nended by signal 11 (Segmentation fault)\n    before\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("TIMED OUT tests/b.shard\nstopped after 0.2 s"), std::string::npos) << text;
  EXPECT_NE(text.find("\n0 passed, 1 timed out, 1 crashed\n"), std::string::npos) << text;
  EXPECT_EQ(status_, 3);
}

TEST_F(Suite, SaysWhatAnInterruptLeftOut) {
  catch_interrupts(Interrupts::All);
  suite_.jobs = 1;
  write("tests/a.shard", "");
  // Of the stand-in, the process that waits for it is the parent.
  write("tests/b.shard", "kill -INT $PPID; sleep 60 >/dev/null 2>&1 &\nwait\n");
  write("tests/c.shard", "");
  EXPECT_EQ(run(), "stopped; not run:\n  tests/b.shard\n  tests/c.shard\n1 passed, 2 not run\n");
  EXPECT_EQ(status_, 3);
  clear_interrupt();
  std::signal(SIGINT, SIG_DFL);
}

TEST_F(Suite, WritesJUnit) {
  write("tests/a.shard", "");
  write("tests/b.shard", "printf '<\\033&\"' >&2; exit 1\n");
  suite_.junit = path("report.xml");
  suite_.style.colour = true;
  run();
  const std::string report = test::read_bytes(suite_.junit);
  EXPECT_NE(report.find("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\""),
            std::string::npos);
  EXPECT_NE(
      report.find("<failure message=\"exit status 1 instead of 0\">exit status 1 instead of 0\n"
                  "    &lt;\\u{1b}&amp;&quot;\n</failure>"),
      std::string::npos)
      << report;
  suite_.junit = path("tests/a.shard");
  EXPECT_EQ(run(), "shard: --junit tests/a.shard would be written over: it belongs to a test\n");
  suite_.junit = path("nowhere/report.xml");
  run();
  EXPECT_EQ(status_, 2);
}

TEST_F(Suite, WritesTap) {
  write("tests/a#1.shard", "");
  write("tests/b.shard", "exit 1\n");
  suite_.form = test::ReportForm::Tap;
  EXPECT_EQ(run(),
            "TAP version 13\n1..2\nok 1 - tests/a\\#1.shard\nnot ok 2 - tests/b.shard\n# FAILED\n# "
            "exit status 1 instead of 0\n# 1 passed, 1 failed\n");
}

TEST_F(Suite, SaysWhatIsWrongWithSettings) {
  write("tests/a.shard", "");
  const auto answer = [&](const std::string& options) {
    write("tests/test.options", options);
    const std::string text = run();
    EXPECT_EQ(status_, 2) << options;
    return text;
  };
  EXPECT_EQ(answer("# of these\nstric: yes\n"),
            "shard: tests/test.options:2: `stric` is none of args, from, strict, canonical, skip; "
            "did you "
            "mean `strict`?\n");
  EXPECT_EQ(answer("strict: maybe\n"),
            "shard: tests/test.options:1: `strict` is yes or no, not `maybe`\n");
  EXPECT_EQ(answer("from: nowhere\n"),
            "shard: tests/test.options:1: `from`: there is no folder nowhere\n");
  EXPECT_EQ(answer("args:\n"),
            "shard: tests/test.options:1: `args` lacks the command: args: run --verify\n");
}

// A remark may begin so; the other scripts are run all the same.
TEST_F(Suite, FailsAScriptWhoseHeadIsWrongAlone) {
  write("tests/a.shard", "# exit: the script ends here\n");
  write("tests/b.shard", "# exit: 3\nexit 3\n");
  write("tests/c.shard", "#exit: 3\nexit 3\n");
  write("tests/d.shard", " #  exit: 3\nexit 3\n");
  EXPECT_EQ(run(),
            "FAILED tests/a.shard\n`the script ends here` is no exit status: # exit: 1\n\n"
            "3 passed, 1 failed\n");
  EXPECT_EQ(status_, 3);
}

TEST(Process, TakesWhateverIsWritten) {
  const auto done =
      test::execute({"/bin/sh", "-c", "cat; cat /dev/null; exit 7"}, std::string(1 << 20, 'x'));
  EXPECT_EQ(done.output.size(), std::size_t{1} << 20);
  EXPECT_EQ(done.status, 7);
  EXPECT_EQ(test::execute({"/nowhere"}, "").ended, test::Ended::NotStarted);
}

}  // namespace
}  // namespace shard::test_suite_test
