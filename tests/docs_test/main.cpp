// Keeps the prose true:
//   docs_test SHARD ROOT [WORD]
// SHARD is the command, ROOT the project's folder, WORD restricts to files with it in their path.
//
// Blocks of README.md, CONTRIBUTING.md and docs/*.md whose fence says ```shard are scripts, and the
// words behind it say what is done with them:
//   shard run [ARGUMENT…]   `shard run`, which must end with exit status 0
//   shard check             `shard check`, which must have nothing to say
//   shard error KIND        `shard run` must draw that kind of diagnostic
//   shard fmt [ARGUMENT…]   `shard fmt`
//   shard read [ARGUMENT…]  `shard read` of an article, which must hold
//   shard session           a session at a terminal: its lines behind a prompt are typed in, and the
//                           block holds exactly what then stands there
//   shard fragment          not run: it shows a part of a script, or what later versions have
// A block ```text or ```json right behind one of them holds exactly what it prints, standard output
// and then standard error. SHARD_UPDATE_GOLDEN=1 writes it there instead of comparing.
// Besides: relative links and files that are named exist, docs/architecture.md has a row for every
// room, whose face names the other headers of the room, docs/language.md names every diagnostic,
// docs/report-schema.md every key that its examples have, and docs/cost-model.md has the sections
// that headers name.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "interpreter/driver/session_command.h"
#include "interpreter/testing/difference.h"
#include "interpreter/testing/test_script.h"
#include "tests/docs_test/block.h"
#include "tests/docs_test/markdown.h"
#include "tests/docs_test/rooms.h"

namespace shard::docs {
namespace {

namespace fs = std::filesystem;
using test::difference;
using test::read_bytes;

constexpr const char* kSession = "docs/session.md";
constexpr const char* kArchitecture = "docs/architecture.md";
constexpr const char* kLanguage = "docs/language.md";
constexpr const char* kCostModel = "docs/cost-model.md";
constexpr const char* kSchema = "docs/report-schema.md";

struct Document {
  std::string path;  // seen from the root
  std::vector<Part> parts;
};

class Checker {
 public:
  Checker(std::string shard, fs::path root, bool update)
      : command_(std::move(shard)), root_(std::move(root)), update_(update) {}

  void check(const Document& document) {
    run_blocks(document);
    check_links(document);
    check_shell(document);
    check_files(document);
    if (document.path == kLanguage) check_kinds(document);
    if (document.path == kSchema) check_keys(document);
    if (document.path == kSession) check_session(document);
    if (document.path == kCostModel) check_sections(document);
  }

  int finish() const {
    std::cout << problems_ << blocks_ << " blocks run, " << failed_ << " problems\n";
    return failed_ == 0 && blocks_ > 0 ? 0 : 1;
  }

 private:
  void complain(const Document& document, std::size_t line, const std::string& problem) {
    ++failed_;
    problems_ += document.path + ":" + std::to_string(line) + ": " + problem;
    if (problem.back() != '\n') problems_ += "\n";
  }

  void run_blocks(const Document& document) {
    std::vector<Part> parts = document.parts;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!parts[i].is("shard") || parts[i].info() == Words{"shard", "fragment"}) continue;
      ++blocks_;
      const Done done = command_.run(parts[i]);
      if (!done.problem.empty()) complain(document, parts[i].line, done.problem);
      if (Part* expected = output_behind(parts, i)) settle(document, *expected, done.printed);
    }
    const std::string text = to_text(parts);
    if (update_ && text != read_bytes(root_ / document.path)) {
      std::ofstream(root_ / document.path, std::ios::binary) << text;
      std::cout << "wrote " << document.path << "\n";
    }
  }

  // The block that holds what block `i` prints: itself if it is a session, else the next one, if
  // nothing but blank lines stands between the two.
  static Part* output_behind(std::vector<Part>& parts, std::size_t i) {
    if (parts[i].info() == Words{"shard", "session"}) return &parts[i];
    std::size_t next = i + 1;
    while (next < parts.size() && parts[next].opening.empty()) ++next;
    const bool found = next < parts.size() && (parts[next].is("text") || parts[next].is("json"));
    return found ? &parts[next] : nullptr;
  }

