#include "grammar/posted/search.h"

#include <algorithm>
#include <regex>

#include "base/words.h"

namespace shard {
namespace {

// Places where notation may begin, and where it may end after one of them, that are tried: more than a sentence with two
// statements has.
constexpr std::size_t kMostBegins = 24;
constexpr std::size_t kMostEnds = 40;

// Whether a statement may begin at the place: a bracket, or a word before a sign or a bracket.
bool may_begin(std::string_view text, std::size_t at) {
  const char before = at > 0 ? text[at - 1] : ' ';
  if (text[at] == '[') return !is_name_character(before) && before != ']' && before != '}';
  if (text[at] == '{') return at + 1 < text.size() && (is_gap_blank(before) || at == 0);
  // `std::map[K_V]`: a name of another language.
  const bool qualified = text.substr(0, at).ends_with("::");
  if (!is_letter(text[at]) || is_name_character(before) || before == '.' || before == '\\' ||
      qualified)
    return false;
  std::size_t end = at;
  while (end < text.size() && is_name_character(text[end])) ++end;
  const std::string_view word = text.substr(at, end - at);
  if (word.starts_with("TPU") || word == "mesh" || word.starts_with("All") ||
      word.starts_with("Reduce"))
    return true;
  std::size_t next = end;
  while (next < text.size() && is_gap_blank(text[next])) ++next;
  if (next == text.size()) return false;
  constexpr std::string_view kSigns = "[({'_:*@=-.+/";
  if (next == end && kSigns.find(text[next]) != std::string_view::npos) return true;
  return text.substr(next).starts_with("[") ||
         std::string_view("*@=-+:").find(text[next]) != std::string_view::npos ||
         text.substr(next).starts_with("·") || text.substr(next).starts_with("→");
}

// Whether one may end before the place: after a bracket, or after a name or number that is no word of a sentence.
bool may_end(std::string_view text, std::size_t end) {
  const char last = text[end - 1];
  if (last == ']' || last == '}' || last == ')' || last == '\'') return true;
  if (!is_name_character(last) || (end < text.size() && is_name_character(text[end]))) return false;
  std::size_t begin = end;
  while (begin > 0 && is_name_character(text[begin - 1])) --begin;
  while (begin > 0 && is_gap_blank(text[begin - 1])) --begin;
  // `TPUv5p 4x4x4`: no word of a sentence begins with a digit.
  const std::size_t word = text.find_first_not_of(" \t\x01", begin);
  return begin == 0 || !is_letter(text[begin - 1]) || is_digit(text[word]);
}

// `→ we gather A first`: the word before the place, which others follow, is one of theirs and names no array.
bool ends_in_sentence(std::string_view text, std::size_t end, const PostedNames& names) {
  const std::size_t next = text.find_first_not_of(" \t\x01", end);
  if (next == std::string_view::npos || next == end || !is_letter(text[next])) return false;
  std::size_t begin = end;
  while (begin > 0 && is_name_character(text[begin - 1])) --begin;
  const std::string_view word = text.substr(begin, end - begin);
  if (word.empty() || word.front() < 'a' || word.front() > 'z') return false;
  while (begin > 0 && is_gap_blank(text[begin - 1])) --begin;
  const std::string_view before = text.substr(0, begin);
  return (before.ends_with("→") || before.ends_with("->")) &&
         names.dimensions(std::string(word)).empty();
}

// `In`, `W_in`, `dOut`, `Wout`, and no word of a sentence.
bool is_array_label(std::string_view label) {
  constexpr std::size_t kLongestWord = 3;
  const bool inner =
      std::any_of(label.begin(), label.end(), [](char c) { return c == '_' || is_digit(c); });
  const bool capital = !label.empty() && label.front() >= 'A' && label.front() <= 'Z';
  // Weights have one letter more: `Wout`.
  const std::size_t most = label.starts_with('W') ? kLongestWord + 1 : kLongestWord;
  return inner || (capital && label.size() <= most);
}

class PostedSearch {
 public:
  PostedSearch(std::string_view text, const PostedNames& names, PostedSource source)
      : text_(text), names_(names), article_(source == PostedSource::Article) {}

