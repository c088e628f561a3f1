#include "interpreter/check/flow.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "base/function.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "grammar/tree/walk_expression.h"
#include "interpreter/check/array.h"
#include "interpreter/check/collective/collective_help.h"
#include "interpreter/check/declaration.h"
#include "interpreter/check/former_array.h"
#include "interpreter/check/intermediate_type.h"
#include "interpreter/check/origin_notes.h"

namespace shard {

namespace {

// The array that a chain of collectives, or a plain use, is about.
std::optional<ArrayId> moved_array(const checked::Operation& operation) {
  return match(
      operation.node, [](const checked::Use& use) { return std::optional(use.array); },
      [](const checked::Product&) { return std::optional<ArrayId>(); },
      [](const checked::Elementwise&) { return std::optional<ArrayId>(); },
      [](const checked::Reduction&) { return std::optional<ArrayId>(); },
      [](const checked::Softmax&) { return std::optional<ArrayId>(); },
      [](const checked::Selection&) { return std::optional<ArrayId>(); },
      [](const checked::Collective& collective) {
        return makes_other_array(collective.kind) ? std::nullopt : moved_array(*collective.operand);
      });
}

bool is_use(const checked::Operation& operation) {
  return std::holds_alternative<checked::Use>(operation.node);
}
bool is_product(const checked::Operation& operation) {
  return std::holds_alternative<checked::Product>(operation.node);
}
// Whether it computes elements, instead of moving them: then dimensions are told apart by their names.
bool is_computed(const checked::Operation& operation) {
  return !is_use(operation) && !std::holds_alternative<checked::Collective>(operation.node);
}

// Whether what is written leaves one layout, and planning no choice.
bool says_its_layout(const checked::Operation& operation) {
  const auto* product = std::get_if<checked::Product>(&operation.node);
  return std::holds_alternative<checked::Collective>(operation.node) ||
         (product != nullptr && product->local);
}

// Whether the right side is collectives or a re-layout of the target's own array, which makes a copy of it.
bool makes_copy(const checked::Operation& value, const ast::ArrayRef& target, const Scope& scope) {
  const auto array = moved_array(value);
  if (!array) return false;
  const ArrayInfo& info = scope.store.arrays[*array];
  if (!target.name) return info.anonymous;
  return !info.anonymous && name_key(info.name) == name_key(target.name->text);
}

class FlowChecker {
 public:
  FlowChecker(const ast::ArrayRef& target, Span span, CheckContext& context)
      : target_(target), span_(span), context_(context), scope_(context.scope) {}

  std::optional<checked::Flow> check(const ast::Expr& value, const TargetHint& hint) {
    // A number needs a target, whose mistake is reported.
    if (hangs_on_mistake(value, scope_) || lacks_function(value) ||
        (hint.failed && is_number(value, scope_))) {
      define_unchecked(hint, std::nullopt);
      return std::nullopt;
    }
    if (changes_elements(target_)) return check_change(value);
    if (!hint.failed && is_untyped_fill(value)) {
      report_untyped_fill(value, target_, context_);
      define_unchecked(hint, std::nullopt);
      return std::nullopt;
    }
    auto operation = is_fill(value, target_, scope_) ? check_fill(value, target_, hint, context_)
                                                     : check_operation(value, hint, context_);
    if (!operation || hint.failed) {
      define_unchecked(hint, operation);
      return std::nullopt;
    }
    written_ = std::get_if<ast::Collective>(&value.node);
    auto flow = finish(std::move(*operation), hint);
    if (!flow) define_unchecked(hint, std::nullopt);
    return flow;
  }

 private:
  // `y = tan(x)`: what is written in its place is no operand, and stands without parentheses.
  bool lacks_function(const ast::Expr& value) {
    const auto* call = std::get_if<ast::Call>(&value.node);
    return call != nullptr && find_function(call->function.text) == nullptr &&
           !scope_.names.functions.contains(name_key(call->function.text)) &&
           report_lacking(*call, value.at.span, false, " of arrays", context_);
  }

  // `A[I_X, J] = 0.5`: nothing says what type the elements have.
  bool is_untyped_fill(const ast::Expr& value) const {
    return target_.bracketed && target_.name && is_number(value, scope_) &&
           !is_fill(value, target_, scope_);
  }
  // `A[I, J][I = i] = …`: the array with other elements, in the layout that it has.
  std::optional<checked::Flow> check_change(const ast::Expr& value) {
    auto operation = check_update(target_, value, context_);
    if (!operation) return std::nullopt;
    checked::Flow flow{
        .value = std::move(*operation), .span = span_, .target_span = target_.at.span};
    flow.labels = flow.value.labels;
    flow.layout = std::get<checked::Selection>(flow.value.node).operands.front().layout;
    define(flow);
    return flow;
  }

