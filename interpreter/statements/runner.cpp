#include "interpreter/statements/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/format.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/check/array.h"
#include "interpreter/check/declaration.h"
#include "interpreter/check/flow.h"
#include "interpreter/check/input_source.h"
#include "interpreter/check/level.h"
#include "interpreter/estimate/fault_effects.h"
#include "interpreter/machine/chip_catalogue.h"
#include "interpreter/machine/fault.h"
#include "interpreter/machine/machine.h"
#include "interpreter/machine/send.h"
#include "interpreter/statements/bind_scalar.h"
#include "interpreter/statements/block.h"
#include "interpreter/statements/call.h"
#include "interpreter/statements/cost_block.h"
#include "interpreter/statements/drop.h"
#include "interpreter/statements/expect.h"
#include "interpreter/statements/expect_equal.h"
#include "interpreter/statements/flow.h"
#include "interpreter/statements/loop.h"
#include "interpreter/statements/retell.h"
#include "interpreter/statements/save.h"
#include "interpreter/statements/show.h"
#include "interpreter/statements/unreadable.h"

namespace shard {

namespace {

class Runner {
 public:
  Runner(RunnerState& state, const RunnerOptions& options, DiagnosticSink& sink)
      : state_(state),
        options_(options),
        scope_(state.scope),
        context_{state.scope, sink, scalar_source(), state.brackets} {
    suppose_ = [this](const Supposition& supposition, CheckContext& context) {
      return suppose(supposition, options_, context);
    };
    call_ = [this](const ast::Call& call, Span span) { return functions().scalar(call, span); };
  }

  void run(const std::vector<ast::Statement>& statements) {
    const Level level(options_.budget);
    if (statements.empty() || !level.check(statements.front().at.span, context_)) return;
    for (const ast::Statement& statement : statements) {
      if (!run_or_stop(statement)) return;
    }
  }

  // False if nothing more is to be run.
  bool run_or_stop(const ast::Statement& statement) {
    if (stopped(statement.at.span)) return false;
    run(statement);
    return true;
  }

 private:
  void run(const ast::Statement& statement) {
    if (statement.has_error) {
      // While the names of the statement still mean what they meant before it.
      retell(statement, scope_, state_, options_, context_.sink);
      skip(statement, scope_);
      return;
    }
    const std::size_t told = context_.sink.all().size();
    // Copying it for every statement would take a fifth of the time of checking. Statements stand inside each other: it is
    // large, and no part of the stack.
    const auto before = options_.try_help ? std::make_unique<const Scope>(scope_) : nullptr;
    run_node(statement);
    if (context_.sink.all().size() > told)
      retell(statement, before ? *before : scope_, state_, options_, context_.sink);
  }

  void run_node(const ast::Statement& statement) {
    const Span span = statement.at.span;
    match(
        statement.node, [&](const ast::Hardware& hardware) { run_hardware(hardware, span); },
        [&](const ast::Mesh& mesh) {
          if (!inside_function("mesh", span)) check_mesh(mesh, span, context_);
        },
        [&](const ast::Chip& chip) {
          load_catalogue(scope_, scalar_source());
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
          if (!run_expect_equal(expect, statement_runner())) answers().expect(expect, span);
        },
        [&](const ast::ExpectError& expect) { answers().expect_error(expect, span); },
        [&](const ast::Why& why) { answers().why(why, span); },
        [&](const ast::Save& save) { run_save(save, span, statement_runner()); },
        [&](const ast::Drop& drop) { run_drop(drop, span, statement_runner()); },
        [&](const ast::Function& function) { functions().define(function); },
        [&](const ast::Return& node) { functions().run_return(node, span); },
        [&](const ast::Loop& loop) { run_loop(loop, span, statement_runner()); },
        [&](const ast::If& node) { run_if(node, statement_runner()); },
        [&](const ast::Group& group) { run_group(group, statement_runner()); },
        [&](const ast::Use& use) { run_use(use, span); },
        [&](const ast::Show& show) { run_show(show, span); },
        [&](const ast::Fault& fault) {
          if (may_misbehave(print(ast::Statement{fault}, Spelling::Unicode), span))
            check_fault(fault, context_);
        },
        [&](const ast::Slow& slow) {
          if (may_misbehave(print(ast::Statement{slow}, Spelling::Unicode), span))
            check_slow(slow, context_);
        },
        [&](const ast::Send& send) { run_send(send, statement); }, [](const ast::Unsupported&) {});
  }

