#include "interpreter/evaluate/member.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/evaluate/compare.h"
#include "interpreter/ir/chip_constant.h"
#include "interpreter/suggest/chip_help.h"
#include "runtime/machine/chip_figure.h"

namespace shard {

namespace {

Truth fits(const Figures& figures, const Scope& scope) {
  const auto& hbm = scope.hardware().chip.hbm;
  if (!hbm) return Truth{};
  return compare(ast::BinaryOp::LessEqual, figures.memory.peak.bytes, Formula(*hbm), 0);
}

Word bound_word(const Figures& figures) { return {std::string(name_of(figures.bound()))}; }

std::string steps_line(const ast::Member& member) {
  const auto* base = std::get_if<ast::ArrayRef>(&member.object->node);
  return fmt::format("print {}.steps", base != nullptr && base->name ? base->name->text : "c");
}

class MemberEvaluator {
 public:
  explicit MemberEvaluator(EvaluationContext& context)
      : context_(context), check_(context.check), scope_(context.check.scope) {}

  std::optional<Value> evaluate(const ast::Member& member) {
    if (const auto* array = std::get_if<ast::ArrayRef>(&member.object->node);
        array != nullptr && array->name && !array->bracketed && array->name->text == "chip" &&
        scope_.find_binding("chip") == nullptr) {
      return chip_field(member);
    }
    const auto* base = std::get_if<ast::ArrayRef>(&member.object->node);
    if (base != nullptr && base->name && !base->bracketed && !is_known(base->name->text))
      return unknown_block(*base->name, member.field.text);
    // An array, even where its name is a chip's figure as well: neither has fields.
    if (base != nullptr && base->name && scope_.find_binding(base->name->text) == nullptr &&
        scope_.names.find_array(base->name->text)) {
      return without_figures(member);
    }
    const auto object = shard::evaluate(*member.object, context_);
    if (!object) return std::nullopt;
    const auto* supposition = std::get_if<Supposition>(&*object);
    const auto* figure = std::get_if<ast::Member>(&member.object->node);
    if (supposition == nullptr && figure != nullptr) return figure_of_figure(*figure, member);
    if (supposition == nullptr) return without_figures(member);
    const auto figures = context_.host.suppose(*supposition, check_);
    if (!figures) return std::nullopt;
    return figure_of(*figures, member);
  }

 private:
  // Of anything: what it is, its evaluation says.
  bool is_known(const std::string& name) const {
    return scope_.told.is_unknown(name) || scope_.find_binding(name) != nullptr ||
           scope_.names.find_array(name) || scope_.names.find_dimension(name) ||
           scope_.find_axes(name);
  }

  std::optional<Value> fail(DiagnosticKind kind, Span span, std::string message,
                            std::vector<std::string> help = {}) {
    report(check_, kind, span, std::move(message), std::move(help));
    return std::nullopt;
  }

  std::optional<Value> unknown_block(const ast::Identifier& name, const std::string& field) {
    std::vector<std::string> blocks;
    for (const auto& [key, binding] : scope_.names.bindings) {
      if (std::holds_alternative<Supposition>(binding.value)) blocks.push_back(binding.name);
    }
    const auto meant = nearest_name(name.text, blocks);
    report(check_, DiagnosticKind::UnknownName, name.at.span,
           fmt::format("no cost block is called `{}`", name.text),
           {meant ? fmt::format("did you mean `{}`?", *meant)
                  : fmt::format("{0} = cost {{ … }}, then {0}.{1}", name.text, field)},
           {}, meant ? std::vector<Edit>{{name.at.span, *meant}} : std::vector<Edit>());
    return std::nullopt;
  }

  // `c.comms.X`: a part of a figure, which only `comms` has.
  std::optional<Value> figure_of_figure(const ast::Member& figure, const ast::Member& part) {
    const std::string whole = print(*part.object, Spelling::Unicode);
    const bool over_axis = figure.field.text == "comms" && figure.arguments.empty() &&
                           scope_.find_axes(part.field.text).has_value();
    report(check_, DiagnosticKind::UnknownField, part.field.at.span,
           over_axis ? fmt::format("the axes of `{}` stand in parentheses", whole)
                     : fmt::format("`{}` is a figure itself, and has none", whole),
           {}, {},
           over_axis ? std::vector<Edit>{{{part.field.at.span.file, figure.field.at.span.end,
                                           part.field.at.span.end},
                                          "(" + part.field.text + ")"}}
                     : std::vector<Edit>());
    return std::nullopt;
  }

  std::optional<Value> without_figures(const ast::Member& member) {
    return fail(DiagnosticKind::UnknownField, member.field.at.span,
                "only cost blocks and `chip` have figures", {"c = cost { … }, then c.time"});
  }

