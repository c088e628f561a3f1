#include "grammar/translate/tree.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "grammar/translate/function.h"
#include "grammar/translate/language.h"
#include "grammar/translate/names.h"
#include "grammar/translate/token.h"

namespace shard {
namespace {

using TreeKind = ForeignTree::Kind;
using ForeignKind = ForeignToken::Kind;

// Lines of other languages that anybody writes stay far below; what is deeper is no such line.
constexpr int kDeepestForeign = 64;
// Operators and fields in a row nest as well: trees stay so small that walking them recursively is safe.
constexpr std::size_t kMostTokens = 400;

struct InfixOperator {
  std::string_view sign;
  int rank;  // higher binds closer
};
constexpr InfixOperator kInfixOperators[] = {
    {"or", 1}, {"||", 1}, {"and", 2}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<", 3},  {"<=", 3},
    {">", 3},  {">=", 3}, {"≤", 3},   {"≥", 3},  {"≠", 3},  {"≈", 3},  {"+", 4},  {"-", 4},
    {"*", 5},  {"/", 5},  {"%", 5},   {"@", 5},  {"·", 5},  {"⊙", 5},  {"mod", 5}};

class ForeignTreeReader {
 public:
  explicit ForeignTreeReader(ForeignTokens tokens) : tokens_(std::move(tokens)) {}

  std::optional<ForeignStatement> statement() {
    ForeignStatement read;
    if (at_word("return") || (at_word("print") && tokens_[1].text != "(")) {
      read.word = current().text;
      advance();
      if (at_end()) return read;
    }
    read.values = list(read.word == "print");
    if (accept(":") && read.values.size() == 1) read.annotation = expression();
    static constexpr std::string_view kSigns[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "@=", "**=", ":="};
    const bool assigns =
        current().kind == ForeignKind::Sign &&
        std::find(std::begin(kSigns), std::end(kSigns), current().text) != std::end(kSigns);
    if (assigns && read.word.empty()) {
      read.sign = current().text;
      advance();
      read.targets = std::exchange(read.values, {});
      read.values = list();
    }
    while (!failed_ && current().text == ";") advance();
    if (failed_ || !at_end()) return std::nullopt;
    return read;
  }

  std::optional<ForeignTree> whole_expression() {
    ForeignTree tree = expression();
    if (failed_ || !at_end()) return std::nullopt;
    return tree;
  }

 private:
  const ForeignToken& current() const { return tokens_[position_]; }
  void advance() {
    if (!at_end()) ++position_;
  }
  bool at_end() const { return current().kind == ForeignKind::End; }
  bool at_sign(std::string_view sign) const {
    return current().kind == ForeignKind::Sign && current().text == sign;
  }
  bool at_word(std::string_view word) const {
    return current().kind == ForeignKind::Word && current().text == word;
  }
  bool accept(std::string_view sign) {
    if (!at_sign(sign)) return false;
    advance();
    return true;
  }
  void expect(std::string_view sign) { failed_ = failed_ || !accept(sign); }

  ForeignTree close(ForeignTree tree, std::size_t begin) const {
    tree.begin = begin;
    tree.end = position_ > 0 ? tokens_[position_ - 1].end : 0;
    return tree;
  }

  // `with_keywords`: `print a, sep=""`
  std::vector<ForeignTree> list(bool with_keywords = false) {
    std::vector<ForeignTree> items;
    do {
      items.push_back(with_keywords ? argument() : expression());
    } while (!failed_ && accept(",") && !at_end() && !at_sign("="));
    return items;
  }

  ForeignTree expression() {
    if (++depth_ > kDeepestForeign) failed_ = true;
    ForeignTree tree = failed_ ? ForeignTree{} : binary(1);
    --depth_;
    return tree;
  }

  // The operator that stands here, if it binds at least as close; else null.
  const InfixOperator* operator_here(int rank) const {
    const bool sign = current().kind == ForeignKind::Sign || current().kind == ForeignKind::Word;
    const auto* found = std::find_if(
        std::begin(kInfixOperators), std::end(kInfixOperators), [&](const InfixOperator& entry) {
          return sign && entry.sign == current().text && entry.rank >= rank;
        });
    return found == std::end(kInfixOperators) ? nullptr : found;
  }

  ForeignTree binary(int rank) {
    const std::size_t begin = current().begin;
    ForeignTree left = unary();
    while (const InfixOperator* sign = failed_ ? nullptr : operator_here(rank)) {
      std::string text(sign->sign);
      advance();
      // `·_J`
      const bool index = text == "·" && current().glued && current().kind == ForeignKind::Word &&
                         current().text.size() > 1 && current().text.front() == '_';
      if (index) {
        text += current().text;
        advance();
      }
      ForeignTree right = binary(sign->rank + 1);
      left = close({.kind = TreeKind::Binary,
                    .text = std::move(text),
                    .parts = {std::move(left), std::move(right)}},
                   begin);
    }
    return left;
  }

