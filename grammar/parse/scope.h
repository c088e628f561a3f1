// What holds while a part of a statement is read: a level of nesting, the inside of a block, names. Private to the folder.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grammar/parse/parser_context.h"

namespace shard {

// One level of recursion. At the limit it reports TooDeep and makes the statement run out.
class Nesting {
 public:
  explicit Nesting(ParserContext& context);
  ~Nesting() { --context_.depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  ParserContext& context_;
};

// The inside of `{ … }`: its own statements and names; mistakes go to `sink`. Begins at the opening brace.
class BlockScope {
 public:
  BlockScope(ParserContext& context, DiagnosticSink& sink);
  ~BlockScope();
  BlockScope(const BlockScope&) = delete;
  BlockScope& operator=(const BlockScope&) = delete;

 private:
  ParserContext& context_;
  std::vector<std::string> axes_;
  std::size_t dimensions_;
  std::size_t arrays_;
  DiagnosticSink* sink_;
  std::size_t limit_;
  std::size_t begin_;
  std::vector<std::size_t> open_;
  bool equal_compares_;
  bool before_block_;
  bool may_relate_;
};

// Names added from here on are forgotten when it ends.
class NamesScope {
 public:
  explicit NamesScope(ParserContext& context)
      : names_(context.names()),
        dimensions_(names_.dimensions.size()),
        arrays_(names_.arrays.size()) {}
  NamesScope(const NamesScope&) = delete;
  NamesScope& operator=(const NamesScope&) = delete;
  ~NamesScope() {
    names_.dimensions.shrink(dimensions_);
    names_.arrays.shrink(arrays_);
  }

 private:
  Names& names_;
  std::size_t dimensions_;
  std::size_t arrays_;
};

}  // namespace shard
