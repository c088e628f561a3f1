// `cost { … }`: statements that are planned and priced, and never run. Of the options budget, modules and faults count; the scope
// in which a figure is read learns the names of axes and dimensions.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "interpreter/evaluate/known_figures.h"
#include "interpreter/ir/chip_constant.h"
#include "interpreter/ir/frames.h"
#include "interpreter/statements/block_end.h"
#include "interpreter/statements/run_context.h"
#include "runtime/machine/mesh_text.h"

namespace shard {

namespace {

bool has_one_machine(const RunnerState& state, DiagnosticSink& sink) {
  if (state.programs.front().is_sweep || state.programs.back().is_sweep) {
    sink.report({.kind = DiagnosticKind::MisplacedStatement,
                 .span = state.programs.back().statements.front().span,
                 .message = "each pass of a loop over a list has a cost of its own",
                 .help = {"put the cost block into the loop"}});
    return false;
  }
  if (state.programs.size() == 1) return true;
  sink.report(
      {.kind = DiagnosticKind::BadMesh,
       .span = state.programs.back().statements.front().span,
       .message =
           "the mesh changes in the middle of the block, so its figures have no common measure",
       .help = {"price each part in a block of its own"}});
  return false;
}

// Whether there were names that `scope` did not know.
bool learns_names(const Scope& inner, Scope& scope) {
  const auto count = [&] { return scope.names.dimension_names.size() + scope.mesh().axes.size(); };
  const std::size_t before = count();
  learn_names(inner, scope);
  return count() != before;
}

// Arrays and numbers of the block whose names are figures of the chip outside of it.
void note_figures_of_chip(const Scope& inner, Scope& scope) {
  const auto note = [&](const std::string& key, const std::string& name, const Span& span) {
    if (chip_constant(name, inner.hardware().chip)) scope.names.ended[key] = span;
  };
  inner.names.array_names.visit_changed(scope.names.array_names, [&](const auto& entry) {
    if (scope.names.array_names.contains(entry.first)) return;
    const ArrayInfo& array = inner.store.arrays[entry.second];
    note(entry.first, array.name, array.span);
  });
  inner.names.bindings.visit_changed(scope.names.bindings, [&](const auto& entry) {
    if (!scope.names.bindings.contains(entry.first))
      note(entry.first, entry.second.name, entry.second.span);
  });
}

// Once for all who read a figure.
void tell(const std::vector<Diagnostic>& notes, DiagnosticSink& sink) {
  for (const Diagnostic& note : notes) {
    const bool was_told = std::any_of(
        sink.all().begin(), sink.all().end(),
        [&](const Diagnostic& told) { return told.kind == note.kind && told.span == note.span; });
    if (!was_told) sink.report(note);
  }
}

// Of all that a block could note of its statements, GatheredInFunction changes what its figures are figures of, and PlanBudget how far
// they are to be trusted. Gives the latter, which whoever reads a figure is told.
std::vector<Diagnostic> pass_on(const DiagnosticSink& inner, DiagnosticSink& sink) {
  std::vector<Diagnostic> notes;
  std::vector<Diagnostic> unproven;
  for (const Diagnostic& diagnostic : inner.all()) {
    if (info(diagnostic.kind).severity != Severity::Note)
      sink.report(diagnostic);
    else if (diagnostic.kind == DiagnosticKind::GatheredInFunction)
      notes.push_back(diagnostic);
    else if (diagnostic.kind == DiagnosticKind::PlanBudget)
      unproven.push_back(diagnostic);
  }
  tell(notes, sink);
  return unproven;
}

// What `best` found in the block. Questions price blocks many times, and are about figures.
void show_layouts(const RunnerState& inner, RunnerState& state, const Scope& scope) {
  if (scope.asks || !scope.asked.empty() || scope.supposition) return;
  for (const Entry& entry : inner.entries) {
    if (boxed_in<BestEntry>(entry) != nullptr) state.entries.push_back(entry);
  }
}

// Nullptr after a report.
std::shared_ptr<const Figures> figures_of_block(const RunnerState& state, CheckContext& context) {
  if (state.programs.empty()) return std::make_shared<const Figures>();
  if (!has_one_machine(state, context.sink)) return nullptr;
  const Program& program = state.programs.front();
  auto figures = std::make_shared<Figures>(figures_of(program));
  figures->planned = std::make_shared<const Program>(program);
  // Formulas are those of the machine at the start: faults at a time wait for the sizes, as the timeline does.
  return report_failure(program, figures->faults, context.sink) ? nullptr : figures;
}

// Figures of the block are read where another one is priced.
void note_read(const Supposition& supposition, const SupposedFigures& now, const Scope& scope) {
  if (scope.reads == nullptr) return;
  // A block inside of that other one ends with it.
  if (supposition.scope->names.depth >= scope.reads->depth())
    now.reads.tell(scope);
  else
    scope.reads->note_block({.known = supposition.known, .figures = now.figures});
}

std::string text_of_machine(const Machine& machine) {
  const std::string mesh = "mesh " + mesh_text(machine.mesh);
  return machine.chip.name.empty() ? mesh : machine.chip.name + ", " + mesh;
}

// Two blocks that were written for two machines are compared on the one in force. Loops and questions go over machines on purpose,
// and a block may have its own. It depends on who reads, and is no part of what is known of the block.
void note_other_machine(const Supposition& supposition, bool own_mesh, CheckContext& context) {
  const Scope& read = context.scope;
  const bool on_purpose =
      read.asks || !read.asked.empty() || read.supposition || read.names.depth > 0;
  const MachineState& written = supposition.scope->machine;
  if (on_purpose || !written.mesh_span || own_mesh) return;
  const Machine& then = written.machine;
  const Machine& now = read.hardware();
  const std::string& chip = then.chip.name;
  const bool other_chip = !chip.empty() && !now.chip.name.empty() && chip != now.chip.name;
  if (!other_chip && then.mesh == now.mesh) return;
  const std::string mesh = mesh_text(then.mesh);
  if (!other_chip && mesh == mesh_text(now.mesh)) return;
  const std::string slice = written.slice ? " " + slice_text(written.slice->lengths) : "";
  DiagnosticSink note;
  CheckContext told{context.scope, note, context.scalars};
  report(told, DiagnosticKind::OtherMachine, supposition.block->body.back().at.span,
         fmt::format("the block was written for {}, and its figures are those of {}",
                     text_of_machine(then), text_of_machine(now)),
         {fmt::format("a machine of its own stands in the block: cost {{ {}mesh {}; … }}",
                      other_chip ? fmt::format("hardware {}{}; ", chip, slice) : "", mesh)});
  tell(note.all(), context.sink);
}

// Blocks stand inside each other: what they keep is large, and no part of the stack.
[[gnu::noinline]] std::unique_ptr<RunnerState> state_for(const Supposition& supposition,
                                                         const Scope& read) {
  auto state = std::make_unique<RunnerState>();
  state->scope = supposition_scope(*supposition.scope, read);
  return state;
}
[[gnu::noinline]] std::unique_ptr<SupposedFigures> nothing_known(const Scope& read, int depth) {
  auto figures = std::make_unique<SupposedFigures>();
  figures->reads = BindingReads(depth);
  figures->machine = read.hardware();
  figures->asked = read.asked;
  return figures;
}

}  // namespace

std::shared_ptr<const Figures> RunContext::suppose(const Supposition& supposition,
                                                   CheckContext& context) {
  SupposedFigures& known = *supposition.known;
  if (known.hold_for(context.scope)) {
    note_read(supposition, known, context.scope);
    note_other_machine(supposition, known.own_mesh, context);
    tell(known.notes, context.sink);
    return known.figures;
  }
  const auto inside = state_for(supposition, context.scope);
  const auto now = nothing_known(context.scope, inside->scope.names.depth);
  inside->scope.reads = &now->reads;
  DiagnosticSink inner;
  run_statements(supposition.block->body, *inside,
                 {.judge_expects = false,
                  .try_help = options.try_help,
                  .budget = options.budget,
                  .plan_time = options.plan_time,
                  .modules = options.modules,
                  .faults = options.faults},
                 inner);
  std::vector<Diagnostic> unproven = pass_on(inner, context.sink);
  show_layouts(*inside, state, context.scope);
  const bool is_new = learns_names(inside->scope, context.scope);
  note_figures_of_chip(inside->scope, context.scope);
  const bool stopped = options.budget != nullptr && options.budget->stopped();
  if (stopped || inner.has_errors() || inside->incomplete) return nullptr;
  now->figures = figures_of_block(*inside, context);
  if (now->figures == nullptr) return nullptr;
  note_read(supposition, *now, context.scope);
  DiagnosticSink notes;
  CheckContext told{context.scope, notes, context.scalars};
  if (!inside->programs.empty())
    note_open_end(inside->programs.front(), supposition.block->body.back().at.span, told);
  now->own_mesh = !(inside->scope.mesh() == context.scope.mesh());
  note_other_machine(supposition, now->own_mesh, context);
  now->notes = notes.all();
  const bool says_more = inner.all().size() > unproven.size();
  std::move(unproven.begin(), unproven.end(), std::back_inserter(now->notes));
  tell(now->notes, context.sink);
  // What a block says or teaches it says and teaches each time; modules and machines of its own are read anew.
  const bool may_keep = !says_more && !is_new && !context.scope.told.module_failed &&
                        inside->scope.names.modules.size() == context.scope.names.modules.size() &&
                        inside->scope.hardware() == now->machine;
  auto figures = now->figures;
  if (!may_keep) return figures;
  now->functions = context.scope.names.functions;
  known = std::move(*now);
  return figures;
}

}  // namespace shard
