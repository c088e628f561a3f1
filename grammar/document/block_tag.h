// Tags of HTML that part a text: those of cells, blocks and line breaks. Those of words, `<b>`, `<sub>`, part nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace shard {

struct BlockTag {
  std::size_t length = 0;
  bool is_cell = false;  // of a table
  bool is_row = false;   // likewise
};

// The one that the text begins with, opening or closing. In time that does not depend on the text.
std::optional<BlockTag> block_tag(std::string_view text);

}  // namespace shard
