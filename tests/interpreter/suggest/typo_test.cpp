// Names with one wrong letter: what they draw, each rule and over all of the examples.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "base/words.h"
#include "interpreter/report/text_report.h"
#include "tests/interpreter/support/scripts.h"
#include "tests/property.h"

namespace shard::typo_test {
namespace {

using testing::Kinds;
using testing::kinds;
using testing::marked;

constexpr const char* kSuspicious = "SuspiciousName";

TEST(Typo, AnArrayThatStandsOnce) {
  const std::string head = "Out[B, D] → Out[B, D]\nOut[B, D] · V[D, F] → R[B, F]\n";
  EXPECT_EQ(marked(head + "Otu[B, D] · W[D, F] → S[B, F]"), "Otu");
  EXPECT_EQ(marked("In[B, D] · Win[D, F] → Tp[B, F]\nTmp[B, F] · Wout[F, D] → Out[B, D]"), "Tmp");
  EXPECT_EQ(marked("Tmp[B, F] · W[F, D] → dIn[B, D]\ndIi[B, D] · V[D, F] → R[B, F]\n"
                   "dIn[B, D] · V[D, F] → S[B, F]"),
            "dIi");
}

TEST(Typo, NamesThatAreAlikeOnPurpose) {
  EXPECT_EQ(kinds("x[B, D] · Wq[D, H] → q[B, H]\nx[B, D] · Wk[D, H] → k[B, H]\n"
                  "x[B, D] · Wq[D, H] → r[B, H]"),
            Kinds{});
  EXPECT_EQ(kinds("In1[B, D] · W[D, F] → R[B, F]\nIn2[B, D] · W[D, F] → S[B, F]\n"
                  "In1[B, D] · W[D, F] → T[B, F]"),
            Kinds{});
  EXPECT_EQ(kinds("dW[D, F] + Wt[D, F] → W[D, F]\nW[D, F] + Wt[D, F] → V[D, F]"), Kinds{});
  // One letter, and other dimensions.
  EXPECT_EQ(kinds("A[I, J] · B[J, K] → C[I, K]\nA[I, J] · D[J, K] → E[I, K]"), Kinds{});
  EXPECT_EQ(kinds("Wup[D, F] · V[F, D] → R[D, D2]\nWp[D, H] · U[H, D] → S[D, D2]"
                  "\nWup[D, F] → T[D, F]"),
            kinds("Wup[D, F] · V[F, D] → R[D, D2]\nWxyz[D, H] · U[H, D] → S[D, D2]"
                  "\nWup[D, F] → T[D, F]"));
  EXPECT_EQ(kinds("Out[B, D] → Out[B, D]\nOut[B, D] · V[D, F] → R[B, F]\nOtu: bf16[B, D]\n"
                  "Otu[B, D] · V[D, F] → S[B, F]"),
            Kinds{});
}

TEST(Typo, ADimensionThatRenamesAnother) {
  const std::string head = "mesh {X: 2}\nD = 8, F = 8\n";
  EXPECT_EQ(marked(head + "AllGather_X W[E_X, F] → W[D, F]"), "E");
  EXPECT_EQ(marked(head + "W: bf16[D_X, F]\nAllGather_X W[X_X, F] → W[D, F]"), "X");
  EXPECT_EQ(kinds(head + "E = D\nAllGather_X W[E_X, F] → W[D, F]"), Kinds{});
  EXPECT_EQ(kinds(head + "AllGather_X W[E_X, F] → W[D, F]\nprint E"), Kinds{});
  // A block may leave open what has a size outside.
  EXPECT_EQ(kinds(head + "W[D, F] · V[F, K] → R[D, K]\nc = cost { W[M, F] · V[F, K] → R[M, K] }"),
            Kinds{});
  EXPECT_EQ(kinds(head + "W[D, F] · V[F, K] → R[D, K]\nc = cost { relu(W[M, F]) → S[M, F] }"),
            Kinds{});
}

TEST(Typo, ASizeOfNothing) {
  EXPECT_EQ(marked("I = 8, J = 8, L = 8\nA[I, J] · B[J, K] → C[I, K]"), "L");
  EXPECT_EQ(kinds("I = 8, J = 8, L = 8\nA[I, J] · B[J, K] → C[I, K]\nprint L"), Kinds{});
  // A count of layers, all dimensions with a size, or none.
  EXPECT_EQ(kinds("I = 8, J = 8, K = 8, L = 8\nA[I, J] · B[J, K] → C[I, K]"), Kinds{});
  EXPECT_EQ(kinds("L = 8\nA[I, J] · B[J, K] → C[I, K]"), Kinds{});
  EXPECT_EQ(marked("J = 8, K = 8\nc = cost { A[I, J] · B[J, K] → C[I, K] }\n"
                   "for L in [8, 16] { print c.flops }"),
            "L");
  // A block's own size.
  EXPECT_EQ(
      marked("I = 8, J = 8, K = 8\nc = cost {\n  W = 16, J = 16\n  AllReduce_X A[I, J]{U_X}\n}\n"
             "A[I, J] · B[J, K] → C[I, K]"),
      "W");
}

// Two lines after the other at a terminal are no whole text.
TEST(Typo, SessionsAreNotLookedThrough) {
  Session session(testing::interactive());
  EXPECT_EQ(testing::kinds_of(session.run("1", "I = 8, J = 8, L = 8")), Kinds{});
  EXPECT_EQ(testing::kinds_of(session.run("2", "A[I, J] · B[J, K] → C[I, K]")), Kinds{});
}

// ------------------------------------------------------------ the examples

struct Word {
  std::size_t begin;
  std::string text;
};

bool is_word_letter(char c) { return is_letter(c) || is_digit(c) || c == '\''; }

// The names outside of comments. An array of one letter is left out: with another letter it is the name of another array,
// as `P` beside `A`.
std::vector<Word> words_of(const std::string& text) {
  std::vector<Word> words;
  bool comment = false;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '#') comment = true;
    if (text[i] == '\n') comment = false;
    std::size_t end = i;
    while (end < text.size() && is_word_letter(text[end])) ++end;
    const bool short_array = end == i + 1 && end < text.size() && text[end] == '[';
    if (!comment && is_letter(text[i]) && !short_array)
      words.push_back({i, text.substr(i, end - i)});
    i = std::max(end, i + 1);
  }
  return words;
}

