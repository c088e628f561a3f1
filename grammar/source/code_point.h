// Characters of UTF-8 text, and those that nobody sees.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shard {

// The bytes of the character at the beginning of the text, which is not empty.
std::size_t code_point_length(std::string_view text);
// The character at the beginning of the text; 0 for a text that is empty, ASCII, or no UTF-8.
char32_t first_code_point(std::string_view text);

// A space that is not of ASCII: no-break, em, thin, ideographic, …
bool is_wide_blank(char32_t code);
// Drawn as nothing, and harmless: the zero-width space and joiners, the soft hyphen, marks of direction, the byte order
// mark. A word with such a sign is the word without it.
bool has_no_width(char32_t code);
// Drawn as nothing or by changing what stands around it, if it is no blank: the above, separators of lines, what turns
// the direction of the text, controls, fillers, what chooses a variant.
bool is_unseen(char32_t code);

// The bytes of the signs of no width at the beginning.
std::size_t no_width_length(std::string_view text);

// "`ж` (U+0436)", or "U+2028" for what is not to be seen.
std::string named_code_point(std::string_view text);

}  // namespace shard
