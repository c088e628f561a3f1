#include "interpreter/evaluate/builtin_call.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/collective.h"
#include "base/dtype.h"
#include "base/function.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "grammar/translate/lacking.h"
#include "grammar/tree/names.h"
#include "grammar/tree/walk_expression.h"
#include "interpreter/check/array.h"
#include "interpreter/check/former_array.h"
#include "interpreter/check/operation.h"
#include "interpreter/suggest/unit_help.h"
#include "runtime/cost/cost.h"
#include "runtime/machine/chip_figure.h"
#include "stdlib/library.h"

namespace shard {

namespace {

std::vector<std::string> number_functions() {
  std::vector<std::string> names;
  for (const FunctionInfo& function : functions()) {
    if (gives_number(function)) names.emplace_back(function.name);
  }
  return names;
}

// The functions of one number, and the numbers that they have a value for. Those that keep no unit take plain numbers.
struct FunctionOfOne {
  std::string_view name;
  Formula (*apply)(const Formula&);
  bool (*has_value)(const Rational&);
  bool keeps_unit = false;
};
bool always(const Rational&) { return true; }
const Rational kE = Rational::approximate(2.718281828459045);
const FunctionOfOne kFunctionsOfOne[] = {
    {"sqrt", sqrt, [](const Rational& x) { return x >= Rational(0); }},
    {"rsqrt", [](const Formula& x) { return Formula(1) / sqrt(x); },
     [](const Rational& x) { return x > Rational(0); }},
    {"round", round, always},
    {"ceil", ceil, always},
    {"floor", floor, always},
    {"log2", log2, [](const Rational& x) { return x > Rational(0); }},
    {"log", [](const Formula& x) { return log2(x) / log2(Formula(kE)); },
     [](const Rational& x) { return x > Rational(0); }},
    {"exp", [](const Formula& x) { return power(Formula(kE), x); }, always},
    {"abs", [](const Formula& x) { return max(x, Formula(0) - x); }, always, true},
};

class CallEvaluator {
 public:
  CallEvaluator(const ast::Call& call, Span span, EvaluationContext& context)
      : call_(call),
        span_(span),
        context_(context),
        check_(context.check),
        scope_(context.check.scope) {}

  std::optional<Value> evaluate() {
    const std::string& name = call_.function.text;
    if (context_.host.calls_functions() && scope_.names.functions.count(name_key(name)) != 0)
      return context_.host.call(call_, span_);
    if (name == "bytes" || name == "total_bytes") return bytes(name == "total_bytes");
    if (name == "min") return fold([](const Formula& a, const Formula& b) { return min(a, b); });
    if (name == "max") return fold([](const Formula& a, const Formula& b) { return max(a, b); });
    if (name == "sum") return fold([](const Formula& a, const Formula& b) { return a + b; });
    for (const FunctionOfOne& function : kFunctionsOfOne) {
      if (name == function.name) return function_of_one(function);
    }
    return unknown();
  }

 private:
  std::optional<Value> fail(DiagnosticKind kind, Span span, std::string message,
                            std::vector<std::string> help = {}) {
    report(check_, kind, span, std::move(message), std::move(help));
    return std::nullopt;
  }

