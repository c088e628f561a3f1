#include "tests/docs_test/lists.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "base/collective.h"
#include "base/contains.h"
#include "base/function.h"
#include "interpreter/estimate/figures.h"
#include "runtime/machine/wrap_rule.h"
#include "tests/docs_test/markdown.h"

namespace shard::docs {
namespace {

struct List {
  const char* head;
  const char* entry;  // what stands in backticks in the first cell, its name as the group
  std::function<bool(std::string_view)> is_known;
};

bool is_figure(std::string_view name) {
  const auto& figures = block_figures();
  return std::any_of(figures.begin(), figures.end(),
                     [&](const BlockFigure& figure) { return figure.name == name; });
}

bool is_collective(std::string_view name) {
  const auto& known = collectives();
  return std::any_of(known.begin(), known.end(),
                     [&](const CollectiveInfo& collective) { return collective.name == name; });
}

bool is_wrap_rule(std::string_view word) { return find_wrap_rule(word).has_value(); }

// `devices` is read like a figure, and stands among the functions of numbers.
bool is_function(std::string_view name) {
  return name == "devices" || find_function(name) != nullptr;
}

std::string first_cell(const std::string& row) {
  const std::size_t begin = std::min(row.find('|') + 1, row.size());
  return row.substr(begin, row.find(" |", begin) - begin);
}

}  // namespace

std::vector<std::string> rows_below(const std::string& text, const std::string& head) {
  std::vector<std::string> rows;
  std::size_t at = text.find(head);
  if (at == std::string::npos) return rows;
  for (at = text.find('\n', at) + 1; at < text.size() && text[at] == '|';) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (text[at + 1] == ' ') rows.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return rows;
}

std::vector<std::string> unknown_entries(const std::string& language) {
  const List lists[] = {{"| function | is |", "`([a-z0-9_]+)", is_function},
                        {"| figure, per device | is |", "`c\\.([a-z_]+)", is_figure},
                        {"| `wrap` | rings |", "`([a-z0-9]+)`", is_wrap_rule},
                        {"| collective | from | to |", "`([A-Za-z]+)", is_collective}};
  std::vector<std::string> problems;
  for (const List& list : lists) {
    const std::vector<std::string> rows = rows_below(language, list.head);
    if (rows.empty()) problems.push_back("has no table " + std::string(list.head));
    for (const std::string& row : rows) {
      for (const std::string& name : all_matches(first_cell(row), list.entry)) {
        if (!list.is_known(name)) problems.push_back("lists what is not there: " + name);
      }
    }
  }
  return problems;
}

std::vector<std::string> option_problems(const std::string& language, const std::string& help) {
  const auto known = all_matches(help, "(?:^|\n) +(--[a-z-]+)");
  std::vector<std::string> listed;
  for (const std::string& row : rows_below(language, "| option of `run` |")) {
    const auto options = all_matches(first_cell(row), "(--[a-z-]+)");
    listed.insert(listed.end(), options.begin(), options.end());
  }
  std::vector<std::string> problems;
  if (known.empty()) problems.emplace_back("cannot be compared: the command lists no options");
  for (const std::string& option : known) {
    // It belongs to `-` as a file, of all commands.
    if (option != "--stdin-name" && !contains(listed, option))
      problems.push_back("does not have the option " + option);
  }
  for (const std::string& option : listed) {
    if (!contains(known, option)) problems.push_back("has an option that is none: " + option);
  }
  return problems;
}

}  // namespace shard::docs
