// Reductions along dimensions, and softmax (design: language, rule 7).
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/contains.h"
#include "base/function.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/check/collective/collective_help.h"
#include "interpreter/check/contraction.h"
#include "interpreter/check/operation.h"
#include "interpreter/check/selection/selection.h"
#include "interpreter/check/unused_name.h"
#include "interpreter/planning/local_layout.h"

namespace shard {

namespace {

Along along_of(const std::string& name) {
  const FunctionInfo* function = find_function(name);
  return function == nullptr ? Along::None : function->along;
}

std::vector<std::string> functions_along() {
  std::vector<std::string> names;
  for (const FunctionInfo& function : functions()) {
    if (function.along != Along::None && is_listed(function)) names.emplace_back(function.name);
  }
  return names;
}

std::optional<ReductionKind> reduction_of(Along along) {
  switch (along) {
    case Along::Sum:
      return ReductionKind::Sum;
    case Along::Mean:
      return ReductionKind::Mean;
    case Along::Max:
      return ReductionKind::Max;
    case Along::Min:
      return ReductionKind::Min;
    default:
      return std::nullopt;
  }
}

bool begins_alike(std::string_view text, std::string_view name) {
  const auto alike = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  return text.size() >= name.size() && std::equal(name.begin(), name.end(), text.begin(), alike);
}

// The dimensions that `IJ` or `ij` runs together, two at least; nothing if it is no such word.
std::vector<std::string> names_run_together(std::string_view word, std::vector<std::string> own) {
  std::vector<std::string> found;
  while (!word.empty()) {
    const auto next = std::find_if(
        own.begin(), own.end(), [&](const std::string& name) { return begins_alike(word, name); });
    if (next == own.end()) return {};
    word.remove_prefix(next->size());
    found.push_back(*next);
    own.erase(next);
  }
  return found.size() > 1 ? found : std::vector<std::string>();
}

class ReductionChecker {
 public:
  ReductionChecker(const ast::Call& call, Span span, const TargetHint& target,
                   CheckContext& context)
      : call_(call), span_(span), target_(target), context_(context), scope_(context.scope) {}

  std::optional<checked::Operation> check() {
    const Along along_function = along_of(call_.function.text);
    if (along_function == Along::Top) return check_top(call_, span_, target_, context_);
    if (along_function == Along::OneHot) return check_one_hot(call_, span_, target_, context_);
    if (along_function == Along::Scatter) return check_scatter(call_, span_, target_, context_);
    if (along_function == Along::Concat || along_function == Along::Pad)
      return check_concat(call_, span_, target_, context_);
    const auto kind = reduction_of(along_function);
    if (along_function == Along::None) return lacking();
    if (call_.arguments.size() != 1) {
      return fail(DiagnosticKind::BadArgument, span_,
                  fmt::format("`{}` along a dimension takes one array, and {} are written",
                              call_.function.text, call_.arguments.size()));
    }
    auto operand = check_operation(*call_.arguments.front(), hint_for_operand(), context_);
    if (!operand || target_.failed) return std::nullopt;
    const auto along = dimensions_of(*operand);
    if (!along) return std::nullopt;
    if (kind) return reduce(*kind, std::move(*operand), *along);
    return along_function == Along::Softmax
               ? normalise(std::move(*operand), *along)
               : look_along(along_function, std::move(*operand), *along);
  }

 private:
  std::optional<checked::Operation> fail(DiagnosticKind kind, Span span, std::string message,
                                         std::vector<std::string> help = {}) {
    report(context_, kind, span, std::move(message), std::move(help));
    return std::nullopt;
  }

  std::optional<checked::Operation> lacking() {
    if (report_lacking(call_, span_, true, " of arrays", context_)) return std::nullopt;
    return fail(
        DiagnosticKind::NotYet, call_.function.at.span,
        fmt::format("this version does not run `{}` along a dimension", call_.function.text),
        {join_words(functions_along()) + " are what it runs"});
  }

  // What is inside has the target's dimensions and those that are reduced.
  TargetHint hint_for_operand() const {
    TargetHint hint = target_.inside();
    if (!hint.brackets) return hint;
    for (const ast::Identifier& name : call_.subscript) {
      const auto label = scope_.names.find_dimension(name.text);
      auto& labels = hint.brackets->labels;
      if (label && std::find(labels.begin(), labels.end(), *label) == labels.end()) {
        labels.push_back(*label);
        hint.brackets->layout.dims.edit().emplace_back();
      }
    }
    return hint;
  }

  // Most are along the last dimension that each device has as a whole.
  static DimensionId likely_label(const checked::Operation& operand) {
    for (std::size_t i = operand.labels.size(); operand.layout && i > 0; --i) {
      if (operand.layout->dims[i - 1].empty()) return operand.labels[i - 1];
    }
    return operand.labels.back();
  }

