// The text of a file without mark-up, and where its characters came from.
//
// In this folder:
//   plain_text.h     the text of a file without markup, and where its characters came from
//   markup.h         what takes markup out: HTML and Markdown in markup.cpp, LaTeX in markup_latex.cpp
//   latex_command.h  the commands of LaTeX that may stand in a formula
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "grammar/source/source.h"

namespace shard {

// What the lexer reads. Mark-up around the notation (LaTeX, HTML, Markdown) is taken out here, so that the lexer sees
// characters of the notation only; `begins` and `ends` lead its places back to the file.
struct PlainText {
  std::string text;
  // File offsets where each byte was written, of its first byte and behind its last; empty: the text is the file's.
  std::vector<std::uint32_t> begins;
  std::vector<std::uint32_t> ends;
  std::uint32_t file_size = 0;
  bool unclosed = false;  // a formula is open at the end of the text: `$$`, `\[`, `\begin{…}`

  // Where the bytes from `begin` up to `end` were written.
  Span span(FileId file, std::size_t begin, std::size_t end) const {
    if (!begins.empty()) return span_in_file(file, begin, end);
    return {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }

 private:
  Span span_in_file(FileId file, std::size_t begin, std::size_t end) const;
};

// The text without its mark-up: LaTeX around and inside formulas, tags of HTML, emphasis and escapes of Markdown.
// Comments stay as they are. Linear in the text.
PlainText without_markup(std::string_view text);

// nullopt, with one InvalidText reported, if the file is no text: broken UTF-8, control characters, endless lines.
std::optional<PlainText> plain_text(const SourceMap& sources, FileId file, DiagnosticSink& sink);

}  // namespace shard
