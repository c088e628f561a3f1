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
#include "grammar/keyword.h"
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
  ParserContext(const ParserContext&) = delete;
  ParserContext& operator=(const ParserContext&) = delete;

  // ---- tokens
  const Token& current() const { return *current_; }
  // The token `ahead` places further if it belongs to the statement, else End.
  const Token& peek(std::size_t ahead) const {
    if (shows_end()) return end_;
    const std::size_t target = position_ + ahead;
    if (target >= limit_) return peek_over_lines(target);
    for (std::size_t i = 1; i <= ahead; ++i) {
      if (current_[i].line_start) return peek_over_lines(target);
    }
    return current_[ahead];
  }
  // How far ahead the token behind the bracket group stands that begins `ahead` places further.
  std::size_t after_group(std::size_t ahead) const;
  bool at(TokenKind kind) const { return current().kind == kind; }
  bool at_word(std::string_view word) const {
    const Token& token = current();
    return token.kind == TokenKind::Identifier && token.text == word;
  }
  // Whether the current token stands on the same line, and with `glued` directly behind the one before it.
  bool on_same_line() const { return !current().line_start; }
  void advance();
  bool accept(TokenKind kind);
  // Lets the statement go on at the next line: called behind an operator.
  void join_line() {
    joined_ = position_;
    update();
  }
  // Ends the statement at the current token, which begins a line.
  void refuse_line();
  // Passes over the bracket group that begins here.
  void skip_group();

  // ---- places
  std::size_t position() const { return position_; }
  // From the token at index `begin` to the last one that was read.
  Span span_from(std::size_t begin) const;
  ast::Location location_from(std::size_t begin) const { return {span_from(begin)}; }
  std::string_view source_text(const Span& span) const { return sources_.text(span); }
  // The tokens from `begin` up to `end` as they were read, without mark-up.
  std::string plain_text(std::size_t begin, std::size_t end) const;

  // ---- brackets
  // Reads the opening bracket; inside it lines do not end the statement. Returns its index.
  std::size_t open();
  // The index of the innermost bracket of the statement that is open here.
  std::optional<std::size_t> innermost() const;
  // What is told of a line that is no notation: the line as a remark, where it stands alone.
  std::vector<std::string> remark_help() const;
  // Reports that the bracket is never closed; `what` could have stood here instead of the current token.
  void fail_unclosed(std::size_t opener, std::string_view what);
  std::vector<std::string> closed_line(std::string_view closer) const;
  std::vector<std::string> closed_subscript(std::size_t opener) const;
  // The statement from its first token on, as far as it reaches on its lines.
  Span line_span() const;
  // The statement with `text` in the place of a piece of it; nullopt where it could not be read then.
  std::optional<std::string> edited_line(const Span& place, std::string_view text) const;
  // Reads the closing bracket of `opener`, or reports what is wrong: `what` could have stood here.
  void close(std::size_t opener, std::string_view what);

  // ---- mistakes
  bool failed() const { return failed_; }
  void fail(DiagnosticKind kind, const Span& span, std::string message,
            std::vector<std::string> help = {}, std::vector<Note> notes = {});
  // "expected `what`, found …", at the current token.
  // The statement is a formula that belongs to the text around the notation.
  void fail_formula(const Span& span);
  void fail_expected(std::string_view what, std::vector<std::string> help = {});
  // The block of the statement lacks its `{` here. All up to the brace that ends it, if there is one, is passed over.
  void fail_without_opener(std::vector<std::string> help);
  // Index behind the first `}` from the current token on that closes nothing; nullopt if there is none in the block. Where
  // the text goes on behind its tokens, behind them: then it is read again with more of it.
  std::optional<std::size_t> behind_lone_closer() const;
  // The rest of a line of the file that was said to be no notation: nothing else is reported in it.
  const Span& refused_line() const { return refused_line_; }
  void set_refused_line(const Span& line) { refused_line_ = line; }
  // Back-ticked text of the current token, or "the end of the line".
  std::string found() const;

  // ---- statements
  void begin_statement();
  // The statement proper begins at the current token.
  void begin_behind_label() { begin_ = position_; }
  // The statement is an item of a list: a line that begins with `* ` or `• ` is the next one, and does not go on with
  // this one as with a product.
  void begin_list_item();
  // Puts the cursor behind the statement that began at token `begin`, past `;`.
  void end_statement(std::size_t begin);
  // Goes back to a token of the statement, which the next one begins with.
  void go_back(std::size_t position);
  bool at_block_end() const { return position_ >= limit_; }
  // Whether the statement is read to its end.
  bool at_statement_end() const;
  // Index behind the statement that begins at token `begin` and reaches at least to the current token.
  std::size_t statement_end(std::size_t begin) const;
  const Token& token(std::size_t index) const { return list_.tokens[index]; }
  // Index behind the token, or behind the bracket group that it begins.
  std::size_t behind(std::size_t index) const;
  // Index of the token that ends the block: its closing brace, or the End token.
  std::size_t block_end() const { return limit_; }
  // Whether the token at `index` begins a line that the statement before it does not go on with.
  bool begins_line(std::size_t index) const {
    return list_.tokens[index].line_start && begins_next_line(index);
  }
  // Counts from 1.
  std::uint32_t column_of(std::size_t index) const {
    const Span& span = list_.tokens[index].span;
    return sources_.position(span.file, span.begin).column;
  }
  // Index of the statement's first token.
  std::size_t statement_begin() const { return begin_; }

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
  void add_array(const std::string& name) { names_.arrays.add(name); }
  // The array's name in the spelling that was seen first.
  std::string spelling(std::string_view name) const { return names_.arrays.spelling(name); }
  // Writes the array's name in that spelling; false if there is no such array.
  bool respell(std::string& name) const;
  bool knows(std::string_view name) const;
  // The same, or an axis.
  bool means_something(std::string_view name) const { return knows(name) || names_.has_axis(name); }
  DiagnosticSink& sink() { return *sink_; }

  // Height of the expression that was read last: trees are limited by height, since everything behind the parser
  // walks them recursively.
  int height = 0;
  // The greatest height of an expression of the block so far.
  int tallest = 0;
  // Inside `expect`, `=` compares.
  bool equal_compares = false;
  // The statement's own block stands behind the expression.
  bool before_block = false;
  // The statement may still get an arrow or a `=`.
  bool may_relate = false;
  // The value of a binding is read, behind which another binding may stand.
  bool in_binding = false;
  // The statement has ended at `, then`, and the next one begins here.
  bool ended = false;
  // The next statement begins at this token, which the current one has read already: `A → B → C`.
  std::optional<std::size_t> restart;
  // The tokens are those of a piece of the text, which goes on.
  bool text_goes_on = false;
  // Mistakes are told as what they are in other languages.
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
  // Of a token that is the first on its line: whether the statement before does not go on with it.
  bool begins_next_line(std::size_t index) const;
  const Token& peek_over_lines(std::size_t target) const;
  std::vector<std::string> take_comments(std::uint32_t end, bool keep_blanks);
  // Finds out what is shown: called when the cursor, the mistake or what ends the statement has changed.
  void update();
  bool shows_end() const { return current_ == &end_; }
  // At a token that means nothing.
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
  bool lacks_opener_ = false;  // the mistake is that a block does
  bool prose_ = false;         // the mistake is that the line is no notation
  Span refused_line_;
  std::uint32_t next_trivia_ = 0;
  Token end_;  // shown where the statement ends
  const Token* current_ = &end_;
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