// With one letter left out, another one in its place, or two of them exchanged; empty if that is the same.
std::string mistyped(const std::string& word, std::mt19937& random) {
  const std::size_t place = random() % word.size();
  std::string typo = word;
  const unsigned how = word.size() == 1 ? 1 : random() % 3;
  if (how == 0) typo.erase(place, 1);
  if (how == 1) typo[place] = static_cast<char>((word[place] <= 'Z' ? 'A' : 'a') + random() % 26);
  if (how == 2 && place + 1 < word.size()) std::swap(typo[place], typo[place + 1]);
  return typo == word ? "" : typo;
}

// What was printed, with the one name for the other and without the width of columns.
std::string report_of(const testing::Ran& ran, const std::string& typo, const std::string& word) {
  const std::string text = text_report(ran.outcome, ran.session.state(), {});
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word_letter(text[end])) ++end;
    const std::string read = text.substr(i, std::max(end, i + 1) - i);
    if (read != " ") result += read == typo ? word : read;
    i += read.size();
  }
  return result;
}

SessionOptions running_quietly() {
  SessionOptions options = testing::running();
  options.execution.verify = false;
  options.execution.threads = 1;
  return options;
}

TEST(Typo, HardlyAnyInTheExamplesGoesUnseen) {
  struct Place {
    std::string text;
    std::string file;
    Word word;
  };
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::string(SHARD_TEST_FILES) + "/../../examples")) {
    // Scripts that are given as they stand have their canonical forms beside them.
    if (entry.path().extension() == ".shard" && entry.path().parent_path().filename() != "wanted")
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  ASSERT_GE(files.size(), 30U);
  std::vector<Place> places;
  for (const std::filesystem::path& file : files) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    const Kinds drawn = kinds(text.str());
    EXPECT_EQ(std::count(drawn.begin(), drawn.end(), kSuspicious), 0) << file;
    for (const Word& word : words_of(text.str()))
      places.push_back({text.str(), file.filename().string(), word});
  }
  const int typos = scaled_cases(1039);
  // About one in seventy: slips that give another name of the script, or another type, where that one has a meaning.
  const int may_be_unseen = scaled_maximum(18);
  std::mt19937 random(13);
  int unseen = 0;
  std::string seen_by_nobody;
  std::map<std::string, testing::Ran> meant;  // by the text that was meant
  for (int i = 0; i < typos;) {
    const Place& place = places[random() % places.size()];
    const std::string typo = mistyped(place.word.text, random);
    if (typo.empty()) continue;
    ++i;
    std::string text = place.text;
    text.replace(place.word.begin, place.word.text.size(), typo);
    const testing::Ran checked(text);
    if (!is_sound(checked.outcome.status)) continue;
    const auto& told = checked.outcome.diagnostics;
    if (std::any_of(told.begin(), told.end(), [](const Diagnostic& diagnostic) {
          return info(diagnostic.kind).severity == Severity::Warning;
        }))
      continue;
    const testing::Ran ran(text, running_quietly());
    if (ran.outcome.status != ExitStatus::Fine) continue;
    const testing::Ran& right =
        meant.try_emplace(place.text, place.text, running_quietly()).first->second;
    if (report_of(ran, typo, place.word.text) == report_of(right, typo, place.word.text)) continue;
    ++unseen;
    seen_by_nobody += place.file + ": " + place.word.text + " → " + typo + "\n";
  }
  EXPECT_LE(unseen, may_be_unseen) << seen_by_nobody;
}

}  // namespace
}  // namespace shard::typo_test
