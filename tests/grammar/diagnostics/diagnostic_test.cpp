#include "grammar/diagnostics/diagnostic.h"

#include <gtest/gtest.h>

#include "tests/grammar/support/reading.h"

namespace shard::diagnostic_test {
namespace {

TEST(Catalogue, ExplainsEveryKind) {
  for (const DiagnosticInfo& entry : diagnostic_catalogue()) {
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    EXPECT_FALSE(entry.example.empty()) << entry.name;
    EXPECT_GT(entry.explanation.size(), 60U) << entry.name;
    EXPECT_NE(entry.summary.back(), '.') << entry.name;
    EXPECT_EQ(info(entry.kind).name, entry.name);
  }
}

TEST(Catalogue, HasExamplesThatTheParserReadsUnlessTheyAreAboutReading) {
  for (const DiagnosticInfo& entry : diagnostic_catalogue()) {
    const bool reading = entry.kind <= DiagnosticKind::NotNotation ||
                         entry.kind == DiagnosticKind::NumberTooLarge ||
                         entry.kind == DiagnosticKind::AmbiguousSpelling;
    if (reading) continue;
    EXPECT_EQ(shown(entry.example), "") << entry.name;
  }
}

TEST(Catalogue, HasExamplesThatDrawTheMistakesOfReading) {
  for (const DiagnosticKind kind :
       {DiagnosticKind::UnexpectedCharacter, DiagnosticKind::SyntaxError,
        DiagnosticKind::UnclosedBracket, DiagnosticKind::NumberTooLarge,
        DiagnosticKind::AmbiguousSpelling}) {
    const Reading reading = read(info(kind).example);
    ASSERT_EQ(reading.diagnostics.size(), 1U) << info(kind).name;
    EXPECT_EQ(reading.diagnostics[0].kind, kind) << info(kind).name;
  }
}

Diagnostic at(std::uint32_t begin, std::string message) {
  return {DiagnosticKind::SyntaxError, {FileId{0}, begin, begin + 1}, std::move(message)};
}

TEST(DiagnosticSink, SortsByPlaceAndDropsRepetitions) {
  DiagnosticSink sink;
  sink.report(at(5, "b"));
  sink.report(at(1, "a"));
  sink.report(at(5, "c"));
  sink.report(at(5, "b"));
  std::vector<std::string> order;
  for (const Diagnostic& diagnostic : sink.take_sorted()) order.push_back(diagnostic.message);
  EXPECT_EQ(order, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(sink.all().empty());
}

TEST(DiagnosticSink, HasNoErrorsWithWarningsOnly) {
  DiagnosticSink sink;
  sink.report({DiagnosticKind::SuspiciousName, {}, "a"});
  EXPECT_FALSE(sink.has_errors());
  sink.report(at(0, "b"));
  EXPECT_TRUE(sink.has_errors());
}

}  // namespace
}  // namespace shard::diagnostic_test
