// `backward Out keep In[B_X, D]`: what is derived (interpreter/gradient/) runs as statements that stand here.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/words.h"
#include "grammar/parse/parser.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/check/array.h"
#include "interpreter/gradient/derive.h"
#include "interpreter/statements/flow.h"
#include "interpreter/statements/functions/call.h"
#include "interpreter/statements/gradient/at_place.h"
#include "interpreter/statements/gradient/equal_passes.h"
#include "interpreter/statements/gradient/history.h"
#include "interpreter/statements/retell.h"
#include "interpreter/statements/statement.h"

namespace shard {

namespace {

class BackwardRunner {
 public:
  BackwardRunner(const ast::Backward& backward, const ast::Statement& statement,
                 RunContext& context)
      : backward_(backward), at_(statement.at), context_(context), scope_(context.scope) {}

  void run() {
    const auto array = find_array();
    if (!array || !check_first(*array)) return;
    gradient::Request request{.of = *array, .span = at_.span};
    if (!find_kept(request)) return;
    request.is_given = [this](ArrayId one) { return is_given(one); };
    request.part_name = [this](ArrayId of, int operation) { return part_name(of, operation); };
    auto derived = gradient::derive(request, scope_, context_.check.sink);
    if (!derived) {
      context_.state.incomplete = true;
      return;
    }
    carry_out(*derived);
    scope_.store.arrays[*array].differentiated = at_.span;
  }

 private:
  void fail(DiagnosticKind kind, Span span, std::string message, std::vector<std::string> help,
            std::vector<Note> notes = {}) {
    report(context_.check, kind, span, std::move(message), std::move(help), std::move(notes));
    context_.state.incomplete = true;
  }

  std::optional<ArrayId> known_array(const ast::ArrayRef& array) {
    const Span span = array.name ? array.name->at.span : array.at.span;
    if (!array.name || !array.indices.empty()) {
      fail(DiagnosticKind::NotArray, span,
           fmt::format("`{}` is no array that is there", print(array, Spelling::Unicode)),
           {"give it a name on a line of its own first"});
      return std::nullopt;
    }
    if (!scope_.names.find_array(array.name->text)) {
      context_.state.incomplete = true;
      if (scope_.told.is_unknown(array.name->text)) return std::nullopt;
      const std::size_t told = context_.check.sink.all().size();
      if (array.bracketed)
        report_unknown_array(array.name->text, span, context_.check);
      else
        check_use(array, context_.check);  // reports what was dropped, and what is no array
      offer_arrays(told, "computed so far", false, context_);  // from an input no gradients go back
      return std::nullopt;
    }
    if (array.bracketed && !check_use(array, context_.check)) return std::nullopt;
    return scope_.names.find_array(array.name->text);
  }

  std::optional<ArrayId> find_array() {
    if (const auto* array = std::get_if<ast::ArrayRef>(&backward_.of.node))
      return known_array(*array);
    const ast::Call* call = as_function_call(backward_.of, scope_);
    if (call == nullptr) {
      fail(DiagnosticKind::NotArray, backward_.of.at.span,
           fmt::format("`{}` is neither an array nor a call of a function of the script",
                       one_line(print(backward_.of, Spelling::Unicode))),
           {"the result of an expression has a name on a line of its own: y = …, then backward y"});
      return std::nullopt;
    }
    // The result is called as the function is.
    const ast::ArrayRef target{.name = ast::Identifier{call->function.text, at_}, .at = at_};
    const std::string text =
        call->function.text + " = " + one_line(print(backward_.of, Spelling::Unicode));
    Functions(context_).assign(*call, target, backward_.of.at.span, text);
    return scope_.names.find_array(call->function.text);
  }

  bool check_first(ArrayId array) {
    const ArrayInfo& info = std::as_const(scope_.store).arrays[array];
    if (info.of_gradients) {
      fail(DiagnosticKind::NoGradient, at_.span,
           fmt::format("`{}` is a gradient, or was made of one: what led to it is over", info.name),
           {"second derivatives are not derived"});
      return false;
    }
    // A mistake in the statement that was to make it has been reported.
    if (!info.declared && info.origin == nullptr && context_.state.incomplete) return false;
    if (!info.differentiated.valid()) return true;
    fail(DiagnosticKind::Redeclared, at_.span,
         fmt::format("the gradients from `{}` back are there already", info.name),
         {"leave this line out"}, {{info.differentiated, "they were derived here"}});
    return false;
  }

