#include "grammar/document/document.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace shard::document_test {
namespace {

char letter_of(PieceForm form) {
  switch (form) {
    case PieceForm::Line:
      return 'l';
    case PieceForm::Formula:
      return 'f';
    case PieceForm::Code:
      return 'c';
    case PieceForm::Cell:
      return 't';
    case PieceForm::Listing:
      return 'g';
    case PieceForm::Script:
      return 's';
    case PieceForm::Output:
      return 'o';
  }
  return '?';
}

// "l<text>" of each piece, its parts behind it in parentheses; `⏎` for a line's end.
std::string shown(const std::string& text, const std::vector<DocumentPiece>& pieces) {
  std::string all;
  for (const DocumentPiece& piece : pieces) {
    all += (all.empty() ? "" : " ") + std::string(1, letter_of(piece.form)) + "<";
    for (const char c : text.substr(piece.begin, piece.end - piece.begin))
      all += c == '\n' ? "⏎" : std::string(1, c);
    all += ">";
    if (!piece.parts.empty()) all += "(" + shown(text, piece.parts) + ")";
  }
  return all;
}

std::string split(const std::string& text) { return shown(text, split_document(text)); }

TEST(Document, HasLines) {
  EXPECT_EQ(split(""), "");
  EXPECT_EQ(split("\n\n"), "");
  EXPECT_EQ(split("one\r\n\n  two"), "l<one> l<  two>");
}

TEST(Document, HasFormulasAndCodeWithinLines) {
  EXPECT_EQ(split("so $A[I]$ and `B[J]` or \\(C\\)."),
            "l<so $A[I]$ and `B[J]` or \\(C\\).>(f<$A[I]$> c<B[J]> f<\\(C\\)>)");
  EXPECT_EQ(split("``a ` b`` c"), "l<``a ` b`` c>(c<a ` b>)");
  EXPECT_EQ(split("it costs $5 and $6"), "l<it costs $5 and $6>");
  EXPECT_EQ(split("an open $A[I and `B"), "l<an open $A[I and `B>");
}

TEST(Document, HasFormulasOfSeveralLines) {
  EXPECT_EQ(split("as\n$$\nA\n$$\nend"), "l<as> f<$$⏎A⏎$$> l<end>");
  EXPECT_EQ(split("\\begin{a}\n\\begin{b}x\\end{b}\n\\end{a}, so"),
            "f<\\begin{a}⏎\\begin{b}x\\end{b}⏎\\end{a}>");
  EXPECT_EQ(split("$$\nnever closed"), "l<$$> l<never closed>");
}

// `\\begin{document}` was a formula, and all of an article was in it.
TEST(Document, LooksThroughEnvironmentsOfText) {
  EXPECT_EQ(split("\\begin{document}\n$A$\n\\begin{align}\nB\n\\end{align}\n\\end{document}"),
            "l<\\begin{document}> l<$A$>(f<$A$>) f<\\begin{align}⏎B⏎\\end{align}> "
            "l<\\end{document}>");
  // One of the document's own is text if it has formulas in it.
  EXPECT_EQ(split("\\begin{own}\n$A$\n\\end{own}"), "l<\\begin{own}> l<$A$>(f<$A$>) l<\\end{own}>");
}

TEST(Document, HasCodeOfLatex) {
  EXPECT_EQ(split("\\begin{lstlisting}[language=C]\nx\n\ny\n\\end{lstlisting}\nz"),
            "g<x> g<y> l<z>");
  EXPECT_EQ(split("\\begin{minted}{c}\n$x$\n\\end{minted}"), "g<$x$>");
  EXPECT_EQ(split("\\begin{verbatim}\nx"), "l<\\begin{verbatim}> l<x>");
}

// `- A[I_X, J]` was a minus.
TEST(Document, HasItemsOfLists) {
  EXPECT_EQ(split("- a\n  - b\n– c\n> — d\n-e\n-"), "l<a> l<b> l<c> l<d> l<-e> l<->");
  EXPECT_EQ(split("- m = f(\n  1)\nz"), "l<m = f(⏎  1)>(l<m = f(> l<  1)>) l<z>");
  EXPECT_EQ(split("* a\n1. b"), "l<* a> l<1. b>");
}

std::string rows(const std::string& text) {
  return shown(text, rows_of_formula(text, split_document(text).front()));
}

TEST(Document, HasRowsOfFormulas) {
  EXPECT_EQ(rows("$$\nA \\\\\nB\n$$"), "f<A > f<⏎B>");
  EXPECT_EQ(rows("$$\nA\nB\n$$"), "f<A> f<B>");
  EXPECT_EQ(rows("$$\n\\begin{aligned}\nA \\\\\n&\\to B \\\\\nC\n\\end{aligned}\n$$"),
            "f<A \\\\⏎&\\to B > f<⏎C>");
  EXPECT_EQ(rows("$$\nA =\nB\nC\n$$"), "f<A =⏎B> f<C>");
  EXPECT_EQ(rows("\\begin{tabular}{l}\na & $B$\n\\end{tabular}"), "l<{l}> l<a & $B$>(f<$B$>)");
  EXPECT_EQ(rows("$$\nA\n$$"), "");
}

TEST(Document, HasTables) {
  EXPECT_EQ(split("| a | `b` |\n|---|---|"),
            "l<| a | `b` |>(t<a> t<`b`>(c<b>)) l<|---|---|>(t<---> t<--->)");
  EXPECT_EQ(split("a\tb"), "l<a\tb>(t<a> t<b>)");
  EXPECT_EQ(split("| `a|b` | c \\| d |"), "l<| `a|b` | c \\| d |>(t<`a|b`>(c<a|b>) t<c \\| d>)");
}

TEST(Document, HasFences) {
  EXPECT_EQ(split("```python\nx\n\ny\n```\nz"), "g<x> g<y> l<z>");
  EXPECT_EQ(split("```shard\nx\ny\n```"), "s<x⏎y⏎>");
  EXPECT_EQ(split("~~~~ {.shard}\nx\n~~~\n~~~~"), "s<x⏎~~~⏎>");
  EXPECT_EQ(split("```shard run --verify\nx\n```\n\n```text\nout\n```"), "s<x⏎>(o<out⏎>)");
  EXPECT_EQ(split("```shard run --json\nx\n```\n```json\n{}\n```"), "s<x⏎>(o<{}⏎>)");
  EXPECT_EQ(split("> ```shard\n> x\n> ```\n>\n> ```text\n> out\n> ```"), "s<> x⏎>(o<> out⏎>)");
  EXPECT_EQ(split("```shard\n```"), "s<>");
  EXPECT_EQ(split("```shard\nx"), "s<x>");
}

TEST(Document, HasCodeOfHtmlAndOfIndentedLines) {
  EXPECT_EQ(split("<pre>\nx\n</pre>\nz"), "g<<pre>> g<x> g<</pre>> l<z>");
  EXPECT_EQ(split("<div class=\"c\"><pre>x</pre></div>\nz"),
            "g<<div class=\"c\"><pre>x</pre></div>> l<z>");
  EXPECT_EQ(split("<pre>\nx"), "l<<pre>> l<x>");
  EXPECT_EQ(split("So:\n\n    int a;\n\n    b\n\nz"), "l<So:> g<    int a;> g<    b> l<z>");
  EXPECT_EQ(split("So:\n\n    A[I]\n\nz"), "l<So:> l<    A[I]> l<z>");
  EXPECT_EQ(split("So\n    int a;"), "l<So> l<    int a;>");
  EXPECT_EQ(split("1. So\n\n    int a;"), "l<1. So> l<    int a;>");
}

// A part of a script, a mistake, a session: to be looked at.
TEST(Document, PassesOverFencesThatAreNoScripts) {
  EXPECT_EQ(split("```shard fragment\nx\n```"), "");
  EXPECT_EQ(split("```shard error AxisReused\nx\n```\nz"), "l<z>");
  EXPECT_EQ(split("```shard fmt\nx\n```\n\n```text\nout\n```\nz"), "l<z>");
}

TEST(Document, JoinsLinesOfACall) {
  EXPECT_EQ(split("m = f(\n  1,\n  2\n)\nz"),
            "l<m = f(⏎  1,⏎  2⏎)>(l<m = f(> l<  1,> l<  2> l<)>) l<z>");
  EXPECT_EQ(split("a note (that goes\non) here"), "l<a note (that goes> l<on) here>");
}

TEST(Document, IsSplitInLinearTime) {
  for (const char* unit :
       {"$", "\\(", "`a", "$$\n", "\\begin{a}\n", "f(\n", "|", "```\n", "\\begin{verbatim}\n",
        "\\begin{document}\n", "- ", "$$\na \\\\\n$$\n", "<pre>\n", "\n    a\n", "\n    a;\nb\n"}) {
    std::string text;
    while (text.size() < 200000) text += unit;
    const auto begin = std::chrono::steady_clock::now();
    split_document(text);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(taken.count(), 20) << unit;
  }
}

}  // namespace
}  // namespace shard::document_test
