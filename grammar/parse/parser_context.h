// What the parser's files share: the place in the tokens, and mistakes. Private to the folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "grammar/lex/token.h"
#include "grammar/source/source.h"
#include "grammar/tree/ast.h"
#include "grammar/tree/keyword.h"
#include "grammar/tree/names.h"

namespace shard {

// Levels of nesting, counted over brackets, blocks and the operators of a chain; docs/language.md states the limit.
// Tree walks are recursive, so this bounds their stack.
inline constexpr int kDeepest = 256;

// A cursor over the tokens of one statement at a time. It shows an End token where the statement ends, and after the
// first mistake in a statement nothing but End: every function then runs out, and no second mistake is reported.
class ParserContext {
 public:
  ParserContext(const SourceMap& sources, const TokenList& list, Names& names,
                DiagnosticSink& sink);
  ParserContext(const ParserContext&) = delete;
  ParserContext& operator=(const ParserContext&) = delete;

  // ---- tokens
  const Token& current() const { return *current_; }
  // The token `ahead` places further on if it belongs to the statement, else End.
  const Token& peek(std::size_t ahead) const {
    if (shows_end()) return end_;
    const std::size_t target = position_ + ahead;
    if (target >= limit_) return peek_over_lines(target);
    for (std::size_t i = 1; i <= ahead; ++i) {
      if (current_[i].line_start) return peek_over_lines(target);
    }
    return current_[ahead];
  }
  // How many places ahead the token after a bracket group is; the group begins `ahead` places further on.
  std::size_t after_group(std::size_t ahead) const;
  bool at(TokenKind kind) const { return current().kind == kind; }
  bool at_word(std::string_view word) const {
    const Token& token = current();
    return token.kind == TokenKind::Identifier && token.text == word;
  }
  // Whether the current token is on the same line as the one before it.
  bool on_same_line() const { return !current().line_start; }
  void advance();
  bool accept(TokenKind kind);
  // Lets the statement continue on the next line: called after an operator.
  void join_line() {
    joined_ = position_;
    update();
  }
  // Ends the statement at the current token, which begins a line.
  void refuse_line();
  // Skips the bracket group that begins here.
  void skip_group();

  // ---- places
  std::size_t position() const { return position_; }
  // From the token at index `begin` to the last one read.
  Span span_from(std::size_t begin) const;
  ast::Location location_from(std::size_t begin) const { return {span_from(begin)}; }
  std::string_view source_text(const Span& span) const { return sources_.text(span); }
  const SourceMap& sources() const { return sources_; }
  // The tokens [begin, end) as they were read, without markup.
  std::string plain_text(std::size_t begin, std::size_t end) const;

  // ---- brackets
  // Reads the opening bracket; inside it, line ends do not end the statement. Returns its index.
  std::size_t open();
  // The index of the statement's innermost bracket that is open here.
  std::optional<std::size_t> innermost() const;
  // What is said of a line that is no notation: the line as a remark, where it stands alone.
  std::vector<std::string> remark_help() const;
  // Reports that the bracket is never closed; `what` could have stood here instead of the current token.
  void fail_unclosed(std::size_t opener, std::string_view what);
  std::vector<std::string> closed_line(std::string_view closer) const;
  std::vector<std::string> closed_subscript(std::size_t opener) const;
  // The statement from its first token to the end of its lines.
  Span line_span() const;
  // The statement with a part replaced by `text`; nullopt if it could not be read then.
  std::optional<std::string> edited_line(const Span& place, std::string_view text) const;
  // Reads the closing bracket of `opener`, or reports what is wrong: `what` could have been here.
  void close(std::size_t opener, std::string_view what);

  // ---- mistakes
  bool failed() const { return failed_; }
  void fail(DiagnosticKind kind, const Span& span, std::string message,
            std::vector<std::string> help = {}, std::vector<Note> notes = {});
  // The statement is a formula that belongs to the text around the notation.
  void fail_formula(const Span& span);
  // "expected `what`, found …", at the current token.
  void fail_expected(std::string_view what, std::vector<std::string> help = {});
  // The statement's block lacks its `{` here. Skips everything up to the brace that ends it, if there is one.
  void fail_without_opener(std::vector<std::string> help);
  // Whether what is being read may go on in text that has not been read yet: a block that is closed does not.
  bool goes_on_unread() const;
  // Index after the first unmatched `}` from the current token on; nullopt if the block has none. If the text continues
  // beyond its tokens, the index after them, so that it is read again with more of the text.
  std::optional<std::size_t> behind_lone_closer() const;
  // The rest of a line that was reported as not being notation: nothing else is reported in it.
  const Span& refused_line() const { return refused_line_; }
  void set_refused_line(const Span& line) { refused_line_ = line; }
  // The text of the current token in back-ticks, or "the end of the line".
  std::string found() const;

