// What the parser's files share: the place in the tokens, mistakes, and the functions that read one construct each.
// Private to the folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/ast.h"
#include "grammar/diagnostic.h"
#include "grammar/names.h"
#include "grammar/source.h"
#include "grammar/token.h"

namespace shard {

// Levels of nesting, counted by brackets, blocks and operators of a chain.
inline constexpr int kDeepest = 256;

// A cursor over the tokens of one statement at a time. It shows an End token where the statement ends, and after the
// first mistake in a statement it shows nothing but End: every function then runs out, and no second mistake is
// reported.
class ParserContext {
 public:
  ParserContext(const SourceMap& sources, const TokenList& list, Names& names,
                DiagnosticSink& sink);

  // ---- tokens
  const Token& current() const { return peek(0); }
  // The token `ahead` places further if it belongs to the statement, else End.
  const Token& peek(std::size_t ahead) const;
  // How far ahead the token behind the bracket group stands that begins `ahead` places further.
  std::size_t after_group(std::size_t ahead) const;
  bool at(TokenKind kind) const { return current().kind == kind; }
  bool at_word(std::string_view word) const;
  // Whether the current token stands on the same line, and with `glued` directly behind the one before it.
  bool on_same_line() const { return !current().line_start; }
  void advance();
  bool accept(TokenKind kind);
  // Lets the statement go on at the next line: called behind an operator.
  void join_line() { joined_ = position_; }
  // Ends the statement at the current token, which begins a line.
  void refuse_line();

  // ---- places
  std::size_t position() const { return position_; }
  // From the token at index `begin` to the last one that was read.
  Span span_from(std::size_t begin) const;
  ast::Location location_from(std::size_t begin) const { return {span_from(begin)}; }
  std::string_view source_text(const Span& span) const { return sources_.text(span); }

  // ---- brackets
  // Reads the opening bracket; inside it lines do not end the statement. Returns its index.
  std::size_t open();
  // Reads the closing bracket of `opener`, or reports what is wrong: `what` could have stood here.
  void close(std::size_t opener, std::string_view what);

  // ---- mistakes
  bool failed() const { return failed_; }
  void fail(DiagnosticKind kind, const Span& span, std::string message,
            std::vector<std::string> help = {}, std::vector<Note> notes = {});
  // "expected `what`, found …", at the current token.
  void fail_expected(std::string_view what, std::vector<std::string> help = {});
  // Back-ticked text of the current token, or "the end of the line".
  std::string found() const;

  // ---- statements
  void begin_statement();
  // Puts the cursor behind the statement that began at token `begin`, past `;`.
  void end_statement(std::size_t begin);
  bool at_block_end() const { return position_ >= limit_; }
  // Whether the statement is read to its end.
  bool at_statement_end() const;
  // Index behind the statement that begins at token `begin` and reaches at least to the current token.
  std::size_t statement_end(std::size_t begin) const;
  const Token& token(std::size_t index) const { return list_.tokens[index]; }

  // ---- comments
  // Comments and blank lines before the current token that no statement has taken; "" is blank lines.
  std::vector<std::string> take_leading_comments();
  // Comments inside the statement, up to the last token read.
  std::vector<std::string> take_inner_comments();
  // The comment on the line of the last token read.
  std::string take_trailing_comment();
  // Passes over comments up to the last token read.
  void drop_comments();

  // ---- what is known
  Names& names() { return names_; }
  const Names& names() const { return names_; }
  void add_dimension(const std::string& name);
  void add_array(const std::string& name);
  bool knows(const std::string& name) const;
  DiagnosticSink& sink() { return *sink_; }

  // Height of the expression that was read last: trees are limited by height, since everything behind the parser
  // walks them recursively.
  int height = 0;
  // The greatest height of an expression of the block so far.
  int tallest = 0;
  // Inside `expect`, `=` compares.
  bool equal_compares = false;
  // A statement of a block inside the current statement has a mistake.
  bool block_has_error = false;

 private:
  friend class Nesting;
  friend class BlockScope;

  bool ends_before(std::size_t index) const;
  std::vector<std::string> take_comments(std::uint32_t end, bool keep_blanks);
  void update_end();

