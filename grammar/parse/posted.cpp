// Lines as people post them: passes a line that cannot be read to grammar/posted/posted.h.
#include "grammar/posted/posted.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "base/function.h"
#include "base/words.h"
#include "grammar/foreign/foreign.h"
#include "grammar/lex/lexer.h"
#include "grammar/markup/plain_text.h"
#include "grammar/parse/construct.h"
#include "grammar/tree/statement_parts.h"

namespace shard {
namespace {

// Whether the brackets are those of an array: `[2]` and `[1, 2]` may be notes of a text.
bool has_named_dimension(const BracketPart& part) {
  return std::any_of(part.dimensions.begin(), part.dimensions.end(), [](const auto& dimension) {
    return !std::holds_alternative<ast::Number>(dimension.name) || !dimension.axes.empty();
  });
}

bool has_array_brackets(const ast::Statement& statement) {
  const StatementParts parts = parts_of(statement);
  return std::any_of(parts.brackets.begin(), parts.brackets.end(), has_named_dimension);
}

// `and` between arrays is a word of the sentence.
bool joins_by_word(const ast::Expr& expr) {
  const auto* both = std::get_if<ast::Binary>(&expr.node);
  return both != nullptr && (both->op == ast::BinaryOp::And || both->op == ast::BinaryOp::Or);
}

PostedKind kind_of_posted_bindings(const ast::Bindings& bindings) {
  const bool sizes =
      std::all_of(bindings.items.begin(), bindings.items.end(), [](const ast::Binding& binding) {
        return std::holds_alternative<ast::Number>(binding.value->node);
      });
  return sizes ? PostedKind::Given : PostedKind::Named;
}

// `A: bf16[256, 1024] = 0.5 MB` says how much that is.
bool is_made_of_number(const ast::Declaration& declaration) {
  return declaration.makes && std::holds_alternative<ast::Number>(declaration.makes->value.node);
}

PostedKind read_posted_alone(std::string_view text) {
  DiagnosticSink sink;
  const std::vector<ast::Statement> statements = parse_alone(text, sink);
  if (!sink.all().empty() || statements.empty()) return PostedKind::Unreadable;
  PostedKind least = PostedKind::Statement;
  for (const ast::Statement& statement : statements)
    least = std::min(least, posted_kind(statement));
  return least;
}

// Of a statement that begins behind a `{` or `;` of its line, up to where it can reach at most there; empty if nothing stands so.
std::string_view part_of_line(const ParserContext& context, std::size_t begin) {
  if (begin == 0) return {};
  const Token& before = context.token(begin - 1);
  if (before.kind != TokenKind::LeftBrace && before.kind != TokenKind::Semicolon) return {};
  std::size_t last = begin;
  while (last < context.block_end() && !context.token(last).line_start &&
         context.token(last).kind != TokenKind::Semicolon)
    last = context.behind(last);
  const std::string_view text = context.sources().text(before.span.file);
  const std::string_view part =
      text.substr(before.span.end, context.token(last).span.begin - before.span.end);
  return part.substr(0, part.find_first_of("#\r\n"));
}

// The line of the token without its comment.
std::string_view posted_line(const ParserContext& context, std::size_t begin) {
  const Span& first = context.token(begin).span;
  const std::string_view text = context.sources().text(first.file);
  if (!context.token(begin).line_start) return part_of_line(context, begin);
  const std::size_t newline =
      first.begin == 0 ? std::string_view::npos : text.find_last_of("\r\n", first.begin - 1);
  const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
  std::string_view line = text.substr(start, text.find_first_of("\r\n", start) - start);
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return line.substr(0, at);
  }
  return line;
}

// Reads the parts of the line with the names of the text; nothing if one cannot be read.
std::vector<ast::Statement> read_posted_parts(ParserContext& context, PostedLine& posted,
                                              FileId file) {
  std::vector<ast::Statement> statements;
  const Names::Mark known = context.names().mark();
  for (PlainText& part : posted.statements) {
    DiagnosticSink sink;
    const TokenList list = lex(std::move(part), file);
    ParserContext inner(context.sources(), list, context.names(), sink);
    inner.knows_languages = false;
    for (ast::Statement& statement : parse_statements(inner))
      statements.push_back(std::move(statement));
    if (sink.all().empty()) continue;
    context.names().go_back_to(known);
    return {};
  }
  return statements;
}

// In the first brackets that stand after the name, or after its type: `x[B, D]`, `x: bf16[B, D]`.
std::vector<std::string> declared_dimensions(std::string_view text, std::string_view name) {
  auto dimensions = written_dimensions(text, name);
  for (std::size_t at = text.find(name); dimensions.empty() && at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    std::size_t place = at + name.size();
    const auto skip = [&](auto&& belongs) {
      while (place < text.size() && belongs(text[place])) ++place;
    };
    const auto blank = [](char c) { return c == ' '; };
    if (at > 0 && is_name_character(text[at - 1])) continue;
    skip(blank);
    if (place >= text.size() || text[place] != ':') continue;
    ++place;
    skip(blank);
    const std::size_t type = place;
    skip(is_name_character);
    if (place == type) continue;
    const std::size_t line = text.find('\n', type);
    dimensions =
        written_dimensions(text.substr(type, line - type), text.substr(type, place - type));
  }
  return dimensions;
}

// Moves the cursor behind the line.
void pass_posted_line(ParserContext& context, std::size_t begin, std::uint32_t line_end) {
  std::size_t end = begin + 1;
  while (end < context.block_end() && context.token(end).span.begin < line_end) ++end;
  context.begin_statement();
  context.go_back(end);
}

// `\quad \text{somme partielle}`, `&& \text{(gathered)} \\`: a remark as it is read on the page.
std::string as_read(const std::string& remark) {
  if (remark.find('\\') == std::string::npos) return remark;
  std::istringstream stream(without_markup(remark).text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    const bool aligns = word.find_first_not_of('&') == std::string::npos;
    const bool begins_with_gap = words.empty() && word == "…";
    if (!aligns && !begins_with_gap) words.push_back(word);
  }
  return words.empty() ? remark : join(words, " ");
}

}  // namespace

