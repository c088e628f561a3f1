// Chains of arrays without brackets, each a row of capitals with their axes, joined by products, arrows and collectives:
// `BM_x × M_xE = BE → RS over x → BE_x`, `E_xM → AG x → EM`, `B_xEX → A2A → BEX_x`, `BD_{xy} → AG over x,y → BD`.
#include "grammar/posted/chain.h"

#include <algorithm>
#include <iterator>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "base/words.h"
#include "grammar/posted/posted.h"
#include "grammar/posted/spelling.h"

namespace shard {
namespace {

constexpr std::pair<std::string_view, std::string_view> kCollectiveWords[] = {
    {"AG", "AllGather"},         {"AR", "AllReduce"},
    {"RS", "ReduceScatter"},     {"A2A", "AllToAll"},
    {"AllGather", "AllGather"},  {"AllReduce", "AllReduce"},
    {"AllToAll", "AllToAll"},    {"ReduceScatter", "ReduceScatter"},
    {"All-Gather", "AllGather"}, {"All-Reduce", "AllReduce"},
    {"All-to-All", "AllToAll"},  {"Reduce-Scatter", "ReduceScatter"},
    {"all-gather", "AllGather"}, {"all-reduce", "AllReduce"},
    {"all-to-all", "AllToAll"},  {"reduce-scatter", "ReduceScatter"}};

// One dimension: a capital and the axes that split it.
struct RowDimension {
  std::string name;
  std::string axes;
  friend bool operator==(const RowDimension&, const RowDimension&) = default;
};
using Row = std::vector<RowDimension>;

// `M_xE` as `M_x` and `E`; nothing if it is more than capitals with their subscripts.
Row row_of(const std::string& word) {
  static const std::regex dimension_pattern(R"(^([A-Z])(?:_(?:\{([A-Za-z]+)\}|([A-Za-z])))?)");
  Row row;
  std::smatch match;
  for (std::string rest = word; !rest.empty(); rest = match.suffix()) {
    if (!std::regex_search(rest, match, dimension_pattern)) return {};
    row.push_back({match.str(1), match.str(2) + match.str(3)});
  }
  return row;
}

bool has_dimension(const Row& row, const std::string& name) {
  return std::any_of(row.begin(), row.end(), [&](const auto& one) { return one.name == name; });
}

bool is_split(const Row& row) {
  return std::any_of(row.begin(), row.end(), [](const auto& one) { return !one.axes.empty(); });
}

bool shares_dimension(const Row& left, const Row& right) {
  return std::any_of(left.begin(), left.end(),
                     [&](const auto& one) { return has_dimension(right, one.name); });
}

// "_x", "_{xy}".
std::string subscript_of(const std::string& axes) {
  return axes.empty() ? "" : axes.size() == 1 ? "_" + axes : "_{" + axes + "}";
}

std::string bracketed(const Row& row) {
  std::vector<std::string> dimensions;
  for (const RowDimension& one : row) dimensions.push_back(one.name + subscript_of(one.axes));
  return "[" + join(dimensions, ", ") + "]";
}

// `RS over x`, `AG_x`, `AG over x,y`, `A2A`.
struct RowCollective {
  std::string name;
  std::string axes;

