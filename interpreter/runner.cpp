#include "interpreter/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/format.h"
#include "base/text.h"
#include "grammar/names.h"
#include "grammar/printer.h"
#include "interpreter/answers.h"
#include "interpreter/catalogue.h"
#include "interpreter/check_array.h"
#include "interpreter/check_flow.h"
#include "interpreter/check_machine.h"
#include "interpreter/functions.h"
#include "interpreter/loops.h"
#include "interpreter/requests.h"
#include "interpreter/walk.h"

namespace shard {

namespace {

// A size that is bound after arrays were planned with it does not reach them.
bool is_used_by_arrays(const Scope& scope, const std::string& name) {
  const auto dimension = scope.find_dimension(name);
  if (!dimension) return false;
  for (const auto& [key, id] : scope.array_names) {
    const ArrayInfo& array = scope.arrays[id];
    const bool planned = std::any_of(array.copies.begin(), array.copies.end(),
                                     [](const LiveCopy& copy) { return copy.copy.valid(); });
    if (planned && std::count(array.dimensions.begin(), array.dimensions.end(), *dimension) != 0)
      return true;
  }
  return false;
}

class Runner {
 public:
  Runner(RunnerState& state, const RunnerOptions& options, DiagnosticSink& sink)
      : state_(state), options_(options), scope_(state.scope), context_{state.scope, sink} {
    suppose_ = [this](const ast::BlockExpr& block, Scope scope, CheckContext& context) {
      return suppose(block, std::move(scope), context);
    };
    call_ = [this](const ast::Call& call, Span span) { return functions().scalar(call, span); };
  }

  void run(const std::vector<ast::Statement>& statements) {
    for (const ast::Statement& statement : statements) {
      if (stopped(statement)) return;
      if (statement.has_error)
        skip(statement);
      else
        run(statement);
    }
  }

 private:
  // What a statement with a reported mistake would have made is unknown: using it is no second mistake.
  void skip(const ast::Statement& statement) {
    if (const auto* unread = std::get_if<ast::Unsupported>(&statement.node)) {
      for (const ast::Identifier& name : unread->defines) {
        scope_.unknown.insert(name_key(name.text));
        if (unread->word == "mesh") scope_.unknown_axes.insert(name.text);
      }
      scope_.machine.failed = scope_.machine.failed || unread->word == "hardware";
    }
    if (const auto* bindings = std::get_if<ast::Bindings>(&statement.node)) {
      for (const ast::Binding& binding : bindings->items)
        scope_.unknown.insert(name_key(binding.name.text));
    }
    if (const auto* flow = std::get_if<ast::Flow>(&statement.node);
        flow != nullptr && flow->target.name) {
      scope_.unknown.insert(name_key(flow->target.name->text));
    }
    if (const auto* function = std::get_if<ast::Function>(&statement.node))
      scope_.unknown.insert(name_key(function->name.text));
    if (const auto* loop = std::get_if<ast::Loop>(&statement.node)) skip(loop->body);
    if (const auto* group = std::get_if<ast::Group>(&statement.node)) skip(group->body);
    if (const auto* branch = std::get_if<ast::If>(&statement.node)) {
      skip(branch->body);
      if (branch->otherwise) skip(*branch->otherwise);
    }
  }

  void skip(const std::vector<ast::Statement>& statements) {
    for (const ast::Statement& statement : statements) skip(statement);
  }