  // `max_I(A[2:6, :])`: the part is called by the dimension that it is of, as well as by its length.
  std::optional<DimensionId> part_called(const std::string& name,
                                         const checked::Operation& operand) const {
    const auto* array = std::get_if<ast::ArrayRef>(&(*call_.arguments.front()).node);
    const auto known = array != nullptr && array->name && array->indices.empty()
                           ? scope_.names.find_array(array->name->text)
                           : std::nullopt;
    const auto wanted = scope_.names.find_dimension(name);
    if (!known || !wanted || contains(operand.labels, *wanted)) return std::nullopt;
    const std::vector<DimensionId>& own = scope_.store.arrays[*known].dimensions;
    const auto place = std::find(own.begin(), own.end(), *wanted);
    if (place == own.end() || own.size() != operand.labels.size() || !has_part(*array))
      return std::nullopt;
    return operand.labels[static_cast<std::size_t>(place - own.begin())];
  }

  // `{I,J}` in the place of `IJ`, or `I,J` where it stands in braces.
  std::string several_in_subscript(const ast::Identifier& name,
                                   const std::vector<std::string>& several) const {
    const bool braced = name.at.span.begin > call_.function.at.span.end + 1;
    return fmt::format("{}{}{}", braced ? "" : "{", join(several, ","), braced ? "" : "}");
  }

  std::optional<std::vector<DimensionId>> dimensions_of(const checked::Operation& operand) {
    std::vector<DimensionId> along;
    for (const ast::Identifier& name : call_.subscript) {
      const auto part = part_called(name.text, operand);
      const auto label = part ? part : scope_.names.find_dimension(name.text);
      const auto& labels = operand.labels;
      const auto twin = dimension_called_as_another(labels, scope_);
      if (!part && twin && scope_.store.dimensions[*twin].name == name.text) {
        fail(DiagnosticKind::DimensionReused, name.at.span,
             fmt::format("two dimensions of `{}` are called {}, so they cannot be told apart",
                         describe(operand, scope_), name.text),
             {"give them names: I = " + name.text + ", then A[I, J]"});
        return std::nullopt;
      }
      if (!label || std::find(labels.begin(), labels.end(), *label) == labels.end()) {
        if (const auto several = names_run_together(name.text, scope_.store.names_of(labels));
            !several.empty()) {
          report(context_, DiagnosticKind::UnknownDimension, name.at.span,
                 lacks_dimension(operand, name.text, scope_), {}, {},
                 {{name.at.span, several_in_subscript(name, several)}});
          return std::nullopt;
        }
        const auto near = nearest_name(name.text, scope_.store.names_of(labels));
        const bool last = !near && !labels.empty() && call_.subscript.size() == 1;
        report(context_, DiagnosticKind::UnknownDimension, name.at.span,
               lacks_dimension(operand, name.text, scope_),
               {near ? fmt::format("did you mean `{}`?", *near) : own_dimensions(labels, scope_)},
               {},
               last ? std::vector<Edit>{{name.at.span,
                                         scope_.store.dimensions[likely_label(operand)].name}}
                    : std::vector<Edit>());
        return std::nullopt;
      }
      if (std::find(along.begin(), along.end(), *label) != along.end()) {
        fail(DiagnosticKind::DimensionReused, name.at.span,
             fmt::format("`{}` stands twice in the subscript", name.text), {"name it once"});
        return std::nullopt;
      }
      along.push_back(*label);
    }
    return along;
  }

  std::optional<checked::Operation> reduce(ReductionKind kind, checked::Operation operand,
                                           const std::vector<DimensionId>& along) {
    std::vector<DimensionId> labels = operand.labels;
    std::erase_if(labels, [&](DimensionId label) {
      return std::find(along.begin(), along.end(), label) != along.end();
    });
    labels = in_target_order(std::move(labels), target_);
    checked::Operation result{.node = checked::Use{}, .labels = labels, .dtype = operand.dtype};
    if (kind == ReductionKind::Mean) result.dtype = fractional_type(operand.dtype);
    result.span = span_;
    if (operand.layout) {
      const auto local = planning::local_reduction(
          kind, numbered(operand.labels), without_trivial_axes(*operand.layout, scope_.mesh()),
          numbered(labels));
      if (const auto* layout = std::get_if<Layout>(&local)) {
        result.layout = *layout;
      } else if (!is_inferred_sum(operand)) {
        return report_unreduced(operand);
      }
    }
    result.node = checked::Reduction{.kind = kind, .operand = std::move(operand)};
    return result;
  }