  bool reduces() const { return name == "AllReduce" || name == "ReduceScatter"; }
};

// The letters of `x,y`, `x and y`, `xy`.
std::string letters_of_axes(const std::string& list) {
  static const std::regex word_pattern(R"([A-Za-z]+)");
  std::string letters;
  for (std::sregex_iterator word(list.begin(), list.end(), word_pattern), end; word != end; ++word)
    if (word->str() != "and") letters += word->str();
  return letters;
}

std::optional<RowCollective> row_collective(const std::string& text) {
  static const std::regex collective_pattern(
      R"(^([A-Za-z][A-Za-z2-]*?)(?:(?:\s+(?:(?:over|on|along|across)\s+)?|_)[{(]?([A-Za-z]+(?:(?:\s*,\s*|\s+and\s+)[A-Za-z])*)[})]?)?$)");
  std::smatch match;
  if (!std::regex_match(text, match, collective_pattern)) return std::nullopt;
  for (const auto& [word, name] : kCollectiveWords) {
    if (match.str(1) == word)
      return RowCollective{std::string(name), letters_of_axes(match.str(2))};
  }
  return std::nullopt;
}

// `RS over x, AR over y`: one, or several that follow one another; nothing if it is anything else.
std::vector<RowCollective> row_collectives(const std::string& text) {
  if (auto whole = row_collective(text)) return {*std::move(whole)};
  static const std::regex border(R"(\s*(?:[,;+]|\band\b|\bthen\b)\s*(?:then\s+)?)");
  for (std::sregex_iterator at(text.begin(), text.end(), border), end; at != end; ++at) {
    auto first = row_collective(text.substr(0, static_cast<std::size_t>(at->position())));
    if (!first) continue;
    std::vector<RowCollective> all = {*std::move(first)};
    for (RowCollective& one : row_collectives(at->suffix().str())) all.push_back(std::move(one));
    if (all.size() > 1) return all;
  }
  return {};
}

// A part of a chain, between its signs.
struct ChainPart {
  std::string sign;  // that stands before it: "", "·", "=", "→"
  std::string text;
};

// Signs of LaTeX and ASCII as those of the notation, and `\text{…}` as what is in it.
std::string plain_chain(std::string_view chain) {
  static const std::pair<std::regex, std::string> spellings[] = {
      {std::regex(R"(\\(?:text|mathrm|textrm|mathbf|textbf|operatorname)\{([^{}]*)\})"), "$1"},
      {std::regex(R"(\\xrightarrow\{((?:[^{}]|\{[^{}]*\})*)\})"), "→ $1 →"},
      {std::regex(R"(\\(?:times|cdot|otimes)(?![A-Za-z])|×|\*)"), "·"},
      {std::regex(R"(\\(?:rightarrow|to|longrightarrow|Rightarrow)(?![A-Za-z])|->|⟶|⇒)"), "→"},
      {std::regex(R"(\\[,;:! ])"), " "}};
  std::string text(chain);
  for (const auto& [pattern, by] : spellings) text = std::regex_replace(text, pattern, by);
  return text;
}

std::vector<ChainPart> parts_of_chain(const std::string& chain) {
  std::vector<ChainPart> parts(1);
  for (std::size_t at = 0; at < chain.size();) {
    std::string_view sign;
    for (const std::string_view one : {"·", "→", "="}) {
      if (std::string_view(chain).substr(at).starts_with(one)) sign = one;
    }
    if (sign.empty()) {
      parts.back().text += chain[at++];
      continue;
    }
    parts.push_back({std::string(sign), {}});
    at += sign.size();
  }
  for (ChainPart& part : parts) {
    const std::size_t begin = part.text.find_first_not_of(" \t");
    if (begin == std::string::npos) return {};
    part.text = part.text.substr(begin, part.text.find_last_not_of(" \t") - begin + 1);
  }
  return parts;
}

// Writes the statements of a chain.
class ChainWriter {
 public:
  explicit ChainWriter(std::vector<ChainPart> parts) : parts_(std::move(parts)) {}

  std::optional<std::string> write() {
    if (parts_.size() < 2 || !read_value()) return std::nullopt;
    while (next_ < parts_.size()) {
      if (!read_move()) return std::nullopt;
    }
    if (!is_array_ || statements_.empty()) return std::nullopt;
    return join(statements_, "; ");
  }

 private:
  std::optional<Row> take_row(std::string_view sign) {
    if (next_ >= parts_.size() || parts_[next_].sign != sign) return std::nullopt;
    Row row = row_of(parts_[next_].text);
    if (row.empty() || !row_collectives(parts_[next_].text).empty()) return std::nullopt;
    ++next_;
    learn(row);
    return row;
  }

