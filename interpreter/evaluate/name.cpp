#include "interpreter/evaluate/name.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "base/function.h"
#include "base/unit.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "grammar/tree/keyword.h"
#include "grammar/tree/names.h"
#include "interpreter/check/array.h"
#include "interpreter/check/former_array.h"
#include "interpreter/estimate/figures.h"
#include "interpreter/ir/chip_constant.h"
#include "runtime/machine/mesh_text.h"
#include "runtime/plan/layout.h"

namespace shard {

namespace {

class NameEvaluator {
 public:
  explicit NameEvaluator(CheckContext& context) : context_(context), scope_(context.scope) {}

  std::optional<Value> value_of(const std::string& word, Span span) {
    const auto constant = chip_constant(word, scope_.hardware().chip);
    // Costs without a chip are formulas in its symbols, which a script may name as well.
    if (constant && scope_.names.find_array(word)) return ambiguous(word, span);
    if (const BindingInfo* binding = scope_.find_binding(word)) {
      if (constant && scope_.machine.chip) return ambiguous(word, span);
      return binding->value;
    }
    if (const auto dimension = scope_.names.find_dimension(word)) {
      if (constant && scope_.machine.chip) return ambiguous(word, span);
      return Quantity{Formula(scope_.size_of(*dimension)), kPlain};
    }
    if (const auto axes = scope_.find_axes(word))
      return Quantity{Formula(shard::size_of(*axes, scope_.mesh())), kPlain};
    if (constant) {
      if (was_array(word)) return was_once(word, span);
      if (scope_.names.ended.contains(name_key(word))) return was_inside(word, span);
      return *constant;
    }
    if (word == "devices") return device_count(span);
    if (word == "mesh" || word == "hardware") return machine_word(word, span);
    return unknown(word, span);
  }

  std::optional<Value> size_of(const std::string& name, Span span) {
    // In a function, an axis that a parameter names, and not what the script calls so.
    const bool is_axis_of_call = scope_.names.axis_names.contains(name);
    if (const auto dimension = scope_.names.find_dimension(name); dimension && !is_axis_of_call) {
      return Quantity{Formula(scope_.size_of(*dimension)), kPlain};
    }
    if (const auto axes = scope_.find_axes(name))
      return Quantity{Formula(shard::size_of(*axes, scope_.mesh())), kPlain};
    if (const BindingInfo* binding = scope_.find_binding(name)) return binding->value;
    if (scope_.told.is_unknown(name)) return std::nullopt;
    return fail(DiagnosticKind::UnknownName, span,
                fmt::format("no dimension or axis is called `{}`", name));
  }

 private:
  std::optional<Value> fail(DiagnosticKind kind, Span span, std::string message,
                            std::vector<std::string> help = {}) {
    report(context_, kind, span, std::move(message), std::move(help));
    return std::nullopt;
  }

  std::optional<Value> ambiguous(const std::string& word, Span span) {
    return fail(DiagnosticKind::AmbiguousName, span,
                fmt::format("`{}` is a name of this script and a figure of the chip", word),
                {fmt::format("write chip.{} for the chip's, |{}| for the script's", word, word)});
  }

  bool was_array(const std::string& word) const {
    return scope_.names.dropped.count(name_key(word)) != 0 ||
           scope_.names.ended_by_machine.count(name_key(word)) != 0;
  }

  // Who meant the array is not to get the chip's figure without a word.
  std::optional<Value> was_once(const std::string& word, Span span) {
    const auto dropped = scope_.names.dropped.find(name_key(word));
    std::vector<Note> notes;
    if (dropped != scope_.names.dropped.end()) {
      notes.push_back(
          {dropped->second.span, dropped->second.by_size ? "by this size" : "dropped here"});
    } else {
      notes.push_back(
          {scope_.machine.last_statement(), "computed arrays end where the machine changes"});
    }
    report(context_, DiagnosticKind::AmbiguousName, span,
           fmt::format("`{}` was an array of this script, and is a figure of the chip", word),
           {fmt::format("write chip.{} for the chip's; the array is to be made again", word)},
           std::move(notes), {{span, "chip." + word}});
    return std::nullopt;
  }

  // Nor who meant a name that a block, a loop or a function has given a value and ended with.
  std::optional<Value> was_inside(const std::string& word, Span span) {
    report(
        context_, DiagnosticKind::AmbiguousName, span,
        fmt::format("`{}` ended with the block in which it was made, and is a figure of the chip",
                    word),
        {fmt::format("write chip.{} for the chip's; what the block made is used inside of it, or "
                     "gets another name",
                     word)},
        {{scope_.names.ended.at(name_key(word)), "made here"}}, {{span, "chip." + word}});
    return std::nullopt;
  }

