// Collectives in their prefix, call and colon forms.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "grammar/parser_context.h"

namespace shard {
namespace {

constexpr std::array<std::pair<std::string_view, ast::CollectiveKind>, 6> kCollectives = {
    {{"allgather", ast::CollectiveKind::AllGather},
     {"reducescatter", ast::CollectiveKind::ReduceScatter},
     {"allreduce", ast::CollectiveKind::AllReduce},
     {"alltoall", ast::CollectiveKind::AllToAll},
     {"collectivepermute", ast::CollectiveKind::CollectivePermute},
     {"shift", ast::CollectiveKind::Shift}}};

std::string_view stem_of(std::string_view word) { return word.substr(0, word.find('_')); }

std::optional<ast::CollectiveKind> collective_kind(std::string_view stem) {
  std::string lower(stem);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const auto& [name, kind] : kCollectives) {
    if (lower == name) return kind;
  }
  return std::nullopt;
}

// A word of a subscript and where it stands.
struct Word {
  std::string text;
  Span place;
};

bool may_name_dimension(ast::CollectiveKind kind) {
  return kind == ast::CollectiveKind::ReduceScatter || kind == ast::CollectiveKind::AllToAll;
}

// Whether the last word of a subscript with commas is a row of axes and not a dimension. A declared axis is one; any
// other word only if no dimension has that name.
bool reads_as_axes(const std::string& word, const Names& names) {
  if (names.has_axis(word)) return true;
  if (names.has_dimension(word)) return false;
  if (!names.axes.empty()) return split_axes(word, names).has_value();
  return word.find_first_not_of("XYZxyz") == std::string::npos;
}

void add_words(ast::Collective& collective, const std::vector<Word>& words, const Names& names) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool last = i > 0 && i + 1 == words.size();
    if (last && may_name_dimension(collective.kind) && !reads_as_axes(words[i].text, names)) {
      collective.dimension = ast::Identifier{words[i].text, {words[i].place}};
      continue;
    }
    const auto axes = axes_of(words[i].text, words[i].place, names);
    collective.axes.insert(collective.axes.end(), axes.begin(), axes.end());
  }
}

// step = [ "+" | "-" ] NUMBER ;
ast::Number parse_step(ParserContext& context) {
  const std::size_t begin = context.position();
  const bool back = context.accept(TokenKind::Minus);
  if (!back) context.accept(TokenKind::Plus);
  ast::Number number = parse_number(context, "a number of steps");
  if (back) {
    number.value = -number.value;
    number.text = "-" + number.text;
  }
  number.at = context.location_from(begin);
  return number;
}

bool begins_step(const ParserContext& context) {
  return context.at(TokenKind::Number) || context.at(TokenKind::Minus) ||
         context.at(TokenKind::Plus);
}

// subscript = AXES | "{" item { "," item } "}" ;   item = AXES | DIMENSION | step ;
void parse_subscript(ParserContext& context, ast::Collective& collective) {
  const auto word = [&]() -> Word {
    const ast::Identifier name = parse_identifier(context, "an axis");
    return {name.text, name.at.span};
  };
  std::vector<Word> words;
  if (!context.at(TokenKind::LeftBrace)) {
    words.push_back(word());
    return add_words(collective, words, context.names());
  }
  const std::size_t opener = context.open();
  do {
    const bool step = collective.kind == ast::CollectiveKind::Shift && begins_step(context);
    if (step) {
      collective.shift = parse_step(context);
      break;
    }
    words.push_back(word());
  } while (context.accept(TokenKind::Comma) || context.accept(TokenKind::Arrow));
  context.close(opener, collective.shift ? "" : "`,`");
  if (!context.failed()) add_words(collective, words, context.names());
}

}  // namespace

bool is_collective_word(std::string_view word) {
  return collective_kind(stem_of(word)).has_value();
}

bool is_collective(const ParserContext& context) {
  const Token& token = context.current();
  if (token.kind != TokenKind::Identifier || !is_collective_word(token.text)) return false;
  const Token& next = context.peek(1);
  const bool subscript =
      stem_of(token.text) != token.text || (next.kind == TokenKind::Underscore && next.glued);
  if (subscript) return true;
  // The bare word may be a name of the script's own.
  if (context.knows(token.text)) return false;
  const bool word = next.kind == TokenKind::Identifier && next.text != "and" && next.text != "or";
  return word || next.kind == TokenKind::LeftParen || next.kind == TokenKind::LeftBracket ||
         next.kind == TokenKind::Colon || next.kind == TokenKind::End;
}

// collective = COLLECTIVE [ "_" subscript ] [ ":" ] ( collective | postfix ) ;
ast::Expr parse_collective(ParserContext& context) {
  const Nesting nesting(context);
  const std::size_t begin = context.position();
  const Token& token = context.current();
  const std::string_view stem = stem_of(token.text);
  ast::Collective collective{*collective_kind(stem), {}, {}, {}, ast::Expr{}, {}};
  context.advance();
  if (stem != token.text) {
    const std::size_t offset = stem.size() + 1;
    const Span place{token.span.file, token.span.begin + static_cast<std::uint32_t>(offset),
                     token.span.end};
    add_words(collective, {{token.text.substr(offset), place}}, context.names());
  } else if (context.at(TokenKind::Underscore) && context.current().glued) {
    context.advance();
    parse_subscript(context, collective);
  }
  collective.name = context.location_from(begin);
  context.accept(TokenKind::Colon);
  if (!begins_operand(context.current())) {
    const std::string_view name = context.source_text(collective.name.span);
    context.fail_expected(fmt::format("an array behind `{}`", name));
  }
  collective.operand = parse_postfix(context);
  ++context.height;
  return {std::move(collective), context.location_from(begin)};
}

}  // namespace shard
