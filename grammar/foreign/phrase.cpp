// What is said in words: `move A[I_X] to A[I]`, `gather x over X`, `A[I_X] --AllGather--> A[I]`, `B = 64 tokens`.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/collective.h"
#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/foreign/rewrite.h"
#include "grammar/translate/function.h"
#include "grammar/translate/operand.h"
#include "grammar/translate/token.h"

namespace shard {
namespace {

using ForeignKind = ForeignToken::Kind;
using Tokens = ForeignTokens;

template <class Words>
bool is_one_of(const ForeignToken& token, const Words& words) {
  return token.kind == ForeignKind::Word &&
         std::find(std::begin(words), std::end(words), token.text) != std::end(words);
}

std::string_view piece(std::string_view text, const Tokens& tokens, std::size_t begin,
                       std::size_t end) {
  if (begin >= end) return {};
  return text.substr(tokens[begin].begin, tokens[end - 1].end - tokens[begin].begin);
}

// The collective that a word is in any spelling; empty for another word.
std::string_view collective_of(std::string_view word) {
  const ForeignFunction* collective = called_collective(word);
  return collective == nullptr ? std::string_view{} : collective->word;
}

// `A[I_X, J] to A[I, J]`, `move A[I_X, J] into A[I, J]`: what stands where an arrow belongs.
std::optional<ForeignMistake> read_to(std::string_view text, const Tokens& tokens) {
  static constexpr std::string_view kTo[] = {"to", "into", "becomes", "onto", "gives", "yields"};
  static constexpr std::string_view kMoves[] = {"move", "reshard",  "convert", "change",
                                                "copy", "relayout", "bring",   "redistribute",
                                                "turn", "map"};
  const std::size_t first = is_one_of(tokens[0], kMoves) ? 1 : 0;
  for (std::size_t i = first + 1; i + 1 < tokens.size(); ++i) {
    if (!is_one_of(tokens[i], kTo) || !is(tokens[i - 1], "]")) continue;
    ForeignMistake mistake =
        foreign_mistake(tokens[i], tokens[i], "what an array becomes stands after an arrow");
    offer_line(mistake, fmt::format("{} → {}", piece(text, tokens, first, i),
                                    piece(text, tokens, i + 1, tokens.size() - 1)));
    return mistake.help.empty() ? std::nullopt : std::optional(std::move(mistake));
  }
  return std::nullopt;
}

// `A[I_X, J] --AllGather--> A[I, J]`, `A[I_X, J] → A[I, J] via AllGather`: a collective stands in front of what it moves.
std::optional<ForeignMistake> read_collective_beside(std::string_view text, const Tokens& tokens) {
  static constexpr std::string_view kBy[] = {"via", "by", "using", "with", "through"};
  const auto is_arrow = [](const ForeignToken& token) {
    return is(token, "→") || is(token, "->") || is(token, "-->") || is(token, "=>") ||
           is(token, "==>");
  };
  const auto moved = [&](std::size_t begin, std::string_view name, const std::string& line) {
    ForeignMistake mistake = foreign_mistake(tokens[begin], tokens[begin],
                                             "a collective stands in front of what it moves");
    mistake.end = static_cast<std::size_t>(name.data() + name.size() - text.data());
    offer_line(mistake, line);
    return mistake.help.empty() ? std::nullopt : std::optional(std::move(mistake));
  };
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i].kind != ForeignKind::Word) continue;
    std::string_view word = tokens[i].text;
    const std::string_view axes =
        word.find('_') == std::string_view::npos ? std::string_view{} : word.substr(word.find('_'));
    word.remove_suffix(axes.size());
    const std::string_view name = collective_of(word);
    if (name.empty()) continue;
    const std::string written = fmt::format("{}{}", name, axes);
    if (is_one_of(tokens[i - 1], kBy) && i + 2 == tokens.size())
      return moved(i - 1, tokens[i].text,
                   fmt::format("{} {}", written, piece(text, tokens, 0, i - 1)));
    // The dashes of the arrow, up to the array.
    std::size_t end = i;
    while (end > 0 &&
           (is(tokens[end - 1], "-") || is(tokens[end - 1], "--") || is(tokens[end - 1], "=") ||
            is(tokens[end - 1], "==") || is(tokens[end - 1], "[")))
      --end;
    std::size_t arrow = i + 1;
    if (is(tokens[arrow], "]")) ++arrow;
    if (end == i || !is(tokens[end - 1], "]") || !is_arrow(tokens[arrow])) continue;
    return moved(end, tokens[i].text,
                 fmt::format("{} {} → {}", written, piece(text, tokens, 0, end),
                             piece(text, tokens, arrow + 1, tokens.size() - 1)));
  }
  return std::nullopt;
}

