#include "grammar/document/fences.h"

#include <algorithm>
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
      fence.body += without_indentation(line, fence.indentation.size());
      fence.body += '\n';
    }
  }
  return fences;
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
