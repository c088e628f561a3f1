// Random sentences of a grammar that is written as EBNF.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace shard {

class Sentences {
 public:
  // Reads the rules of shard.ebnf. A rule whose body is a class `? … ?` takes its words from `words`.
  Sentences(std::string_view ebnf, std::map<std::string, std::vector<std::string>> words);

  // A sentence derived from `rule`. Below `depth` levels the shortest derivations are taken.
  std::string derive(const std::string& rule, int depth, std::mt19937& random) const;
  // Rules that are used but not defined, and classes without words; empty if the grammar is complete.
  std::vector<std::string> missing() const;

 private:
  struct Node {
    enum class Kind { Choice, Sequence, Optional, Repeat, Terminal, Rule, Glue, Class } kind;
    std::string text;
    std::vector<Node> parts;
    int height = 0;  // levels that its shortest derivation needs
  };
  class Reader;

  int measure(Node& node);
  void measure();
  void emit(const Node& node, const std::string& rule, int depth, std::mt19937& random,
            std::string& out) const;
  void emit_text(const std::string& text, std::string& out) const;

  std::map<std::string, Node> rules_;
  std::map<std::string, int> heights_;  // levels that the shortest derivation of a rule needs
  std::map<std::string, std::vector<std::string>> words_;
};

}  // namespace shard