// Words for collectives that are no spelling of one.
struct Verb {
  std::string_view word;
  std::string_view collective;
};
constexpr Verb kVerbs[] = {{"gather", "AllGather"},  {"replicate", "AllGather"},
                           {"unshard", "AllGather"}, {"reduce", "AllReduce"},
                           {"sum", "AllReduce"},     {"scatter", "ReduceScatter"}};

// `gather x over X`, as the call `AllGather(x, 'X')`, which has a line.
std::optional<ForeignMistake> read_verb(std::string_view text, const Tokens& tokens,
                                        const ForeignNames& names) {
  static constexpr std::string_view kOver[] = {"over", "along", "on", "across", "by"};
  const auto* verb = std::find_if(std::begin(kVerbs), std::end(kVerbs),
                                  [&](const Verb& known) { return known.word == tokens[0].text; });
  const std::string_view collective =
      verb != std::end(kVerbs) ? verb->collective : collective_of(tokens[0].text);
  if (collective.empty() || tokens.size() < 5 || tokens[1].kind != ForeignKind::Word)
    return std::nullopt;
  const std::size_t over = tokens.size() - 3;
  if (!is_one_of(tokens[over], kOver) || tokens[over + 1].kind != ForeignKind::Word)
    return std::nullopt;
  const auto read = read_foreign_line(
      fmt::format("{}({}, '{}')", collective, piece(text, tokens, 1, over), tokens[over + 1].text),
      names);
  if (!read || read->line.empty()) return std::nullopt;
  ForeignMistake mistake =
      foreign_mistake(tokens[0], tokens[0], "the axis of a collective is a subscript of its name");
  offer_line(mistake, read->line);
  return mistake;
}

// `shard x along X on dimension 0`, `split B of x over X`: a layout stands in the brackets.
std::optional<ForeignMistake> read_shard(const Tokens& tokens, const ForeignNames& names) {
  static constexpr std::string_view kWords[] = {"shard", "split", "partition"};
  if (!is_one_of(tokens[0], kWords) || tokens.size() < 5) return std::nullopt;
  std::optional<ForeignArray> array;
  std::string_view name;
  for (std::size_t i = 1; i + 1 < tokens.size() && !array; ++i) {
    if (tokens[i].kind != ForeignKind::Word || !names.is_array(tokens[i].text)) continue;
    name = tokens[i].text;
    array = names.array(name);
  }
  if (!array || array->dimensions.empty()) return std::nullopt;
  const std::vector<std::string> axes = names.axes();
  std::string axis;
  std::size_t place = 0;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    const std::string word(tokens[i].text);
    if (std::find(axes.begin(), axes.end(), word) != axes.end()) axis = word;
    for (std::size_t d = 0; d < array->dimensions.size(); ++d) {
      if (array->dimensions[d].name == word || std::to_string(d) == word) place = d;
    }
  }
  if (axis.empty()) return std::nullopt;
  std::vector<ForeignDimension> to = array->dimensions;
  for (ForeignDimension& dimension : to) std::erase(dimension.axes, axis);
  to[place].axes.push_back(axis);
  ForeignMistake mistake =
      foreign_mistake(tokens[0], tokens[0], "how an array is split stands in its brackets");
  offer_line(mistake, fmt::format("{}{} → {}{}", name, brackets_text(array->dimensions), name,
                                  brackets_text(to)));
  return mistake;
}

// `B = 64 tokens`, `T = 3 x 4`: a number, and what is counted. Units that are spelt otherwise are the parser's.
std::optional<ForeignMistake> read_counted(std::string_view text, const Tokens& tokens,
                                           const ForeignNames& names) {
  const std::size_t count = tokens.size();
  if (count < 5 || !is(tokens[1], "=") || tokens[2].kind != ForeignKind::Number)
    return std::nullopt;
  const ForeignToken& word = tokens[3];
  if (count == 6 && (is(word, "x") || is(word, "by")) && tokens[4].kind == ForeignKind::Number) {
    ForeignMistake mistake = foreign_mistake(word, word, "a product of numbers is written `*`");
    offer_line(mistake, fmt::format("{} * {}", piece(text, tokens, 0, 3), tokens[4].text));
    return mistake;
  }
  static constexpr std::string_view kCounted[] = {
      "tokens", "token", "chips",      "chip",    "layers",    "heads",    "devices",
      "tpus",   "gpus",  "TPUs",       "GPUs",    "params",    "examples", "samples",
      "steps",  "rows",  "parameters", "columns", "sequences", "batches",  "experts",
      "words",  "dims",  "elements",   "items",   "cores",     "hosts",    "nodes"};
  if (count != 5 || !is_one_of(word, kCounted) || names.is_array(word.text) ||
      names.is_scalar(word.text))
    return std::nullopt;
  ForeignMistake mistake = foreign_mistake(
      word, word,
      fmt::format("`{}` is no unit: a length, or a count, is a number alone", word.text));
  offer_line(mistake, piece(text, tokens, 0, 3));
  if (mistake.help.empty()) return std::nullopt;
  mistake.made = std::string(tokens[0].text);
  return mistake;
}

