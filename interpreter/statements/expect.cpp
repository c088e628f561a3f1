#include "interpreter/statements/expect.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/words.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/check/array.h"
#include "interpreter/estimate/device_limits.h"
#include "interpreter/evaluate/provenance.h"
#include "interpreter/host/exit_status.h"
#include "interpreter/suggest/unit_help.h"

namespace shard {

namespace {

// `compute` in `c.bound = compute` is a word, and no scalar.
bool is_bound_name(const ast::Expr& expr) {
  const auto* word = std::get_if<ast::ArrayRef>(&expr.node);
  const auto& known = bound_names();
  return word != nullptr && word->name && !word->bracketed &&
         std::find(known.begin(), known.end(), word->name->text) != known.end();
}

}  // namespace

std::optional<Value> Answers::value_of(const ast::Expr& expr) {
  EvaluationContext evaluation{context_, suppose_, call_, options_.budget};
  return evaluate(expr, evaluation);
}

void Answers::fail(DiagnosticKind kind, Span span, std::string message,
                   std::vector<std::string> help, std::vector<Note> notes) {
  report(context_, kind, span, std::move(message), std::move(help), std::move(notes));
}

void Answers::print(const ast::Print& printed, Span span) {
  if (context_.scope.supposition) return refuse_inside_block("print", span);
  std::vector<std::string> names;
  std::vector<Value> values;
  for (const ast::Expr& expr : printed.values) {
    if (const auto* text = std::get_if<ast::Text>(&expr.node)) {
      names.push_back(text->value);
      values.emplace_back(Word{text->value});
      continue;
    }
    auto value = value_of(expr);
    if (!value) return;
    names.push_back(one_line(shard::print(expr, Spelling::Unicode)));
    values.push_back(std::move(*value));
  }
  add_printed(std::move(names), values, span);
}

void Answers::say(const ast::Expr& expr, const Value& value) {
  add_printed({one_line(shard::print(expr, Spelling::Unicode))}, {value}, expr.at.span);
}

void Answers::say(ArrayId array) {
  const ArrayInfo& info = context_.scope.arrays[array];
  const std::string text = fmt::format("{}: {}, held as {}", info.name, name_of(info.dtype),
                                       list_copies(array, context_.scope));
  state_.entries.emplace_back(PrintedEntry{.names = {text}, .values = {text}});
}

void Answers::add_printed(std::vector<std::string> names, const std::vector<Value>& values,
                          Span span) {
  if (context_.scope.loops == 0) {
    PrintedEntry entry{.names = std::move(names), .values = {}};
    for (const Value& value : values) entry.values.push_back(to_text(value));
    state_.entries.emplace_back(std::move(entry));
    return;
  }
  auto& tables = state_.tables;
  auto found = std::find_if(tables.begin(), tables.end(),
                            [&](const auto& entry) { return entry.first == span; });
  if (found == tables.end())
    found =
        tables.insert(tables.end(), {span, PrintedTable{.columns = std::move(names), .rows = {}}});
  auto& row = found->second.rows.emplace_back();
  for (const Value& value : values) row.push_back(printed_cell(value));
}

void Answers::refuse_inside_block(std::string_view word, Span span) {
  fail(DiagnosticKind::BadArgument, span,
       fmt::format("`{}` may not stand inside a cost block, which is priced and never run", word),
       {"move the line after the closing brace; there a block that has a name, c = cost { … }, is "
        "asked for its figures: print c.time, c.peak_memory"});
}

void Answers::expect(const ast::Expect& expect, Span span) {
  if (context_.scope.supposition) return refuse_inside_block("expect", span);
  ExpectedEntry entry{.text = one_line(shard::print(expect.condition, Spelling::Unicode))};
  const auto value = value_of(expect.condition);
  if (!value) return;
  const auto* truth = std::get_if<Truth>(&*value);
  if (truth == nullptr) {
    const Span at = expect.condition.at.span;
    const std::string text = to_text(*value);
    // What it is now, if that can be written: a formula in open sizes is no figure to compare with.
    const auto* quantity = std::get_if<Quantity>(&*value);
    const bool is_figure = quantity != nullptr && quantity->value.constant() &&
                           !std::holds_alternative<ast::Number>(expect.condition.node);
    report(context_, DiagnosticKind::BadArgument, at,
           fmt::format("`expect` takes a comparison, and this is {}", text),
           {is_figure ? "or a bound, with < or >" : "expect time { … } < 200 us"}, {},
           is_figure ? std::vector<Edit>{{{at.file, at.end, at.end}, " ≈ " + text}}
                     : std::vector<Edit>());
    return;
  }
  entry.holds = truth->holds;
  if (truth->holds != true) add_sides(expect.condition, entry);
  if (options_.judge_expects) judge(entry, expect.condition);
  state_.entries.push_back(std::move(entry));
}

void Answers::add_sides(const ast::Expr& condition, ExpectedEntry& entry) {
  const auto* binary = std::get_if<ast::Binary>(&condition.node);
  if (binary == nullptr) return;
  const auto left = value_of(*binary->left);
  if (left) entry.left = to_text(*left);
  if (is_bound_name(*binary->right)) {
    entry.right = shard::print(*binary->right, Spelling::Unicode);
    return;
  }
  const auto right = value_of(*binary->right);
  if (right) entry.right = to_text(*right);
  if (left && right) entry.difference = difference_text(*left, *right);
}

// "c.math is 3.000 us, c.hbm is 1.000 us, c.comms is 2.000 us".
std::string Answers::parts_text(const ast::Expr& condition) {
  std::vector<std::string> parts;
  for (const ast::Expr& part : parts_of(condition)) {
    const auto value = value_of(part);
    if (value) parts.push_back(shard::print(part, Spelling::Unicode) + " is " + to_text(*value));
  }
  return join(parts, ", ");
}

// "F = 1024, S = 1024": dimensions that both sides depend on and that have no size.
std::string Answers::missing_sizes(const ast::Expr& condition) {
  const auto* binary = std::get_if<ast::Binary>(&condition.node);
  if (binary == nullptr || is_bound_name(*binary->right)) return "";
  std::set<std::string> missing;
  for (const auto& side : {value_of(*binary->left), value_of(*binary->right)}) {
    const auto* quantity = side ? std::get_if<Quantity>(&*side) : nullptr;
    if (quantity == nullptr) continue;
    for (const std::string& symbol : quantity->value.symbols()) {
      if (context_.scope.find_dimension(symbol)) missing.insert(symbol + " = 1024");
    }
  }
  return join({missing.begin(), missing.end()}, ", ");
}

// `=` where a figure as it is printed was meant: what holds with `≈`.
std::vector<Edit> Answers::rounded_edits(const ast::Expr& condition) {
  const auto* binary = std::get_if<ast::Binary>(&condition.node);
  if (binary == nullptr || binary->op != ast::BinaryOp::Equal) return {};
  // Plain numbers are counts, which are printed as they are.
  const auto left = value_of(*binary->left);
  const auto* figure = left ? std::get_if<Quantity>(&*left) : nullptr;
  if (figure == nullptr || figure->unit.is_plain()) return {};
  ast::Expr about = condition;
  std::get<ast::Binary>(about.node).op = ast::BinaryOp::Approx;
  const auto value = value_of(about);
  const auto* truth = value ? std::get_if<Truth>(&*value) : nullptr;
  if (truth == nullptr || truth->holds != true) return {};
  return {{binary->sign.span, "≈"}};
}

std::string Answers::sides_text(const ExpectedEntry& entry, const ast::Expr& condition) {
  std::string left = entry.left;
  std::string right = entry.right;
  std::string difference = entry.difference;
  const auto* binary = std::get_if<ast::Binary>(&condition.node);
  const auto a = binary == nullptr ? std::nullopt : value_of(*binary->left);
  const auto b =
      binary == nullptr || is_bound_name(*binary->right) ? std::nullopt : value_of(*binary->right);
  const auto* from = a ? std::get_if<Quantity>(&*a) : nullptr;
  const auto* to = b ? std::get_if<Quantity>(&*b) : nullptr;
  if (from != nullptr && to != nullptr) {
    const ast::Expr& written =
        in_binary_unit(*to, *binary->right).empty() ? *binary->left : *binary->right;
    const std::string in_unit = in_binary_unit(*from, written);
    if (!in_unit.empty()) {
      left = in_unit;
      right = in_binary_unit(*to, written);
      const std::string times = multiple_text(*from, *to);
      if (!times.empty()) difference = times;
    }
  }
  return fmt::format("the left side is {}, the right side {}{}", left, right,
                     difference.empty() ? "" : ": " + difference);
}

std::vector<Edit> Answers::share_edits(const ast::Expr& condition) {
  const auto* binary = std::get_if<ast::Binary>(&condition.node);
  if (binary == nullptr || binary->op != ast::BinaryOp::Equal ||
      !std::holds_alternative<ast::Member>(binary->left->node) || is_bound_name(*binary->right))
    return {};
  const auto left = value_of(*binary->left);
  const auto right = value_of(*binary->right);
  const auto* one = left ? std::get_if<Quantity>(&*left) : nullptr;
  const auto* all = right ? std::get_if<Quantity>(&*right) : nullptr;
  const auto share = one != nullptr ? one->value.constant() : std::nullopt;
  const auto whole = all != nullptr ? all->value.constant() : std::nullopt;
  if (!share || !whole || (one->unit != kFlops && one->unit != kBytes)) return {};
  const Mesh& mesh = context_.scope.mesh();
  std::vector<std::pair<std::int64_t, std::string>> parts;
  for (const MeshAxis& axis : mesh.axes) {
    if (const auto length = axis.length()) parts.emplace_back(*length, "|" + axis.name + "|");
  }
  if (const auto count = mesh.device_count()) parts.emplace_back(*count, "devices");
  const auto* sum = std::get_if<ast::Binary>(&binary->right->node);
  const bool loose =
      sum != nullptr && (sum->op == ast::BinaryOp::Add || sum->op == ast::BinaryOp::Subtract);
  for (const auto& [count, text] : parts) {
    const Span end{condition.at.span.file, binary->right->at.span.end, binary->right->at.span.end};
    if (count > 1 && !loose && *share * Rational(count) == *whole) return {{end, " / " + text}};
  }
  return {};
}

std::vector<Note> Answers::other_layouts(const ast::Expr& condition) {
  const auto* binary = std::get_if<ast::Binary>(&condition.node);
  const auto* call = binary == nullptr ? nullptr : std::get_if<ast::Call>(&binary->left->node);
  if (call == nullptr || call->arguments.size() != 1) return {};
  const auto* array = std::get_if<ast::ArrayRef>(&call->arguments.front()->node);
  const auto id = array != nullptr && array->bracketed && array->name
                      ? context_.scope.find_array(array->name->text)
                      : std::nullopt;
  if (!id) return {};
  // A bare name means the newest copy.
  ast::Expr other = condition;
  auto& changed = std::get<ast::Call>(std::get<ast::Binary>(other.node).left->node);
  changed.arguments.front()->node = ast::ArrayRef{.name = array->name, .at = array->at};
  const auto value = value_of(other);
  const auto* truth = value ? std::get_if<Truth>(&*value) : nullptr;
  if (truth == nullptr || truth->holds != true) return {};
  const ArrayInfo& info = context_.scope.arrays[*id];
  return {{info.span, fmt::format("`{}` is held as {}, with which it holds", info.name,
                                  list_copies(*id, context_.scope))}};
}

void Answers::judge(const ExpectedEntry& entry, const ast::Expr& condition) {
  const Span span = condition.at.span;
  if (entry.holds == true) return;
  std::vector<std::string> help;
  if (!entry.left.empty() && !entry.right.empty()) help.push_back(sides_text(entry, condition));
  if (const std::string parts = parts_text(condition); !parts.empty()) help.push_back(parts);
  auto origins = origins_of(condition, context_.scope);
  for (Note& note : other_layouts(condition)) origins.push_back(std::move(note));
  if (!entry.holds) {
    const std::string sizes = missing_sizes(condition);
    help.push_back(
        fmt::format("give the sizes that are missing{}, or compare FLOPs and bytes, which are "
                    "exact polynomials",
                    sizes.empty() ? "" : fmt::format(", as in `{}`", sizes)));
    fail(DiagnosticKind::Undecidable, span, "this depends on sizes that are not given",
         std::move(help), std::move(origins));
  } else {
    std::vector<Edit> edits = rounded_edits(condition);
    if (edits.empty()) edits = share_edits(condition);
    if (!edits.empty() && edits.front().text.starts_with(" /"))
      help.emplace_back("the figures of a block are those of one device");
    report(context_, DiagnosticKind::ExpectFailed, span, "this does not hold", std::move(help),
           std::move(origins), std::move(edits));
  }
}

// What checking the block draws, and what its devices cannot do of it.
DiagnosticSink Answers::diagnostics_of(const std::vector<ast::Statement>& body) {
  DiagnosticSink sink;
  RunnerState state{
      .scope = supposition_scope(context_.scope, context_.scope), .programs = {}, .entries = {}};
  Budget* budget = options_.budget;
  const Budget before = budget != nullptr ? *budget : Budget{};
  run_statements(body, state,
                 {.judge_expects = false,
                  .budget = budget,
                  .modules = options_.modules,
                  .faults = options_.faults},
                 sink);
  // What the block was stopped for is its mistake, and the script goes on after it.
  if (budget != nullptr) {
    budget->unwinding = before.unwinding;
    budget->exhausted = before.exhausted;
  }
  if (!options_.judge_expects || !is_sound(status_of(sink.all()))) return sink;
  for (const Program& program : state.programs)
    check_device_limits(program, figures_of(program), sink);
  return sink;
}

void Answers::expect_error(const ast::ExpectError& expect, Span span) {
  const auto& catalogue = diagnostic_catalogue();
  const auto wanted =
      std::find_if(catalogue.begin(), catalogue.end(),
                   [&](const DiagnosticInfo& info) { return info.name == expect.kind.text; });
  if (wanted == catalogue.end()) {
    std::vector<std::string> names;
    for (const DiagnosticInfo& info : catalogue) names.emplace_back(info.name);
    const auto near = nearest_name(expect.kind.text, names);
    return fail(DiagnosticKind::UnknownName, expect.kind.at.span,
                fmt::format("no kind of error is called `{}`", expect.kind.text),
                {near ? fmt::format("did you mean `{}`?", *near) : "shard help errors lists them"});
  }
  const DiagnosticSink inner = diagnostics_of(expect.body);
  const bool found = expect.found_by_parser || std::any_of(inner.all().begin(), inner.all().end(),
                                                           [&](const Diagnostic& diagnostic) {
                                                             return diagnostic.kind == wanted->kind;
                                                           });
  state_.entries.push_back(ExpectedEntry{.text = "error " + expect.kind.text,
                                         .holds = found,
                                         .left = {},
                                         .right = {},
                                         .difference = {}});
  if (found || !options_.judge_expects) return;
  std::vector<std::string> help;
  for (const Diagnostic& diagnostic : inner.all()) {
    help.push_back(fmt::format("it gave {}: {}", info(diagnostic.kind).name, diagnostic.message));
  }
  if (help.empty()) help.push_back("the block has no error at all");
  fail(DiagnosticKind::ExpectedErrorMissing, span,
       fmt::format("the block was to give the error {}", expect.kind.text), std::move(help));
}

void Answers::why(const ast::Why& why, Span span) {
  if (context_.scope.supposition) return refuse_inside_block("why", span);
  const StatementRecord* record = nullptr;
  const Program* program = nullptr;
  for (const Program& one : state_.programs) {
    for (const StatementRecord& statement : one.statements) {
      if (statement.is_argument) continue;
      if (why.array && !is_target(statement, *why.array)) continue;
      record = &statement;
      program = &one;
    }
  }
  if (record == nullptr) {
    const Scope& scope = context_.scope;
    if (why.array && (scope.is_unknown(why.array->text) || scope.find_array(why.array->text)) &&
        context_.sink.has_errors()) {
      return;  // a mistake in the statement that was to make it was reported
    }
    return fail(DiagnosticKind::NothingToExplain, span,
                why.array ? fmt::format("no statement made `{}`", why.array->text)
                          : "nothing was planned before this",
                {"`why` explains the statement before it, `why C` the one that made C"});
  }
  state_.entries.push_back(WhyEntry{record->text, weighed_ways(*record, *program, context_.scope),
                                    record->ways != nullptr && record->ways->reference_sizes});
}

bool Answers::is_target(const StatementRecord& statement, const ast::Identifier& name) const {
  return name_key(context_.scope.arrays[statement.target].name) == name_key(name.text);
}

}  // namespace shard