  std::optional<Value> device_count(Span span) {
    const auto count = scope_.mesh().device_count();
    if (count && scope_.machine.mesh_known()) return Quantity{Formula(*count), kPlain};
    if (scope_.lacks_machine()) return std::nullopt;  // what is wrong with it was reported
    return fail(DiagnosticKind::NoMesh, span,
                "`devices` is the number of devices of the mesh, and there is no mesh yet",
                {"mesh {X: 4, Y: 2}"});
  }

  // `print mesh`: what is declared, as one writes it.
  std::optional<Value> machine_word(const std::string& word, Span span) {
    const MachineState& machine = scope_.machine;
    if (word == "mesh" && machine.mesh_known()) return Word{mesh_text(scope_.mesh())};
    if (word == "hardware" && machine.chip) {
      std::vector<std::string> lengths;
      if (machine.slice) {
        for (const std::int64_t length : machine.slice->lengths)
          lengths.push_back(std::to_string(length));
      }
      return Word{machine.chip->name + (lengths.empty() ? "" : " " + join(lengths, "x"))};
    }
    if (machine.failed) return std::nullopt;
    return fail(word == "mesh" ? DiagnosticKind::NoMesh : DiagnosticKind::NoHardware, span,
                fmt::format("no {} is declared yet", word == "mesh" ? "mesh" : "chip"),
                {word == "mesh" ? "mesh {X: 4, Y: 2}" : "hardware TPUv5p 4x4x4"});
  }

  // `XY` for the product of X and Y.
  bool is_run_together(const std::string& word) {
    const AxisRow letters = split_letters(word);
    // `MM` is rather a slip for `M` than a square.
    const bool alike = std::all_of(letters.begin(), letters.end(), [&](const std::string& letter) {
      return letter == letters.front();
    });
    return letters.size() > 1 && !alike &&
           std::all_of(letters.begin(), letters.end(), [&](const std::string& letter) {
             return scope_.find_binding(letter) != nullptr || scope_.names.find_dimension(letter) ||
                    scope_.mesh().find(letter);
           });
  }

  std::optional<std::string> nearest(const std::string& word) const {
    if (!context_.sink.shows_more_errors()) return std::nullopt;
    std::vector<std::string> known;
    for (const auto& [key, binding] : scope_.names.bindings) known.push_back(binding.name);
    for (const auto& [key, dimension] : scope_.names.dimension_names) {
      if (!scope_.store.dimensions[dimension].literal)
        known.push_back(scope_.store.dimensions[dimension].name);
    }
    for (const MeshAxis& axis : scope_.mesh().axes) known.push_back(axis.name);
    return nearest_name(word, known);
  }

  // `T_comms`, as reports and the book call what a cost block has as a figure; `comms`, where there is such a block.
  bool report_figure(const std::string& word, Span span) {
    const bool is_time = word.starts_with("T_") || word.starts_with("t_");
    const std::string field = is_time ? word.substr(2) : word;
    if (!contains(figure_fields(), field)) return false;
    const BindingInfo* newest = nullptr;
    for (const auto& [name, binding] : scope_.names.bindings) {
      const auto at = [](const BindingInfo& info) {
        return std::pair(info.span.file.value, info.span.begin);
      };
      const bool block = std::holds_alternative<Supposition>(binding.value);
      if (block && (newest == nullptr || at(*newest) < at(binding))) newest = &binding;
    }
    if (newest == nullptr && !is_time) return false;
    if (newest == nullptr) {
      fail(DiagnosticKind::UnknownName, span,
           fmt::format("no scalar, dimension or axis is called `{}`: a figure belongs to a block",
                       word),
           {fmt::format("c = cost {{ A[I_X, J] → A[I, J] }}, and then c.{}", field)});
      return true;
    }
    report(context_, DiagnosticKind::UnknownName, span,
           fmt::format("no scalar, dimension or axis is called `{}`: a figure belongs to its block",
                       word),
           {}, {}, {{span, fmt::format("{}.{}", newest->name, field)}});
    return true;
  }

