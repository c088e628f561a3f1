// Any bytes that are read without complaint print, in each spelling, to a text that reads to the same tree and prints
// to itself.
#include <cstdint>
#include <string>

#include "base/check.h"
#include "grammar/parse/parser.h"
#include "grammar/print/printer.h"

namespace shard {
namespace {

struct Reading {
  ast::Module module;
  bool accepted = false;
};

Reading read(const std::string& text) {
  SourceMap sources;
  const FileId file = sources.add("fuzz.shard", text);
  Names names;
  DiagnosticSink sink;
  ast::Module module = parse(sources, file, names, sink);
  return {std::move(module), sink.all().empty()};
}

}  // namespace
}  // namespace shard

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shard;
  const Reading first = read(std::string(reinterpret_cast<const char*>(data), size));
  for (const Spelling spelling : {Spelling::Unicode, Spelling::Ascii, Spelling::Latex}) {
    const std::string printed = print(first.module, spelling);
    if (!first.accepted) continue;
    const Reading again = read(printed);
    SHARD_CHECK(again.accepted);
    SHARD_CHECK(again.module == first.module);
    SHARD_CHECK(print(again.module, spelling) == printed);
  }
  return 0;
}