// Names that are made known from here on are known until it ends.
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
// The next one of the block that begins before token `end`, behind semicolons; nullopt if there is none.
std::optional<ast::Statement> parse_next_statement(ParserContext& context, std::size_t end);
std::vector<ast::Statement> parse_statements(ParserContext& context);
struct Block {
  std::vector<ast::Statement> body;
  std::vector<std::string> trailing;
};
// The current token is where `{` should be. Mistakes of its statements go into `sink`.
Block parse_block(ParserContext& context, DiagnosticSink& sink);

// ---- parse_statement.cpp
// Into a new statement.
void parse_statement(ParserContext& context, ast::Statement& statement);
// `NAME =`
bool is_binding(const ParserContext& context);

// ---- parse_words.cpp: which statement begins here
// The word of the statement, if one stands here and what its rule wants stands behind it; else null.
const Keyword* command_here(const ParserContext& context);
bool begins_any_command(const ParserContext& context);
bool is_command_word(std::string_view word);
bool is_later_statement(const ParserContext& context);
// Reports a first word that begins no statement, with a guess at the one that was meant.
void reject_unknown_word(ParserContext& context);

// ---- parse_line.cpp: where a statement goes on, and what may stand behind it
// Behind an operator: lets the operand begin on the next line, unless that line is a statement.
void join_operand(ParserContext& context);
// Behind a comma between the parts of a statement: the same, but the next part may have a `=`.
void join_item(ParserContext& context);
// Whether the current token begins a line, and that is a statement by its first words.
bool begins_statement_line(const ParserContext& context);
// Whether the rest of the statement, `ahead` places further, is a remark: `(now gathered)`. With `certain`, nothing
// else could stand there; without, only a text that is no expression is one.
bool is_remark(const ParserContext& context, std::size_t ahead, bool certain);
// Whether the statement is the row of a table: `| AllGather | [A_X] → [A] |`.
bool is_table_row(const ParserContext& context);
// Whether the statement is a formula in LaTeX without any brackets of an array.
bool is_formula_of_text(const ParserContext& context);
// Passes over the remark and returns its text.
std::string take_remark(ParserContext& context);
// Whether a full stop, `ahead` places further, and a sentence of English follow the statement on its line:
// `A → B. Two strategies:`.
bool is_sentence(const ParserContext& context, std::size_t ahead);
// Passes over the full stop and the rest of the line, and returns it.
std::string take_sentence(ParserContext& context);
// Whether the line that begins here has an arrow, or with `equal` a `=`, outside brackets.
bool line_relates(const ParserContext& context, bool equal);
// Whether the line of token `index` reads like a sentence of English: words stand side by side at least `pairs` times.
bool is_prose(const ParserContext& context, std::size_t index, int pairs = 2);

