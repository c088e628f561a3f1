// What of a document is on none of its pages.
#pragma once

#include <string>
#include <string_view>

namespace shard {

// The document with blanks for comments of HTML and LaTeX, for styles and programs of HTML, and for the marks of LaTeX's environments
// of text; tags of cells and blocks of HTML end a line, or are the border of a cell. Every other byte is where it was. Fences and code are left as they are. Takes linear time.
std::string without_passed_over(std::string_view document);

}  // namespace shard
