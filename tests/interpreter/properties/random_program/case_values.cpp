// Every array that a program made, against the naive computation.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/execute/emulator.h"
#include "tests/interpreter/properties/random_program/case.h"

namespace shard::random_program {

std::string Case::compare_values() {
  const Program& program = session_.state().programs.front();
  if (program.statements.size() != judgement_.model.results().size())
    return "another number of statements was planned";
  std::map<ArrayId, std::size_t> arrays;
  std::map<CopyId, std::size_t> copies;
  for (std::size_t i = 0; i < program.statements.size(); ++i) {
    arrays[program.statements[i].target] = judgement_.model.results()[i];
    copies[program.statements[i].result] = judgement_.model.results()[i];
  }
  program.owners.for_each([&](CopyId copy, ArrayId array) {
    const auto found = arrays.find(array);
    if (found != arrays.end())
      copies[copy] = found->second;
    else if (const auto input = input_called(session_.state().scope.store.arrays[array].name))
      copies[copy] = *input;
  });
  std::string complaint;
  RunOptions options{.threads = 1};
  options.observe = [&](CopyId id, const DeviceArray& array) {
    const auto found = copies.find(id);
    if (found == copies.end() || !complaint.empty()) return;
    complaint = compare(program.plan.copies[id], judgement_.model.arrays()[found->second],
                        assemble(array, program.machine.mesh), program.machine.mesh);
  };
  run(program.machine, finished_plan(program, {}), options);
  return complaint;
}

std::optional<std::size_t> Case::input_called(const std::string& name) const {
  const auto& arrays = judgement_.model.arrays();
  const auto found = std::find_if(arrays.begin(), arrays.end(), [&](const ModelArray& array) {
    return array.name == name && !array.computed;
  });
  if (found == arrays.end()) return std::nullopt;
  return static_cast<std::size_t>(found - arrays.begin());
}

std::string Case::compare(const Copy& copy, const ModelArray& expected, const GlobalArray& computed,
                          const Mesh& mesh) {
  const std::string shown = copy.name + to_string(copy.layout, copy.dimensions, mesh);
  if (copy.dtype != expected.dtype)
    return fmt::format("`{}` is {}, expected {}", shown, shard::name_of(copy.dtype),
                       shard::name_of(expected.dtype));
  if (computed.shape != expected.values.shape) return "`" + shown + "` has another shape";
  if (!expected.values.certain) {
    ++left_out_;
    return "";
  }
  ++compared_;
  const bool pending = !copy.layout.unreduced.empty();
  for (std::size_t i = 0; i < computed.values.size(); ++i) {
    const double exact = expected.values.exact[i];
    const double value = pending ? exact : rounded(expected.dtype, exact);
    if (computed.values[i] != value)
      return fmt::format("`{}` has {} at {}, expected {}", shown, computed.values[i], i, value);
  }
  return "";
}

}  // namespace shard::random_program