  const SourceMap& sources_;
  const TokenList& list_;
  Names& names_;
  DiagnosticSink* sink_;
  std::size_t position_ = 0;
  std::size_t limit_;       // the block's closing brace, or the End token
  std::size_t joined_ = 0;  // a token that belongs to the statement although it begins a line
  int brackets_ = 0;        // open brackets of the statement
  int depth_ = 0;
  bool failed_ = false;
  std::uint32_t next_trivia_ = 0;
  Token end_;  // shown where the statement ends
};

// One level of recursion. Reports TooDeep and makes the statement run out at the limit.
class Nesting {
 public:
  explicit Nesting(ParserContext& context);
  ~Nesting() { --context_.depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  ParserContext& context_;
};

// The inside of `{ … }`: statements of their own, names of their own, mistakes into `sink`. Begins at the open brace.
class BlockScope {
 public:
  BlockScope(ParserContext& context, DiagnosticSink& sink);
  ~BlockScope();
  BlockScope(const BlockScope&) = delete;
  BlockScope& operator=(const BlockScope&) = delete;

 private:
  ParserContext& context_;
  Names names_;
  DiagnosticSink* sink_;
  std::size_t limit_;
  int brackets_;
  bool equal_compares_;
};

// ---- parser.cpp
std::vector<ast::Statement> parse_statements(ParserContext& context);
struct Block {
  std::vector<ast::Statement> body;
  std::vector<std::string> trailing;
};
// The current token is where `{` should be. Mistakes of its statements go into `sink`.
Block parse_block(ParserContext& context, DiagnosticSink& sink);

// ---- parse_statement.cpp
ast::Statement parse_statement(ParserContext& context);

// ---- parse_words.cpp: which statement begins here
// The statement's own word, if it stands at the start and what its rule wants stands behind it.
bool begins_command(const ParserContext& context, std::string_view word);
// Behind an operator: lets the operand begin on the next line, unless that is a statement by its first word.
void join_operand(ParserContext& context);
// A word of the language near to `word`.
std::optional<std::string> nearest_word(std::string_view word);
// Reports a first word that begins no statement, with a guess at the one that was meant.
void reject_unknown_word(ParserContext& context);

// ---- parse_command.cpp: statements with a word of their own
using StatementNode = decltype(ast::Statement::node);
StatementNode parse_print(ParserContext& context);
StatementNode parse_expect(ParserContext& context);
StatementNode parse_why(ParserContext& context);
StatementNode parse_drop(ParserContext& context);
StatementNode parse_plan(ParserContext& context);

// ---- parse_hardware.cpp
StatementNode parse_hardware(ParserContext& context);
StatementNode parse_bare_slice(ParserContext& context);
StatementNode parse_chip(ParserContext& context);
StatementNode parse_mesh(ParserContext& context);

// ---- parse_declaration.cpp
bool is_declaration(const ParserContext& context);
StatementNode parse_declaration(ParserContext& context);

// ---- parse_unread.cpp: statements that this version does not run, and those that could not be read
bool is_later_statement(const ParserContext& context);
// Reports NotYet; the statement runs out.
void reject_later(ParserContext& context);
// The tokens from `begin` to the last one read, as text.
ast::Unsupported unread_statement(const ParserContext& context, std::size_t begin);

// ---- parse_expression.cpp, parse_operand.cpp
ast::Expr parse_expression(ParserContext& context);
// A collective, or an operand without operators outside brackets.
ast::Expr parse_postfix(ParserContext& context);
// Whether the token can begin an operand.
bool begins_operand(const Token& token);
bool is_block_word(std::string_view word);

// ---- parse_collective.cpp
bool is_collective_word(std::string_view word);
bool is_collective(const ParserContext& context);
ast::Expr parse_collective(ParserContext& context);

// ---- parse_array.cpp
// `A[I_X, J]{U_X}`, `[A, B]`, `bf16[2048_X]`, `A`.
ast::ArrayRef parse_array(ParserContext& context);
// `[I_X, J]`; the current token is `[`.
std::vector<ast::Dimension> parse_dimensions(ParserContext& context);
ast::Identifier parse_identifier(ParserContext& context, std::string_view what);
// A name of an array, whose subscript belongs to it: `W_in`, `W_{in}`.
ast::Identifier parse_name(ParserContext& context, std::string_view what);
// The axes that a written subscript means; `place` is where it stands.
std::vector<ast::Identifier> axes_of(std::string_view word, const Span& place, const Names& names);
// Behind an underscore: `X`, `XY`, `{XY}`, `{X,Y}`.
std::vector<ast::Identifier> parse_axes(ParserContext& context);

// ---- parse_number.cpp
ast::Number parse_number(ParserContext& context, std::string_view what);
// `4x4x8`.
std::vector<ast::Number> parse_slice(ParserContext& context, std::string_view what);

}  // namespace shard
