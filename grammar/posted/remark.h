// Whether what stands around the notation is a remark. Private to the folder.
#pragma once

#include <cstddef>
#include <string_view>

namespace shard {

// Stands in a line for a back-tick and a `$`, which part the notation from a sentence.
inline constexpr char kDelimiter = '\x01';

// Words that stand next to each other without a sign between them.
std::size_t words_in(std::string_view text);
// Whether the text holds a piece of notation: brackets of an array, a mark, a comment of another language.
bool holds_notation(std::string_view text);
// Whether it has a sign between operands.
bool holds_operator(std::string_view text);
// Whether the text before or after the notation ends there: with a sign of a sentence, a sign or letter that names do not
// have, or because there is nothing. `prose`: the line has enough words to be a sentence.
bool parts_before(std::string_view gap, bool prose);
bool parts_behind(std::string_view gap, bool prose);
// Whether it is a sign that a line may begin with, `⟹ `, `∴ `, and that means nothing there.
bool is_mark_of_line(std::string_view gap);

}  // namespace shard