  void fail(DiagnosticKind kind, Span span, std::string message, std::vector<std::string> help = {},
            std::vector<Note> notes = {}) {
    report(context_, kind, span, std::move(message), std::move(help), std::move(notes));
  }

  // ------------------------------------------------------------ machine and rules

  void run_hardware(const ast::Hardware& hardware, Span span) {
    if (inside_function("hardware", span)) return;
    load_catalogue(scope_, scalar_source());
    check_hardware(hardware, span, context_);
  }

  // A program runs on one machine, whose faults are known where it begins.
  bool may_misbehave(const std::string& statement, Span span) {
    const std::string word = statement.substr(0, statement.find(' '));
    if (inside_function(word, span)) return false;
    const auto& programs = state_.programs;
    const bool begun = !programs.empty() && !state_.program_ended &&
                       programs[state_.current].machine == scope_.hardware() &&
                       !programs[state_.current].statements.empty();
    if (!begun) return true;
    fail(DiagnosticKind::MisplacedStatement, span,
         fmt::format("`{}` stands after statements that run on this machine", word),
         {fmt::format("put it before the first of them, and say when it happens: {}{}", statement,
                      statement.find(" at ") == std::string::npos ? " at 2 us" : "")},
         {{programs[state_.current].statements.front().span, "the program begins here"}});
    return false;
  }

  void run_send(const ast::Send& send, const ast::Statement& statement) {
    const auto flow = check_send(send, statement.at.span, context_);
    planner_.plan(flow, statement);
    if (!flow) return;
    Program& target = state_.programs[state_.current];
    target.statements.back().remark = arrival_text(target, target.statements.back());
  }

  void run_plan(const ast::Plan& plan, Span span) {
    if (plan.rule == ast::PlanRule::Cases) return;
    fail(DiagnosticKind::NotYet, span, "this version plans by the documents' cases only",
         {"plan cases"});
  }

  // ------------------------------------------------------------ scalars

  std::optional<Value> value_of(const ast::Expr& expr) {
    EvaluationContext evaluation{context_, suppose_, &call_, options_.budget};
    return evaluate(expr, evaluation);
  }

  void run_bindings(const ast::Bindings& bindings, const ast::Statement& statement) {
    for (const ast::Binding& binding : bindings.items) {
      const ast::ArrayRef target{.name = binding.name, .at = binding.name.at};
      if (is_input_source(*binding.value, scope_)) {
        check_input_source(*binding.value, target, statement.at.span,
                           {options_.memory, options_.files}, context_);
      } else if (calls_function(*binding.value, scope_)) {
        run_call_binding(binding, target, statement);
      } else if (is_array_expression(*binding.value, scope_)) {
        planner_.plan(check_flow(*binding.value, target, statement.at.span, context_), statement);
      } else if (!scalars().accumulates(binding)) {
        scalars().bind_value(binding, value_of(*binding.value));
      }
    }
  }

  // ------------------------------------------------------------ arrays

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

  void run_evaluate(const ast::Evaluate& evaluate, const ast::Statement& statement) {
    if (calls_function(evaluate.value, scope_)) return run_call(evaluate, statement);
    if (is_array_expression(evaluate.value, scope_)) {
      const auto flow = check_evaluate(evaluate.value, statement.at.span, context_);
      if (flow) return planner_.plan(flow, statement);
      // A script only names it; a person at a terminal asks.
      const auto* array = std::get_if<ast::ArrayRef>(&evaluate.value.node);
      if (!options_.interactive || array == nullptr || !array->name) return;
      if (const auto id = scope_.find_array(array->name->text)) answers().say(*id);
    } else if (const auto value = value_of(evaluate.value)) {
      answers().say(evaluate.value, *value);
    }
  }

  Answers answers() { return Answers(state_, options_, context_, suppose_, &call_); }

  ScalarBinder scalars() { return {state_, options_, context_}; }

  // ------------------------------------------------------------ functions, blocks, modules