  ForeignTree unary() {
    const std::size_t begin = current().begin;
    const bool sign = at_sign("-") || at_sign("+") || at_sign("!") || at_word("not");
    if (!sign) return power();
    std::string text(current().text);
    advance();
    if (++depth_ > kDeepestForeign) failed_ = true;
    ForeignTree operand = failed_ ? ForeignTree{} : unary();
    --depth_;
    return close({.kind = TreeKind::Unary, .text = std::move(text), .parts = {std::move(operand)}},
                 begin);
  }

  ForeignTree power() {
    const std::size_t begin = current().begin;
    ForeignTree base = postfix();
    if (failed_ || (!at_sign("**") && !at_sign("^"))) return base;
    advance();
    ForeignTree exponent = unary();
    return close(
        {.kind = TreeKind::Binary, .text = "**", .parts = {std::move(base), std::move(exponent)}},
        begin);
  }

  ForeignTree postfix() {
    const std::size_t begin = current().begin;
    ForeignTree tree = primary();
    while (!failed_) {
      if (accept(".")) {
        if (current().kind != ForeignKind::Word) failed_ = true;
        std::string field(current().text);
        advance();
        tree = close(
            {.kind = TreeKind::Attribute, .text = std::move(field), .parts = {std::move(tree)}},
            begin);
      } else if (at_sign("(") && current().glued) {
        tree = close(call(std::move(tree)), begin);
      } else if (at_sign("[") && current().glued) {
        tree = close(index(std::move(tree)), begin);
        mark(tree);
      } else {
        break;
      }
    }
    return tree;
  }

  ForeignTree call(ForeignTree callee) {
    const bool foreign = is_foreign_callee(callee);
    ForeignTree tree{.kind = TreeKind::Call, .text = {}, .parts = {std::move(callee)}};
    advance();
    while (!failed_ && !at_sign(")")) {
      tree.parts.push_back(foreign ? any_argument() : argument());
      if (!accept(",")) break;
    }
    expect(")");
    return tree;
  }

  // Of a function that other languages alone have, arguments need not be understood: `perm=[(i, i + 1) for i in range(4)]`.
  static bool is_foreign_callee(const ForeignTree& callee) {
    if (callee.kind == TreeKind::Call) return is_foreign_callee(callee.parts.front());
    const std::string path = path_of(callee);
    const bool module = path.find('.') != std::string::npos &&
                        !foreign_language(path.substr(0, path.find('.'))).empty();
    if (module) return true;
    return !is_language_function(path) &&
           foreign_method(std::string_view(path).substr(path.rfind('.') + 1)) != nullptr;
  }

  ForeignTree any_argument() {
    const std::size_t before = position_;
    const int depth_before = depth_;
    ForeignTree tree = argument();
    if (!failed_ && (at_sign(",") || at_sign(")"))) return tree;
    // Up to the comma or the parenthesis that ends it.
    failed_ = false;
    position_ = before;
    depth_ = depth_before;
    std::string name;
    if (current().kind == ForeignKind::Word && tokens_[position_ + 1].text == "=")
      name = current().text;
    int depth = 0;
    std::string text;
    for (; !at_end() && (depth > 0 || (!at_sign(",") && !at_sign(")"))); advance()) {
      text += (text.empty() ? "" : " ") + std::string(current().text);
      if (at_sign("(") || at_sign("[") || at_sign("{")) ++depth;
      if (at_sign(")") || at_sign("]") || at_sign("}")) --depth;
    }
    ForeignTree unread =
        close({.kind = TreeKind::Unread, .text = std::move(text)}, tokens_[before].begin);
    if (name.empty()) return unread;
    return close({.kind = TreeKind::Keyword, .text = std::move(name), .parts = {std::move(unread)}},
                 tokens_[before].begin);
  }

  ForeignTree argument() {
    const std::size_t begin = current().begin;
    accept("*");
    const bool keyword = current().kind == ForeignKind::Word &&
                         tokens_[position_ + 1].text == "=" &&
                         tokens_[position_ + 1].kind == ForeignKind::Sign;
    if (!keyword) return expression();
    std::string name(current().text);
    advance();
    advance();
    ForeignTree value = expression();
    return close({.kind = TreeKind::Keyword, .text = std::move(name), .parts = {std::move(value)}},
                 begin);
  }

  ForeignTree index(ForeignTree object) {
    ForeignTree tree{.kind = TreeKind::Index, .text = {}, .parts = {std::move(object)}};
    advance();
    while (!failed_ && !at_sign("]")) {
      tree.parts.push_back(subscript());
      if (!accept(",")) break;
    }
    expect("]");
    return tree;
  }

