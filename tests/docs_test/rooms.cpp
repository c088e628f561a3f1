#include "tests/docs_test/rooms.h"

#include <iterator>
#include <regex>
#include <set>

#include "interpreter/testing/test_script.h"

namespace shard::docs {

namespace fs = std::filesystem;
using test::read_bytes;

namespace {

std::vector<std::string> first_groups(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), regex);
       it != std::sregex_iterator(); ++it)
    found.push_back((*it)[1].str());
  return found;
}

// What stands above `#pragma once`.
std::string first_comment(const fs::path& header) {
  const std::string text = read_bytes(header);
  return text.substr(0, text.find("#pragma once"));
}

void check_face(const fs::path& root, const std::string& room, const std::string& face,
                std::vector<std::string>& problems) {
  if (!fs::exists(root / room / face)) {
    problems.push_back("the face of " + room + "/ is " + face + ", which is not there");
    return;
  }
  const std::string comment = first_comment(root / room / face);
  const auto words = first_groups(comment, R"(([\w]+\.(?:h|def|cpp))\b)");
  const std::set<std::string> named(words.begin(), words.end());
  for (const auto& entry : fs::directory_iterator(root / room)) {
    const std::string name = entry.path().filename().string();
    const std::string kind = entry.path().extension().string();
    if ((kind == ".h" || kind == ".def") && name != face && named.count(name) == 0)
      problems.push_back(room + "/" + face + " does not name " + name);
  }
  for (const std::string& line : first_groups(comment, R"(\n//   ((?:[\w.]+, )*[\w]+\.\w+)  )")) {
    for (const std::string& name : first_groups(line, R"(([\w]+\.\w+))")) {
      if (!fs::exists(root / room / name))
        problems.push_back(room + "/" + face + " names " + name + ", which is not there");
    }
  }
}

}  // namespace

std::vector<std::string> missing_files(const fs::path& root, const std::string& text) {
  std::vector<std::string> missing;
  for (
      const std::string& path : first_groups(
          text,
          R"((?:^|[^\w./-])((?:base|grammar|runtime|interpreter|stdlib|tests|cmake|bench|docs|examples)/[\w./-]*\w\.(?:h|cpp|def|cmake|shard|ebnf|md))\b)")) {
    if (!fs::exists(root / path)) missing.push_back(path);
  }
  return missing;
}

std::vector<std::string> room_problems(const fs::path& root, const std::string& text) {
  std::vector<std::string> problems;
  // The first list there; the next one has the libraries.
  const std::string lists = read_bytes(root / "cmake/rooms.cmake");
  const std::string table =
      lists.substr(0, lists.find("\nset(", lists.find("set(SHARD_ROOMS") + 1));
  const auto rooms = first_groups(table, R"re(\n  "([\w/]+):)re");
  if (rooms.empty()) problems.emplace_back("cmake/rooms.cmake has no rooms");
  for (const std::string& room : rooms) {
    const std::string row = "\\| `" + room + R"(/` \| [^|]+ \| ([^|]+) \|)";
    const auto faces = first_groups(text, row.c_str());
    if (faces.size() != 1) {
      problems.push_back(room + "/ has " + std::to_string(faces.size()) + " rows instead of one");
    } else if (room != "base" && room != "stdlib") {
      const std::string& face = faces.front();
      check_face(root, room, face.substr(1, face.size() - 2), problems);
    }
  }
  return problems;
}

}  // namespace shard::docs
