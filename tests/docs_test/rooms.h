// What the documentation says of files and rooms, against the files that there are.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace shard::docs {

// Files of the project that the text names with their folder, and that are not there.
std::vector<std::string> missing_files(const std::filesystem::path& root, const std::string& text);

// What is wrong with the rows `| room | what it holds | face |` of docs/architecture.md: every room of cmake/rooms.cmake has
// one, and the first comment of its face names every other header and table (`.def`) of the room. `base/` and `stdlib/` have no
// face.
std::vector<std::string> room_problems(const std::filesystem::path& root, const std::string& text);

}  // namespace shard::docs
