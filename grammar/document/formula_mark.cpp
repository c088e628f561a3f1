#include "grammar/document/formula_mark.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "grammar/document/environment.h"

namespace shard {
namespace {

constexpr auto kNoPlace = std::string_view::npos;

// The rows of a formula, without the marks at its ends.
class FormulaRows {
 public:
  FormulaRows(std::string_view text, const DocumentPiece& formula)
      : text_(text), begin_(formula.begin), end_(formula.end) {}

  std::vector<DocumentPiece> run() {
    drop_marks();
    const std::string_view inside = text_.substr(begin_, end_ - begin_);
    // Formulas within it make it text.
    if (inside.find('$') != kNoPlace) return text_within();
    const std::string_view border = next_row(inside, 0) != kNoPlace ? kRowBreak : "\n";
    for (std::size_t at = begin_; at < end_;) {
      const std::size_t found =
          border == kRowBreak ? next_row(inside, at - begin_) : inside.find(border, at - begin_);
      const std::size_t next = found == kNoPlace ? end_ : begin_ + found;
      add_row(at, next);
      at = next + border.size();
    }
    if (rows_.size() < 2) rows_.clear();
    return std::move(rows_);
  }

 private:
  // What begins with a sign, or stands below one, goes on with the row above it.
  void add_row(std::size_t begin, std::size_t end) {
    constexpr std::string_view kSigns[] = {
        "=",      "→",      "->", "·", "×", "*", "\\to", "\\rightarrow", "\\longrightarrow",
        "\\cdot", "\\times"};
    const std::string_view row = text_.substr(begin, end - begin);
    const std::size_t first = row.find_first_not_of(" \t\r\n&");
    if (first == kNoPlace) return;
    const auto goes_on = [&](std::string_view sign) {
      return row.substr(first).starts_with(sign) || row_above().ends_with(sign);
    };
    if (!rows_.empty() && std::any_of(std::begin(kSigns), std::end(kSigns), goes_on)) {
      rows_.back().end = end;
    } else {
      rows_.push_back({PieceForm::Formula, begin, end});
    }
  }

  // The last row without the blanks at its end.
  std::string_view row_above() const {
    if (rows_.empty()) return {};
    const std::string_view row = text_.substr(0, rows_.back().end);
    return row.substr(rows_.back().begin,
                      row.find_last_not_of(" \t\r\n&") + 1 - rows_.back().begin);
  }

  static constexpr std::string_view kRowBreak = R"(\\)";

  // The next `\\`; in Markdown `\\{` is a brace.
  static std::size_t next_row(std::string_view text, std::size_t at) {
    for (at = text.find(kRowBreak, at); at != kNoPlace; at = text.find(kRowBreak, at)) {
      at += kRowBreak.size();
      if (at == text.size() || (text[at] != '{' && text[at] != '}')) return at - kRowBreak.size();
    }
    return kNoPlace;
  }

  std::vector<DocumentPiece> text_within() const {
    std::vector<DocumentPiece> pieces = split_document(text_.substr(begin_, end_ - begin_));
    move_by(pieces, begin_);
    return pieces;
  }

  static void move_by(std::vector<DocumentPiece>& pieces, std::size_t offset) {
    for (DocumentPiece& piece : pieces) {
      piece.begin += offset;
      piece.end += offset;
      move_by(piece.parts, offset);
    }
  }

  // `$$`, `\[`, `\begin{align}`, several of them: an `aligned` may stand in a `$$`.
  void drop_marks() {
    constexpr std::string_view kBlanks = " \t\r\n";
    for (;;) {
      begin_ = std::min(text_.find_first_not_of(kBlanks, begin_), end_);
      while (end_ > begin_ && kBlanks.find(text_[end_ - 1]) != kNoPlace) --end_;
      const std::string_view inside = text_.substr(begin_, end_ - begin_);
      const auto mark = formula_mark(inside);
      if (!mark) return;
      std::size_t opening = mark->length;
      std::size_t closing = mark->closer.size();
      if (mark->closer == "\\end{") {
        const std::size_t brace = std::min(inside.find('}'), inside.size());
        const std::size_t last = inside.rfind(mark->closer);
        if (last == kNoPlace || inside.back() != '}' || last <= brace) return;
        opening = brace + 1;
        closing = inside.size() - last;
      } else if (inside.find(mark->closer, opening) + closing != inside.size()) {
        return;
      }
      begin_ += opening;
      end_ -= closing;
    }
  }

  std::string_view text_;
  std::size_t begin_;
  std::size_t end_;
  std::vector<DocumentPiece> rows_;
};

}  // namespace

std::optional<FormulaMark> formula_mark(std::string_view text) {
  if (text.starts_with("$$")) return FormulaMark{2, "$$"};
  if (text.starts_with("$")) return FormulaMark{1, "$"};
  if (text.starts_with("\\[")) return FormulaMark{2, "\\]"};
  if (text.starts_with("\\(")) return FormulaMark{2, "\\)"};
  if (text.starts_with("\\begin{")) return FormulaMark{7, "\\end{"};
  return std::nullopt;
}

std::optional<std::size_t> formula_end(std::string_view text, std::size_t begin,
                                       const FormulaMark& mark, std::size_t limit) {
  const std::size_t inside = begin + mark.length;
  const std::string_view rest = text.substr(0, std::min(limit, begin + kFarthestMark));
  if (mark.closer == "\\end{") {
    // The outermost one: `\begin{aligned}` may hold another environment.
    int depth = 1;
    for (std::size_t at = rest.find('\\', inside); at != kNoPlace; at = rest.find('\\', at + 1)) {
      if (rest.substr(at).starts_with("\\begin{")) ++depth;
      if (rest.substr(at).starts_with("\\end{")) --depth;
      if (depth > 0) continue;
      const std::size_t brace = rest.find('}', at);
      if (brace == kNoPlace || !is_formula_environment(rest.substr(begin, brace + 1 - begin)))
        return std::nullopt;
      return brace + 1;
    }
    return std::nullopt;
  }
  const std::size_t closer = rest.find(mark.closer, inside);
  if (closer == kNoPlace || closer == inside) return std::nullopt;
  // `$5 and $6` are no formula.
  if (mark.closer == "$" && (text[inside] == ' ' || text[closer - 1] == ' ')) {
    const std::string_view formula = rest.substr(inside, closer - inside);
    if (formula.find_first_of("\\[_^=") == kNoPlace) return std::nullopt;
  }
  return closer + mark.closer.size();
}

std::vector<DocumentPiece> rows_of_formula(std::string_view text, const DocumentPiece& formula) {
  return FormulaRows(text, formula).run();
}

}  // namespace shard