  std::optional<Value> figure_of(const Figures& figures, const ast::Member& member) {
    const std::string& field = member.field.text;
    if (field == "comms" && !member.arguments.empty()) return comms_over(figures, member);
    if (const auto quantity = figure(figures, field)) return *quantity;
    if (field == "fits") return fits(figures, scope_);
    if (field == "bound") return bound_word(figures);
    if (field == "steps") {
      return fail(DiagnosticKind::NotScalar, member.field.at.span,
                  "the steps are a list, which is printed alone", {steps_line(member)});
    }
    if (is_quantity(field)) {  // of the timeline
      if (scope_.machine.failed || scope_.told.lacks_anything()) return std::nullopt;
      std::vector<std::string> help = missing_help(figures);
      // One place may wait for another, and `time` is that of one.
      if (field == "timeline" && figures.totals.comms_by_axis.size() == 1)
        help.emplace_back("`time`: without faults it takes no longer");
      return fail(DiagnosticKind::Undecidable, member.field.at.span,
                  fmt::format("`{}` takes numbers, and sizes or hardware are not given", field),
                  std::move(help));
    }
    const BlockFigure* meant = meant_figure(field);
    std::vector<std::string> help = {
        meant == nullptr ? figures_help() : fmt::format("`{}` is {}", meant->name, meant->meaning)};
    report(check_, DiagnosticKind::UnknownField, member.field.at.span,
           fmt::format("a cost block has no figure `{}`", field), std::move(help), {},
           meant == nullptr ? std::vector<Edit>()
                            : std::vector<Edit>{{member.field.at.span, std::string(meant->name)}});
    return std::nullopt;
  }

  // What the times of a block still depend on.
  std::vector<std::string> missing_help(const Figures& figures) const {
    const Totals& most = figures.totals.most;
    std::set<std::string> of_chip;
    std::set<std::string> axes;
    std::set<std::string> sizes;
    for (const Formula& time : {most.math, most.hbm, most.comms}) {
      for (const std::string& symbol : time.symbols()) {
        const bool is_figure = is_chip_symbol(symbol);
        (is_figure ? of_chip : scope_.find_axis(symbol) ? axes : sizes).insert(symbol);
      }
    }
    std::vector<std::string> help;
    if (!of_chip.empty()) help.push_back(hardware_line({of_chip.begin(), of_chip.end()}, scope_));
    const auto listed = [](const std::set<std::string>& names, std::string_view value) {
      std::vector<std::string> given;
      for (const std::string& name : names) given.push_back(fmt::format("{}{}", name, value));
      return join(given, ", ");
    };
    if (!axes.empty()) help.push_back("mesh {" + listed(axes, ": 4") + "}");
    if (!sizes.empty()) help.push_back(listed(sizes, " = 8192"));
    return help;
  }

  std::optional<Value> comms_over(const Figures& figures, const ast::Member& member) {
    std::vector<std::size_t> axes;
    const auto& known = figures.totals.comms_by_axis.front();
    for (const ast::Identifier& axis : member.arguments) {
      const auto found = std::find_if(known.begin(), known.end(), [&](const AxisComms& comms) {
        return comms.axis == axis.text;
      });
      if (found == known.end()) {
        if (scope_.told.was_reported(axis.text) || scope_.told.unknown_axes.contains(axis.text))
          return std::nullopt;
        return fail(DiagnosticKind::UnknownAxis, axis.at.span,
                    fmt::format("the mesh has no axis `{}`", axis.text));
      }
      axes.push_back(static_cast<std::size_t>(found - known.begin()));
    }
    return Quantity{shard::comms_over(figures.totals, axes), kSeconds};
  }

  std::optional<Value> chip_field(const ast::Member& member) {
    if (const auto constant = chip_constant(member.field.text, scope_.hardware().chip))
      return *constant;
    if (scope_.machine.failed) return std::nullopt;
    const auto known = chip_constants();
    if (std::find(known.begin(), known.end(), member.field.text) != known.end()) {
      return fail(DiagnosticKind::NoHardware, member.field.at.span,
                  scope_.machine.chip ? fmt::format("no {} is known of {}", member.field.text,
                                                    scope_.machine.chip->name)
                                      : "no chip is declared yet",
                  {hardware_line({member.field.text}, scope_)});
    }
    const auto meant = meant_chip_constant(member.field.text);
    report(check_, DiagnosticKind::UnknownField, member.field.at.span,
           fmt::format("a chip has no figure `{}`", member.field.text),
           {"its figures are " + join_words(known)}, {},
           meant ? std::vector<Edit>{{member.field.at.span, *meant}} : std::vector<Edit>());
    return std::nullopt;
  }

  EvaluationContext& context_;
  CheckContext& check_;
  Scope& scope_;
};

}  // namespace

std::optional<Value> evaluate_member(const ast::Member& member, EvaluationContext& context) {
  return MemberEvaluator(context).evaluate(member);
}

std::optional<Value> value_of_figure(const BlockFigure& figure, const Figures& figures,
                                     const Scope& scope) {
  if (figure.quantity != nullptr) {
    const auto quantity = figure.quantity(figures);
    return quantity ? std::optional<Value>(*quantity) : std::nullopt;
  }
  if (figure.name == "fits") return fits(figures, scope);
  if (figure.name == "bound") return bound_word(figures);
  return std::nullopt;
}

std::string figures_help() { return "a cost block has the figures " + join_words(figure_fields()); }

}  // namespace shard
