#include "grammar/document/passed_over.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/document/block_tag.h"
#include "grammar/document/environment.h"
#include "grammar/document/fences.h"

namespace shard {
namespace {

constexpr auto kMissing = std::string_view::npos;

// Bytes within which code of a line, and what stands in brackets behind the name of an environment, are closed.
constexpr std::size_t kFarthestCloser = 4000;

char small_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

class Blanker {
 public:
  explicit Blanker(std::string_view text) : text_(text), blanked_(text), small_(text) {
    std::transform(small_.begin(), small_.end(), small_.begin(), small_letter);
    const std::vector<Fence> fences = fences_of(text);
    for (const Fence& fence : fences) kept_.emplace_back(fence.begin, fence.end);
    for (const CodeBlock& block : code_blocks_of(text, fences))
      kept_.emplace_back(block.begin, block.end);
    std::sort(kept_.begin(), kept_.end());
    // What stands in another one belongs to that.
    std::size_t end = 0;
    std::erase_if(kept_, [&](const auto& one) {
      return one.second <= std::exchange(end, std::max(end, one.second));
    });
    latex_ = is_latex();
  }

  std::string run() {
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t behind = end_of_kept(at);
      at = behind > at ? behind : step(at);
    }
    return std::move(blanked_);
  }

 private:
  // Where the fence or the code ends that the place belongs to; the place itself if it belongs to none.
  std::size_t end_of_kept(std::size_t at) const {
    const auto next = std::upper_bound(kept_.begin(), kept_.end(), std::pair(at, text_.size()));
    if (next == kept_.begin()) return at;
    return std::max(at, (next - 1)->second);
  }

  // An article of LaTeX, or a part of one: a `%` is a sign of it, and a back-tick a quotation mark.
  bool is_latex() const {
    constexpr std::string_view kHeads[] = {"\\documentclass", "\\begin{document}", "\\chapter",
                                           "\\section",       "\\subsection",      "\\usepackage"};
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t first = std::min(text_.find_first_not_of(" \t", at), text_.size());
      const std::string_view line = text_.substr(first);
      const bool head = std::any_of(std::begin(kHeads), std::end(kHeads), [&](const auto& word) {
        return line.starts_with(word) &&
               (line.size() == word.size() || !is_letter(line[word.size()]));
      });
      if (head && end_of_kept(at) == at) return true;
      at = std::min(text_.find('\n', at), text_.size() - 1) + 1;
    }
    return false;
  }

  // What begins at the place; where the text goes on.
  std::size_t step(std::size_t at) {
    switch (text_[at]) {
      case '%':
        return latex_ ? blank(at, std::min(text_.find('\n', at), text_.size())) : at + 1;
      case '`':
        return latex_ ? at + 1 : behind_code(at);
      case '<':
        return html(at);
      case '\\':
        return command(at);
      default:
        return at + 1;
    }
  }

  // Blanks for [begin, end), but for fences and code in it.
  std::size_t blank(std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at) {
      const std::size_t behind = end_of_kept(at);
      if (behind > at) {
        at = behind - 1;
      } else if (text_[at] != '\n' && text_[at] != '\r') {
        blanked_[at] = ' ';
      }
    }
    return end;
  }

  // Where a mark begins; nowhere, and never looked for again, if the text has no more of it.
  std::size_t find_mark(const std::string& text, const std::string& mark, std::size_t from) {
    if (contains(missing_, mark)) return kMissing;
    const std::size_t at = text.find(mark, from);
    if (at == kMissing) missing_.push_back(mark);
    return at;
  }

  std::size_t behind_code(std::size_t at) const {
    const std::size_t inside = std::min(text_.find_first_not_of('`', at), text_.size());
    const std::size_t line_end = std::min(text_.find('\n', at), text_.size());
    const std::size_t closer = text_.substr(0, std::min(line_end, at + kFarthestCloser))
                                   .find(text_.substr(at, inside - at), inside);
    return closer == kMissing ? inside : closer + (inside - at);
  }

  // `<!-- … -->`, `<style>…</style>`, `<script>…</script>`, and tags that part the text. A script may be a formula: `<script type="math/tex">`.
  std::size_t html(std::size_t at) {
    const std::string_view rest = std::string_view(small_).substr(at);
    if (rest.starts_with("<!--")) {
      const std::size_t closer = find_mark(small_, "-->", at + 4);
      return closer == kMissing ? at + 4 : blank(at, closer + 3);
    }
    for (const std::string_view name : {"style", "script"}) {
      const std::string_view behind = rest.substr(std::min(rest.size(), 1 + name.size()));
      if (!rest.substr(1).starts_with(name) || behind.empty() ||
          std::string_view("> \t\r\n").find(behind.front()) == kMissing)
        continue;
      const std::size_t closer = find_mark(small_, "</" + std::string(name), at);
      if (closer == kMissing) return at + 1;
      const std::string_view tag = rest.substr(0, rest.substr(0, closer - at).find('>'));
      if (tag.find("math/") != kMissing) return at + 1;
      return blank(at, std::min(small_.find('>', closer), small_.size() - 1) + 1);
    }
    const auto tag = block_tag(text_.substr(at));
    return tag ? part(at, *tag) : at + 1;
  }

  // Blanks for a tag and, in its last byte, what parts texts: the end of a line. In a row of a table, of Markdown too, and where a cell
  // begins a line, the border of a cell.
  std::size_t part(std::size_t at, const BlockTag& tag) {
    const std::size_t end = blank(at, at + tag.length);
    const std::string_view read = std::string_view(blanked_).substr(parted_, end - parted_);
    if (const std::size_t newline = read.rfind('\n'); newline != kMissing)
      line_ = parted_ + newline + 1;
    parted_ = end - 1;
    const std::size_t first = std::min(blanked_.find_first_not_of(" \t>", line_), end);
    const bool row = first < end ? blanked_[first] == '|' : tag.is_cell;
    blanked_[end - 1] = row && !tag.is_row ? '|' : '\n';
    return end;
  }

  std::size_t command(std::size_t at) {
    const std::string_view name = environment_name(text_.substr(at));
    // What a backslash escapes begins nothing.
    if (name.empty()) return at + 2;
    const bool begins = text_[at + 1] == 'b';
    std::size_t end = at + (begins ? 8 : 6) + name.size();
    switch (kind_of_environment(name)) {
      case EnvironmentKind::Text:
        if (begins && text_.substr(end).starts_with('[')) {
          const std::size_t closer = text_.substr(0, std::min(text_.size(), end + kFarthestCloser))
                                         .find_first_of("]\n", end);
          if (closer != kMissing && text_[closer] == ']') end = closer + 1;
        }
        return blank(at, end);
      case EnvironmentKind::Hidden: {
        const std::string mark = "\\end{" + std::string(name) + "}";
        const std::size_t closer = begins ? find_mark(blanked_, mark, end) : kMissing;
        return closer == kMissing ? end : blank(at, closer + mark.size());
      }
      case EnvironmentKind::Formula:
      case EnvironmentKind::Code:
      case EnvironmentKind::Other:
        break;
    }
    return end;
  }

  std::string_view text_;
  std::string blanked_;
  std::string small_;                                      // the text in small letters
  std::vector<std::pair<std::size_t, std::size_t>> kept_;  // fences and code
  std::vector<std::string> missing_;                       // marks that no longer occur
  std::size_t line_ = 0;    // where the line begins in which the last tag stood
  std::size_t parted_ = 0;  // the last byte of that tag
  bool latex_ = false;
};

}  // namespace

std::string without_passed_over(std::string_view document) { return Blanker(document).run(); }

}  // namespace shard
