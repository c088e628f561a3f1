// A document as pieces of it that may be notation, with their places: an article in Markdown, plain text.
//
// Nothing is read here. What a piece says, and whether it is notation at all, is decided by grammar/parse/notation.h.
//
// In this folder:
//   document.h      the way in: lines, fences, tables, formulas, inline code
//   passed_over.h   comments, styles and programs, which are on no page
//   block_tag.h     tags of HTML that part a text
//   fences.h        where fences are, what they are called, what they hold
//   environment.h   environments of LaTeX: formulas, text, code
//   formula_mark.h  where a formula ends
//   assignment.h    signs by which formulas give values, and those of other notations
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "grammar/document/fences.h"

namespace shard {

enum class PieceForm {
  Line,     // a line of text, or several that a bracket joins
  Formula,  // `$…$`, `$$…$$`, `\(…\)`, `\[…\]`, `\begin{…}…\end{…}` of mathematics
  Code,     // between back-ticks, which do not belong to it
  Cell,     // of a table
  Listing,  // a line of a fence in another language, or in none
  Script,   // the lines of a fence in this language
  Output,  // those of a fence right below a script, which says what it prints; a part of that script's piece
};

// Bytes of the document. The parts of a piece follow one another in it and do not overlap; what is between them is text. Only the
// output of a script stands behind it.
struct DocumentPiece {
  PieceForm form = PieceForm::Line;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<DocumentPiece> parts = {};
  std::optional<Fence> fence = {};  // of a script and its output
};

// In the order of the document. Takes time that is linear in its length.
std::vector<DocumentPiece> split_document(std::string_view text);

// The rows of a formula of that text, which may be notation where all of it is not, each with its own place: parted by `\\`, or
// by line ends. Lines of text if it has formulas in it. None if it has one row.
std::vector<DocumentPiece> rows_of_formula(std::string_view text, const DocumentPiece& formula);

}  // namespace shard
