// Lines of the documents as they occur in articles: alone, in a cell of a table, in a sentence as formulas or code. Each is read as
// its canonical form, below what its surroundings declare; and nothing else of an article is a statement.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/words.h"
#include "interpreter/reading/reading.h"
#include "tests/notation/cells.h"

namespace shard::articles_test {
namespace {

Session below(const std::string& head) {
  Session session({.interactive = true});
  session.run("head", head);
  return session;
}

// The statements of an article in ASCII, parted by " ; ".
std::string statements_of(const std::string& article, const std::string& head) {
  std::vector<std::string> found;
  for (const ReadStatement& read : read_document("article.md", article, below(head)).statements)
    found.push_back(read.ascii);
  return join(found, " ; ");
}

// `X,Y;B,D`: axes X and Y, sizes B and D.
std::string head_of(const std::string& declared) {
  const std::size_t border = declared.find(';');
  std::string head;
  for (const std::string& axis : testing::split(declared.substr(0, border), ','))
    head += (head.empty() ? "mesh {" : ", ") + axis + ": 2";
  if (!head.empty()) head += "}\n";
  for (const std::string& size : testing::split(declared.substr(border + 1), ','))
    head += size + " = 64\n";
  return head;
}

bool has(const std::string& text, const char* piece) {
  return text.find(piece) != std::string::npos;
}

// The line in an article; nullopt if it cannot stand so.
using Surroundings = std::optional<std::string> (*)(const std::string& line);

struct Count {
  int read = 0;
  int all = 0;
  std::string unread;
};

Count read_in(Surroundings around, const std::string& from) {
  Count count;
  for (const std::vector<std::string>& cells : testing::table("lines.tsv", 5)) {
    const std::string& canonical = cells[3];
    const bool valid = canonical[0] != '!' && canonical.rfind("scalar ", 0) != 0;
    const auto article = around(cells[2]);
    if (cells[0] != from || !valid || !cells[4].empty() || !article) continue;
    const std::string found = statements_of(*article, head_of(cells[1]));
    ++count.all;
    count.read += found == canonical ? 1 : 0;
    if (found != canonical) count.unread += cells[2] + "\n    " + found + "\n";
  }
  return count;
}

std::optional<std::string> alone(const std::string& line) { return line + "\n"; }

std::optional<std::string> in_cell(const std::string& line) {
  if (has(line, "\n") || has(line, "|")) return std::nullopt;
  return "| 1 | " + line + " | the next step |\n";
}

std::optional<std::string> in_sentence(const std::string& line) {
  if (has(line, "\n")) return std::nullopt;
  const bool marked = has(line, "$") || has(line, "`") || has(line, "\\(") || has(line, "\\[");
  return "We start from " + (marked ? line : "`" + line + "`") + ", which the next step needs.\n";
}

std::optional<std::string> in_item(const std::string& line) {
  if (has(line, "\n")) return std::nullopt;
  return "The steps:\n\n- " + line + "\n";
}

std::optional<std::string> in_latex(const std::string& line) {
  return "\\documentclass[a4paper]{article}\n\\begin{document}\n\\begin{theorem}[So]\n% A[I_X] -> "
         "A[I]\n" +
         line + "\n\\end{theorem}\n\\end{document}\n";
}

TEST(Articles, OfTheDocumentsAreRead) {
  for (const Surroundings around : {alone, in_cell, in_sentence, in_item, in_latex}) {
    const Count count = read_in(around, "documents");
    EXPECT_GE(count.all, 150);
    EXPECT_GE(count.read * 100, count.all * 95) << count.unread;
  }
}

TEST(Articles, OfTheBookAreRead) {
  for (const Surroundings around : {alone, in_cell, in_sentence, in_item, in_latex}) {
    const Count count = read_in(around, "book");
    EXPECT_GE(count.all, 150);
    EXPECT_GE(count.read * 100, count.all * 93) << count.unread;
  }
}

TEST(Articles, HaveNoStatementsInTheirArithmetic) {
  for (const std::vector<std::string>& cells : testing::table("lines.tsv", 5)) {
    if (cells[3] != "!NotNotation" && cells[3].rfind("scalar ", 0) != 0) continue;
    for (const Surroundings around : {alone, in_cell, in_sentence, in_item, in_latex}) {
      if (const auto article = around(cells[2])) {
        EXPECT_EQ(statements_of(*article, head_of(cells[1])), "") << *article;
      }
    }
  }
}

TEST(Articles, HaveNoStatementsInTheirProse) {
  EXPECT_EQ(statements_of(testing::text_of_file("tests/grammar/posted/prose.txt"), ""), "");
  const std::string head = "mesh {X: 4, Y: 2}\nB = 64, D = 64, F = 64\n";
  for (const char* text :
       {"See [1], [2, 3] and [Section 10](#there).",
        "The usage is `shard help [TOPIC]`.",
        "It returns `Optional[T]`, or a list[int].",
        "`x[i] = y[j]`",
        "Note[1]: that is $5 or $6.",
        "$T = \\frac{2 D F}{W}$",
        "$B \\cdot D$",
        "$X Y = 8$",
        "$A$",
        "`A`",
        "A → B",
        "We go from A to B, and A · B is their product.",
        "TPUs have links (see Figure [A]).",
        "The cost is $2 \\cdot B \\cdot D$, or `B * D`.",
        "[x] done, [ ] to do",
        "AllGather, then ReduceScatter.",
        "mesh of devices: X and Y",
        "for B in the batch",
        "print it, or show A to someone",
        "$AB \\to CD$",
        "AG → RS",
        "[^1]: A footnote.",
        "![figure](a[b].png)",
        "\\[ T \\approx \\max(a, b) \\]",
        "E[X] = 3 and Var[X] = 2",
        "E[X] is an expectation, and E[X, Y] = E[X] E[Y].",
        "It has an MIT[License].",
        "N = 5 people came.",
        "Run `rm -rf [FILE]` or rm -rf [FILE].",
        "AllGather is cheap. Total = 256 bytes, 64 bytes per device.",
        "See Table[X]. IBM → AG → HP, and USA → EU → UK.",
        "$BD \\times DF$",
        "We read users[user_id] from the cache, or pos[x_max].",
        "`grid[i_max, j_max]`, an array[int_t], and std::map[K_V] or `std::map[K_V]`.",
        "total = counts[user_id] + offsets[item_id]",
        "the mean E[X_i], $\\mathbb{E}[X_i]$, $E[X] = \\mu$ and $\\mathrm{Var}[X_i] = \\sigma^2$",
        "<style>\npre a[href] {x: 1}\n</style>",
        "<script>\nmesh {X: 3}\nA[I_X] -> A[I]\n</script>",
        "<!-- A[I_X, J] -> A[I, J] -->",
        "\\begin{lstlisting}\nint a[i_x] = b[j];\n\\end{lstlisting}",
        "```python\ny = x[i, j] + A[I, J]\n```",
        "- $T = 2BD$\n- [x] done",
        "\\begin{align}\nT &= 3 B D \\\\\nU &= 4 D\n\\end{align}",
        "def f(x): return x[0]"}) {
    EXPECT_EQ(statements_of(std::string(text) + "\n", head), "") << text;
  }
}

TEST(Articles, HaveChainsWithoutBrackets) {
  const std::pair<const char*, const char*> chains[] = {
      {"$BD_{xy} \\rightarrow \\text{AG over x,y} \\rightarrow BD$",
       "AllGather_{xy} [B, D_{xy}] -> [B, D]"},
      {"$BD_x \\xrightarrow{\\text{AG over x}} BD$", "AllGather_x [B, D_x] -> [B, D]"},
      {"$BM_x * M_xE = BE -> AR over x -> BE$",
       "[B, M_x] * [M_x, E] = [B, E]{U_x} ; AllReduce_x [B, E]{U_x} -> [B, E]"},
      {"BE → RS over x, AR over y → BE_x",
       "ReduceScatter_x [B, E]{U_{xy}} -> [B, E_x]{U_y} ; AllReduce_y [B, E_x]{U_y} -> [B, E_x]"},
      {"Then `E_xM → AG x → EM` is done.", "AllGather_x [E_x, M] -> [E, M]"},
      {"Then E_xM → AG x → EM is done.", "AllGather_x [E_x, M] -> [E, M]"},
      {"$B_xM \\times ME$", "[B_x, M] * [M, E]"},
      {"BD × DF_x = BF_x; BF_x × F_xD = BD → AR x → BD",
       "[B, D] * [D, F_x] = [B, F_x] ; [B, F_x] * [F_x, D] = [B, D]{U_x} ; AllReduce_x [B, D]{U_x} "
       "-> "
       "[B, D]"},
      {"So BD × DF_x = BF_x; BF_x × F_xD = BD → AR x → BD follows.",
       "[B, D] * [D, F_x] = [B, F_x] ; [B, F_x] * [F_x, D] = [B, D]{U_x} ; AllReduce_x [B, D]{U_x} "
       "-> "
       "[B, D]"},
      {"AB × CD = EF; E_xM → AG x → EM", "AllGather_x [E_x, M] -> [E, M]"},
      {"A[I, J] dot B[J, K] = C[I, K].", "A[I, J] * B[J, K] = C[I, K]"},
      {"The product A[I, J]{U_x} dot B[J, K] is taken.", "A[I, J]{U_x} * B[J, K]"},
      {"$A[I_x, J]B[J, K]$", "A[I_x, J] * B[J, K]"},
      {"$A[I_x, J] \\xrightarrow{AG} A[I, J]$", "AllGather A[I_x, J] -> A[I, J]"}};
  for (const auto& [article, statements] : chains)
    EXPECT_EQ(statements_of(std::string(article) + "\n", "mesh {x: 4, y: 2}\n"), statements)
        << article;
}

}  // namespace
}  // namespace shard::articles_test
