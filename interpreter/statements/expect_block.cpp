// Blocks of which something is expected: `expect error Kind { … }` a mistake, `expect comms { … } is { … }` its collectives,
// `expect plan { … } is { … }` its steps.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/parse/parser.h"
#include "grammar/print/printer.h"
#include "interpreter/estimate/device_limits.h"
#include "interpreter/host/exit_status.h"
#include "interpreter/ir/frames.h"
#include "interpreter/program/step_text.h"
#include "interpreter/statements/statement.h"

namespace shard {

namespace {

// What checking the block draws, and what its devices cannot do of it.
DiagnosticSink diagnostics_of(const std::vector<ast::Statement>& body, RunContext& context) {
  DiagnosticSink sink;
  RunnerState state{
      .scope = supposition_scope(context.scope, context.scope), .programs = {}, .entries = {}};
  Budget* budget = context.options.budget;
  const ExpectedStop stop(budget);
  run_statements(body, state,
                 {.judge_expects = false,
                  .budget = budget,
                  .modules = context.options.modules,
                  .faults = context.options.faults},
                 sink);
  if (!context.options.judge_expects || !is_sound(status_of(sink.all()))) return sink;
  for (const Program& program : state.programs)
    check_device_limits(program, figures_of(program), sink);
  return sink;
}

// A step that a block takes. `text` is how it is written where nothing is left out; each of `spellings` pins it.
struct TakenStep {
  std::string text;
  std::vector<std::string> spellings;
};

Names names_known(const RunnerState& state) {
  Names names;
  for (const MeshAxis& axis : state.scope.mesh().axes) names.axes.push_back(axis.name);
  for (const DimensionInfo& dimension : state.scope.store.dimensions)
    names.dimensions.add(dimension.name);
  return names;
}

// The text in canonical spelling, as far as it can be read.
std::string canonical(const std::string& text, Names& names) {
  SourceMap sources;
  DiagnosticSink unsaid;
  const FileId file = sources.add("step", text);
  auto known = names.mark();
  const ast::Module module = parse(sources, file, names, unsaid);
  names.go_back_to(std::move(known));
  if (unsaid.has_errors() || module.statements.size() != 1) return text;
  return one_line(print(module.statements.front(), Spelling::Unicode));
}

// Of a collective the result may be left out, the brackets of its operand, and its axes.
TakenStep taken_collective(const Program& program, std::size_t step, Names& names) {
  const auto& collective = std::get<CollectiveStep>(program.plan.steps[step].action);
  const std::string text = step_text_without_result(program, step);
  const std::size_t blank = text.find(' ');
  const std::string result = step_line(program, step).substr(text.size());
  const std::string& array = program.plan.copies[collective.operand].name;
  TakenStep taken{.text = text, .spellings = {}};
  for (const std::string& word : {text.substr(0, blank), std::string(name_of(collective.kind))}) {
    for (const std::string& operand :
         {text.substr(blank) + result, text.substr(blank), " " + array + result, " " + array})
      taken.spellings.push_back(canonical(word + operand, names));
  }
  return taken;
}

// Of what devices do the result may be left out, and what a product sums over.
TakenStep taken_work(const std::string& line, Names& names) {
  TakenStep taken{.text = line, .spellings = {}};
  const std::size_t index = line.find(" ·_");
  std::string plain = line;
  if (index != std::string::npos) {
    const std::size_t begin = index + std::string_view(" ·").size();
    plain.erase(begin, line.find(' ', begin) - begin);
  }
  for (const std::string& text : {line, plain}) {
    taken.spellings.push_back(canonical(text, names));
    taken.spellings.push_back(canonical(text.substr(0, text.rfind(" → ")), names));
  }
  return taken;
}

std::vector<TakenStep> taken_steps(const RunnerState& state, ast::PinnedSteps pinned) {
  std::vector<TakenStep> taken;
  Names names = names_known(state);
  for (const Program& program : state.programs) {
    for (const StatementRecord& record : program.statements) {
      for (const std::size_t step : shown_steps(program, record)) {
        const std::string line = step_line(program, step);
        if (std::holds_alternative<CollectiveStep>(program.plan.steps[step].action)) {
          taken.push_back(taken_collective(program, step, names));
          if (pinned == ast::PinnedSteps::Plan) taken.back().text = line;
        } else if (pinned == ast::PinnedSteps::Plan && !line.empty()) {
          taken.push_back(taken_work(line, names));
        }
      }
    }
  }
  return taken;
}

// An assignment makes what the same flow with an arrow makes.
std::string expected_text(ast::Statement step) {
  auto* flow = std::get_if<ast::Flow>(&step.node);
  if (flow != nullptr && flow->target.indices.empty()) flow->sign = ast::FlowSign::Arrow;
  return one_line(print(step, Spelling::Unicode));
}

bool is_collective(const ast::Statement& step) {
  const auto* flow = std::get_if<ast::Flow>(&step.node);
  const auto* evaluation = std::get_if<ast::Evaluate>(&step.node);
  const ast::Expr* value = flow != nullptr         ? &flow->value
                           : evaluation != nullptr ? &evaluation->value
                                                   : nullptr;
  return value != nullptr && std::holds_alternative<ast::Collective>(value->node);
}

// What differs between the steps that are expected and those that are taken, both in order.
class StepDifference {
 public:
  StepDifference(const std::vector<ast::Statement>& expected, const std::vector<TakenStep>& taken)
      : taken_(taken) {
    for (const ast::Statement& step : expected) texts_.push_back(expected_text(step));
    compare();
  }