  bool find_kept(gradient::Request& request) {
    for (const ast::ArrayRef& kept : backward_.kept) {
      const auto array = known_array_of_kept(kept);
      if (!array) return false;
      const auto copy = described_copy(kept, context_.check);
      if (!copy) return false;
      const Layout layout = without_trivial_axes(copy->layout, scope_.mesh());
      const LiveCopies& copies = scope_.held.of(*array);
      const bool is_held = std::any_of(copies.begin(), copies.end(),
                                       [&](const LiveCopy& one) { return one.layout == layout; });
      if (!is_held) {
        std::vector<std::string> held;
        for (const LiveCopy& one : copies)
          held.push_back("`" + scope_.describe(*array, one.layout) + "`");
        fail(DiagnosticKind::NoSuchCopy, kept.at.span,
             fmt::format("the forward pass has not made `{}`", scope_.describe(*array, layout)),
             {"there is " + join_words(held)});
        return false;
      }
      request.kept.emplace_back(*array, layout);
    }
    return true;
  }

  std::optional<ArrayId> known_array_of_kept(const ast::ArrayRef& kept) {
    const auto array = kept.name ? scope_.names.find_array(kept.name->text) : std::nullopt;
    if (array) return array;
    context_.state.incomplete = true;
    if (kept.name && report_inside(*kept.name)) return std::nullopt;
    if (kept.name && scope_.told.is_unknown(kept.name->text)) return std::nullopt;
    const std::size_t told = context_.check.sink.all().size();
    report_unknown_array(kept.name ? kept.name->text : "", kept.at.span, context_.check);
    offer_arrays(told, "arrays of the forward pass", true, context_);
    return std::nullopt;
  }

  // What stays inside of a `fused` block no memory has.
  bool report_inside(const ast::Identifier& name) {
    if (!scope_.names.ended.contains(name_key(name.text))) return false;
    for (auto i = static_cast<int>(scope_.store.arrays.size()); i-- > 0;) {
      const ArrayInfo& info = std::as_const(scope_.store).arrays[ArrayId{i}];
      const bool inside =
          info.origin != nullptr && info.origin->kernel && info.origin->kernel->inside;
      if (!inside || name_key(info.name) != name_key(name.text)) continue;
      fail(DiagnosticKind::NoSuchCopy, name.at.span,
           fmt::format("`{}` stays inside of its `fused` block and ends with it: the backward pass "
                       "computes it again",
                       info.name),
           {"to have it in memory, write its statement outside of the block"},
           {{info.span, "it was made here"}});
      return true;
    }
    return false;
  }

  // Inside of a function gradients end with what it was given, and with arrays of outside.
  bool is_given(ArrayId array) const {
    const auto& calls = context_.state.calls;
    if (calls.empty()) return false;
    if (static_cast<std::size_t>(array.value) < calls.back().first_array) return true;
    const auto& parameters = calls.back().function->parameters;
    return std::any_of(parameters.begin(), parameters.end(), [&](const ast::ArrayRef& parameter) {
      return parameter.name && scope_.names.find_array(parameter.name->text) == array;
    });
  }

  std::string part_name(ArrayId of, int operation) const {
    const Program* program = begun_program(context_);
    if (program == nullptr) return "";
    for (auto record = program->statements.rbegin(); record != program->statements.rend();
         ++record) {
      if (record->target != of) continue;
      for (const checked::OnTheWay& one : record->on_the_way) {
        if (one.operation == operation) return program->plan.copies[one.copy].name;
      }
    }
    return "";
  }

  // ------------------------------------------------------------ the statements

  void carry_out(const gradient::Derived& derived) {
    if (reads_dropped(derived.forward)) return;
    const auto dimensions = scope_.names.dimension_names;
    const auto arrays = scope_.names.array_names;
    const auto bindings = scope_.names.bindings;
    end_earlier(derived);
    hold(derived.forward);
    for (const ArrayId array : derived.reached) note_gradient(array, scope_);
    name_all(derived.forward);
    const bool derives = std::exchange(context_.state.derives, true);
    const std::size_t first = context_.state.entries.size();
    run_statements_of(derived);
    fold_equal_passes(first, context_.state);
    context_.state.derives = derives;
    put_back(derived, arrays);
    scope_.names.dimension_names = dimensions;
    scope_.names.bindings = bindings;
    hold_again();
  }

