#include "grammar/posted/posted.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/words.h"
#include "grammar/posted/remark.h"
#include "grammar/posted/respelt.h"
#include "grammar/posted/search.h"
#include "grammar/posted/spelling.h"
#include "grammar/source/foreign_words.h"

namespace shard {
namespace {

// Bytes. What is longer is data.
constexpr std::size_t kLongestPosted = 800;

// Letters below the line.
bool has_subscript_letters(std::string_view line) {
  return line.find("ₓ") != std::string_view::npos || line.find("ᵧ") != std::string_view::npos;
}

// Whether the brackets could not be those of another language: `x[i]`, `list[int]`.
bool is_surely_array(std::string_view text) {
  const std::size_t open = text.find('[');
  return open != std::string_view::npos && open + 1 < text.size() &&
         ((text[open + 1] >= 'A' && text[open + 1] <= 'Z') ||
          text.find('_', open) != std::string_view::npos);
}

// What of the line is read. Beside a statement, arrays that are only named belong to the sentence; beside facts alone, the
// first one is what they are about, and facts alone are no notation.
std::vector<PostedRange> choice_of(std::vector<PostedRange> pieces) {
  const auto has = [&](PostedKind kind) {
    return std::any_of(pieces.begin(), pieces.end(),
                       [&](const PostedRange& piece) { return piece.kind == kind; });
  };
  if (has(PostedKind::Statement) || has(PostedKind::Type)) {
    std::erase_if(pieces, [](const PostedRange& piece) { return piece.kind == PostedKind::Array; });
    return pieces;
  }
  if (!has(PostedKind::Array) && !has(PostedKind::Mesh)) return {};
  bool first = true;
  std::erase_if(pieces, [&](const PostedRange& piece) {
    return piece.kind == PostedKind::Array && !std::exchange(first, false);
  });
  return pieces;
}

// Whether nothing stands between two pieces, or a word between a statement and what is given: `A[I_X, J] on Mesh(…)`.
bool is_joining(std::string_view gap, PostedKind left, PostedKind right) {
  if (gap.find_first_not_of(" ,\t\n\x01") == std::string_view::npos) return true;
  const auto given = [](PostedKind kind) {
    return kind == PostedKind::Given || kind == PostedKind::Mesh;
  };
  return (given(left) || given(right)) && std::all_of(gap.begin(), gap.end(), [](char c) {
           return is_letter(c) || is_gap_blank(c) || c == ',';
         });
}

// The words that stand around the pieces.
std::size_t words_around(std::string_view text, const std::vector<PostedRange>& pieces) {
  std::size_t words = 0;
  std::size_t begin = 0;
  for (const PostedRange& piece : pieces) {
    words += words_in(text.substr(begin, piece.begin - begin));
    begin = piece.end;
  }
  return words + words_in(text.substr(begin));
}

// The part [begin, end) without the arrays that were found in it.
std::string without_arrays(std::string_view text, std::size_t begin, std::size_t end,
                           const std::vector<PostedRange>& found) {
  std::string bare;
  for (const PostedRange& piece : found) {
    if (piece.kind != PostedKind::Array || piece.begin < begin || piece.end > end) continue;
    bare += text.substr(begin, piece.begin - begin);
    begin = piece.end;
  }
  return bare + std::string(text.substr(begin, end - begin));
}

// Whether the text behind a piece begins with a parenthesis that nothing opened: one of the notation, with a mistake in it.
bool closes_nothing(std::string_view gap) {
  const std::size_t first = gap.find_first_not_of(" \t\n\x01");
  return first != std::string_view::npos && gap[first] == ')';
}

// `A: bf16[64@X, 32] P('Y', None)`: a layout that does not fit the array before it, and no remark.
bool begins_with_layout(std::string_view gap) {
  static const std::regex layout(
      R"(^[\s\x01:|,]*(?:(?:jax\.)?(?:sharding\.)?(?:P|PS|PartitionSpec)\(|[\[(](?:Shard|Replicate|Partial)\())");
  return std::regex_search(gap.begin(), gap.end(), layout);
}

// `C[I, K] : A[I_X, J] · B[J, K]`, `C[I, K] | …`: an array and a sign that is none of the notation may be what the line computes. Two
// bars are those of a table, a sign at the array is that of a label, and a line that says elsewhere what it computes has no other target.
bool may_be_target(std::string_view text, const PostedRange& first,
                   const std::vector<PostedRange>& found) {
  const PostedRange& array = found.front();
  if (array.kind != PostedKind::Array || array.end >= first.begin ||
      text.find_first_not_of(" \t") != array.begin)
    return false;
  const std::string_view statement = text.substr(first.begin, first.end - first.begin);
  for (const std::string_view target : {"→", "->", "="}) {
    if (statement.find(target) != std::string_view::npos) return false;
  }
  const std::string_view gap = text.substr(array.end, first.begin - array.end);
  const std::size_t sign = gap.find_first_not_of(" \t");
  const std::size_t last = gap.find_last_not_of(" \t");
  if (sign == 0 || sign == std::string_view::npos || sign != last) return false;
  return gap[sign] == ':' ||
         (gap[sign] == '|' && text.find('|', first.end) == std::string_view::npos);
}

// Signs that something is computed with, also those that only look like one.
bool begins_with_sign(std::string_view text) {
  constexpr std::string_view kSigns[] = {"&", "|", "?", "!", "%", "^", "~", "-", "+", "*", "/", ".",
                                         "—", "―", "‒", "–", "⁄", "◦", "○", "●", "⨉", "×", "÷"};
  return std::any_of(std::begin(kSigns), std::end(kSigns),
                     [&](std::string_view sign) { return text.starts_with(sign); });
}

// `2π`, `A + 1'000`, `10‰`: what stands at the number or the name belongs to it. Words of scripts without blanks may stand there.
bool is_glued_to_operand(std::string_view gap) {
  const auto first = static_cast<unsigned char>(gap.empty() ? ' ' : gap.front());
  const bool is_greek = first == 0xCE || first == 0xCF;
  const bool is_group = gap.size() > 1 && gap.front() == '\'' && is_digit(gap[1]);
  return is_greek || is_group || gap.starts_with("‰");
}

// `& (M > 0)`, `if x > 0 else y`, `? x : 0`, `(D)`, `(mod 2)` behind a statement: nothing but names of the script, numbers, signs and
// words for them is what the statement goes on with. `(2)` and `(3.1)` count, and `| A |` is a cell.
bool goes_on(std::string_view gap, const PostedNames& names) {
  constexpr std::string_view kWords[] = {"if", "else", "and", "or", "not"};
  constexpr std::string_view kBlanks = " \t\n\x01";
  if (is_glued_to_operand(gap)) return true;
  const std::size_t first = gap.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return false;
  const std::string_view rest = gap.substr(first, gap.find_last_not_of(kBlanks) + 1 - first);
  const bool is_cell = rest.size() > 1 && rest.front() == '|' && rest.back() == '|';
  bool has_name = false;
  bool has_word = false;
  bool has_number = false;
  for (std::size_t i = 0; i < rest.size();) {
    std::size_t end = i;
    while (end < rest.size() && is_name_character(rest[end])) ++end;
    const std::string_view word = rest.substr(i, end - i);
    i = std::max(end, i + 1);
    if (word.empty()) continue;
    const bool is_word = is_sign_word(word) ||
                         std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
    if (!is_digit(word.front()) && !is_word && !names.is_known(word)) return false;
    has_number = has_number || is_digit(word.front());
    has_word = has_word || is_word;
    has_name = has_name || (!is_word && !is_digit(word.front()));
  }
  if (is_cell || (!has_name && !has_word && !has_number)) return false;
  const bool in_parentheses = rest.size() > 2 && rest.front() == '(' && rest.back() == ')';
  const std::string_view inner = in_parentheses ? rest.substr(1, rest.size() - 2) : rest;
  const bool computes = begins_with_sign(inner) || holds_operator(inner) ||
                        inner.find_first_of("</>") != std::string_view::npos;
  // `. 2` ends a sentence, and `— 1`, `(0.5)` are no number of an equation.
  if (!has_name && !has_word)
    return in_parentheses ? computes || inner.starts_with("0.")
                          : begins_with_sign(inner) && inner.front() != '.' && inner.front() != '&';
  return has_word || in_parentheses || computes;
}

// `while n > 5: R[I] = A`: what stands before the statement is no label.
bool controls(std::string_view gap) {
  const std::size_t first = gap.find_first_not_of(" \t\x01");
  if (first == std::string_view::npos) return false;
  const std::size_t end = gap.find(' ', first);
  return end != std::string_view::npos && is_control_word(gap.substr(first, end - first));
}

// `m = (A > 0) & (`: what stands before the statement is the beginning of an equation, whose names are known.
bool begins_equation(std::string_view gap, const PostedNames& names) {
  constexpr std::string_view kBlanks = " \t\n\x01";
  const std::size_t equal = gap.find('=');
  const std::size_t last = gap.find_last_not_of(" \t\n\x01(");
  if (equal == std::string_view::npos || last == std::string_view::npos || last <= equal ||
      std::string_view("&|+-*/<>").find(gap[last]) == std::string_view::npos)
    return false;
  const std::size_t first = gap.find_first_not_of(kBlanks);
  const std::size_t end = gap.find_last_not_of(kBlanks, equal - 1);
  if (first >= equal || end == std::string_view::npos) return false;
  const std::string_view target = gap.substr(first, end + 1 - first);
  if (!std::all_of(target.begin(), target.end(), is_name_character)) return false;
  for (std::size_t i = equal + 1; i < last;) {
    std::size_t behind = i;
    while (behind < last && is_name_character(gap[behind])) ++behind;
    if (names.is_known(gap.substr(i, behind - i))) return true;
    i = std::max(behind, i + 1);
  }
  return false;
}

// Whether everything but the pieces is remarks.
bool are_remarks(std::string_view text, const std::vector<PostedRange>& pieces,
                 const std::vector<PostedRange>& found, std::string_view line,
                 const PostedNames& names) {
  if (may_be_target(text, pieces.front(), found)) return false;
  // Words behind a type may be those of a layout: `A: bf16[I, J] sharded on X`.
  const bool stated = std::any_of(pieces.begin(), pieces.end(), [](const PostedRange& piece) {
    return piece.kind == PostedKind::Statement;
  });
  const std::size_t words = words_around(text, pieces);
  const bool only_named = std::any_of(pieces.begin(), pieces.end(), [](const PostedRange& piece) {
    return piece.kind == PostedKind::Array;
  });
  const PostedRange& first = pieces.front();
  // A split array is notation in any sentence.
  const bool split =
      first.kind == PostedKind::Array &&
      text.substr(first.begin, first.end - first.begin).find('_') < std::string_view::npos;
  const bool prose = stated  ? words > 2 || has_subscript_letters(line)
                     : split ? words > 3
                             : has_printed_type(line);
  std::size_t begin = 0;
  bool opened = false;  // a parenthesis around the notation
  for (std::size_t i = 0; i <= pieces.size(); ++i) {
    const std::size_t end = i < pieces.size() ? pieces[i].begin : text.size();
    const std::string_view gap = text.substr(begin, end - begin);
    if (i > 0 && ((!opened && closes_nothing(gap)) || begins_with_layout(gap))) return false;
    if (stated && (i > 0 ? goes_on(gap, names) : controls(gap) || begins_equation(gap, names)))
      return false;
    opened = opened || gap.find('(') != std::string_view::npos;
    const std::string bare = stated ? without_arrays(text, begin, end, found) : std::string(gap);
    // Beside an array that is only named, a sign makes a statement that could not be read.
    if (holds_notation(bare) || (only_named && holds_operator(bare))) return false;
    // A sentence that names arrays is parted from the statement by a sign.
    const bool mentions = bare.size() < gap.size();
    const bool between = i > 0 && i < pieces.size();
    const bool typed = between && is_joining(gap, pieces[i - 1].kind, pieces[i].kind);
    if (i > 0 && !typed && !parts_behind(gap, prose && !mentions)) return false;
    const bool marked = i == 0 && is_mark_of_line(gap);
    if (i < pieces.size() && !typed && !marked && !parts_before(gap, prose && !mentions))
      return false;
    if (i < pieces.size()) begin = pieces[i].end;
  }
  return true;
}

std::string remark_of(std::string_view line, const Respelt& respelt,
                      const std::vector<PostedRange>& pieces) {
  std::string remark;
  std::size_t begin = 0;
  const auto add = [&](std::size_t end) {
    std::string_view gap = line.substr(begin, std::max(begin, end) - begin);
    while (!gap.empty() && (is_gap_blank(gap.front()) || gap.front() == '`' || gap.front() == '$'))
      gap.remove_prefix(1);
    while (!gap.empty() && (is_gap_blank(gap.back()) || gap.back() == '`' || gap.back() == '$'))
      gap.remove_suffix(1);
    if (!gap.empty()) remark += (remark.empty() ? "" : " … ") + std::string(gap);
  };
  for (const PostedRange& piece : pieces) {
    add(respelt.place_begin(piece.begin));
    begin = std::max(begin, respelt.place_end(piece.end - 1));
  }
  add(line.size());
  return remark;
}

void mark_delimiters(Respelt& line) {
  // A dash, not two signs.
  static const std::regex dash_pattern(R"((^|\s)--(?=\s))");
  line.replace_all(dash_pattern, [](const auto& match) { return match.str(1) + "—"; });
  // Pairs of them; a single one means nothing.
  for (const char* const pattern : {"`+", "\\$+"}) {
    const std::regex mark(pattern);
    const std::string text = line.text();
    const auto count =
        std::distance(std::sregex_iterator(text.begin(), text.end(), mark), std::sregex_iterator());
    if (count % 2 == 0)
      line.replace_all(mark, [](const auto&) { return std::string(1, kDelimiter); });
  }
}

// Whether a call or a layout of another language was translated.
bool respell_line(Respelt& line, const PostedNames& names) {
  respell_typst(line);
  const bool joined = respell_bracketless(line);
  respell_formula(line);
  respell_collective_over(line);
  mark_delimiters(line);
  line.remove_markup();
  respell_signs(line);
  const bool unwrapped = respell_jax(line);
  respell_layouts(line);
  respell_partial_sums(line);
  return respell_specs(line, names) || unwrapped || joined;
}

// The line as one statement, without remarks.
std::vector<PostedRange> whole_line(std::string_view text, const PostedNames& names) {
  constexpr std::string_view kBlanks = " \t\n\x01";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = text.find_last_not_of(kBlanks) + 1;
  const PostedKind kind = names.read(without_delimiters(text.substr(begin, end - begin)));
  return kind == PostedKind::Unreadable ? std::vector<PostedRange>()
                                        : std::vector<PostedRange>{{begin, end, kind}};
}

// Of the text of a line that was written so.
std::vector<PostedRange> statements_of(std::string_view text, const PostedNames& names,
                                       std::string_view line) {
  const bool possible =
      text.find('[') != std::string_view::npos || text.find("esh") != std::string_view::npos;
  if (!possible) return {};
  const std::vector<PostedRange> found = search_posted(text, names, PostedSource::Line);
  std::vector<PostedRange> pieces = choice_of(found);
  if (pieces.empty()) return {};
  const PostedRange& first = pieces.front();
  const bool doubtful = first.kind == PostedKind::Array &&
                        !is_surely_array(text.substr(first.begin, first.end - first.begin));
  if (doubtful || !are_remarks(text, pieces, found, line, names)) return {};
  return pieces;
}

// Whether the line has a bracket, a mesh or a formula: sentences, the most of a pasted text, have none, and cost nothing.
bool may_hold_notation(std::string_view line) {
  constexpr std::string_view kHints[] = {"[", "esh", "$",       "［",      "【",
                                         "→", "->",  "einsum(", "Struct(", " P("};
  return std::any_of(std::begin(kHints), std::end(kHints), [&](std::string_view mark) {
    return line.find(mark) != std::string_view::npos;
  });
}

}  // namespace

std::vector<PostedPiece> find_posted(std::string_view sentence, const PostedNames& names) {
  if (sentence.size() > kLongestPosted) return {};
  Respelt respelt(sentence, 0);
  respell_line(respelt, names);
  const std::string& text = respelt.text();
  std::vector<PostedRange> ranges = search_posted(text, names, PostedSource::Article);
  std::erase_if(ranges, [&](const PostedRange& range) {
    const std::string_view piece =
        std::string_view(text).substr(range.begin, range.end - range.begin);
    return range.kind == PostedKind::Array && !is_surely_array(piece);
  });
  std::vector<PostedPiece> pieces;
  for (const PostedRange& range : ranges) {
    PostedPiece& piece = pieces.emplace_back(PostedPiece{respelt.part(range.begin, range.end),
                                                         respelt.place_begin(range.begin),
                                                         respelt.place_end(range.end - 1)});
    piece.text.text = without_delimiters(piece.text.text);
  }
  return pieces;
}

std::optional<PostedLine> read_posted(std::string_view line, std::uint32_t offset,
                                      const PostedNames& names) {
  if (line.size() > kLongestPosted || !may_hold_notation(line)) return std::nullopt;
  Respelt respelt(line, offset);
  const bool translated = respell_line(respelt, names);
  const bool product = respell_einsum(respelt, names);
  if (names.readable && !translated && !product) return std::nullopt;
  std::vector<PostedRange> pieces =
      product ? whole_line(respelt.text(), names) : statements_of(respelt.text(), names, line);
  if (pieces.empty() && respell_slips(respelt)) {
    pieces = statements_of(respelt.text(), names, line);
    const bool item = line.find_first_not_of(" \t") == line.find_first_of("-*>");
    if (!item && words_around(respelt.text(), pieces) < 2) return std::nullopt;
  }
  if (pieces.empty()) return std::nullopt;
  PostedLine posted;
  posted.remark = remark_of(line, respelt, pieces);
  // A machine and sizes are declared before what stands on them.
  std::stable_partition(pieces.begin(), pieces.end(), [](const PostedRange& piece) {
    return piece.kind == PostedKind::Given || piece.kind == PostedKind::Mesh;
  });
  for (const PostedRange& piece : pieces) {
    PlainText& part = posted.statements.emplace_back(respelt.part(piece.begin, piece.end));
    part.text = without_delimiters(part.text);
  }
  return posted;
}

}  // namespace shard
