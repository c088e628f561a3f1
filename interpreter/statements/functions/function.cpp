// `fn f(x[B, D]) { … }`: makes functions known.
#include <fmt/format.h>

#include <set>
#include <string_view>
#include <utility>

#include "base/collective.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/evaluate/builtin_call.h"
#include "interpreter/statements/functions/bind_arguments.h"
#include "interpreter/statements/statement.h"

namespace shard {

namespace {

// A list among other axes whose end nobody can tell: two of a subscript that stand alone in none. Null if there is none.
const ast::Identifier* endless_list(const ast::Function& function) {
  const auto subscripts = subscripts_of(function);
  std::set<std::string_view> told;
  for (const auto* subscript : subscripts) {
    if (subscript->size() == 1) told.insert(without_all_axes(subscript->front().text));
  }
  for (const auto* subscript : subscripts) {
    std::size_t open = 0;
    for (const ast::Identifier& name : *subscript) {
      if (!names_all_axes(name.text) || told.count(without_all_axes(name.text)) > 0) continue;
      if (++open > 1) return &name;
    }
  }
  return nullptr;
}

// A subscript that names one axis, or one list of axes, twice: no array has such a layout.
bool check_subscripts(const ast::ArrayRef& parameter, CheckContext& context) {
  std::vector<const std::vector<ast::Identifier>*> subscripts = {&parameter.unreduced};
  for (const ast::Dimension& dimension : parameter.dimensions)
    subscripts.push_back(&dimension.axes);
  for (const auto* subscript : subscripts) {
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < subscript->size(); ++i) {
      const ast::Identifier& name = (*subscript)[i];
      const std::string_view axis = without_all_axes(name.text);
      if (seen.insert(axis).second) continue;
      const Span before = (*subscript)[i - 1].at.span;
      report(context, DiagnosticKind::AxisReused, name.at.span,
             fmt::format("`{}` is used twice in `{}`, and an array has an axis once", axis,
                         print(parameter, Spelling::Unicode)),
             {}, {}, {{{before.file, before.end, name.at.span.end}, ""}});
      return false;
    }
  }
  return true;
}

bool check_parameters(const ast::Function& function, CheckContext& context) {
  std::set<std::string> names;
  for (const ast::ArrayRef& parameter : function.parameters) {
    if (!names.insert(name_key(parameter.name->text)).second) {
      report(context, DiagnosticKind::Redeclared, parameter.name->at.span,
             fmt::format("two parameters are called `{}`", parameter.name->text),
             {"give one of them another name"});
      return false;
    }
    if (!check_subscripts(parameter, context)) return false;
    bool is_open = false;
    for (const ast::Dimension& dimension : parameter.dimensions) {
      const bool opens = std::holds_alternative<ast::Rest>(dimension.name) && !is_open;
      is_open = is_open || opens;
      const bool plain = opens || std::holds_alternative<ast::Identifier>(dimension.name) ||
                         std::holds_alternative<ast::Number>(dimension.name);
      if (plain) continue;
      report(context, DiagnosticKind::BadArgument, dimension.at.span,
             "a parameter's dimensions are names or lengths, and one `…`",
             {"`x[B, T, D]`, `x[…, D]`, `x[B, T, …, D]`"});
      return false;
    }
  }
  return true;
}

// Whether it may be made known; reports what is wrong with its name or its parameters.
bool check_function(const ast::Function& function, RunContext& context) {
  const Scope& scope = context.scope;
  const auto fail = [&](DiagnosticKind kind, Span span, std::string message, std::string help,
                        std::vector<Note> notes = {}) {
    report(context.check, kind, span, std::move(message), {std::move(help)}, std::move(notes));
    return false;
  };
  if (scope.names.outside) {
    return fail(DiagnosticKind::MisplacedStatement, function.name.at.span,
                fmt::format("`{}` is defined inside of a function", function.name.text),
                "define it outside: functions see each other");
  }
  const std::string key = name_key(function.name.text);
  const bool is_language = is_function_of_language(function.name.text);
  const auto earlier = scope.names.functions.find(key);
  const bool differs = earlier != scope.names.functions.end() && !(*earlier->second == function);
  if (is_language || (differs && !context.options.interactive)) {
    std::vector<Note> notes;
    if (differs) notes.push_back({earlier->second->name.at.span, "defined here"});
    return fail(DiagnosticKind::Redeclared, function.name.at.span,
                is_language
                    ? fmt::format("`{}` is a {} of the language", function.name.text,
                                  find_collective(function.name.text) == nullptr ? "function"
                                                                                 : "collective")
                    : fmt::format("the function `{}` is there already", function.name.text),
                "give it another name", std::move(notes));
  }
  if (!check_parameters(function, context.check)) return false;
  if (const ast::Identifier* list = endless_list(function)) {
    return fail(
        DiagnosticKind::BadArgument, list->at.span,
        fmt::format("nobody can say where `{}` begins: two lists of a subscript are told apart by "
                    "one that stands alone in another parameter",
                    list->text),
        "`x[N_{Z…,X…}, D], W[E_X, D]`: X is what splits E, and Z what is left");
  }
  return true;
}

}  // namespace

void run(const ast::Function& function, const ast::Statement&, RunContext& context) {
  Scope& scope = context.scope;
  const std::string key = name_key(function.name.text);
  if (check_function(function, context))
    scope.names.functions[key] = std::make_shared<const ast::Function>(function);
  else if (scope.names.functions.count(key) == 0)
    scope.told.unknown.insert(key);
}

}  // namespace shard
