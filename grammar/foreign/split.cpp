// Layouts in words: `A: bf16[I, J] sharded over X along J`, and collectives with their axes in words: `allgather A[I_X, J]
// over X → A[I, J]`.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/translate/function.h"
#include "grammar/translate/operand.h"
#include "grammar/translate/token.h"
#include "grammar/translate/writer.h"

namespace shard {
namespace {

using SplitTokens = ForeignTokens;
using SplitKind = ForeignToken::Kind;

constexpr std::string_view kSplitWords[] = {"sharded", "split", "partitioned", "distributed",
                                            "divided", "shard", "scattered",   "cut"};
constexpr std::string_view kWholeWords[] = {"replicated", "unsharded", "copied", "whole"};
constexpr std::string_view kOverWords[] = {"over", "along", "on", "across", "by", "in", "with"};
constexpr std::string_view kAxisWords[] = {"axis", "axes", "mesh", "the", "dim", "dimension"};

template <class Words>
bool is_any(const ForeignToken& token, const Words& words) {
  return token.kind == SplitKind::Word &&
         std::find(std::begin(words), std::end(words), token.text) != std::end(words);
}

// What stands in the brackets [open, close] of tokens, parted by commas.
std::vector<ForeignDimension> bracket_dimensions(std::string_view text, const SplitTokens& tokens,
                                                 std::size_t open, std::size_t close,
                                                 const ForeignWriter& writer) {
  std::vector<ForeignDimension> dimensions;
  std::size_t begin = open + 1;
  std::size_t next = begin;
  while (next <= close) {
    const std::size_t i = is(tokens[next], "{") ? behind_group(tokens, next) : next;
    next = i + 1;
    if (i < close && !is(tokens[i], ",")) continue;
    if (i <= begin) return {};
    const std::size_t from = tokens[begin].begin;
    std::string written(text.substr(from, tokens[i - 1].end - from));
    dimensions.push_back(writer.dimension_written(written));
    begin = i + 1;
  }
  return dimensions;
}

// Reads which axis splits which dimension, in either order.
class SplitReader {
 public:
  SplitReader(std::vector<ForeignDimension> dimensions, const ForeignNames& names)
      : dimensions_(std::move(dimensions)), known_(names.axes()) {}

  // Whether every word from `i` on was one of these.
  bool read(const SplitTokens& tokens, std::size_t i) {
    for (; i + 1 < tokens.size(); ++i) {
      const ForeignToken& token = tokens[i];
      const bool filler = is_any(token, kOverWords) || is_any(token, kAxisWords) ||
                          is(token, "and") || token.kind == SplitKind::Sign;
      if (filler) continue;
      if (!take(std::string(token.text))) return false;
    }
    finish();
    return axes_ > 0 && free_.empty();
  }

  const std::vector<ForeignDimension>& dimensions() const { return dimensions_; }
  // The one axis of which no dimension was named; empty otherwise.
  const std::string& guessed() const { return guessed_; }

 private:
  bool take(const std::string& word) {
    const auto dimension =
        std::find_if(dimensions_.begin(), dimensions_.end(),
                     [&](const ForeignDimension& known) { return known.name == word; });
    const bool axis = std::find(known_.begin(), known_.end(), word) != known_.end();
    if (!axis && dimension != dimensions_.end()) return name(dimension - dimensions_.begin());
    if (!axis && word.size() == 1 && is_digit(word.front())) return name(word.front() - '0');
    if (!axis) return false;
    ++axes_;
    if (named_ < 0) {
      free_.push_back(word);
      return true;
    }
    dimensions_[static_cast<std::size_t>(named_)].axes.push_back(word);
    return true;
  }

  bool name(std::ptrdiff_t place) {
    if (place >= static_cast<std::ptrdiff_t>(dimensions_.size())) return false;
    named_ = free_.empty() ? place : -1;
    auto& axes = dimensions_[static_cast<std::size_t>(place)].axes;
    axes.insert(axes.end(), free_.begin(), free_.end());
    free_.clear();
    return true;
  }

  // Axes of which nothing was said split the first dimensions that are whole.
  void finish() {
    if (free_.size() == 1) guessed_ = free_.front();
    for (ForeignDimension& dimension : dimensions_) {
      if (free_.empty() || !dimension.axes.empty()) continue;
      dimension.axes.push_back(free_.front());
      free_.erase(free_.begin());
    }
  }