  // `argmax_J`, `cumsum_J`.
  std::optional<checked::Operation> look_along(Along function, checked::Operation operand,
                                               const std::vector<DimensionId>& along) {
    if (along.size() != 1) {
      return fail(DiagnosticKind::BadArgument, span_,
                  fmt::format("`{}` looks along one dimension at a time", call_.function.text),
                  {function == Along::ArgMax
                       ? place_along_several(call_, scope_.store.names_of(operand.labels), scope_)
                       : "it is taken along one after the other"});
    }
    if (!check_reduced(
            operand, fmt::format("`{}` of its parts is not that of the whole", call_.function.text),
            context_))
      return std::nullopt;
    const bool finds = function == Along::ArgMax;
    std::vector<DimensionId> labels = operand.labels;
    if (finds) std::erase(labels, along.front());
    const DType dtype = finds ? DType::Int32 : operand.dtype;
    checked::Selection selection{.kind = finds ? SelectionKind::Top : SelectionKind::CumSum,
                                 .operands = {},
                                 .along = along,
                                 .position = {}};
    selection.operands.push_back(std::move(operand));
    return selection_of(std::move(selection), in_target_order(std::move(labels), target_), dtype,
                        span_, scope_);
  }

  std::optional<checked::Operation> report_unreduced(const checked::Operation& operand) {
    const std::string text = describe(operand, scope_);
    const std::string axes = axes_to_string(operand.layout->unreduced, scope_.mesh());
    ReduceFirst mend = reduce_first(operand, scope_);
    report(context_, DiagnosticKind::UnreducedOperand, operand.span,
           fmt::format("`{}` is still unreduced over `{}`, and `{}` of its parts is not that of "
                       "the whole",
                       text, axes, call_.function.text),
           std::move(mend.help), {}, std::move(mend.edits));
    return std::nullopt;
  }

  std::optional<checked::Operation> normalise(checked::Operation operand,
                                              const std::vector<DimensionId>& along) {
    const bool unreduced =
        operand.layout && !without_trivial_axes(*operand.layout, scope_.mesh()).unreduced.empty();
    if (unreduced && !is_inferred_sum(operand)) return report_unreduced(operand);
    checked::Operation result{
        .node = checked::Use{}, .labels = operand.labels, .dtype = fractional_type(operand.dtype)};
    result.labels = in_target_order(std::move(result.labels), target_);
    result.span = span_;
    result.layout = local_softmax(operand, result.labels, along, unreduced);
    result.node = checked::Softmax{.operand = std::move(operand), .along = along};
    return result;
  }

  // Without communication only where the dimensions are whole.
  std::optional<Layout> local_softmax(const checked::Operation& operand,
                                      const std::vector<DimensionId>& labels,
                                      const std::vector<DimensionId>& along, bool unreduced) const {
    if (!operand.layout || unreduced) return std::nullopt;
    Layout layout = replicated(labels.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const auto at = std::find(operand.labels.begin(), operand.labels.end(), labels[i]);
      layout.dims.edit()[i] = without_trivial_axes(*operand.layout, scope_.mesh())
                                  .dims[static_cast<std::size_t>(at - operand.labels.begin())];
      const bool summed = std::find(along.begin(), along.end(), labels[i]) != along.end();
      if (summed && !layout.dims[i].empty()) return std::nullopt;
    }
    return layout;
  }

  const ast::Call& call_;
  Span span_;
  const TargetHint& target_;
  CheckContext& context_;
  Scope& scope_;
};

}  // namespace

std::string place_along_several(const ast::Call& call, std::vector<std::string> dimensions,
                                const Scope& scope) {
  std::vector<std::string> along;
  for (const ast::Identifier& name : call.subscript) along.push_back(name.text);
  const auto first = std::search(dimensions.begin(), dimensions.end(), along.begin(), along.end());
  if (first == dimensions.end() || call.arguments.size() != 1)
    return "one that stands for several is made by Reshape, of dimensions that stand next to one "
           "another in their order";
  const std::string whole = unused_name({"P", "Q", "R", "N", "M"}, scope);
  const std::string array = unused_name({"y", "z", "w", "v", "u"}, scope);
  *first = whole;
  dimensions.erase(first + 1, first + std::ptrdiff_t(along.size()));
  return fmt::format(
      "`{0} = {1}; {2}[{3}] = Reshape({4})` before it, and here `argmax_{0}({5}{2})`: the place "
      "where {6} are counted through",
      whole, join(along, " · "), array, join(dimensions, ", "),
      print(*call.arguments.front(), Spelling::Unicode), call.function.text == "argmin" ? "-" : "",
      join_words(along));
}

std::optional<checked::Operation> check_reduction(const ast::Call& call, Span span,
                                                  const TargetHint& target, CheckContext& context) {
  return ReductionChecker(call, span, target, context).check();
}

}  // namespace shard
