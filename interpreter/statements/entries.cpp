#include "interpreter/statements/entries.h"

namespace shard {

PrintedCell printed_cell(const Value& value) {
  PrintedCell cell{.text = to_text(value), .number = std::nullopt, .unit = kPlain};
  const auto* quantity = std::get_if<Quantity>(&value);
  const auto number = quantity != nullptr ? quantity->value.constant() : std::nullopt;
  if (!number) return cell;
  cell.number = number->to_double();
  cell.unit = quantity->unit;
  return cell;
}

}  // namespace shard
