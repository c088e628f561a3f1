#include "tests/grammar/parse/sentences.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace shard {
namespace {

constexpr int kEndless = 1'000'000;
// Stands in the text for "nothing between these two" until it is complete.
constexpr char kGlue = '\x01';

}  // namespace

class Sentences::Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::map<std::string, Node> rules() {
    std::map<std::string, Node> rules;
    for (skip(); at_ < text_.size(); skip()) {
      const std::string name = word();
      expect('=');
      rules.emplace(name, choice());
      expect(';');
    }
    return rules;
  }

 private:
  void skip() {
    for (;;) {
      while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
      if (text_.substr(at_, 2) != "(*") return;
      at_ = text_.find("*)", at_) + 2;
    }
  }

  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  void expect(char c) {
    if (peek() != c)
      throw std::runtime_error("shard.ebnf: expected " + std::string(1, c) + " before " +
                               std::string(text_.substr(at_, 40)));
    ++at_;
  }

  std::string word() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
      ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string until(char close) {
    const std::size_t end = text_.find(close, ++at_);
    std::string inner(text_.substr(at_, end - at_));
    at_ = end + 1;
    return inner;
  }

  Node choice() {
    Node node{Node::Kind::Choice, "", {sequence()}};
    while (peek() == '|') {
      ++at_;
      node.parts.push_back(sequence());
    }
    return node;
  }

  Node sequence() {
    Node node{Node::Kind::Sequence, "", {}};
    while (std::string_view("|;)]}").find(peek()) == std::string_view::npos)
      node.parts.push_back(item());
    return node;
  }

  Node bracketed(Node::Kind kind, char close) {
    ++at_;
    Node node{kind, "", {choice()}};
    expect(close);
    return node;
  }

  Node item() {
    switch (peek()) {
      case '[':
        return bracketed(Node::Kind::Optional, ']');
      case '{':
        return bracketed(Node::Kind::Repeat, '}');
      case '(':
        return bracketed(Node::Kind::Choice, ')');
      case '"':
        return {Node::Kind::Terminal, until('"'), {}};
      case '?':
        return {Node::Kind::Class, until('?'), {}};
      case '~':
        ++at_;
        return {Node::Kind::Glue, "", {}};
      default:
        break;
    }
    const std::string name = word();
    if (name.empty()) throw std::runtime_error("shard.ebnf: " + std::string(text_.substr(at_, 40)));
    return {Node::Kind::Rule, name, {}};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

Sentences::Sentences(std::string_view ebnf, std::map<std::string, std::vector<std::string>> words)
    : rules_(Reader(ebnf).rules()), words_(std::move(words)) {
  measure();
}

int Sentences::measure(Node& node) {
  int highest = 0;
  int lowest = kEndless;
  for (Node& part : node.parts) {
    highest = std::max(highest, measure(part));
    lowest = std::min(lowest, part.height);
  }
  const auto rule = heights_.find(node.text);
  const int below = rule == heights_.end() ? kEndless : rule->second + 1;
  node.height = node.kind == Node::Kind::Choice     ? lowest
                : node.kind == Node::Kind::Sequence ? highest
                : node.kind == Node::Kind::Rule     ? below
                                                    : 0;
  return node.height;
}

// The shortest derivations, found by repetition until nothing changes.
void Sentences::measure() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& [name, node] : rules_) {
      const int found = measure(node);
      const auto known = heights_.find(name);
      if (found >= kEndless || (known != heights_.end() && known->second <= found)) continue;
      heights_[name] = found;
      changed = true;
    }
  }
}

std::vector<std::string> Sentences::missing() const {
  std::vector<std::string> missing;
  for (const auto& [name, node] : rules_) {
    if (heights_.find(name) == heights_.end()) missing.push_back(name);
    const Node& first = node.parts.front();
    const bool is_class = first.parts.size() == 1 && first.parts.front().kind == Node::Kind::Class;
    if (is_class && words_.find(name) == words_.end()) missing.push_back(name);
  }
  return missing;
}

void Sentences::emit_text(const std::string& text, std::string& out) const {
  if (!out.empty() && out.back() == kGlue) {
    out.pop_back();
  } else if (!out.empty() && out.back() != '\n') {
    out += ' ';
  }
  out += text;
}

void Sentences::emit(const Node& node, const std::string& rule, int depth, std::mt19937& random,
                     std::string& out) const {
  const auto chance = [&](unsigned percent) { return random() % 100 < percent; };
  switch (node.kind) {
    case Node::Kind::Terminal:
      return emit_text(node.text, out);
    case Node::Kind::Class:
      return emit_text(words_.at(rule)[random() % words_.at(rule).size()], out);
    case Node::Kind::Glue:
      out += kGlue;
      return;
    case Node::Kind::Rule:
      return emit(rules_.at(node.text), node.text, depth - 1, random, out);
    case Node::Kind::Sequence:
      for (const Node& part : node.parts) emit(part, rule, depth, random, out);
      return;
    case Node::Kind::Optional:
      if (depth > 0 && chance(40)) emit(node.parts.front(), rule, depth, random, out);
      return;
    case Node::Kind::Repeat:
      for (int i = 0; i < 3 && depth > 0 && chance(35); ++i)
        emit(node.parts.front(), rule, depth, random, out);
      return;
    case Node::Kind::Choice: {
      std::vector<const Node*> open;
      for (const Node& part : node.parts) {
        if (part.height < std::max(depth, node.height + 1)) open.push_back(&part);
      }
      return emit(*open[random() % open.size()], rule, depth, random, out);
    }
  }
}

std::string Sentences::derive(const std::string& rule, int depth, std::mt19937& random) const {
  std::string out;
  emit(rules_.at(rule), rule, depth, random, out);
  return out;
}

}  // namespace shard
