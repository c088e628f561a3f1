// Mangled texts never crash the parser; they give a tree or a diagnostic, and what is read without one is printed and
// read again as the same.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "tests/grammar/support/pieces.h"
#include "tests/grammar/support/reading.h"

namespace shard::mangled_text_test {
namespace {

constexpr int kTexts = 4000;

constexpr const char* kScripts[] = {
    "hardware TPUv5p 4x4x4 {HBM: 300 MB} # chip\nmesh {X: 4x4, Y: 4}\nB = 512, D = 256, F = "
    "1,024\n",
    "In: bf16[B_X, D_Y]\nA[I_{XY}, J], B[J, K]: fp32\nIn[B_X, D] = AllGather_Y In[B_X, D_Y]\n",
    "A[I, J_X] ·LOCAL B[J_X, K] → C[I, K]{U_X}\nOut[B_X, D_Y] = ReduceScatter_{Y,D} Out[B_X, "
    "D]{U_Y}\n",
    "c = cost {\n  A ·_{K,G} B\n    → C\n  # why\n}\nexpect time { A → B } < 200 us\nexpect a ≈ b "
    "± 2%\n",
    "expect error AxisReused { A[I_X, J_X] }; print c.comms(X), |X| / 2^20, min(a, -b)\nwhy "
    "C\ndrop A[I]\n"};

constexpr const char* kPieces[] = {
    "{",     "}",         "[",      "]",      "(",      ")",      "_",  "·",      "→",     "->",
    "*",     ",",         ";",      ":",      "=",      "==",     "\n", "#",      " ",     "U_X",
    "LOCAL", "AllGather", "cost",   "mesh",   "4x4",    "1e9",    "'",  "\"",     "?",     "|",
    "≈",     "±",         "%",      ".",      "..",     "\\",     "$",  "expect", "print", "\xff",
    "\xe2",  "\u2003",    "\u200B", "\u00AD", "\u2028", "\u202E", "Ι",  "θ"};

std::uint32_t seed() {
  const char* given = std::getenv("SHARD_TEST_SEED");
  return given != nullptr ? static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10)) : 77U;
}

std::string mangled(std::mt19937& random) {
  std::string text = kScripts[random() % std::size(kScripts)];
  if (random() % 2 == 0) text += kScripts[random() % std::size(kScripts)];
  for (unsigned edits = 1 + random() % 4; edits > 0; --edits) {
    const std::size_t place = random() % (text.size() + 1);
    const std::string piece = kPieces[random() % std::size(kPieces)];
    const std::size_t cut = random() % 3 == 0 ? random() % 12 : 0;
    text.replace(place, std::min(cut, text.size() - place), random() % 3 == 0 ? "" : piece);
  }
  return text;
}

TEST(MangledText, GivesATreeOrADiagnostic) {
  std::mt19937 random(seed());
  int accepted = 0;
  for (int i = 0; i < kTexts; ++i) {
    const std::string text = mangled(random);
    const Reading reading = read(text);
    is_incomplete(text);
    ASSERT_EQ(difference_of_pieces(text, 1), "") << "seed " << seed() << ":\n" << text;
    for (const Diagnostic& diagnostic : reading.diagnostics) {
      EXPECT_FALSE(render(diagnostic, reading.sources, false).empty());
    }
    bool mistaken = false;
    for (const ast::Statement& statement : reading.module.statements)
      mistaken = mistaken || statement.has_error;
    EXPECT_LE(mistaken, !reading.diagnostics.empty()) << text;
    if (!reading.diagnostics.empty()) continue;
    ++accepted;
    for (const Spelling spelling : {Spelling::Unicode, Spelling::Ascii}) {
      const std::string printed = print(reading.module, spelling);
      ASSERT_TRUE(read(printed).module == reading.module) << "seed " << seed() << ":\n"
                                                          << text << "\nprinted:\n"
                                                          << printed;
    }
  }
  // Both outcomes must be common, or the test has lost its point.
  EXPECT_GT(accepted, kTexts / 20);
  EXPECT_LT(accepted, kTexts / 2);
}

}  // namespace
}  // namespace shard::mangled_text_test
