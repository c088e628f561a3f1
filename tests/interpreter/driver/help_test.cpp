#include "interpreter/driver/help.h"

#include <gtest/gtest.h>

#include "base/collective.h"
#include "base/dtype.h"
#include "base/function.h"
#include "grammar/diagnostics/diagnostic.h"
#include "grammar/tree/keyword.h"
#include "interpreter/estimate/figures.h"
#include "runtime/machine/chip_figure.h"
#include "stdlib/library.h"

namespace shard::help_test {
namespace {

TEST(Help, HasATextForEveryTopic) {
  for (const std::string& topic : help_topics()) {
    const auto text = help_topic(topic);
    ASSERT_TRUE(text.has_value()) << topic;
    EXPECT_GT(text->size(), 100U) << topic;
    EXPECT_EQ(text->back(), '\n') << topic;
  }
}

TEST(Help, OverviewNamesEveryTopic) {
  for (const std::string& topic : help_topics())
    EXPECT_NE(help_overview().find(topic), std::string::npos) << topic;
}

// Those that came later were missing.
TEST(Help, OverviewNamesEveryOptionOfRun) {
  for (const char* option :
       {"--estimate",  "--verify",         "--json",  "--csv",     "--verbose", "--execute",
        "--threads",   "--inputs",         "--model", "--plan",    "--hops",    "--per-device",
        "--timeline",  "--memory-profile", "--trace", "--fault",   "--slow",    "--memory ",
        "--max-flops", "--scale",          "--set ",  "run --help"})
    EXPECT_NE(help_overview().find(option), std::string::npos) << option;
}

TEST(Help, ExplainsEveryKindOfDiagnosticWithItsExample) {
  for (const DiagnosticInfo& entry : diagnostic_catalogue()) {
    const auto text = help_topic(entry.name);
    ASSERT_TRUE(text.has_value()) << entry.name;
    EXPECT_NE(text->find(entry.summary), std::string::npos) << entry.name;
  }
}

TEST(Help, ErrorsListsEveryKind) {
  const std::string text = help_topic("errors").value_or("");
  for (const DiagnosticInfo& entry : diagnostic_catalogue())
    EXPECT_NE(text.find(entry.name), std::string::npos) << entry.name;
}

TEST(Help, KnowsTheLibrary) {
  for (const std::string& name : library_names()) EXPECT_TRUE(help_on(name)) << name;
  EXPECT_NE(help_on("rms_norm")->find("use transformer"), std::string::npos);
  EXPECT_EQ(source_of("rms_norm"), library_source("rms_norm"));
  EXPECT_EQ(source_of("nothing"), std::nullopt);
  EXPECT_EQ(no_source_of("rms_nrom"), "the library has no `rms_nrom`; did you mean `rms_norm`?");
  EXPECT_NE(no_help_on("trasformer").find("did you mean `transformer`?"), std::string::npos);
}

// The command knew topics only.
TEST(Help, KnowsEveryWordOfTheLanguage) {
  for (const FunctionInfo& function : functions())
    EXPECT_TRUE(!is_listed(function) || help_on(function.name)) << function.name;
  for (const CollectiveInfo& collective : collectives())
    EXPECT_TRUE(help_on(collective.name)) << collective.name;
  for (const Keyword& keyword : keywords()) {
    EXPECT_TRUE(!is_listed(keyword) || help_on(keyword.word)) << keyword.word;
  }
  for (const BlockFigure& figure : block_figures())
    EXPECT_TRUE(help_on(figure.name)) << figure.name;
  for (const ChipFigure& figure : chip_figures()) EXPECT_TRUE(help_on(figure.name)) << figure.name;
  for (const DTypeInfo& type : dtypes()) EXPECT_TRUE(help_on(type.name)) << type.name;
  for (const char* sign : {"·", "→", "{U_X}", "LOCAL", "in"}) EXPECT_TRUE(help_on(sign)) << sign;
  EXPECT_EQ(help_on("relu"), "relu(A)\n    max(x, 0)\n");
  EXPECT_EQ(no_help_on("relo"), "no help on `relo`; did you mean `relu`?");
}

TEST(Help, KnowsNoOtherWord) {
  EXPECT_FALSE(help_on("nonsense").has_value());
  EXPECT_FALSE(help_topic("nonsense").has_value());
  EXPECT_FALSE(help_topic("").has_value());
}

TEST(Help, OffersTheNearestTopicOrKind) {
  EXPECT_EQ(no_help_on("colectives"), "no help on `colectives`; did you mean `collectives`?");
  EXPECT_EQ(no_help_on("AxisReusd"), "no help on `AxisReusd`; did you mean `AxisReused`?");
}

// A session listed all but `fault`, and the command none.
TEST(Help, ListsEveryTopicWhereNoneIsNear) {
  for (const std::string& topic : help_topics())
    EXPECT_NE(no_help_on("zzzzzzzz").find(topic), std::string::npos) << topic;
}

}  // namespace
}  // namespace shard::help_test