  bool is_empty() const { return missing_.empty() && added_.empty(); }
  const std::vector<std::size_t>& missing() const { return missing_; }
  std::size_t added() const { return added_.size(); }

  // A line for each step in order: of both, "- " of what is expected alone, "+ " of what is taken alone. Of many steps those
  // around the differences.
  std::string lines() const {
    std::vector<std::string> all;
    std::vector<std::size_t> differing;  // lines
    for (std::size_t e = 0, t = 0; e < texts_.size() || t < taken_.size();) {
      const bool missing = contains_place(missing_, e);
      const bool added = !missing && contains_place(added_, t);
      if (missing || added) differing.push_back(all.size());
      all.push_back((missing ? "- "
                     : added ? "+ "
                             : "  ") +
                    (missing ? texts_[e] : taken_[t].text));
      if (!added) ++e;
      if (!missing) ++t;
    }
    const bool long_list = all.size() > kMostLines;
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < all.size() && shown.size() < kMostLines; ++i) {
      const auto next = std::lower_bound(differing.begin(), differing.end(), i);
      const bool near = (next != differing.end() && *next <= i + kAround) ||
                        (next != differing.begin() && *(next - 1) + kAround >= i);
      if (near || !long_list)
        shown.push_back(std::move(all[i]));
      else if (shown.empty() || shown.back() != kLeftOut)
        shown.emplace_back(kLeftOut);
    }
    if (shown.size() == kMostLines && shown.size() < all.size()) shown.emplace_back(kLeftOut);
    shown.emplace_back("(- is expected, + comes instead)");
    return join(shown, "\n");
  }

 private:
  static constexpr std::size_t kMostLines = 60;
  static constexpr std::size_t kAround = 2;
  static constexpr const char* kLeftOut = "  …";
  // Where more steps would have to be compared with each other than this, those from the first difference to the last one differ.
  static constexpr std::size_t kMostCompared = 1'000'000;

  bool are_same(std::size_t expected, std::size_t taken) const {
    return contains(taken_[taken].spellings, texts_[expected]);
  }
  static bool contains_place(const std::vector<std::size_t>& places, std::size_t place) {
    return std::binary_search(places.begin(), places.end(), place);
  }

