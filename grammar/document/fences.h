// The fences of a text in Markdown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace shard {

// A line of the body, where it begins there and in the text, without the indentation of the fence.
struct FenceLine {
  std::size_t in_body = 0;
  std::size_t in_text = 0;
};

// A fenced block of code: three backticks or tildes, or more, up to a line of as many of them. Its places are bytes of the text.
struct Fence {
  std::vector<std::string>
      words;  // behind the opening marks; of `{shard}` and `{.shard run}` without the braces and the dot
  std::string body;  // the lines inside, each with "\n" and without the indentation of the fence
  std::size_t line = 0;   // where it opens, from 1
  std::size_t begin = 0;  // of the line that opens it
  std::size_t body_begin = 0;
  std::size_t body_end =
      0;  // where the line begins that closes it; the end of the text without one
  std::size_t end = 0;
  std::string indentation;
  std::string marks;  // "```"
  std::vector<FenceLine> lines;

  bool is(std::string_view language) const { return !words.empty() && words.front() == language; }
  // Whether it is one that can say what a script prints: `text`, `output`, `json`, `csv`.
  bool is_output() const;
  // Whether a line of the text would close it.
  bool is_closed_by(std::string_view text) const;
  // Where a byte of the body stands in the text.
  std::size_t place_of(std::size_t byte) const;
};

std::vector<Fence> fences_of(std::string_view text);

// The one beneath `fences[at]` that says what it prints, if nothing but blank lines, of its quotation too, stands between the two;
// null if there is none.
const Fence* output_beneath(std::string_view text, const std::vector<Fence>& fences,
                            std::size_t at);

// The text with another body in this one of its fences.
std::string with_body(std::string_view text, const Fence& fence, std::string_view body);

}  // namespace shard
