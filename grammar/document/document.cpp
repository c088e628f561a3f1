#include "grammar/document/document.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/words.h"
#include "grammar/document/environment.h"
#include "grammar/document/fences.h"
#include "grammar/document/formula_mark.h"

namespace shard {
namespace {

constexpr auto kNone = std::string_view::npos;
// Lines of a formula, and of a call whose brackets are closed on a later line: more than those of an article have. What is not
// closed within them is text.
constexpr std::size_t kMostFormulaLines = 40;
constexpr std::size_t kMostJoinedLines = 8;

struct TextLine {
  std::size_t begin = 0;
  std::size_t end = 0;   // without the line's end
  std::size_t next = 0;  // behind it
};

std::vector<TextLine> lines_of(std::string_view text) {
  std::vector<TextLine> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t newline = std::min(text.find('\n', begin), text.size());
    const std::size_t end = newline > begin && text[newline - 1] == '\r' ? newline - 1 : newline;
    lines.push_back({begin, end, std::min(newline + 1, text.size())});
    begin = newline + 1;
  }
  return lines;
}

bool is_script(const Fence& fence) {
  return fence.is("shard") && (fence.words.size() == 1 || fence.words[1] == "run" ||
                               fence.words[1] == "check" || fence.words[1].starts_with('-'));
}

// The length of what makes a line an item of a list, `- `, `– `, `— `, with the margin before it; 0 if nothing does. Other marks and
// numbers mean nothing in the notation, and may stand.
std::size_t bullet_length(std::string_view line) {
  const std::size_t first = std::min(line.find_first_not_of(" \t>"), line.size());
  for (const std::string_view mark : {"-", "–", "—"}) {
    const std::string_view rest = line.substr(first);
    if (!rest.starts_with(mark)) continue;
    const std::size_t item = rest.find_first_not_of(" \t", mark.size());
    return item == kNone || item == mark.size() ? 0 : first + item;
  }
  return 0;
}

class DocumentSplitter {
 public:
  explicit DocumentSplitter(std::string_view text)
      : text_(text),
        lines_(lines_of(text)),
        fences_(fences_of(text)),
        blocks_(code_blocks_of(text, fences_)) {}

  std::vector<DocumentPiece> run() {
    while (line_ < lines_.size()) {
      if (!fence() && !code_block() && !formula_of_lines()) text_line();
    }
    return std::move(pieces_);
  }

 private:
  std::string_view line(std::size_t number) const {
    return text_.substr(lines_[number].begin, lines_[number].end - lines_[number].begin);
  }

  // The number of the line that begins there; that behind the last line at the end of the text.
  std::size_t number_of(std::size_t begin) const {
    const auto at =
        std::lower_bound(lines_.begin(), lines_.end(), begin,
                         [](const TextLine& one, std::size_t place) { return one.begin < place; });
    return static_cast<std::size_t>(at - lines_.begin());
  }

  static DocumentPiece fenced(PieceForm form, const Fence& fence) {
    return {form, fence.body_begin, fence.body_end, {}, fence};
  }

  // The fence that the line opens; null if it opens none.
  const Fence* fence_here() {
    while (fence_ < fences_.size() && fences_[fence_].begin < lines_[line_].begin) ++fence_;
    const bool is_here = fence_ < fences_.size() && fences_[fence_].begin == lines_[line_].begin;
    return is_here ? &fences_[fence_] : nullptr;
  }

  bool fence() {
    const Fence* fence = fence_here();
    if (fence == nullptr) return false;
    if (fence->is("shard")) {
      // What is no script shows a part of one, a mistake or a session.
      const bool script = is_script(*fence);
      if (script) pieces_.push_back(fenced(PieceForm::Script, *fence));
      line_ = number_of(fence->end);
      const Fence* output = output_beneath(text_, fences_, fence_);
      if (output == nullptr) return true;
      if (script) pieces_.back().parts.push_back(fenced(PieceForm::Output, *output));
      line_ = number_of(output->end);
      return true;
    }
    add_listing(line_ + 1, number_of(fence->body_end));
    line_ = number_of(fence->end);
    return true;
  }

  // The lines from one up to another.
  void add_listing(std::size_t first, std::size_t closer) {
    for (std::size_t number = first; number < closer;)
      number = add_line(PieceForm::Listing, number, closer);
  }

  // An environment of code and the like, which are as a fence without a language.
  bool code_block() {
    const std::size_t begin = lines_[line_].begin;
    while (block_ < blocks_.size() && blocks_[block_].begin < begin) ++block_;
    if (block_ == blocks_.size() || blocks_[block_].begin != begin) return false;
    add_listing(number_of(blocks_[block_].body_begin), number_of(blocks_[block_].body_end));
    line_ = number_of(blocks_[block_].end);
    return true;
  }

  // A formula that begins a line and ends one below it.
  bool formula_of_lines() {
    const std::size_t first = line(line_).find_first_not_of(" \t>");
    if (first == kNone) return false;
    const std::size_t begin = lines_[line_].begin + first;
    const auto mark = formula_mark(text_.substr(begin));
    if (!mark || mark->closer == "$") return false;
    const std::size_t last = std::min(line_ + kMostFormulaLines, lines_.size());
    const auto end = formula_end(text_, begin, *mark, lines_[last - 1].end);
    if (!end || *end <= lines_[line_].end) return false;
    pieces_.push_back({PieceForm::Formula, begin, *end});
    while (line_ < lines_.size() && lines_[line_].next <= *end) ++line_;
    // What follows the formula on its last line is the end of a sentence.
    if (line_ < lines_.size() && lines_[line_].begin < *end) ++line_;
    return true;
  }

