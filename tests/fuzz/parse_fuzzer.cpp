// Any bytes: the parser neither crashes nor hangs, and gives each statement a place inside the text. What it complains
// about can be shown. Read piece by piece the text says the same.
#include <cstdint>
#include <string>

#include "base/check.h"
#include "grammar/diagnostics/render.h"
#include "grammar/parse/parser.h"
#include "tests/grammar/support/pieces.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shard;
  SourceMap sources;
  const FileId file =
      sources.add("fuzz.shard", std::string(reinterpret_cast<const char*>(data), size));
  Names names;
  DiagnosticSink sink;
  const ast::Module module = parse(sources, file, names, sink);
  for (const ast::Statement& statement : module.statements) {
    SHARD_CHECK(statement.at.span.begin <= statement.at.span.end);
    SHARD_CHECK(statement.at.span.end <= size);
  }
  for (const Diagnostic& diagnostic : sink.take_sorted()) {
    SHARD_CHECK(!diagnostic.message.empty());
    SHARD_CHECK(!render(diagnostic, sources, false).empty());
  }
  SHARD_CHECK(difference_of_pieces(sources.text(file), 1).empty());
  return 0;
}