  // The statement that `bakward` was to begin.
  static const Keyword* statement_word(const std::string& word) {
    const Keyword* keyword = find_keyword(word);
    constexpr std::size_t kShortest = 6;  // letters; shorter words are often alike
    if (keyword == nullptr && word.size() >= kShortest) {
      if (const auto meant = nearest_name(word, guessed_words())) keyword = find_keyword(*meant);
    }
    return keyword != nullptr && is_listed(*keyword) ? keyword : nullptr;
  }

  // `for` alone: a word that begins a statement is a name where nothing of one follows it.
  bool report_keyword(const std::string& word, Span span) {
    const Keyword* keyword = find_keyword(word);
    if (keyword == nullptr || !is_listed(*keyword) || scope_.names.find_array(word)) return false;
    fail(DiagnosticKind::UnknownName, span,
         fmt::format("`{}` begins a statement, and nothing is called so", word),
         {std::string(keyword->example)});
    return true;
  }

  // `print moe`: a function, which has values where it is called.
  bool report_function(const std::string& word, Span span) {
    if (scope_.names.find_array(word)) return false;
    std::string call;
    const auto known = scope_.names.functions.find(name_key(word));
    if (known != scope_.names.functions.end()) {
      std::vector<std::string> parameters;
      for (const ast::ArrayRef& parameter : known->second->parameters)
        parameters.push_back(print(parameter, Spelling::Unicode));
      call = fmt::format("{}({})", word, join(parameters, ", "));
    } else if (const FunctionInfo* function = find_function(word);
               function != nullptr && is_listed(*function) && !is_constant(*function)) {
      call = function->example;
    }
    if (call.empty()) return false;
    fail(DiagnosticKind::UnknownName, span,
         fmt::format("`{}` is a function, and has a value where it is called", word),
         {fmt::format("it is called as {}", call)});
    return true;
  }

  std::optional<Value> unknown(const std::string& word, Span span) {
    if (scope_.told.is_unknown(word)) return std::nullopt;
    if (is_run_together(word)) {
      return fail(DiagnosticKind::NotNotation, span,
                  fmt::format("`{}` is not how a product is written", word),
                  {fmt::format("`{}`", fmt::join(split_letters(word), "*"))});
    }
    if (!scope_.names.find_array(word) &&
        (report_dropped(word, span, context_) || report_ended(word, span, context_)))
      return std::nullopt;
    // `C\'` of an array that was dropped; of one that is there it is a transpose, which is said of the line.
    if (word.ends_with('\'') && report_dropped(word.substr(0, word.size() - 1), span, context_))
      return std::nullopt;
    // A single letter is rather a dimension or a number that was not given.
    if (word.size() > 1 && parse_unit(word)) {
      report(context_, DiagnosticKind::UnknownName, span,
             fmt::format("`{}` is a unit, and stands after a number", word), {}, {},
             {{{span.file, span.begin, span.begin}, "1 "}});
      return std::nullopt;
    }
    if (report_figure(word, span) || report_keyword(word, span) || report_function(word, span))
      return std::nullopt;
    // Single letters are near to one another by chance.
    const auto near = scope_.asks && word.size() == 1 ? std::nullopt : nearest(word);
    if (scope_.asks && !near && !scope_.names.find_array(word))
      return Quantity{Formula::symbol(word), kPlain};
    if (!near && !scope_.names.find_array(word) && nearest_array(word, context_)) {
      report_unknown_array(word, span, context_);
      return std::nullopt;
    }
    std::string help = near ? fmt::format("did you mean `{}`?", *near)
                            : fmt::format("give it a value: {} = 1024", word);
    if (!near) {
      if (const Keyword* begun = statement_word(word))
        help = fmt::format("the statement is {}", begun->example);
    }
    if (word.ends_with('\''))
      help = "where a transpose is meant, it is a line of its own: A[I, J] → T[J, I]";
    if (word == "exit" || word == "quit") help = "Ctrl-D or :quit leaves a session";
    if (scope_.names.find_array(word))
      help = fmt::format("it is an array; ask for a figure of it: bytes({})", word);
    return fail(
        scope_.names.find_array(word) ? DiagnosticKind::NotScalar : DiagnosticKind::UnknownName,
        span, fmt::format("no scalar, dimension or axis is called `{}`", word), {std::move(help)});
  }

  CheckContext& context_;
  Scope& scope_;
};

}  // namespace

std::optional<Value> value_of_name(const std::string& name, Span span, CheckContext& context) {
  return NameEvaluator(context).value_of(name, span);
}

std::optional<Value> value_of_size(const std::string& name, Span span, CheckContext& context) {
  return NameEvaluator(context).size_of(name, span);
}

}  // namespace shard