  std::optional<Value> unknown() {
    const std::string& name = call_.function.text;
    const FunctionInfo* function = find_function(name);
    if (function != nullptr && function->use == FunctionUse::Contents) {
      std::vector<std::string> arrays;
      for (const Box<ast::Expr>& argument : call_.arguments)
        arrays.push_back(print(*argument, Spelling::Unicode));
      return fail(DiagnosticKind::BadArgument, call_.function.at.span,
                  "contents of arrays are known when the run is over: `equal` stands alone after "
                  "`expect`",
                  {fmt::format("expect equal({})", join(arrays, ", "))});
    }
    if (function != nullptr && is_source(*function)) {
      return fail(DiagnosticKind::BadArgument, call_.function.at.span,
                  fmt::format("`{}` gives an input its values, alone after `=`", name),
                  {"A[I, J] = random(7), A = zeros, A = load(\"a.npy\")"});
    }
    if (scope_.told.module_failed) return std::nullopt;
    if (!call_.subscript.empty() || (function != nullptr && computes_array(*function))) {
      if (report_unknown_operand() || report_cast()) return std::nullopt;
      return fail(DiagnosticKind::NotScalar, call_.function.at.span,
                  fmt::format("`{}` computes arrays, and a number is needed here", name),
                  {"numbers depend on sizes and costs, never on the contents of arrays"});
    }
    if (scope_.told.unknown.contains(name_key(name))) return std::nullopt;
    if (report_length()) return std::nullopt;
    if (name == "coord") {
      return fail(
          DiagnosticKind::UnknownFunction, call_.function.at.span,
          "the place of a device on an axis, `coord(X)`, stands in an index and nowhere else",
          {"A[I, J][I = coord(X)]"});
    }
    if (report_lacking(call_, span_, true, "", check_)) return std::nullopt;
    std::vector<std::string> known = number_functions();
    std::optional<std::string> near;
    if (check_.sink.shows_more_errors()) {
      for (const auto& [key, own] : scope_.names.functions) known.push_back(own->name.text);
      if (lacking_function(name) == nullptr) near = nearest_name(name, known);
    }
    return fail(DiagnosticKind::UnknownFunction, call_.function.at.span,
                fmt::format("no function is called `{}`", name),
                {find_library_function(name) != nullptr ? *library_hint(name)
                 : near                                 ? fmt::format("did you mean `{}`?", *near)
                        : library_hint(name).value_or("the functions are " + join_words(known))});
  }

  // `fp32(0.5)`: a number has no type of its own. False if it is no cast of one number.
  bool report_cast() {
    if (!bracket_dtype(call_.function.text) || call_.arguments.size() != 1) return false;
    report(check_, DiagnosticKind::NotScalar, call_.function.at.span,
           fmt::format("`{}` casts the elements of an array, and `{}` is a number",
                       call_.function.text, print(*call_.arguments.front(), Spelling::Unicode)),
           {"numbers take the type of the arrays that they stand next to: write it as it is"}, {},
           {{span_, print(*call_.arguments.front(), Spelling::Unicode)}});
    return true;
  }

  // `len(A)`, `size(A)`: the first dimension's name is its length. False if it is none.
  bool report_length() {
    const std::string& name = call_.function.text;
    if ((name != "len" && name != "length" && name != "size") || call_.arguments.size() != 1)
      return false;
    const auto* array = std::get_if<ast::ArrayRef>(&call_.arguments.front()->node);
    const auto id = array != nullptr && array->name && !array->bracketed
                        ? scope_.names.find_array(array->name->text)
                        : std::nullopt;
    if (!id || scope_.store.arrays[*id].dimensions.empty()) return false;
    const auto dimensions = scope_.store.names_of(
        {scope_.store.arrays[*id].dimensions.begin(), scope_.store.arrays[*id].dimensions.end()});
    report(check_, DiagnosticKind::UnknownFunction, call_.function.at.span,
           fmt::format("no function is called `{}`: the name of a dimension is its length", name),
           {fmt::format("the dimensions of `{}` are {}", scope_.store.arrays[*id].name,
                        join(dimensions, ", "))},
           {}, {{span_, dimensions.front()}});
    return true;
  }

  // A name that means nothing, where an array was meant: `relu(Hiden)`. False if there is none.
  bool report_unknown_operand() {
    return std::any_of(call_.arguments.begin(), call_.arguments.end(),
                       [&](const Box<ast::Expr>& argument) {
                         return any_inside(*argument, [&](const ast::Expr& part) {
                           const auto* array = std::get_if<ast::ArrayRef>(&part.node);
                           return array != nullptr && array->name && !array->bracketed &&
                                  report_unknown(*array->name);
                         });
                       });
  }

  bool report_unknown(const ast::Identifier& name) {
    const std::string& word = name.text;
    if (scope_.names.find_array(word) || scope_.find_binding(word) ||
        scope_.names.find_dimension(word) || scope_.find_axes(word) || scope_.told.is_unknown(word))
      return false;
    if (!report_dropped(word, name.at.span, check_) && !report_ended(word, name.at.span, check_))
      report_unknown_array(word, name.at.span, check_);
    return true;
  }

  bool wants(std::size_t count) {
    if (call_.arguments.size() == count) return true;
    fail(DiagnosticKind::BadArgument, span_,
         fmt::format("`{}` takes {} argument{}, and {} are written", call_.function.text, count,
                     count == 1 ? "" : "s", call_.arguments.size()));
    return false;
  }

