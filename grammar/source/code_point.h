// Characters of UTF-8 text, including invisible ones.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shard {

// The number of bytes of the first character of a non-empty text.
std::size_t code_point_length(std::string_view text);
// The first character of the text; 0 if the text is empty or starts with ASCII or invalid UTF-8.
char32_t first_code_point(std::string_view text);

// A space outside of ASCII: no-break, em, thin, ideographic, …
bool is_wide_blank(char32_t code);
// Invisible and harmless: the zero-width space and joiners, the soft hyphen, direction marks, the byte order mark. A
// word with such a character is the same word without it.
bool has_no_width(char32_t code);
// Invisible, or visible only in what it does to the text around it, blanks aside: the above, line separators, changes
// of direction, controls, fillers, variation selectors.
bool is_unseen(char32_t code);

// The number of bytes of the zero-width characters at the beginning.
std::size_t no_width_length(std::string_view text);

// "`ж` (U+0436)", or "U+2028" for an invisible character.
std::string named_code_point(std::string_view text);

}  // namespace shard
