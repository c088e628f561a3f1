// `if`, braces that group statements, and those of a kernel.

#include <fmt/format.h>

#include <memory>
#include <set>
#include <utility>

#include "base/format.h"
#include "base/words.h"
#include "interpreter/ir/frames.h"
#include "interpreter/lower/fuse.h"
#include "interpreter/statements/flow.h"
#include "interpreter/statements/recorder.h"
#include "interpreter/statements/statement.h"

namespace shard {

namespace {

// What stays inside is over with the block.
void end_inner(const std::vector<ArrayId>& inner, RunContext& context) {
  Environment& names = context.scope.names;
  for (const ArrayId array : inner) {
    const ArrayInfo& info = std::as_const(context.scope.store.arrays)[array];
    const std::string key = name_key(info.name);
    if (info.anonymous || names.find_array(info.name) != array) continue;
    names.ended[key] = info.span;
    names.array_names.erase(key);
  }
  end_with_block(inner, context);
}

// The backward pass of what a kernel has made is a kernel, too. Of blocks in one another the outermost is it.
void note_kernel(ArrayId begin, const std::vector<ArrayId>& inner, Scope& scope) {
  const std::set<ArrayId> ended(inner.begin(), inner.end());
  const auto end = static_cast<int>(scope.store.arrays.size());
  for (ArrayId array = begin; array.value < end; ++array.value) {
    const auto& origin = std::as_const(scope.store).arrays[array].origin;
    if (origin == nullptr) continue;
    checked::Origin noted = *origin;
    const bool inside = ended.contains(array) || (noted.kernel && noted.kernel->inside);
    noted.kernel = {.first = begin, .inside = inside};
    scope.store.arrays[array].origin = std::make_shared<const checked::Origin>(std::move(noted));
  }
}

// Statements in braces that end no names.
void run_lasting(const std::vector<ast::Statement>& body, RunContext& context) {
  const auto around = std::exchange(context.lasting_braces, context.scope.names.depth);
  run_here(body, context);
  context.lasting_braces = around;
}

void judge_working_set(const WorkingSet& set, const Program& program, Span span,
                       RunContext& context) {
  const auto& fast = program.machine.chip.fast_memory;
  const auto bytes = set.bytes.constant();
  if (!fast || !bytes || *bytes <= *fast) return;
  const std::string tile =
      set.dimensions.empty() ? "all of it, as no dimension is in all that is made inside"
                             : fmt::format("one index of {} at a time", join_words(set.dimensions));
  report(context.check, DiagnosticKind::FusedTooLarge, span,
         fmt::format("`{}` needs {} of fast memory, {}, and {} has {}",
                     *program.statements[set.statement].text, format_bytes(bytes->to_double()),
                     tile, program.machine.chip.name, format_bytes(fast->to_double())),
         {"split it into two blocks, or cut a dimension into blocks that a loop goes through"});
}

}  // namespace

void run(const ast::If& node, const ast::Statement&, RunContext& context) {
  const auto value = value_of(node.condition, context);
  if (!value) return;
  const auto* truth = std::get_if<Truth>(&*value);
  if (truth == nullptr) {
    return report(context.check, DiagnosticKind::BadArgument, node.condition.at.span,
                  fmt::format("`if` takes a comparison, and this is {}", to_text(*value)),
                  {"if X > 4 { … }"});
  }
  if (!truth->holds) {
    if (context.scope.machine.failed) return;  // what is wrong with the hardware was reported
    return report(context.check, DiagnosticKind::Undecidable, node.condition.at.span,
                  "this depends on sizes that are not given, so no branch can be taken",
                  {"give the sizes that are missing"});
  }
  if (*truth->holds) {
    run_lasting(node.body, context);
  } else if (node.otherwise) {
    run_lasting(*node.otherwise, context);
  }
}

void run(const ast::Group& group, const ast::Statement& statement, RunContext& context) {
  const RegionRecord region(checked::RegionKind::Group, statement.at.span,
                            context.options.recorder);
  GroupFrame frame(context.scope);
  run_here(group.body, context);
  end_with_block(frame.pop(), context);
}

void run(const ast::Fused& fused, const ast::Statement& statement, RunContext& context) {
  const RegionRecord region(checked::RegionKind::Fused, statement.at.span,
                            context.options.recorder);
  growing_program(context);
  const std::size_t index = context.state.current;
  const std::size_t first = context.state.programs[index].statements.size();
  const std::size_t first_entry = context.state.entries.size();
  const ArrayId first_array{static_cast<int>(context.scope.store.arrays.size())};
  const bool in_kernel = std::exchange(context.state.in_kernel, true);
  run_lasting(fused.body, context);
  context.state.in_kernel = in_kernel;
  if (context.state.current != index || context.state.program_ended) {
    return report(context.check, DiagnosticKind::BadMesh, statement.at.span,
                  "the machine changes inside of a kernel",
                  {"`mesh` and `hardware` stand before the block"});
  }
  Program& program = context.state.programs[index];
  const FusedBlock block = fuse(program, first);
  for (std::size_t i = first_entry; i < context.state.entries.size(); ++i) {
    if (auto* entry = std::get_if<PlannedEntry>(&context.state.entries[i])) entry->fused = true;
  }
  // That of a backward pass was judged by the block which it goes back through.
  if (block.most && !context.state.derives)
    judge_working_set(*block.most, program, statement.at.span, context);
  note_kernel(first_array, block.inner, context.scope);
  end_inner(block.inner, context);
}

}  // namespace shard
