#include "interpreter/lower/read_boxes.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace shard::read_boxes_test {
namespace {

using Cells = std::set<std::vector<std::int64_t>>;

void add_cells(const ElementBox& box, std::vector<std::int64_t> cell, Cells& cells) {
  if (cell.size() == box.size()) {
    // Boxes share no element.
    EXPECT_TRUE(cells.insert(cell).second);
    return;
  }
  const ElementRange range = box[cell.size()];
  for (std::int64_t i = range.begin; i < range.end; ++i) {
    cell.push_back(i);
    add_cells(box, cell, cells);
    cell.pop_back();
  }
}

Cells cells_of(const ElementBox& box) {
  Cells cells;
  add_cells(box, {}, cells);
  return cells;
}

// What is left of random boxes is what counting their elements leaves.
TEST(ReadBoxes, LeaveWhatNoOtherHas) {
  std::mt19937 random(7);
  const auto any_box = [&](std::size_t rank) {
    ElementBox box;
    for (std::size_t d = 0; d < rank; ++d) {
      const std::int64_t begin = random() % 5;
      box.push_back({begin, begin + 1 + static_cast<std::int64_t>(random() % 4)});
    }
    return box;
  };
  for (int i = 0; i < 500; ++i) {
    const std::size_t rank = 1 + random() % 3;
    const ElementBox box = any_box(rank);
    std::vector<ElementBox> others;
    for (std::size_t other = 0; other < random() % 5; ++other) others.push_back(any_box(rank));
    Cells wanted = cells_of(box);
    for (const ElementBox& other : others) {
      for (const auto& cell : cells_of(other)) wanted.erase(cell);
    }
    Cells left;
    for (const ElementBox& piece : without_boxes(box, others)) add_cells(piece, {}, left);
    EXPECT_EQ(left, wanted);
  }
}

}  // namespace
}  // namespace shard::read_boxes_test
