// Text as it may be shown: nothing in it acts on a terminal, or hides or turns what stands around it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shard {

// The one rule. Controls, what nobody sees (`is_unseen`) and what is no UTF-8 may not be shown as they are; what chooses how
// the sign before it is drawn, as for emoji, may. They are written as `\u{1b}`, a byte of no character as `\x{ff}`.

// A line: tabs and ends of lines are written so too.
std::string visible_line(std::string_view text);
// Text of several lines: ends of lines and tabs stay.
std::string visible_text(std::string text);
// What is JSON stays the same JSON: its strings have `\u001b` for them.
std::string visible_json(std::string json);

// A line as one string for each column. Tabs and wide blanks are blanks there.
std::vector<std::string> visible_columns(std::string_view line);

}  // namespace shard
