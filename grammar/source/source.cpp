#include "grammar/source/source.h"

#include <algorithm>

#include "base/check.h"

namespace shard {
namespace {

// Offsets at which lines begin. `\n`, `\r\n` and a lone `\r` all end a line.
std::vector<std::uint32_t> find_line_starts(std::string_view text) {
  std::vector<std::uint32_t> starts = {0};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\n' && text[i] != '\r') continue;
    const bool pair = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (!pair) starts.push_back(static_cast<std::uint32_t>(i + 1));
  }
  return starts;
}

bool is_continuation_byte(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

Span cover(const Span& a, const Span& b) {
  if (!a.valid()) return b;
  if (!b.valid()) return a;
  SHARD_CHECK(a.file == b.file);
  return {a.file, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

bool encloses(const Span& outer, const Span& inner) {
  return inner.file == outer.file && inner.begin >= outer.begin && inner.end <= outer.end;
}

FileId SourceMap::add(std::string name, std::string text, FileId continues) {
  File file{std::move(name), std::move(text), continues, {}, false};
  file.line_starts = find_line_starts(file.text);
  files_.push_back(std::move(file));
  return {static_cast<std::int32_t>(files_.size()) - 1};
}

void SourceMap::set_fixed(FileId file) {
  files_[static_cast<std::size_t>(file.value)].fixed = true;
}

bool SourceMap::is_fixed(FileId file) const {
  return files_[static_cast<std::size_t>(file.value)].fixed;
}

FileId SourceMap::continued(FileId file) const {
  return files_[static_cast<std::size_t>(file.value)].continues;
}

const std::string& SourceMap::name(FileId file) const {
  return files_[static_cast<std::size_t>(file.value)].name;
}

std::string_view SourceMap::text(FileId file) const {
  return files_[static_cast<std::size_t>(file.value)].text;
}

std::string_view SourceMap::text(const Span& span) const {
  return text(span.file).substr(span.begin, span.end - span.begin);
}

LineColumn SourceMap::position(FileId file, std::uint32_t offset) const {
  const File& source = files_[static_cast<std::size_t>(file.value)];
  const auto& starts = source.line_starts;
  const auto after = std::upper_bound(starts.begin(), starts.end(), offset);
  const auto line = static_cast<std::uint32_t>(after - starts.begin());
  const std::size_t end = std::min<std::size_t>(offset, source.text.size());
  std::uint32_t column = 1;
  for (std::size_t i = starts[line - 1]; i < end; ++i) {
    if (!is_continuation_byte(source.text[i])) ++column;
  }
  return {line, column};
}

std::string_view SourceMap::line(FileId file, std::uint32_t line) const {
  const File& source = files_[static_cast<std::size_t>(file.value)];
  const std::size_t begin = source.line_starts[line - 1];
  std::size_t end =
      line < source.line_starts.size() ? source.line_starts[line] : source.text.size();
  while (end > begin && (source.text[end - 1] == '\n' || source.text[end - 1] == '\r')) --end;
  return std::string_view(source.text).substr(begin, end - begin);
}

}  // namespace shard
