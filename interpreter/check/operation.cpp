#include "interpreter/check/operation.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "base/dtype.h"
#include "base/function.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "grammar/translate/lacking.h"
#include "grammar/tree/names.h"
#include "interpreter/check/selection/places.h"
#include "interpreter/planning/search/route_search.h"
#include "stdlib/library.h"

namespace shard {

namespace {
std::optional<checked::Operation> not_an_array(const ast::Expr& expr, CheckContext& context) {
  report(context, DiagnosticKind::NotArray, expr.at.span,
         fmt::format("`{}` is not an array", print(expr, Spelling::Unicode)),
         {std::holds_alternative<ast::Number>(expr.node)
              ? "an array of one value is declared with it: `O: bf16[I, J] = 2`"
              : "a product of arrays takes names, brackets and collectives"});
  return std::nullopt;
}

// What the word was probably to be: `softmx_S` has its subscript with it, which few functions take.
std::optional<std::string> nearest_function(const std::string& word,
                                            const std::vector<std::string>& known) {
  if (auto near = nearest_name(word, known)) return near;
  std::vector<std::string> along;
  for (const FunctionInfo& function : functions()) {
    if (function.along != Along::None && is_listed(function)) along.emplace_back(function.name);
  }
  for (std::size_t end = word.rfind('_'); end != std::string::npos && end > 0;
       end = word.rfind('_', end - 1)) {
    const auto near = nearest_name(word.substr(0, end), along);
    if (near && *near != word.substr(0, end)) return *near + word.substr(end);
  }
  return std::nullopt;
}

std::optional<checked::Operation> unknown_function(const ast::Call& call, Span span,
                                                   CheckContext& context) {
  if (context.scope.told.unknown.contains(name_key(call.function.text)) ||
      report_lacking(call, span, true, " of arrays", context))
    return std::nullopt;
  std::vector<std::string> known;
  std::vector<std::string> casts;
  for (const FunctionInfo& function : functions()) {
    if (!computes_array(function) || !is_listed(function)) continue;
    (bracket_dtype(function.name) ? casts : known).emplace_back(function.name);
  }
  const std::string functions = join_words(known);
  known.insert(known.end(), casts.begin(), casts.end());
  for (const DTypeAlias& alias : dtype_aliases()) {
    if (alias.place == DTypePlace::Anywhere) known.emplace_back(alias.word);
  }
  if (context.sink.shows_more_errors()) {
    for (const auto& [key, function] : context.scope.names.functions)
      known.push_back(function->name.text);
  }
  const std::string& word = call.function.text;
  // `half` and `float` are types after a colon alone, as arrays may have these names.
  const auto alias =
      std::find_if(dtype_aliases().begin(), dtype_aliases().end(), [&](const DTypeAlias& one) {
        return one.place == DTypePlace::AfterColon && one.word == word;
      });
  if (alias != dtype_aliases().end()) {
    report(
        context, DiagnosticKind::UnknownFunction, call.function.at.span,
        fmt::format("no function of arrays is called `{}`: a cast has the name of its type", word),
        {}, {}, {{call.function.at.span, std::string(name_of(alias->dtype))}});
    return std::nullopt;
  }
  const auto near = nearest_function(word, known);
  report(context, DiagnosticKind::UnknownFunction, call.function.at.span,
         fmt::format("no function of arrays is called `{}`", word),
         {find_library_function(word) != nullptr ? *library_hint(word)
          : near                                 ? fmt::format("did you mean `{}`?", *near)
                 : library_hint(word).value_or("they are " + functions)});
  return std::nullopt;
}

// `sum_J(A), sum_{I,J}(A)`: the call with dimensions of the array that it is about.
std::string with_dimensions(const ast::Call& call, const CheckContext& context) {
  const std::string& name = call.function.text;
  std::vector<std::string> dimensions = {"I", "J"};
  std::string array = "A[I, J]";
  if (call.arguments.size() == 1) {
    const auto* argument = std::get_if<ast::ArrayRef>(&call.arguments.front()->node);
    const auto id = argument == nullptr || !argument->name
                        ? std::nullopt
                        : context.scope.names.find_array(argument->name->text);
    if (id && !context.scope.store.arrays[*id].dimensions.empty()) {
      dimensions = context.scope.store.names_of(context.scope.store.arrays[*id].dimensions);
      array = print(*call.arguments.front(), Spelling::Unicode);
    }
  }
  const std::string one = fmt::format("{}_{}({})", name, dimensions.back(), array);
  const bool takes_several = (name == "sum" || name == "mean") && dimensions.size() > 1;
  return takes_several
             ? fmt::format("{}, {}_{{{}}}({})", one, name, fmt::join(dimensions, ","), array)
             : one;
}

// `softmax_D`, `sum_{B,D}`: along the last dimension, or those that the target lacks. None where the array is not known.
std::vector<Edit> along_edits(const ast::Call& call, Along along, const TargetHint& target,
                              const CheckContext& context) {
  const Scope& scope = context.scope;
  const auto* array = call.arguments.size() == 1
                          ? std::get_if<ast::ArrayRef>(&call.arguments.front()->node)
                          : nullptr;
  const auto id =
      array != nullptr && array->name ? scope.names.find_array(array->name->text) : std::nullopt;
  std::vector<std::string> own;
  if (id) own = scope.store.names_of(scope.store.arrays[*id].dimensions);
  std::vector<std::string> kept;
  if (target.brackets && !target.within) kept = scope.store.names_of(target.brackets->labels);
  const bool keeps_all = along == Along::Softmax || along == Along::CumSum;
  if (keeps_all && own.empty()) own = kept;
  if (own.empty()) return {};
  std::vector<std::string> index = {own.back()};
  const bool reduces = along == Along::Sum || along == Along::Mean;
  if (reduces && kept.empty()) index = own;
  if (!keeps_all && !kept.empty()) {
    std::erase_if(own, [&](const std::string& name) { return contains(kept, name); });
    if (!own.empty()) index = own;
  }
  const std::string text = index.size() == 1 ? index.front() : "{" + join(index, ",") + "}";
  return {{call.function.at.span, call.function.text + "_" + text}};
}

std::optional<checked::Operation> check_call(const ast::Call& call, const ast::Expr& expr,
                                             const TargetHint& target, CheckContext& context) {
  if (!call.subscript.empty()) return check_reduction(call, expr.at.span, target, context);
  if (is_elementwise(expr)) return check_elements(expr, target, context);
  const std::string& name = call.function.text;
  const FunctionInfo* function = find_function(name);
  const Along along = function == nullptr ? Along::None : function->along;
  if (along == Along::Sum || along == Along::Mean || along == Along::Softmax ||
      along == Along::ArgMax || along == Along::CumSum) {
    report(context, DiagnosticKind::BadArgument, call.function.at.span,
           fmt::format("`{}` of an array does not say along which dimension", name),
           {with_dimensions(call, context)}, {}, along_edits(call, along, target, context));
    return std::nullopt;
  }
  if (along != Along::None && is_listed(*function)) {
    report(context, DiagnosticKind::BadArgument, call.function.at.span,
           fmt::format("`{}` does not say which dimension it is about", name),
           {std::string(function->example)});
    return std::nullopt;
  }
  if (name == "Reshape") return check_reshape(call, expr.at.span, target, context);
  return unknown_function(call, expr.at.span, context);
}

}  // namespace

std::optional<checked::Operation> check_operation(const ast::Expr& expr, const TargetHint& target,
                                                  CheckContext& context) {
  return match(
      expr.node,
      [&](const ast::ArrayRef& array) {
        if (!array.indices.empty()) return check_indexed(array, target, context);
        if (const auto picked = picked_element(array, context))
          return check_operation(*picked, target, context);
        if (has_part(array)) return check_part(array, target, context);
        return is_iota(expr, context.scope) ? check_elements(expr, target, context)
                                            : check_use(array, context);
      },
      [&](const ast::Product& product) {
        return check_product(product, expr.at.span, target, context);
      },
      [&](const ast::Collective& collective) {
        return check_collective(collective, expr.at.span, target, context);
      },
      [&](const ast::Binary&) { return check_elements(expr, target, context); },
      [&](const ast::Unary&) { return check_elements(expr, target, context); },
      [&](const ast::Number&) { return not_an_array(expr, context); },
      [&](const ast::Call& call) { return check_call(call, expr, target, context); },
      [&](const ast::Shaped&) { return check_shaped(expr, target, context); },
      [&](const ast::Indexed& indexed) {
        return check_indexed(indexed, expr.at.span, target, context);
      },
      [&](const ast::Text&) { return not_an_array(expr, context); },
      [&](const ast::Member&) { return not_an_array(expr, context); },
      [&](const ast::SizeOf&) { return not_an_array(expr, context); },
      [&](const ast::BlockExpr&) { return not_an_array(expr, context); },
      [&](const ast::Question&) { return not_an_array(expr, context); });
}

namespace {
// Whether all functions of a formula are of numbers, too.
bool computes_numbers(std::string_view formula) {
  for (const FunctionInfo& function : functions()) {
    const bool stands = formula.find(std::string(function.name) + "(") != std::string_view::npos;
    if (stands && !gives_number(function)) return false;
  }
  return formula.find("$_") == std::string_view::npos &&
         formula.find("⊙") == std::string_view::npos;
}
}  // namespace

namespace {

// Of an array that stands in brackets or is known; empty for others.
std::vector<std::string> dimension_names(const ast::Expr& expr, const Scope& scope) {
  const auto* array = std::get_if<ast::ArrayRef>(&expr.node);
  if (array == nullptr || !array->name) return {};
  std::vector<std::string> names;
  for (const ast::Dimension& dimension : array->dimensions) {
    const auto* name = std::get_if<ast::Identifier>(&dimension.name);
    names.push_back(name == nullptr ? "" : name->text);
  }
  const auto known = scope.names.find_array(array->name->text);
  return known && names.empty() ? scope.store.names_of(scope.store.arrays[*known].dimensions)
                                : names;
}

}  // namespace

bool report_lacking(const ast::Call& call, Span span, bool is_operand, std::string_view of,
                    CheckContext& context) {
  const Scope& scope = context.scope;
  auto word = lacking_word(call.function.text, [&](const std::string& name) {
    return scope.names.find_dimension(name) || scope.find_binding(name) != nullptr;
  });
  // Its dimensions in braces.
  if (word && !call.subscript.empty()) {
    std::vector<std::string> names;
    for (const ast::Identifier& name : call.subscript) names.push_back(name.text);
    const std::string row = join(names, ",");
    word->subscript = "_" + (names.size() == 1 ? row : "{" + row + "}");
  }
  if (!word || find_library_function(call.function.text) != nullptr) return false;
  std::vector<std::string> arguments;
  for (const auto& argument : call.arguments)
    arguments.push_back(print(*argument, Spelling::Unicode));
  const bool finds = call.function.text == "argmin" && call.subscript.size() > 1;
  const auto line = finds ? std::nullopt : written_out(*word, arguments, is_operand);
  const bool of_numbers =
      of.empty() &&
      std::none_of(call.arguments.begin(), call.arguments.end(), [&](const auto& argument) {
        return is_array_expression(*argument, context.scope);
      });
  if (of_numbers && !(line && computes_numbers(word->function->formula))) return false;
  report(context, DiagnosticKind::UnknownFunction, call.function.at.span,
         fmt::format("no function{} is called `{}`", of, call.function.text),
         line    ? std::vector<std::string>()
         : finds ? std::vector{place_along_several(
                       call, dimension_names(*call.arguments.front(), scope), scope)}
                 : std::vector{said_of(*word->function)},
         {}, line ? std::vector<Edit>{{span, *line}} : std::vector<Edit>());
  return true;
}

std::optional<DimensionId> dimension_called_as_another(const std::vector<DimensionId>& labels,
                                                       const Scope& scope) {
  for (auto here = labels.begin(); here != labels.end(); ++here) {
    const auto& literal = scope.store.dimensions[*here].literal;
    if (literal && std::any_of(labels.begin(), here, [&](DimensionId other) {
          return scope.store.dimensions[other].literal == literal;
        }))
      return *here;
  }
  return std::nullopt;
}

// Of `x[4, 4]` and `z[4]` nothing tells which of the two meets the one; of `x[4, 4]` and `y[4, 4]` the first meets the first.
bool check_told_apart(const std::vector<checked::Operation>& operands, CheckContext& context) {
  const Scope& scope = context.scope;
  for (const checked::Operation& operand : operands) {
    const auto twin = dimension_called_as_another(operand.labels, scope);
    if (!twin) continue;
    const DimensionInfo& info = scope.store.dimensions[*twin];
    const auto has_one_of_them = [&](const checked::Operation& other) {
      return !contains(other.labels, *twin) &&
             std::any_of(other.labels.begin(), other.labels.end(), [&](DimensionId label) {
               return scope.store.dimensions[label].literal == info.literal;
             });
    };
    if (std::none_of(operands.begin(), operands.end(), has_one_of_them)) continue;
    report(context, DiagnosticKind::DimensionReused, operand.span,
           fmt::format("two dimensions of `{}` are called {}, so they cannot be told apart",
                       describe(operand, scope), info.name),
           {"give them names: I = " + info.name + ", then A[I, J]"});
    return false;
  }
  return true;
}

bool check_result_labels(const checked::Operation& result, const TargetHint& target,
                         CheckContext& context) {
  if (!target.brackets) return true;
  const Scope& scope = context.scope;
  for (const DimensionId label : result.labels) {
    if (contains(target.brackets->labels, label)) continue;
    const std::string name = scope.store.dimensions[label].name;
    report(context, DiagnosticKind::DroppedDimension, target.span,
           fmt::format("dimension `{}` of what flows into the target is not in it", name),
           {fmt::format("keep `{}` in the target, or sum over it: sum_{}(…)", name, name)});
    return false;
  }
  for (const DimensionId label : target.brackets->labels) {
    if (contains(result.labels, label)) continue;
    report(context, DiagnosticKind::TargetMismatch, target.span,
           fmt::format("the target has dimension `{}`, which nothing that flows into it has",
                       scope.store.dimensions[label].name),
           {fmt::format("what flows into it is `{}`", describe(result, scope))});
    return false;
  }
  return true;
}

std::vector<DimensionId> in_target_order(std::vector<DimensionId> labels,
                                         const TargetHint& target) {
  if (!target.brackets || target.brackets->labels == labels) return labels;
  std::vector<DimensionId> ordered;
  for (const DimensionId label : target.brackets->labels) {
    if (contains(labels, label)) ordered.push_back(label);
  }
  return ordered.size() == labels.size() ? ordered : labels;
}

bool is_inferred_sum(const checked::Operation& operation) {
  return match(
      operation.node, [](const checked::Use&) { return false; },
      [](const checked::Product& product) { return !product.local; },
      [](const checked::Elementwise& elements) {
        return std::any_of(elements.operands.begin(), elements.operands.end(), is_inferred_sum);
      },
      [](const checked::Reduction&) { return true; }, [](const checked::Softmax&) { return true; },
      [](const checked::Selection&) { return true; },
      [](const checked::Collective&) { return false; });
}

std::string bracket_text(const std::vector<DimensionId>& labels, const Layout& layout,
                         const Scope& scope) {
  return to_string(layout, scope.store.names_of(labels), scope.mesh());
}

std::string name_in(const checked::Operation& operation, const Scope& scope) {
  if (const auto* use = std::get_if<checked::Use>(&operation.node))
    return scope.store.arrays[use->array].name;
  const auto* collective = std::get_if<checked::Collective>(&operation.node);
  return collective == nullptr ? "" : name_in(*collective->operand, scope);
}

std::string describe(const checked::Operation& operation, const Scope& scope) {
  const auto* elements = std::get_if<checked::Elementwise>(&operation.node);
  if (elements != nullptr && elements->program.size() == 1 &&
      elements->program.front().op == ElementOp::Position)
    return std::string(kIotaPrefix) + elements->program.front().name;
  // A part goes by the name of its array.
  const auto* part = std::get_if<checked::Selection>(&operation.node);
  const checked::Operation& named =
      part != nullptr && part->kind == SelectionKind::Gather ? part->operands.front() : operation;
  const Layout layout = operation.layout.value_or(replicated(operation.labels.size()));
  return name_in(named, scope) + bracket_text(operation.labels, layout, scope);
}

std::optional<planning::Route> route_between(const checked::Operation& operand,
                                             const Layout& target, const Scope& scope) {
  const Layout from = without_trivial_axes(*operand.layout, scope.mesh());
  const Layout to = without_trivial_axes(target, scope.mesh());
  const planning::Shape shape{.lengths = scope.shape_of(operand.labels), .dtype = operand.dtype};
  return planning::cheapest_route({from}, to, shape, scope.hardware(), planning::MoveRule::Direct);
}

std::string way_between(const checked::Operation& operand, const Layout& target,
                        const Scope& scope) {
  const auto route = route_between(operand, target, scope);
  if (!route)
    return "no collective leads from there to the target: it is unreduced over an axis that the "
           "operand is not";
  std::vector<std::string> names;
  for (const planning::Move& move : route->moves) {
    names.push_back(planning::name_of(move, scope.store.names_of(operand.labels), scope.mesh()));
  }
  return names.empty() ? "the operand has the target's layout already: leave the collective out"
                       : join_words(names, "then") + " would lead to the target";
}

}  // namespace shard