  // `{U_X}`, `{U_{XY}}`, `{Z=0}` after brackets.
  void mark(ForeignTree& tree) {
    if (!at_sign("{") || !current().glued) return;
    const std::size_t before = position_;
    advance();
    std::string text(current().kind == ForeignKind::Word ? current().text : "");
    advance();
    if (text.ends_with('_')) text += subscript_in_braces();
    const bool placed = !text.empty() && accept("=");
    if (placed) {
      text += "=" + std::string(current().text);
      advance();
    }
    if ((placed || text.starts_with("U_")) && accept("}")) {
      tree.text = std::move(text);
      tree.end = tokens_[position_ - 1].end;
    } else {
      position_ = before;
    }
  }

  // `{XY}` of `I_{XY}`, which begins here directly after the underscore; nothing if it is anything else.
  std::string subscript_in_braces() {
    if (!at_sign("{") || !current().glued) return "";
    std::string text = "{";
    for (std::size_t i = position_ + 1; i < tokens_.size(); ++i) {
      const ForeignToken& token = tokens_[i];
      if (is(token, "}")) {
        position_ = i + 1;
        return text + "}";
      }
      if (token.kind != ForeignKind::Word && !is(token, ",")) return "";
      text += token.text;
    }
    return "";
  }

  // The parts are its bounds, of which one that is not written is Unread.
  ForeignTree subscript() {
    const std::size_t begin = current().begin;
    const ForeignTree open{.kind = TreeKind::Unread};
    ForeignTree slice{.kind = TreeKind::Slice, .text = ":", .parts = {open}};
    if (accept("...")) {
      slice.text = "...";
      return close(std::move(slice), begin);
    }
    if (!at_sign(":")) {
      ForeignTree first = expression();
      if (!at_sign(":")) return first;
      slice.text = "part";
      slice.parts.front() = std::move(first);
    }
    while (!failed_ && accept(":")) {
      slice.parts.push_back(open);
      if (at_sign(":") || at_sign("]") || at_sign(",")) continue;
      slice.parts.back() = expression();
      slice.text = "part";
    }
    return close(std::move(slice), begin);
  }

  ForeignTree primary() {
    const std::size_t begin = current().begin;
    switch (current().kind) {
      case ForeignKind::Word:
        return leaf(TreeKind::Name);
      case ForeignKind::Number:
        return leaf(TreeKind::Number);
      case ForeignKind::Text:
        return leaf(TreeKind::Text);
      case ForeignKind::Sign:
        if (at_sign("(")) return close(bracketed(")"), begin);
        if (at_sign("[")) return close(bracketed("]"), begin);
        break;
      case ForeignKind::End:
        break;
    }
    failed_ = true;
    return {};
  }

  ForeignTree leaf(TreeKind kind) {
    const std::size_t begin = current().begin;
    ForeignTree tree{.kind = kind, .text = std::string(current().text)};
    if (current().formatted) tree.grouped = true;
    advance();
    if (kind == TreeKind::Name && tree.text.ends_with('_')) tree.text += subscript_in_braces();
    return close(std::move(tree), begin);
  }

  // `(a, b)`, `[a, b]`; `(a)` is a.
  ForeignTree bracketed(std::string_view closer) {
    ForeignTree tree{.kind = TreeKind::Tuple};
    advance();
    bool comma = false;
    while (!failed_ && !at_sign(closer)) {
      tree.parts.push_back(expression());
      if (!accept(",")) break;
      comma = true;
    }
    expect(closer);
    if (failed_ || closer == "]" || comma || tree.parts.size() != 1) return tree;
    ForeignTree inner = std::move(tree.parts.front());
    inner.grouped = true;
    return inner;
  }

  ForeignTokens tokens_;
  std::size_t position_ = 0;
  int depth_ = 0;
  bool failed_ = false;
};

}  // namespace

std::vector<const ForeignTree*> items_of(const ForeignTree& tree) {
  if (tree.kind != ForeignTree::Kind::Tuple) return {&tree};
  std::vector<const ForeignTree*> items;
  for (const ForeignTree& part : tree.parts) items.push_back(&part);
  return items;
}

std::optional<ForeignStatement> read_foreign_statement(std::string_view text) {
  auto tokens = foreign_tokens(text);
  if (!tokens || tokens->size() < 2 || tokens->size() > kMostTokens) return std::nullopt;
  return ForeignTreeReader(*std::move(tokens)).statement();
}

std::optional<ForeignTree> read_foreign_expression(std::string_view text) {
  auto tokens = foreign_tokens(text);
  if (!tokens || tokens->size() > kMostTokens) return std::nullopt;
  return ForeignTreeReader(*std::move(tokens)).whole_expression();
}

}  // namespace shard
