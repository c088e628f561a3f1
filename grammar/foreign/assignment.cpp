// What a line makes: arrays with the dimensions that they get, and numbers.
#include <fmt/format.h>

#include <algorithm>

#include "grammar/foreign/line_reader.h"

namespace shard {
namespace {

using TreeKind = ForeignTree::Kind;
using Use = ForeignOperand::Use;

}  // namespace

// `A: bf16 = Q[B, D] + 1`: a declaration with the dimensions that the value has, and the line that makes it.
std::optional<std::string> ForeignLineReader::write_declared(const ForeignStatement& statement,
                                                             const ForeignOperand& value) {
  if (!statement.annotation || statement.targets.size() != 1 || !value.is_array)
    return std::nullopt;
  const ForeignTree& target = statement.targets.front();
  const std::string dtype = foreign_dtype(*statement.annotation);
  if (dtype.empty() || target.kind != TreeKind::Name || value.use != Use::Value ||
      value.is_reordered())
    return std::nullopt;
  find(*statement.annotation, "a declaration says the dimensions of the array");
  read_.mistake.made = target.text;
  read_.mistake.array = {value.seen_dimensions()};
  return fmt::format("{}: {}{} = {}", target.text, dtype, brackets_text(value.seen_dimensions()),
                     value.named ? bracketed_text(value) : value.text);
}

// `Out[B_X, D] = …`: the target is written as it is here.
std::optional<std::string> ForeignLineReader::write_own_target(const ForeignOperand& target,
                                                               const ForeignOperand& value) {
  if (!value.is_array || !value.dtype.empty()) return std::nullopt;
  if (value.is_part) return write_assignment(target.text, value);
  read_.mistake.made = target.text;
  read_.mistake.array = {target.dimensions};
  const std::string text = value.named ? bracketed_text(value) : operand_text(value, value.rank);
  const bool moved = !value.flow_of.empty() || value.is_reordered() || value.named;
  if (moved)
    return fmt::format("{} → {}{}", text, bracketed_text(target), value.named ? "" : value.placed);
  return fmt::format("{} = {}", bracketed_text(target), text);
}

// An array keeps the order of its dimensions, so in another order it gets another name.
std::string ForeignLineReader::target_name(const std::string& name,
                                           const std::vector<ForeignDimension>& seen) const {
  const auto known = names_.array(name);
  if (!known || known->dimensions.size() != seen.size()) return name;
  bool same = true;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const bool has = std::any_of(seen.begin(), seen.end(), [&](const ForeignDimension& one) {
      return one.name == known->dimensions[i].name;
    });
    if (!has) return name;
    same = same && seen[i].name == known->dimensions[i].name;
  }
  return same ? name : free_name(name);
}

std::string ForeignLineReader::free_name(const std::string& name) const {
  std::string other = name + "2";
  for (int i = 3; names_.is_scalar(other) || names_.is_array(other); ++i)
    other = fmt::format("{}{}", name, i);
  return other;
}

bool ForeignLineReader::has_names_of(const std::vector<ForeignDimension>& known,
                                     const std::vector<ForeignDimension>& seen) {
  return std::equal(known.begin(), known.end(), seen.begin(), seen.end(),
                    [](const ForeignDimension& own, const ForeignDimension& other) {
                      return own.name == other.name &&
                             (other.axes.empty() || other.axes == own.axes);
                    });
}

namespace {

// The axes that what is made stays unreduced over; a named array's are its own.
std::vector<std::string> left_unreduced(const ForeignOperand& value) {
  return value.named ? std::vector<std::string>() : value.unreduced;
}

}  // namespace

std::string ForeignLineReader::write_assignment(const std::string& written,
                                                const ForeignOperand& value) {
  // `work = dist.all_gather(out, A)` is something to wait for.
  if (value.names_target) return write_alone(value);
  const std::vector<ForeignDimension> seen = value.seen_dimensions();
  const std::string name = value.is_array ? target_name(written, seen) : written;
  if (value.is_array) {
    read_.mistake.made = name;
    read_.mistake.array = {seen};
  }
  // What has been made has its layout already, and what that is is not known where it is only read.
  read_.needless = value.is_array && written == value.flow_of && is_relayout(value) &&
                   names_.is_array(written) && !names_.array(written);
  if (value.named && value.text == written && !value.is_reordered() && value.use == Use::Value) {
    read_.needless = true;
    return bracketed_text(value);
  }
  if (!value.flow_of.empty() && (value.flow_of == name || is_relayout(value)))
    return fmt::format("{} → {}{}{}", value.text, name, brackets_text(seen, left_unreduced(value)),
                       value.placed);
  const bool targeted = value.is_array && (value.use != Use::Value || value.named);
  const std::string declared =
      value.dtype.empty() ? "" : fmt::format("{}: {}{}; ", name, value.dtype, brackets_text(seen));
  if (value.is_array && value.text.empty() && !value.dtype.empty())
    return fmt::format("{}: {}{}", name, value.dtype, brackets_text(seen));
  if (!targeted) return fmt::format("{} = {}", name, operand_text(value, value.rank));
  if (!declared.empty() && value.use == Use::Alone)
    return fmt::format("{}{} = {}", declared, name, value.text);
  // Values without a layout get that of the array.
  const auto known =
      value.use == Use::Alone && declared.empty() ? names_.array(name) : std::nullopt;
  const bool same = known && has_names_of(known->dimensions, seen);
  return fmt::format("{}{}{} = {}", declared, name,
                     brackets_text(same ? known->dimensions : seen, left_unreduced(value)),
                     value.named ? bracketed_text(value) : value.text);
}

// Without an operation: `x[B, D]`.
bool ForeignLineReader::is_relayout(const ForeignOperand& value) {
  return value.text.starts_with(value.flow_of + "[");
}

std::string ForeignLineReader::write_alone(const ForeignOperand& value) {
  if (!value.flow_of.empty()) {
    if (value.names_target && !names_.is_array(value.flow_of)) {
      read_.mistake.made = value.flow_of;
      read_.mistake.array = {value.seen_dimensions()};
    }
    return fmt::format("{} → {}{}{}", value.text, value.flow_of,
                       brackets_text(value.seen_dimensions(), left_unreduced(value)), value.placed);
  }
  if (value.is_array && (value.use != Use::Value || value.is_reordered()))
    return fmt::format("Out{} = {}", brackets_text(value.seen_dimensions()),
                       value.named ? bracketed_text(value) : value.text);
  read_.needless = value.named;
  return value.named ? bracketed_text(value) : value.text;
}

}  // namespace shard
