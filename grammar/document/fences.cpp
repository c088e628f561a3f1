#include "grammar/document/fences.h"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace shard {
namespace {

constexpr std::size_t kFewestMarks = 3;

// What may stand before a fence, and before each of its lines: blanks, and the mark of a quotation.
constexpr std::string_view kMargin = " \t>";

std::string_view line_at(std::string_view text, std::size_t begin) {
  std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Where the line ends that begins there, its end included.
std::size_t end_of_line(std::string_view text, std::size_t begin) {
  const std::size_t at = text.find('\n', begin);
  return at == std::string_view::npos ? text.size() : at + 1;
}

std::string_view indentation_of(std::string_view line) {
  return line.substr(0, std::min(line.find_first_not_of(kMargin), line.size()));
}

// The backticks or tildes with which it begins; empty if these are too few for a fence.
std::string_view marks_of(std::string_view line) {
  if (line.empty() || (line.front() != '`' && line.front() != '~')) return "";
  const std::size_t count = std::min(line.find_first_not_of(line.front()), line.size());
  return count < kFewestMarks ? "" : line.substr(0, count);
}

bool closes(std::string_view line, std::string_view opening) {
  line.remove_prefix(indentation_of(line).size());
  const std::string_view marks = marks_of(line);
  return marks.size() >= opening.size() && marks.front() == opening.front() &&
         line.find_first_not_of(" \t", marks.size()) == std::string_view::npos;
}

std::vector<std::string> words_of(std::string_view info) {
  std::string text(info);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '{' || c == '}'; }, ' ');
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  if (text != info && !words.empty() && words.front().starts_with('.')) words.front().erase(0, 1);
  return words;
}

// Without as much of the indentation as it has.
std::string_view without_indentation(std::string_view line, std::size_t most) {
  line.remove_prefix(std::min(indentation_of(line).size(), most));
  return line;
}

}  // namespace

bool Fence::is_output() const {
  constexpr std::string_view kOutputs[] = {"text", "output", "json", "csv"};
  return std::any_of(std::begin(kOutputs), std::end(kOutputs),
                     [&](std::string_view language) { return is(language); });
}

std::size_t Fence::place_of(std::size_t byte) const {
  const auto behind =
      std::upper_bound(lines.begin(), lines.end(), byte,
                       [](std::size_t place, const FenceLine& one) { return place < one.in_body; });
  if (behind == lines.begin()) return body_begin;
  const FenceLine& here = *(behind - 1);
  return here.in_text + (byte - here.in_body);
}

bool Fence::is_closed_by(std::string_view text) const {
  for (std::size_t at = 0; at < text.size(); at = end_of_line(text, at)) {
    if (closes(line_at(text, at), marks)) return true;
  }
  return false;
}

std::vector<Fence> fences_of(std::string_view text) {
  std::vector<Fence> fences;
  bool is_open = false;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size(); at = end_of_line(text, at)) {
    ++number;
    const std::string_view line = line_at(text, at);
    const std::size_t end = end_of_line(text, at);
    if (!is_open) {
      const std::string_view indentation = indentation_of(line);
      const std::string_view marks = marks_of(line.substr(indentation.size()));
      const std::string_view info = line.substr(indentation.size() + marks.size());
      // Three backticks on either side of a word in a line are code within the line.
      is_open =
          !marks.empty() && (marks.front() == '~' || info.find('`') == std::string_view::npos);
      if (!is_open) continue;
      fences.push_back({.words = words_of(info), .body = "", .line = number, .begin = at});
      Fence& fence = fences.back();
      fence.body_begin = end;
      fence.body_end = fence.end = text.size();
      fence.indentation = indentation;
      fence.marks = marks;
      continue;
    }
    Fence& fence = fences.back();
    if (closes(line, fence.marks)) {
      fence.body_end = at;
      fence.end = end;
      is_open = false;
    } else {
      const std::string_view inside = without_indentation(line, fence.indentation.size());
      fence.lines.push_back({fence.body.size(), at + (line.size() - inside.size())});
      fence.body += inside;
      fence.body += '\n';
    }
  }
  return fences;
}

const Fence* output_beneath(std::string_view text, const std::vector<Fence>& fences,
                            std::size_t at) {
  if (at + 1 >= fences.size() || !fences[at + 1].is_output()) return nullptr;
  const Fence& next = fences[at + 1];
  const std::string_view between = text.substr(fences[at].end, next.begin - fences[at].end);
  // A line of a quotation is blank with its mark.
  const std::string_view blanks =
      next.indentation.find('>') == std::string::npos ? " \t\r\n" : " \t\r\n>";
  return between.find_first_not_of(blanks) == std::string_view::npos ? &next : nullptr;
}

std::string with_body(std::string_view text, const Fence& fence, std::string_view body) {
  const std::string_view opening = text.substr(fence.begin, fence.body_begin - fence.begin);
  const std::string_view line_end = opening.ends_with("\r\n") ? "\r\n" : "\n";
  std::string changed(text.substr(0, fence.body_begin));
  for (std::size_t at = 0; at < body.size(); at = end_of_line(body, at)) {
    const std::string_view line = line_at(body, at);
    if (!line.empty()) changed += fence.indentation;
    changed += line;
    changed += line_end;
  }
  changed += text.substr(fence.body_end);
  return changed;
}

}  // namespace shard
