// `for`, and what passes of a loop have in common.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/format.h"
#include "base/periods.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/ir/frames.h"
#include "interpreter/machine/chip_catalogue.h"
#include "interpreter/machine/machine.h"
#include "interpreter/program/equal_statements.h"
#include "interpreter/statements/loops/loop_values.h"
#include "interpreter/statements/loops/printed_pieces.h"
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

// The entries of a range loop. Passes that do the same, in a row or in turns with others, are reported once, with their number.
class PassEntries {
 public:
  PassEntries(RunnerState& state, std::string variable, std::int64_t first)
      : state_(state),
        variable_(std::move(variable)),
        first_(first),
        begins_{state.entries.size()} {}

  // The entries since the last pass are those of this one.
  void end_pass() {
    const std::size_t begin = begins_.back();
    const std::size_t end = state_.entries.size();
    begins_.push_back(end);
    for (std::size_t i = begin; i < end; ++i) {
      if (auto* entry = planned(i)) entry->in_pass = !state_.in_kernel;
    }
    const std::size_t pass = kinds_.size();
    const auto same = std::find_if(known_.rbegin(), known_.rend(),
                                   [&](std::size_t other) { return does_the_same(other, pass); });
    kinds_.push_back(same == known_.rend() ? pass : *same);
    if (same != known_.rend()) return;
    known_.push_back(pass);
    if (known_.size() > kLongestPeriod) known_.erase(known_.begin());
  }

  // The passes are over. What those of a kernel cost is known when it is over.
  void fold() {
    if (state_.in_kernel) return;
    for (const PeriodicPart& part : periodic_parts(kinds_, kLongestPeriod)) {
      std::map<std::size_t, std::vector<std::size_t>> passes;  // by kind
      for (std::size_t i = part.begin; i < part.end; ++i) passes[kinds_[i]].push_back(i);
      for (const auto& [kind, same] : passes) fold(same, part.period > 1);
    }
  }

 private:
  // Longer patterns of layers are not written; a search for them in a long loop whose passes all differ would take its time.
  static constexpr std::size_t kLongestPeriod = 32;

  PlannedEntry* planned(std::size_t i) { return std::get_if<PlannedEntry>(&state_.entries[i]); }

  // Passes that do the same. `in_turns`: others lie between them.
  void fold(const std::vector<std::size_t>& same, bool in_turns) {
    const std::size_t pass = same.front();
    for (std::size_t i = begins_[pass]; i < begins_[pass + 1]; ++i) {
      auto* entry = planned(i);
      if (entry == nullptr) continue;
      for (const std::size_t other : same) {
        auto* its = planned(begins_[other] + (i - begins_[pass]));
        entry->last = its->times > 1 ? its->last : its->statement;
        its->is_repeated = its->is_repeated || other != pass;
      }
      entry->times *= static_cast<std::int64_t>(same.size());
      const std::string inner = entry->passes->empty() ? "" : "; " + *entry->passes;
      if (in_turns) entry->passes = names_of(same) + inner;
    }
  }