  // Values of the forward pass are read after its end; what `drop` has ended is there no more.
  bool reads_dropped(const gradient::Forward& forward) {
    for (const auto& [array, name] : forward.names()) {
      const ArrayInfo& info = std::as_const(scope_.store).arrays[array];
      if (!info.dropped.valid()) continue;
      fail(DiagnosticKind::DroppedArray, at_.span,
           fmt::format("`{}` was dropped, and the gradients read it", info.name),
           {"drop it behind `backward`"}, {{info.dropped, "dropped here"}});
      return true;
    }
    return false;
  }

  // Gradients of an earlier `backward` give way to those of the same name.
  void end_earlier(const gradient::Derived& derived) {
    for (const ArrayId array : derived.over)
      scope_.names.array_names.erase(name_key(std::as_const(scope_.store).arrays[array].name));
    end_with_block(derived.over, context_);
  }

  // What the forward pass has gathered is gathered anew, unless it is kept.
  void hold(const gradient::Forward& forward) {
    for (const gradient::HeldAs& held : forward.held()) {
      before_.push_back({held.array, scope_.held.of(held.array)});
      scope_.held.change(held.array) = held.copies;
    }
  }

  // Its names mean all copies again.
  void hold_again() {
    for (gradient::HeldAs& held : before_) {
      LiveCopies now = scope_.held.of(held.array);
      for (LiveCopy& copy : held.copies) {
        const auto same = std::find_if(
            now.begin(), now.end(), [&](const LiveCopy& one) { return one.layout == copy.layout; });
        if (same == now.end()) continue;
        copy.copy = same->copy;
        now.erase(same);
      }
      held.copies.insert(held.copies.begin(), now.begin(), now.end());
      scope_.held.change(held.array) = std::move(held.copies);
    }
  }

  void name_all(const gradient::Forward& forward) {
    for (const auto& [key, label] : forward.named()) {
      const auto known = scope_.names.dimension_names.find(key);
      if (known == scope_.names.dimension_names.end() || known->second != label)
        scope_.names.dimension_names[key] = label;
    }
    // A length is the same dimension by any name. Another one is called so in the plan, too.
    for (const auto& [label, name] : forward.own_names()) {
      const bool is_length = std::as_const(scope_.store).dimensions[label].literal.has_value();
      scope_.names.dimension_names[name_key(name)] =
          is_length ? label : scope_.store.dimensions.add({.name = name, .same_as = label});
    }
    for (const auto& [array, name] : forward.names()) bind(name, array);
    for (const auto& [key, part] : forward.parts()) bind(part.name, array_of(part));
  }

  void bind(const std::string& name, ArrayId array) {
    if (scope_.names.find_array(name) == array) return;
    scope_.names.array_names[name_key(name)] = array;
    scope_.names.bindings.erase(name_key(name));
  }

  ArrayId array_of(const gradient::NamedPart& part) {
    const ArrayId array = scope_.store.arrays.add({.name = part.name,
                                                   .dimensions = part.labels,
                                                   .dtype = part.dtype,
                                                   .computed = true,
                                                   .span = at_.span});
    const checked::Part item{
        .array = array, .of = part.of, .operation = part.operation, .span = at_.span};
    const bool is_there = scope_.held.is_planned(part.of) && shard::carry_out(item, context_);
    if (is_there) {
      // The copy that is read is the newest.
      LiveCopies& copies = scope_.held.change(array);
      const auto read = std::find_if(copies.begin(), copies.end(), [&](const LiveCopy& copy) {
        return copy.layout == part.layout;
      });
      if (read != copies.end()) std::rotate(read, read + 1, copies.end());
      std::erase_if(copies, [&](const LiveCopy& copy) { return copy.layout != part.layout; });
    } else {
      scope_.held.change(array) = {{.layout = part.layout}};
    }
    return array;
  }

