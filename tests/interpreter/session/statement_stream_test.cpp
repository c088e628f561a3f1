// Reading ahead changes nothing: statements and what is wrong with them come in the order of the text.
#include "interpreter/session/statement_stream.h"

#include <gtest/gtest.h>

#include <string>

#include "base/cancellation.h"
#include "grammar/print/printer.h"

namespace shard::statement_stream_test {
namespace {

// Some thousand statements, long enough to be read ahead. Every 500th one is wrong.
std::string long_text() {
  constexpr int kStatements = 6000;
  std::string text = "mesh {X: 2}\n";
  for (int i = 0; i < kStatements; ++i)
    text += i % 500 == 250 ? "A[I_X → \n"
                           : "A" + std::to_string(i) + "[I_X] → A" + std::to_string(i) + "[I]\n";
  return text + "B[";
}

TEST(StatementStream, GivesTheStatementsOfALongText) {
  SourceMap sources;
  const FileId file = sources.add("long", long_text());
  Names names;
  Names names_at_once;
  DiagnosticSink sink;
  DiagnosticSink sink_at_once;
  StatementReader reader(sources, file, names_at_once, sink_at_once);
  {
    StatementStream stream(sources, file, names, sink);
    while (const ast::Statement* statement = stream.next()) {
      auto same = reader.next();
      ASSERT_TRUE(same.has_value());
      ASSERT_EQ(statement->at.span, same->at.span);
      ASSERT_EQ(statement->has_error, same->has_error);
      ASSERT_EQ(print(*statement, Spelling::Unicode), print(*same, Spelling::Unicode));
      // What is wrong with what follows is not told yet.
      ASSERT_EQ(sink.all().size(), sink_at_once.all().size());
    }
  }
  EXPECT_FALSE(reader.next().has_value());
  EXPECT_GT(sink.all().size(), 10U);
  ASSERT_EQ(sink.all().size(), sink_at_once.all().size());
  for (std::size_t i = 0; i < sink.all().size(); ++i)
    EXPECT_EQ(sink.all()[i].message, sink_at_once.all()[i].message);
  EXPECT_EQ(names.arrays, names_at_once.arrays);
}

TEST(StatementStream, EndsWhereItIsLeft) {
  SourceMap sources;
  const FileId file = sources.add("long", long_text());
  Names names;
  DiagnosticSink sink;
  StatementStream stream(sources, file, names, sink);
  EXPECT_NE(stream.next(), nullptr);
  // Further texts may come while it reads.
  sources.add("another", "A[I]");
  EXPECT_NE(stream.next(), nullptr);
}

TEST(StatementStream, CommentsCanBeStoppedToo) {
  SourceMap sources;
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "# nothing to read here\n";
  const FileId file = sources.add("comments", text);
  Names names;
  DiagnosticSink sink;
  StatementStream stream(sources, file, names, sink, [] { return true; });
  EXPECT_THROW(stream.next(), Cancelled);
}

TEST(StatementStream, OfNothingIsEmpty) {
  SourceMap sources;
  const FileId file = sources.add("empty", "# nothing\n");
  Names names;
  DiagnosticSink sink;
  StatementStream stream(sources, file, names, sink);
  EXPECT_EQ(stream.next(), nullptr);
  EXPECT_EQ(stream.next(), nullptr);
}

}  // namespace
}  // namespace shard::statement_stream_test