// Statements with a word of their own are no notation of the documents, but words of a sentence.
PostedKind posted_kind(const ast::Statement& statement) {
  if (std::holds_alternative<ast::Mesh>(statement.node)) return PostedKind::Mesh;
  if (std::holds_alternative<ast::Hardware>(statement.node)) return PostedKind::Given;
  if (const auto* declaration = std::get_if<ast::Declaration>(&statement.node))
    return !is_dtype(declaration->dtype.text) || is_made_of_number(*declaration)
               ? PostedKind::Unreadable
           : declaration->makes ? PostedKind::Statement
                                : PostedKind::Type;
  if (const auto* evaluate = std::get_if<ast::Evaluate>(&statement.node)) {
    const auto* array = std::get_if<ast::ArrayRef>(&evaluate->value.node);
    if (array != nullptr && array->dtype) return PostedKind::Type;
    if (joins_by_word(evaluate->value)) return PostedKind::Unreadable;
  }
  // Likewise between what is equal: `E[X] = 3 and Var[X] = 2`.
  if (const auto* equation = std::get_if<ast::Equation>(&statement.node);
      equation != nullptr && (joins_by_word(equation->left) || joins_by_word(equation->right)))
    return PostedKind::Unreadable;
  if (const auto* flow = std::get_if<ast::Flow>(&statement.node);
      flow != nullptr && joins_by_word(flow->value))
    return PostedKind::Unreadable;
  const bool arrays = has_array_brackets(statement);
  if (const auto* bindings = std::get_if<ast::Bindings>(&statement.node))
    return arrays ? PostedKind::Statement : kind_of_posted_bindings(*bindings);
  if (!arrays) return PostedKind::Named;
  if (std::holds_alternative<ast::Mention>(statement.node)) return PostedKind::Array;
  if (const auto* evaluate = std::get_if<ast::Evaluate>(&statement.node)) {
    const auto* array = std::get_if<ast::ArrayRef>(&evaluate->value.node);
    if (array == nullptr) return PostedKind::Statement;
    return array->name ? PostedKind::Array : PostedKind::Named;
  }
  const bool stated = std::holds_alternative<ast::Flow>(statement.node) ||
                      std::holds_alternative<ast::Equation>(statement.node);
  return stated ? PostedKind::Statement : PostedKind::Unreadable;
}

