// `save A "a.npy"`.

#include <fmt/format.h>

#include <filesystem>

#include "grammar/print/printer.h"
#include "interpreter/check/run_files.h"
#include "interpreter/statements/flow.h"
#include "interpreter/statements/statement.h"

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

void run(const ast::Save& save, const ast::Statement& statement, RunContext& context) {
  const Span span = statement.at.span;
  RunnerState& state = context.state;
  if (state.scope.supposition) {
    return report(context.check, DiagnosticKind::BadArgument, span,
                  "`save` stands outside of blocks", {"a block is a supposition, and never runs"});
  }
  Program& target = growing_program(context);
  const std::string array = print(save.array, Spelling::Unicode);
  const auto copy = requested_copy(save.array, context);
  if (!copy || !claim_file({FileUse::Save, save.path.value, span}, context.options.files,
                           {fmt::format("save {} \"{}\"", array, another_name(save.path.value))},
                           context.check))
    return;
  target.requests.push_back(
      {.copy = *copy, .other = std::nullopt, .entry = state.entries.size(), .span = span});
  state.entries.push_back(
      SavedEntry{.program = state.programs.size() - 1, .array = array, .path = save.path.value});
}

}  // namespace shard