  StatementRunner statement_runner() {
    return {
        state_,
        options_,
        context_,
        [this](const ast::Expr& expr) { return value_of(expr); },
        [this](const checked::Flow& flow, const std::string& text) { planner_.plan(flow, text); },
        [this]() -> Program& { return planner_.program(); },
        [this](const std::vector<ast::Statement>& body) { run(body); }};
  }

  Functions functions() { return Functions(statement_runner()); }

  // Whether nothing more is to be run: a function returned, or the script may take no more.
  bool stopped(const Span& span) {
    if (!state_.calls.empty() && state_.calls.back().returned) return true;
    Budget* budget = options_.budget;
    if (budget == nullptr) return false;
    if (budget->stopped()) return true;
    const bool repeated = scope_.loops > 0 || !state_.calls.empty() || scope_.supposition;
    if (!repeated || ++budget->statements <= kMaxStatements) return false;
    budget->exhausted = true;
    fail(
        DiagnosticKind::TooManySteps, span,
        fmt::format("loops, functions and cost blocks have run {} statements, and are stopped here",
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

  // `value` is what the flow's becomes once functions have been called.
  std::optional<checked::Flow> checked(const ast::Flow& flow, const ast::Expr& value,
                                       const Span& span) {
    auto result = check_flow(value, flow.target, span, context_);
    if (!result || flow.overlap.empty()) return result;
    if (!check_overlap(flow.overlap, *result, context_)) return std::nullopt;
    return result;
  }

  void run_flow(const ast::Flow& flow, const ast::Statement& statement) {
    const Span span = statement.at.span;
    if (flow.sign == ast::FlowSign::Assignment && is_input_source(flow.value, scope_))
      return check_input_source(flow.value, flow.target, span, {options_.memory, options_.files},
                                context_);
    if (!flow.target.indices.empty() && flow.target.name && !state_.calls.empty())
      state_.calls.back().written.insert(name_key(flow.target.name->text));
    if (!calls_function(flow.value, scope_))
      return planner_.plan(checked(flow, flow.value, span), statement);
    const ast::Call* call = as_function_call(flow.value, scope_);
    Functions calls = functions();
    if (call != nullptr && flow.target.indices.empty()) {
      calls.assign(*call, flow.target, flow.value.at.span, print(statement, Spelling::Unicode));
      return;
    }
    if (const auto value = calls.expand(flow.value)) {
      planner_.plan(checked(flow, *value, span), statement);
    } else if (flow.target.name && flow.target.indices.empty()) {
      scope_.forget_array(flow.target.name->text);
    }
    calls.forget_results();
  }

  void run_call_binding(const ast::Binding& binding, const ast::ArrayRef& target,
                        const ast::Statement& statement) {
    if (scalars().accumulates(binding)) return;
    Functions calls = functions();
    if (const ast::Call* call = as_function_call(*binding.value, scope_)) {
      auto value =
          calls.assign(*call, target, binding.value->at.span, print(statement, Spelling::Unicode));
      if (value) scalars().bind(binding.name, std::move(*value));
      return;
    }
    const auto value = calls.expand(*binding.value);
    if (value && is_array_expression(*value, scope_)) {
      planner_.plan(check_flow(*value, target, statement.at.span, context_), statement);
    } else {
      scalars().bind_value(binding, value ? value_of(*value) : std::nullopt);
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
        planner_.plan(check_evaluate(*expanded, statement.at.span, context_), statement);
      } else if (const auto value = value_of(*expanded)) {
        answers().say(evaluate.value, *value);
      }
    }
    calls.forget_results();
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
    if (auto picture = check_show(show, context_))
      state_.entries.emplace_back(Box<Picture>(std::move(*picture)));
  }

  RunnerState& state_;
  const RunnerOptions& options_;
  Scope& scope_;
  CheckContext context_;
  Suppose suppose_;
  CallFunction call_;
  FlowPlanner planner_{state_, options_, context_};
};

}  // namespace

void run_statements(const NextStatement& next, RunnerState& state, const RunnerOptions& options,
                    DiagnosticSink& sink) {
  Runner runner(state, options, sink);
  bool runs = true;
  while (const ast::Statement* statement = next()) runs = runs && runner.run_or_stop(*statement);
}

void run_statements(const std::vector<ast::Statement>& statements, RunnerState& state,
                    const RunnerOptions& options, DiagnosticSink& sink) {
  Runner(state, options, sink).run(statements);
}

}  // namespace shard
