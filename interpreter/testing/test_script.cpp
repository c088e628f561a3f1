#include "interpreter/testing/test_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/words.h"
#include "interpreter/host/file.h"
#include "interpreter/testing/document.h"

namespace shard::test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* kSettingsFile = "test.options";

// How the scripts of a folder are run.
struct Settings {
  Words arguments = {"run"};
  fs::path from;  // empty: each in its own folder
  bool strict = false;
  bool canonical = false;
  bool skip = false;
};

Words words_in(const std::string& text) {
  std::istringstream stream(text);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// What is wrong with `key: value`; empty if nothing, and then it holds.
std::string set(Settings& settings, const fs::path& folder, const std::string& key,
                const std::string& value) {
  const std::map<std::string, bool Settings::*> switches = {{"strict", &Settings::strict},
                                                            {"canonical", &Settings::canonical},
                                                            {"skip", &Settings::skip}};
  if (key == "args") {
    settings.arguments = words_in(value);
    return value.empty() ? "`args` lacks the command: args: run --verify" : "";
  }
  if (key == "from") {
    settings.from = (folder / value).lexically_normal();
    return fs::is_directory(settings.from) ? ""
                                           : fmt::format("`from`: there is no folder {}", value);
  }
  const auto found = switches.find(key);
  if (found == switches.end()) {
    const Words known = {"args", "from", "strict", "canonical", "skip"};
    const auto near = nearest_name(key, known);
    return fmt::format("`{}` is none of {}{}", key, join(known, ", "),
                       near ? fmt::format("; did you mean `{}`?", *near) : "");
  }
  if (value != "yes" && value != "no")
    return fmt::format("`{}` is yes or no, not `{}`", key, value);
  settings.*found->second = value == "yes";
  return "";
}

Result<Settings> with_file(Settings settings, const fs::path& folder) {
  const fs::path path = folder / kSettingsFile;
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return settings;
  const auto text = read_text(path.string());
  if (!text) return failure(text.error().message);
  std::istringstream lines(*text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::string said = trimmed(line);
    if (said.empty() || said.front() == '#') continue;
    const std::size_t colon = std::min(said.find(':'), said.size());
    const std::string value = colon == said.size() ? "" : trimmed(said.substr(colon + 1));
    const std::string problem = set(settings, folder, trimmed(said.substr(0, colon)), value);
    if (!problem.empty()) return failure(fmt::format("{}:{}: {}", path.string(), number, problem));
  }
  return settings;
}

class Finder {
 public:
  explicit Finder(const std::string& filter) : filter_(filter) {}

  // What is wrong; empty if nothing.
  std::string add(const std::string& given) {
    const fs::path path = fs::path(given).lexically_normal();
    std::error_code error;
    if (fs::is_directory(path, error)) return walk(path, true);
    if (!fs::is_regular_file(path, error))
      return fmt::format("there is no file or folder {}", given);
    if (is_document(path.string())) return add_document(path, true);
    if (path.extension() != ".shard" && path.extension() != ".in")
      return fmt::format(
          "{} is neither a script nor a document: their names end in .shard or .in, and in .md",
          given);
    return add_script(path, true);
  }

  Result<std::vector<TestScript>> in_document(const fs::path& path, std::string text) {
    auto document = script_at(path, true);
    if (!document) return failure(document.error().message);
    document->stray.clear();
    document->text = std::move(text);
    return scripts_of(*document);
  }

  std::vector<TestScript> take() {
    std::vector<TestScript> scripts;
    for (auto& [place, script] : scripts_) scripts.push_back(std::move(script));
    return scripts;
  }

 private:
  // Of a folder by its full path: those of the folders above it, then its own.
  Result<Settings> settings_of(const fs::path& folder) {
    const auto known = settings_.find(folder);
    if (known != settings_.end()) return known->second;
    Settings above;
    if (folder.has_relative_path()) {
      auto found = settings_of(folder.parent_path());
      if (!found) return found;
      above = *std::move(found);
    }
    auto settings = with_file(std::move(above), folder);
    if (settings) settings_.emplace(folder, *settings);
    return settings;
  }

  static fs::path full(const fs::path& path) {
    fs::path whole = fs::absolute(path).lexically_normal();
    return whole.has_filename() ? whole : whole.parent_path();
  }

  std::string walk(const fs::path& folder, bool is_named) {
    const auto settings = settings_of(full(folder));
    if (!settings) return settings.error().message;
    if (settings->skip && !is_named) return "";
    std::error_code error;
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
      entries.push_back(*entry);
    if (error) return fmt::format("cannot read {}: {}", folder.string(), error.message());
    for (const fs::directory_entry& entry : entries) {
      // "." itself is not a part of what it has.
      const fs::path path = entry.path().lexically_normal();
      if (path.filename().string().starts_with(".")) continue;
      std::string problem;
      if (entry.is_directory(error) && !entry.is_symlink(error))
        problem = walk(path, false);
      else if (entry.is_regular_file(error))
        problem = add_entry(path, settings->strict);
      if (!problem.empty()) return problem;
    }
    return "";
  }

  std::string add_entry(const fs::path& path, bool strict) {
    const fs::path extension = path.extension();
    if (extension == ".shard") return add_script(path, false);
    if (is_document(path.string())) return add_document(path, false);
    // Others have files of these names, too.
    const bool has_expectation = TestScript{.path = path.string()}.has_expectation();
    if (extension == ".in" && (strict || has_expectation)) return add_script(path, false);
    const bool is_expected = extension == ".out" || extension == ".err";
    if (!strict || !is_expected || !is_wanted(path.string()) ||
        fs::exists(fs::path(path).replace_extension(".shard")) ||
        fs::exists(fs::path(path).replace_extension(".in")))
      return "";
    TestScript script{.path = path.string()};
    script.stray = "it belongs to no script: beside it is neither " + path.stem().string() +
                   ".shard nor " + path.stem().string() + ".in";
    add(std::move(script));
    return "";
  }

  // `README.md:12` is that place alone, and not line 120 as well.
  bool is_wanted(const std::string& title) const {
    const auto is_digit_at = [](const std::string& text, std::size_t at) {
      return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    };
    const std::size_t colon = filter_.rfind(':');
    const bool is_place = colon != std::string::npos && is_digit_at(filter_, colon + 1);
    std::size_t found = title.find(filter_);
    while (is_place && found != std::string::npos && is_digit_at(title, found + filter_.size()))
      found = title.find(filter_, found + 1);
    return found != std::string::npos;
  }

  void add(TestScript script) {
    const bool is_named = script.is_named;
    const auto place = std::pair(script.path, script.line);
    const auto [known, is_new] = scripts_.emplace(place, std::move(script));
    known->second.is_named = known->second.is_named || is_named;
  }

  // The file as a script, with the settings of its folder.
  Result<TestScript> script_at(const fs::path& path, bool is_named) {
    const fs::path whole = full(path);
    const auto settings = settings_of(whole.parent_path());
    if (!settings) return failure(settings.error().message);
    const auto text = read_text(path.string());
    TestScript script{.path = path.string()};
    if (text)
      script.text = *text;
    else
      script.stray = text.error().message;
    script.on_standard_input = path.extension() == ".in";
    script.arguments = script.on_standard_input ? Words() : settings->arguments;
    const fs::path folder = settings->from.empty() ? whole.parent_path() : settings->from;
    script.folder = folder.string();
    script.name = whole.lexically_relative(folder).string();
    if (script.name.starts_with("-")) script.name.insert(0, "./");
    script.canonical = settings->canonical && !script.on_standard_input;
    script.strict = settings->strict;
    script.is_named = is_named;
    return script;
  }

  std::string add_script(const fs::path& path, bool is_named) {
    if (!is_wanted(path.string())) return "";
    auto script = script_at(path, is_named);
    if (!script) return script.error().message;
    const std::string problem = apply_header(*script);
    if (script->stray.empty()) script->stray = problem;
    add(*std::move(script));
    return "";
  }

  std::string add_document(const fs::path& path, bool is_named) {
    const auto document = script_at(path, is_named);
    if (!document) return document.error().message;
    if (!document->stray.empty()) {
      add(*document);
      return "";
    }
    for (TestScript& script : scripts_of(*document)) {
      if (is_wanted(script.title())) add(std::move(script));
    }
    return "";
  }

  const std::string& filter_;
  std::map<fs::path, Settings> settings_;
  std::map<std::pair<std::string, std::size_t>, TestScript> scripts_;  // by path and line
};

}  // namespace