  // The longest common subsequence, between what is the same at both ends.
  void compare() {
    std::size_t begin = 0;
    std::size_t end = texts_.size();
    std::size_t taken_end = taken_.size();
    while (begin < std::min(end, taken_end) && are_same(begin, begin)) ++begin;
    while (begin < std::min(end, taken_end) && are_same(end - 1, taken_end - 1)) --end, --taken_end;
    const std::size_t rows = end - begin;
    const std::size_t columns = taken_end - begin;
    const bool compares = columns == 0 || rows <= kMostCompared / columns;
    // By place in both: how many of the rest are common.
    std::vector<std::size_t> common(compares ? (rows + 1) * (columns + 1) : 0, 0);
    const auto at = [&](std::size_t e, std::size_t t) -> std::size_t& {
      return common[(e - begin) * (columns + 1) + (t - begin)];
    };
    for (std::size_t e = end; compares && e-- > begin;) {
      for (std::size_t t = taken_end; t-- > begin;)
        at(e, t) = are_same(e, t) ? at(e + 1, t + 1) + 1 : std::max(at(e + 1, t), at(e, t + 1));
    }
    std::size_t e = begin;
    std::size_t t = begin;
    while (e < end || t < taken_end) {
      if (compares && e < end && t < taken_end && are_same(e, t))
        ++e, ++t;
      else if (t == taken_end || (e < end && (!compares || at(e + 1, t) >= at(e, t + 1))))
        missing_.push_back(e++);
      else
        added_.push_back(t++);
    }
  }

  const std::vector<TakenStep>& taken_;
  std::vector<std::string> texts_;    // of the expected steps
  std::vector<std::size_t> missing_;  // of the expected ones
  std::vector<std::size_t> added_;    // of those taken
};

// The statement as it holds.
std::string held_text(ast::ExpectSteps expect, const std::vector<TakenStep>& taken) {
  expect.steps.clear();
  expect.steps_trailing.clear();
  std::string text = print(ast::Statement{std::move(expect), {}, {}, {}}, Spelling::Unicode);
  if (taken.empty()) return text;
  std::vector<std::string> steps;
  for (const TakenStep& step : taken) steps.push_back(step.text);
  text.resize(text.rfind('{'));
  if (steps.size() == 1) return text + "{ " + steps.front() + " }";
  return text + "{\n  " + join(steps, "\n  ") + "\n}";
}

void report_difference(const ast::ExpectSteps& expect, Span span, const StepDifference& difference,
                       const std::vector<TakenStep>& taken, RunContext& context) {
  const bool all = expect.pinned == ast::PinnedSteps::Plan;
  const auto& missing = difference.missing();
  std::vector<std::string> parts;
  std::vector<Note> notes;
  if (!missing.empty()) {
    parts.push_back(fmt::format("{} missing", missing.size()));
    notes.push_back({expect.steps[missing.front()].at.span, "the first that does not come"});
  }
  if (difference.added() > 0) parts.push_back(fmt::format("{} more", difference.added()));
  std::vector<std::string> help = {difference.lines()};
  constexpr std::size_t kMostPasted = 100;
  if (taken.size() <= kMostPasted) help.push_back(held_text(expect, taken));
  report(context.check, DiagnosticKind::ExpectedStepsDiffer, span,
         fmt::format("the block takes other {} than these: {}", all ? "steps" : "collectives",
                     join(parts, ", ")),
         std::move(help), std::move(notes));
}

// The block's own mistakes are those of the script; nullopt if there are any.
std::optional<RunnerState> planned(const std::vector<ast::Statement>& body, RunContext& context) {
  RunnerState state{
      .scope = supposition_scope(context.scope, context.scope), .programs = {}, .entries = {}};
  DiagnosticSink sink;
  run_statements(body, state,
                 {.judge_expects = false,
                  .try_help = context.options.try_help,
                  .budget = context.options.budget,
                  .modules = context.options.modules,
                  .faults = context.options.faults},
                 sink);
  for (const Diagnostic& diagnostic : sink.all()) {
    if (info(diagnostic.kind).severity != Severity::Note ||
        diagnostic.kind == DiagnosticKind::PlanBudget)
      context.check.sink.report(diagnostic);
  }
  const bool stopped = context.options.budget != nullptr && context.options.budget->stopped();
  if (stopped || sink.has_errors() || state.incomplete) return std::nullopt;
  return state;
}

// "comms { A[I_X] → A[I]; … }"
std::string short_text(const ast::ExpectSteps& expect) {
  std::string text = expect.pinned == ast::PinnedSteps::Plan ? "plan { " : "comms { ";
  if (!expect.body.empty()) text += one_line(print(expect.body.front(), Spelling::Unicode));
  return text + (expect.body.size() > 1 ? "; … }" : " }");
}

// In `expect comms` each step is a collective; false after a report.
bool are_collectives(const ast::ExpectSteps& expect, RunContext& context) {
  const auto other = std::find_if_not(expect.steps.begin(), expect.steps.end(), is_collective);
  if (expect.pinned == ast::PinnedSteps::Plan || other == expect.steps.end()) return true;
  report(context.check, DiagnosticKind::BadArgument, other->at.span,
         fmt::format("`{}` is no collective", expected_text(*other)),
         {"`expect plan { … } is { … }` pins all steps of a block"});
  return false;
}

}  // namespace

