#include "grammar/document/environment.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/contains.h"

namespace shard {
namespace {

constexpr auto kNowhere = std::string_view::npos;

// With and without a `*`.
constexpr std::string_view kFormulas[] = {
    "CD",        "Bmatrix",  "IEEEeqnarray", "Vmatrix",  "align",   "alignat",
    "aligned",   "array",    "bmatrix",      "cases",    "dcases",  "displaymath",
    "dmath",     "eqnarray", "equation",     "flalign",  "gather",  "gathered",
    "longtable", "math",     "matrix",       "multline", "pmatrix", "smallmatrix",
    "split",     "tabular",  "tabularx",     "vmatrix",  "xalignat"};

constexpr std::string_view kTexts[] = {"abstract",
                                       "acknowledgements",
                                       "acknowledgments",
                                       "algorithm",
                                       "algorithmic",
                                       "appendices",
                                       "appendix",
                                       "block",
                                       "center",
                                       "claim",
                                       "column",
                                       "columns",
                                       "corollary",
                                       "definition",
                                       "description",
                                       "document",
                                       "enumerate",
                                       "example",
                                       "exercise",
                                       "figure",
                                       "flushleft",
                                       "flushright",
                                       "frame",
                                       "framed",
                                       "frontmatter",
                                       "itemize",
                                       "landscape",
                                       "lemma",
                                       "list",
                                       "mdframed",
                                       "minipage",
                                       "multicols",
                                       "note",
                                       "proof",
                                       "proposition",
                                       "quotation",
                                       "quote",
                                       "remark",
                                       "small",
                                       "solution",
                                       "spacing",
                                       "subequations",
                                       "subfigure",
                                       "table",
                                       "tcolorbox",
                                       "theorem",
                                       "thebibliography",
                                       "titlepage",
                                       "verse",
                                       "wrapfigure"};

constexpr std::string_view kCodes[] = {"Verbatim",   "alltt",    "filecontents", "lstlisting",
                                       "minted",     "python",   "verbatim",     "verbatimtab",
                                       "pythoncode", "sageblock"};

// Where a line of the text begins that is behind the place.
std::size_t behind_line(std::string_view text, std::size_t place) {
  const std::size_t newline = text.find('\n', place);
  return newline == kNowhere ? text.size() : newline + 1;
}

bool has_blank_line(std::string_view text) {
  for (std::size_t at = text.find('\n'); at != kNowhere; at = text.find('\n', at + 1)) {
    const std::size_t next = text.find_first_not_of(" \t\r", at + 1);
    if (next != kNowhere && text[next] == '\n') return true;
  }
  return false;
}

}  // namespace

EnvironmentKind kind_of_environment(std::string_view name) {
  if (name.ends_with('*')) name.remove_suffix(1);
  if (name == "comment") return EnvironmentKind::Hidden;
  if (contains(kTexts, name)) return EnvironmentKind::Text;
  if (contains(kCodes, name)) return EnvironmentKind::Code;
  return contains(kFormulas, name) ? EnvironmentKind::Formula : EnvironmentKind::Other;
}

std::string_view environment_name(std::string_view text) {
  constexpr std::size_t kLongestName = 60;
  for (const std::string_view mark : {"\\begin{", "\\end{"}) {
    if (!text.starts_with(mark)) continue;
    const std::string_view rest = text.substr(mark.size(), kLongestName);
    const std::size_t brace = rest.find('}');
    return brace == kNowhere ? std::string_view() : rest.substr(0, brace);
  }
  return {};
}

bool is_formula_environment(std::string_view environment) {
  switch (kind_of_environment(environment_name(environment))) {
    case EnvironmentKind::Formula:
      return true;
    case EnvironmentKind::Other:
      return environment.find('$') == kNowhere && !has_blank_line(environment);
    case EnvironmentKind::Text:
    case EnvironmentKind::Code:
    case EnvironmentKind::Hidden:
      break;
  }
  return false;
}

namespace {

// `<pre>`, `<div class="code"><pre>`: where the block ends that the line begins; nowhere if it begins none.
std::size_t end_of_preformatted(std::string_view text, std::size_t first) {
  const std::string_view line = text.substr(first, text.find('\n', first) - first);
  if (!line.starts_with('<')) return kNowhere;
  const std::size_t tag = std::min(line.find("<pre>"), line.find("<pre "));
  if (tag == kNowhere) return kNowhere;
  // Bytes; what is not closed within them is text.
  constexpr std::size_t kLongest = 20'000;
  const std::size_t close = text.substr(0, first + kLongest).find("</pre>", first + tag);
  return close == kNowhere ? kNowhere : behind_line(text, close);
}

// Markdown's code without fences: lines with a margin of four blanks or a tab below a blank line, some of them lines of a program. What
// stands below an item of a list belongs to that.
class IndentedCode {
 public:
  // Where the block ends that the line at `at` begins, at `limit` at most; nowhere if it begins none. REQUIRES: asked of line after
  // line.
  std::size_t end(std::string_view text, std::size_t at, std::size_t limit) {
    const std::string_view line = line_of(text, at);
    const bool blank = line.find_first_not_of(" \t\r") == kNowhere;
    const bool below_blank = std::exchange(below_blank_, blank);
    if (blank) return kNowhere;
    if (!is_indented(line)) {
      const std::size_t first = line.find_first_not_of(" \t>");
      in_list_ =
          line.find_first_of("-*+0123456789", first) == first || line.find_first_of(" \t") == 0;
      return kNowhere;
    }
    if (!below_blank || in_list_ || at < behind_text_) return kNowhere;
    std::size_t end = at;
    bool program = false;
    while (end < limit) {
      const std::string_view next = line_of(text, end);
      const std::size_t last = next.find_last_not_of(" \t\r");
      if (last != kNowhere && !is_indented(next)) break;
      program = program || (last != kNowhere && (next[last] == ';' || next[last] == '{'));
      end = behind_line(text, end);
    }
    if (!program) behind_text_ = end;
    return program ? end : kNowhere;
  }

