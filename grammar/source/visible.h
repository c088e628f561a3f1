// Text that is safe to show: nothing in it controls a terminal, or hides or reverses the text around it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shard {

// The one rule. Controls, invisible characters (`is_unseen`) and invalid UTF-8 are not shown as they are; variation
// selectors that only choose how the character before them is drawn, as in emoji, are. A character is written as
// `\u{1b}`, a byte that belongs to no character as `\x{ff}`.

// One line: tabs and line ends are escaped as well.
std::string visible_line(std::string_view text);
// Text of several lines: tabs and line ends are kept.
std::string visible_text(std::string text);
// The same JSON value, with `\u001b` in its strings.
std::string visible_json(std::string json);

// A line as one string per column. Tabs and wide blanks become blanks.
std::vector<std::string> visible_columns(std::string_view line);

}  // namespace shard
