#include "interpreter/check/former_array.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "interpreter/check/array.h"

namespace shard {

bool report_dropped(const std::string& name, Span span, CheckContext& context) {
  const auto found = context.scope.names.dropped.find(name_key(name));
  if (found == context.scope.names.dropped.end()) return false;
  const auto& [place, by_size] = found->second;
  report(context, DiagnosticKind::DroppedArray, span, fmt::format("`{}` was dropped", name),
         {by_size ? "write the statement that makes it again: it is planned with the new size"
                  : "drop an array after its last use"},
         {{place, by_size ? "by this size" : "dropped here"}});
  return true;
}

bool report_ended(const std::string& name, Span span, CheckContext& context) {
  const Scope& scope = context.scope;
  const auto by_machine = scope.names.ended_by_machine.find(name_key(name));
  if (by_machine != scope.names.ended_by_machine.end()) {
    const ArrayInfo& array = scope.store.arrays[by_machine->second];
    report(context, DiagnosticKind::UnknownName, span,
           fmt::format("`{}` ended where the machine changed", name),
           {array.computed ? "write the statement that makes it again, for this machine"
                           : fmt::format("give it a layout on this mesh: {}: {}[{}]", array.name,
                                         name_of(array.dtype),
                                         join(scope.store.names_of(array.dimensions), ", "))},
           {{array.span, "made here"},
            {scope.machine.last_statement(), "another machine from here on"}});
    return true;
  }
  const auto found = scope.names.ended.find(name_key(name));
  if (found == scope.names.ended.end()) return false;
  report(context, DiagnosticKind::UnknownName, span,
         fmt::format("`{}` ended with the block in which it was made", name),
         {"use it inside of that block, or make it before"}, {{found->second, "made here"}});
  return true;
}

bool report_unknown_element(const ast::ArrayRef& array, CheckContext& context) {
  const auto& dimensions = array.dimensions;
  const auto has_place = [](const ast::Dimension& dimension) {
    return std::holds_alternative<ast::Number>(dimension.name) ||
           std::holds_alternative<ast::Slice>(dimension.name);
  };
  const auto is_zero = [](const ast::Dimension& dimension) {
    const auto* number = std::get_if<ast::Number>(&dimension.name);
    return number != nullptr && number->value == Rational(0);
  };
  const bool is_element = array.name &&
                          std::all_of(dimensions.begin(), dimensions.end(), has_place) &&
                          std::any_of(dimensions.begin(), dimensions.end(), is_zero);
  if (!is_element || context.scope.names.find_array(array.name->text) ||
      context.scope.names.find_declared(array.name->text))
    return false;
  if (!context.scope.told.is_unknown(array.name->text))
    report_unknown_array(array.name->text, array.name->at.span, context);
  return true;
}

}  // namespace shard