 private:
  static std::string_view line_of(std::string_view text, std::size_t at) {
    return text.substr(at, text.find('\n', at) - at);
  }

  static bool is_indented(std::string_view line) {
    return line.starts_with("    ") || line.starts_with('\t');
  }

  bool below_blank_ = true;
  bool in_list_ = false;
  std::size_t behind_text_ = 0;  // of indented lines that are no program
};

}  // namespace

std::vector<CodeBlock> code_blocks_of(std::string_view text, const std::vector<Fence>& fences) {
  std::vector<CodeBlock> blocks;
  std::vector<std::string> open;  // what is never closed from here on
  auto fence = fences.begin();
  IndentedCode indented;
  const bool latex = text.find("\\begin{document}") != kNowhere;
  for (std::size_t at = 0; at < text.size(); at = behind_line(text, at)) {
    while (fence != fences.end() && fence->end <= at) ++fence;
    if (fence != fences.end() && fence->begin <= at) continue;
    const std::size_t first = text.find_first_not_of(" \t", at);
    if (first == kNowhere) break;
    const std::size_t limit = fence == fences.end() ? text.size() : fence->begin;
    std::size_t end = end_of_preformatted(text, first);
    if (const std::size_t code = indented.end(text, at, limit); end == kNowhere && !latex)
      end = code;
    if (end != kNowhere) {
      blocks.push_back({at, at, end, end});
      at = end - 1;
      continue;
    }
    if (!text.substr(first).starts_with("\\begin{")) continue;
    const std::string_view name = environment_name(text.substr(first));
    if (kind_of_environment(name) != EnvironmentKind::Code) continue;
    const std::string closer = "\\end{" + std::string(name) + "}";
    const std::size_t body = behind_line(text, first);
    const std::size_t close = contains(open, closer) ? kNowhere : text.find(closer, body);
    if (close == kNowhere) {
      open.push_back(closer);
      continue;
    }
    const std::size_t last = text.rfind('\n', close) + 1;
    blocks.push_back({at, body, last, behind_line(text, close)});
    at = close;
  }
  return blocks;
}

}  // namespace shard
