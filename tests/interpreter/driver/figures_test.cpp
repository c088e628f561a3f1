// The figures of chips and of cost blocks: what is told of them, and what may be read and stated.
#include "interpreter/estimate/figures.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/words.h"
#include "runtime/machine/chip_figure.h"
#include "tests/interpreter/driver/known_words.h"
#include "tests/interpreter/support/scripts.h"

namespace shard::figures_test {
namespace {

using testing::expect_words;
using testing::first_help;
using testing::has_word;
using testing::kinds;
using testing::manual;
using testing::offered;
using testing::Ran;
using testing::topic;

// It had no `C_int4`.
TEST(Tables, TabOffersTheFiguresThatAreReadAndNothingElse) {
  std::set<std::string> read;
  for (const ChipFigure& figure : chip_figures()) {
    if (is_read(figure)) read.emplace(figure.name);
  }
  EXPECT_EQ(offered("print chip."), read);
  const auto fields = words_of(block_figures(), &BlockFigure::name);
  EXPECT_EQ(offered("print c."), std::set<std::string>(fields.begin(), fields.end()));
}

TEST(Tables, HelpAndManualKnowTheFigures) {
  const auto chip = words_of(chip_figures(), &ChipFigure::name);
  expect_words(topic("chip"), chip);
  expect_words(manual(), chip);
  const auto rules = words_of(wrap_words(), &WrapWord::word);
  expect_words(topic("chip"), rules);
  expect_words(help_on("wrap").value_or(""), rules);
  expect_words(manual(), rules);
  for (const WrapWord& rule : wrap_words())
    EXPECT_EQ(kinds("chip Mine {wrap: " + std::string(rule.word) + "}"),
              std::vector<std::string>{});
  for (const BlockFigure& figure : block_figures()) {
    EXPECT_TRUE(has_word(topic("cost"), "c." + std::string(figure.name))) << figure.name;
    EXPECT_TRUE(has_word(manual(), "c." + std::string(figure.name))) << figure.name;
  }
}

TEST(Tables, FiguresOfChipsAreStatedAndRead) {
  for (const ChipFigure& figure : chip_figures()) {
    const std::string name(figure.name);
    std::string value = "7";
    if (figure.form == ChipFigure::Form::Slice) value = "4x4";
    if (figure.form == ChipFigure::Form::Wrap) value = "cube4";
    if (figure.name == "efficiency") value = "0.7";
    EXPECT_EQ(kinds("chip Mine {" + name + ": " + value + "}"),
              is_stated(figure) ? std::vector<std::string>{} : std::vector<std::string>{"BadChip"})
        << name;
    // Of chips with several cores, on a mesh that has them as an axis.
    if (figure.name == "W_core" || figure.name == "cores") continue;
    const std::string script = "chip Mine = TPUv5p {W_dcn: 1 B/s, W_pcie: 1 B/s, VMEM: 1 B" +
                               (figure.form == ChipFigure::Form::Rate ? ", " + name + ": 7" : "") +
                               "}\nhardware Mine 4x4x4\nprint chip." + name;
    EXPECT_EQ(kinds(script), is_read(figure) ? std::vector<std::string>{}
                                             : std::vector<std::string>{"UnknownField"})
        << name;
  }
}

TEST(Tables, FiguresOfBlocksAreRead) {
  for (const BlockFigure& figure : block_figures()) {
    EXPECT_EQ(kinds("hardware TPUv5p 4x4x4\nmesh {X: 4, Y: 4, Z: 4}\nI = 64\n"
                    "c = cost { AllGather_X A[I_X] → B[I] }\nprint c." +
                    std::string(figure.name)),
              std::vector<std::string>{})
        << figure.name;
  }
}

TEST(Tables, MisspeltFiguresAreGuessed) {
  for (const BlockFigure& figure : block_figures()) {
    std::string slip(figure.name);
    slip.insert(1, 1, 'q');
    EXPECT_EQ(first_help("c = cost { A[I] → B[I] }\nprint c." + slip),
              "print c." + std::string(figure.name));
  }
}

// A dimension that is called like a symbol of the chip is told apart from it.
TEST(Tables, DimensionsAreToldApartFromSymbolsOfTheChip) {
  for (const ChipFigure& figure : chip_figures()) {
    // What has an underscore is a dimension with its axes.
    const std::string name(figure.name);
    if (!is_chip_symbol(name) || name.find('_') != std::string::npos) continue;
    Ran ran("A: bf16[" + name + "]");
    const Scope& scope = ran.session.state().scope;
    ASSERT_TRUE(scope.names.find_dimension(name).has_value()) << name;
    EXPECT_EQ(scope.symbol_of(*scope.names.find_dimension(name)), "|" + name + "|");
  }
}

}  // namespace
}  // namespace shard::figures_test
