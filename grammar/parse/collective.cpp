// Collectives in their prefix, call and colon forms.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "grammar/parse/construct.h"
#include "grammar/parse/scope.h"

namespace shard {
namespace {

std::string_view stem_of(std::string_view word) { return word.substr(0, word.find('_')); }

// The collective with which the word begins, in any letter case; null if there is none.
const CollectiveInfo* collective_in_front(std::string_view word) {
  const auto is_letter_of = [](char letter, char c) { return (c | ' ') == (letter | ' '); };
  for (const CollectiveInfo& collective : collectives()) {
    const std::string_view name = collective.name;
    if (word.size() >= name.size() &&
        std::equal(name.begin(), name.end(), word.begin(), is_letter_of))
      return &collective;
  }
  return nullptr;
}

std::optional<CollectiveKind> collective_kind(std::string_view stem) {
  const CollectiveInfo* collective = find_collective(stem);
  return collective == nullptr ? std::nullopt : std::optional(collective->kind);
}

// Where the dimension begins in a row of axes followed by a dimension: 1 in `XK`; 0 if there is none or several places
// are possible.
std::size_t glued_dimension(std::string_view word, ast::CollectiveKind kind, const Names& names) {
  // As for subscripts of axes (grammar/tree/names.cpp): every place is tried, and longer words are one name.
  constexpr std::size_t kLongest = 64;
  std::size_t found = 0;
  if (!names_dimension(kind) || word.size() > kLongest) return 0;
  for (std::size_t place = 1; place < word.size(); ++place) {
    if (!names.has_dimension(word.substr(place))) continue;
    if (exact_splits(word.substr(0, place), names).empty()) continue;
    if (found > 0) return 0;
    found = place;
  }
  return found;
}

// Where the collective's name ends in a word: at an underscore, or where axes are glued to it.
std::size_t stem_length(std::string_view word, const Names& names) {
  const std::size_t underscore = word.find('_');
  if (underscore != std::string_view::npos) return underscore;
  const CollectiveInfo* collective = collective_in_front(word);
  if (collective == nullptr) return word.size();
  const std::string_view axes = word.substr(collective->name.size());
  const bool glued =
      !exact_splits(axes, names).empty() || glued_dimension(axes, collective->kind, names) > 0;
  return glued ? collective->name.size() : word.size();
}

// A word of a subscript and its place.
struct Word {
  std::string text;
  Span place;
  bool behind_arrow = false;  // it is a dimension
};

// Whether the last word of a subscript with commas is a row of axes rather than a dimension. A declared axis is; any
// other word only if no dimension has that name.
bool reads_as_axes(const std::string& word, const Names& names) {
  if (names.has_axis(word)) return true;
  if (names.has_dimension(word)) return false;
  if (!names.axes.empty()) return split_axes(word, names).has_value();
  return word.find_first_not_of("XYZxyz") == std::string::npos;
}

void add_words(ast::Collective& collective, const std::vector<Word>& words,
               ParserContext& context) {
  const Names& names = context.names();
  std::size_t placed = 0;  // axes whose dimension is known
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool last = i > 0 && i + 1 == words.size() && !reads_as_axes(words[i].text, names);
    if (names_dimension(collective.kind) && (words[i].behind_arrow || last)) {
      if (!collective.destinations.empty() && collective.axes.size() == placed) {
        context.fail(DiagnosticKind::SyntaxError, words[i].place,
                     fmt::format("no axis goes to `{}`", words[i].text),
                     {fmt::format("`{}_{{X→I,Y→J}}`: each axis with its dimension",
                                  name_of(collective.kind))});
      }
      collective.destinations.push_back(
          {collective.axes.size() - placed, ast::Identifier{words[i].text, {words[i].place}}});
      placed = collective.axes.size();
      continue;
    }
    const auto axes = axes_of(context, words[i].text, words[i].place);
    collective.axes.insert(collective.axes.end(), axes.begin(), axes.end());
  }
  if (placed > 0 && placed < collective.axes.size()) {
    const ast::Identifier& left = collective.axes[placed];
    context.fail(
        DiagnosticKind::SyntaxError, left.at.span,
        fmt::format("the dimension is missing that `{}` goes to", left.text),
        {fmt::format("`{}_{{X→I,Y→J}}`: each axis with its dimension", name_of(collective.kind))});
  }
}

// What is glued to the collective's name, with or without an underscore: `_X`, `X`, `XK`.
void add_glued_words(ast::Collective& collective, const Token& token, std::size_t stem,
                     ParserContext& context) {
  const std::size_t offset = token.text[stem] == '_' ? stem + 1 : stem;
  const std::string row(token.text.substr(offset));
  const auto place = [&](std::size_t begin, std::size_t end) {
    return Span{token.span.file, token.span.begin + static_cast<std::uint32_t>(begin),
                token.span.begin + static_cast<std::uint32_t>(end)};
  };
  const bool axes_only = offset > stem || !exact_splits(row, context.names()).empty();
  const std::size_t dimension =
      axes_only ? 0 : glued_dimension(row, collective.kind, context.names());
  std::vector<Word> words = {
      {dimension == 0 ? row : row.substr(0, dimension),
       place(offset, dimension == 0 ? token.text.size() : offset + dimension)}};
  if (dimension > 0)
    words.push_back({row.substr(dimension), place(offset + dimension, token.text.size())});
  add_words(collective, words, context);
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

// subscript = AXES | "{" item { ( "," | "→" ) item } "}" ;   item = AXES | DIMENSION | LENGTH | step ;
void parse_subscript(ParserContext& context, ast::Collective& collective) {
  std::vector<Word> words;
  const auto word = [&](bool behind_arrow = false) -> Word {
    const bool is_length = !words.empty() && context.at(TokenKind::Number);
    const ast::Identifier name =
        is_length ? parse_length_name(context)
                  : parse_identifier(context, behind_arrow ? "a dimension" : "an axis");
    reject_all_axes(context, name);
    return {name.text, name.at.span, behind_arrow};
  };
  if (!context.at(TokenKind::LeftBrace)) {
    words.push_back(word());
    return add_words(collective, words, context);
  }
  const std::size_t opener = context.open();
  bool arrow = false;
  do {
    const bool step = names_step(collective.kind) && begins_step(context);
    if (step) {
      collective.shift = parse_step(context);
      break;
    }
    words.push_back(word(arrow));
    arrow = context.accept(TokenKind::Arrow);
  } while (arrow || context.accept(TokenKind::Comma));
  context.close(opener, collective.shift ? "" : "`,`");
  if (!context.failed()) add_words(collective, words, context);
}

}  // namespace

bool is_collective_word(std::string_view word) {
  return collective_kind(stem_of(word)).has_value();
}

bool is_collective_word(std::string_view word, const Names& names) {
  return collective_in_front(word) != nullptr &&
         collective_kind(word.substr(0, stem_length(word, names))).has_value();
}

bool is_collective(const ParserContext& context) {
  const Token& token = context.current();
  if (token.kind != TokenKind::Identifier || !is_collective_word(token.text, context.names()))
    return false;
  const Token& next = context.peek(1);
  const bool subscript =
      stem_of(token.text) != token.text || (next.kind == TokenKind::Underscore && next.glued);
  if (subscript) return true;
  // The bare word may be one of the script's own names.
  if (context.knows(token.text)) return false;
  const bool word = next.kind == TokenKind::Identifier && next.text != "and" && next.text != "or";
  const bool ends_sentence = next.kind == TokenKind::Dot && context.peek(2).kind == TokenKind::End;
  return word || next.kind == TokenKind::LeftParen || next.kind == TokenKind::LeftBracket ||
         next.kind == TokenKind::Colon || next.kind == TokenKind::End ||
         next.kind == TokenKind::Semicolon || next.kind == TokenKind::RightParen ||
         next.kind == TokenKind::RightBrace || ends_sentence;
}

// `ReduceScatter_X,I C[I, K]`: a subscript of several names without its braces.
void check_braces(ParserContext& context, const Span& name) {
  const std::string_view written = context.source_text(name);
  const std::size_t sign = written.find('_');
  if (!context.at(TokenKind::Comma) || sign == std::string_view::npos ||
      context.peek(1).kind != TokenKind::Identifier || !begins_operand(context.peek(2)))
    return;
  const Span& last = context.peek(1).span;
  std::string names(written.substr(sign + 1));
  std::erase_if(names, [](char c) { return c == '{' || c == '}'; });
  const std::string meant = "{" + names + "," + std::string(context.source_text(last)) + "}";
  const Span place{name.file, name.begin + static_cast<std::uint32_t>(sign) + 1, last.end};
  const auto line = context.edited_line(place, meant);
  context.fail(DiagnosticKind::SyntaxError, place,
               "a subscript of several names stands in braces: `_" + meant + "`",
               line ? std::vector<std::string>{*line} : std::vector<std::string>());
}

// collective = COLLECTIVE [ "_" subscript ] [ ":" ] ( collective | postfix ) ;
ast::Expr parse_collective(ParserContext& context) {
  const Nesting nesting(context);
  const std::size_t begin = context.position();
  const Token& token = context.current();
  const std::string_view stem = token.text.substr(0, stem_length(token.text, context.names()));
  ast::Collective collective{*collective_kind(stem), {}, {}, {}, ast::Expr{}, {}};
  context.advance();
  if (stem != token.text) {
    add_glued_words(collective, token, stem.size(), context);
  } else if (context.at(TokenKind::Underscore) && context.current().glued) {
    context.advance();
    parse_subscript(context, collective);
  }
  collective.name = context.location_from(begin);
  context.accept(TokenKind::Colon);
  if (!begins_operand(context.current())) {
    const std::string name = context.plain_text(begin, context.position());
    const bool factor = begin > context.statement_begin() && collective.axes.empty();
    const bool last = context.at(TokenKind::End) || context.at(TokenKind::Semicolon);
    if (factor && !context.innermost() && last) {
      context.fail(
          DiagnosticKind::NotNotation, collective.name.span,
          fmt::format("`{}` stands here without an array, as in a formula of the text", name),
          {fmt::format("`2 * time {{ {}_X A[I_X] }}`", name)});
    }
    check_braces(context, collective.name.span);
    context.fail_expected(fmt::format("an array after `{}`", name));
  }
  collective.operand = parse_postfix(context);
  ++context.height;
  return {std::move(collective), context.location_from(begin)};
}

}  // namespace shard