  // After an error: the target exists as written, so that later uses of it are not errors as well. If it is not known
  // what it would have been, its name is unknown.
  void define_unchecked(const TargetHint& hint, const std::optional<checked::Operation>& value) {
    if (!target_.name || (value && makes_copy(*value, target_, scope_))) return;
    const std::string key = name_key(target_.name->text);
    if (changes_elements(target_)) return;
    if (hint.failed || (!hint.brackets && !value)) {
      return scope_.forget_array(target_.name->text);
    }
    ArrayInfo info{.name = target_.name->text};
    info.dimensions = hint.brackets ? hint.brackets->labels : value->labels;
    info.dtype = unchecked_type(value);
    info.span = target_.at.span;
    const ArrayId id = scope_.store.arrays.add(std::move(info));
    scope_.held.change(id) = {
        {.layout = hint.brackets ? without_trivial_axes(hint.brackets->layout, scope_.mesh())
                                 : value->layout.value_or(replicated(value->labels.size()))}};
    scope_.names.array_names[key] = id;
  }

  DType unchecked_type(const std::optional<checked::Operation>& value) const {
    DiagnosticSink unsaid;
    CheckContext aside{scope_, unsaid, context_.scalars};
    const auto written = target_.dtype ? check_dtype(*target_.dtype, aside) : std::nullopt;
    if (written) return *written;
    const auto known = scope_.names.find_declared(target_.name->text);
    if (known && std::as_const(scope_.store.arrays)[*known].declared)
      return std::as_const(scope_.store.arrays)[*known].dtype;
    return value ? value->dtype : DType::Bf16;
  }

  std::optional<checked::Flow> finish(checked::Operation value, const TargetHint& hint) {
    target_brackets_ = hint.brackets;
    checked::Flow flow{.value = std::move(value), .span = span_, .target_span = target_.at.span};
    flow.labels = hint.brackets ? hint.brackets->labels : flow.value.labels;
    if (hint.brackets) flow.layout = hint.brackets->layout;
    flow.is_copy = makes_copy(flow.value, target_, scope_);
    const bool as_declared = !hint.brackets && hint.declared != nullptr && !flow.is_copy &&
                             !says_its_layout(flow.value) &&
                             flow.labels == hint.declared->dimensions;
    if (as_declared) flow.layout = hint.declared->layout;
    if (!check_target_labels(flow) || !check_unreduced_target(flow) || !check_written_layout(flow))
      return std::nullopt;
    if (flow.is_copy) {
      flow.target = *moved_array(flow.value);
      note_redundant(flow);
    } else {
      define(flow);
    }
    return flow;
  }

  // Outside products the target may rename dimensions, or (for a plain use) put them in another order.
  bool check_target_labels(const checked::Flow& flow) {
    const std::vector<DimensionId>& value = flow.value.labels;
    if (is_product(flow.value) || flow.labels == value) return true;
    if (is_computed(flow.value)) {
      return check_result_labels(flow.value,
                                 {.brackets = target_brackets_, .span = target_.at.span}, context_);
    }
    if (flow.labels.size() != value.size()) {
      report(context_, DiagnosticKind::TargetMismatch, target_.at.span,
             fmt::format("the target has {} dimension{}, and what flows into it has {}",
                         flow.labels.size(), flow.labels.size() == 1 ? "" : "s", value.size()),
             {fmt::format("it is `{}`", describe(flow.value, scope_))});
      return false;
    }
    if (std::is_permutation(flow.labels.begin(), flow.labels.end(), value.begin())) {
      if (is_use(flow.value) && !flow.is_copy) return true;
      report(context_, DiagnosticKind::TransposedUse, target_.at.span,
             flow.is_copy ? fmt::format("`{}` has these dimensions in another order",
                                        scope_.store.arrays[*moved_array(flow.value)].name)
                          : std::string("a collective keeps the order of the dimensions"),
             {fmt::format("it leaves `{}`; a transpose is a line of its own with another name on "
                          "the right: A[I, J] → B[J, I]",
                          describe(flow.value, scope_))});
      return false;
    }
    return check_renamed(flow);
  }

