// What the parser's files share: the place in the tokens, mistakes, and the function that reads each construct. Private
// to the folder.
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

// ---- parser.cpp
inline constexpr std::size_t kToTheEnd = static_cast<std::size_t>(-1);
// The block's next statement that begins before token `end`, after semicolons; nullopt if there is none.
std::optional<ast::Statement> parse_next_statement(ParserContext& context, std::size_t end);
std::vector<ast::Statement> parse_statements(ParserContext& context);
struct Block {
  std::vector<ast::Statement> body;
  std::vector<std::string> trailing;
};
// The current token is where `{` should be. Mistakes of its statements go to `sink`.
Block parse_block(ParserContext& context, DiagnosticSink& sink);

// ---- statement.cpp
// Reads into a new statement.
void parse_statement(ParserContext& context, ast::Statement& statement);
// `NAME =`
bool is_binding(const ParserContext& context);

// ---- keywords.cpp: which statement begins here
// The statement's keyword, if one is here and is followed by what its rule requires; else null.
const Keyword* command_here(const ParserContext& context);
bool begins_any_command(const ParserContext& context);
bool is_command_word(std::string_view word);
bool is_later_statement(const ParserContext& context);
// Reports a first word that begins no statement, with a guess at the intended one.
void reject_unknown_word(ParserContext& context);

// ---- book_line.cpp: where a statement continues, and what may follow it
// After an operator: lets the operand begin on the next line, unless that line is a statement.
void join_operand(ParserContext& context);
// After a comma between the parts of a statement: lets the next part begin on the next line. It may have a `=`.
void join_item(ParserContext& context);
// Whether the current token begins a line that is a statement, judging by its first words.
bool begins_statement_line(const ParserContext& context);
// Whether the rest of the statement, `ahead` places further on, is a remark: `(now gathered)`. With `certain`, nothing
// else could be there; without, only a text that is not an expression counts.
bool is_remark(const ParserContext& context, std::size_t ahead, bool certain);
// Whether the statement is a table row: `| AllGather | [A_X] → [A] |`.
bool is_table_row(const ParserContext& context);
// Whether the statement is a LaTeX formula without any array brackets.
bool is_formula_of_text(const ParserContext& context);
// Skips the remark and returns its text.
std::string take_remark(ParserContext& context);
// Whether a full stop, `ahead` places further on, and an English sentence follow the statement on its line: `A → B. Two
// strategies:`.
bool is_sentence(const ParserContext& context, std::size_t ahead);
// Skips the full stop and the rest of the line, and returns it.
std::string take_sentence(ParserContext& context);
// Whether the line that begins here has an arrow outside brackets, or with `equal` a `=`.
bool line_relates(const ParserContext& context, bool equal);
// Whether the line of token `index` reads like an English sentence: words are adjacent at least `pairs` times.
bool is_prose(const ParserContext& context, std::size_t index, int pairs = 2);

// ---- misspelt.cpp: words that were meant to be others
// Reports the word that ends at token `index` if a collective was meant: `AllGahter_X`, `all_gather`, `All-Gather_X`.
bool reject_misspelt(ParserContext& context, std::size_t index);
// Whether the word is another name of a collective rather than a typo.
bool is_collective_alias(std::string_view word);
// Reports `x += 1` whose `=` is here, in place of an operand.
bool reject_change(ParserContext& context);
// Reports what keeps the statement from ending here.
void reject_rest(ParserContext& context);

// ---- unit.cpp: units as they are written elsewhere
// Reports the word after a number that was meant to be its unit: `96 Gb`, `400 Gbps`.
bool reject_unit(ParserContext& context);
// Reports other units only, not words that merely resemble one.
bool reject_other_unit(ParserContext& context);
// Reports the divisor of a number that was meant to be seconds: `50 GB/sec`. The current token is the `/`.
bool reject_divided_unit(ParserContext& context);

// ---- command.cpp, fault.cpp, function.cpp, hardware.cpp, loop.cpp, module.cpp: statements with a word of their own
using StatementNode = decltype(ast::Statement::node);
// NOLINTBEGIN(readability-redundant-declaration): two words may begin one kind of statement
#define SHARD_KEYWORD(word, parse, does, stands, behind, guess, example, meaning) \
  StatementNode parse(ParserContext& context);
#define SHARD_LATER_WORD(word, behind, guess)
#define SHARD_BLOCK_WORD(word, kind, runs)
#include "grammar/tree/keywords.def"
// NOLINTEND(readability-redundant-declaration)

// ---- hardware.cpp
bool is_bare_slice(const ParserContext& context);
StatementNode parse_bare_slice(ParserContext& context);
// A name, or a quoted text that is one.
ast::Identifier parse_axis_name(ParserContext& context);
// Makes the axes of the mesh the current ones.
void declare_axes(ParserContext& context, const ast::Mesh& mesh);
// `{X: 4, Y: 2}`.
ast::Mesh parse_axes_list(ParserContext& context);
// `TPUv5p 4x4x4 wrap {HBM: 300 MB}`: what follows `hardware`.
ast::Hardware parse_machine(ParserContext& context);

// ---- loop.cpp
StatementNode parse_group_statement(ParserContext& context);

