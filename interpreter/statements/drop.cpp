// `drop A`, `drop A[I_X]`.

#include <fmt/format.h>

#include <algorithm>

#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/check/array.h"
#include "interpreter/check/former_array.h"
#include "interpreter/statements/flow.h"
#include "interpreter/statements/statement.h"

namespace shard {

namespace {

// "the arrays are `A` and `W`"
std::vector<std::string> list_of_arrays(const Scope& scope) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> names;
  for (const auto& [key, id] : scope.names.array_names) {
    if (names.size() < kMost) names.push_back("`" + scope.store.arrays[id].name + "`");
  }
  if (names.empty()) return {};
  return {fmt::format("the array{} {}", names.size() == 1 ? " is" : "s are", join_words(names))};
}

void report_unknown_drop(const ast::Drop& drop, Span span, CheckContext& context) {
  const Scope& scope = context.scope;
  const std::string name = drop.array.name ? drop.array.name->text : "";
  if (scope.told.is_unknown(name) || report_dropped(name, span, context)) return;
  const auto near = nearest_array(name, context);
  const bool is_scalar = scope.find_binding(name) != nullptr;
  report(context, is_scalar ? DiagnosticKind::NotArray : DiagnosticKind::UnknownName, span,
         is_scalar ? fmt::format("`{}` is no array, and only arrays are dropped", name)
                   : fmt::format("no array is called `{}`", name),
         near ? std::vector<std::string>{fmt::format("did you mean `{}`?", *near)}
              : list_of_arrays(scope));
}

void forget(ArrayId array, const std::string& name, Span span, Scope& scope) {
  scope.store.arrays[array].dropped = span;
  scope.names.array_names.erase(name_key(name));
  scope.names.ended_by_machine.erase(name_key(name));  // nor does a declaration of it hold
  scope.names.dropped[name_key(name)] = {.span = span};
}

}  // namespace

void run(const ast::Drop& drop, const ast::Statement& statement, RunContext& context) {
  const Span span = statement.at.span;
  Scope& scope = context.scope;
  const auto id = drop.array.name ? scope.names.find_array(drop.array.name->text) : std::nullopt;
  if (!id) return report_unknown_drop(drop, span, context.check);
  if (!drop.array.bracketed) {
    carry_out(checked::Drop{*id, std::nullopt}, context);
    return forget(*id, drop.array.name->text, span, scope);
  }
  const auto brackets = check_brackets(drop.array, context.check);
  if (!brackets) return;
  const LiveCopies& copies = scope.held.of(*id);
  const Layout layout = without_trivial_axes(brackets->layout, scope.mesh());
  const bool is_there = std::any_of(copies.begin(), copies.end(), [&](const LiveCopy& copy) {
    return !copy.inferred && copy.layout == layout;
  });
  if (is_there) {
    carry_out(checked::Drop{*id, layout}, context);
    if (scope.held.newest_written(*id) != nullptr) return;
    carry_out(checked::Drop{*id, std::nullopt}, context);
    return forget(*id, drop.array.name->text, span, scope);
  }
  report(context.check, DiagnosticKind::NoSuchCopy, span,
         fmt::format("there is no copy `{}`; there is {}", print(drop.array, Spelling::Unicode),
                     list_copies(*id, scope)));
}

}  // namespace shard