PostedNames posted_names(const Names& names, std::string_view before, bool failed,
                         const SourceMap* sources, FileId earlier) {
  const auto dimensions = [=, &names](const std::string& array) {
    if (!names.arrays.contains(array)) return std::vector<std::string>();
    auto found = declared_dimensions(before, array);
    for (FileId file = earlier; found.empty() && file.valid(); file = sources->continued(file))
      found = declared_dimensions(sources->text(file), array);
    return found;
  };
  const auto is_known = [&names](std::string_view word) {
    return names.arrays.contains(word) || names.has_dimension(word) ||
           find_function(word) != nullptr;
  };
  return {read_posted_alone, dimensions, names.axes, is_known, !failed};
}

bool may_be_posted(const ParserContext& context, const ast::Statement& statement,
                   std::string_view remark) {
  const auto* flow = std::get_if<ast::Flow>(&statement.node);
  return (flow != nullptr && !flow->target.bracketed) ||
         std::holds_alternative<ast::Equation>(statement.node) || context.calls_with_text ||
         (!remark.empty() && remark.find_first_of("'\"([") != std::string_view::npos);
}

bool parse_posted(ParserContext& context, std::size_t begin, std::size_t reported, bool failed,
                  ast::Statement& statement) {
  const Token& first = context.token(begin);
  if (!context.knows_languages) return false;
  const std::string_view line = posted_line(context, begin);
  if (line.empty()) return false;
  const std::string_view text = context.sources().text(first.span.file);
  // A mesh as it is printed begins with the same word as a statement.
  const bool mesh = (first.text == "mesh" || first.text == "Mesh") &&
                    context.token(begin + 1).kind != TokenKind::LeftBrace;
  // `backward: dIn[B_X, D] = …` has a label.
  const bool label = context.token(begin + 1).kind == TokenKind::Colon;
  if (first.kind == TokenKind::Identifier && is_command_word(first.text) && !mesh && !label)
    return false;
  // `-R[I, J] = A`: a sign, and no mark of a list.
  const Token& second = context.token(begin + 1);
  if (first.kind == TokenKind::Minus && second.glued && second.kind == TokenKind::Identifier &&
      context.token(begin + 2).kind == TokenKind::LeftBracket)
    return false;
  const auto offset = static_cast<std::uint32_t>(line.data() - text.data());
  auto posted =
      read_posted(line, offset,
                  posted_names(context.names(), text.substr(0, offset), failed, &context.sources(),
                               context.sources().continued(first.span.file)));
  if (!posted) return false;
  // Remarks stand on lines of their own: in a block each word is one of the statement.
  if (!first.line_start && !posted->remark.empty()) return false;
  std::vector<ast::Statement> statements = read_posted_parts(context, *posted, first.span.file);
  if (statements.empty()) return false;
  context.sink().keep(reported);
  context.set_refused_line({});
  pass_posted_line(context, begin, offset + static_cast<std::uint32_t>(line.size()));
  const std::vector<std::string> inner = context.take_inner_comments();
  std::vector<std::string> leading = std::move(statement.leading);
  leading.insert(leading.end(), inner.begin(), inner.end());
  if (!first.line_start) context.accept(TokenKind::Semicolon);
  std::string comment = context.take_trailing_comment();
  // Statements may have remarks of their own.
  for (const ast::Statement& part : statements) {
    const std::size_t own = part.trailing.find_first_not_of("# \t");
    if (own != std::string::npos)
      posted->remark += (posted->remark.empty() ? "" : "; ") + part.trailing.substr(own);
  }
  if (!posted->remark.empty()) {
    const std::size_t own = comment.find_first_not_of("# \t");
    comment = "# " + as_read(posted->remark) +
              (own == std::string::npos ? "" : "; " + comment.substr(own));
  }
  for (ast::Statement& part : statements) part.trailing.clear();
  statements.front().leading = std::move(leading);
  statements.back().trailing = std::move(comment);
  statement = std::move(statements.front());
  context.waiting.assign(std::make_move_iterator(statements.begin() + 1),
                         std::make_move_iterator(statements.end()));
  return true;
}

}  // namespace shard
