#include "interpreter/statements/flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/contains.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/check/array.h"
#include "interpreter/check/flow.h"
#include "interpreter/check/input_source.h"
#include "interpreter/check/selection/places.h"
#include "interpreter/estimate/fault_effects.h"
#include "interpreter/holes/walk_block.h"
#include "interpreter/lower/events.h"
#include "interpreter/machine/fault.h"
#include "interpreter/machine/machine.h"
#include "interpreter/machine/send.h"
#include "interpreter/program/ended_copies.h"
#include "interpreter/statements/functions/call.h"
#include "interpreter/statements/functions/open_target.h"
#include "interpreter/statements/gradient/history.h"
#include "interpreter/statements/missing_figures.h"
#include "interpreter/statements/print.h"
#include "interpreter/statements/recorder.h"
#include "interpreter/statements/statement.h"
#include "interpreter/statements/wanted_array.h"

namespace shard {

namespace {

// While no mesh is declared, axes are added as they are named.
bool only_grew(const Machine& before, const Machine& now) {
  return before.chip == now.chip && before.faults == now.faults &&
         before.mesh.axes.size() <= now.mesh.axes.size() &&
         std::equal(before.mesh.axes.begin(), before.mesh.axes.end(), now.mesh.axes.begin());
}

// Costs are formulas in all sizes that are not given, so that their number is limited.
void count_open_sizes(const checked::Flow& flow, RunContext& context) {
  auto& open = context.state.open_sizes;
  if (context.options.check_only || open.size() > kMaxOpenSizes) return;
  for (const DimensionId label : flow.labels) {
    if (!context.scope.length_of(label)) open.insert(label);
  }
  if (open.size() <= kMaxOpenSizes) return;
  report(context.check, DiagnosticKind::TooLarge, flow.span,
         fmt::format("more than {} dimensions have no size, and costs are formulas in all of them",
                     kMaxOpenSizes),
         {"give them sizes: B = 1024"});
}

// What a statement would have made on its way is not there: the next one does not begin from it. Which copy that is depends on
// the cost model, and validity does not.
void forget_inferred(CopyId copy, const Program& target, Scope& scope) {
  const ArrayId* owner = target.owners.find(copy);
  if (owner == nullptr) return;
  std::erase_if(scope.held.change(*owner),
                [&](const LiveCopy& live) { return live.inferred && live.copy == copy; });
}

// Reports a collective that failed links make impossible. What would be made of its result is not reported again.
void check_links(Program& target, Span span, RunContext& context) {
  const StatementRecord& record = target.statements.back();
  for (std::size_t i = record.first_step; i < record.end_step; ++i) {
    const Step& step = target.plan.steps[i];
    const auto operands = operands_of(step);
    const bool is_consequence = std::any_of(operands.begin(), operands.end(), [&](CopyId operand) {
      return target.unreachable.count(operand) != 0;
    });
    if (!is_consequence && !target.steps[i].cost->severed) continue;
    target.unreachable.insert(result_of(step));
    forget_inferred(result_of(step), target, context.scope);
    if (!is_consequence)
      report(context.check, DiagnosticKind::LinkFailed, span,
             severed_message(target, i, target.machine));
  }
}

// `value` is what the flow's becomes once functions have been called.
std::optional<checked::Flow> checked_flow(const ast::Flow& flow, const ast::Expr& value,
                                          const Span& span, RunContext& context) {
  auto result = check_flow(value, flow.target, span, context.check);
  if (!result || flow.overlap.empty()) return result;
  if (!check_overlap(flow.overlap, *result, context.check)) return std::nullopt;
  return result;
}

void run_call(const ast::Evaluate& evaluate, const ast::Statement& statement, RunContext& context) {
  Functions calls(context);
  if (const ast::Call* call = as_function_call(evaluate.value, context.scope)) {
    if (say_returned(*call, evaluate.value, Says::FewElements, calls, context))
      return calls.forget_results();
    const auto result = calls.call(*call, evaluate.value.at.span,
                                   {.hint = {}, .dtype = {}, .text = {}, .wanted = false});
    const auto* value = result ? std::get_if<Value>(&*result) : nullptr;
    if (value != nullptr) say(evaluate.value, *value, context);
  } else if (const auto expanded = calls.expand(evaluate.value)) {
    if (is_array_expression(*expanded, context.scope)) {
      say_result(*expanded, evaluate.value, statement, context);
    } else if (const auto value = value_of(*expanded, context)) {
      say(evaluate.value, *value, context);
    }
  }
  calls.forget_results();
}

// Writes down an item that the program that grows carries out meanwhile, where that is asked for.
class ItemRecord {
 public:
  template <class Node>
  ItemRecord(const Node& node, RunContext& context) : context_(context) {
    if (recorder() != nullptr) recorder()->note({node}, context_.state);
  }
  ItemRecord(const ItemRecord&) = delete;
  ItemRecord& operator=(const ItemRecord&) = delete;
  ~ItemRecord() {
    if (recorder() != nullptr) recorder()->end_item(context_.state);
  }

