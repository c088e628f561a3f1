// Any bytes: the parser neither crashes nor hangs. What it takes without complaint prints to text
// that parses and prints to the same text, in both spellings.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/check.h"
#include "grammar/parser.h"
#include "grammar/printer.h"

namespace shard {
namespace {

struct Reading {
  std::string printed;
  bool accepted = false;
};

Reading read(const std::string& text, Spelling spelling) {
  SourceMap sources;
  const FileId file = sources.add("fuzz.shard", text);
  Names names;
  DiagnosticSink sink;
  const ast::Module module = parse(sources, file, names, sink);
  return {print(module, spelling), sink.all().empty()};
}

}  // namespace
}  // namespace shard

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const shard::Spelling spelling : {shard::Spelling::Unicode, shard::Spelling::Ascii}) {
    const shard::Reading first = shard::read(text, spelling);
    if (!first.accepted) continue;
    const shard::Reading again = shard::read(first.printed, spelling);
    SHARD_CHECK(again.accepted);
    SHARD_CHECK(again.printed == first.printed);
  }
  return 0;
}
