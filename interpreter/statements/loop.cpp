// `for`, and what passes of a loop have in common.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/format.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/ir/frames.h"
#include "interpreter/machine/chip_catalogue.h"
#include "interpreter/machine/machine.h"
#include "interpreter/program/step_text.h"
#include "interpreter/statements/recorder.h"
#include "interpreter/statements/statement.h"

namespace shard {

namespace {

// Diagnostics of all passes, each kind at each place once.
class PassMistakes {
 public:
  void add(const DiagnosticSink& pass, Span place, const std::string& name) {
    for (const Diagnostic& diagnostic : pass.all()) {
      const auto known = std::find_if(seen_.begin(), seen_.end(), [&](const Seen& seen) {
        return seen.first.kind == diagnostic.kind && seen.first.span == diagnostic.span;
      });
      if (known == seen_.end()) {
        seen_.push_back({diagnostic, place, name, 1, name});
      } else if (known->last_pass != name) {
        ++known->passes;
        known->last_pass = name;
      }
    }
  }

  bool many() const { return seen_.size() > kMost; }

  void report_to(DiagnosticSink& sink) const {
    for (const Seen& seen : seen_) {
      Diagnostic diagnostic = seen.first;
      if (info(diagnostic.kind).severity == Severity::Error &&
          diagnostic.notes.size() < kMostNotes) {
        const std::string others =
            seen.passes == 1 ? ""
                             : fmt::format(", and in {} more", format_integer(seen.passes - 1));
        diagnostic.notes.push_back(
            {seen.place, fmt::format("in the pass {}{}", seen.name, others)});
      }
      sink.report(std::move(diagnostic));
    }
  }

 private:
  static constexpr std::size_t kMost = 20;
  struct Seen {
    Diagnostic first;
    Span place;  // of the pass
    std::string name;
    std::int64_t passes;
    std::string last_pass;
  };
  std::vector<Seen> seen_;
};

// The entries of a range loop. Passes that do the same one after the other are reported once, with their number.
class PassEntries {
 public:
  explicit PassEntries(RunnerState& state)
      : state_(state), first_(state.entries.size()), last_(first_), begin_(first_) {}

  // The entries from `begin_` on are those of a pass.
  void end_pass() {
    const std::size_t end = state_.entries.size();
    if (begin_ > first_ && is_repeated(end)) {
      ++passes_;
      for (std::size_t i = begin_; i < end; ++i) {
        auto* entry = planned(i);
        if (entry == nullptr) continue;
        entry->is_repeated = true;
        planned(first_ + (i - begin_))->last = entry->times > 1 ? entry->last : entry->statement;
      }
    } else {
      count_passes();
      first_ = begin_;
      last_ = end;
      passes_ = 1;
    }
    begin_ = end;
  }

  // The passes that are reported are those of the entries [first_, last_).
  void count_passes() {
    for (std::size_t i = first_; i < last_; ++i) {
      if (auto* entry = planned(i)) entry->times *= passes_;
    }
  }

 private:
  PlannedEntry* planned(std::size_t i) { return std::get_if<PlannedEntry>(&state_.entries[i]); }

  bool is_repeated(std::size_t end) {
    if (end - begin_ != last_ - first_) return false;
    for (std::size_t i = begin_; i < end; ++i) {
      const Entry& one = state_.entries[first_ + (i - begin_)];
      if (one.index() != state_.entries[i].index() || std::holds_alternative<Box<WhyEntry>>(one) ||
          std::holds_alternative<Box<Picture>>(one) ||
          std::holds_alternative<Box<FiguresEntry>>(one) ||
          std::holds_alternative<Box<StepsEntry>>(one) ||
          std::holds_alternative<Box<ArrayEntry>>(one))
        return false;
      const auto* entry = std::get_if<PlannedEntry>(&one);
      if (entry != nullptr && !does_the_same(*entry, *planned(i))) return false;
    }
    return true;
  }

  bool does_the_same(const PlannedEntry& one, const PlannedEntry& other) const {
    if (one.program != other.program || one.times != other.times ||
        one.is_repeated != other.is_repeated)
      return false;
    const Program& program = state_.programs[one.program];
    const StatementRecord& a = program.statements[one.statement];
    const StatementRecord& b = program.statements[other.statement];
    return *a.text == *b.text && do_the_same(program, a, b);
  }

  // Whether the report shows the same steps for both, but for numbers such as the index of the pass.
  static bool do_the_same(const Program& program, const StatementRecord& a,
                          const StatementRecord& b) {
    const std::vector<std::size_t> steps = shown_steps(program, a);
    const std::vector<std::size_t> others = shown_steps(program, b);
    // Statements that share what they were lowered from differ in their arrays at most.
    const bool is_replayed = a.flow.form() != nullptr && a.flow.form() == b.flow.form();
    return std::equal(
        steps.begin(), steps.end(), others.begin(), others.end(),
        [&](std::size_t i, std::size_t k) {
          return cost_the_same(*program.steps[i].cost, *program.steps[k].cost) &&
                 (is_replayed
                      ? name_the_same(program.plan, i, k)
                      : folded_text(step_text(program, i), step_text(program, k)).has_value());
        });
  }

