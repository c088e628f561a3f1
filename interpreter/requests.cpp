#include "interpreter/requests.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <span>
#include <unordered_set>

#include "base/format.h"
#include "base/function.h"
#include "base/text.h"
#include "grammar/names.h"
#include "grammar/printer.h"
#include "interpreter/check_declaration.h"
#include "interpreter/check_operation.h"
#include "interpreter/npy.h"
#include "interpreter/step_writer.h"

namespace shard {

namespace {

std::optional<InputKind> named_source(const std::string& name) {
  const FunctionInfo* function = find_function(name);
  if (function == nullptr) return std::nullopt;
  switch (function->use) {
    case FunctionUse::Random:
      return InputKind::Random;
    case FunctionUse::Iota:
      return InputKind::Iota;
    case FunctionUse::Zeros:
      return InputKind::Zeros;
    case FunctionUse::Ones:
      return InputKind::Ones;
    case FunctionUse::Load:
      return InputKind::Given;
    default:
      return std::nullopt;
  }
}

std::string source_name(const ast::Expr& expr) {
  if (const auto* call = std::get_if<ast::Call>(&expr.node))
    return call->subscript.empty() ? call->function.text : "";
  const auto* word = std::get_if<ast::ArrayRef>(&expr.node);
  return word != nullptr && !word->bracketed && word->name ? word->name->text : "";
}

// Shape and type of the file against those of the array.
bool check_file(const NpyArray& file, const ArrayInfo& info, const std::string& path, Span span,
                CheckContext& context) {
  const Scope& scope = context.scope;
  std::vector<std::string> lengths;
  for (const std::int64_t length : file.shape) lengths.push_back(std::to_string(length));
  bool fits = file.shape.size() == info.dimensions.size();
  for (std::size_t d = 0; fits && d < file.shape.size(); ++d) {
    const auto length = scope.size_of(info.dimensions[d]).constant();
    fits = length && *length == Rational(file.shape[d]);
  }
  if (!fits) {
    std::vector<std::string> wanted;
    for (const Amount& length : scope.shape_of(info.dimensions))
      wanted.push_back(length.to_string());
    report(context, DiagnosticKind::SizeMismatch, span,
           fmt::format("{} holds an array of [{}], and `{}` is [{}]", path, join(lengths, ", "),
                       info.name, join(wanted, ", ")),
           {"give its dimensions the lengths of the file before this line"});
    return false;
  }
  if (may_load(info.dtype, file.dtype)) return true;
  report(context, DiagnosticKind::DtypeMismatch, span,
         fmt::format("{} holds {}, and `{}` is {}", path, name_of(file.dtype), info.name,
                     name_of(info.dtype)),
         {fmt::format("declare `{}` as {}", info.name, name_of(file.dtype))});
  return false;
}

bool is_seed(const Formula& number) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  const auto constant = number.constant();
  const auto whole = constant ? constant->to_int64() : std::nullopt;
  return whole && *whole >= 0 && *whole <= kMost;
}

// Of the files that were loaded so far.
double bytes_of_values(const Scope& scope) {
  std::unordered_set<const void*> files;
  double bytes = 0;
  for (const ArrayInfo& array : scope.arrays) {
    const auto* values = array.values == nullptr ? nullptr : array.values->given.get();
    if (values != nullptr && files.insert(values).second)
      bytes += sizeof(double) * static_cast<double>(values->size());
  }
  return bytes;
}

// What a file holds, if all files together take no more than `memory` and there is that much. What lacks its values then is
// not run.
std::shared_ptr<const std::vector<double>> loaded(const std::string& path, double memory,
                                                  const NpyArray& header, Span span,
                                                  CheckContext& context) {
  double bytes = sizeof(double);
  for (const std::int64_t length : header.shape) bytes *= static_cast<double>(length);
  if (bytes > memory || bytes + bytes_of_values(context.scope) > memory) return nullptr;
  try {
    auto file = read_npy(path);
    if (file && file->shape == header.shape && file->dtype == header.dtype)
      return std::make_shared<const std::vector<double>>(std::move(file->values));
    report(context, DiagnosticKind::UnreadableFile, span,
           file ? fmt::format("{} changed while it was read", path) : file.error().message);
  } catch (const std::bad_alloc&) {
  }
  return nullptr;
}

// The values that a source gives to an array; `result` of the step stays open.
std::optional<InputStep> checked_source(const ast::Expr& source, const ArrayInfo& info,
                                        const RunnerOptions& options, CheckContext& context) {
  InputStep values{.result = {}, .seed = info.name, .kind = *named_source(source_name(source))};
  const auto* call = std::get_if<ast::Call>(&source.node);
  const std::size_t count = call == nullptr ? 0 : call->arguments.size();
  const bool takes_one = values.kind == InputKind::Random || values.kind == InputKind::Given;
  if (count != (takes_one ? 1 : 0)) {
    report(context, DiagnosticKind::BadArgument, source.at.span,
           takes_one ? fmt::format("`{}` takes one argument", source_name(source))
                     : fmt::format("`{}` takes no arguments", source_name(source)),
           {"A = random(7), A = load(\"a.npy\"), A = zeros"});
    return std::nullopt;
  }
  if (!takes_one) return values;
  const ast::Expr& argument = *call->arguments.front();
  const auto* path = std::get_if<ast::Text>(&argument.node);
  if (values.kind == InputKind::Random) {
    const auto seed = path == nullptr ? plain_number(argument, context) : std::nullopt;
    if (seed && is_seed(*seed)) {
      values.seed = "random " + seed->constant()->to_string();
      return values;
    }
    if (seed || path != nullptr)
      report(context, DiagnosticKind::BadArgument, argument.at.span,
             "a seed is a whole number from 0 to 2^53", {"A = random(7)"});
    return std::nullopt;
  }
  if (path == nullptr) {
    report(context, DiagnosticKind::BadArgument, argument.at.span, "a file is written in quotes",
           {"A = load(\"a.npy\")"});
    return std::nullopt;
  }
  const auto file = read_npy_header(path->value);
  if (!file) {
    report(context, DiagnosticKind::UnreadableFile, argument.at.span, file.error().message,
           {"paths are those of the folder in which the command runs"});
    return std::nullopt;
  }
  if (!check_file(*file, info, path->value, argument.at.span, context) ||
      !claim_file({FileUse::Load, path->value, argument.at.span}, options.files, {}, context))
    return std::nullopt;
  values.given = loaded(path->value, options.memory, *file, argument.at.span, context);
  return values;
}

struct Difference {
  std::size_t element = 0;
  double excess = 0;  // above what is allowed
};

// The element that differs most beyond the tolerance; nullopt if none does. |a − b| ≤ tolerance·(1 + |b|).
std::optional<Difference> largest_difference(std::span<const double> a, std::span<const double> b,
                                             double tolerance) {
  std::optional<Difference> largest;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
    const double gap = std::abs(a[i] - b[i]);
    const double excess = std::isnan(gap) ? HUGE_VAL : gap - tolerance * (1 + std::abs(b[i]));
    if (excess > 0 && (!largest || excess > largest->excess)) largest = Difference{i, excess};
  }
  return largest;
}

