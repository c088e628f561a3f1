#include "tests/golden_runner/cases.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace shard::golden {
namespace {

namespace fs = std::filesystem;

struct Folder {
  const char* path;
  const char* extension;
  const char* arguments;
};

constexpr std::array<Folder, 14> kFolders{
    {{"examples", ".shard", "run --verify"},
     {"tests/golden/check", ".shard", "check"},
     {"tests/golden/diagnostics", ".shard", "check"},
     {"tests/golden/diagnostics/habits", ".shard", "check"},
     {"tests/golden/diagnostics/newcomers", ".shard", "check"},
     {"tests/golden/diagnostics/fresh", ".shard", "check"},
     {"tests/golden/diagnostics/strangers", ".shard", "check"},
     {"tests/golden/diagnostics/outsiders", ".shard", "check"},
     {"tests/golden/diagnostics/blindfold", ".shard", "check"},
     {"tests/golden/diagnostics/visitors", ".shard", "check"},
     {"tests/golden/diagnostics/passersby", ".shard", "check"},
     {"tests/golden/parse", ".shard", "fmt"},
     {"tests/golden/repl", ".in", ""},
     {"tests/golden/run", ".shard", "run --verify"}}};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// Applies the `# exit:` and `# args:` lines with which the script begins.
void apply_header(Case& golden) {
  std::istringstream lines(golden.text);
  const std::string exit = "# exit:";
  const std::string arguments = "# args:";
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(exit)) {
      golden.status = std::stoi(line.substr(exit.size()));
    } else if (line.starts_with(arguments)) {
      golden.arguments = words_of(line.substr(arguments.size()));
    } else {
      return;
    }
  }
}

Case make_case(const Folder& folder, const fs::path& script) {
  Case golden;
  golden.script = script.string();
  golden.text = read_file(golden.script);
  golden.arguments = words_of(folder.arguments);
  golden.on_standard_input = folder.extension == std::string(".in");
  golden.is_example = folder.path == std::string("examples");
  if (!golden.is_example) apply_header(golden);
  return golden;
}

std::vector<fs::path> files_in(const std::string& path) {
  std::vector<fs::path> files;
  if (!fs::is_directory(path)) return files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// A script in a folder without a rule would never be run, and an expectation without its script
// never compared.
std::optional<std::string> find_stray(const std::string& path, const char* script_extension) {
  for (const fs::path& file : files_in(path)) {
    const std::string extension = file.extension();
    if (extension == script_extension) continue;
    const bool expectation = extension == ".out" || extension == ".err";
    if (expectation && !fs::exists(fs::path(file).replace_extension(script_extension))) {
      return file.string() + " belongs to no script";
    }
    if (extension == ".shard" || extension == ".in")
      return file.string() + " has the wrong extension for its folder";
  }
  return std::nullopt;
}

std::optional<std::string> find_unknown_folder() {
  for (const fs::directory_entry& entry : fs::directory_iterator("tests/golden")) {
    const auto known = [&](const Folder& folder) { return entry.path() == fs::path(folder.path); };
    if (entry.is_directory() && std::none_of(kFolders.begin(), kFolders.end(), known)) {
      return entry.path().string() + ": no rule says how to run its files";
    }
  }
  return std::nullopt;
}

}  // namespace

std::string Case::beside(const std::string& extension) const {
  return fs::path(script).replace_extension(extension).string();
}

Result<std::vector<Case>> find_cases(const std::string& word) {
  if (const auto unknown = find_unknown_folder()) return failure(*unknown);
  std::vector<Case> cases;
  for (const Folder& folder : kFolders) {
    if (const auto stray = find_stray(folder.path, folder.extension)) return failure(*stray);
    for (const fs::path& file : files_in(folder.path)) {
      const bool wanted =
          file.extension() == folder.extension && file.string().find(word) != std::string::npos;
      if (wanted) cases.push_back(make_case(folder, file));
    }
  }
  if (cases.empty()) return failure("found no case");
  return cases;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  return text.str();
}

}  // namespace shard::golden