  static bool cost_the_same(const Cost& a, const Cost& b) {
    return &a == &b ||
           (a.flops == b.flops && a.hbm_bytes == b.hbm_bytes && a.comm_bytes == b.comm_bytes);
  }

  static bool name_the_same(const Plan& plan, std::size_t i, std::size_t k) {
    const auto same = [&](CopyId a, CopyId b) {
      return plan.copies[a].name == plan.copies[b].name;
    };
    const std::vector<CopyId> operands = operands_of(plan.steps[i]);
    const std::vector<CopyId> others = operands_of(plan.steps[k]);
    return same(result_of(plan.steps[i]), result_of(plan.steps[k])) &&
           std::equal(operands.begin(), operands.end(), others.begin(), others.end(), same);
  }

  RunnerState& state_;
  std::size_t first_;
  std::size_t last_;
  std::size_t begin_;
  std::int64_t passes_ = 1;
};

// The programs of passes over a list. The one that grew before the loop goes on after it.
class PassPrograms {
 public:
  explicit PassPrograms(RunnerState& state)
      : state_(state),
        first_(state.programs.size()),
        current_(state.current),
        ended_(state.program_ended) {}
  PassPrograms(const PassPrograms&) = delete;
  PassPrograms& operator=(const PassPrograms&) = delete;
  ~PassPrograms() {
    for (std::size_t i = first_; i < state_.programs.size(); ++i)
      state_.programs[i].is_sweep = true;
    state_.current = current_;
    state_.program_ended = ended_;
  }

 private:
  RunnerState& state_;
  std::size_t first_;
  std::size_t current_;
  bool ended_;
};

class LoopRunner {
 public:
  LoopRunner(const ast::Loop& loop, Span span, RunContext& context)
      : loop_(loop),
        span_(span),
        context_(context),
        scope_(context.scope),
        key_(name_key(loop.variable.text)) {}

  void run() {
    {
      const LoopFrame frame(scope_);
      if (const auto* range = std::get_if<ast::Range>(&loop_.values)) {
        run_range(*range);
      } else {
        run_list(std::get<std::vector<ast::Alternative>>(loop_.values));
      }
    }
    mistakes_.report_to(context_.check.sink);
    if (scope_.names.loops > 0) return;
    for (auto& [place, table] : context_.state.tables)
      context_.state.entries.emplace_back(std::move(table));
    context_.state.tables.clear();
  }

 private:
  void fail(DiagnosticKind kind, Span span, std::string message,
            std::vector<std::string> help = {}) {
    report(context_.check, kind, span, std::move(message), std::move(help));
  }

  bool stopped() const {
    const auto& calls = context_.state.calls;
    const bool returned = !calls.empty() && calls.back().returned;
    return returned || mistakes_.many() ||
           (context_.options.budget != nullptr && context_.options.budget->stopped());
  }

  // ------------------------------------------------------------ ranges

  std::optional<std::int64_t> bound_of(const ast::Expr& expr) {
    const auto value = value_of(expr, context_);
    if (!value) return std::nullopt;
    const auto* quantity = std::get_if<Quantity>(&*value);
    const auto number = quantity != nullptr && quantity->unit.is_plain()
                            ? quantity->value.constant()
                            : std::nullopt;
    const auto whole = number ? number->to_int64() : std::nullopt;
    if (whole) return whole;
    if (number && Rational(kMaxLength) < *number) {
      fail(DiagnosticKind::TooManyPasses, expr.at.span,
           fmt::format("a loop up to {}; {} passes are the most", to_text(*value),
                       format_integer(kMaxPasses)));
      return std::nullopt;
    }
    // A size without a value is the whole of what is missing.
    const std::vector<std::string> missing =
        quantity != nullptr ? quantity->value.symbols() : std::vector<std::string>();
    fail(DiagnosticKind::BadArgument, expr.at.span,
         fmt::format("a loop runs from a whole number up to another, and this is {}",
                     to_text(*value)),
         {missing.empty() ? "for i in 0..8 { … }"
                          : fmt::format("give {} a value before: {} = 8", missing.front(),
                                        missing.front())});
    return std::nullopt;
  }

