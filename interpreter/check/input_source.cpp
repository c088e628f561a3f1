#include "interpreter/check/input_source.h"

#include <fmt/format.h>

#include <unordered_set>
#include <utility>

#include "base/function.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/check/declaration.h"
#include "interpreter/check/operation.h"
#include "interpreter/host/npy.h"

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

// A source and the number that it is multiplied with or divided by; null: 1.
struct ScaledSource {
  const ast::Expr* source;
  const ast::Expr* number = nullptr;
  bool divided = false;
};

ScaledSource scaled_source(const ast::Expr& expr, const Scope& scope) {
  const auto pair = [&](const auto& node, bool divided) {
    const auto is_source = [](const ast::Expr& side) { return !!named_source(source_name(side)); };
    if (is_source(*node.left) && is_number(*node.right, scope))
      return ScaledSource{&*node.left, &*node.right, divided};
    if (!divided && is_source(*node.right) && is_number(*node.left, scope))
      return ScaledSource{&*node.right, &*node.left};
    return ScaledSource{&expr};
  };
  const auto* product = std::get_if<ast::Product>(&expr.node);
  if (product != nullptr && !product->local && product->index.empty()) return pair(*product, false);
  const auto* binary = std::get_if<ast::Binary>(&expr.node);
  if (binary != nullptr && binary->op == ast::BinaryOp::Hadamard) return pair(*binary, false);
  if (binary != nullptr && binary->op == ast::BinaryOp::Divide) return pair(*binary, true);
  return {&expr};
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
  for (const ArrayInfo& array : scope.store.arrays) {
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
                                        const InputFiles& files, CheckContext& context) {
  InputStep values{.result = {}, .seed = info.name, .kind = *named_source(source_name(source))};
  const auto* call = std::get_if<ast::Call>(&source.node);
  const std::size_t count = call == nullptr ? 0 : call->arguments.size();
  const bool takes_one = values.kind == InputKind::Random || values.kind == InputKind::Given;
  if (takes_one ? count != 1 : count > 1) {
    report(context, DiagnosticKind::BadArgument, source.at.span,
           takes_one ? fmt::format("`{}` takes one argument", source_name(source))
                     : fmt::format("`{}` takes an array whose element type it has, or nothing",
                                   source_name(source)),
           {"A = random(7), A = load(\"a.npy\"), A = zeros, A = zeros(B)"});
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
      !claim_file({FileUse::Load, path->value, argument.at.span}, files.files, {}, context))
    return std::nullopt;
  values.given = loaded(path->value, files.memory, *file, argument.at.span, context);
  return values;
}

// `zeros(x)`: the array whose element type it has; null for other sources.
const ast::Expr* typed_like(const ast::Expr& source) {
  const auto* call = std::get_if<ast::Call>(&source.node);
  const auto kind = named_source(source_name(source));
  const bool takes_array = kind && is_fill(*kind);
  return takes_array && call != nullptr && call->arguments.size() == 1 ? &*call->arguments.front()
                                                                       : nullptr;
}

// Gives the target the element type of that array. Reports what is no array, and a target that is declared with another type.
bool take_type(const ast::Expr& source, Span target, ArrayInfo& info, CheckContext& context) {
  const ast::Expr& like = *typed_like(source);
  const auto taken = type_of_array(like, {{source.at.span, source_name(source)}}, context);
  if (!taken) return false;
  const DType dtype = *taken;
  if (info.form != nullptr && info.dtype != dtype) {
    report(context, DiagnosticKind::DtypeMismatch, target,
           fmt::format("`{}` is declared as {}, and `{}` holds {}", info.name, name_of(info.dtype),
                       print(like, Spelling::Unicode), name_of(dtype)),
           {"leave one of the two types out"});
    return false;
  }
  info.dtype = dtype;
  return true;
}

// Reports a number that has no value, or none that divides.
std::optional<double> checked_factor(const ScaledSource& scaled, CheckContext& context) {
  const auto number = plain_number(*scaled.number, context);
  if (!number) return std::nullopt;
  const auto value = number->constant();
  if (value && !(scaled.divided && *value == Rational(0)))
    return scaled.divided ? 1 / value->to_double() : value->to_double();
  report(context, DiagnosticKind::BadArgument, scaled.number->at.span,
         value ? std::string("this is 0, and values are divided by it")
               : fmt::format("values are multiplied with a number, and this has none: {}",
                             number->to_string()),
         {"A = 0.02 · random(7)"});
  return std::nullopt;
}

}  // namespace

