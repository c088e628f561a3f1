// Lines that differ from one another in the names of arrays alone: they are read once, and have one tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "grammar/source/source.h"
#include "grammar/tree/ast.h"
#include "grammar/tree/names.h"

namespace shard {

// Bytes of a line, counted from its first one.
struct LinePart {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  friend bool operator==(const LinePart&, const LinePart&) = default;
};

// What such lines have in common. Parts are those of the first line.
struct LineForm {
  std::size_t number = 0;        // of the reader's forms
  ast::Statement statement;      // a flow
  std::vector<LinePart> names;   // of arrays, from left to right
  std::vector<LinePart> arrays;  // these with their brackets
};

// A line of a form. Its texts are the source's.
struct FormedLine {
  struct Name {
    std::string_view text;
    Span span;
  };
  const LineForm* form = nullptr;
  Span span;
  std::vector<Name> names;

  // Where the array stands with its brackets.
  Span array_span(std::size_t name) const;
};

// The statement that reading the line would give.
ast::Statement tree_of(const FormedLine& line);

// The forms of one text. Names that come to be known may change what other lines mean: such lines are read anew.
class LineForms {
 public:
  // Reads what is in front of the parser: a line without its end and the blanks around it. False for a line that has no form.
  bool read(std::string_view line, const Names& names);
  // The line that was read last, if it has a form; its arrays are then known.
  std::optional<FormedLine> find(std::string_view line, Span span, Names& names);
  // The line that was read last is this statement, all of it; that may become a form.
  void learn(const ast::Statement& statement);
  // Has to be called when statements were parsed, before anything is read by what is known since.
  void note_names(const Names& names);

 private:
  // With those that are forgotten: lines that were handed out refer to them.
  static constexpr std::size_t kMostForms = 4096;
  static constexpr std::size_t kMostSeen = 65'536;

  std::deque<LineForm> forms_;
  std::unordered_map<std::string, const LineForm*> by_key_;
  std::unordered_set<std::string> seen_;
  // Of the line that was read last.
  std::string key_;
  std::vector<LinePart> places_;  // of names
  // What was known when the forms were read.
  std::vector<std::string> axes_;
  std::size_t dimensions_ = 0;
  std::size_t arrays_ = 0;
};

}  // namespace shard
