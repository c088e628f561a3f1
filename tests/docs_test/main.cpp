// Keeps the prose true:
//   docs_test SHARD ROOT [WORD]
// SHARD is the command, ROOT the project's folder, WORD restricts to files with it in their path. What stands in fences is
// the matter of `shard test`.
//
// Of README.md, CONTRIBUTING.md and docs/*.md: relative links and files that are named exist. docs/architecture.md has a row for
// every room, whose face names the other headers of the room; docs/language.md names every diagnostic, has the options of `shard
// run`, and lists nothing that the language's tables do not have; docs/report-schema.md has every key of its examples,
// docs/session.md every command and setting, and docs/cost-model.md the sections that headers name.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "interpreter/driver/session_command.h"
#include "interpreter/testing/process.h"
#include "interpreter/testing/test_script.h"
#include "tests/docs_test/lists.h"
#include "tests/docs_test/markdown.h"
#include "tests/docs_test/rooms.h"

namespace shard::docs {
namespace {

namespace fs = std::filesystem;
using test::read_bytes;

constexpr const char* kSession = "docs/session.md";
constexpr const char* kArchitecture = "docs/architecture.md";
constexpr const char* kLanguage = "docs/language.md";
constexpr const char* kCostModel = "docs/cost-model.md";
constexpr const char* kSchema = "docs/report-schema.md";

struct Document {
  std::string path;  // seen from the root
  std::string text;
};

class Checker {
 public:
  Checker(std::string shard, fs::path root) : shard_(std::move(shard)), root_(std::move(root)) {}

  void check(const Document& document) {
    ++documents_;
    check_links(document);
    check_shell(document);
    check_files(document);
    if (document.path == kLanguage) check_kinds(document);
    if (document.path == kLanguage) check_lists(document);
    if (document.path == kSchema) check_keys(document);
    if (document.path == kSession) check_session(document);
    if (document.path == kCostModel) check_sections(document);
  }

  int finish() const {
    std::cout << problems_ << documents_ << " documents, " << failed_ << " problems\n";
    return failed_ == 0 && documents_ > 0 ? 0 : 1;
  }

 private:
  void complain(const Document& document, std::size_t line, const std::string& problem) {
    ++failed_;
    problems_ += document.path + ":" + std::to_string(line) + ": " + problem;
    if (problem.back() != '\n') problems_ += "\n";
  }

  void check_links(const Document& document) {
    for (const Line& line : prose_lines(document.text)) {
      for (const std::string& link : all_matches(line.text, R"(\]\(([^)#]+)[^)]*\))")) {
        const bool elsewhere = link.find("://") != std::string::npos;
        if (!elsewhere && !fs::exists((root_ / document.path).parent_path() / link))
          complain(document, line.number, "there is no " + link);
      }
    }
  }

  // Scripts and commands of ./dev that a reader is told to type.
  void check_shell(const Document& document) {
    const std::string dev = read_bytes(root_ / "dev");
    for (const Fence& fence : fences_of(document.text)) {
      if (!fence.is("sh")) continue;
      for (const std::string& path : all_matches(fence.body, R"((\w[\w./-]*/[\w.-]+\.shard))")) {
        if (!fs::exists(root_ / path)) complain(document, fence.line, "there is no " + path);
      }
      for (const std::string& verb : all_matches(fence.body, R"(\./dev ([a-z]+))")) {
        if (dev.find("\n  " + verb) == std::string::npos)
          complain(document, fence.line, "./dev has no command " + verb);
      }
    }
  }

  // Files that are named, and in docs/architecture.md the rooms.
  void check_files(const Document& document) {
    const std::string prose = prose_of(document.text);
    for (const std::string& path : missing_files(root_, prose))
      complain(document, 1, "there is no " + path);
    if (document.path != kArchitecture) return;
    for (const std::string& problem : room_problems(root_, prose)) complain(document, 1, problem);
  }