  std::optional<Value> bytes(bool total) {
    if (!wants(1)) return std::nullopt;
    const ast::Expr& argument = *call_.arguments.front();
    const auto* array = std::get_if<ast::ArrayRef>(&argument.node);
    if (array == nullptr) {
      return fail(DiagnosticKind::NotArray, argument.at.span,
                  fmt::format("`{}` takes an array, and `{}` is none", call_.function.text,
                              print(argument, Spelling::Unicode)),
                  {"bytes(A[I_X, J]), bytes(bf16[1024_X, 4096])"});
    }
    const auto copy = described_copy(*array, check_);
    if (!copy) return std::nullopt;
    const Amount local = local_bytes(copy->shape, copy->dtype, copy->layout, scope_.mesh());
    if (!total) return Quantity{Formula(local), kBytes};
    Amount devices(1);
    for (std::size_t i = 0; i < scope_.mesh().axes.size(); ++i) {
      const AxisId axis{static_cast<std::int32_t>(i)};
      if (!place_on(copy->layout, axis)) devices = devices * scope_.mesh().axes[axis].size;
    }
    return Quantity{Formula(local * devices), kBytes};
  }

  // The plain numbers among them with the unit that the others have.
  std::vector<Edit> argument_edits(const std::vector<Quantity>& values) const {
    std::vector<Edit> edits;
    Unit unit;
    for (const Quantity& value : values) {
      if (value.unit.is_plain()) continue;
      if (!unit.is_plain() && unit != value.unit) return {};
      unit = value.unit;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!values[i].unit.is_plain()) continue;
      for (Edit& edit : unit_edits(*call_.arguments[i], unit)) edits.push_back(std::move(edit));
    }
    return edits;
  }

  std::optional<std::vector<Quantity>> quantities() {
    std::vector<Quantity> values;
    for (const auto& argument : call_.arguments) {
      auto value = evaluate_quantity(*argument, context_);
      if (!value) return std::nullopt;
      values.push_back(std::move(*value));
    }
    if (values.empty()) {
      fail(DiagnosticKind::BadArgument, span_,
           fmt::format("`{}` takes at least 1 argument", call_.function.text),
           {fmt::format("{}(1, 2)", call_.function.text)});
    }
    for (const Quantity& value : values) {
      if (value.unit == values.front().unit) continue;
      report(check_, DiagnosticKind::UnitMismatch, span_,
             fmt::format("the arguments of `{}` are {} and {}", call_.function.text,
                         describe(values.front().unit), describe(value.unit)),
             {}, {}, argument_edits(values));
      return std::nullopt;
    }
    return values.empty() ? std::nullopt : std::optional(std::move(values));
  }

  template <typename Join>
  std::optional<Value> fold(Join join) {
    auto values = quantities();
    if (!values) return std::nullopt;
    Quantity result = values->front();
    for (std::size_t i = 1; i < values->size(); ++i)
      result.value = join(result.value, (*values)[i].value);
    return result;
  }

  std::optional<Value> function_of_one(const FunctionOfOne& function) {
    if (!wants(1)) return std::nullopt;
    const auto argument = evaluate_quantity(*call_.arguments.front(), context_);
    if (!argument) return std::nullopt;
    if (!function.keeps_unit && !argument->unit.is_plain()) {
      return fail(DiagnosticKind::UnitMismatch, call_.arguments.front()->at.span,
                  fmt::format("`{}` takes a plain number, and this is one of {}", function.name,
                              describe(argument->unit)),
                  {"divide by a unit first, as in x / 1 us"});
    }
    const auto number = argument->value.constant();
    if (number && !function.has_value(*number)) {
      return fail(DiagnosticKind::BadArgument, span_,
                  fmt::format("`{}` of {} is no number", function.name, to_text(*argument)));
    }
    // Of a plain number that is its unit, too.
    return Quantity{function.apply(argument->value), argument->unit};
  }

  const ast::Call& call_;
  Span span_;
  EvaluationContext& context_;
  CheckContext& check_;
  Scope& scope_;
};

}  // namespace

std::optional<Value> evaluate_call(const ast::Call& call, Span span, EvaluationContext& context) {
  return CallEvaluator(call, span, context).evaluate();
}

bool is_function_of_language(const std::string& name) {
  const FunctionInfo* function = find_function(name);
  return function != nullptr || bracket_dtype(name) || find_collective(name) != nullptr;
}

}  // namespace shard