std::string index_text(std::size_t element, const std::vector<std::int64_t>& shape) {
  std::vector<std::string> index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    const auto length = static_cast<std::size_t>(shape[d]);
    index[d] = std::to_string(element % length);
    element /= length;
  }
  return "[" + join(index, ", ") + "]";
}

void settle_equal(const ArrayRequest& request, const Execution& execution, ExpectedEntry& entry,
                  DiagnosticSink& sink) {
  const GlobalArray& left = execution.kept.at(request.copy);
  const GlobalArray& right = execution.kept.at(*request.other);
  const auto worst = largest_difference(left.values, right.values, request.tolerance);
  entry.pending = false;
  entry.holds = !worst.has_value();
  if (!worst) return;
  entry.left = format_significant(left.values[worst->element]);
  entry.right = format_significant(right.values[worst->element]);
  sink.report(
      {.kind = DiagnosticKind::ExpectFailed,
       .span = request.span,
       .message = "the two arrays are not equal",
       .help = {fmt::format("they differ most at {}: {} on the left, {} on the right",
                            index_text(worst->element, left.shape), entry.left, entry.right)}});
}

void settle_save(const ArrayRequest& request, const Program& program, const Execution& execution,
                 const std::function<bool()>& cancelled, RunFiles& files, SavedEntry& entry,
                 DiagnosticSink& sink) {
  const FileClaim claim{FileUse::Save, entry.path, request.span};
  const GlobalArray& array = execution.kept.at(request.copy);
  const auto other = files.in_the_way(claim);
  const auto written =
      other
          ? failure(fmt::format("{} is {}, and is not written over", entry.path, described(*other)))
          : write_npy(entry.path, array.shape, program.plan.copies[request.copy].dtype,
                      array.values, cancelled);
  entry.written = written.has_value();
  if (entry.written) return files.written(claim);
  if (cancelled && cancelled()) return;
  sink.report({.kind = DiagnosticKind::ExecutionFailed,
               .span = request.span,
               .message = written.error().message});
}

