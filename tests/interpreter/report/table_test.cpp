#include "interpreter/report/table.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/format.h"

namespace shard::table_test {
namespace {

TEST(Table, AlignsTheFirstColumnLeftAndTheOthersRight) {
  Table table;
  table.add_row({"name", "time", "bytes"});
  table.add_row({"a", "12.00 us", "8 B"});
  EXPECT_EQ(table.to_string(),
            "name      time  bytes\n"
            "a     12.00 us    8 B\n");
}

TEST(Table, IsEmptyWithoutRows) { EXPECT_EQ(Table().to_string(), ""); }

TEST(Table, LinesCrossAllColumns) {
  Table table;
  table.add_row({"a", "1"});
  table.add_line("a line that is longer than the columns");
  EXPECT_EQ(table.to_string(), "a  1\na line that is longer than the columns\n");
}

TEST(Table, AWideFirstCellStandsOnALineOfItsOwn) {
  Table table;
  table.add_row({"short", "1.000 us"});
  table.add_row({std::string(120, 'w'), "2.000 us"});
  EXPECT_EQ(table.to_string(), "short  1.000 us\n" + std::string(120, 'w') + "\n       2.000 us\n");
}

// Steps that only communicate have no FLOPs, and texts that are long.
TEST(Table, AFirstCellReachesOverBlankColumns) {
  Table table;
  table.add_row({std::string(60, 'a'), "1.000 us", "2.000 us", "3.000 us"});
  table.add_row({std::string(75, 'b'), "", "", "3.000 us"});
  table.add_row({std::string(75, 'c'), "", "2.000 us", "3.000 us"});
  EXPECT_EQ(table.to_string(), std::string(60, 'a') + "  1.000 us  2.000 us  3.000 us\n" +
                                   std::string(75, 'b') + std::string(7, ' ') + "3.000 us\n" +
                                   std::string(75, 'c') + "\n" + std::string(72, ' ') +
                                   "2.000 us  3.000 us\n");
}

TEST(Table, WhatStandsBelowAWideFirstCellNeedsRoom) {
  Table table;
  using Cells = std::vector<std::string>;
  const auto cells = std::make_shared<const Cells>(Cells{"1.000 us"});
  table.add_row("short enough", cells, "not seen");
  table.add_row(std::string(95, 'w'), cells, "below");
  table.add_row(std::string(95, 'v'), cells, "no room for it");
  EXPECT_EQ(table.to_string(), "short enough  1.000 us\n" + std::string(95, 'w') +
                                   "\nbelow         1.000 us\n" + std::string(95, 'v') + "\n" +
                                   std::string(14, ' ') + "1.000 us\n");
}

TEST(Table, NoLineEndsInBlanks) {
  Table table;
  table.add_row({"a", ""});
  table.add_row({"longer", "x"});
  table.add_line("line   ");
  EXPECT_EQ(table.to_string(), "a\nlonger  x\nline\n");
}

TEST(Table, CountsColumnsOfTheTerminalAndNotBytes) {
  Table table;
  table.add_row({"A[I] · B", "1"});
  table.add_row({"A[I] * B", "1"});
  const std::string text = table.to_string();
  const auto middle = text.find('\n');
  EXPECT_EQ(display_width(text.substr(0, middle)),
            display_width(text.substr(middle + 1, text.size() - middle - 2)));
}

TEST(Table, RowsMayHaveDifferentNumbersOfCells) {
  Table table;
  table.add_row({"a", "1", "2"});
  table.add_row({"b", "3"});
  EXPECT_EQ(table.to_string(), "a  1  2\nb  3\n");
}

}  // namespace
}  // namespace shard::table_test