  bool check_renamed(const checked::Flow& flow) {
    for (std::size_t i = 0; i < flow.labels.size(); ++i) {
      const Amount here = scope_.size_of(flow.labels[i]);
      const Amount there = scope_.size_of(flow.value.labels[i]);
      if (!here.constant() || !there.constant())
        scope_.identify_lengths(flow.labels[i], flow.value.labels[i]);
      if (here == there || !here.constant() || !there.constant()) continue;
      report(context_, DiagnosticKind::SizeMismatch, span_of_dimension(target_, i),
             fmt::format("dimension `{}` is {} long, but `{}` that flows into it is {}",
                         scope_.store.dimensions[flow.labels[i]].name, here.to_string(),
                         scope_.store.dimensions[flow.value.labels[i]].name, there.to_string()),
             {fmt::format("what flows in is `{}`", describe(flow.value, scope_))},
             length_notes({flow.labels[i], flow.value.labels[i]}, scope_));
      return false;
    }
    return true;
  }

  // ·LOCAL leaves {U_X} for every axis of the contraction, and a target has to say so.
  bool check_unreduced_target(const checked::Flow& flow) {
    const auto* product = std::get_if<checked::Product>(&flow.value.node);
    if (product == nullptr || !product->local || !flow.layout) return true;
    const Mesh& mesh = scope_.mesh();
    const Layout natural = without_trivial_axes(*flow.value.layout, mesh);
    const Layout wanted = without_trivial_axes(*flow.layout, mesh);
    if (natural == wanted) return true;
    const std::string target =
        (target_.name ? target_.name->text : "") + bracket_text(flow.labels, natural, scope_);
    if (natural.dims == wanted.dims && !natural.unreduced.empty() && wanted.unreduced.empty()) {
      report(context_, DiagnosticKind::LocalNeedsUnreduced, target_.at.span,
             "·LOCAL leaves partial sums, and the target does not say so", {}, {},
             {{target_.at.span, target}});
    } else {
      report(context_, DiagnosticKind::LocalNeedsCommunication, target_.at.span,
             "·LOCAL allows no communication, and the target is not what the local product leaves",
             {fmt::format("it leaves `{}`", target)}, {}, {{target_.at.span, target}});
    }
    return false;
  }

  // A written collective leaves exactly the target.
  bool check_written_layout(const checked::Flow& flow) {
    if (!std::holds_alternative<checked::Collective>(flow.value.node) || !flow.layout) return true;
    const Mesh& mesh = scope_.mesh();
    const Layout left = without_trivial_axes(*flow.value.layout, mesh);
    const Layout wanted = without_trivial_axes(*flow.layout, mesh);
    if (left == wanted) return true;
    const auto& collective = std::get<checked::Collective>(flow.value.node);
    const std::string target = target_.bracketed
                                   ? print(target_, Spelling::Unicode)
                                   : target_.name->text + bracket_text(flow.labels, wanted, scope_);
    std::vector<Edit> edits;
    if (written_ != nullptr) edits = edits_towards(*written_, *collective.operand, wanted, scope_);
    // Of a collective on another one, the line without the outer one is asked for.
    const bool chain = std::holds_alternative<checked::Collective>(collective.operand->node);
    const bool says_all = !edits.empty() && (chain || !edits.front().text.empty());
    report(context_, DiagnosticKind::WrongCollective, flow.value.span,
           fmt::format("{} leaves `{}`, and not `{}`", name_of(collective.kind),
                       describe(flow.value, scope_), target),
           says_all ? std::vector<std::string>()
                    : std::vector{way_between(*collective.operand, wanted, scope_)},
           {}, std::move(edits));
    return false;
  }

  void note_redundant(const checked::Flow& flow) {
    if (!std::holds_alternative<checked::Collective>(flow.value.node)) return;
    const LiveCopy* there = find_copy(flow.target, *flow.value.layout, scope_);
    if (there == nullptr || !there->copy.valid()) return;
    report(context_, DiagnosticKind::RedundantCollective, span_,
           fmt::format("`{}` is there already; the collective runs and is charged all the same",
                       scope_.describe(flow.target,
                                       without_trivial_axes(*flow.value.layout, scope_.mesh()))),
           {"without this line the earlier copy would be kept and used"});
  }