 private:
  Recorder* recorder() const { return context_.options.recorder; }

  RunContext& context_;
};

void end(const checked::End& item, RunContext& context) {
  Program& program = context.state.programs[context.state.current];
  const ItemRecord record(item, context);
  end_array(item.array, program.statements.size() - (item.with_last_assignment ? 1 : 0),
            context.scope.held, program);
}

// As `lower` is given it.
bool lower_assignment(checked::Flow flow, std::string text, Program& target, RunContext& context) {
  const Scope& scope = context.scope;
  if (context.options.recorder == nullptr)
    return lower(std::move(flow), std::move(text), scope, context.scope.held, target,
                 context.check.sink);
  const ItemRecord record(
      checked::Assignment{.flow = flow, .text = text, .rule = scope.rule, .strict = scope.strict},
      context);
  return lower(std::move(flow), std::move(text), scope, context.scope.held, target,
               context.check.sink);
}

}  // namespace

Program& growing_program(RunContext& context) {
  auto& programs = context.state.programs;
  const Machine& machine = context.scope.hardware();
  const bool goes_on = !programs.empty() && !context.state.program_ended;
  const bool same = goes_on && programs[context.state.current].machine == machine;
  if (!same && goes_on && only_grew(programs[context.state.current].machine, machine)) {
    set_machine(programs[context.state.current], machine);
  } else if (!same) {
    add_given_faults(context.options.faults, context.check);
    programs.push_back({.machine = machine});
    context.state.current = programs.size() - 1;
  }
  context.state.program_ended = false;
  return programs[context.state.current];
}

const Program* begun_program(const RunContext& context) {
  const RunnerState& state = context.state;
  const bool begun = !state.programs.empty() && !state.program_ended &&
                     state.programs[state.current].machine == context.scope.hardware() &&
                     !state.programs[state.current].statements.empty();
  return begun ? &state.programs[state.current] : nullptr;
}

void carry_out(const checked::Argument& argument, RunContext& context) {
  Program& program = growing_program(context);
  const ItemRecord record(argument, context);
  pass_argument(argument, context.scope, context.scope.held, program);
  note_origin(program.statements.back(), context);
}

bool carry_out(const checked::Part& part, RunContext& context) {
  Program& program = growing_program(context);
  const ItemRecord record(part, context);
  return name_part(part, context.scope, context.scope.held, program);
}

CopyId carry_out(const checked::Request& item, RunContext& context) {
  Program& program = growing_program(context);
  const ItemRecord record(item, context);
  return request(item, context.scope, context.scope.held, program);
}

void carry_out(const checked::Rename& item, RunContext& context) {
  Program& program = growing_program(context);
  const ItemRecord record(item, context);
  rename(item, context.scope.held, program);
}

void carry_out(const checked::Drop& item, RunContext& context) {
  Holdings& held = context.scope.held;
  if (held.is_planned(item.array)) {
    Program& program = growing_program(context);
    const ItemRecord record(item, context);
    return drop(item, held, program);
  }
  // What no plan has is only forgotten.
  Program none;
  drop(item, held, none);
}

void end_with_block(const std::vector<ArrayId>& arrays, RunContext& context) {
  if (arrays.empty() || begun_program(context) == nullptr) return;
  for (const ArrayId array : arrays) end({.array = array}, context);
}

void end_replaced_array(ArrayId array, RunContext& context) {
  if (begun_program(context) == nullptr) return;
  end({.array = array, .with_last_assignment = true}, context);
}

void plan_flow(std::optional<checked::Flow> flow, const ast::Statement& statement,
               RunContext& context) {
  context.state.incomplete = context.state.incomplete || !flow;
  if (flow) plan_flow(*std::move(flow), print(statement, Spelling::Unicode), context);
}

void plan_flow(checked::Flow flow, std::string text, RunContext& context) {
  count_open_sizes(flow, context);
  Program& target = growing_program(context);
  const ArrayId replaced = flow.replaces;
  const Span span = flow.span;
  const OpenTarget open = open_target(flow, context);
  const bool fine = lower_assignment(std::move(flow), std::move(text), target, context);
  if (replaced.valid()) end({.array = replaced, .with_last_assignment = true}, context);
  if (fine) note_origin(target.statements.back(), context);
  if (fine) note_missing_figures(target, context);
  if (fine && !open.names.empty()) note_gathered(open, target, context);
  if (fine) check_links(target, span, context);
  context.state.entries.push_back(
      PlannedEntry{context.state.current, target.statements.size() - 1});
}

void fill(const ast::Expr& source, const ast::ArrayRef& target, Span span, RunContext& context) {
  const auto named = [&] {
    return target.name ? context.scope.names.find_array(target.name->text) : std::nullopt;
  };
  const auto earlier = named();
  check_input_source(source, target, span, {context.options.memory, context.options.files},
                     context.check);
  const auto array = named();
  if (earlier && array != earlier && std::as_const(context.scope.store).arrays[*earlier].computed)
    end_with_block({*earlier}, context);
  if (!context.state.derives && context.state.calls.empty()) return;
  if (!array) return;
  ArrayInfo& info = context.scope.store.arrays[*array];
  info.own_fill = info.values != nullptr && is_fill(info.values->kind);
}

namespace {

void assign(const ast::Flow& flow, const ast::Statement& statement, RunContext& context) {
  const Span span = statement.at.span;
  if (!calls_function(flow.value, context.scope))
    return plan_flow(checked_flow(flow, flow.value, span, context), statement, context);
  const ast::Call* call = as_function_call(flow.value, context.scope);
  Functions calls(context);
  if (call != nullptr && !changes_elements(flow.target)) {
    calls.assign(*call, flow.target, flow.value.at.span, print(statement, Spelling::Unicode));
    return;
  }
  if (const auto value = calls.expand(flow.value)) {
    plan_flow(checked_flow(flow, *value, span, context), statement, context);
  } else if (flow.target.name && !changes_elements(flow.target)) {
    context.scope.forget_array(flow.target.name->text);
  }
  calls.forget_results();
}

}  // namespace

void run(const ast::Flow& flow, const ast::Statement& statement, RunContext& context) {
  // A line with holes is a block of its own, where nothing else can say what stands in them.
  if (context.state.calls.empty() && context.scope.names.loops == 0 && has_hole(flow))
    return run(ast::Best{.count = {}, .body = {statement}}, statement, context);
  if (const auto element = changed_element(flow.target, flow.value, context.check)) {
    ast::Flow changed = flow;
    changed.target = std::get<ast::ArrayRef>(element->node);
    return run(changed, statement, context);
  }
  if (flow.sign == ast::FlowSign::Assignment && is_input_source(flow.value, context.scope))
    return fill(flow.value, flow.target, statement.at.span, context);
  const bool of_script = changes_elements(flow.target) && flow.target.name &&
                         context.scope.names.is_of_outside(flow.target.name->text);
  assign(flow, statement, context);
  if (of_script) context.scope.names.change_outside(flow.target.name->text);
}

void run(const ast::Evaluate& evaluate, const ast::Statement& statement, RunContext& context) {
  if (calls_function(evaluate.value, context.scope)) return run_call(evaluate, statement, context);
  // A person at a terminal who names elements asks what they are.
  if (context.options.interactive && asks_for_elements(evaluate.value, context))
    return run(ast::Print{.values = {evaluate.value}}, statement, context);
  if (is_array_expression(evaluate.value, context.scope)) {
    say_result(evaluate.value, evaluate.value, statement, context);
  } else if (say_steps(evaluate.value, context)) {
    return;
  } else if (const auto value = value_of(evaluate.value, context)) {
    say(evaluate.value, *value, context);
  }
}

void run(const ast::Send& send, const ast::Statement& statement, RunContext& context) {
  const auto flow = check_send(send, statement.at.span, context.check);
  plan_flow(flow, statement, context);
  if (!flow) return;
  Program& target = context.state.programs[context.state.current];
  target.statements.back().remark = arrival_text(target, target.statements.back());
}

std::optional<CopyId> requested_copy(const ast::Expr& array, RunContext& run) {
  CheckContext& context = run.check;
  const auto* ref = std::get_if<ast::ArrayRef>(&array.node);
  if (ref == nullptr || !ref->indices.empty()) {
    report(context, DiagnosticKind::NotArray, array.at.span,
           fmt::format("`{}` is no array that is there", print(array, Spelling::Unicode)),
           {"give it a name on a line of its own first"});
    return std::nullopt;
  }
  const auto use = check_use(*ref, context);
  if (!use) return std::nullopt;
  const auto& known = std::get<checked::Use>(use->node);
  const Layout layout = without_trivial_axes(known.layout, context.scope.mesh());
  // After a mistake an array is known, and there is no copy of it.
  if (find_copy(known.array, layout, context.scope) == nullptr) return std::nullopt;
  return carry_out(checked::Request{known.array, layout}, run);
}

}  // namespace shard
