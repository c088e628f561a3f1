// What the command writes is clean, whatever stands in scripts, arguments and names of files: it runs at a pseudo-terminal,
// and no byte comes that the terminal would act on, or that hides or turns what stands around it.
//   terminal_test SHARD
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "tests/interpreter/support/folder.h"
#include "tests/property.h"

namespace shard::terminal_test {
namespace {

std::string shard_path;  // NOLINT: set once by main

struct Ran {
  std::string shown;
  int status = 0;  // 128 and the number of the signal that ended it
};

// Arguments behind the name of the command, run in a folder.
Ran run_at_terminal(const std::string& folder, const std::vector<std::string>& arguments) {
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    std::vector<char*> words{shard_path.data()};
    for (const std::string& one : arguments) words.push_back(const_cast<char*>(one.c_str()));
    words.push_back(nullptr);
    setenv("NO_COLOR", "1", 1);
    if (chdir(folder.c_str()) == 0) execv(shard_path.c_str(), words.data());
    _exit(127);
  }
  Ran ran;
  char block[4096];
  for (ssize_t count = 0; (count = read(terminal, block, sizeof block)) > 0;)
    ran.shown.append(block, static_cast<std::size_t>(count));
  close(terminal);
  int status = 0;
  waitpid(child, &status, 0);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

// The first byte or character that is not clean, as its number; empty if all are.
std::string mistake_in(const std::string& shown) {
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto byte = static_cast<unsigned char>(shown[i]);
    const bool ends_line = byte == '\n' || (byte == '\r' && i + 1 < shown.size() &&
                                            (shown[i + 1] == '\n' || shown[i + 1] == '\r'));
    if ((byte < 0x20 && !ends_line && byte != '\t') || byte == 0x7F)
      return "byte " + std::to_string(byte);
  }
  for (const char* hidden :
       {"\xE2\x80\x8B", "\xE2\x80\x8E", "\xE2\x80\x8F", "\xE2\x80\xAA", "\xE2\x80\xAB",
        "\xE2\x80\xAC", "\xE2\x80\xAD", "\xE2\x80\xAE", "\xE2\x81\xA6", "\xE2\x81\xA7",
        "\xE2\x81\xA8", "\xE2\x81\xA9", "\xEF\xBB\xBF", "\xD8\x9C"}) {
    if (shown.find(hidden) != std::string::npos) return std::string("a hidden ") + hidden;
  }
  for (std::size_t i = 0; i + 1 < shown.size(); ++i) {
    const auto next = static_cast<unsigned char>(shown[i + 1]);
    if (shown[i] == '\xC2' && next >= 0x80 && next < 0xA0) return "C1 " + std::to_string(next);
  }
  return "";
}

class Terminal : public testing::InAFolder {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string shown(const std::vector<std::string>& arguments) const {
    return run_at_terminal(folder_.string(), arguments).shown;
  }
};

// Escapes in names of files, arguments and comments went to the terminal.
TEST_F(Terminal, SeesNoEscapesOfNamesAndArguments) {
  const std::string name = "a\x1b]0;owned\x07.shard";
  write(name, "B = $\n");
  EXPECT_NE(shown({"check", name}).find("a\\u{1b}]0;owned\\u{7}.shard:1:5: error:"),
            std::string::npos);
  EXPECT_NE(shown({"check", "none\x1b[2J"}).find("there is no file none\\u{1b}[2J"),
            std::string::npos);
  EXPECT_NE(shown({"help",
                   "\xE2\x80\xAE"
                   "gpj"})
                .find("\\u{202e}gpj"),
            std::string::npos);
  EXPECT_NE(shown({"run", "--memory",
                   "\xC2\x9B"
                   "1m",
                   name})
                .find("\\u{9b}1m"),
            std::string::npos);
}

// Of a comment, a file gets what stands there, and a terminal what can be seen.
TEST_F(Terminal, SeesWhatStandsInAComment) {
  const std::string script =
      "# \xE2\x80\xAE hidden \xC2\x9B"
      "8m\nB = 1  # \xE2\x80\x8B\n";
  write("a.shard", script);
  const std::string seen = shown({"fmt", "a.shard"});
  EXPECT_NE(seen.find("# \\u{202e} hidden \\u{9b}8m\r\nB = 1  # \\u{200b}\r\n"), std::string::npos)
      << seen;
  EXPECT_EQ(shown({"fmt", "--check", "a.shard"}), "");
  const std::string command =
      "cd '" + folder_.string() + "' && '" + shard_path + "' fmt a.shard > b.shard";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream file(folder_ / "b.shard", std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), script);
}

// ------------------------------------------------------------ anything

class Anything {
 public:
  explicit Anything(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t count) { return random_() % count; }

