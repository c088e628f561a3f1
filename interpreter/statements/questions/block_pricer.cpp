#include "interpreter/statements/questions/block_pricer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/cancellation.h"
#include "grammar/tree/names.h"
#include "interpreter/estimate/certain_memory.h"
#include "interpreter/estimate/figures.h"
#include "interpreter/holes/walk_block.h"
#include "interpreter/ir/frames.h"
#include "interpreter/program/step_text.h"
#include "runtime/machine/fault.h"

namespace shard {

namespace {

std::optional<double> number_of(const Formula& formula) {
  const auto constant = formula.constant();
  return constant && !constant->is_overflow() ? std::optional(constant->to_double()) : std::nullopt;
}

// Adds the times of a program's statements to those of the block; false if one lies in none of them, or has no number.
bool add_times(const Program& program, const OpenBlock& block, std::vector<double>& times) {
  for (const StatementRecord& record : program.statements) {
    double seconds = 0;
    for (std::size_t step = record.first_step; step < record.end_step; ++step) {
      const auto time = number_of(program.steps[step].cost->time());
      if (!time) return false;
      seconds += *time;
    }
    const auto at = block.statement_at(record.span);
    if (!at && seconds > 0) return false;
    if (at) times[*at] += seconds;
  }
  return true;
}

// The first pass of a loop lays out what it finds, and the second one what the first one left; the third is as all after it.
constexpr std::int64_t kFirstPasses = 3;

// Adds to `whole` so many passes, of which `first` has one less than `more`.
void add_passes(const PricedBlock& more, const PricedBlock& first, double passes,
                PricedBlock& whole) {
  whole.is_sound = whole.is_sound && more.is_sound;
  whole.is_known = whole.is_known && more.is_known;
  whole.time += passes * (more.time - first.time);
  whole.memory += passes * (more.memory - first.memory);
  whole.math += passes * (more.math - first.math);
  whole.comms += passes * (more.comms - first.comms);
  if (more.by_statement.size() != whole.by_statement.size() ||
      first.by_statement.size() != whole.by_statement.size())
    return whole.by_statement.clear();
  for (std::size_t i = 0; i < whole.by_statement.size(); ++i)
    whole.by_statement[i] += passes * (more.by_statement[i] - first.by_statement[i]);
}

// Further passes of a loop are planned already, and take a small part of the first one's time.
std::size_t work_of(const RunnerState& state) {
  constexpr std::size_t kPassesOfOne = 16;
  std::set<std::pair<std::int32_t, std::uint32_t>> written;
  std::size_t ran = 0;
  for (const Program& program : state.programs) {
    ran += program.statements.size();
    for (const StatementRecord& record : program.statements)
      written.emplace(record.span.file.value, record.span.begin);
  }
  return 1 + written.size() + (ran - written.size()) / kPassesOfOne;
}

// What is certain of a program's memory, by statements of the block.
std::vector<std::vector<double>> memory_rows_of(const Program& program, const OpenBlock& block) {
  std::vector<std::vector<double>> rows = certain_memory(program);
  for (std::vector<double>& row : rows) {
    std::vector<double> sums(block.statements().size(), 0);
    for (std::size_t i = 0; i < row.size(); ++i) {
      // One that lies in none of them has layouts of its own.
      if (const auto at = block.statement_at(program.statements[i].span)) sums[*at] += row[i];
    }
    row = std::move(sums);
  }
  return rows;
}

}  // namespace

std::unique_ptr<RunnerState> BlockPricer::run(const HoleRows& rows, DiagnosticSink& sink) {
  return run(rows, context_.scope, sink);
}

std::unique_ptr<RunnerState> BlockPricer::run(const HoleRows& rows, const Scope& read,
                                              DiagnosticSink& sink) {
  throw_if_cancelled();
  block_.fill(rows);
  auto state = std::make_unique<RunnerState>();
  state->scope = supposition_scope(context_.scope, read);
  state->scope.reads = nullptr;
  for (const auto& [key, function] : block_.functions())
    state->scope.names.functions[key] = std::make_shared<const ast::Function>(*function);
  // Programs of one machine remember together what they planned.
  const bool faulty = context_.options.faults != nullptr && !context_.options.faults->empty();
  const Machine machine = state->scope.hardware();
  const bool remembers = !faulty && machine == context_.scope.hardware();
  if (remembers)
    state->programs.push_back({.machine = machine, .memo = memo_, .lowered = lowered_});
  Budget budget;
  if (context_.options.budget != nullptr) budget.cancelled = context_.options.budget->cancelled;
  run_statements(block_.body(), *state,
                 {.judge_expects = false,
                  .budget = &budget,
                  .plan_time = context_.options.plan_time,
                  .modules = context_.options.modules,
                  .faults = context_.options.faults},
                 sink);
  if (budget.interrupted) throw Cancelled{};
  if (remembers && state->programs.front().machine == machine)
    lowered_ = state->programs.front().lowered;
  work_ += work_of(*state);
  return state;
}

PricedBlock BlockPricer::priced(const RunnerState& state) const {
  PricedBlock priced{.is_sound = true, .is_known = true};
  std::vector<double> times(block_.statements().size(), 0);
  bool attributed = true;
  for (const Program& program : state.programs) {
    const Figures figures = figures_of(program);
    const auto time = number_of(figures.totals.most.time);
    const auto memory = number_of(figures.memory.peak.bytes);
    if (!time || !memory) {
      priced.is_known = false;
      return priced;
    }
    priced.time += *time;
    priced.memory = std::max(priced.memory, *memory);
    priced.math += number_of(figures.totals.most.math).value_or(0);
    priced.comms += number_of(figures.totals.most.comms).value_or(0);
    attributed = attributed && add_times(program, block_, times);
  }
  if (finds_rows_ && state.programs.size() == 1)
    priced.memory_rows = memory_rows_of(state.programs.front(), block_);
  double sum = 0;
  for (const double time : times) sum += time;
  constexpr double kRounding = 1e-9;
  if (attributed && std::abs(sum - priced.time) <= kRounding * priced.time)
    priced.by_statement = std::move(times);
  return priced;
}

PricedBlock BlockPricer::price(const HoleRows& rows) {
  const std::vector<EvenLoop>& loops = block_.even_loops();
  if (!cuts_loops_ || loops.empty()) return price_as_it_is(rows);
  for (const EvenLoop& loop : loops) block_.set_passes(loop, kFirstPasses);
  const PricedBlock first = price_as_it_is(rows);
  PricedBlock whole = first;
  for (const EvenLoop& loop : loops) {
    if (!whole.is_sound || !whole.is_known) break;
    block_.set_passes(loop, kFirstPasses + 1);
    add_passes(price_as_it_is(rows), first, static_cast<double>(loop.passes - kFirstPasses), whole);
    block_.set_passes(loop, kFirstPasses);
  }
  for (const EvenLoop& loop : loops) block_.set_passes(loop, std::nullopt);
  return whole;
}

bool BlockPricer::agrees(const HoleRows& rows, const PricedBlock& priced) {
  if (!cuts_loops_ || block_.even_loops().empty()) return true;
  const PricedBlock whole = price_as_it_is(rows);
  constexpr double kRounding = 1e-9;
  const auto equal = [](double one, double other) {
    return std::abs(one - other) <= kRounding * std::max(std::abs(one), std::abs(other));
  };
  return whole.is_sound == priced.is_sound && whole.is_known == priced.is_known &&
         equal(whole.time, priced.time) && equal(whole.memory, priced.memory);
}

PricedBlock BlockPricer::price_as_it_is(const HoleRows& rows) {
  DiagnosticSink unsaid;
  const auto state = run(rows, unsaid);
  if (unsaid.has_errors() || state->incomplete) return {};
  return priced(*state);
}

PricedBlock BlockPricer::price_aloud(const HoleRows& rows) {
  DiagnosticSink sink;
  const auto state = run(rows, sink);
  if (sink.has_errors()) {
    for (const Diagnostic& diagnostic : sink.all()) {
      if (info(diagnostic.kind).severity != Severity::Note) context_.check.sink.report(diagnostic);
    }
  }
  if (sink.has_errors() || state->incomplete) return {};
  return priced(*state);
}

std::optional<double> BlockPricer::seconds_on_one_chip(const HoleRows& rows) {
  std::vector<ast::Statement> body = block_.body();
  bool has_machine = false;
  walk_block(body, {.statement =
                        [&](const ast::Statement& statement) {
                          has_machine = has_machine ||
                                        std::holds_alternative<ast::Mesh>(statement.node) ||
                                        std::holds_alternative<ast::Hardware>(statement.node) ||
                                        std::holds_alternative<ast::Fault>(statement.node) ||
                                        std::holds_alternative<ast::Slow>(statement.node);
                        },
                    .array = {},
                    .shaped = {},
                    .call = {}});
  const bool is_faulty = context_.options.faults != nullptr && !context_.options.faults->empty();
  if (has_machine || is_faulty) return std::nullopt;
  Scope one = context_.scope;
  Machine& machine = one.machine.machine;
  machine = without_faults(std::move(machine));
  for (MeshAxis& axis : machine.mesh.axes) {
    axis.size = Amount(Rational(1));
    axis.torus.clear();
  }
  machine.link_times = nullptr;
  DiagnosticSink unsaid;
  const auto state = run(rows, one, unsaid);
  if (unsaid.has_errors() || state->incomplete) return std::nullopt;
  const PricedBlock whole = priced(*state);
  if (!whole.is_known || whole.comms > 0) return std::nullopt;
  return whole.time;
}

std::set<std::size_t> BlockPricer::statements_run(const HoleRows& rows) {
  DiagnosticSink unsaid;
  const auto state = run(rows, unsaid);
  std::set<std::size_t> ran;
  for (const Program& program : state->programs) {
    for (const StatementRecord& record : program.statements) {
      if (const auto at = block_.statement_at(record.span)) ran.insert(*at);
    }
  }
  return ran;
}

BlockDetails BlockPricer::details(const HoleRows& rows) {
  DiagnosticSink unsaid;
  const auto state = run(rows, unsaid);
  BlockDetails details;
  double longest = -1;
  std::map<std::string, double> collectives;
  std::vector<std::string> order;
  for (const Program& program : state->programs) {
    const Figures figures = figures_of(program);
    const double time = number_of(figures.totals.most.time).value_or(0);
    if (time > longest) {
      longest = time;
      details.bound = std::string(name_of(figures.bound()));
    }
    for (std::size_t step = 0; step < program.steps.size(); ++step) {
      if (!std::holds_alternative<CollectiveStep>(program.plan.steps[step].action)) continue;
      const double seconds = number_of(program.steps[step].cost->time()).value_or(0);
      const std::string text = step_text_without_result(program, step);
      if (!collectives.contains(text)) order.push_back(text);
      collectives[text] += seconds;
    }
  }
  for (const std::string& text : order) {
    if (collectives[text] <= details.dearest_time) continue;
    details.dearest = text;
    details.dearest_time = collectives[text];
  }
  return details;
}

std::vector<std::string> BlockPricer::missing_sizes(const HoleRows& rows) {
  DiagnosticSink unsaid;
  const auto state = run(rows, unsaid);
  std::set<std::string> missing;
  for (const Program& program : state->programs) {
    const Figures figures = figures_of(program);
    for (const Formula& formula : {figures.totals.most.time, figures.memory.peak.bytes}) {
      for (const std::string& symbol : formula.symbols()) missing.insert(symbol);
    }
  }
  return {missing.begin(), missing.end()};
}

}  // namespace shard