void run(const ast::ExpectError& expect, const ast::Statement& statement, RunContext& context) {
  const auto& catalogue = diagnostic_catalogue();
  const auto wanted =
      std::find_if(catalogue.begin(), catalogue.end(),
                   [&](const DiagnosticInfo& info) { return info.name == expect.kind.text; });
  if (wanted == catalogue.end()) {
    std::vector<std::string> names;
    for (const DiagnosticInfo& info : catalogue) names.emplace_back(info.name);
    const auto near = nearest_name(expect.kind.text, names);
    return report(
        context.check, DiagnosticKind::UnknownName, expect.kind.at.span,
        fmt::format("no kind of error is called `{}`", expect.kind.text),
        {near ? fmt::format("did you mean `{}`?", *near) : "shard help errors lists them"});
  }
  const DiagnosticSink inner = diagnostics_of(expect.body, context);
  const bool found = expect.found_by_parser || std::any_of(inner.all().begin(), inner.all().end(),
                                                           [&](const Diagnostic& diagnostic) {
                                                             return diagnostic.kind == wanted->kind;
                                                           });
  context.state.entries.push_back(ExpectedEntry{.text = "error " + expect.kind.text,
                                                .holds = found,
                                                .left = {},
                                                .right = {},
                                                .difference = {}});
  if (found || !context.options.judge_expects) return;
  std::vector<std::string> help;
  for (const Diagnostic& diagnostic : inner.all()) {
    help.push_back(fmt::format("it gave {}: {}", info(diagnostic.kind).name, diagnostic.message));
  }
  if (help.empty()) help.push_back("the block has no error at all");
  report(context.check, DiagnosticKind::ExpectedErrorMissing, statement.at.span,
         fmt::format("the block was to give the error {}", expect.kind.text), std::move(help));
}

void run(const ast::ExpectSteps& expect, const ast::Statement& statement, RunContext& context) {
  // A function is priced without what is expected in it.
  if (context.scope.supposition || !are_collectives(expect, context)) return;
  const auto state = planned(expect.body, context);
  if (!state) return;
  const std::vector<TakenStep> taken = taken_steps(*state, expect.pinned);
  const StepDifference difference(expect.steps, taken);
  context.state.entries.push_back(ExpectedEntry{.text = short_text(expect),
                                                .holds = difference.is_empty(),
                                                .left = {},
                                                .right = {},
                                                .difference = {}});
  if (!difference.is_empty() && context.options.judge_expects)
    report_difference(expect, statement.at.span, difference, taken, context);
}

}  // namespace shard
