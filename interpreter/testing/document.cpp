#include "interpreter/testing/document.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/diagnostics/diagnostic.h"
#include "grammar/document/fences.h"

namespace shard::test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::string_view kLanguage = "shard";
// What messages call a fence whose output is compared: places in the document would change with every line above it.
constexpr const char* kFenceName = "script.shard";
constexpr const char* kArticleName = "article.md";  // and one that is read

bool is_fragment(const Fence& fence) { return fence.words == Words{"shard", "fragment"}; }

std::string not_understood(const std::string& word, const Words& known) {
  const auto near = nearest_name(word, known);
  return fmt::format("`{}` is none of {}{}", word, join(known, ", "),
                     near ? fmt::format("; did you mean `{}`?", *near) : "");
}

// What the words behind `shard` ask for. What is wrong with them.
std::string apply_words(TestScript& script, const Words& words) {
  static const Words verbs = {"run",  "check",   "error", "fmt",
                              "read", "session", "help",  "fragment"};
  const std::string verb = words.size() < 2 ? "" : words[1];
  if (verb.empty()) return "";
  // Arguments alone are those of a run.
  const bool is_run = verb.starts_with('-');
  const Words rest(words.begin() + (is_run ? 1 : 2), words.end());
  if (!is_run && !contains(verbs, verb)) return not_understood(verb, verbs);
  if ((verb == "check" && !rest.empty()) || (verb == "error" && rest.size() != 1))
    return fmt::format("a fence is named `shard {}`, and nothing more",
                       verb == "error" ? "error KIND" : "check");
  script.arguments = {is_run || verb == "error" ? "run" : verb == "session" ? "transcript" : verb};
  script.is_silent = verb == "check";
  if (verb != "error") {
    script.arguments.insert(script.arguments.end(), rest.begin(), rest.end());
    return "";
  }
  script.draws = rest.front();
  Words kinds;
  for (const DiagnosticInfo& info : diagnostic_catalogue()) kinds.emplace_back(info.name);
  if (contains(kinds, script.draws)) return "";
  const auto near = nearest_name(script.draws, kinds);
  return fmt::format("there is no diagnostic {}{}", script.draws,
                     near ? fmt::format("; did you mean {}?", *near) : "");
}

}  // namespace

bool is_document(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  return extension == ".md" || extension == ".markdown";
}

std::vector<TestScript> scripts_of(const TestScript& document) {
  const std::vector<Fence> fences = fences_of(document.text);
  std::vector<TestScript> scripts;
  for (std::size_t at = 0; at < fences.size(); ++at) {
    const Fence& fence = fences[at];
    if (!fence.is(kLanguage) || is_fragment(fence)) continue;
    TestScript script = document;
    script.line = fence.line;
    script.text = fence.body;
    script.canonical = script.strict = false;
    script.stray = apply_words(script, fence.words);
    if (script.stray.empty()) script.stray = apply_header(script);
    const bool is_article = !script.arguments.empty() && script.arguments.front() == "read";
    const Fence* output = script.types() ? &fence : output_beneath(document.text, fences, at);
    if (output != nullptr) {
      script.output = FenceOutput{.text = output->body, .line = output->line};
      script.name =
          fs::path(script.name).replace_filename(is_article ? kArticleName : kFenceName).string();
    } else {
      // What it says has the places of the document.
      script.text.insert(0, fence.line, '\n');
    }
    scripts.push_back(std::move(script));
  }
  return scripts;
}

Result<std::string> with_outputs(std::string text,
                                 const std::map<std::size_t, std::string>& outputs) {
  std::vector<Fence> fences = fences_of(text);
  std::size_t written = 0;
  // From the last one on, so that the places of those before it hold.
  for (auto fence = fences.rbegin(); fence != fences.rend(); ++fence) {
    const auto output = outputs.find(fence->line);
    if (output == outputs.end()) continue;
    if (fence->is_closed_by(output->second))
      return failure(
          fmt::format("the output for line {} has a line that would close its fence: "
                      "open it with more of {}",
                      fence->line, fence->marks));
    text = with_body(text, *fence, output->second);
    ++written;
  }
  if (written < outputs.size()) return failure("it was changed meanwhile");
  return text;
}

}  // namespace shard::test
