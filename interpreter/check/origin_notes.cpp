#include "interpreter/check/origin_notes.h"

#include <fmt/format.h>

namespace shard {

namespace {

const ArrayInfo* array_of(const checked::Operation& operand, const Scope& scope) {
  const auto* use = std::get_if<checked::Use>(&operand.node);
  return use == nullptr || scope.store.arrays[use->array].anonymous
             ? nullptr
             : &scope.store.arrays[use->array];
}

// "x: bf16[B_X, D]"; empty of what is not declared.
std::string declared_as(const checked::Operation& operand, DType dtype, const Scope& scope) {
  const ArrayInfo* array = array_of(operand, scope);
  if (array == nullptr || array->form == nullptr) return "";
  return fmt::format(
      "{}: {}{}", array->name, name_of(dtype),
      to_string(array->form->layout, scope.store.names_of(array->form->dimensions), scope.mesh()));
}

}  // namespace

std::vector<Note> length_notes(const std::vector<DimensionId>& dimensions, const Scope& scope) {
  std::vector<Note> notes;
  for (const DimensionId dimension : dimensions) {
    const DimensionInfo& info = scope.store.dimensions[dimension];
    const BindingInfo* binding = info.literal ? nullptr : scope.find_binding(info.name);
    if (binding == nullptr) continue;
    notes.push_back({binding->span,
                     fmt::format("`{}` is {} from here on", info.name, to_text(binding->value))});
  }
  return notes;
}

std::vector<Note> type_notes(const std::vector<const checked::Operation*>& operands,
                             const Scope& scope) {
  std::vector<Note> notes;
  for (const checked::Operation* operand : operands) {
    const ArrayInfo* array = array_of(*operand, scope);
    if (array == nullptr || array->span == operand->span) continue;
    notes.push_back(
        {array->span, fmt::format("`{}` is {} from here on", array->name, name_of(array->dtype))});
  }
  return notes;
}

std::string one_type_help(const checked::Operation& a, const checked::Operation& b,
                          const Scope& scope) {
  const std::string first = declared_as(a, b.dtype, scope);
  const std::string second = declared_as(b, a.dtype, scope);
  std::string help = "declare both with one element type";
  if (!first.empty()) help += ": " + first;
  if (!second.empty()) help += (first.empty() ? ": " : ", or ") + second;
  return help;
}

}  // namespace shard