std::string apply_header(TestScript& script) {
  constexpr std::string_view kExit = "exit:";
  constexpr std::string_view kArguments = "args:";
  std::istringstream lines(script.text);
  for (std::string line; std::getline(lines, line);) {
    line = trimmed(line);
    if (!line.starts_with('#')) break;
    // `# exit: 1` and `#exit: 1`
    const std::string said = trimmed(line.substr(1));
    if (said.starts_with(kArguments)) {
      script.arguments = words_in(said.substr(kArguments.size()));
    } else if (said.starts_with(kExit)) {
      const std::string status = trimmed(said.substr(kExit.size()));
      const char* end = status.data() + status.size();
      const auto read = std::from_chars(status.data(), end, script.status);
      if (read.ec != std::errc() || read.ptr != end)
        return fmt::format("`{}` is no exit status: # exit: 1", status);
    }
  }
  return "";
}

std::string TestScript::title() const {
  return is_fence() ? fmt::format("{}:{}", path, line) : path;
}

std::string TestScript::beside(const char* extension) const {
  return fs::path(path).replace_extension(extension).string();
}

bool TestScript::has_expectation() const {
  if (is_fence()) return output.has_value();
  return fs::exists(beside(".out")) || fs::exists(beside(".err"));
}

Result<std::vector<TestScript>> find_scripts(const std::vector<std::string>& paths,
                                             const std::string& filter) {
  Finder finder(filter);
  for (const std::string& path : paths) {
    if (const std::string problem = finder.add(path); !problem.empty()) return failure(problem);
  }
  std::vector<TestScript> scripts = finder.take();
  if (scripts.empty())
    return failure(
        filter.empty()
            ? fmt::format("there is no script in {}: x.shard, with x.out or x.err beside "
                          "it for what it prints, or x.md with fences named shard",
                          join_words(paths))
            : fmt::format("no script in {} has `{}` in its path", join_words(paths), filter));
  return scripts;
}

Result<std::vector<TestScript>> scripts_of_document(const std::string& path, std::string text) {
  const std::string everything;
  return Finder(everything).in_document(fs::path(path).lexically_normal(), std::move(text));
}

std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  return text.str();
}

}  // namespace shard::test
