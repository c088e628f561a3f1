// The modules of the library, written in Shard's own language and compiled in from stdlib/*.shard.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace shard {

// The text of a module, byte for byte as in its file: `library_module("hardware")` is
// stdlib/hardware.shard. Lives as long as the program.
std::optional<std::string_view> library_module(std::string_view name);

// The names of all modules, in the order in which stdlib/CMakeLists.txt lists them.
std::vector<std::string_view> library_modules();

}  // namespace shard