// ---- jax.cpp: meshes as JAX writes them
bool is_jax_mesh(const ParserContext& context);
StatementNode parse_jax_mesh(ParserContext& context);
// `jax.NamedSharding(…)`: Python that is not a mesh.
bool is_python(const ParserContext& context);
void reject_python(ParserContext& context);

// ---- declaration.cpp
bool is_declaration(const ParserContext& context);
StatementNode parse_declaration(ParserContext& context);
// `A[I, J], B[J, K]`, and `A[I, J] = …`.
bool is_mention(const ParserContext& context);
StatementNode parse_mention(ParserContext& context);

// ---- label.cpp: what precedes statements and separates them
// Skips a list number and a label and returns them: `2. `, `Syntax: `.
std::string take_label(ParserContext& context);
// Skips what separates two statements of a sentence: `, then`.
void skip_then(ParserContext& context);

// ---- unsupported.cpp: statements that this version does not run, and those that could not be read
// Reports NotYet; the statement runs out.
void reject_later(ParserContext& context);
// The tokens from `begin` to the last one read, as text.
ast::Unsupported unread_statement(ParserContext& context, std::size_t begin);
// A name that it would have given a number is a dimension if it occurs in brackets: `int BLOCK_M = 128`.
void learn_numbers(ParserContext& context, std::size_t begin);

// ---- foreign.cpp
// `function f(x)`, `begin`: what follows, up to `end`, belongs to it.
bool begins_foreign_function(const ParserContext& context);
void reject_foreign_function(ParserContext& context);
// If the statement from token `begin` to the cursor is a line of another language, replaces its mistake by one that
// says so. After an indented block the cursor is moved past its last line.
void retell_foreign(ParserContext& context, std::size_t begin);
// After the lines from token `end` on that are indented deeper than the statement.
std::size_t behind_deeper_lines(const ParserContext& context, std::size_t begin, std::size_t end);
// Skips the lines of the statement's block, whose brace is never closed.
void pass_unclosed_block(ParserContext& context, std::size_t begin);

// ---- expression.cpp, operand.cpp
ast::Expr parse_expression(ParserContext& context);
// Without comparisons and looser operators.
ast::Expr parse_sum(ParserContext& context);
// A collective, or an operand without operators outside brackets.
ast::Expr parse_postfix(ParserContext& context);
// Whether the token can begin an operand.
bool begins_operand(const Token& token);
bool is_block_word(std::string_view word);
// Whether it begins like `softmax_S`. If the script has a name of that spelling, it is not a call.
bool begins_like_call_along(std::string_view word);

// ---- collective.cpp
bool is_collective_word(std::string_view word);
// Accepts axes without an underscore as well: `AllGatherX`.
bool is_collective_word(std::string_view word, const Names& names);
bool is_collective(const ParserContext& context);
ast::Expr parse_collective(ParserContext& context);

// ---- array.cpp
// `A[I_X, J]{U_X}`, `[A, B]`, `bf16[2048_X]`, `A`.
ast::ArrayRef parse_array(ParserContext& context);
// Accepts `X: bf16[I, J]` as well.
ast::ArrayRef parse_typed_array(ParserContext& context);
ast::Identifier parse_identifier(ParserContext& context, std::string_view what);
// A name of an array including its subscript: `W_in`, `W_{in}`.
ast::Identifier parse_name(ParserContext& context, std::string_view what);

// ---- dimension.cpp
// `[I_X, J]`; the current token is `[`.
std::vector<ast::Dimension> parse_dimensions(ParserContext& context);

// ---- axes.cpp
// After an underscore: `X`, `XY`, `{XY}`, `{X,Y}`.
std::vector<ast::Identifier> parse_axes(ParserContext& context);
// After the current token: `overlap X`, `overlap {XY}`; JAX's axes of a dimension, `2048@x`, `2048@(x, y)`.
std::vector<ast::Identifier> parse_axes_behind(ParserContext& context);
// The axes meant by a written subscript; `place` is its position.
std::vector<ast::Identifier> axes_of(ParserContext& context, std::string_view word,
                                     const Span& place);
// The part of a token's span that begins at `offset`. REQUIRES: the token is written as its text.
Span part_of(const Span& token, std::size_t offset);
// Reports a word that can be split into a dimension and axes, or into axes, in several ways.
void fail_ambiguous(ParserContext& context, std::string_view word, const Span& place,
                    const std::vector<std::string>& readings);

// ---- braces.cpp
// `{U_X}`, `{UX}`, `{U.X}`, `<U_X>`, `{max_X}`, `{min_X}` if there is one here; otherwise without axes.
struct UnreducedMark {
  std::vector<ast::Identifier> axes = {};
  ast::Parts parts = ast::Parts::Sums;
};
UnreducedMark parse_unreduced_mark(ParserContext& context);
// `{Z=0}` if there is one here; otherwise empty.
std::vector<ast::Placement> parse_placed_mark(ParserContext& context);
// Reports any other brace after `]`.
void reject_other_mark(ParserContext& context);

// ---- number.cpp
ast::Number parse_number(ParserContext& context, std::string_view what);
// `4x4x8`.
std::vector<ast::Number> parse_slice(ParserContext& context, std::string_view what);

}  // namespace shard