  void run(const ast::Statement& statement) {
    const Span span = statement.at.span;
    match(
        statement.node, [&](const ast::Hardware& hardware) { run_hardware(hardware, span); },
        [&](const ast::Mesh& mesh) {
          if (!inside_function("mesh", span)) check_mesh(mesh, span, context_);
        },
        [&](const ast::Chip& chip) {
          load_catalogue(scope_);
          check_chip(chip, context_);
        },
        [&](const ast::Plan& plan) { run_plan(plan, span); },
        [&](const ast::Strict&) { scope_.strict = true; },
        [&](const ast::Bindings& bindings) { run_bindings(bindings, statement); },
        [&](const ast::Declaration& declaration) { run_declaration(declaration); },
        [&](const ast::Flow& flow) { run_flow(flow, statement); },
        [&](const ast::Equation& equation) { check_equation(equation, span, context_); },
        [&](const ast::Evaluate& evaluate) { run_evaluate(evaluate, statement); },
        [&](const ast::Mention& mention) { run_mention(mention); },
        [&](const ast::Print& print) { answers().print(print, span); },
        [&](const ast::Expect& expect) {
          if (!run_expect_equal(expect)) answers().expect(expect, span);
        },
        [&](const ast::ExpectError& expect) { answers().expect_error(expect, span); },
        [&](const ast::Why& why) { answers().why(why, span); },
        [&](const ast::Save& save) { run_save(save, span); },
        [&](const ast::Drop& drop) { run_drop(drop, span); },
        [&](const ast::Function& function) { functions().define(function); },
        [&](const ast::Return& node) { functions().run_return(node, span); },
        [&](const ast::Loop& loop) { run_loop(loop, span, statement_runner()); },
        [&](const ast::If& node) { run_if(node); },
        [&](const ast::Group& group) { run_group(group); },
        [&](const ast::Use& use) { run_use(use, span); },
        [&](const ast::Show& show) { run_show(show, span); }, [](const ast::Unsupported&) {});
  }

  void fail(DiagnosticKind kind, Span span, std::string message, std::vector<std::string> help = {},
            std::vector<Note> notes = {}) {
    report(context_, kind, span, std::move(message), std::move(help), std::move(notes));
  }

  // ------------------------------------------------------------ machine and rules

  void run_hardware(const ast::Hardware& hardware, Span span) {
    if (inside_function("hardware", span)) return;
    load_catalogue(scope_);
    check_hardware(hardware, span, context_);
  }

  void run_plan(const ast::Plan& plan, Span span) {
    if (plan.rule == ast::PlanRule::Cases) return;
    fail(DiagnosticKind::NotYet, span, "this version plans by the documents' cases only",
         {"plan cases"});
  }

  // ------------------------------------------------------------ scalars

  std::optional<Value> value_of(const ast::Expr& expr) {
    EvaluationContext evaluation{context_, suppose_, &call_};
    return evaluate(expr, evaluation);
  }

  void run_bindings(const ast::Bindings& bindings, const ast::Statement& statement) {
    for (const ast::Binding& binding : bindings.items) {
      const ast::ArrayRef target{.name = binding.name, .at = binding.name.at};
      if (is_input_source(*binding.value, scope_)) {
        check_input_source(*binding.value, target, statement.at.span, context_);
      } else if (calls_function(*binding.value, scope_)) {
        run_call_binding(binding, target, statement);
      } else if (is_array_expression(*binding.value, scope_)) {
        plan_flow(check_flow(*binding.value, target, statement.at.span, context_), statement);
      } else if (!accumulates(binding)) {
        bind_value(binding, value_of(*binding.value));
      }
    }
  }

  void bind_value(const ast::Binding& binding, std::optional<Value> value) {
    if ((!value || !bind(binding.name, std::move(*value))) &&
        scope_.find_binding(binding.name.text) == nullptr) {
      scope_.unknown.insert(name_key(binding.name.text));
    }
  }

  // `total = total + c.time` in a loop would read the same `total` in each pass.
  bool accumulates(const ast::Binding& binding) {
    const BindingInfo* earlier = scope_.find_binding(binding.name.text);
    if (scope_.loops == 0 || earlier == nullptr || earlier->depth >= scope_.depth) return false;
    if (!mentions(*binding.value, binding.name.text)) return false;
    fail(DiagnosticKind::SizeRebound, binding.name.at.span,
         fmt::format("`{}` is bound outside of the loop, and names do not change from pass to pass",
                     binding.name.text),
         {"a figure that is the same in each pass is multiplied: L * c.time"},
         {{earlier->span, fmt::format("it is {} from here on", to_text(earlier->value))}});
    return true;
  }

  // False if it may not have that value, which is reported.
  bool bind(const ast::Identifier& name, Value value) {
    if (!check_name_length(name, context_) || !check_reserved(name)) return false;
    if (scope_.find_dimension(name.text) && !check_length(name, value)) return false;
    if (!may_bind(name, value)) return false;
    scope_.unknown.erase(name_key(name.text));
    if (has_own_sizes()) bind_own_length(name, value);
    scope_.bindings[name_key(name.text)] = {
        .name = name.text, .value = std::move(value), .span = name.at.span, .depth = scope_.depth};
    return true;
  }

