// The text of a file without mark-up, and where its characters came from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grammar/diagnostic.h"
#include "grammar/source.h"

namespace shard {

// What the lexer reads. Mark-up around the notation (LaTeX, HTML, Markdown) is taken out here, so that the lexer sees
// characters of the notation only; `origin` leads its places back to the file.
struct PlainText {
  std::string text;
  std::vector<std::uint32_t>
      origin;  // file offset of each byte and of the end; empty: the text is the file's

  std::uint32_t place(std::size_t offset) const {
    return origin.empty() ? static_cast<std::uint32_t>(offset) : origin[offset];
  }
};

// nullopt, with one InvalidText reported, if the file is no text: broken UTF-8, control characters, endless lines.
std::optional<PlainText> plain_text(const SourceMap& sources, FileId file, DiagnosticSink& sink);

}  // namespace shard