  std::vector<ForeignDimension> dimensions_;
  std::vector<std::string> known_;
  std::vector<std::string> free_;  // axes that split what is named next
  std::string guessed_;
  std::ptrdiff_t named_ = -1;
  int axes_ = 0;
};

// The same axis at the next dimension that is whole; empty if there is none.
std::vector<ForeignDimension> split_elsewhere(std::vector<ForeignDimension> dimensions,
                                              const std::string& axis) {
  bool moved = false;
  bool taken = false;
  for (ForeignDimension& dimension : dimensions) {
    const bool here = !taken && dimension.axes == std::vector<std::string>{axis};
    if (here) {
      dimension.axes.clear();
      taken = true;
    } else if (taken && !moved && dimension.axes.empty()) {
      dimension.axes.push_back(axis);
      moved = true;
    }
  }
  return moved ? dimensions : std::vector<ForeignDimension>{};
}

// `A: bf16[I, J] sharded on X`, `A: bf16[I, J] replicated`
std::optional<ForeignMistake> read_split_declaration(std::string_view text,
                                                     const SplitTokens& tokens,
                                                     const ForeignNames& names) {
  std::size_t open = 1;
  while (open < tokens.size() && !is(tokens[open], "[") && !is(tokens[open], "=")) ++open;
  if (tokens[0].kind != SplitKind::Word || !is(tokens[open], "[")) return std::nullopt;
  const std::size_t behind = behind_group(tokens, open);
  std::size_t word = behind;
  if (is(tokens[word], ":")) word += 2;
  const std::size_t before = word;
  while (is(tokens[word], ",") || is(tokens[word], "is")) ++word;
  const bool whole = is_any(tokens[word], kWholeWords);
  if (!whole && !is_any(tokens[word], kSplitWords)) return std::nullopt;
  ForeignMistake mistake = foreign_mistake(tokens[word].begin, tokens[tokens.size() - 2].end,
                                           "what splits a dimension is its subscript");
  const auto line_with = [&](const std::vector<ForeignDimension>& dimensions) {
    return fmt::format(
        "{}{}{}", text.substr(0, tokens[open].begin), brackets_text(dimensions),
        text.substr(tokens[behind - 1].end, tokens[before - 1].end - tokens[behind - 1].end));
  };
  mistake.made = std::string(tokens[0].text);
  if (whole) {
    mistake.message = "a dimension without a subscript is whole on every device";
    offer_line(mistake, text.substr(0, tokens[before - 1].end));
    return mistake.help.empty() ? std::nullopt : std::optional(std::move(mistake));
  }
  SplitReader reader(bracket_dimensions(text, tokens, open, behind - 1, ForeignWriter(names)),
                     names);
  if (!reader.read(tokens, word + 1)) return std::nullopt;
  offer_line(mistake, line_with(reader.dimensions()));
  if (mistake.help.empty()) return std::nullopt;
  const auto other = split_elsewhere(reader.dimensions(), reader.guessed());
  if (!reader.guessed().empty() && !other.empty())
    mistake.help.push_back(fmt::format("if it is another dimension that {} splits: `{}`",
                                       reader.guessed(), bare_text(line_with(other))));
  return mistake;
}

// `X`, `X, Y`, `(X, Y)`, `axis X` from `i` on; `i` is after it then.
std::vector<std::string> axes_in_words(const SplitTokens& tokens, std::size_t& i,
                                       const ForeignNames& names) {
  const std::vector<std::string> known = names.axes();
  std::vector<std::string> axes;
  for (; i + 1 < tokens.size(); ++i) {
    const bool axis = std::find(known.begin(), known.end(), tokens[i].text) != known.end();
    const bool between = is_any(tokens[i], kAxisWords) || is(tokens[i], ",") ||
                         is(tokens[i], "and") || is(tokens[i], "(") || is(tokens[i], ")") ||
                         is(tokens[i], "{") || is(tokens[i], "}");
    if (axis)
      axes.emplace_back(tokens[i].text);
    else if (!between)
      break;
  }
  return axes;
}

// `allgather A[I_X, J] over X → A[I, J]`, `A[I, J] = reduce_scatter B[I, J]{U_X} along X`
std::optional<ForeignMistake> read_collective_over(std::string_view text, const SplitTokens& tokens,
                                                   const ForeignNames& names) {
  for (std::size_t i = 0; i + 4 < tokens.size(); ++i) {
    if (tokens[i].kind != SplitKind::Word) continue;
    const bool starts = i == 0 || is(tokens[i - 1], "=") || is(tokens[i - 1], ";");
    const ForeignFunction* collective = starts ? called_collective(tokens[i].text) : nullptr;
    if (collective == nullptr || tokens[i + 1].kind != SplitKind::Word) continue;
    std::size_t end = i + 2;
    while (is(tokens[end], "[") || is(tokens[end], "{")) end = behind_group(tokens, end);
    if (!is_any(tokens[end], kOverWords)) continue;
    std::size_t after = end + 1;
    const std::vector<std::string> axes = axes_in_words(tokens, after, names);
    // `allgather x over X` has the layout that its array has.
    const bool alone = end == i + 2 && (i > 0 || after + 1 == tokens.size());
    if (axes.empty() || alone) return std::nullopt;
    ForeignMistake mistake = foreign_mistake(tokens[end].begin, tokens[after - 1].end,
                                             "the axis of a collective is a subscript of its name");
    const std::size_t array = tokens[i + 1].begin;
    offer_line(mistake,
               fmt::format("{}{}{} {}{}{}", text.substr(0, tokens[i].begin), collective->word,
                           axes_text(axes), text.substr(array, tokens[end - 1].end - array),
                           after + 1 < tokens.size() ? " " : "", text.substr(tokens[after].begin)));
    return mistake.help.empty() ? std::nullopt : std::optional(std::move(mistake));
  }
  return std::nullopt;
}

}  // namespace

std::optional<ForeignMistake> read_foreign_split(std::string_view text, const ForeignNames& names) {
  const auto tokens = foreign_tokens(text);
  if (!tokens || tokens->size() < 5 || text.find('\n') != std::string_view::npos)
    return std::nullopt;
  if (auto mistake = read_collective_over(text, *tokens, names)) return mistake;
  return read_split_declaration(text, *tokens, names);
}

}  // namespace shard
