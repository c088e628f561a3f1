#include "interpreter/check/equal_lengths.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/contains.h"

namespace shard {

namespace {

// A dimension with a name of the other operands, which the part has not, of the length by which `cut` is called.
std::optional<DimensionId> as_long_as(DimensionId cut, const checked::Operation& part,
                                      const std::vector<checked::Operation>& operands,
                                      const Scope& scope) {
  const auto& literal = scope.store.dimensions[cut].literal;
  if (!literal) return std::nullopt;
  for (const checked::Operation& other : operands) {
    if (contains(other.labels, cut)) continue;
    for (const DimensionId label : other.labels) {
      if (scope.store.dimensions[label].literal || contains(part.labels, label)) continue;
      const auto length = scope.shape_of({label}).front().constant();
      if (length && *length == Rational(*literal)) return label;
    }
  }
  return std::nullopt;
}

}  // namespace

void warn_of_equal_lengths(const std::vector<checked::Operation>& operands,
                           const TargetHint& target, CheckContext& context) {
  const Scope& scope = context.scope;
  for (const checked::Operation& part : operands) {
    const auto* selection = std::get_if<checked::Selection>(&part.node);
    const bool is_part = selection != nullptr && selection->kind == SelectionKind::Gather;
    for (const DimensionId cut : part.labels) {
      if (target.brackets && contains(target.brackets->labels, cut)) continue;
      const auto named = as_long_as(cut, part, operands, scope);
      if (!named) continue;
      const std::string& name = scope.store.dimensions[*named].name;
      report(
          context, DiagnosticKind::SuspiciousName, part.span,
          fmt::format("`{}` {} {} elements, as many as `{}` has, and {} another dimension: "
                      "the result has both",
                      describe(part, scope), is_part ? "is cut to" : "has",
                      scope.store.dimensions[cut].name, name, is_part ? "is" : "in"),
          {is_part ? fmt::format(
                         "a line before it gives the part a name, with `{}` in its brackets", name)
                   : fmt::format("the line that makes it gives them the name, with `{}` in its "
                                 "brackets",
                                 name)});
      return;
    }
  }
}

bool check_own_lengths(const std::vector<checked::Operation>& operands, CheckContext& context) {
  const Scope& scope = context.scope;
  // Within a function what stands for `…` may have names of its own.
  if (scope.names.outside) return true;
  std::vector<DimensionId> before;
  for (const checked::Operation& operand : operands) {
    for (const DimensionId label : operand.labels) {
      const DimensionInfo& info = scope.store.dimensions[label];
      const auto other = std::find_if(before.begin(), before.end(), [&](DimensionId known) {
        const DimensionInfo& its = scope.store.dimensions[known];
        return known != label && its.key == info.key && (its.own_length || info.own_length);
      });
      if (other == before.end()) {
        before.push_back(label);
        continue;
      }
      report(
          context, DiagnosticKind::DimensionReused, operand.span,
          fmt::format("a dimension `{}` of {} meets another one of {}, and the result would "
                      "have two of the name",
                      info.name, scope.size_of(label).to_string(),
                      scope.size_of(*other).to_string()),
          {"brackets where the function is called give the dimensions of its result other names"});
      return false;
    }
  }
  return true;
}

}  // namespace shard