  // The arrays, facts and statements of the line.
  std::vector<PostedRange> find() {
    std::vector<PostedRange> pieces;
    for (std::size_t begin = 0; begin < text_.size() && begins_ < kMostBegins; ++begin) {
      if (!may_begin(text_, begin) || (article_ && is_word_before_bracket(begin))) continue;
      ++begins_;
      const PostedRange piece =
          without_label(longest(begin), pieces.empty() ? 0 : pieces.back().end);
      if (piece.kind < PostedKind::Array) continue;
      pieces.push_back(piece);
      begin = piece.end - 1;
    }
    return pieces;
  }

 private:
  // `from [A_X, B] → [A, B]`: no array is written so in a sentence.
  bool is_word_before_bracket(std::size_t begin) const {
    std::size_t end = begin;
    while (end < text_.size() && text_[end] >= 'a' && text_[end] <= 'z') ++end;
    const std::size_t next = text_.find_first_not_of(" \t\x01", end);
    return end > begin && next != std::string_view::npos && next > end && text_[next] == '[';
  }

  PostedRange longest(std::size_t begin) {
    PostedRange best;
    std::size_t tried = 0;
    for (std::size_t end = text_.size(); end > begin && tried < kMostEnds; --end) {
      if (!may_end(text_, end) || ends_in_sentence(text_, end, names_)) continue;
      ++tried;
      const PostedKind kind = names_.read(without_delimiters(text_.substr(begin, end - begin)));
      if (kind > best.kind) best = {begin, end, kind};
      if (kind >= PostedKind::Given) break;
    }
    return best;
  }

  // A label to which words of a sentence lead belongs to them: `the type is as: bf16[B, D]`.
  PostedRange without_label(PostedRange piece, std::size_t before) const {
    if (piece.kind < PostedKind::Given) return piece;
    const std::string_view gap = text_.substr(before, piece.begin - before);
    const std::size_t colon = text_.substr(piece.begin, piece.end - piece.begin).find(':');
    // `FSDP/Z3 : …`, `FSDP + TP: …`
    const std::size_t last = gap.find_last_not_of(' ');
    const bool glued = last != std::string_view::npos &&
                       (last + 1 == gap.size() ||
                        std::string_view("+/&-").find(gap[last]) != std::string_view::npos);
    // `on each Y-shard: bf16[B, D]`
    const bool compound = article_ && gap.ends_with('-') && words_in(gap) > 0;
    if (words_in(gap) == 0 || (!compound && parts_before(gap, false)) ||
        colon == std::string_view::npos)
      return piece;
    if (article_ && is_array_label(text_.substr(piece.begin, colon))) return piece;
    const std::size_t begin = text_.find_first_not_of(" :", piece.begin + colon);
    if (begin >= piece.end) return piece;
    const PostedKind kind = names_.read(without_delimiters(text_.substr(begin, piece.end - begin)));
    const bool led =
        glued || words_in(gap) > 1 || (kind < PostedKind::Statement && has_printed_type(text_));
    return kind >= PostedKind::Given && led ? PostedRange{begin, piece.end, kind} : piece;
  }

  std::string_view text_;
  const PostedNames& names_;
  bool article_;
  std::size_t begins_ = 0;
};

}  // namespace

std::string without_delimiters(std::string_view text) {
  std::string bare(text);
  std::replace(bare.begin(), bare.end(), kDelimiter, ' ');
  return bare;
}

bool has_printed_type(std::string_view line) {
  static const std::regex type_pattern(R"([a-z]\d+\[[^\]]*(\d@\w|\]\{[URV]:))");
  return std::regex_search(line.begin(), line.end(), type_pattern);
}

std::vector<PostedRange> search_posted(std::string_view text, const PostedNames& names,
                                       PostedSource source) {
  return PostedSearch(text, names, source).find();
}

}  // namespace shard