// `y = relu x`: a function and what it takes, without parentheses.
std::optional<ForeignMistake> read_bare_call(std::string_view text, const Tokens& tokens,
                                             const ForeignNames& names) {
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const ForeignToken& argument = tokens[i + 1];
    const bool called = tokens[i].kind == ForeignKind::Word && names.is_function(tokens[i].text) &&
                        argument.kind == ForeignKind::Word &&
                        (names.is_array(argument.text) || names.is_scalar(argument.text));
    if (!called || !(i == 0 || tokens[i - 1].kind == ForeignKind::Sign)) continue;
    std::size_t end = i + 2;
    while (is(tokens[end], "[")) end = behind_group(tokens, end);
    ForeignMistake mistake =
        foreign_mistake(tokens[i], tokens[end - 1],
                        fmt::format("what `{}` is of stands in parentheses", tokens[i].text));
    offer_line(mistake,
               fmt::format("{}({}){}", text.substr(0, tokens[i].end),
                           piece(text, tokens, i + 1, end), text.substr(tokens[end - 1].end)));
    return mistake.help.empty() ? std::nullopt : std::optional(std::move(mistake));
  }
  return std::nullopt;
}

// `y = |x|` of an array.
std::optional<ForeignMistake> read_bars(std::string_view text, const Tokens& tokens,
                                        const ForeignNames& names) {
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!is(tokens[i], "|") || !is(tokens[i + 2], "|") || !names.is_array(tokens[i + 1].text))
      continue;
    ForeignMistake mistake =
        foreign_mistake(tokens[i], tokens[i + 2],
                        "bars are for the sizes of dimensions and axes; of elements it is `abs`");
    offer_line(mistake, fmt::format("{}abs({}){}", text.substr(0, tokens[i].begin),
                                    tokens[i + 1].text, text.substr(tokens[i + 2].end)));
    return mistake;
  }
  return std::nullopt;
}

// `f(a) = 2 * a`, `f(x[b, d]) = 2 * x`: a function.
std::optional<ForeignMistake> read_equation(std::string_view text, const Tokens& tokens,
                                            const ForeignNames& names) {
  if (tokens[0].kind != ForeignKind::Word || !is(tokens[1], "(") ||
      names.is_array(tokens[0].text) || names.is_function(tokens[0].text))
    return std::nullopt;
  const std::size_t sign = behind_group(tokens, 1);
  if (!is(tokens[sign], "=")) return std::nullopt;
  ForeignMistake mistake = foreign_mistake(tokens[0], tokens[sign - 1],
                                           "a function is `fn`, and its block stands in braces");
  offer_line(mistake, fmt::format("fn {} {{ return {} }}", piece(text, tokens, 0, sign),
                                  piece(text, tokens, sign + 1, tokens.size() - 1)));
  if (mistake.help.empty()) return std::nullopt;
  mistake.made = std::string(tokens[0].text);
  return mistake;
}

// `x_{B_X, D} → x_{B, D}`: the dimensions of an array as its subscript.
std::optional<ForeignMistake> read_subscript(std::string_view text, const Tokens& tokens) {
  ForeignRewrite line(text);
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    const ForeignToken& name = tokens[i];
    if (name.kind != ForeignKind::Word || !name.text.ends_with('_') || !is(tokens[i + 1], "{"))
      continue;
    const std::size_t close = behind_group(tokens, i + 1) - 1;
    const bool listed = std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(i),
                                    tokens.begin() + static_cast<std::ptrdiff_t>(close),
                                    [](const ForeignToken& token) { return is(token, ","); });
    if (!listed || !is(tokens[close], "}")) continue;
    line.find(name.begin, tokens[close].end, "the dimensions of an array stand in brackets");
    line.replace(name.end - 1, tokens[close].end,
                 fmt::format("[{}]", piece(text, tokens, i + 2, close)));
  }
  return line.offered();
}

