#include "interpreter/statements/save.h"

#include <fmt/format.h>

#include <filesystem>

#include "grammar/print/printer.h"
#include "interpreter/check/run_files.h"
#include "interpreter/statements/requested_copy.h"

namespace shard {

namespace {

// "b-2.npy" for "b.npy".
std::string another_name(const std::string& path) {
  const std::filesystem::path file = path;
  return (file.parent_path() /
          fmt::format("{}-2{}", file.stem().string(), file.extension().string()))
      .string();
}

}  // namespace

void run_save(const ast::Save& save, Span span, const StatementRunner& runner) {
  RunnerState& state = runner.state;
  if (state.scope.supposition) {
    return report(runner.context, DiagnosticKind::BadArgument, span,
                  "`save` stands outside of blocks", {"a block is a supposition, and never runs"});
  }
  Program& target = runner.program();
  const std::string array = print(save.array, Spelling::Unicode);
  const auto copy = requested_copy(save.array, target, runner.context);
  if (!copy || !claim_file({FileUse::Save, save.path.value, span}, runner.options.files,
                           {fmt::format("save {} \"{}\"", array, another_name(save.path.value))},
                           runner.context))
    return;
  target.requests.push_back(
      {.copy = *copy, .other = std::nullopt, .entry = state.entries.size(), .span = span});
  state.entries.push_back(
      SavedEntry{.program = state.programs.size() - 1, .array = array, .path = save.path.value});
}

}  // namespace shard
