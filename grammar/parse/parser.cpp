#include "grammar/parse/parser.h"

#include <algorithm>
#include <utility>

#include "grammar/foreign/line.h"
#include "grammar/lex/lexer.h"
#include "grammar/parse/construct.h"
#include "grammar/parse/scope.h"

namespace shard {
namespace {

void drop_leading_blanks(std::vector<std::string>& lines) {
  while (!lines.empty() && lines.front().empty()) lines.erase(lines.begin());
}

void drop_trailing_blanks(std::vector<std::string>& lines) {
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
}

// Whether the tokens break off after an operator, or after a product sign with its index.
bool ends_open(const std::vector<Token>& tokens) {
  if (tokens.size() < 2) return false;
  std::size_t last = tokens.size() - 2;
  if (tokens[last].kind == TokenKind::RightBrace && tokens[last].partner >= 0) {
    last = static_cast<std::size_t>(tokens[last].partner);
  }
  const bool index = last >= 2 && tokens[last - 1].kind == TokenKind::Underscore;
  const bool local = last >= 1 && tokens[last].text == "LOCAL";
  const Token& token = tokens[index ? last - 2 : local ? last - 1 : last];
  const bool product = token.kind == TokenKind::Times || token.kind == TokenKind::At;
  return expects_more(index || local ? token : tokens[tokens.size() - 2]) && (!index || product);
}

}  // namespace

std::optional<ast::Statement> parse_next_statement(ParserContext& context, std::size_t end) {
  std::optional<ast::Statement> next;
  if (!context.waiting.empty()) {
    next = std::move(context.waiting.front());
    context.waiting.erase(context.waiting.begin());
  }
  while (!next && !context.at_block_end() && context.position() < end) {
    if (context.accept(TokenKind::Semicolon))
      context.begin_statement();
    else
      parse_statement(context, next.emplace());
  }
  return next;
}

// module = { statement separator } ;   separator = the line's end | ";" ;
std::vector<ast::Statement> parse_statements(ParserContext& context) {
  std::vector<ast::Statement> statements;
  context.begin_statement();
  while (auto statement = parse_next_statement(context, kToTheEnd)) {
    statements.push_back(*std::move(statement));
    if (statements.size() == 1) drop_leading_blanks(statements.front().leading);
  }
  return statements;
}

namespace {

Block parse_block_body(ParserContext& context, DiagnosticSink& sink) {
  Block block;
  {
    const BlockScope scope(context, sink);
    block.body = parse_statements(context);
    block.trailing = context.take_leading_comments();
  }
  drop_trailing_blanks(block.trailing);
  if (block.body.empty()) drop_leading_blanks(block.trailing);
  const bool mistaken =
      std::any_of(block.body.begin(), block.body.end(),
                  [](const ast::Statement& statement) { return statement.has_error; });
  context.block_has_error = context.block_has_error || mistaken;
  return block;
}

// The statement with its block closed after the lines that are indented deeper.
std::vector<std::string> closed_block(const ParserContext& context) {
  const std::size_t begin = context.statement_begin();
  const std::size_t opener = context.position();
  const std::size_t end = behind_deeper_lines(context, begin, opener + 1);
  if (end == opener + 1) return {};
  const Span all = cover(context.token(begin).span, context.token(end - 1).span);
  std::string text(context.source_text(all));
  text += text.find('\n') == std::string::npos ? " }" : "\n}";
  // Bytes; a longer block is not offered, as it would fill the screen and reading it as a check takes time.
  constexpr std::size_t kLongest = 1000;
  if (text.size() > kLongest || !context.knows_languages || !is_readable(text)) return {};
  return {std::move(text)};
}

}  // namespace

// block = "{" { statement separator } "}" ;
Block parse_block(ParserContext& context, DiagnosticSink& sink) {
  if (!context.at(TokenKind::LeftBrace)) {
    context.fail_expected("`{`");
    return {};
  }
  if (context.current().partner < 0) {
    context.fail(DiagnosticKind::UnclosedBracket, context.current().span, "`{` is never closed",
                 closed_block(context));
    return {};
  }
  const Nesting nesting(context);
  if (context.failed()) return {};
  // The height of trees is limited across blocks, too.
  const int outside = std::exchange(context.tallest, 0);
  Block block = parse_block_body(context, sink);
  context.height = context.tallest + 1;
  context.tallest = std::max(outside, context.height);
  return block;
}

ast::Module parse(const SourceMap& sources, FileId file, Names& names, DiagnosticSink& sink) {
  const TokenList list = lex(sources, file, sink);
  ParserContext context(sources, list, names, sink);
  ast::Module module;
  module.statements = parse_statements(context);
  module.trailing = context.take_leading_comments();
  drop_trailing_blanks(module.trailing);
  if (module.statements.empty()) drop_leading_blanks(module.trailing);
  return module;
}

bool is_incomplete(std::string_view text) {
  SourceMap sources;
  DiagnosticSink sink;
  const FileId file = sources.add("", std::string(text));
  const TokenList list = lex(sources, file, sink);
  return list.unclosed || ends_open(list.tokens);
}

}  // namespace shard
