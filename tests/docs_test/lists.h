// Lists of the documentation that are written by hand, against the tables of the language.
#pragma once

#include <string>
#include <vector>

namespace shard::docs {

// The rows of the table that has this line at its head.
std::vector<std::string> rows_below(const std::string& text, const std::string& head);

// What docs/language.md has in its tables of functions, figures and collectives that the language does not.
std::vector<std::string> unknown_entries(const std::string& language);

// Options of `shard run` that its table lacks, and those that it has and the command does not. `help` is `shard run --help`.
std::vector<std::string> option_problems(const std::string& language, const std::string& help);

}  // namespace shard::docs