  void settle(const Document& document, Part& expected, const std::string& printed) {
    if (update_) expected.body = printed;
    const std::string excerpt = difference(expected.body, printed);
    if (!excerpt.empty()) complain(document, expected.line, "the output differs:\n" + excerpt);
  }

  void check_links(const Document& document) {
    for (const Part& part : document.parts) {
      if (part.is_fence) continue;
      for (const std::string& link : all_matches(part.opening, R"(\]\(([^)#]+)[^)]*\))")) {
        const bool elsewhere = link.find("://") != std::string::npos;
        if (!elsewhere && !fs::exists((root_ / document.path).parent_path() / link))
          complain(document, part.line, "there is no " + link);
      }
    }
  }

  // Scripts and commands of ./dev that a reader is told to type.
  void check_shell(const Document& document) {
    const std::string dev = read_bytes(root_ / "dev");
    for (const Part& part : document.parts) {
      if (!part.is("sh")) continue;
      for (const std::string& path : all_matches(part.body, R"((\w[\w./-]*/[\w.-]+\.shard))")) {
        if (!fs::exists(root_ / path)) complain(document, part.line, "there is no " + path);
      }
      for (const std::string& verb : all_matches(part.body, R"(\./dev ([a-z]+))")) {
        if (dev.find("\n  " + verb) == std::string::npos)
          complain(document, part.line, "./dev has no command " + verb);
      }
    }
  }

  // Files that are named, and in docs/architecture.md the rooms.
  void check_files(const Document& document) {
    const std::string prose = prose_of(document.parts);
    for (const std::string& path : missing_files(root_, prose))
      complain(document, 1, "there is no " + path);
    if (document.path != kArchitecture) return;
    for (const std::string& problem : room_problems(root_, prose)) complain(document, 1, problem);
  }

  void check_sections(const Document& document) {
    std::set<std::string> headings;
    for (const Part& part : document.parts) {
      if (!part.is_fence && part.opening.starts_with("## "))
        headings.insert(part.opening.substr(3));
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
    const std::string prose = prose_of(document.parts);
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
    const std::string prose = prose_of(document.parts);
    for (const DiagnosticInfo& info : diagnostic_catalogue()) {
      if (prose.find("`" + std::string(info.name) + "`") == std::string::npos)
        complain(document, 1, "does not name the diagnostic " + std::string(info.name));
    }
  }

  void check_keys(const Document& document) {
    const std::string prose = prose_of(document.parts);
    std::set<std::string> keys;
    for (const Part& part : document.parts) {
      if (!part.is("json")) continue;
      for (const std::string& key : all_matches(part.body, R"re("(\w+)":)re")) keys.insert(key);
    }
    if (keys.empty()) complain(document, 1, "has no example");
    for (const std::string& key : keys) {
      const bool is_axis = key.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos;
      if (!is_axis && prose.find("`" + key + "`") == std::string::npos)
        complain(document, 1, "does not explain the key " + key);
    }
  }

  Command command_;
  fs::path root_;
  bool update_;
  std::size_t blocks_ = 0;
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
      documents.push_back({.path = name, .parts = parts_of(read_bytes(path))});
  }
  return documents;
}

int run(const std::string& shard, const fs::path& root, const std::string& word) {
  const char* update = std::getenv("SHARD_UPDATE_GOLDEN");
  Checker checker(shard, root, update != nullptr && std::string(update) == "1");
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
  const std::string shard = fs::absolute(argv[1]).string();
  const fs::path root = fs::canonical(argv[2]);
  const fs::path scratch = fs::temp_directory_path() / ("shard_docs_" + std::to_string(getpid()));
  fs::create_directories(scratch);
  fs::current_path(scratch);
  const int result = shard::docs::run(shard, root, argc == 4 ? argv[3] : "");
  fs::current_path(root);
  fs::remove_all(scratch);
  return result;
}