  void check_sections(const Document& document) {
    std::set<std::string> headings;
    for (const Line& line : prose_lines(document.text)) {
      if (line.text.starts_with("## ")) headings.insert(line.text.substr(3));
    }
    std::size_t named = 0;
    for (const char* folder : {"base", "runtime", "interpreter"}) {
      for (const auto& entry : fs::recursive_directory_iterator(root_ / folder)) {
        if (entry.path().extension() != ".h") continue;
        const std::string header = fs::relative(entry.path(), root_).string();
        const std::string text =
            std::regex_replace(read_bytes(entry.path()), std::regex("\\n *// *"), " ");
        for (const std::string& place : all_matches(text, "(cost model, \"[^)\n]*)")) {
          for (const std::string& section : all_matches(place, "\"([^\"]*)\"")) {
            ++named;
            if (headings.count(section) == 0)
              complain(document, 1,
                       "lacks the section \"" + section + "\", which " + header + " names");
          }
        }
      }
    }
    if (named == 0) complain(document, 1, "no header names a section");
  }

  // The commands of a session, and its settings.
  void check_session(const Document& document) {
    const std::string prose = prose_of(document.text);
    const auto expect = [&](const std::string& text) {
      if (prose.find(text) == std::string::npos) complain(document, 1, "does not have " + text);
    };
    for (const SessionCommand& command : session_commands()) {
      expect("`:" + std::string(command.name) +
             (command.arguments.empty() ? "`" : " " + std::string(command.arguments) + "`"));
    }
    for (const Setting& setting : settings()) expect("| `" + std::string(setting.name) + "` |");
  }

  void check_kinds(const Document& document) {
    const std::string prose = prose_of(document.text);
    for (const DiagnosticInfo& info : diagnostic_catalogue()) {
      if (prose.find("`" + std::string(info.name) + "`") == std::string::npos)
        complain(document, 1, "does not name the diagnostic " + std::string(info.name));
    }
  }

  void check_lists(const Document& document) {
    const std::string help = test::execute({shard_, "run", "--help"}, "").output;
    for (const std::string& problem : option_problems(document.text, help))
      complain(document, 1, problem);
    for (const std::string& problem : unknown_entries(document.text))
      complain(document, 1, problem);
  }

  void check_keys(const Document& document) {
    const std::string prose = prose_of(document.text);
    std::set<std::string> keys;
    for (const Fence& fence : fences_of(document.text)) {
      if (!fence.is("json")) continue;
      for (const std::string& key : all_matches(fence.body, R"re("(\w+)":)re")) keys.insert(key);
    }
    if (keys.empty()) complain(document, 1, "has no example");
    for (const std::string& key : keys) {
      const bool is_axis = key.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos;
      if (!is_axis && prose.find("`" + key + "`") == std::string::npos)
        complain(document, 1, "does not explain the key " + key);
    }
  }

  std::string shard_;
  fs::path root_;
  std::size_t documents_ = 0;
  std::size_t failed_ = 0;
  std::string problems_;
};

std::vector<Document> find_documents(const fs::path& root, const std::string& word) {
  std::vector<fs::path> paths = {root / "README.md", root / "CONTRIBUTING.md"};
  for (const auto& entry : fs::directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Document> documents;
  for (const fs::path& path : paths) {
    const std::string name = fs::relative(path, root).string();
    if (name.find(word) != std::string::npos)
      documents.push_back({.path = name, .text = read_bytes(path)});
  }
  return documents;
}

int run(const std::string& shard, const fs::path& root, const std::string& word) {
  Checker checker(shard, root);
  for (const Document& document : find_documents(root, word)) checker.check(document);
  return checker.finish();
}

}  // namespace
}  // namespace shard::docs

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  if (argc < 3 || argc > 4) {
    std::cerr << "usage: docs_test SHARD ROOT [WORD]\n";
    return 2;
  }
  return shard::docs::run(fs::absolute(argv[1]).string(), fs::canonical(argv[2]),
                          argc == 4 ? argv[3] : "");
}
