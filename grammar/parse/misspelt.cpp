// Collectives that were meant by other words: slips, and names that they have elsewhere.
#include <fmt/format.h>

#include <cctype>

#include "base/words.h"
#include "grammar/parse/construct.h"

namespace shard {
namespace {

// The collective with that name, here or elsewhere; empty if there is none.
std::string_view collective_named(std::string_view word) {
  std::string plain;
  for (const char c : word) {
    if (c != '_' && c != '-')
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (const CollectiveInfo* collective = find_collective(plain)) return collective->name;
  for (const CollectiveAlias& alias : collective_aliases()) {
    if (alias.word == plain) return name_of(alias.kind);
  }
  return {};
}

// `all_gather_X` as `AllGather_X`: the longest part before an underscore that names a collective.
std::optional<std::string> by_alias(std::string_view word) {
  for (std::size_t end = word.size(); end != std::string_view::npos && end > 0;
       end = word.rfind('_', end - 1)) {
    const std::string_view collective = collective_named(word.substr(0, end));
    if (!collective.empty()) return std::string(collective) + std::string(word.substr(end));
  }
  return std::nullopt;
}

std::optional<std::string> by_slip(std::string_view word) {
  static const std::vector<std::string> names = words_of(collectives(), &CollectiveInfo::name);
  const std::string_view stem = word.substr(0, word.find('_'));
  auto nearest = nearest_name(stem, names);
  if (nearest) *nearest += word.substr(stem.size());
  return nearest;
}

// The number of tokens of the word that ends at `index`, including those joined by hyphens: `All-to-All_X` has 5, the
// most that a name of a collective has.
std::size_t pieces_of(const ParserContext& context, std::size_t index) {
  std::size_t pieces = 1;
  const auto piece = [&](std::size_t back) -> const Token& { return context.token(index - back); };
  while (pieces < 5 && index >= context.statement_begin() + pieces + 1) {
    const bool joined = piece(pieces - 1).glued && piece(pieces).glued &&
                        piece(pieces).kind == TokenKind::Minus &&
                        piece(pieces + 1).kind == TokenKind::Identifier;
    if (!joined) break;
    pieces += 2;
  }
  return pieces;
}

struct Misspelt {
  Span span;
  std::string word;
  std::string meant;
};

// The word of `pieces` tokens that ends at `index`, as it is read: `\text{Gather}_X` is `Gather_X`.
std::string word_of(const ParserContext& context, std::size_t index, std::size_t pieces) {
  std::string word;
  for (std::size_t i = index - pieces + 1; i <= index; ++i) {
    const Token& piece = context.token(i);
    word += piece.kind == TokenKind::Minus ? "-" : piece.text;
  }
  return word;
}

std::optional<Misspelt> misspelt_collective(const ParserContext& context, std::size_t index) {
  const Token& last = context.token(index);
  if (last.kind != TokenKind::Identifier) return std::nullopt;
  for (std::size_t pieces = pieces_of(context, index);; pieces -= 2) {
    if (pieces == 1 && context.means_something(last.text)) return std::nullopt;
    const Span span = cover(context.token(index - pieces + 1).span, last.span);
    std::string word = word_of(context, index, pieces);
    auto meant = by_alias(word);
    if (!meant && pieces == 1) meant = by_slip(word);
    if (meant && *meant != word) return Misspelt{span, std::move(word), std::move(*meant)};
    if (pieces == 1) return std::nullopt;
  }
}

}  // namespace

bool reject_misspelt(ParserContext& context, std::size_t index) {
  const auto misspelt = misspelt_collective(context, index);
  if (!misspelt) return false;
  auto line = context.edited_line(misspelt->span, misspelt->meant);
  context.fail(DiagnosticKind::SyntaxError, misspelt->span,
               fmt::format("`{}` is no collective", misspelt->word),
               {line ? *std::move(line) : fmt::format("did you mean `{}`?", misspelt->meant)});
  return true;
}

bool joins_collective(const ParserContext& context, std::size_t index) {
  const std::size_t pieces = pieces_of(context, index);
  return pieces > 1 && by_alias(word_of(context, index, pieces)).has_value();
}

bool is_collective_alias(std::string_view word) {
  return !is_collective_word(word) && by_alias(word).has_value();
}

}  // namespace shard