  void learn(const Row& row) { is_array_ = is_array_ || row.size() > 1; }

  bool at_collective(std::size_t part) const {
    return part < parts_.size() && parts_[part].sign == "→" &&
           !row_collectives(parts_[part].text).empty();
  }

  // An array, or a product of arrays and its result.
  bool read_value() {
    const auto left = take_row("");
    if (!left) return false;
    value_ = *left;
    const auto right = take_row("·");
    return !right || read_product(*left, *right);
  }

  bool read_product(const Row& left, const Row& right) {
    if (left.size() < 2 || right.size() < 2 || !shares_dimension(left, right)) return false;
    // `B_xM × ME`: capitals alone may be a product of sizes.
    if (next_ == parts_.size()) {
      if (!is_split(left) && !is_split(right)) return false;
      statements_.push_back(bracketed(left) + " · " + bracketed(right));
      return true;
    }
    std::optional<Row> result = take_row("=");
    const std::string sign = result ? "=" : "→";
    if (!result && !at_collective(next_)) result = take_row("→");
    Row rest;
    std::string summed;  // axes that the sum is split over
    for (const RowDimension& one : left) {
      const bool both = has_dimension(right, one.name);
      const bool kept = result ? has_dimension(*result, one.name) : !both;
      if (kept || !both) {
        rest.push_back(one);
      } else if (std::find(right.begin(), right.end(), one) != right.end()) {
        summed += one.axes;
      }
    }
    for (const RowDimension& one : right) {
      if (!has_dimension(left, one.name)) rest.push_back(one);
    }
    value_ = result.value_or(rest);
    // A collective that follows, and says what comes of it, is given the sums as they are.
    if (!summed.empty() && at_collective(next_)) {
      const auto collectives = row_collectives(parts_[next_].text);
      const bool reduce = std::all_of(collectives.begin(), collectives.end(),
                                      [](const RowCollective& one) { return one.reduces(); });
      if (next_ + 1 < parts_.size() || reduce) unreduced_ = summed;
    }
    statements_.push_back(bracketed(left) + " · " + bracketed(right) + " " + sign + " " +
                          bracketed(value_) + mark());
    return true;
  }

  std::string mark() const {
    return unreduced_.empty() ? "" : "{U" + subscript_of(unreduced_) + "}";
  }

  // What a chain ends with that says no result: of an AllToAll nobody can tell it, nor of a collective without axes that has no sums
  // to reduce. A ReduceScatter goes to the last dimension, as in `→ RS over x → BE_x`: it costs as much whichever it is.
  std::optional<Row> end_of_chain(const std::vector<RowCollective>& collectives) const {
    Row row = value_;
    for (const RowCollective& one : collectives) {
      const std::string& axes = one.axes.empty() ? unreduced_ : one.axes;
      if (one.name == "AllToAll" || axes.empty()) return std::nullopt;
      if (one.name == "ReduceScatter") row.back().axes += axes;
      if (one.name != "AllGather") continue;
      for (RowDimension& dimension : row) {
        std::erase_if(dimension.axes,
                      [&](char axis) { return axes.find(axis) != std::string::npos; });
      }
    }
    return row;
  }

  // `→ RS over x → BE_x`. At the end of the chain, without a result, collectives that nothing tells the result of are a remark.
  bool read_move() {
    if (!at_collective(next_)) return false;
    const std::vector<RowCollective> collectives = row_collectives(parts_[next_++].text);
    std::optional<Row> result;
    if (next_ < parts_.size()) {
      result = take_row("→");
      if (!result) return false;
    } else {
      result = end_of_chain(collectives);
      if (!result) return !statements_.empty();
    }
    // What a chain begins with is what its collectives sum.
    if (statements_.empty()) {
      for (const RowCollective& one : collectives) unreduced_ += one.reduces() ? one.axes : "";
    }
    for (std::size_t i = 0; i + 1 < collectives.size(); ++i) {
      const auto between = behind(collectives[i], *result);
      if (!between) return false;
      move(collectives[i], *between);
    }
    move(collectives.back(), *result);
    return true;
  }

