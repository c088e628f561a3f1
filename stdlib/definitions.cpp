// What the texts of modules define, found line by line: modules are ours, and keep to the form that library.h states.
#include <algorithm>
#include <filesystem>
#include <system_error>

#include "stdlib/library.h"

namespace shard {

namespace {

constexpr std::string_view kFunction = "fn ";
constexpr std::string_view kExample = "#     ";

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

// A line of a comment without its `#`, with an end of line.
std::string without_sign(std::string_view line) {
  line.remove_prefix(line.starts_with("# ") ? 2 : 1);
  return std::string(line) + "\n";
}

void add_function(std::string_view module, const std::vector<std::string_view>& comment,
                  const std::vector<std::string_view>& definition,
                  std::vector<LibraryFunction>& functions) {
  LibraryFunction function{.module = std::string(module),
                           .name = {},
                           .signature = {},
                           .comment = {},
                           .example = {},
                           .source = {}};
  const std::string_view head = definition.front().substr(kFunction.size());
  function.name = head.substr(0, head.find('('));
  function.signature = head.substr(0, head.find(") {") + 1);
  for (const std::string_view line : comment) {
    if (line.starts_with(kExample))
      function.example += std::string(line.substr(kExample.size())) + "\n";
    else
      function.comment += without_sign(line);
    function.source += std::string(line) + "\n";
  }
  for (const std::string_view line : definition) function.source += std::string(line) + "\n";
  functions.push_back(std::move(function));
}

void add_functions(std::string_view module, std::vector<LibraryFunction>& functions) {
  const auto lines = lines_of(*library_module(module));
  std::vector<std::string_view> comment;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with("#")) {
      comment.push_back(lines[i]);
      continue;
    }
    if (lines[i].starts_with(kFunction)) {
      std::vector<std::string_view> definition = {lines[i]};
      while (!lines[i].ends_with("}") || (definition.size() > 1 && lines[i] != "}")) {
        if (++i == lines.size()) break;
        definition.push_back(lines[i]);
      }
      add_function(module, comment, definition, functions);
    }
    comment.clear();
  }
}

}  // namespace

bool is_library_file(const std::string& name) {
  std::error_code error;
  return name.starts_with(kLibraryFolder) && !std::filesystem::exists(name, error);
}

const std::vector<LibraryFunction>& library_functions() {
  static const auto all = [] {
    std::vector<LibraryFunction> functions;
    for (const std::string_view module : library_modules()) add_functions(module, functions);
    return functions;
  }();
  return all;
}

const LibraryFunction* find_library_function(std::string_view name) {
  const auto& all = library_functions();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const LibraryFunction& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace shard