  void text_line() { line_ = add_line(PieceForm::Line, line_, lines_.size()); }

  // The line, with those below it as long as a bracket is open; the number of the line behind them.
  std::size_t add_line(PieceForm form, std::size_t number, std::size_t limit) {
    const std::string_view first = line(number);
    if (first.find_first_not_of(" \t\r") == kNone) return number + 1;
    const std::size_t begin = lines_[number].begin + bullet_length(first);
    const std::size_t joined = last_joined(number, limit);
    DocumentPiece piece{form, begin, lines_[joined].end};
    if (joined == number) {
      if (form == PieceForm::Line) piece.parts = parts_of_line(begin, lines_[number].end);
      pieces_.push_back(std::move(piece));
      return number + 1;
    }
    for (std::size_t i = number; i <= joined; ++i) {
      DocumentPiece part{form, i == number ? begin : lines_[i].begin, lines_[i].end};
      if (form == PieceForm::Line) part.parts = parts_of_line(part.begin, part.end);
      piece.parts.push_back(std::move(part));
    }
    pieces_.push_back(std::move(piece));
    return joined + 1;
  }

  // The line whose brackets close those of line `number`; itself if none closes them. Prose is not joined: a call leaves its first
  // line with an open bracket or a comma.
  std::size_t last_joined(std::size_t number, std::size_t limit) const {
    int depth = 0;
    const std::size_t most = std::min(number + kMostJoinedLines, limit);
    for (std::size_t i = number; i < most; ++i) {
      const std::string_view text = line(i);
      for (const char c : text) {
        depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
        if (depth < 0) return number;
      }
      if (depth == 0) return i;
      const std::size_t last = text.find_last_not_of(" \t");
      if (last == kNone) return number;
      if (i == number && std::string_view("([{,").find(text[last]) == kNone) return number;
    }
    return number;
  }

  std::vector<DocumentPiece> parts_of_line(std::size_t begin, std::size_t end) const {
    const std::string_view line = text_.substr(begin, end - begin);
    const std::size_t first = line.find_first_not_of(" \t");
    const bool piped = line[first] == '|' && line.find('|', first + 1) != kNone;
    const std::size_t tab = line.find('\t', first);
    const bool tabbed = tab != kNone && line.find_first_not_of(" \t", tab) != kNone;
    if (piped) return cells(begin, end, '|');
    return tabbed ? cells(begin + first, end, '\t') : inline_parts(begin, end);
  }

  std::vector<DocumentPiece> cells(std::size_t begin, std::size_t end, char border) const {
    std::vector<DocumentPiece> found;
    const auto add = [&](std::size_t from, std::size_t to) {
      while (from < to && (text_[from] == ' ' || text_[from] == '\t')) ++from;
      while (to > from && (text_[to - 1] == ' ' || text_[to - 1] == '\t')) --to;
      if (from == to) return;
      found.push_back({PieceForm::Cell, from, to, inline_parts(from, to)});
    };
    std::size_t from = begin;
    bool code = false;
    for (std::size_t at = begin; at < end; ++at) {
      code = text_[at] == '`' ? !code : code;
      const bool escaped = at > begin && text_[at - 1] == '\\';
      if (text_[at] != border || escaped || code) continue;
      add(from, at);
      from = at + 1;
    }
    add(from, end);
    return found;
  }

  // Inline code and formulas.
  std::vector<DocumentPiece> inline_parts(std::size_t begin, std::size_t end) const {
    std::vector<DocumentPiece> found;
    for (std::size_t at = begin; at < end;) {
      const auto part = text_[at] == '`' ? code_at(at, end) : formula_at(at, end);
      if (!part) {
        ++at;
        continue;
      }
      found.push_back(part->first);
      at = part->second;
    }
    return found;
  }

  // A piece, and where the text goes on.
  using Found = std::optional<std::pair<DocumentPiece, std::size_t>>;

  Found code_at(std::size_t at, std::size_t end) const {
    std::size_t inside = at;
    while (inside < end && text_[inside] == '`') ++inside;
    const std::string_view ticks = text_.substr(at, inside - at);
    const std::size_t closer =
        text_.substr(0, std::min(end, at + kFarthestMark)).find(ticks, inside);
    if (closer == kNone || closer == inside) return std::nullopt;
    return std::pair(DocumentPiece{PieceForm::Code, inside, closer}, closer + ticks.size());
  }

  Found formula_at(std::size_t at, std::size_t end) const {
    if (text_[at] != '$' && text_[at] != '\\') return std::nullopt;
    if (at > 0 && text_[at - 1] == '\\') return std::nullopt;
    // `Tmp\[B, F\]`: brackets of Markdown that are escaped.
    const bool escaped =
        text_[at] == '\\' && at > 0 && (is_name_character(text_[at - 1]) || text_[at - 1] == '>');
    if (escaped) return std::nullopt;
    const auto mark = formula_mark(text_.substr(at, end - at));
    if (!mark) return std::nullopt;
    const auto closer = formula_end(text_, at, *mark, end);
    if (!closer) return std::nullopt;
    return std::pair(DocumentPiece{PieceForm::Formula, at, *closer}, *closer);
  }

  std::string_view text_;
  std::vector<TextLine> lines_;
  std::vector<Fence> fences_;
  std::vector<CodeBlock> blocks_;
  std::size_t fence_ = 0;  // the next one
  std::size_t block_ = 0;  // likewise
  std::size_t line_ = 0;
  std::vector<DocumentPiece> pieces_;
};

}  // namespace

std::vector<DocumentPiece> split_document(std::string_view text) {
  return DocumentSplitter(text).run();
}

}  // namespace shard
