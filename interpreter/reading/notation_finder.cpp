#include "interpreter/reading/notation_finder.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/cancellation.h"
#include "base/contains.h"
#include "grammar/document/assignment.h"
#include "grammar/document/document.h"
#include "grammar/document/passed_over.h"
#include "grammar/parse/notation.h"
#include "grammar/parse/parser.h"

namespace shard {
namespace {

// Products of names, which a mark allows, are read when the rest of the document is.
SetApart set_apart(PieceForm form) {
  switch (form) {
    case PieceForm::Formula:
    case PieceForm::Code:
    case PieceForm::Cell:
      return SetApart::Cell;
    case PieceForm::Listing:
      return SetApart::Listing;
    case PieceForm::Line:
    case PieceForm::Script:
    case PieceForm::Output:
      break;
  }
  return SetApart::Nothing;
}

// Whether what stands behind a statement, which a script takes for a remark, may be notation: `Mesh {X: 4}. Then A[I_X, J] is …`
bool may_hide_notation(const Notation& notation) {
  return std::any_of(notation.statements.begin(), notation.statements.end(), [](const auto& one) {
    return one.trailing.find('[') != std::string::npos ||
           one.trailing.find("esh") != std::string::npos;
  });
}

// Finds the notation of a document. A product of names alone is notation or a number, and a word alone in brackets a dimension or one
// of a sentence, as the rest of the document decides: what it calls an array, and a dimension.
class NotationFinder {
 public:
  NotationFinder(std::string_view text, Names names)
      : text_(without_passed_over(text)), names_(std::move(names)) {}

  std::vector<FoundPiece> run() {
    const std::vector<DocumentPiece> pieces = split_document(text_);
    for (const DocumentPiece& piece : pieces) {
      throw_if_cancelled();
      find(piece);
    }
    Names known = names_;
    for (const FoundPiece& piece : found_) {
      if (!piece.script && piece.unsure_words.empty()) learn_names(piece.statements, known);
    }
    const std::vector<std::string> axes = axes_found();
    std::erase_if(found_, [&](const FoundPiece& piece) {
      const auto& words = piece.unsure_words;
      return !words.empty() && std::none_of(words.begin(), words.end(), [&](const auto& word) {
        return known.has_dimension(word) || contains(axes, word);
      });
    });
    for (const DocumentPiece& piece : unread_) add_whole(piece, SetApart::Mark, &known);
    std::stable_sort(found_.begin(), found_.end(),
                     [](const FoundPiece& a, const FoundPiece& b) { return a.begin < b.begin; });
    return std::move(found_);
  }

 private:
  std::string_view written(std::size_t begin, std::size_t end) const {
    return std::string_view(text_).substr(begin, end - begin);
  }

  // The text of a piece with `=` where a name gets its value; of a program as it stands.
  std::string assigned(const DocumentPiece& piece) const {
    const std::string_view text = written(piece.begin, piece.end);
    return piece.form == PieceForm::Listing ? std::string(text) : with_equal_signs(text);
  }

  // Of the meshes in its text.
  std::vector<std::string> axes_found() const {
    std::vector<std::string> axes;
    for (const FoundPiece& piece : found_) {
      for (const ast::Statement& statement : piece.statements) {
        const auto* mesh = std::get_if<ast::Mesh>(&statement.node);
        if (mesh == nullptr) continue;
        for (const auto& axis : mesh->axes) axes.push_back(axis.name.text);
      }
    }
    return axes;
  }

  // What it declares is known in the text that follows.
  void add_script(const DocumentPiece& piece) {
    SourceMap sources;
    DiagnosticSink sink;
    const FileId file = sources.add("", piece.fence->body);
    const ArrayNames arrays = names_.arrays;
    std::vector<ast::Statement> statements = parse(sources, file, names_, sink).statements;
    names_.arrays = arrays;
    FoundPiece& script = found_.emplace_back();
    script.begin = piece.begin;
    script.end = piece.end;
    script.script = piece.fence;
    if (statements.empty() && !sink.all().empty()) script.damage = sink.all().front().span.begin;
    script.statements = std::move(statements);
  }

  bool add_whole(const DocumentPiece& piece, SetApart how, const Names* document = nullptr) {
    auto notation = whole_notation(assigned(piece), names_, how, document);
    if (!notation) return false;
    add(piece.begin, *std::move(notation));
    return true;
  }

