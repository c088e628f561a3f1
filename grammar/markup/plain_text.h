// The text of a file without markup, and where its characters came from.
//
// In this folder:
//   plain_text.h     the text of a file without markup, and where its characters came from
//   markup.h         removes markup: HTML and Markdown in markup.cpp, LaTeX in markup_latex.cpp
//   latex_command.h  the LaTeX commands that may occur in a formula
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "grammar/source/source.h"

namespace shard {

// The input of the lexer. Markup around the notation (LaTeX, HTML, Markdown) is removed here, so that the lexer sees
// only characters of the notation; `begins` and `ends` map its positions back to the file.
struct PlainText {
  std::string text;
  // For each byte the file offsets of the start and the end of what it was written as; empty: the text is the file's.
  std::vector<std::uint32_t> begins;
  std::vector<std::uint32_t> ends;
  std::uint32_t file_size = 0;
  bool unclosed = false;  // a formula is open at the end of the text: `$$`, `\[`, `\begin{…}`

  // Where the bytes [begin, end) were written.
  Span span(FileId file, std::size_t begin, std::size_t end) const {
    if (!begins.empty()) return span_in_file(file, begin, end);
    return {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }

 private:
  Span span_in_file(FileId file, std::size_t begin, std::size_t end) const;
};

// The text without its markup: LaTeX around and inside formulas, HTML tags, Markdown's emphasis and escapes. Comments
// stay unchanged. Takes linear time.
PlainText without_markup(std::string_view text);

// nullopt, with one InvalidText reported, if the file is not text: broken UTF-8, control characters, endless lines.
std::optional<PlainText> plain_text(const SourceMap& sources, FileId file, DiagnosticSink& sink);

}  // namespace shard
