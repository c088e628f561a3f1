#include "grammar/document/passed_over.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace shard::passed_over_test {
namespace {

// With what blanks stand for as one blank.
std::string left_of(const std::string& text) {
  const std::string blanked = without_passed_over(text);
  EXPECT_EQ(blanked.size(), text.size());
  std::string left;
  for (std::size_t i = 0; i < blanked.size(); ++i) {
    EXPECT_TRUE(blanked[i] == text[i] || blanked[i] == ' ') << text;
    if (blanked[i] != ' ' || left.empty() || left.back() != ' ') left += blanked[i];
  }
  return left;
}

TEST(PassedOver, IsWhatNoPageOfHtmlShows) {
  EXPECT_EQ(left_of("a <!-- b\nc --> d"), "a \n d");
  EXPECT_EQ(left_of("a <!-- b"), "a <!-- b");
  EXPECT_EQ(left_of("<STYLE>\na[href] {x: 1}\n</Style>b"), " \n \n b");
  EXPECT_EQ(left_of("<script src=\"a.js\">var a;</script>b"), " b");
  EXPECT_EQ(left_of("<script>never closed"), "<script>never closed");
  EXPECT_EQ(left_of("<scripts>a</scripts>"), "<scripts>a</scripts>");
  EXPECT_EQ(left_of("<script type=\"math/tex\">A</script>"),
            "<script type=\"math/tex\">A</script>");
}

// A bug once: the text of a cell was the name of what stood in the next one.
TEST(PassedOver, PartsTheTextAtCellsAndBlocksOfHtml) {
  EXPECT_EQ(without_passed_over("<tr><td>a</td><td x='1'>b"), "   \n   |a    |         |b");
  EXPECT_EQ(without_passed_over("<td>a</td></tr><tr><td>b"), "   |a    |    \n   \n   |b");
  EXPECT_EQ(without_passed_over("<p>a</p><P>b<br/>c"), "  \na   \n  \nb    \nc");
  EXPECT_EQ(without_passed_over("| a<br>b | c |"), "| a   |b | c |");
  for (const char* text : {"a<b>b</b><sub>x</sub>", "a <p and b", "if a <p 3 and b> 4", "`<td>`",
                           "```\n<td>\n```", "<plan>", "List<T>"})
    EXPECT_EQ(without_passed_over(text), text);
}

TEST(PassedOver, IsNoCode) {
  for (const char* text :
       {"`<!--` a `-->`", "```\n<!-- a -->\n```", "```html\n<style>a</style>\n```"})
    EXPECT_EQ(left_of(text), text);
  EXPECT_EQ(left_of("<!-- a\n```shard\nb\n```\nc -->d"), " \n```shard\nb\n```\n d");
}

TEST(PassedOver, IsWhatNoPageOfLatexShows) {
  EXPECT_EQ(left_of("\\section{A}\n5\\% of % it\nb\\\\% c\n%"),
            "\\section{A}\n5\\% of \nb\\\\ \n ");
  EXPECT_EQ(left_of("5 % of it, in no LaTeX"), "5 % of it, in no LaTeX");
  EXPECT_EQ(left_of("\\begin{figure*}[t]a\\end{figure*}\\begin{align}b\\end{align}"),
            " a \\begin{align}b\\end{align}");
  EXPECT_EQ(left_of("\\begin{comment}\na\n\\end{comment}b"), " \n \n b");
}

TEST(PassedOver, IsNoCodeOfLatex) {
  const std::string text =
      "\\section{A}\n\\begin{lstlisting}[language=C]\na % b\n\\end{lstlisting}\n";
  EXPECT_EQ(without_passed_over(text), text);
}

TEST(PassedOver, TakesLinearTime) {
  for (const char* unit : {"<!--", "<style>", "<td>", "a<br>", "a<p ", "`", "\\begin{figure}[",
                           "\\begin{comment}", "\\begin{lstlisting}\n", "\\section{a}% b\n"}) {
    std::string text;
    while (text.size() < 200000) text += unit;
    const auto begin = std::chrono::steady_clock::now();
    without_passed_over(text);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(taken.count(), 20) << unit;
  }
}

}  // namespace
}  // namespace shard::passed_over_test