// `AG_X A[I_X, J] → A[I, J]`, `RS_{X,K} …`
std::optional<ForeignMistake> read_abbreviation(std::string_view text, const Tokens& tokens,
                                                const ForeignNames& names) {
  ForeignRewrite line(text);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const std::string_view word = tokens[i].text;
    const std::string_view name = word.substr(0, word.find('_'));
    const auto known = abbreviated_collective(word);
    if (tokens[i].kind != ForeignKind::Word || name.size() == word.size() || !known ||
        names.is_array(word) || names.is_array(name))
      continue;
    line.find(tokens[i].begin, tokens[i].begin + name.size(),
              fmt::format("`{}` is `{}` here", name, name_of(*known)));
    line.replace(tokens[i].begin, tokens[i].begin + name.size(), name_of(*known));
  }
  return line.offered();
}

// `padd a to 12`, `pad B of a to 12, D of a to 16`: one dimension at a time.
std::optional<ForeignMistake> read_pad(std::string_view text, const Tokens& tokens) {
  const std::string_view word = tokens[0].text;
  const bool is_near = word == "pad" || word == "padd" || word == "Pad" || word == "PAD";
  if (!is_near || (word == "pad" && text.find(',') == std::string_view::npos)) return std::nullopt;
  ForeignMistake mistake =
      foreign_mistake(tokens[0], word == "pad" ? "`pad` lengthens one dimension of one array"
                                               : "it is written `pad`");
  std::vector<std::string> lines;
  for (const std::string& part : parted_at_commas(text.substr(tokens[0].end)))
    lines.push_back(fmt::format("pad {}", bare_text(part)));
  offer_line(mistake, join(lines, "; "));
  return mistake.help.empty() ? std::nullopt : std::optional(std::move(mistake));
}

// `m, v: fp32[D, F] = 0`
std::optional<ForeignMistake> read_shared_value(std::string_view text, const Tokens& tokens) {
  std::size_t colon = 1;
  while (is(tokens[colon], ",") && tokens[colon - 1].kind == ForeignKind::Word &&
         colon + 2 < tokens.size())
    colon += 2;
  if (colon == 1 || !is(tokens[colon], ":") || text.find('=', tokens[colon].end) == text.npos)
    return std::nullopt;
  ForeignMistake mistake =
      foreign_mistake(tokens[0], tokens[colon - 1], "a value is given to one array at a time");
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < colon; i += 2)
    lines.push_back(fmt::format("{}{}", tokens[i].text, text.substr(tokens[colon].begin)));
  offer_line(mistake, join(lines, "; "));
  return mistake.help.empty() ? std::nullopt : std::optional(std::move(mistake));
}

}  // namespace

std::optional<CollectiveKind> abbreviated_collective(std::string_view word) {
  static constexpr std::pair<std::string_view, CollectiveKind> kAbbreviations[] = {
      {"AG", CollectiveKind::AllGather},
      {"RS", CollectiveKind::ReduceScatter},
      {"AR", CollectiveKind::AllReduce},
      {"A2A", CollectiveKind::AllToAll}};
  const std::string_view name = word.substr(0, word.find('_'));
  for (const auto& [abbreviation, kind] : kAbbreviations) {
    if (name == abbreviation) return kind;
  }
  return std::nullopt;
}

std::optional<ForeignMistake> read_foreign_phrase(std::string_view text,
                                                  const ForeignNames& names) {
  const auto tokens = foreign_tokens(text);
  if (!tokens || tokens->size() < 4 || text.find('\n') != std::string_view::npos)
    return std::nullopt;
  if (auto mistake = read_abbreviation(text, *tokens, names)) return mistake;
  if (auto mistake = read_pad(text, *tokens)) return mistake;
  if (auto mistake = read_shared_value(text, *tokens)) return mistake;
  if (auto mistake = read_to(text, *tokens)) return mistake;
  if (auto mistake = read_collective_beside(text, *tokens)) return mistake;
  if (auto mistake = read_verb(text, *tokens, names)) return mistake;
  if (auto mistake = read_shard(*tokens, names)) return mistake;
  if (auto mistake = read_counted(text, *tokens, names)) return mistake;
  if (auto mistake = read_bars(text, *tokens, names)) return mistake;
  if (auto mistake = read_subscript(text, *tokens)) return mistake;
  if (auto mistake = read_equation(text, *tokens, names)) return mistake;
  return read_bare_call(text, *tokens, names);
}

}  // namespace shard
