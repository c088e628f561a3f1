// The modules of the library, written in Shard's own language and compiled in from stdlib/*.shard.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shard {

// The text of a module, byte for byte as in its file: `library_module("hardware")` is
// stdlib/hardware.shard, "models.llama3_70b" stdlib/models/llama3_70b.shard. Lives as long as the program.
std::optional<std::string_view> library_module(std::string_view name);

// The folder that the texts of modules are in, in messages: "stdlib/models/llama3_70b.shard".
inline constexpr std::string_view kLibraryFolder = "stdlib/";
// Whether a source of that name is a module's text, and no file of the user in a folder of that name.
bool is_library_file(const std::string& name);

// The names of all modules, in the order in which stdlib/CMakeLists.txt lists them.
std::vector<std::string_view> library_modules();

// A function of a module, as its text has it: a comment, and below it `fn name(…) { … }` up to a `}` at a line's begin, or
// all on one line. Lines of the comment that are indented by four more blanks are an example, a script that runs
// behind `use MODULE`.
struct LibraryFunction {
  std::string module;
  std::string name;
  std::string signature;  // "norm(x[B, T, D], g[D])"
  std::string comment;    // its lines without `#`, the example left out
  std::string example;
  std::string source;  // the comment and the definition, as they stand there
};

// In the order of their modules' texts.
const std::vector<LibraryFunction>& library_functions();
// nullptr if no module has one of that name.
const LibraryFunction* find_library_function(std::string_view name);

// help.cpp: what help says of a module, of a folder of modules (`models`) or of a function; empty if the library has
// nothing of that name. Of a module it lists the functions, or, where it has none, what it defines.
std::string library_help(std::string_view name);
// The text of a module, or of a function or a chip with its comment; empty if there is none of that name.
std::string library_source(std::string_view name);
// For a function that nobody knows: the module that has it, or one that is spelt alike.
std::optional<std::string> library_hint(std::string_view name);
// The module whose last part is that name: `models.llama3_70b` for "llama3_70b".
std::optional<std::string> library_module_ending(std::string_view name);
// All that there is help on: folders, modules, functions.
std::vector<std::string> library_names();

}  // namespace shard
