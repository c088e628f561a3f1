// Lines that differ only in the names of arrays: they are read once and share one tree.
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

// Bytes of a line, counted from its start.
struct LinePart {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  friend bool operator==(const LinePart&, const LinePart&) = default;
};

// What such lines have in common. Parts are those of the first line.
struct LineForm {
  std::size_t number = 0;        // among the reader's forms
  ast::Statement statement;      // a flow
  std::vector<LinePart> names;   // of arrays, from left to right
  std::vector<LinePart> arrays;  // the arrays with their brackets
};

// A line with a form. Its texts belong to the source.
struct FormedLine {
  struct Name {
    std::string_view text;
    Span span;
  };
  const LineForm* form = nullptr;
  Span span;
  std::vector<Name> names;

  // Where the array is, including its brackets.
  Span array_span(std::size_t name) const;
};

// The statement that reading the line would return.
ast::Statement tree_of(const FormedLine& line);

// The forms of one text. New names may change the meaning of other lines, which are then read anew.
class LineForms {
 public:
  // Reads ahead of the parser: a line without its end and surrounding blanks. False if the line has no form.
  bool read(std::string_view line, const Names& names);
  // The line that was read last, if it has a form; its arrays become known.
  std::optional<FormedLine> find(std::string_view line, Span span, Names& names);
  // Tells that the line that was read last is exactly this statement, which may become a form.
  void learn(const ast::Statement& statement);
  // Must be called after statements were parsed, before anything is read that depends on their names.
  void note_names(const Names& names);

 private:
  // Bounds on memory. Forgotten forms count, because lines that were handed out refer to them; past the limit lines are
  // parsed as usual. `seen_` is emptied when it is full, so a form is learnt from its next two lines.
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