bool is_input_source(const ast::Expr& written, const Scope& scope) {
  const ast::Expr& expr = *scaled_source(written, scope).source;
  const std::string name = source_name(expr);
  if (!named_source(name)) return false;
  if (std::holds_alternative<ast::Call>(expr.node)) return true;
  return is_constant(*find_function(name)) && !scope.names.find_array(name) &&
         scope.find_binding(name) == nullptr && !scope.names.find_dimension(name);
}

bool report_source_inside(const ast::Expr& expr, const TargetHint& target, CheckContext& context) {
  const auto* word = std::get_if<ast::ArrayRef>(&expr.node);
  const FunctionInfo* source =
      word != nullptr && word->name && !word->bracketed && word->indices.empty()
          ? find_function(word->name->text)
          : nullptr;
  if (source == nullptr || !is_constant(*source) ||
      context.scope.names.find_array(word->name->text))
    return false;
  const bool counts = source->use == FunctionUse::Iota;
  const auto edit = [&]() -> std::vector<Edit> {
    if (!counts) return {{expr.at.span, source->use == FunctionUse::Ones ? "1" : "0"}};
    const auto labels = target.brackets              ? target.brackets->labels
                        : target.declared != nullptr ? target.declared->dimensions
                                                     : std::vector<DimensionId>();
    if (labels.empty()) return {};
    return {{expr.at.span, "iota_" + context.scope.store.dimensions[labels.back()].name}};
  };
  report(
      context, DiagnosticKind::BadArgument, expr.at.span,
      fmt::format("`{}` gives a whole input its values, and stands alone after `=`", source->name),
      counts ? std::vector<std::string>{"inside of an expression positions are counted along "
                                        "one dimension, and that is named"}
             : std::vector<std::string>(),
      {}, edit());
  return true;
}

void check_input_source(const ast::Expr& source, const ast::ArrayRef& target, Span span,
                        const InputFiles& files, CheckContext& context) {
  Scope& scope = context.scope;
  const auto earlier = target.name ? scope.names.find_array(target.name->text) : std::nullopt;
  if (changes_elements(target)) {
    report(context, DiagnosticKind::BadArgument, source.at.span,
           fmt::format("`{}` makes a whole array, and this is a part of one",
                       print(source, Spelling::Unicode)),
           {"a number is put in each element, `A[I, 0:4] = 0`, and so is an array: A[I, 0:K] = "
            "B[I, K]"});
    return;
  }
  if (!target.name || (!target.bracketed && !earlier)) {
    if (target.name && scope.told.is_unknown(target.name->text)) return;
    report(context, DiagnosticKind::UnknownName, target.at.span,
           "it is not said what dimensions this array has",
           {fmt::format("write them: {}[I, J] = {}", target.name ? target.name->text : "A",
                        print(source, Spelling::Unicode))});
    if (target.name) scope.told.unknown.insert(name_key(target.name->text));
    return;
  }
  if (target.bracketed) {
    if (!check_given(target, context)) return;
  } else {
    ArrayInfo info = scope.store.arrays[*earlier];
    info.computed = false;
    info.span = span;
    const ArrayId id = scope.store.arrays.add(std::move(info));
    LiveCopies copies = scope.held.of(*earlier);
    if (const LiveCopy* newest = scope.held.newest_written(*earlier))
      copies = {{.layout = newest->layout, .copy = {}, .made = newest->made}};
    scope.held.change(id) = std::move(copies);
    scope.names.array_names[name_key(target.name->text)] = id;
  }
  ArrayInfo& info = scope.store.arrays[*scope.names.find_array(target.name->text)];
  const ScaledSource scaled = scaled_source(source, scope);
  const bool typed = typed_like(*scaled.source) != nullptr;
  if (typed && !take_type(*scaled.source, target.at.span, info, context)) return;
  auto values = checked_source(*scaled.source, info, files, context);
  if (!values) return;
  if (scaled.number != nullptr) {
    const auto factor = checked_factor(scaled, context);
    if (!factor) return;
    values->factor = *factor;
  }
  info.values = std::make_shared<const InputStep>(*std::move(values));
}

}  // namespace shard