  // A new array, in the place of an earlier one; a declaration of that name gives its dtype.
  void define(checked::Flow& flow) {
    ArrayInfo info{.name = target_.name ? target_.name->text : "",
                   .dimensions = flow.labels,
                   .dtype = flow.value.dtype};
    if (target_.name) {
      const auto there = scope_.names.find_array(target_.name->text);
      if (there && scope_.names.is_own(*there)) flow.replaces = *there;
      const auto known = scope_.names.find_declared(target_.name->text);
      if (known) {
        const ArrayInfo& earlier = std::as_const(scope_.store.arrays)[*known];
        info.name = earlier.name;
        if (earlier.declared) {
          info.dtype = earlier.dtype;
          info.declared = true;
          info.declaration = earlier.declaration;
          info.form = form_that_holds(earlier.form, flow);
        }
      }
    }
    if (target_.dtype) info.dtype = check_dtype(*target_.dtype, context_).value_or(info.dtype);
    widen_intermediates(flow.value, info.dtype);
    info.computed = true;
    info.anonymous = !target_.name.has_value();
    info.span = target_.at.span;
    const std::string key = name_key(info.name);
    flow.target = scope_.store.arrays.add(std::move(info));
    if (target_.name) {
      scope_.names.array_names[key] = flow.target;
      scope_.names.dropped.erase(key);
      scope_.told.unknown.erase(key);
    }
  }

  // What is made otherwise is an array of its own, of which nothing but the element type was declared.
  std::shared_ptr<const DeclaredForm> form_that_holds(
      const std::shared_ptr<const DeclaredForm>& form, const checked::Flow& flow) const {
    const bool holds = form != nullptr && flow.labels == form->dimensions && flow.layout &&
                       without_trivial_axes(*flow.layout, scope_.mesh()) == form->layout;
    return holds ? form : nullptr;
  }

  const ast::ArrayRef& target_;
  Span span_;
  CheckContext& context_;
  Scope& scope_;
  std::optional<Brackets> target_brackets_;
  // What the flow's value is, where that is a collective.
  const ast::Collective* written_ = nullptr;
};

}  // namespace

std::optional<checked::Flow> check_flow(const ast::Expr& value, const ast::ArrayRef& target,
                                        Span span, CheckContext& context) {
  return check_flow(value, target, look_up_target(target, value, context), span, context);
}

std::optional<checked::Flow> check_flow(const ast::Expr& value, const ast::ArrayRef& target,
                                        const TargetHint& hint, Span span, CheckContext& context) {
  if (target.bracketed || hint.declared == nullptr)
    return FlowChecker(target, span, context).check(value, hint);
  // What does not fit a target without brackets does not fit its declaration.
  DiagnosticSink inner;
  CheckContext told{context.scope, inner, context.scalars};
  auto flow = FlowChecker(target, span, told).check(value, hint);
  for (Diagnostic diagnostic : inner.all()) {
    if (diagnostic.span == target.at.span)
      diagnostic.notes.push_back({hint.declared->span, "declared here"});
    context.sink.report(std::move(diagnostic));
  }
  return flow;
}

TargetHint look_up_target(const ast::ArrayRef& target, const ast::Expr& value,
                          CheckContext& context) {
  TargetHint hint{.brackets = std::nullopt, .span = target.at.span};
  const Scope& scope = context.scope;
  const auto known = target.name ? scope.names.find_declared(target.name->text) : std::nullopt;
  const ArrayInfo* info = known ? &scope.store.arrays[*known] : nullptr;
  const bool is_declared = info != nullptr && info->form != nullptr;
  const auto flows_in = [&] {
    return any_inside(value, [&](const ast::Expr& inner) {
      const auto* array = std::get_if<ast::ArrayRef>(&inner.node);
      return array != nullptr && array->name &&
             name_key(array->name->text) == name_key(target.name->text);
    });
  };
  if (report_unknown_element(target, context)) {
    hint.failed = true;
  } else if (target.bracketed &&
             !changes_elements(target)) {  // what changes elements keeps the layout
    hint.brackets = check_brackets(target, context);
    hint.failed = !hint.brackets || (is_declared && !flows_in() &&
                                     !check_as_declared(target, *hint.brackets, context));
  } else if (is_declared && !changes_elements(target)) {
    hint.declared = info->form;
    if ((!info->read || info->computed) && !flows_in())
      hint.brackets = Brackets{hint.declared->dimensions, hint.declared->layout};
  }
  return hint;
}

std::optional<checked::Flow> check_evaluate(const ast::Expr& value, Span span,
                                            CheckContext& context) {
  auto operation = check_operation(value, {}, context);
  if (!operation || is_use(*operation)) return std::nullopt;
  checked::Flow flow{
      .value = std::move(*operation), .is_unnamed = true, .span = span, .target_span = span};
  flow.labels = flow.value.labels;
  widen_intermediates(flow.value, flow.value.dtype);
  ArrayInfo info{
      .dimensions = flow.labels, .dtype = flow.value.dtype, .computed = true, .anonymous = true};
  info.span = span;
  flow.target = context.scope.store.arrays.add(std::move(info));
  return flow;
}

}  // namespace shard
