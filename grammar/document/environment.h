// Environments of LaTeX: which are formulas, and which hold text, code or nothing that is read.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "grammar/document/fences.h"

namespace shard {

enum class EnvironmentKind {
  Formula,  // `align`, `equation`; a table as well
  Text,     // `document`, `abstract`, `itemize`: looked through
  Code,     // `verbatim`, `lstlisting`, `minted`
  Hidden,   // `comment`
  Other,  // of the document's own: text if it has formulas in it or is parted by blank lines, else a formula
};

EnvironmentKind kind_of_environment(std::string_view name);

// "align*" of `\begin{align*}` or `\end{align*}`, with which the text begins; empty if it begins otherwise.
std::string_view environment_name(std::string_view text);

// Whether the environment [begin, end) of the text, its marks included, is a formula.
bool is_formula_environment(std::string_view environment);

// The lines within an environment of code. Its places are bytes of the text.
struct CodeBlock {
  std::size_t begin = 0;  // of the line that opens it
  std::size_t body_begin = 0;
  std::size_t body_end = 0;  // where the line begins that closes it
  std::size_t end = 0;       // behind that line
};

// Those that begin lines of the text outside its fences. Takes linear time.
std::vector<CodeBlock> code_blocks_of(std::string_view text, const std::vector<Fence>& fences);

}  // namespace shard
