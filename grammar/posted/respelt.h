// A text of which pieces are written otherwise. Private to the folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <regex>
#include <string>
#include <string_view>

#include "grammar/markup/plain_text.h"

namespace shard {

class Respelt {
 public:
  // `offset` is where the text begins in its file.
  Respelt(std::string_view text, std::uint32_t offset);

  const std::string& text() const { return plain_.text; }
  // Writes [begin, end) as `by`. All of that stands for what stood there.
  void replace(std::size_t begin, std::size_t end, std::string_view by);
  // Writes what `write` gives for each match, from left to right; nullopt leaves it as it is.
  using Match = std::match_results<std::string::const_iterator>;
  void replace_all(const std::regex& pattern,
                   const std::function<std::optional<std::string>(const Match&)>& write);
  void remove_markup();
  // [begin, end) as a text of its own.
  PlainText part(std::size_t begin, std::size_t end) const;
  // Where the byte was written in the file, counted from the beginning of the text.
  std::size_t place_begin(std::size_t at) const { return plain_.begins[at] - offset_; }
  std::size_t place_end(std::size_t at) const { return plain_.ends[at] - offset_; }

 private:
  PlainText plain_;
  std::uint32_t offset_;
};

}  // namespace shard