// ---- parse_misspelt.cpp: words that were meant to be others
// Reports the word that ends at token `index` if a collective was meant: `AllGahter_X`, `all_gather`, `All-Gather_X`.
bool reject_misspelt(ParserContext& context, std::size_t index);
// Whether the word is another name of a collective, and no slip of the finger.
bool is_collective_alias(std::string_view word);
// Reports `x += 1` whose `=` stands here, in the place of an operand.
bool reject_change(ParserContext& context);
// Reports what stands in the way of the statement's end.
void reject_rest(ParserContext& context);

// ---- parse_unit.cpp: units as they are written elsewhere
// Reports the word behind a number that was meant to be its unit: `96 Gb`, `400 Gbps`.
bool reject_unit(ParserContext& context);
// The same, but not of words that are only nearly one.
bool reject_other_unit(ParserContext& context);
// Reports what divides a number and was meant to be seconds: `50 GB/sec`. The current token is the `/`.
bool reject_divided_unit(ParserContext& context);

// ---- parse_command.cpp: statements with a word of their own
using StatementNode = decltype(ast::Statement::node);
StatementNode parse_print(ParserContext& context);
StatementNode parse_expect(ParserContext& context);
StatementNode parse_why(ParserContext& context);
StatementNode parse_drop(ParserContext& context);
StatementNode parse_save(ParserContext& context);
StatementNode parse_plan(ParserContext& context);

// ---- parse_fault.cpp: the machine misbehaving, and transfers from device to device
StatementNode parse_fault(ParserContext& context);
StatementNode parse_slow(ParserContext& context);
StatementNode parse_send(ParserContext& context);

// ---- parse_hardware.cpp
StatementNode parse_hardware(ParserContext& context);
bool is_bare_slice(const ParserContext& context);
StatementNode parse_bare_slice(ParserContext& context);
// A name, or a text in quotes that is one.
ast::Identifier parse_axis_name(ParserContext& context);
// The axes of the mesh are those in force from here on.
void declare_axes(ParserContext& context, const ast::Mesh& mesh);
StatementNode parse_chip(ParserContext& context);
StatementNode parse_mesh(ParserContext& context);
// `{X: 4, Y: 2}`.
ast::Mesh parse_axes_list(ParserContext& context);
// `TPUv5p 4x4x4 wrap {HBM: 300 MB}`: what stands behind `hardware`.
ast::Hardware parse_machine(ParserContext& context);

// ---- parse_function.cpp, parse_loop.cpp, parse_module.cpp
StatementNode parse_function(ParserContext& context);
StatementNode parse_return(ParserContext& context);
StatementNode parse_for(ParserContext& context);
StatementNode parse_if(ParserContext& context);
StatementNode parse_group_statement(ParserContext& context);
StatementNode parse_use(ParserContext& context);
StatementNode parse_show(ParserContext& context);

// ---- parse_jax.cpp: meshes as JAX writes them
bool is_jax_mesh(const ParserContext& context);
StatementNode parse_jax_mesh(ParserContext& context);
// `jax.NamedSharding(…)`: Python that is no mesh.
bool is_python(const ParserContext& context);
void reject_python(ParserContext& context);

// ---- parse_declaration.cpp
bool is_declaration(const ParserContext& context);
StatementNode parse_declaration(ParserContext& context);
// `A[I, J], B[J, K]`, and `A[I, J] = …`.
bool is_mention(const ParserContext& context);
StatementNode parse_mention(ParserContext& context);