  bool check_reserved(const ast::Identifier& name) {
    if (name.text != "LOCAL") return true;
    fail(DiagnosticKind::Redeclared, name.at.span,
         "`LOCAL` is a word of the language: it stands behind a product's sign",
         {"give it another name"});
    return false;
  }

  // Functions, groups and loops; a supposition is planned from its inputs on with the sizes that it gives.
  bool has_own_sizes() const {
    return scope_.outside != nullptr || (scope_.depth > 0 && !scope_.supposition);
  }

  // A block's or function's own size makes a dimension of its own.
  void bind_own_length(const ast::Identifier& name, const Value& value) {
    const auto* quantity = std::get_if<Quantity>(&value);
    const auto number = quantity != nullptr ? quantity->value.constant() : std::nullopt;
    const auto length = number ? number->to_int64() : std::nullopt;
    if (length && is_length(*quantity)) scope_.intern_own_length(name.text, *length);
  }

  // The value of a name that stands in brackets is a length.
  bool check_length(const ast::Identifier& name, const Value& value) {
    const auto* quantity = std::get_if<Quantity>(&value);
    if (quantity == nullptr || is_length(*quantity)) return true;
    fail(DiagnosticKind::BadArgument, name.at.span,
         fmt::format("`{}` is a dimension, and {} is no length: {}", name.text, to_text(value),
                     kLengthRule));
    return false;
  }

  // A name is bound once in a block. In a REPL it may be bound anew: arrays that used it are dropped.
  bool may_bind(const ast::Identifier& name, const Value& value) {
    const BindingInfo* earlier = scope_.find_binding(name.text);
    if (earlier != nullptr && to_text(earlier->value) == to_text(value)) return true;
    if (earlier != nullptr && earlier->depth < scope_.depth && has_own_sizes()) return true;
    const bool used = is_used_by_arrays(scope_, name.text);
    if (options_.interactive) {
      if (used || earlier != nullptr) change_size(name);
      return true;
    }
    if (!used && (earlier == nullptr || earlier->depth != scope_.depth)) return true;
    std::vector<Note> notes;
    std::string message = fmt::format("the size of `{}` comes after arrays that use it", name.text);
    if (earlier != nullptr) {
      message = fmt::format("`{}` is bound twice", name.text);
      notes.push_back(
          {earlier->span, fmt::format("it is {} from here on", to_text(earlier->value))});
    }
    fail(DiagnosticKind::SizeRebound, name.at.span, std::move(message),
         {"give sizes once, before the first statement that uses them; cost { … } takes another "
          "size inside its block"},
         std::move(notes));
    return false;
  }

  // Arrays that used the size are dropped. What was computed without it stays, with the length that it has there.
  void change_size(const ast::Identifier& name) {
    const auto dimension = scope_.find_dimension(name.text);
    if (!dimension) return;
    const auto length = scope_.size_of(*dimension).constant();
    const std::set<ArrayId> users = users_of(*dimension);
    std::vector<std::string> dropped;
    std::erase_if(scope_.array_names, [&](const auto& entry) {
      const ArrayInfo& array = scope_.arrays[entry.second];
      if (users.count(entry.second) == 0 && (length || !array.computed)) return false;
      if (array.computed) scope_.dropped[entry.first] = name.at.span;
      dropped.push_back("`" + array.name + "`");
      return true;
    });
    if (length) {
      scope_.dimensions[*dimension].own_length = length->to_int64();
      scope_.dimension_names.erase(name_key(name.text));
    } else {
      scope_.forget_plan();
      state_.program_ended = true;
    }
    if (dropped.empty()) return;
    fail(DiagnosticKind::ArraysDropped, name.at.span,
         fmt::format("the size of `{}` changes, so {} {} dropped", name.text, join_words(dropped),
                     dropped.size() == 1 ? "is" : "are"));
  }

