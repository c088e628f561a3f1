// Formulas of spreadsheets: `=2*B2*C2`, `SUM(a; b)`.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/foreign/rewrite.h"
#include "grammar/translate/token.h"

namespace shard {
namespace {

using ForeignKind = ForeignToken::Kind;
using Tokens = ForeignTokens;

// `B2`, `AA10`
bool is_cell(std::string_view word) {
  const std::size_t letters = word.find_first_of("0123456789");
  constexpr std::size_t kMostLetters = 2;
  return letters != std::string_view::npos && letters > 0 && letters <= kMostLetters &&
         std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(letters),
                     [](char c) { return c >= 'A' && c <= 'Z'; }) &&
         std::all_of(word.begin() + static_cast<std::ptrdiff_t>(letters), word.end(), is_digit);
}

std::string in_small_letters(std::string_view word) {
  std::string small;
  for (const char c : word) small += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return small;
}

// Names of the script for cells: that of its column, or the next one that has a size.
class CellNames {
 public:
  explicit CellNames(const ForeignNames& names) : names_(names), sizes_(names.dimensions()) {}

  // Empty where there are no more.
  std::string name_of_cell(const std::string& cell) {
    const auto known = given_.find(cell);
    if (known != given_.end()) return known->second;
    std::string name = cell.substr(0, cell.find_first_of("0123456789"));
    if (!names_.is_scalar(name) || !used_.insert(name).second) {
      const auto next = std::find_if(sizes_.begin(), sizes_.end(), [&](const std::string& size) {
        return used_.count(size) == 0;
      });
      if (next == sizes_.end()) return "";
      name = *next;
      used_.insert(name);
    }
    return given_[cell] = name;
  }

  // Those of `B2:B4`, with commas.
  std::string names_of_row(const std::string& first, std::string_view last) {
    constexpr std::size_t kMost = 8;
    const std::size_t digits = first.find_first_of("0123456789");
    const std::string column = first.substr(0, digits);
    if (!is_cell(last) || !last.starts_with(column) || last.size() > column.size() + 3 ||
        first.size() > column.size() + 3)
      return "";
    const int begin = std::atoi(first.c_str() + digits);
    const int end = std::atoi(std::string(last.substr(column.size())).c_str());
    std::vector<std::string> row;
    for (int i = begin; i <= end && row.size() <= kMost; ++i) {
      row.push_back(name_of_cell(fmt::format("{}{}", column, i)));
      if (row.back().empty()) return "";
    }
    return row.size() > kMost ? "" : join(row, ", ");
  }

 private:
  const ForeignNames& names_;
  std::vector<std::string> sizes_;
  std::map<std::string, std::string> given_;
  std::set<std::string> used_;
};

// How many arguments stand between parentheses.
std::size_t argument_count(const Tokens& tokens, std::size_t open, std::size_t end) {
  std::size_t count = 1;
  for (std::size_t i = open + 1; i + 1 < end; ++i) {
    if (is(tokens[i], "(") || is(tokens[i], "[")) i = behind_group(tokens, i) - 1;
    if (is(tokens[i], ",") || is(tokens[i], ";")) ++count;
  }
  return count;
}

// `SUM(a; b)`: with commas, and the name as it is spelt here.
std::optional<ForeignMistake> read_parted(std::string_view text, const Tokens& tokens,
                                          const ForeignNames& names) {
  ForeignRewrite line(text);
  int depth = 0;
  std::map<std::size_t, std::size_t> averages;  // how many numbers, by the parenthesis after them
  std::optional<ForeignMistake>& mistake = line.mistake();
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const ForeignToken& token = tokens[i];
    if (is(token, "(")) ++depth;
    if (is(token, ")")) --depth;
    if (is(token, "{") || is(token, "[")) i = std::max(i, behind_group(tokens, i) - 1);
    const std::string small = in_small_letters(token.text);
    const bool spelt = token.kind == ForeignKind::Word && is(tokens[i + 1], "(") &&
                       small != token.text && !names.is_function(token.text) &&
                       (names.is_function(small) || small == "average");
    if (spelt && small == "average") {
      const std::size_t end = behind_group(tokens, i + 1);
      averages[end - 1] = argument_count(tokens, i + 1, end);
    }
    if (const auto average = averages.find(i); average != averages.end())
      line.replace(token.end, token.end, fmt::format(" / {}", average->second));
    const bool parts = is(token, ";") && depth > 0;
    if (!spelt && !parts) continue;
    line.replace(token.begin, token.end, parts ? "," : small == "average" ? "sum" : small);
    // The first semicolon says more than the spelling of a name.
    if (!mistake || (parts && text[mistake->begin] != ';'))
      mistake = foreign_mistake(
          token.begin, token.end,
          parts ? "arguments are parted by commas"
          : small == "average"
              ? "a mean of numbers is their sum, divided by how many they are"
              : fmt::format("no function is called `{}`: it is `{}`", token.text, small));
  }
  return line.offered();
}

// `=2*B2*C2`
std::optional<ForeignMistake> read_nameless(std::string_view text, const Tokens& tokens,
                                            const ForeignNames& names) {
  if (!is(tokens[0], "=") || tokens.size() < 3) return std::nullopt;
  CellNames cells(names);
  std::vector<std::string> told;
  std::string value;
  std::size_t done = tokens[0].end;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    const ForeignToken& token = tokens[i];
    const std::string word(token.text);
    const bool cell = token.kind == ForeignKind::Word && is_cell(word) && !names.is_scalar(word) &&
                      !names.is_array(word);
    if (!cell) continue;
    const std::string name = is(tokens[i + 1], ":") ? cells.names_of_row(word, tokens[i + 2].text)
                                                    : cells.name_of_cell(word);
    if (name.empty()) return std::nullopt;
    value += fmt::format("{}{}", text.substr(done, token.begin - done), name);
    if (is(tokens[i + 1], ":")) i += 2;
    done = tokens[i].end;
    const std::string quoted = "`" + word + "`";
    if (std::find(told.begin(), told.end(), quoted) == told.end()) told.push_back(quoted);
  }
  value += text.substr(done);
  ForeignMistake mistake = foreign_mistake(
      tokens[0].begin, tokens[0].end,
      told.empty()
          ? "a formula has a name in front of its `=`"
          : fmt::format("a formula has a name in front of its `=`, and {} no cell{}: sizes "
                        "have names here",
                        join_words(told) + (told.size() == 1 ? " is" : " are"),
                        told.size() == 1 ? "" : "s"));
  std::string name = "T";
  for (int i = 2; names.is_scalar(name) || names.is_array(name); ++i) name = fmt::format("T{}", i);
  std::string line = fmt::format("{} = {}", name, bare_text(value));
  if (const auto inner = foreign_tokens(line)) {
    const auto parted = read_parted(line, *inner, names);
    if (parted) line = parted->help.front();
  }
  offer_line(mistake, line);
  if (mistake.help.empty()) return std::nullopt;
  mistake.made = name;
  return mistake;
}

}  // namespace

std::optional<ForeignMistake> read_foreign_sheet(std::string_view text, const ForeignNames& names) {
  if (text.find('\n') != std::string_view::npos) return std::nullopt;
  const auto tokens = foreign_tokens(text);
  if (!tokens || tokens->size() < 3) return std::nullopt;
  if (auto mistake = read_nameless(text, *tokens, names)) return mistake;
  return read_parted(text, *tokens, names);
}

}  // namespace shard
