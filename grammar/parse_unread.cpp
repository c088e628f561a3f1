// Statements that this version does not run, and what is kept of those that could not be read.
#include <fmt/format.h>

#include <algorithm>

#include "grammar/parser_context.h"

namespace shard {
namespace {

// What must stand behind the word for it to be the statement's.
enum class Follower { Name, Brace, Anything };

struct LaterWord {
  std::string_view word;
  Follower follower;
};

constexpr LaterWord kLaterWords[] = {{"solve", Follower::Name},    {"when", Follower::Brace},
                                     {"minimize", Follower::Name}, {"plot", Follower::Name},
                                     {"best", Follower::Anything}, {"backward", Follower::Name}};

bool follows(const ParserContext& context, Follower follower) {
  const Token& next = context.peek(1);
  switch (follower) {
    case Follower::Name:
      return next.kind == TokenKind::Identifier && next.text != "and" && next.text != "or";
    case Follower::Brace:
      return next.kind == TokenKind::LeftBrace;
    case Follower::Anything:
      return next.kind == TokenKind::LeftBrace || next.kind == TokenKind::Number;
  }
  return false;
}

bool defines_name(const ParserContext& context, std::size_t index, std::size_t begin,
                  std::size_t end) {
  const auto kind = [&](std::size_t i) { return i < end ? context.token(i).kind : TokenKind::End; };
  if (kind(index) != TokenKind::Identifier && kind(index) != TokenKind::Quoted) return false;
  if (index > begin && kind(index - 1) == TokenKind::Arrow) return true;
  const TokenKind next = kind(index + 1);
  const bool in_mesh = context.source_text(context.token(begin).span) == "mesh";
  if (in_mesh && (next == TokenKind::Comma || next == TokenKind::RightBrace)) return true;
  return next == TokenKind::Equal || next == TokenKind::Colon || next == TokenKind::LeftBracket;
}

}  // namespace

bool is_later_statement(const ParserContext& context) {
  return std::any_of(std::begin(kLaterWords), std::end(kLaterWords), [&](const LaterWord& later) {
    return context.at_word(later.word) && follows(context, later.follower);
  });
}

void reject_later(ParserContext& context) {
  context.fail(DiagnosticKind::NotYet, context.current().span,
               fmt::format("{} is not run by this version", context.found()));
}

ast::Unsupported unread_statement(const ParserContext& context, std::size_t begin) {
  const std::size_t end = std::max(context.position(), begin + 1);
  ast::Unsupported unread;
  unread.word = std::string(context.source_text(context.token(begin).span));
  unread.text = std::string(context.source_text(context.span_from(begin)));
  for (std::size_t i = begin; i < end; ++i) {
    if (!defines_name(context, i, begin, end)) continue;
    unread.defines.push_back({std::string(context.token(i).text), {context.token(i).span}});
  }
  return unread;
}

}  // namespace shard