  void run_statements_of(const gradient::Derived& derived) {
    SourceMap sources;
    DiagnosticSink said;
    Names names;
    for (const MeshAxis& axis : scope_.mesh().axes) names.axes.push_back(axis.name);
    for (const DimensionId label : derived.forward.dimensions())
      names.dimensions.add(derived.forward.name(label));
    for (const auto& [key, id] : scope_.names.array_names)
      names.arrays.add(std::as_const(scope_.store).arrays[id].name);
    const std::string text = gradient::text_of(derived);
    const ast::Module module = parse(sources, sources.add("backward", text), names, said);
    if (said.has_errors()) return fail_at(line_at(text, first_error(said).span.begin), said);
    RunContext inner(context_.state, context_.options, said);
    for (ast::Statement statement : module.statements) {
      put_at(statement, at_);
      match(statement.node, [&](const auto& node) { shard::run(node, statement, inner); });
      if (said.has_errors()) return fail_at(print(statement, Spelling::Unicode), said);
      if (context_.options.budget != nullptr && context_.options.budget->stopped()) break;
    }
    context_.check.sink.append(std::move(said));
  }

  static std::string line_at(const std::string& text, std::size_t place) {
    const std::size_t begin = text.rfind('\n', place == 0 ? 0 : place - 1);
    const std::size_t first = begin == std::string::npos ? 0 : begin + 1;
    return text.substr(first, text.find('\n', first) - first);
  }

  static const Diagnostic& first_error(const DiagnosticSink& said) {
    return *std::find_if(said.all().begin(), said.all().end(), [](const Diagnostic& one) {
      return info(one.kind).severity == Severity::Error;
    });
  }

  // What is wrong with a statement that nobody wrote is said of the line that it came from.
  void fail_at(const std::string& statement, const DiagnosticSink& said) {
    const Diagnostic& error = first_error(said);
    context_.state.incomplete = true;
    // What the machine cannot do, and what would take too much, is so of any statement.
    if (info(error.kind).phase == Phase::Running || error.kind == DiagnosticKind::TooLarge)
      return context_.check.sink.report(error);
    fail(DiagnosticKind::NoGradient, at_.span,
         fmt::format("the gradients lead to `{}`, which does not hold: {}", one_line(statement),
                     error.message),
         {"give what is inside of the statements before it names on lines of its own"});
  }

  // Gradients of arrays with a name keep theirs; the others end.
  void put_back(const gradient::Derived& derived,
                const PersistentMap<std::string, ArrayId>& before) {
    auto now = std::exchange(scope_.names.array_names, before);
    std::set<std::string> lasting;
    for (const std::string& name : derived.lasting) lasting.insert(name_key(name));
    std::vector<ArrayId> ending;
    now.visit_changed(before, [&](const auto& entry) {
      const auto known = before.find(entry.first);
      if (known != before.end() && known->second == entry.second) return;
      const ArrayInfo& made = std::as_const(scope_.store).arrays[entry.second];
      const bool is_read = derived.forward.names().contains(entry.second);
      if (!made.computed && !made.declared && !is_read) return read_nothing(made);
      if (lasting.contains(entry.first))
        scope_.names.array_names[entry.first] = entry.second;
      else
        ending.push_back(entry.second);
    });
    std::erase_if(ending, [&](ArrayId array) {
      return !std::as_const(scope_.store).arrays[array].of_gradients;
    });
    end_with_block(ending, context_);
  }

  // A statement took a name for an input's: what it stands for is over.
  void read_nothing(const ArrayInfo& read) {
    // What a mistake left undone is missing here as well, and that has been said.
    if (context_.check.sink.has_errors()) {
      context_.state.incomplete = true;
      return;
    }
    fail(DiagnosticKind::NoGradient, at_.span,
         fmt::format("the gradients read `{}`, which is over", read.name),
         {"take the statements that made it out of their `fused` block"});
  }

  const ast::Backward& backward_;
  ast::Location at_;
  RunContext& context_;
  Scope& scope_;
  std::vector<gradient::HeldAs> before_;
};

}  // namespace

void run(const ast::Backward& backward, const ast::Statement& statement, RunContext& context) {
  BackwardRunner(backward, statement, context).run();
}

}  // namespace shard