  // The arrays with that dimension, and what was computed of such.
  std::set<ArrayId> users_of(DimensionId dimension) const {
    std::set<ArrayId> users;
    const auto has = [&](const std::vector<DimensionId>& labels) {
      return std::count(labels.begin(), labels.end(), dimension) != 0;
    };
    for (const auto& [key, id] : scope_.array_names) {
      if (has(scope_.arrays[id].dimensions)) users.insert(id);
    }
    const std::function<bool(const checked::Operation&)> uses =
        [&](const checked::Operation& operation) {
          const auto* use = std::get_if<checked::Use>(&operation.node);
          if (has(operation.labels) || (use != nullptr && users.count(use->array) != 0))
            return true;
          const auto operands = checked::operands_of(operation);
          return std::any_of(operands.begin(), operands.end(),
                             [&](const auto* operand) { return uses(*operand); });
        };
    for (const Program& program : state_.programs) {
      for (const StatementRecord& statement : program.statements) {
        if (has(statement.flow.labels) || uses(statement.flow.value))
          users.insert(statement.target);
      }
    }
    return users;
  }

  // ------------------------------------------------------------ arrays

  Program& program() {
    auto& programs = state_.programs;
    if (programs.empty() || state_.program_ended ||
        (programs[state_.current].machine != scope_.hardware() &&
         !only_grew(programs[state_.current].machine))) {
      programs.push_back({.machine = scope_.hardware()});
      state_.current = programs.size() - 1;
    }
    state_.program_ended = false;
    return programs[state_.current];
  }

  // While no mesh is declared, axes are added as they are named.
  bool only_grew(const Machine& before) const {
    const Machine& now = scope_.hardware();
    return before.chip == now.chip && before.mesh.axes.size() <= now.mesh.axes.size() &&
           std::equal(before.mesh.axes.begin(), before.mesh.axes.end(), now.mesh.axes.begin());
  }

  void run_declaration(const ast::Declaration& declaration) {
    check_declaration(declaration, context_);
  }

  void run_mention(const ast::Mention& mention) {
    for (const ast::ArrayRef& array : mention.arrays) {
      if (mention.given)
        check_given(array, context_);
      else
        check_use(array, context_);
    }
  }

  void plan_flow(const std::optional<checked::Flow>& flow, const ast::Statement& statement) {
    if (flow) plan(*flow, print(statement, Spelling::Unicode));
  }

  // Costs are formulas in all sizes that are not given, so that their number is limited.
  void count_open_sizes(const checked::Flow& flow) {
    auto& open = state_.open_sizes;
    if (options_.check_only || open.size() > kMaxOpenSizes) return;
    for (const DimensionId label : flow.labels) {
      if (!scope_.size_of(label).constant()) open.insert(label);
    }
    if (open.size() <= kMaxOpenSizes) return;
    fail(DiagnosticKind::TooLarge, flow.span,
         fmt::format("more than {} dimensions have no size, and costs are formulas in all of them",
                     kMaxOpenSizes),
         {"give them sizes: B = 1024"});
  }

  void plan(const checked::Flow& flow, const std::string& text) {
    count_open_sizes(flow);
    Program& target = program();
    const bool fine = lower(flow, text, scope_, target, context_.sink);
    if (flow.replaces.valid()) end(flow.replaces, target);
    if (fine) note_rates(target, flow.span);
    state_.entries.push_back(PlannedEntry{state_.current, target.statements.size() - 1});
  }

  // A new array of its name ends an array: what the last statement of the plan has not used is over.
  void end(ArrayId array, Program& target) {
    for (const LiveCopy& live : scope_.arrays[array].copies) {
      const auto owner = target.owners.find(live.copy);
      if (owner == target.owners.end() || owner->second != array || is_shared(live.copy)) continue;
      target.ended.try_emplace(live.copy, static_cast<int>(target.statements.size()) - 1);
    }
  }

  void note_rates(const Program& target, Span span) {
    const StatementRecord& record = target.statements.back();
    const Cost cost = total_cost(target, record.first_step, record.end_step);
    if (!cost.rate_borrowed || noted_rate_) return;
    noted_rate_ = true;
    fail(DiagnosticKind::RateMissing, span,
         fmt::format(
             "{} has no rate of its own for this element type; it is reckoned with that of bf16",
             scope_.hardware().chip.name),
         {fmt::format("a rate is given as chip Mine = {} {{C_{}: 4e14 FLOP/s}}",
                      scope_.hardware().chip.name, name_of(record.flow.value.dtype))});
  }

