#include "grammar/diagnostics/render.h"

#include <gtest/gtest.h>

namespace shard::render_test {
namespace {

std::string shown(std::string text, std::uint32_t begin, std::uint32_t end, bool colour = false) {
  SourceMap sources;
  const FileId file = sources.add("mesh.shard", std::move(text));
  return render({DiagnosticKind::UnknownAxis, {file, begin, end}, "mesh has no axis `T`"}, sources,
                colour);
}

TEST(Render, ShowsLineAndUnderline) {
  EXPECT_EQ(shown("a\nb\nA[I_T, J]\n", 8, 9),
            "mesh.shard:3:5: error: mesh has no axis `T` [UnknownAxis]\n"
            "  3 | A[I_T, J]\n"
            "    |     ^\n");
}

TEST(Render, FitsUnderlineUnderCodePoints) {
  EXPECT_EQ(shown("A → B[I]", 6, 7),
            "mesh.shard:1:5: error: mesh has no axis `T` [UnknownAxis]\n"
            "  1 | A → B[I]\n"
            "    |     ^\n");
}

TEST(Render, MarksAPlaceBehindTheLine) {
  EXPECT_EQ(shown("A ·\nB", 4, 4),
            "mesh.shard:1:4: error: mesh has no axis `T` [UnknownAxis]\n"
            "  1 | A ·\n"
            "    |    ^\n");
}

TEST(Render, UnderlinesOnlyTheFirstLineOfALongSpan) {
  EXPECT_EQ(shown("abc\ndef", 1, 6),
            "mesh.shard:1:2: error: mesh has no axis `T` [UnknownAxis]\n"
            "  1 | abc\n"
            "    |  ^^\n");
}

TEST(Render, ShowsControlCharactersAndBrokenBytesAsTheirNumbers) {
  EXPECT_EQ(shown(std::string("a\0\x1b[2J\xff\tb", 9), 6, 7),
            "mesh.shard:1:7: error: mesh has no axis `T` [UnknownAxis]\n"
            "  1 | a\\u{0}\\u{1b}[2J\\x{ff} b\n"
            "    |                ^^^^^^\n");
}

// The em space is a blank, the zero-width space and what turns the direction are their numbers: the mark stands under its
// place.
TEST(Render, ShowsEachCharacterThatIsNotSeenAsItsNumber) {
  EXPECT_EQ(shown("a\u2003b\u200B\u202E\u00ADT", 13, 14),
            "mesh.shard:1:7: error: mesh has no axis `T` [UnknownAxis]\n"
            "  1 | a b\\u{200b}\\u{202e}\\u{ad}T\n"
            "    |                          ^\n");
  const std::string message =
      render({DiagnosticKind::UnknownAxis, {}, "`\u202Ea`"}, SourceMap(), false);
  EXPECT_EQ(message, "error: `\\u{202e}a` [UnknownAxis]\n");
}

// Names of files and helps went out as they are.
TEST(Render, ShowsNoControlsOfNamesAndHelps) {
  SourceMap sources;
  const FileId file = sources.add("a\x1b[2J.shard", "x\n");
  const std::string text = render(Diagnostic{.kind = DiagnosticKind::UnknownAxis,
                                             .span = {file, 0, 1},
                                             .message = "m",
                                             .help = {"one\x9b\n\u202Etwo"}},
                                  sources, false);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("a\\u{1b}[2J.shard:1:1: error: m"), std::string::npos);
  EXPECT_NE(text.find("help: one\\x{9b}\n      \\u{202e}two\n"), std::string::npos) << text;
}

TEST(Render, CutsALongLineToAWindowAroundTheMark) {
  const std::string text = shown(std::string(5000, 'x') + "T" + std::string(5000, 'y'), 5000, 5001);
  const std::size_t line = text.find("  1 | ");
  const std::size_t end = text.find('\n', line);
  EXPECT_LT(end - line, 130U);
  EXPECT_NE(text.find("xTy"), std::string::npos);
  // The mark stands under the T.
  const std::size_t column = text.find('T', line) - line;
  const std::size_t mark = text.find('^', end) - (end + 1);
  EXPECT_EQ(mark, column - std::string("…").size() + 1);
}

TEST(Render, ShowsNotesAndHelpBehindTheLine) {
  SourceMap sources;
  const FileId file = sources.add("m", "A[I_T]");
  const Diagnostic diagnostic{DiagnosticKind::UnknownAxis,
                              {file, 4, 5},
                              "no axis",
                              {{{file, 0, 1}, "of this array"}, {{}, "there is no mesh"}},
                              {"first line\nsecond line"}};
  EXPECT_EQ(render(diagnostic, sources, false),
            "m:1:5: error: no axis [UnknownAxis]\n"
            "  1 | A[I_T]\n"
            "    |     ^\n"
            "m:1:1: note: of this array\n"
            "  1 | A[I_T]\n"
            "    | ^\n"
            "note: there is no mesh\n"
            "help: first line\n"
            "      second line\n");
}

TEST(Render, PaintsOnlyIfAsked) {
  EXPECT_EQ(shown("A", 0, 1).find('\033'), std::string::npos);
  EXPECT_NE(shown("A", 0, 1, true).find("\033[1;31merror:\033[0m"), std::string::npos);
}

}  // namespace
}  // namespace shard::render_test