  // `begin`: where the text begins that the notation was found in.
  void add(std::size_t begin, Notation notation) {
    for (std::size_t& place : notation.places) place += begin;
    found_.push_back({begin + notation.begin,
                      begin + notation.end,
                      std::move(notation.statements),
                      std::move(notation.places),
                      {},
                      {},
                      std::move(notation.unsure_words)});
  }

  // Returns whether there is notation in it.
  bool find(const DocumentPiece& piece) {
    if (piece.form == PieceForm::Script) {
      add_script(piece);
      return true;
    }
    auto whole = whole_notation(assigned(piece), names_, set_apart(piece.form));
    const std::size_t before = found_.size();
    std::size_t begin = piece.begin;
    const bool read_whole = whole.has_value();
    if (whole) {
      const bool goes_on = may_hide_notation(*whole);
      if (goes_on)
        whole->end = std::min<std::size_t>(whole->statements.back().at.span.end, whole->end);
      begin += whole->end;
      add(piece.begin, *std::move(whole));
      if (!goes_on) return true;
    }
    for (const DocumentPiece& part : piece.parts) {
      if (part.begin < begin) continue;
      find_within(begin, part.begin);
      find(part);
      begin = part.end;
    }
    const bool formula = piece.form == PieceForm::Formula;
    const bool other = formula && has_left_arrow(written(piece.begin, piece.end));
    if (piece.form != PieceForm::Listing && !other) {
      find_within(begin, piece.end, formula);
      if (formula && !read_whole) find_in_rows(piece, before);
    }
    if (found_.size() > before) return true;
    if (piece.form == PieceForm::Formula || piece.form == PieceForm::Code) unread_.push_back(piece);
    return false;
  }

  // How many statements were found from `first` on. Sizes do not count: alone they are arithmetic.
  std::size_t count_from(std::size_t first) const {
    std::size_t count = 0;
    for (; first < found_.size(); ++first) {
      for (const ast::Statement& statement : found_[first].statements)
        count += gives_sizes(statement) ? 0 : 1;
    }
    return count;
  }

  // The rows of a formula take the place of what was found in it, from `before` on, unless they say less.
  void find_in_rows(const DocumentPiece& formula, std::size_t before) {
    const std::vector<DocumentPiece> rows = rows_of_formula(text_, formula);
    if (rows.empty()) return;
    const std::size_t unread = unread_.size();
    const std::size_t together = found_.size();
    for (const DocumentPiece& row : rows) {
      if (row.form != PieceForm::Formula) {
        find(row);
      } else if (!add_whole(row, SetApart::Cell)) {
        const std::size_t first = found_.size();
        find_within_row(row);
        find_in_rows(row, first);
      }
    }
    const auto border = found_.begin() + static_cast<std::ptrdiff_t>(together);
    const std::size_t count = count_from(together);
    if (count > 0 && count * 2 >= count_from(before)) {
      found_.erase(found_.begin() + static_cast<std::ptrdiff_t>(before), border);
    } else {
      found_.erase(border, found_.end());
      unread_.resize(unread);
    }
  }

  // A row stands in a formula, which its marks say. One stands before it, so that no place is less than 0.
  void find_within_row(const DocumentPiece& row) {
    if (has_left_arrow(written(row.begin, row.end))) return;
    add_parts("$" + assigned(row) + "$", row.begin - 1, true);
  }

  void find_within(std::size_t begin, std::size_t end, bool formula = false) {
    add_parts(with_equal_signs(written(begin, end)), begin, formula);
  }

  // Adds the notation within a text that begins there, but for pieces of statements that could not be read.
  void add_parts(const std::string& text, std::size_t begin, bool formula) {
    std::vector<Notation> parts = notation_within(text, names_);
    const std::string_view view = text;
    std::vector<bool> cut(parts.size(), false);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::size_t from = i == 0 ? 0 : parts[i - 1].end;
      const std::size_t to = i + 1 == parts.size() ? text.size() : parts[i + 1].begin;
      const std::string_view before = view.substr(from, parts[i].begin - from);
      const std::string_view behind = view.substr(parts[i].end, to - parts[i].end);
      cut[i] = (i > 0 && joins_pieces(before)) || (i + 1 < parts.size() && joins_pieces(behind)) ||
               (formula && is_cut_from_product(before, behind));
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!cut[i]) add(begin, std::move(parts[i]));
    }
  }

  const std::string text_;
  Names names_;
  std::vector<FoundPiece> found_;
  std::vector<DocumentPiece> unread_;  // formulas and code, of which nothing was read
};

}  // namespace

std::vector<FoundPiece> find_notation(std::string_view text, Names names) {
  return NotationFinder(text, std::move(names)).run();
}

}  // namespace shard