  // ---- statements
  void begin_statement();
  // The statement proper begins at the current token.
  void begin_behind_label() { begin_ = position_; }
  // The statement is a list item: a line that begins with `* ` or `• ` is the next item, not the continuation of a
  // product.
  void begin_list_item();
  // Moves the cursor after the statement that began at token `begin`, past `;`.
  void end_statement(std::size_t begin);
  // Returns to a token of the statement, with which the next one begins.
  void go_back(std::size_t position);
  bool at_block_end() const { return position_ >= limit_; }
  // Whether the statement has been read to its end.
  bool at_statement_end() const;
  // Index after the statement that begins at token `begin` and reaches at least to the current token.
  std::size_t statement_end(std::size_t begin) const;
  const Token& token(std::size_t index) const { return list_.tokens[index]; }
  // Index after the token, or after the bracket group that it begins.
  std::size_t behind(std::size_t index) const;
  // Index of the token that ends the block: its closing brace, or the End token.
  std::size_t block_end() const { return limit_; }
  // Whether the token at `index` begins a line that does not continue the statement before it.
  bool begins_line(std::size_t index) const {
    return list_.tokens[index].line_start && begins_next_line(index);
  }
  // Counted from 1.
  std::uint32_t column_of(std::size_t index) const {
    const Span& span = list_.tokens[index].span;
    return sources_.position(span.file, span.begin).column;
  }
  // Index of the statement's first token.
  std::size_t statement_begin() const { return begin_; }

  // ---- comments
  // Comments and blank lines before the current token that no statement has taken yet; "" stands for blank lines.
  std::vector<std::string> take_leading_comments();
  // Comments inside the statement, up to the last token read.
  std::vector<std::string> take_inner_comments();
  // The comment on the line of the last token read.
  std::string take_trailing_comment();
  // Skips comments up to the last token read.
  void drop_comments();

  // ---- what is known
  Names& names() { return names_; }
  const Names& names() const { return names_; }
  void add_dimension(const std::string& name);
  void add_array(const std::string& name) { names_.arrays.add(name); }
  // The array's name in the spelling seen first.
  std::string spelling(std::string_view name) const { return names_.arrays.spelling(name); }
  // Replaces the name by that spelling; false if there is no such array.
  bool respell(std::string& name) const;
  bool knows(std::string_view name) const;
  // Whether it is known or an axis.
  bool means_something(std::string_view name) const { return knows(name) || names_.has_axis(name); }
  DiagnosticSink& sink() { return *sink_; }

  // Height of the expression that was read last. Trees are limited by height because everything after the parser walks
  // them recursively.
  int height = 0;
  // The greatest height of an expression of the block so far.
  int tallest = 0;
  // Inside `expect`, `=` compares.
  bool equal_compares = false;
  // In a `print` numbers in brackets may be places of elements, and -1 is the last.
  bool prints = false;
  // Between the parentheses of `fn f(…)`, brackets are patterns.
  bool in_parameters = false;
  // The statement's own block follows the expression.
  bool before_block = false;
  // The statement may still get an arrow or a `=`.
  bool may_relate = false;
  // The value of a binding is being read, and another binding may follow it.
  bool in_binding = false;
  // The statement ended at `, then`, and the next one begins here.
  bool ended = false;
  // The next statement begins at this token, which the current one has already read: `A → B → C`.
  std::optional<std::size_t> restart;
  // Statements of a line that was read at once; the first of them is the next statement.
  std::vector<ast::Statement> waiting;
  // An argument of a call in the statement is a quoted text or a type.
  bool calls_with_text = false;
  // The tokens are those of a piece of a longer text.
  bool text_goes_on = false;
  // Lines of other languages are reported as such.
  bool knows_languages = true;
  // A statement of a block inside the current statement has a mistake.
  bool block_has_error = false;

 private:
  friend class Nesting;
  friend class BlockScope;

  bool ends_before(std::size_t index) const {
    if (index >= limit_) return true;
    return index != joined_ && open_.empty() && begins_line(index);
  }
  // For a token that is first on its line: whether it does not continue the statement before it.
  bool begins_next_line(std::size_t index) const;
  bool begins_worded_item(std::size_t index) const;
  bool begins_listed_item(std::size_t index) const;
  const Token& peek_over_lines(std::size_t target) const;
  std::vector<std::string> take_comments(std::uint32_t end, bool keep_blanks);
  // Updates what is shown: called after a change of the cursor, of the mistake or of what ends the statement.
  void update();
  bool shows_end() const { return current_ == &end_; }
  // At a meaningless token.
  void fail_unknown(std::vector<std::string> help);
  void fail_open_text();
  std::vector<std::string> end_help() const;

  const SourceMap& sources_;
  const TokenList& list_;
  Names& names_;
  DiagnosticSink* sink_;
  std::size_t position_ = 0;
  std::size_t limit_;  // the block's closing brace, or the End token
  bool is_list_item_ = false;
  std::size_t joined_ = 0;  // a token that belongs to the statement although it begins a line
  std::size_t begin_ = 0;   // the statement's first token
  std::vector<std::size_t> open_;  // open brackets of the statement
  int depth_ = 0;
  bool failed_ = false;
  bool lacks_opener_ = false;  // the mistake is a missing `{` of a block
  bool prose_ = false;         // the mistake is that the line is not notation
  Span refused_line_;
  std::uint32_t next_trivia_ = 0;
  Token end_;  // shown where the statement ends
  const Token* current_ = &end_;
};

}  // namespace shard