// ---- parse_label.cpp: what stands in front of statements and between them
// Passes over a list number and a label and returns them: `2. `, `Syntax: `.
std::string take_label(ParserContext& context);
// Passes over what separates two statements of a sentence: `, then`.
void skip_then(ParserContext& context);

// ---- parse_unread.cpp: statements that this version does not run, and those that could not be read
// Reports NotYet; the statement runs out.
void reject_later(ParserContext& context);
// The tokens from `begin` to the last one read, as text.
ast::Unsupported unread_statement(ParserContext& context, std::size_t begin);
// What it would have given a number is a dimension all the same where it stands in brackets: `int BLOCK_M = 128`.
void learn_numbers(ParserContext& context, std::size_t begin);

// ---- parse_foreign.cpp
// `function f(x)`, `begin`: what stands below it, up to `end`, belongs to it.
bool begins_foreign_function(const ParserContext& context);
void reject_foreign_function(ParserContext& context);
// The mistake in the statement from token `begin` up to the cursor is told anew if it is a line of another language; of a
// block by indentation the cursor is then put behind its last line.
void retell_foreign(ParserContext& context, std::size_t begin);
// Behind the lines from token `end` on that are indented deeper than the statement.
std::size_t behind_deeper_lines(const ParserContext& context, std::size_t begin, std::size_t end);
// Passes over the lines of a block of the statement whose brace is never closed.
void pass_unclosed_block(ParserContext& context, std::size_t begin);

// ---- parse_expression.cpp, parse_operand.cpp
ast::Expr parse_expression(ParserContext& context);
// Without comparisons and what is looser.
ast::Expr parse_sum(ParserContext& context);
// A collective, or an operand without operators outside brackets.
ast::Expr parse_postfix(ParserContext& context);
// Whether the token can begin an operand.
bool begins_operand(const Token& token);
bool is_block_word(std::string_view word);
// Whether it begins like `softmax_S`: where the script has a name of that spelling, this is no call.
bool begins_like_call_along(std::string_view word);

// ---- parse_collective.cpp
bool is_collective_word(std::string_view word);
// The same, or with axes and no underscore: `AllGatherX`.
bool is_collective_word(std::string_view word, const Names& names);
bool is_collective(const ParserContext& context);
ast::Expr parse_collective(ParserContext& context);

// ---- parse_array.cpp
// `A[I_X, J]{U_X}`, `[A, B]`, `bf16[2048_X]`, `A`.
ast::ArrayRef parse_array(ParserContext& context);
// The same, and `X: bf16[I, J]`.
ast::ArrayRef parse_typed_array(ParserContext& context);
ast::Identifier parse_identifier(ParserContext& context, std::string_view what);
// A name of an array, whose subscript belongs to it: `W_in`, `W_{in}`.
ast::Identifier parse_name(ParserContext& context, std::string_view what);

// ---- parse_dimension.cpp
// `[I_X, J]`; the current token is `[`.
std::vector<ast::Dimension> parse_dimensions(ParserContext& context);

// ---- parse_axes.cpp
// Behind an underscore: `X`, `XY`, `{XY}`, `{X,Y}`.
std::vector<ast::Identifier> parse_axes(ParserContext& context);
// Behind the current token: `overlap X`, `overlap {XY}`; JAX's axes of a dimension, `2048@x`, `2048@(x, y)`.
std::vector<ast::Identifier> parse_axes_behind(ParserContext& context);
// The axes that a written subscript means; `place` is where it stands.
std::vector<ast::Identifier> axes_of(ParserContext& context, std::string_view word,
                                     const Span& place);
// The part of a token's text that begins at `offset`; the token is written as its text.
Span part_of(const Span& token, std::size_t offset);
// Reports a word whose dimension and axes, or whose axes, can be told apart in several ways.
void fail_ambiguous(ParserContext& context, std::string_view word, const Span& place,
                    const std::vector<std::string>& readings);

// ---- parse_mark.cpp
// `{U_X}`, `{UX}`, `{U.X}`, `<U_X>`, `{max_X}`, `{min_X}` if it stands here; else without axes.
struct UnreducedMark {
  std::vector<ast::Identifier> axes = {};
  ast::Parts parts = ast::Parts::Sums;
};
UnreducedMark parse_unreduced_mark(ParserContext& context);
// `{Z=0}` if it stands here; else nothing.
std::vector<ast::Placement> parse_placed_mark(ParserContext& context);
// Reports any other brace behind `]`.
void reject_other_mark(ParserContext& context);

// ---- parse_number.cpp
ast::Number parse_number(ParserContext& context, std::string_view what);
// `4x4x8`.
std::vector<ast::Number> parse_slice(ParserContext& context, std::string_view what);

}  // namespace shard
