#include "grammar/document/block_tag.h"

#include <algorithm>
#include <string>

#include "base/contains.h"
#include "base/words.h"

namespace shard {
namespace {

constexpr std::string_view kCells[] = {"td", "th"};
constexpr std::string_view kRows[] = {"table", "tbody", "tfoot", "thead", "tr"};
constexpr std::string_view kBlocks[] = {
    "address", "article", "aside",      "blockquote", "body",    "br",     "caption", "center",
    "dd",      "details", "div",        "dl",         "dt",      "figure", "footer",  "form",
    "h1",      "h2",      "h3",         "h4",         "h5",      "h6",     "head",    "header",
    "hr",      "html",    "legend",     "li",         "main",    "nav",    "ol",      "option",
    "p",       "pre",     "figcaption", "section",    "summary", "select", "title",   "ul"};

// Bytes within which a tag is closed: one with a style of its own has a few hundred.
constexpr std::size_t kLongestTag = 2000;

bool is_tag_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Whether what stands behind the name of a tag may stand there: ` class="code"`, `/`, but no ` 3 and b`.
bool are_attributes(std::string_view text) {
  if (text.ends_with('/')) text.remove_suffix(1);
  const auto first = std::find_if_not(text.begin(), text.end(), is_tag_blank);
  if (first == text.end()) return true;
  return first != text.begin() && is_letter(*first) && text.find('<') == std::string_view::npos;
}

}  // namespace

std::optional<BlockTag> block_tag(std::string_view text) {
  if (!text.starts_with('<')) return std::nullopt;
  text = text.substr(0, kLongestTag);
  const std::size_t begin = text.substr(1).starts_with('/') ? 2 : 1;
  std::string name;
  for (std::size_t at = begin; at < text.size() && (is_letter(text[at]) || is_digit(text[at]));
       ++at)
    name += text[at] >= 'A' && text[at] <= 'Z' ? static_cast<char>(text[at] - 'A' + 'a') : text[at];
  const bool is_cell = contains(kCells, name);
  const bool is_row = contains(kRows, name);
  if (!is_cell && !is_row && !contains(kBlocks, name)) return std::nullopt;
  const std::size_t behind_name = begin + name.size();
  const std::size_t closer = text.find('>', behind_name);
  if (closer == std::string_view::npos ||
      !are_attributes(text.substr(behind_name, closer - behind_name)))
    return std::nullopt;
  return BlockTag{closer + 1, is_cell, is_row};
}

}  // namespace shard