// The copy that an array stands for where it is read; an input appears in the plan.
std::optional<CopyId> requested_copy(const ast::Expr& array, Program& program,
                                     CheckContext& context) {
  const auto* ref = std::get_if<ast::ArrayRef>(&array.node);
  if (ref == nullptr || !ref->indices.empty()) {
    report(context, DiagnosticKind::NotArray, array.at.span,
           fmt::format("`{}` is no array that is there", print(array, Spelling::Unicode)),
           {"give it a name on a line of its own first"});
    return std::nullopt;
  }
  const auto use = check_use(*ref, context);
  if (!use) return std::nullopt;
  StepWriter writer(context.scope, program);
  const auto& known = std::get<checked::Use>(use->node);
  const Layout layout = writer.trimmed(known.layout);
  // After a mistake an array is known, and there is no copy of it.
  if (find_copy(context.scope.arrays[known.array], layout, context.scope.mesh()) == nullptr)
    return std::nullopt;
  set_machine(program, context.scope.hardware());
  return writer.live_copy(known.array, layout);
}

// "b-2.npy" for "b.npy".
std::string another_name(const std::string& path) {
  const std::filesystem::path file = path;
  return (file.parent_path() /
          fmt::format("{}-2{}", file.stem().string(), file.extension().string()))
      .string();
}

// Two copies to compare.
std::optional<ArrayRequest> check_equal(const ast::Call& call, Span span, Program& program,
                                        CheckContext& context) {
  const auto& arguments = call.arguments;
  if (arguments.size() != 2 && arguments.size() != 3) {
    report(context, DiagnosticKind::BadArgument, call.function.at.span,
           fmt::format("`equal` takes two arrays and a tolerance, and {} are written",
                       arguments.size()),
           {"expect equal(A, B), expect equal(A, B, 1e-3)"});
    return std::nullopt;
  }
  ArrayRequest request{.copy = {}, .other = std::nullopt, .span = span};
  if (arguments.size() == 3) {
    const auto tolerance = plain_number(*arguments[2], context);
    if (!tolerance) return std::nullopt;
    const auto number = tolerance->constant();
    if (!number || *number < Rational(0)) {
      report(context, DiagnosticKind::BadArgument, arguments[2]->at.span,
             "a tolerance is a number from 0 on", {"expect equal(A, B, 1e-3)"});
      return std::nullopt;
    }
    request.tolerance = number->to_double();
  }
  const auto left = requested_copy(*arguments[0], program, context);
  const bool same =
      print(*arguments[0], Spelling::Unicode) == print(*arguments[1], Spelling::Unicode);
  if (!left && same) return std::nullopt;
  const auto right = requested_copy(*arguments[1], program, context);
  if (!left || !right) return std::nullopt;
  const Copy& a = program.plan.copies[*left];
  const Copy& b = program.plan.copies[*right];
  if (a.shape != b.shape) {
    report(context, DiagnosticKind::SizeMismatch, span,
           fmt::format("`{}{}` and `{}{}` have different shapes", a.name,
                       to_string(a.layout, a.dimensions, context.scope.mesh()), b.name,
                       to_string(b.layout, b.dimensions, context.scope.mesh())),
           {"arrays are compared element by element, in the order of their dimensions"});
    return std::nullopt;
  }
  request.copy = *left;
  request.other = *right;
  return request;
}

}  // namespace

