# Writes a C++ file that holds library modules byte for byte:
#   cmake -D OUTPUT=library.cpp [-D FOLDER=stdlib] -P embed.cmake -- a.shard models/b.shard
#
# A module in a folder below FOLDER has the folder's name before its own: models.b.
#
# The text goes out as numbers. As a CMake string it would lose its `;`, `[]` and `${}`, and as a C++ string literal
# its quotes and the standard's limit on length would matter.

# The arguments behind `--`.
set(modules)
set(seen_separator FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(at RANGE ${last})
  if(seen_separator)
    list(APPEND modules "${CMAKE_ARGV${at}}")
  elseif(CMAKE_ARGV${at} STREQUAL "--")
    set(seen_separator TRUE)
  endif()
endforeach()
if(NOT modules OR NOT OUTPUT)
  message(FATAL_ERROR "usage: cmake -D OUTPUT=library.cpp [-D FOLDER=stdlib] -P embed.cmake -- a.shard")
endif()

set(arrays "")
set(entries "")
set(names "")
foreach(module IN LISTS modules)
  get_filename_component(name "${module}" NAME_WE)
  if(FOLDER)
    file(RELATIVE_PATH name "${FOLDER}" "${module}")
    string(REGEX REPLACE "\\.shard$" "" name "${name}")
    string(REPLACE "/" "." name "${name}")
  endif()
  string(REPLACE "." "_" constant "${name}")
  file(READ "${module}" hex HEX)
  string(REGEX REPLACE "(................................................)" "\\1\n   " hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" " '\\\\x\\1'," bytes "${hex}")
  string(APPEND arrays "constexpr char k_${constant}[] = {\n   ${bytes}\n    '\\0'};\n")
  string(APPEND entries "    {\"${name}\", {k_${constant}, sizeof(k_${constant}) - 1}},\n")
endforeach()
list(LENGTH modules count)

file(
  WRITE "${OUTPUT}.new"
  "// Written by stdlib/embed.cmake.
#include \"stdlib/library.h\"

#include <array>

namespace shard {
namespace {

struct Entry {
  std::string_view name;
  std::string_view text;
};

${arrays}
constexpr std::array<Entry, ${count}> kModules{{
${entries}}};

}  // namespace

std::optional<std::string_view> library_module(std::string_view name) {
  for (const Entry& entry : kModules) {
    if (entry.name == name) return entry.text;
  }
  return std::nullopt;
}

std::vector<std::string_view> library_modules() {
  std::vector<std::string_view> names;
  for (const Entry& entry : kModules) names.push_back(entry.name);
  return names;
}

}  // namespace shard
")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
