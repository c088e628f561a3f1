#include "interpreter/statements/entries.h"

#include <memory>

namespace shard {

namespace {

bool is_found(const Value& value) {
  const auto* word = std::get_if<Word>(&value);
  const bool answers = word != nullptr && (word->text == kHoldsNever || word->text == kHoldsAlways);
  return answers || std::holds_alternative<List>(value) || std::holds_alternative<Condition>(value);
}

}  // namespace

PrintedCell printed_cell(const Value& value) {
  PrintedCell cell{.text = to_text(value), .number = std::nullopt, .unit = kPlain};
  if (is_found(value)) cell.found = std::make_shared<const Value>(value);
  const auto* quantity = std::get_if<Quantity>(&value);
  const auto number = quantity != nullptr ? quantity->value.constant() : std::nullopt;
  if (!number) return cell;
  cell.number = number->to_double();
  cell.unit = quantity->unit;
  return cell;
}

}  // namespace shard