  void run_evaluate(const ast::Evaluate& evaluate, const ast::Statement& statement) {
    if (calls_function(evaluate.value, scope_)) return run_call(evaluate, statement);
    if (is_array_expression(evaluate.value, scope_)) {
      plan_flow(check_evaluate(evaluate.value, statement.at.span, context_), statement);
    } else if (const auto value = value_of(evaluate.value)) {
      answers().say(evaluate.value, *value);
    }
  }

  // The devices forget the copy here, if nothing used it up before.
  void free(const LiveCopy& copy) {
    if (!copy.copy.valid() || is_shared(copy.copy)) return;
    Program& current = program();
    current.plan.steps.push_back({.action = FreeStep{copy.copy}, .statement = -1});
    current.steps.push_back({});
  }

  // Whether it is a copy of another array as well: of one that was passed to a function.
  bool is_shared(CopyId copy) const { return scope_.shared_copies.count(copy) != 0; }

  void report_unknown_drop(const ast::Drop& drop, Span span) {
    const std::string name = drop.array.name ? drop.array.name->text : "";
    if (scope_.is_unknown(name)) return;
    std::vector<std::string> known;
    for (const auto& [key, array] : scope_.array_names) known.push_back(scope_.arrays[array].name);
    const auto near = nearest_name(name, known);
    const bool is_scalar = scope_.find_binding(name) != nullptr;
    fail(is_scalar ? DiagnosticKind::NotArray : DiagnosticKind::UnknownName, span,
         is_scalar ? fmt::format("`{}` is no array, and only arrays are dropped", name)
                   : fmt::format("no array is called `{}`", name),
         near ? std::vector<std::string>{fmt::format("did you mean `{}`?", *near)}
              : std::vector<std::string>());
  }

  void run_drop(const ast::Drop& drop, Span span) {
    const auto id = drop.array.name ? scope_.find_array(drop.array.name->text) : std::nullopt;
    if (!id) return report_unknown_drop(drop, span);
    if (!drop.array.bracketed) {
      for (const LiveCopy& copy : scope_.arrays[*id].copies) free(copy);
      scope_.array_names.erase(name_key(drop.array.name->text));
      scope_.dropped[name_key(drop.array.name->text)] = span;
      return;
    }
    const auto brackets = check_brackets(drop.array, context_);
    if (!brackets) return;
    auto& copies = scope_.arrays[*id].copies;
    const Layout layout = without_trivial_axes(brackets->layout, scope_.mesh());
    const auto dropped = std::find_if(copies.begin(), copies.end(),
                                      [&](const LiveCopy& copy) { return copy.layout == layout; });
    if (dropped != copies.end()) {
      free(*dropped);
      copies.erase(dropped);
      return;
    }
    fail(DiagnosticKind::NoSuchCopy, span,
         fmt::format("there is no copy `{}`; there is {}", print(drop.array, Spelling::Unicode),
                     list_copies(*id, scope_)));
  }

  Answers answers() { return Answers(state_, options_, context_, suppose_, &call_); }

  // ------------------------------------------------------------ functions, blocks, modules

  StatementRunner statement_runner() {
    return {state_,
            options_,
            context_,
            [this](const ast::Expr& expr) { return value_of(expr); },
            [this](const checked::Flow& flow, const std::string& text) { plan(flow, text); },
            [this]() -> Program& { return program(); }};
  }

  Functions functions() { return Functions(statement_runner()); }

  // Whether nothing more is to be run: a function returned, or the script may take no more.
  bool stopped(const ast::Statement& statement) {
    if (!state_.calls.empty() && state_.calls.back().returned) return true;
    Budget* budget = options_.budget;
    if (budget == nullptr) return false;
    if (budget->stopped()) return true;
    const bool repeated = scope_.loops > 0 || !state_.calls.empty();
    if (!repeated || ++budget->statements <= kMaxStatements) return false;
    budget->exhausted = true;
    fail(DiagnosticKind::TooManySteps, statement.at.span,
         fmt::format("loops and functions have run {} statements, and are stopped here",
                     format_integer(kMaxStatements)),
         {"run fewer passes, or price one: c = cost { … }, then L * c.time"});
    return true;
  }

  // The machine is the script's, and a function runs on the one that is there.
  bool inside_function(std::string_view word, Span span) {
    if (state_.calls.empty()) return false;
    fail(DiagnosticKind::MisplacedStatement, span, fmt::format("`{}` stands in a function", word),
         {word == "use"
              ? "put it at the script's begin"
              : "declare it outside; a function runs on the machine that is declared where "
                "it is called"});
    return true;
  }

