#include "interpreter/suggest/unit_help.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "base/format.h"
#include "base/words.h"

namespace shard {

namespace {

// Whether a factor after it would be one of a part of it.
bool binds_loosely(const ast::Expr& expr) {
  const auto* binary = std::get_if<ast::Binary>(&expr.node);
  return binary != nullptr &&
         (binary->op == ast::BinaryOp::Add || binary->op == ast::BinaryOp::Subtract);
}

// The number by which the expression is divided last; null if it is divided by none.
const ast::Expr* last_divisor(const ast::Expr& expr) {
  const auto* binary = std::get_if<ast::Binary>(&expr.node);
  if (binary == nullptr || binary->op != ast::BinaryOp::Divide) return nullptr;
  const bool number = std::holds_alternative<ast::Number>(binary->right->node);
  return number ? &*binary->right : nullptr;
}

// What moves or is computed, and how long that takes.
struct VolumeAndTime {
  std::string_view volume;
  std::string_view seconds;
};
constexpr VolumeAndTime kVolumes[] = {
    {"comm_bytes", "comms"}, {"hbm_bytes", "hbm"}, {"flops", "math"}};

std::vector<Edit> figure_edits(const ast::Expr& side, const Unit& wanted) {
  const auto* member = std::get_if<ast::Member>(&side.node);
  if (member == nullptr || !member->arguments.empty()) return {};
  const std::string_view field = member->field.text;
  for (const VolumeAndTime& figure : kVolumes) {
    const Unit volume = figure.volume == "flops" ? kFlops : kBytes;
    const Span span = member->field.at.span;
    if (field == figure.seconds && wanted == volume) return {{span, std::string(figure.volume)}};
    if (field == figure.volume && wanted == kSeconds) return {{span, std::string(figure.seconds)}};
  }
  return {};
}

}  // namespace

namespace {

// Units in which figures are shown, from the smallest on.
struct UnitLadder {
  Unit unit;
  std::array<std::string_view, 3> words;
};
constexpr UnitLadder kLadders[] = {{kSeconds, {"us", "ms", "s"}},
                                   {kBytes, {"kB", "MB", "GB"}},
                                   {kFlops, {"MFLOP", "GFLOP", "TFLOP"}},
                                   {kBytesPerSecond, {"MB/s", "GB/s", "TB/s"}},
                                   {kFlopsPerSecond, {"GFLOP/s", "TFLOP/s", "PFLOP/s"}}};

// `2` of `2 MB`, with what it is in base units; nullopt where no unit stands after it.
struct Numeral {
  std::string text;
  Rational value;
};
std::optional<Numeral> numeral_of(const ast::Number& number) {
  std::size_t end = number.text.size();
  while (end > 0 && (is_letter(number.text[end - 1]) || number.text[end - 1] == '/')) --end;
  const auto unit = parse_unit(std::string_view(number.text).substr(end));
  while (end > 0 && number.text[end - 1] == ' ') --end;
  if (!unit || unit->unit != number.unit || end == 0) return std::nullopt;
  return Numeral{number.text.substr(0, end), number.value / unit->factor};
}

// The smallest unit in which the number is above `other`, or the largest in which it is below.
std::string_view fitting_unit(const Numeral& numeral, const WrittenUnit& other, bool above) {
  const auto* ladder = std::find_if(std::begin(kLadders), std::end(kLadders),
                                    [&](const UnitLadder& one) { return one.unit == other.unit; });
  if (ladder == std::end(kLadders)) return {};
  std::string_view fitting = above ? ladder->words.back() : ladder->words.front();
  for (const std::string_view word : ladder->words) {
    const Rational value = numeral.value * parse_unit(word)->factor;
    if (above && other.factor < value) return word;
    if (!above && value < other.factor) fitting = word;
  }
  return fitting;
}

std::vector<Edit> number_edits(const ast::Expr& side, const WrittenUnit& other, bool above) {
  const auto* number = std::get_if<ast::Number>(&side.node);
  const auto numeral = number == nullptr ? std::nullopt : numeral_of(*number);
  const std::string_view unit = numeral ? fitting_unit(*numeral, other, above) : "";
  if (unit.empty()) return {};
  return {{side.at.span, numeral->text + " " + std::string(unit)}};
}

}  // namespace

std::vector<Edit> side_edits(const ast::Binary& binary, const WrittenUnit& left,
                             const WrittenUnit& right) {
  using Op = ast::BinaryOp;
  auto figures = figure_edits(*binary.left, right.unit);
  if (figures.empty()) figures = figure_edits(*binary.right, left.unit);
  if (!figures.empty()) return figures;
  const bool less = binary.op == Op::Less || binary.op == Op::LessEqual;
  const bool greater = binary.op == Op::Greater || binary.op == Op::GreaterEqual;
  if (!less && !greater) return {};
  auto edits = number_edits(*binary.right, left, less);
  return edits.empty() ? number_edits(*binary.left, right, greater) : edits;
}

const ast::Number* meant_as_rate(const ast::Expr& quotient, const Unit& has, const Unit& wanted) {
  const ast::Expr* divisor = last_divisor(quotient);
  if (divisor == nullptr || has * kSeconds != wanted) return nullptr;
  const auto& number = std::get<ast::Number>(divisor->node);
  return number.unit == kBytes || number.unit == kFlops ? &number : nullptr;
}

std::vector<Edit> unit_edits(const ast::Expr& number, const Unit& unit) {
  const std::string word = to_string(unit);
  const auto written = parse_unit(word);
  if (!written || written->unit != unit) return {};
  const Span span = number.at.span;
  const Span begin{span.file, span.begin, span.begin};
  const Span end{span.file, span.end, span.end};
  const auto* literal = std::get_if<ast::Number>(&number.node);
  // Nobody waits for whole seconds here.
  const bool micro = literal != nullptr && unit == kSeconds && !(literal->value < Rational(1));
  if (literal != nullptr) return {{end, micro ? " us" : " " + word}};
  if (binds_loosely(number)) return {{begin, "("}, {end, ") * 1 " + word}};
  return {{end, " * 1 " + word}};
}

std::string in_binary_unit(const Quantity& quantity, const ast::Expr& number) {
  const auto* written = std::get_if<ast::Number>(&number.node);
  const auto value = quantity.value.constant();
  if (written == nullptr || !value || written->unit != quantity.unit) return "";
  const std::size_t end = written->text.find_last_not_of("KMGTiB");
  const std::string word = written->text.substr(end == std::string::npos ? 0 : end + 1);
  const auto unit = word.ends_with("iB") ? parse_unit(word) : std::nullopt;
  if (!unit) return "";
  return format_number((*value / unit->factor).to_double()) + " " + word;
}

std::string multiple_text(const Quantity& left, const Quantity& right) {
  const auto a = left.value.constant();
  const auto b = right.value.constant();
  if (!a || !b || a->is_zero() || b->is_zero()) return "";
  const bool more = *b < *a;
  const Rational quotient = more ? *a / *b : *b / *a;
  const auto times = quotient.to_int64();
  if (!times || *times < 2) return "";
  if (more) return *times == 2 ? "twice as much" : std::to_string(*times) + " times as much";
  return *times == 2 ? "half as much" : "1/" + std::to_string(*times) + " of that";
}

}  // namespace shard