  void run_range(const ast::Range& range) {
    const auto begin = bound_of(range.begin);
    const auto end = begin ? bound_of(range.end) : std::nullopt;
    if (!end || !check_passes(*begin, *end, cover(range.begin.at.span, range.end.at.span))) return;
    if (loop_.body.empty()) return;  // passes count by their statements, and these have none
    RangePasses frame(scope_);
    PassEntries passes(context_.state);
    for (std::int64_t i = *begin; i < *end && !stopped(); ++i) {
      const RegionRecord region(checked::RegionKind::Pass, span_, context_.options.recorder);
      frame.push();
      if (scope_.names.find_dimension(loop_.variable.text) && i > 0)
        scope_.intern_own_length(loop_.variable.text, i);
      bind(Quantity{Formula(Rational(i)), kPlain});
      DiagnosticSink sink;
      run_apart(loop_.body, sink, context_);
      frame.pop();
      passes.end_pass();
      mistakes_.add(sink, cover(range.begin.at.span, range.end.at.span),
                    fmt::format("{} = {}", loop_.variable.text, format_integer(i)));
    }
    passes.count_passes();
  }

  bool check_passes(std::int64_t begin, std::int64_t end, Span span) {
    const Rational passes = Rational(end) - Rational(begin);
    if (passes <= Rational(kMaxPasses)) return true;
    fail(DiagnosticKind::TooManyPasses, span,
         fmt::format("this loop has {} passes; {} are the most",
                     passes.to_int64() ? format_integer(*passes.to_int64()) : passes.to_string(),
                     format_integer(kMaxPasses)),
         {"a figure that is the same in each pass is multiplied: L * c.time"});
    return false;
  }

  void bind(Value value) {
    scope_.told.unknown.erase(key_);
    scope_.names.bindings[key_] = {.name = loop_.variable.text,
                                   .value = std::move(value),
                                   .span = loop_.variable.at.span,
                                   .depth = scope_.names.depth};
  }

  // ------------------------------------------------------------ lists

  void run_list(const std::vector<ast::Alternative>& items) {
    if (items.size() > static_cast<std::size_t>(kMaxPasses)) {
      check_passes(0, static_cast<std::int64_t>(items.size()), span_);
      return;
    }
    RunnerState& state = context_.state;
    const PassPrograms programs(state);
    // Passes count by their statements, and those without any by themselves.
    const bool repeated = scope_.names.loops > 1 || !state.calls.empty();
    if (loop_.body.empty() && repeated && context_.options.budget != nullptr)
      context_.options.budget->statements += static_cast<std::int64_t>(items.size());
    ListFrame frame(scope_);
    // What ends with any machine ends once, and not anew in each pass.
    if (!items.empty() && !std::holds_alternative<ast::Expr>(items.front().value))
      scope_.adopt_mesh(scope_.mesh());
    for (const ast::Alternative& item : items) {
      if (stopped()) break;
      run_alternative(item);
    }
    frame.pop();
  }

  void run_alternative(const ast::Alternative& item) {
    ListPass frame(scope_);
    context_.state.program_ended = true;
    Recorder* recorder = context_.options.recorder;
    if (recorder != nullptr) recorder->begin_apart();
    DiagnosticSink sink;
    CheckContext context{scope_, sink, scalar_source()};
    std::string name;
    const bool fine = match(
        item.value, [&](const ast::Expr& expr) { return take(expr, name, sink); },
        [&](const ast::Mesh& mesh) {
          name = "mesh = " + axes_text(mesh);
          check_mesh(mesh, item.at.span, context);
          return !sink.has_errors();
        },
        [&](const ast::Hardware& hardware) {
          name = "hardware = " + machine_text(hardware);
          load_catalogue(scope_, scalar_source());
          check_hardware(hardware, item.at.span, context);
          return !sink.has_errors();
        });
    if (fine) run_apart(loop_.body, sink, context_);
    if (recorder != nullptr) recorder->end_apart(context_.state);
    frame.pop();
    if (name.empty() && !fine) return;
    mistakes_.add(sink, item.at.span, name);
  }

  bool take(const ast::Expr& expr, std::string& name, DiagnosticSink& sink) {
    auto value = value_of(expr, context_);
    if (!value) return false;
    name = fmt::format("{} = {}", loop_.variable.text,
                       std::holds_alternative<Supposition>(*value) ? print(expr, Spelling::Unicode)
                                                                   : to_text(*value));
    const auto* quantity = std::get_if<Quantity>(&*value);
    if (scope_.names.find_dimension(loop_.variable.text) && quantity != nullptr) {
      if (!is_length(*quantity)) {
        sink.report({.kind = DiagnosticKind::BadArgument,
                     .span = expr.at.span,
                     .message = fmt::format("`{}` is a dimension, and {} is no length: {}",
                                            loop_.variable.text, to_text(*value), kLengthRule)});
        return false;
      }
      const auto number = quantity->value.constant();
      if (scope_.names.outside && number)
        scope_.intern_own_length(loop_.variable.text, number->to_int64().value_or(1));
    }
    bind(std::move(*value));
    return true;
  }

  const ast::Loop& loop_;
  Span span_;
  RunContext& context_;
  Scope& scope_;
  std::string key_;
  PassMistakes mistakes_;
};

}  // namespace

void run(const ast::Loop& loop, const ast::Statement& statement, RunContext& context) {
  LoopRunner(loop, statement.at.span, context).run();
}

}  // namespace shard