  void run_flow(const ast::Flow& flow, const ast::Statement& statement) {
    const Span span = statement.at.span;
    if (flow.sign == ast::FlowSign::Assignment && is_input_source(flow.value, scope_))
      return check_input_source(flow.value, flow.target, span, context_);
    if (!flow.target.indices.empty() && flow.target.name && !state_.calls.empty())
      state_.calls.back().written.insert(name_key(flow.target.name->text));
    if (!calls_function(flow.value, scope_))
      return plan_flow(check_flow(flow.value, flow.target, span, context_), statement);
    const ast::Call* call = as_function_call(flow.value, scope_);
    Functions calls = functions();
    if (call != nullptr && flow.target.indices.empty()) {
      calls.assign(*call, flow.target, flow.value.at.span, print(statement, Spelling::Unicode));
      return;
    }
    if (const auto value = calls.expand(flow.value)) {
      plan_flow(check_flow(*value, flow.target, span, context_), statement);
    } else if (flow.target.name && !scope_.find_array(flow.target.name->text)) {
      scope_.unknown.insert(name_key(flow.target.name->text));
    }
    calls.forget_results();
  }

  void run_call_binding(const ast::Binding& binding, const ast::ArrayRef& target,
                        const ast::Statement& statement) {
    if (accumulates(binding)) return;
    Functions calls = functions();
    if (const ast::Call* call = as_function_call(*binding.value, scope_)) {
      auto value =
          calls.assign(*call, target, binding.value->at.span, print(statement, Spelling::Unicode));
      if (value) bind(binding.name, std::move(*value));
      return;
    }
    const auto value = calls.expand(*binding.value);
    if (value && is_array_expression(*value, scope_)) {
      plan_flow(check_flow(*value, target, statement.at.span, context_), statement);
    } else {
      bind_value(binding, value ? value_of(*value) : std::nullopt);
    }
    calls.forget_results();
  }

  void run_call(const ast::Evaluate& evaluate, const ast::Statement& statement) {
    Functions calls = functions();
    if (const ast::Call* call = as_function_call(evaluate.value, scope_)) {
      const auto result = calls.call(*call, evaluate.value.at.span,
                                     {.hint = {}, .dtype = {}, .text = {}, .wanted = false});
      const auto* value = result ? std::get_if<Value>(&*result) : nullptr;
      if (value != nullptr) answers().say(evaluate.value, *value);
    } else if (const auto expanded = calls.expand(evaluate.value)) {
      if (is_array_expression(*expanded, scope_)) {
        plan_flow(check_evaluate(*expanded, statement.at.span, context_), statement);
      } else if (const auto value = value_of(*expanded)) {
        answers().say(evaluate.value, *value);
      }
    }
    calls.forget_results();
  }

  // The statements of the branch stand here as if there were no `if`.
  void run_if(const ast::If& node) {
    const auto value = value_of(node.condition);
    if (!value) return;
    const auto* truth = std::get_if<Truth>(&*value);
    if (truth == nullptr) {
      return fail(DiagnosticKind::BadArgument, node.condition.at.span,
                  fmt::format("`if` takes a comparison, and this is {}", to_text(*value)),
                  {"if X > 4 { … }"});
    }
    if (!truth->holds) {
      return fail(DiagnosticKind::Undecidable, node.condition.at.span,
                  "this depends on sizes that are not given, so no branch can be taken",
                  {"give the sizes that are missing"});
    }
    if (*truth->holds) {
      run(node.body);
    } else if (node.otherwise) {
      run(*node.otherwise);
    }
  }

  // Names of a block are its own; inputs that it is the first to use are the script's.
  void run_group(const ast::Group& group) {
    auto arrays = scope_.array_names;
    BlockNames names = scope_.block_names();
    const std::size_t first = scope_.arrays.size();
    const std::size_t first_outside = std::exchange(scope_.first_own_array, first);
    ++scope_.depth;
    run(group.body);
    --scope_.depth;
    scope_.first_own_array = first_outside;
    scope_.end_block(std::move(names));
    for (const auto& [key, id] : scope_.array_names) {
      const ArrayInfo& array = scope_.arrays[id];
      const bool is_new = static_cast<std::size_t>(id.value) >= first;
      if (is_new && !array.computed && !array.declared) arrays.try_emplace(key, id);
    }
    scope_.note_ended(arrays);
    scope_.array_names = std::move(arrays);
  }

