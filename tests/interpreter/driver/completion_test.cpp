#include "interpreter/driver/editor/completion.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/interpreter/support/scripts.h"

namespace shard::completion_test {
namespace {

const Scope& scope() {
  static const testing::Ran ran(
      "hardware TPUv5p 4x4x4\nmesh {data: 4x4, model: 4}\nBatch = 512\nW_in: bf16[Dim, F_model]\n"
      "Weights: bf16[Dim]\nspare = 3\n");
  return ran.session.state().scope;
}

std::vector<std::string> candidates(const std::string& before) {
  return complete_word(before, scope()).candidates;
}
std::string inserted(const std::string& before) { return complete_word(before, scope()).insert; }
bool offers(const std::string& before, const std::string& word) {
  const auto words = candidates(before);
  return std::find(words.begin(), words.end(), word) != words.end();
}

using Words = std::vector<std::string>;

TEST(Completion, CompletesAStatementWordWithABlank) {
  EXPECT_EQ(candidates("hardw"), Words{"hardware"});
  EXPECT_EQ(inserted("hardw"), "are ");
}

TEST(Completion, OffersStatementWordsAtAStatementsStartOnly) {
  EXPECT_TRUE(offers("", "print"));
  EXPECT_TRUE(offers("B = 3; ", "print"));
  EXPECT_TRUE(offers("c = cost { ", "mesh"));
  EXPECT_FALSE(offers("print ", "strict"));
}

TEST(Completion, InsertsWhatAllCandidatesShare) {
  EXPECT_EQ(candidates("AllG"), Words{"AllGather"});
  EXPECT_EQ(inserted("AllG"), "ather");
  EXPECT_EQ(candidates("A = All"), (Words{"AllGather", "AllReduce", "AllToAll"}));
  EXPECT_EQ(inserted("A = All"), "");
}

TEST(Completion, KnowsArraysAlsoThoseWithUnderscores) {
  EXPECT_EQ(candidates("print bytes(W_i"), Words{"W_in"});
  EXPECT_EQ(inserted("print bytes(W_i"), "n");
  EXPECT_TRUE(offers("print bytes(W", "Weights"));
}

TEST(Completion, CompletesTheAxisBehindADimension) {
  EXPECT_EQ(candidates("A[Dim_mo"), Words{"model"});
  EXPECT_EQ(inserted("A[Dim_mo"), "del");
}

TEST(Completion, CompletesTheAxisBehindACollective) {
  EXPECT_EQ(candidates("AllGather_da"), Words{"data"});
}

TEST(Completion, KnowsDimensionsAndScalars) {
  EXPECT_EQ(candidates("print 2*Bat"), Words{"Batch"});
  EXPECT_EQ(candidates("print spa"), Words{"spare"});
}

TEST(Completion, OffersChipsBehindHardware) {
  EXPECT_TRUE(offers("hardware ", "TPUv5p"));
  EXPECT_FALSE(offers("hardware ", "print"));
  EXPECT_EQ(candidates("hardware TPUv5"), (Words{"TPUv5e", "TPUv5p"}));
}

TEST(Completion, OffersModulesBehindUse) {
  EXPECT_EQ(candidates("use tra"), Words{"transformer"});
  EXPECT_EQ(inserted("use tra"), "nsformer");
  EXPECT_TRUE(offers("B = 3; use ", "pipeline"));
  EXPECT_FALSE(offers("use ", "print"));
  EXPECT_EQ(candidates("use models.llama3_7"), Words{"llama3_70b"});
  EXPECT_TRUE(offers("use models.", "gpt_oss_20b"));
}

TEST(Completion, KnowsTheFunctionsOfAModuleThatIsUsed) {
  const testing::Ran ran("use transformer\n");
  const auto words = complete_word("h = gated", ran.session.state().scope).candidates;
  EXPECT_EQ(words, (Words{"gated_mlp", "gated_mlp_parameters"}));
  EXPECT_FALSE(offers("h = gated", "gated_mlp"));
}

TEST(Completion, OffersFiguresBehindADot) {
  EXPECT_EQ(candidates("print c.peak"), (Words{"peak_memory", "peak_memory_in_order"}));
  EXPECT_TRUE(offers("print chip.", "W_ici"));
  EXPECT_FALSE(offers("print c.", "W_ici"));
}

TEST(Completion, OffersTopicsAndWordsBehindHelp) {
  EXPECT_EQ(candidates(":help co"), (Words{"collectives", "combine", "comm_bytes", "comms",
                                           "concat", "coord", "cos", "cost"}));
  EXPECT_TRUE(offers(":help All", "AllGather"));
  EXPECT_TRUE(offers(":help Axis", "AxisReused"));
  EXPECT_TRUE(offers(":help TPU", "TPUv5e"));
  EXPECT_EQ(inserted(":help co"), "");
  EXPECT_EQ(inserted(":help col"), "lectives");
}

TEST(Completion, OffersNothingForAnUnknownWord) {
  EXPECT_EQ(candidates("print qqqq"), Words{});
  EXPECT_EQ(inserted("print qqqq"), "");
}

TEST(Completion, IsSortedAndWithoutRepetitions) {
  const auto words = candidates("print ");
  EXPECT_TRUE(std::is_sorted(words.begin(), words.end()));
  EXPECT_EQ(std::adjacent_find(words.begin(), words.end()), words.end());
}

}  // namespace
}  // namespace shard::completion_test
