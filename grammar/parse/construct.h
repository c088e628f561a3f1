// The function that reads each construct, by the file that it is in. Private to the folder.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/parse/parser_context.h"
#include "grammar/posted/posted.h"
#include "grammar/tree/ast.h"
#include "grammar/tree/keyword.h"

namespace shard {

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
// `→ C(I_X, K)`, `→ C[I, K] (U_X)`: a layout in round brackets is reported, for a remark changes nothing.
void reject_round_brackets(ParserContext& context);
// Whether the statement is a table row: `| AllGather | [A_X] → [A] |`.
bool is_table_row(const ParserContext& context);
// Whether the statement is a LaTeX formula without any array brackets.
bool is_formula_of_text(const ParserContext& context);
// Skips the remark and returns its text.
std::string take_remark(ParserContext& context);
// Whether a full stop, `ahead` places further on, and an English sentence follow the statement on its line: `A → B. Two
// strategies:`.
bool is_sentence(const ParserContext& context, std::size_t ahead);
// Whether the rest of the line, `. AllGather_X A[I_X] → A[I]`, states something, of which nothing may be lost.
bool states_more(const ParserContext& context);
// Whether a semicolon and only words follow the statement on its line: `A → B; then multiply locally`.
bool is_aside(const ParserContext& context);
// Skips the full stop or semicolon and the rest of the line, and returns it.
std::string take_sentence(ParserContext& context);
// Whether the line that begins here has an arrow outside brackets, or with `equal` a `=`.
bool line_relates(const ParserContext& context, bool equal);
// Whether the line of token `index` reads like an English sentence: words are adjacent at least `pairs` times.
bool is_prose(const ParserContext& context, std::size_t index, int pairs = 2);

// ---- misspelt.cpp: collectives that were meant by other words
// Reports the word that ends at token `index` if a collective was meant: `AllGahter_X`, `all_gather`, `All-Gather_X`.
bool reject_misspelt(ParserContext& context, std::size_t index);
// Whether the word that ends at token `index` and what hyphens join to it are one: `reduce-scatter`.
bool joins_collective(const ParserContext& context, std::size_t index);
// Whether the word is another name of a collective rather than a typo.
bool is_collective_alias(std::string_view word);

// ---- rest.cpp: what keeps a statement from ending
// Reports what keeps the statement from ending here.
void reject_rest(ParserContext& context);
// The token after the rest of the statement.
std::size_t rest_end(const ParserContext& context);
// The statement with `sign` between the part that was read and the rest.
std::string joined_statement(const ParserContext& context, std::size_t left, std::size_t right,
                             std::string_view sign);

// ---- change.cpp: a name does not change its value
// Reports `x += 1` whose `=` is here, in place of an operand.
bool reject_change(ParserContext& context);

// ---- bracketed_words.cpp: brackets that are no array
// The arrays of a statement that has one or two values.
std::vector<const ast::ArrayRef*> stated_arrays(const ast::Statement& statement);
// Whether the statement is one about statistics: of single letters `E` and `P` only if they stand with one thing in brackets.
bool is_about_statistics(const ast::Statement& statement, const Names& names);
// Whether brackets hold words alone, of so many letters or more, `rm -rf [FILE]`, `MIT[License]`, or what a layer is given.
bool has_only_placeholders(const ast::Statement& statement, const Names& names, std::size_t fewest);
// Whether it names parts of a text or types of another language alone: `Figure[A], Eq[B]`, `Optional[T]`.
bool has_only_labels(const ast::Statement& statement, const Names& names);
// Whether a dimension is a variable of a program or an index, `users[user_id]`, `x[t_max]`, `Q[s_t]`: in small letters, and with a subscript that is none of
// the known axes.
bool is_variable(const ast::Dimension& dimension, const Names& names);
// Reports `half[B, D]` alone: a declaration without a name.
void reject_nameless_array(ParserContext& context);
// Reports `See [Smith, 2020].`
void reject_reference(ParserContext& context);

// ---- product.cpp: products as they are written elsewhere
// Reports `A[I, J], B[J, K] → C[I, K]`, `Σ_j A[I, j] B[j, K]` and `A[I, J] x B[J, K]`.
bool reject_product(ParserContext& context);
// Reports `mean_J A^2`, `mean_J x ⊙ x`: the mean of the squares, or the square of the mean. At the sign; `argument`: the first token of
// what the function is of.
void reject_factor(ParserContext& context, const std::string& function, std::size_t argument);
// Reports `2BDF`: a product as in formulas of prose.
void reject_run_together(ParserContext& context);
// What to write if two operands are adjacent.
std::vector<std::string> side_by_side_help(const ParserContext& context);

// ---- unit.cpp: units as they are written elsewhere
// Reports the word after a number that was meant to be its unit: `96 Gb`, `400 Gbps`.
bool reject_unit(ParserContext& context);
// Reports other units only, not words that merely resemble one.
bool reject_other_unit(ParserContext& context);
// Reports the divisor of a number that was meant to be seconds: `50 GB/sec`. The current token is the `/`.
bool reject_divided_unit(ParserContext& context);

// ---- command.cpp, fault.cpp, function.cpp, hardware.cpp, loop.cpp, declaration.cpp: statements with a word of their own
using StatementNode = decltype(ast::Statement::node);
// NOLINTBEGIN(readability-redundant-declaration): two words may begin one kind of statement
#define SHARD_KEYWORD(word, parse, does, stands, behind, guess, example, meaning) \
  StatementNode parse(ParserContext& context);
#define SHARD_BLOCK_WORD(word, kind, runs)
#include "grammar/tree/keywords.def"
// NOLINTEND(readability-redundant-declaration)

// ---- formula.cpp: flows, assignments, equations and values
// What begins with no word of its own.
StatementNode parse_formula(ParserContext& context);

// ---- hardware.cpp
bool is_bare_slice(const ParserContext& context);
StatementNode parse_bare_slice(ParserContext& context);
// Makes the axes of the mesh the current ones.
void declare_axes(ParserContext& context, const ast::Mesh& mesh);
// `{X: 4, Y: 2}`.
ast::Mesh parse_axes_list(ParserContext& context);
// `TPUv5p 4x4x4 wrap {HBM: 300 MB}`: what follows `hardware`.
ast::Hardware parse_machine(ParserContext& context);

// ---- loop.cpp
StatementNode parse_group_statement(ParserContext& context);

// ---- question.cpp: `solve B { … }`, `when { … }`, `minimize … over X`, wherever values stand
bool begins_question(const ParserContext& context);
ast::Expr parse_question_value(ParserContext& context);

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
bool is_results(const ParserContext& context);
StatementNode parse_results(ParserContext& context);

// ---- label.cpp: what precedes statements and separates them
// Skips a list number and a label and returns them: `2. `, `Syntax: `.
std::string take_label(ParserContext& context);
// Skips what separates two statements of a sentence: `, then`.
void skip_then(ParserContext& context);

// ---- unsupported.cpp: statements that could not be read
// The tokens from `begin` to the last one read, as text.
ast::Unsupported unread_statement(ParserContext& context, std::size_t begin);
// A name that it would have given a number is a dimension if it occurs in brackets: `int BLOCK_M = 128`.
void learn_numbers(ParserContext& context, std::size_t begin);

// ---- posted.cpp
// What a statement says that stands among words.
PostedKind posted_kind(const ast::Statement& statement);
// What the parser knows of the text, with `before` in front of what is read, and `earlier` before that; `failed`: it cannot be read
// as it stands.
PostedNames posted_names(const Names& names, std::string_view before, bool failed,
                         const SourceMap* sources = nullptr, FileId earlier = {});
// Reads the line of token `begin` again, as one that was posted with remarks around its notation; `reported` is how many
// diagnostics there were before it, and `failed` says that it cannot be read as it stands. Further statements of the line
// wait in the context.
bool parse_posted(ParserContext& context, std::size_t begin, std::size_t reported, bool failed,
                  ast::Statement& statement);
// Whether a statement that can be read has a call or a layout of another language in it.
bool may_be_posted(const ParserContext& context, const ast::Statement& statement,
                   std::string_view remark);

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

// The statements of a text, read by itself and as this language alone. Their spans are of a file that is gone.
std::vector<ast::Statement> parse_alone(std::string_view text, DiagnosticSink& sink);

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

// Reports `W[L = 3, D, E]`: indices and dimensions in one bracket, which is behind a name.
void reject_mixed_bracket(ParserContext& context, std::size_t opener);
// Whether `[I = …` is here: an index that names its dimension.
bool at_named_index(const ParserContext& context);
// `[i]`, `[I = i, J = Pick]`; the current token is `[`.
void parse_index_suffix(ParserContext& context, std::vector<ast::Index>& indices);

// ---- dimension.cpp
// `[I_X, J]`; the current token is `[`.
std::vector<ast::Dimension> parse_dimensions(ParserContext& context);

// ---- axes.cpp
// A name, or a quoted text that is one.
ast::Identifier parse_axis_name(ParserContext& context);
// After an underscore: `X`, `XY`, `{XY}`, `{X,Y}`.
std::vector<ast::Identifier> parse_axes(ParserContext& context);
// After the current token: `overlap X`, `overlap {XY}`; JAX's axes of a dimension, `2048@x`, `2048@(x, y)`.
std::vector<ast::Identifier> parse_axes_behind(ParserContext& context);
// `overlap Y` after a flow, if it is there.
bool at_overlap(const ParserContext& context);
void parse_overlap(ParserContext& context, ast::Flow& flow);
// `Y…` where no pattern stands; the current token is behind the name.
void reject_all_axes(ParserContext& context, const ast::Identifier& name);
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
// A length where a name of a dimension may stand: "16384" for `16Ki`.
ast::Identifier parse_length_name(ParserContext& context);
// Either of them.
ast::Identifier parse_dimension_or_length(ParserContext& context);
// `4x4x8`.
std::vector<ast::Number> parse_slice(ParserContext& context, std::string_view what);

// ---- mistake.cpp
// `top_{D,2}`: the count is the length of a dimension.
void fail_counted(ParserContext& context, const ast::Call& call, const std::string& number,
                  const Span& place);

}  // namespace shard