bool run_expect_equal(const ast::Expect& expect, const StatementRunner& runner) {
  RunnerState& state = runner.state;
  const auto* call = std::get_if<ast::Call>(&expect.condition.node);
  if (call == nullptr || call->function.text != "equal" || !call->subscript.empty()) return false;
  if (state.scope.supposition) return false;
  Program& target = runner.program();
  auto request = check_equal(*call, expect.condition.at.span, target, runner.context);
  if (!request) return true;
  request->entry = state.entries.size();
  target.requests.push_back(*request);
  ExpectedEntry entry{.text = one_line(print(expect.condition, Spelling::Unicode))};
  entry.pending = true;
  entry.program = state.programs.size() - 1;
  state.entries.push_back(std::move(entry));
  return true;
}

void run_save(const ast::Save& save, Span span, const StatementRunner& runner) {
  RunnerState& state = runner.state;
  if (state.scope.supposition) {
    return report(runner.context, DiagnosticKind::BadArgument, span,
                  "`save` stands outside of blocks", {"a block is a supposition, and never runs"});
  }
  Program& target = runner.program();
  const std::string array = print(save.array, Spelling::Unicode);
  const auto copy = requested_copy(save.array, target, runner.context);
  if (!copy || !claim_file({FileUse::Save, save.path.value, span}, runner.options.files,
                           {fmt::format("save {} \"{}\"", array, another_name(save.path.value))},
                           runner.context))
    return;
  target.requests.push_back(
      {.copy = *copy, .other = std::nullopt, .entry = state.entries.size(), .span = span});
  state.entries.push_back(
      SavedEntry{.program = state.programs.size() - 1, .array = array, .path = save.path.value});
}

bool is_input_source(const ast::Expr& expr, const Scope& scope) {
  const std::string name = source_name(expr);
  if (!named_source(name)) return false;
  if (std::holds_alternative<ast::Call>(expr.node)) return true;
  return is_constant(*find_function(name)) && !scope.find_array(name) &&
         scope.find_binding(name) == nullptr && !scope.find_dimension(name);
}

void check_input_source(const ast::Expr& source, const ast::ArrayRef& target, Span span,
                        const RunnerOptions& options, CheckContext& context) {
  Scope& scope = context.scope;
  const auto earlier = target.name ? scope.find_array(target.name->text) : std::nullopt;
  if (!target.name || !target.indices.empty() || (!target.bracketed && !earlier)) {
    if (target.name && scope.is_unknown(target.name->text)) return;
    report(context, DiagnosticKind::UnknownName, target.at.span,
           "it is not said what dimensions this array has",
           {fmt::format("write them: {}[I, J] = {}", target.name ? target.name->text : "A",
                        print(source, Spelling::Unicode))});
    if (target.name) scope.unknown.insert(name_key(target.name->text));
    return;
  }
  if (target.bracketed) {
    if (!check_given(target, context)) return;
  } else {
    ArrayInfo info = scope.arrays[*earlier];
    info.computed = false;
    if (const LiveCopy* newest = info.newest_written())
      info.copies = {LiveCopy{.layout = newest->layout, .copy = {}, .made = newest->made}};
    info.span = span;
    scope.array_names[name_key(target.name->text)] = scope.arrays.add(std::move(info));
  }
  ArrayInfo& info = scope.arrays[*scope.find_array(target.name->text)];
  if (auto values = checked_source(source, info, options, context))
    info.values = std::make_shared<const InputStep>(*std::move(values));
}

void settle_requests(const Program& program, Execution& execution, std::size_t first_entry,
                     const std::function<bool()>& cancelled, RunFiles& files,
                     std::vector<Entry>& entries, DiagnosticSink& sink) {
  if (!execution.executed) return;
  for (const ArrayRequest& request : program.requests) {
    if (execution.cancelled) return;
    if (request.entry < first_entry || request.entry >= entries.size()) continue;
    Entry& entry = entries[request.entry];
    if (request.other)
      settle_equal(request, execution, *std::get<Box<ExpectedEntry>>(entry), sink);
    else
      settle_save(request, program, execution, cancelled, files, *std::get<Box<SavedEntry>>(entry),
                  sink);
    execution.cancelled = execution.cancelled || (cancelled && cancelled());
  }
}

}  // namespace shard
