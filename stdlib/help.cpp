// What `shard help` says of the library.
#include <algorithm>
#include <cctype>

#include "base/words.h"
#include "stdlib/library.h"

namespace shard {

namespace {

// The comment that a text begins with, without its signs; what is behind it stays in `text`.
std::string take_head(std::string_view& text) {
  std::string head;
  while (text.starts_with("#")) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    std::string_view line = text.substr(0, end + 1);
    line.remove_prefix(line.starts_with("# ") ? 2 : 1);
    head += line;
    text.remove_prefix(end + 1);
  }
  return head;
}

std::string head_of(std::string_view text) { return take_head(text); }

// Up to the first period or colon that ends a word, on one line.
std::string first_sentence(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  const std::size_t end = std::min(text.find(". "), text.find(": "));
  if (end != std::string::npos) text.resize(end);
  return text;
}

std::string function_help(const LibraryFunction& function) {
  return function.signature + "\n    in the module " + function.module + ": use " +
         function.module + "\n\n" + function.comment + "\nExample:\nuse " + function.module + "\n" +
         function.example;
}

std::string module_help(std::string_view module, std::string_view text) {
  std::string help = "use " + std::string(module) + "\n\n" + take_head(text) + "\n";
  bool has_functions = false;
  for (const LibraryFunction& function : library_functions()) {
    if (function.module != module) continue;
    help += function.signature + "\n    " + first_sentence(function.comment) + "\n";
    has_functions = true;
  }
  if (has_functions)
    return help +
           "\nshard help NAME shows one with an example, shard help --source NAME its text.\n";
  // Sizes of a model; of others, which are longer, --source prints what they define.
  return module.find('.') == std::string_view::npos ? help : help + std::string(text);
}

std::string folder_help(std::string_view folder) {
  std::string help;
  for (const std::string_view module : library_modules()) {
    if (!module.starts_with(std::string(folder) + ".")) continue;
    help += "use " + std::string(module) + "\n    " +
            first_sentence(head_of(*library_module(module))) + "\n";
  }
  return help;
}

// The definition of a chip with the comment above it, and that of the chip whose other name it is; empty if no module has one.
std::string chip_source(std::string_view name) {
  const std::string_view text = library_module("hardware").value_or("");
  std::string comment;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    at = end;
    if (line.starts_with("#")) comment += line;
    if (line == "\n") comment.clear();
    if (!line.starts_with("chip ")) continue;
    const std::string_view rest = line.substr(std::string_view("chip ").size());
    const std::string_view defined = rest.substr(0, rest.find(' '));
    const bool is_wanted = std::equal(
        defined.begin(), defined.end(), name.begin(), name.end(),
        [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
    if (!is_wanted) continue;
    // `chip Ironwood = TPU7x` says nothing by itself.
    const std::size_t base = rest.find("= ");
    if (base == std::string_view::npos) return comment + std::string(line);
    const std::string_view other = rest.substr(base + 2);
    return chip_source(other.substr(0, other.find_first_of(" \n"))) + std::string(line);
  }
  return "";
}

}  // namespace

std::string library_help(std::string_view name) {
  std::string help;
  if (const auto text = library_module(name)) help = module_help(name, *text);
  if (help.empty()) help = folder_help(name);
  if (const LibraryFunction* function = find_library_function(name)) {
    if (!help.empty()) help += "\n";
    help += function_help(*function);
  }
  return help;
}

std::string library_source(std::string_view name) {
  if (const LibraryFunction* function = find_library_function(name)) return function->source;
  if (const auto text = library_module(name)) return std::string(*text);
  return chip_source(name);
}

std::optional<std::string> library_module_ending(std::string_view name) {
  for (const std::string_view module : library_modules()) {
    const std::size_t dot = module.rfind('.');
    if (dot != std::string_view::npos && module.substr(dot + 1) == name) return std::string(module);
  }
  return std::nullopt;
}

std::optional<std::string> library_hint(std::string_view name) {
  const LibraryFunction* function = find_library_function(name);
  if (function != nullptr) return "the library has it: use " + function->module;
  std::vector<std::string> names;
  for (const LibraryFunction& one : library_functions()) names.push_back(one.name);
  const auto near = nearest_name(name, names);
  if (!near) return std::nullopt;
  return "did you mean `" + *near + "`? The library has it: use " +
         find_library_function(*near)->module;
}

std::vector<std::string> library_names() {
  std::vector<std::string> names;
  for (const std::string_view module : library_modules()) {
    const std::string folder(module.substr(0, module.find('.')));
    if (std::find(names.begin(), names.end(), folder) == names.end()) names.push_back(folder);
    if (folder != module) names.emplace_back(module);
  }
  for (const LibraryFunction& function : library_functions()) names.push_back(function.name);
  return names;
}

}  // namespace shard