  void run_use(const ast::Use& use, Span span) {
    if (inside_function("use", span) || options_.modules == nullptr) return;
    auto module = options_.modules->open(use, context_);
    if (!module) return;
    DiagnosticSink inner;
    statement_runner().run(module->tree.statements, inner);
    options_.modules->close();
    scope_.module_failed = scope_.module_failed || module->has_errors || inner.has_errors();
    report_from_module(inner, use, context_.sink);
  }

  void run_show(const ast::Show& show, Span span) {
    if (scope_.supposition) return answers().refuse_inside_block("show", span);
    if (auto picture = check_show(show, context_)) state_.entries.emplace_back(std::move(*picture));
  }

  // ------------------------------------------------------------ contents of arrays

  // `expect equal(A, B)`: judged behind the run. False if it is another condition.
  bool run_expect_equal(const ast::Expect& expect) {
    const auto* call = std::get_if<ast::Call>(&expect.condition.node);
    if (call == nullptr || call->function.text != "equal" || !call->subscript.empty()) return false;
    if (scope_.supposition) return false;
    Program& target = program();
    auto request = check_equal(*call, expect.condition.at.span, target, context_);
    if (!request) return true;
    request->entry = state_.entries.size();
    target.requests.push_back(*request);
    ExpectedEntry entry{.text = one_line(print(expect.condition, Spelling::Unicode))};
    entry.pending = true;
    entry.program = state_.programs.size() - 1;
    state_.entries.push_back(std::move(entry));
    return true;
  }

  void run_save(const ast::Save& save, Span span) {
    if (scope_.supposition) {
      return fail(DiagnosticKind::BadArgument, span, "`save` stands outside of blocks",
                  {"a block is a supposition, and never runs"});
    }
    Program& target = program();
    const auto copy = requested_copy(save.array, target, context_);
    if (!copy) return;
    target.requests.push_back(
        {.copy = *copy, .other = std::nullopt, .entry = state_.entries.size(), .span = span});
    state_.entries.push_back(SavedEntry{.program = state_.programs.size() - 1,
                                        .array = print(save.array, Spelling::Unicode),
                                        .path = save.path.value});
  }

  // ------------------------------------------------------------ suppositions

  std::optional<Figures> suppose(const ast::BlockExpr& block, Scope scope, CheckContext& context) {
    DiagnosticSink inner;
    RunnerState state{.scope = std::move(scope), .programs = {}, .entries = {}};
    run_statements(block.body, state,
                   {.judge_expects = false, .budget = options_.budget, .modules = options_.modules},
                   inner);
    for (const Diagnostic& diagnostic : inner.all()) {
      if (info(diagnostic.kind).severity != Severity::Note) context.sink.report(diagnostic);
    }
    context.scope.learn_names(state.scope);
    if (inner.has_errors()) return std::nullopt;
    if (state.programs.empty()) return Figures{};
    if (state.programs.front().is_sweep || state.programs.back().is_sweep) {
      context.sink.report({.kind = DiagnosticKind::MisplacedStatement,
                           .span = state.programs.back().statements.front().span,
                           .message = "each pass of a loop over a list has a cost of its own",
                           .help = {"put the cost block into the loop"}});
      return std::nullopt;
    }
    if (state.programs.size() > 1) {
      context.sink.report(
          {.kind = DiagnosticKind::BadMesh,
           .span = state.programs.back().statements.front().span,
           .message =
               "the mesh changes in the middle of the block, so its figures have no common measure",
           .help = {"price each part in a block of its own"}});
      return std::nullopt;
    }
    return figures_of(state.programs.front());
  }

  RunnerState& state_;
  const RunnerOptions& options_;
  Scope& scope_;
  CheckContext context_;
  Suppose suppose_;
  CallFunction call_;
  bool noted_rate_ = false;
};

}  // namespace

void run_statements(const std::vector<ast::Statement>& statements, RunnerState& state,
                    const RunnerOptions& options, DiagnosticSink& sink) {
  Runner(state, options, sink).run(statements);
}

}  // namespace shard
