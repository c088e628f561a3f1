// `show A[I_X, J_Y]`: which device holds which block.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/check_brackets.h"

namespace shard {

// The devices that hold one block of the dimensions that are drawn.
struct PictureCell {
  std::vector<std::int64_t> devices;  // the first ones
  std::int64_t count = 0;             // all of them
  std::int64_t last = 0;              // of all
};

// One dimension that is drawn: its blocks, first to last.
struct PictureSide {
  std::string name;  // "I_X"
  std::vector<std::string>
      blocks;  // of those that are drawn: "0:16", or their number while the length is unknown
  std::int64_t count = 1;  // all of them
};

struct Picture {
  std::string array;  // "A[I_X, J_Y]"
  std::string dtype;
  std::string mesh;  // "{X: 4, Y: 2}"
  std::vector<std::string> shape;
  std::vector<std::string> local_shape;
  Amount bytes;  // per device
  std::int64_t devices = 1;
  std::int64_t copies = 1;  // devices that hold the same
  std::optional<PictureSide> rows;
  std::optional<PictureSide> columns;
  std::vector<std::vector<PictureCell>> cells;  // by row and column
  std::vector<std::string> remarks;
};

// Reports NoMesh, and what is wrong with the array.
std::optional<Picture> check_show(const ast::Show& show, CheckContext& context);

// The lines of the picture, at most 100 columns wide.
std::vector<std::string> text_lines(const Picture& picture);

}  // namespace shard