  // What is not clean: characters that a script may have, and some that it may not, and bytes that are no character.
  std::string unclean() {
    static const std::vector<std::string> kInScripts = {
        "\xC2\x9B"
        "2J",
        "\xC2\x85",
        "\xE2\x80\xAE",
        "\xE2\x81\xA6",
        "\xE2\x80\x8B",
        "\xEF\xBB\xBF",
        "\xD8\x9C",
        "\xE2\x80\xA8",
        "\xF3\xA0\x81\x81"};
    static const std::vector<std::string> kOthers = {"\x1b[31m",
                                                     "\x1b]0;x\x07",
                                                     "\x1bPx\x1b\\",
                                                     "\x08",
                                                     "\r",
                                                     "\x7f",
                                                     "\x01",
                                                     "\xC0\x9B",
                                                     "\xE0\x80\x9B",
                                                     "\xFF",
                                                     "\x9B"
                                                     "1m"};
    return is_text_ ? kInScripts[below(kInScripts.size())] : kOthers[below(kOthers.size())];
  }

  // `text` with unclean characters at some places.
  std::string spoilt(std::string text) {
    for (std::size_t i = 0, count = 1 + below(3); i < count; ++i)
      text.insert(below(text.size() + 1), unclean());
    return text;
  }

  std::string script() {
    static const std::vector<std::string> kLines = {"mesh {X: 2, Y: 2}",
                                                    "hardware TPUv5e 2x2",
                                                    "I = 8, J = 4",
                                                    "B[I_X, J] = A[I_X, J] + 1",
                                                    "A[I_X, J] · C[J, K_Y] → D[I_X, K_Y]",
                                                    "save B \"b.npy\"",
                                                    "E = load(\"none.npy\")",
                                                    "use module",
                                                    "print I, bytes(A[I_X])  # a comment",
                                                    "for i in 1..3 { print i * I }",
                                                    "expect error UnknownAxis { A[I_Q] }",
                                                    "why",
                                                    "$A_X$ \\text{word}",
                                                    "show A[I_X, J]",
                                                    "fn f(x[i]) { return x + x }",
                                                    "|X| = 2",
                                                    "<b>A</b>[I]",
                                                    "fault link X[0] at 1 us"};
    is_text_ = below(5) > 0;
    std::string text = "mesh {X: 2, Y: 2}\nI = 8, J = 4, K = 4\nB[I_X, J] = A[I_X, J] + 1\n";
    for (std::size_t i = 0, count = 1 + below(5); i < count; ++i) {
      const std::string& line = kLines[below(kLines.size())];
      text +=
          (below(4) == 0 ? spoilt(line) : line) + (below(4) > 0 ? "\n" : "  # " + spoilt("x\n"));
    }
    return text;
  }

  std::vector<std::string> arguments(const std::string& name) {
    switch (below(9)) {
      case 0:
        return {"check", name};
      case 1:
        return {"fmt", name};
      case 2:
        return {"run", "--json", name};
      case 3:
        return {"run", "--trace", argument("t.json"), name};
      case 4:
        return {"help", argument("errors")};
      case 5:
        return {"run", argument("--memory=4"), "--fault", argument("link X[0]"), name};
      case 6:
        return {argument("run"), name};
      case 7:
        return {"run", "--timeline", "--memory-profile", "--verify", name};
      default:
        return {"run", name};
    }
  }

 private:
  // Without the byte 0, which ends an argument.
  std::string argument(const std::string& text) {
    is_text_ = below(2) > 0;
    return spoilt(text);
  }

  bool is_text_ = false;
  std::mt19937 random_;
};

TEST_F(Terminal, SeesNothingUncleanOfAnything) {
  int ran_well = 0;
  const int cases = scaled_cases(1000);
  for (int seed = 0; seed < cases; ++seed) {
    Anything anything(static_cast<unsigned>(seed));
    const std::string name =
        anything.below(3) == 0 ? anything.spoilt("a.shard") : std::string("a.shard");
    const std::string script = anything.script();
    write(name, script);
    const Ran ran = run_at_terminal(folder_.string(), anything.arguments(name));
    ran_well += ran.status == 0 ? 1 : 0;
    const std::string mistake = mistake_in(ran.shown);
    EXPECT_EQ(mistake, "") << "seed " << seed << " of the script\n" << script << "\n" << ran.shown;
    EXPECT_LE(ran.status, 3) << "seed " << seed << " of the script\n" << script;
  }
  EXPECT_GE(ran_well, cases / 20) << "too few scripts are right to be told of";
}

}  // namespace
}  // namespace shard::terminal_test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2) {
    std::fputs("usage: terminal_test SHARD\n", stderr);
    return 2;
  }
  shard::terminal_test::shard_path = argv[1];
  return RUN_ALL_TESTS();
}
