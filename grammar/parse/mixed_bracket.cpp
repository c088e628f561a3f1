// `W[L = 3, D_X, E]`: an index among dimensions, which stands in brackets of its own behind them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/words.h"
#include "grammar/parse/construct.h"

namespace shard {
namespace {

// From the token on, to in front of the other.
struct BracketItem {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<BracketItem> bracket_items(const ParserContext& context, std::size_t opener) {
  const auto closer = static_cast<std::size_t>(context.token(opener).partner);
  std::vector<BracketItem> items = {{opener + 1, closer}};
  for (std::size_t i = opener + 1; i < closer; i = context.behind(i)) {
    if (context.token(i).kind != TokenKind::Comma) continue;
    items.back().end = i;
    items.push_back({i + 1, closer});
  }
  return items;
}

bool is_index_item(const ParserContext& context, const BracketItem& item) {
  const TokenKind name = context.token(item.begin).kind;
  return item.begin + 2 < item.end &&
         (name == TokenKind::Identifier || name == TokenKind::Number) &&
         context.token(item.begin + 1).kind == TokenKind::Equal;
}

// Behind a name, with indices and something else.
bool is_mixed(const ParserContext& context, std::size_t opener) {
  if (opener == 0 || context.token(opener).partner < 0 || !context.token(opener).glued ||
      context.token(opener - 1).kind != TokenKind::Identifier)
    return false;
  const std::int32_t closer = context.token(opener).partner;
  std::size_t i = opener + 1;
  while (static_cast<std::int32_t>(i) < closer && context.token(i).kind != TokenKind::Equal)
    i = context.behind(i);
  if (static_cast<std::int32_t>(i) >= closer) return false;  // as nearly all brackets
  const auto items = bracket_items(context, opener);
  const auto indices = std::count_if(items.begin(), items.end(), [&](const BracketItem& item) {
    return is_index_item(context, item);
  });
  const bool has_empty = std::any_of(
      items.begin(), items.end(), [](const BracketItem& item) { return item.begin == item.end; });
  return !has_empty && indices > 0 && indices < static_cast<std::ptrdiff_t>(items.size());
}

struct SortedBracket {
  std::vector<std::string> dimensions;
  std::vector<std::string> indices;
};

SortedBracket sorted(const ParserContext& context, std::size_t opener) {
  const auto text = [&](std::size_t begin, std::size_t end) {
    return std::string(
        context.source_text(cover(context.token(begin).span, context.token(end - 1).span)));
  };
  SortedBracket result;
  for (const BracketItem& item : bracket_items(context, opener)) {
    const bool is_index = is_index_item(context, item);
    result.dimensions.push_back(text(item.begin, is_index ? item.begin + 1 : item.end));
    if (!is_index) continue;
    std::string name = result.dimensions.back();
    if (!context.names().has_dimension(name)) name = name.substr(0, name.find('_'));
    result.indices.push_back(fmt::format("{} = {}", name, text(item.begin + 2, item.end)));
  }
  return result;
}

std::string text_of(const SortedBracket& bracket) {
  return fmt::format("[{}][{}]", join(bracket.dimensions, ", "), join(bracket.indices, ", "));
}

// The line with all of its brackets so; nullopt if that is not all that it needs.
std::optional<std::string> line_with_sorted(const ParserContext& context) {
  const Span all = context.line_span();
  std::string line;
  std::uint32_t written = all.begin;
  for (std::size_t i = 0; i < context.block_end(); ++i) {
    const Token& token = context.token(i);
    if (token.span.begin < written || token.span.end > all.end) continue;
    if (token.kind != TokenKind::LeftBracket || !is_mixed(context, i)) continue;
    line += context.source_text({all.file, written, token.span.begin});
    line += text_of(sorted(context, i));
    written = context.token(static_cast<std::size_t>(token.partner)).span.end;
  }
  line += context.source_text({all.file, written, all.end});
  return context.edited_line(all, line);
}

}  // namespace

void reject_mixed_bracket(ParserContext& context, std::size_t opener) {
  if (context.failed() || !is_mixed(context, opener)) return;
  const SortedBracket bracket = sorted(context, opener);
  const Token& name = context.token(opener - 1);
  const auto items = bracket_items(context, opener);
  const auto index = std::find_if(items.begin(), items.end(), [&](const BracketItem& item) {
    return is_index_item(context, item);
  });
  const std::string meant = fmt::format("{}{}", name.text, text_of(bracket));
  std::vector<std::string> help = {line_with_sorted(context).value_or(meant)};
  help.push_back(fmt::format("`{}[{}]` where the layout of `{}` is known", name.text,
                             join(bracket.indices, ", "), name.text));
  context.fail(
      DiagnosticKind::SyntaxError,
      cover(context.token(index->begin).span, context.token(index->end - 1).span),
      fmt::format("an index stands in brackets behind those of the dimensions: `{}`", meant),
      std::move(help));
}

}  // namespace shard
