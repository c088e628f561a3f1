// Reading short texts in tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grammar/diagnostics/render.h"
#include "grammar/parse/parser.h"
#include "grammar/print/printer.h"

namespace shard {

struct Reading {
  SourceMap sources;
  Names names;
  ast::Module module;
  std::vector<Diagnostic> diagnostics;
};

inline Reading read(std::string_view text, Names names = {}) {
  Reading reading;
  reading.names = std::move(names);
  DiagnosticSink sink;
  const FileId file = reading.sources.add("t.shard", std::string(text));
  reading.module = parse(reading.sources, file, reading.names, sink);
  reading.diagnostics = sink.take_sorted();
  return reading;
}

// Every diagnostic as "line:column: message".
inline std::vector<std::string> messages(std::string_view text) {
  const Reading reading = read(text);
  std::vector<std::string> lines;
  for (const Diagnostic& diagnostic : reading.diagnostics) {
    const LineColumn place = reading.sources.position(diagnostic.span.file, diagnostic.span.begin);
    lines.push_back(std::to_string(place.line) + ":" + std::to_string(place.column) + ": " +
                    diagnostic.message);
  }
  return lines;
}

// All diagnostics as they are shown.
inline std::string shown(std::string_view text) {
  const Reading reading = read(text);
  std::string out;
  for (const Diagnostic& diagnostic : reading.diagnostics)
    out += render(diagnostic, reading.sources, false);
  return out;
}

// The node of the only statement; an alternative that it is not ends the test.
template <class Node>
Node only(std::string_view text, Names names = {}) {
  const Reading reading = read(text, std::move(names));
  return std::get<Node>(reading.module.statements.at(0).node);
}

// The expression of a lone evaluation.
template <class Node>
Node expression(std::string_view text, Names names = {}) {
  return std::get<Node>(only<ast::Evaluate>(text, std::move(names)).value.node);
}

inline std::string canonical(std::string_view text, Spelling spelling = Spelling::Unicode) {
  return print(read(text).module, spelling);
}

inline std::vector<std::string> texts(const std::vector<ast::Identifier>& names) {
  std::vector<std::string> words;
  for (const ast::Identifier& name : names) words.push_back(name.text);
  return words;
}

}  // namespace shard
