// What the notation has itself, in the form that it would have elsewhere: `cost(…)`, `overlap X { … }`, `c->comms`.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/foreign/rewrite.h"
#include "grammar/translate/token.h"

namespace shard {
namespace {

using ForeignKind = ForeignToken::Kind;
using Tokens = ForeignTokens;

std::string_view without_brackets(std::string_view text) {
  text = bare_text(text);
  if (text.size() > 1 && text.front() == '{' && text.back() == '}')
    text = bare_text(text.substr(1, text.size() - 2));
  return text;
}

// `c = cost(A[I_X] → A[I])`: what takes a block.
std::optional<ForeignMistake> read_called_block(std::string_view text, const Tokens& tokens,
                                                const ForeignNames& names) {
  static constexpr std::string_view kBlocks[] = {"cost", "time", "flops"};
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const bool block =
        std::find(std::begin(kBlocks), std::end(kBlocks), tokens[i].text) != std::end(kBlocks) &&
        tokens[i].kind == ForeignKind::Word && !names.is_function(tokens[i].text);
    const bool opens = is(tokens[i + 1], "(") || is(tokens[i + 1], "[");
    if (!block || !opens || (i > 0 && is(tokens[i - 1], "."))) continue;
    const std::size_t close = closing_bracket(text, tokens[i + 1].begin);
    if (close == std::string_view::npos) continue;
    const std::string_view inside =
        without_brackets(text.substr(tokens[i + 1].end, close - tokens[i + 1].end));
    const bool statement =
        inside.find('[') != std::string_view::npos || inside.find('(') != std::string_view::npos;
    if (!statement && !names.is_array(inside)) continue;
    ForeignMistake mistake =
        foreign_mistake(tokens[i].begin, tokens[i].end,
                        fmt::format("`{}` takes statements, in braces", tokens[i].text));
    if (!statement) {
      mistake.help = {fmt::format("print {} {{ A[I_X, J] → A[I, J] }}", tokens[i].text)};
      return mistake;
    }
    offer_line(mistake, fmt::format("{}{} {{ {} }}{}", text.substr(0, tokens[i].begin),
                                    tokens[i].text, inside, text.substr(close + 1)));
    if (i == 2 && is(tokens[1], "=")) mistake.made = std::string(tokens[0].text);
    return mistake;
  }
  return std::nullopt;
}

// `overlap Y { A · B → C }`, `with overlap(Y): A · B → C`
std::optional<ForeignMistake> read_overlap_block(std::string_view text, const Tokens& tokens) {
  const std::size_t word = is(tokens[0], "with") ? 1 : 0;
  if (!is(tokens[word], "overlap") || word + 3 >= tokens.size()) return std::nullopt;
  std::size_t open = text.find('{');
  // `overlap {XY} { … }`
  if (is(tokens[word + 1], "{")) open = text.find('{', tokens[word + 1].end);
  const std::size_t colon = text.find(':');
  const bool braces =
      open != std::string_view::npos && (colon == std::string_view::npos || open < colon);
  const std::size_t begin = braces ? open : colon;
  if (begin == std::string_view::npos || bare_text(text.substr(begin + 1)).empty()) {
    ForeignMistake line = foreign_mistake(tokens[0].begin, tokens[word].end,
                                          "`overlap` stands after the statement, without a block");
    line.help = {"A[B, D_X] · W[D, F_X] → Out[B, F_X] overlap X"};
    return line;
  }
  std::string axes(bare_text(text.substr(tokens[word].end, begin - tokens[word].end)));
  if (axes.starts_with('(') && axes.ends_with(')')) axes = axes.substr(1, axes.size() - 2);
  std::string_view inside = bare_text(text.substr(begin + 1));
  if (braces && inside.ends_with('}')) inside = bare_text(inside.substr(0, inside.size() - 1));
  while (inside.ends_with(';')) inside = bare_text(inside.substr(0, inside.size() - 1));
  ForeignMistake mistake = foreign_mistake(tokens[0].begin, tokens[word].end,
                                           "`overlap` stands after the statement, without a block");
  std::vector<std::string> lines;
  while (!inside.empty()) {
    const std::size_t end = std::min(inside.find_first_of(";\n"), inside.size());
    const std::string_view line = bare_text(inside.substr(0, end));
    if (!line.empty()) lines.push_back(fmt::format("{} overlap {}", line, axes));
    inside.remove_prefix(std::min(end + 1, inside.size()));
  }
  offer_line(mistake, join(lines, "; "));
  return mistake;
}

// `c->comms`, `c::comms`, `c.get("comms")`: a figure of a block, as `c.comms`.
std::optional<ForeignMistake> read_figures(std::string_view text, const Tokens& tokens,
                                           const ForeignNames& names) {
  ForeignRewrite line(text);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].kind != ForeignKind::Word || !names.is_scalar(tokens[i].text)) continue;
    std::size_t end = 0;
    std::size_t field = 0;
    if (is(tokens[i + 1], "->") && tokens[i + 1].glued && tokens[i + 2].glued) {
      field = i + 2;
      end = tokens[field].end;
    } else if (i + 3 < tokens.size() && is(tokens[i + 1], ":") && is(tokens[i + 2], ":") &&
               tokens[i + 2].glued) {
      field = i + 3;
      end = tokens[field].end;
    } else if (i + 5 < tokens.size() && is(tokens[i + 1], ".") && is(tokens[i + 2], "get") &&
               is(tokens[i + 3], "(") && tokens[i + 4].kind == ForeignKind::Text &&
               is(tokens[i + 5], ")")) {
      field = i + 4;
      end = tokens[i + 5].end;
    }
    const bool figure = field > 0 && tokens[field].kind != ForeignKind::Number &&
                        !tokens[field].text.empty() && tokens[field].text.front() >= 'a' &&
                        tokens[field].text.front() <= 'z';
    if (!figure) continue;
    line.find(tokens[i].end, end,
              fmt::format("a figure of a block stands after a dot, as `{}.{}`", tokens[i].text,
                          tokens[field].text));
    line.replace(tokens[i].end, end, fmt::format(".{}", tokens[field].text));
  }
  return line.offered();
}

}  // namespace

std::optional<ForeignMistake> read_foreign_form(std::string_view text, const ForeignNames& names) {
  auto tokens = foreign_tokens(text);
  if (auto mistake = read_foreign_formula(text, names)) return mistake;
  if (auto mistake = read_two_pairs(text, names)) return mistake;
  if (auto mistake = read_foreign_transpose(text, names)) return mistake;
  if (!tokens || tokens->size() < 3) return std::nullopt;
  if (auto mistake = read_figures(text, *tokens, names)) return mistake;
  if (auto mistake = read_parentheses(text, *tokens, names)) return mistake;
  if (auto mistake = read_overlap_block(text, *tokens)) return mistake;
  if (auto mistake = read_foreign_near(text, *tokens)) return mistake;
  return read_called_block(text, *tokens, names);
}

}  // namespace shard