  // "l = 0, 2, …".
  std::string names_of(const std::vector<std::size_t>& passes) const {
    constexpr std::size_t kNamed = 3;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(passes.size(), kNamed); ++i)
      names.push_back(format_integer(first_ + static_cast<std::int64_t>(passes[i])));
    if (passes.size() > kNamed) names.emplace_back("…");
    return variable_ + " = " + join(names, ", ");
  }

  // What fills lines of its own is shown for each pass.
  static bool is_compared(const Entry& entry) {
    return match(
        entry, [](const PlannedEntry&) { return true; },
        [](const Box<PrintedEntry>&) { return true; }, [](const Box<SavedEntry>&) { return true; },
        [](const Box<ExpectedEntry>&) { return true; }, [](const auto&) { return false; });
  }

  bool does_the_same(std::size_t pass, std::size_t other) const {
    const std::size_t count = begins_[pass + 1] - begins_[pass];
    if (begins_[other + 1] - begins_[other] != count) return false;
    for (std::size_t i = 0; i < count; ++i) {
      const Entry& one = state_.entries[begins_[pass] + i];
      const Entry& its = state_.entries[begins_[other] + i];
      if (one.index() != its.index() || !is_compared(one)) return false;
      const auto* entry = std::get_if<PlannedEntry>(&one);
      if (entry != nullptr && !do_the_same(*entry, *std::get_if<PlannedEntry>(&its))) return false;
    }
    return true;
  }

  // What is repeated does what the entry does that counts it.
  bool do_the_same(const PlannedEntry& one, const PlannedEntry& other) const {
    const Program& program = state_.programs[one.program];
    return one.program == other.program && one.times == other.times &&
           *one.passes == *other.passes && one.is_repeated == other.is_repeated &&
           (one.is_repeated || are_equal(program, program.statements[one.statement],
                                         program.statements[other.statement]));
  }

  RunnerState& state_;
  std::string variable_;
  std::int64_t first_;  // value of the variable
  std::vector<std::size_t>
      begins_;                      // by pass: its first entry; then where the next one would begin
  std::vector<std::size_t> kinds_;  // by pass: the first one that does the same
  std::vector<std::size_t> known_;  // the newest of these
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
      const LoopFrame frame(scope_, key_);
      if (const auto* range = std::get_if<ast::Range>(&loop_.values)) {
        run_range(*range);
      } else {
        run_list(std::get<std::vector<ast::Alternative>>(loop_.values));
      }
    }
    mistakes_.report_to(context_.check.sink);
    if (scope_.names.loops > 0) return;
    end_tables(context_.state);
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
         {missing.empty()
              ? "for i in 0..8 { … }"
              : fmt::format("give {} a value before: {} = 8", missing.front(), missing.front())});
    return std::nullopt;
  }

  void run_range(const ast::Range& range) {
    const auto begin = bound_of(range.begin);
    const auto end = begin ? bound_of(range.end) : std::nullopt;
    if (!end || !check_passes(*begin, *end, cover(range.begin.at.span, range.end.at.span))) return;
    if (loop_.body.empty()) return;  // passes count by their statements, and these have none
    RangePasses frame(scope_);
    PassEntries passes(context_.state, loop_.variable.text, *begin);
    for (std::int64_t i = *begin; i < *end && !stopped(); ++i) {
      const RegionRecord region(checked::RegionKind::Pass, span_, context_.options.recorder);
      frame.push();
      if (scope_.names.find_dimension(loop_.variable.text) && i > 0)
        scope_.intern_own_length(loop_.variable.text, i);
      bind(Quantity{Formula(Rational(i)), kPlain}, true);
      DiagnosticSink sink;
      const auto name = fmt::format("{} = {}", loop_.variable.text, format_integer(i));
      run_pass(loop_.body, name, sink, context_);
      frame.pop();
      passes.end_pass();
      mistakes_.add(sink, cover(range.begin.at.span, range.end.at.span), name);
    }
    passes.fold();
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

  void bind(Value value, bool counts = false) {
    scope_.told.unknown.erase(key_);
    scope_.names.bindings[key_] = {.name = loop_.variable.text,
                                   .value = std::move(value),
                                   .span = loop_.variable.at.span,
                                   .depth = scope_.names.depth,
                                   .counts = counts};
  }

  // ------------------------------------------------------------ lists

  // Not within `run`: the scopes that it keeps would stand on the stack at each level of loops over a range as well.
  [[gnu::noinline]] void run_list(const std::vector<ast::Alternative>& items) {
    if (!check_passes(0, static_cast<std::int64_t>(items.size()), span_)) return;
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
    for (const ast::Alternative& item : passes_of(items, loop_.variable.text, context_)) {
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
    if (fine) run_pass(loop_.body, name, sink, context_);
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
