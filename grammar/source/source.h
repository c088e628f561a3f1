// The texts of a session, and places in them.
//
// In this folder:
//   source.h      the texts of a session, and places in them
//   code_point.h  characters of UTF-8 text, including invisible ones
//   left_arrow.h  arrows to the left, by which other notations assign
//   foreign_words.h  words that compute and control elsewhere
//   look_alike.h  letters of other scripts that look like those of the notation
//   visible.h     text as a terminal may show it: the one rule for control characters
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shard {

struct FileId {
  std::int32_t value = -1;
  bool valid() const { return value >= 0; }
  friend bool operator==(const FileId&, const FileId&) = default;
};

// A half-open byte range of one file.
struct Span {
  FileId file;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool valid() const { return file.valid(); }
  friend bool operator==(const Span&, const Span&) = default;
};

// The smallest span that contains both. They must be of one file; an invalid one is ignored.
Span cover(const Span& a, const Span& b);
// Whether `inner` lies in `outer`, which may be the same place.
bool encloses(const Span& outer, const Span& inner);

// Lines and columns count from 1. A column is a code point, so that an underline lines up below `·` and `→`.
struct LineColumn {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

// Owns all texts that were read; spans stay valid as long as it lives. Not thread-safe.
class SourceMap {
 public:
  // `continues` is the text that this one goes on from, as an input of a session does.
  FileId add(std::string name, std::string text, FileId continues = {});
  FileId continued(FileId file) const;
  // A text that the reader cannot change, as the library's: nothing proposes other lines of it.
  void set_fixed(FileId file);
  bool is_fixed(FileId file) const;
  const std::string& name(FileId file) const;
  std::string_view text(FileId file) const;
  std::string_view text(const Span& span) const;
  LineColumn position(FileId file, std::uint32_t offset) const;
  // The text of a line (counted from 1), without its line end.
  std::string_view line(FileId file, std::uint32_t line) const;

 private:
  struct File {
    std::string name;
    std::string text;
    FileId continues;
    std::vector<std::uint32_t> line_starts;
    bool fixed = false;
  };
  std::vector<File> files_;
};

}  // namespace shard
