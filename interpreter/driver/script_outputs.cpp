#include "interpreter/driver/script_outputs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "interpreter/driver/colour.h"
#include "interpreter/driver/console.h"
#include "interpreter/host/file.h"
#include "interpreter/testing/difference.h"
#include "interpreter/testing/process.h"

namespace shard {

namespace {

constexpr const char* kScriptName = "script.shard";

// A folder of its own, which goes away with what is in it.
class ScriptFolder {
 public:
  ScriptFolder() {
    std::error_code error;
    const auto base = std::filesystem::temp_directory_path(error);
    std::string pattern =
        ((error ? std::filesystem::path("/tmp") : base) / "shard-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~ScriptFolder() {
    std::error_code error;
    if (!path_.empty()) std::filesystem::remove_all(path_, error);
  }
  ScriptFolder(const ScriptFolder&) = delete;
  ScriptFolder& operator=(const ScriptFolder&) = delete;

  // Empty if there is none.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// What the script prints, standard output and then standard error.
test::Execution run_script(const ReadOutput& output) {
  const ScriptFolder folder;
  test::Execution failed{.errors = "there is no folder to run it in\n",
                         .ended = test::Ended::NotStarted};
  if (folder.path().empty()) return failed;
  if (!write_file(folder.path() + "/" + kScriptName, output.script)) return failed;
  test::Launch launch{.command = {own_path()}, .folder = folder.path()};
  launch.command.insert(launch.command.end(), output.arguments.begin(), output.arguments.end());
  launch.command.emplace_back(kScriptName);
  return test::execute(launch);
}

}  // namespace

ScriptOutputs script_outputs(ReadDocument& document, const std::string& text, std::size_t columns) {
  ScriptOutputs outputs;
  std::size_t begin = 0;
  for (ReadOutput& output : document.outputs) {
    const test::Execution execution = run_script(output);
    if (execution.ended == test::Ended::Interrupted) {
      outputs.interrupted = true;
      return outputs;
    }
    const std::string expected = text.substr(output.begin, output.end - output.begin);
    const std::string printed = test::with_drifts_of(expected, execution.output + execution.errors);
    outputs.text += text.substr(begin, output.begin - begin) + printed;
    begin = output.end;
    const std::string difference = test::difference(
        expected, printed, {.colour = shows_colour(STDOUT_FILENO), .columns = columns});
    output.holds = difference.empty();
    if (!difference.empty())
      outputs.differences +=
          fmt::format("{}:{}: - expected, + printed\n{}", document.name, output.line, difference);
  }
  outputs.text += text.substr(begin);
  return outputs;
}

}  // namespace shard