  // What the collective leaves, where others follow that lead to the result; nullopt if nothing tells.
  std::optional<Row> behind(const RowCollective& collective, const Row& result) const {
    Row row = value_;
    if (collective.name == "AllReduce") return row;
    if (collective.name == "AllToAll" || collective.axes.empty()) return std::nullopt;
    const auto is_moved = [&](char axis) {
      return collective.axes.find(axis) != std::string::npos;
    };
    for (RowDimension& one : row) {
      if (collective.name == "AllGather") std::erase_if(one.axes, is_moved);
      if (collective.name != "ReduceScatter") continue;
      const auto place = std::find_if(result.begin(), result.end(),
                                      [&](const auto& other) { return other.name == one.name; });
      if (place == result.end()) continue;
      std::copy_if(place->axes.begin(), place->axes.end(), std::back_inserter(one.axes), is_moved);
    }
    return row;
  }

  void move(const RowCollective& collective, const Row& result) {
    const std::string from = bracketed(value_) + mark();
    const bool all = collective.axes.empty();
    if (collective.reduces()) {
      std::erase_if(unreduced_, [&](char axis) {
        return all || collective.axes.find(axis) != std::string::npos;
      });
    }
    value_ = result;
    statements_.push_back(collective.name + subscript_of(collective.axes) + " " + from + " → " +
                          bracketed(value_) + mark());
  }

  std::vector<ChainPart> parts_;
  std::size_t next_ = 0;
  Row value_;              // what there is so far
  std::string unreduced_;  // the axes over which it holds parts of sums
  bool is_array_ = false;  // some row has several dimensions
  std::vector<std::string> statements_;
};

// A chain, or several with a `;` between them. One may stand between collectives as well.
std::optional<std::string> statements_of_chains(const std::string& text) {
  if (auto statements = ChainWriter(parts_of_chain(text)).write()) return statements;
  const std::size_t border = text.find(';');
  if (border == std::string::npos) return std::nullopt;
  const auto first = statements_of_chains(text.substr(0, border));
  const auto rest = first ? statements_of_chains(text.substr(border + 1)) : std::nullopt;
  return rest ? std::optional(*first + "; " + *rest) : std::nullopt;
}

}  // namespace

std::optional<std::string> with_brackets(std::string_view chain) {
  // Bytes; a chain of a few steps is far shorter.
  constexpr std::size_t kLongestChain = 200;
  const auto has = [&](std::string_view sign) {
    return chain.find(sign) != std::string_view::npos;
  };
  if (chain.size() > kLongestChain || has("[") ||
      !(has("→") || has("->") || has("=") || has("\\to") || has("arrow") || has("\\times") ||
        has("×") || has("\\cdot") || has("·")))
    return std::nullopt;
  std::string text = plain_chain(chain);
  while (!text.empty() && std::string_view(" .,;").find(text.back()) != std::string_view::npos)
    text.pop_back();
  return statements_of_chains(text);
}

std::optional<std::string> collective_of_arrow(std::string_view text) {
  const auto collective = row_collective(plain_chain(text));
  if (!collective) return std::nullopt;
  return collective->name + subscript_of(collective->axes);
}

bool may_hold_chain(std::string_view text) {
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  return (has("→") || has("->")) &&
         std::any_of(std::begin(kCollectiveWords), std::end(kCollectiveWords),
                     [&](const auto& word) { return has(word.first); });
}

std::string pattern_of_collective_words() {
  std::vector<std::string> words;
  for (const auto& [word, name] : kCollectiveWords) words.emplace_back(word);
  return "(?:" + join(words, "|") + ")";
}

}  // namespace shard
