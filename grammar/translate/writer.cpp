// Names, numbers, operators, and what stands after a dot.
#include "grammar/translate/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "grammar/translate/language.h"
#include "grammar/tree/names.h"

namespace shard {
namespace {

using TreeKind = ForeignTree::Kind;
using OperandRank = ForeignOperand::Rank;

// How an operator is written here, and how close it binds.
struct WrittenOperator {
  std::string_view foreign;
  std::string_view own;
  OperandRank rank;
};
constexpr WrittenOperator kWrittenOperators[] = {
    {"+", "+", OperandRank::Sum},           {"-", "-", OperandRank::Sum},
    {"*", "*", OperandRank::Product},       {"·", "·", OperandRank::Product},
    {"⊙", "⊙", OperandRank::Product},       {"/", "/", OperandRank::Product},
    {"%", "mod", OperandRank::Product},     {"mod", "mod", OperandRank::Product},
    {"**", "^", OperandRank::Power},        {"==", "==", OperandRank::Comparison},
    {"!=", "≠", OperandRank::Comparison},   {"<", "<", OperandRank::Comparison},
    {"<=", "≤", OperandRank::Comparison},   {">", ">", OperandRank::Comparison},
    {">=", "≥", OperandRank::Comparison},   {"≤", "≤", OperandRank::Comparison},
    {"≥", "≥", OperandRank::Comparison},    {"≠", "≠", OperandRank::Comparison},
    {"≈", "≈", OperandRank::Comparison},    {"and", "and", OperandRank::Comparison},
    {"&&", "and", OperandRank::Comparison}, {"or", "or", OperandRank::Comparison},
    {"||", "or", OperandRank::Comparison}};

// The dimensions of both, of the longer operand first.
std::vector<ForeignDimension> united(const ForeignOperand& left, const ForeignOperand& right) {
  const bool right_first = right.dimensions.size() > left.dimensions.size();
  std::vector<ForeignDimension> all = right_first ? right.dimensions : left.dimensions;
  for (const ForeignDimension& other : right_first ? left.dimensions : right.dimensions) {
    const bool known = std::any_of(all.begin(), all.end(), [&](const ForeignDimension& dimension) {
      return dimension.name == other.name;
    });
    if (!known) all.push_back(other);
  }
  return all;
}

}  // namespace

void ForeignWriter::note(const ForeignTree& tree, std::string message, std::string example) {
  if (!piece_) piece_ = Piece{tree.begin, tree.end, std::move(message), std::move(example)};
}

ForeignWriter::Result ForeignWriter::stuck(const ForeignTree& tree, std::string message,
                                           std::string example) {
  if (!stuck_) stuck_ = Piece{tree.begin, tree.end, std::move(message), std::move(example)};
  return std::nullopt;
}

bool ForeignWriter::is_unknown(const ForeignTree& tree) const {
  return tree.kind == TreeKind::Name && !names_.is_array(tree.text) && !names_.is_scalar(tree.text);
}

ForeignWriter::Result ForeignWriter::write(const ForeignTree& tree) {
  switch (tree.kind) {
    case TreeKind::Name:
      return write_name(tree);
    case TreeKind::Number:
      return scalar(tree.text);
    case TreeKind::Unary:
      return write_unary(tree);
    case TreeKind::Binary:
      return tree.text == "@" ? write_matrix_product(tree) : write_binary(tree);
    case TreeKind::Attribute:
      return write_attribute(tree);
    case TreeKind::Index:
      return write_index(tree);
    case TreeKind::Call:
      return write_call(tree);
    default:
      return std::nullopt;
  }
}

ForeignWriter::Result ForeignWriter::write_name(const ForeignTree& tree) {
  if (tree.text == "None" && !names_.is_scalar(tree.text))
    return stuck(tree, "there is no `None`: what is not there is left out");
  if (!names_.is_array(tree.text)) return scalar(tree.text);
  const auto known = names_.array(tree.text);
  if (!known) return unknown_array(tree.text, 2);
  ForeignOperand operand = computed(tree.text, OperandRank::Atom, known->dimensions);
  operand.named = true;
  operand.unreduced = known->unreduced;
  operand.placed = known->placed;
  return operand;
}

// An array, also where nothing says so yet.
ForeignWriter::Result ForeignWriter::write_array(const ForeignTree& tree, std::size_t rank) {
  if (is_unknown(tree)) return unknown_array(tree.text, rank);
  auto operand = write(tree);
  if (!operand || !operand->is_array) return std::nullopt;
  const bool declared = operand->use == ForeignOperand::Use::Declared;
  const bool alone = operand->use == ForeignOperand::Use::Alone;
  if ((!alone && !declared) || !operand->flow_of.empty()) return operand;
  // What stands alone gets a name.
  ForeignOperand named =
      computed(name_before(*operand), OperandRank::Atom, operand->seen_dimensions());
  named.named = true;
  return named;
}

std::string ForeignWriter::name_before(const ForeignOperand& array) {
  std::string name = "Tmp";
  const auto is_taken = [&] {
    return names_.is_array(name) || names_.is_scalar(name) || invented_.count(name) > 0 ||
           before_.find(name + "[") != std::string::npos;
  };
  for (int i = 2; is_taken(); ++i) name = fmt::format("Tmp{}", i);
  const std::string brackets = brackets_text(array.seen_dimensions());
  if (array.use == ForeignOperand::Use::Declared)
    before_ += fmt::format("{}: {}{}; ", name, array.dtype, brackets);
  before_ +=
      fmt::format("{}{} = {}; ", name, brackets, array.named ? bracketed_text(array) : array.text);
  return name;
}

ForeignWriter::Result ForeignWriter::write_unary(const ForeignTree& tree) {
  auto operand = write(tree.parts[0]);
  if (!operand || operand->use == ForeignOperand::Use::Alone) return std::nullopt;
  const bool negation = tree.text == "not" || tree.text == "!";
  if (tree.text == "!") note(tree, "`!` is no sign here: `not` stands before a condition");
  if (tree.text == "+") return operand;
  const std::string text =
      negation ? fmt::format("not {}", operand_text(*operand, OperandRank::Comparison))
               : fmt::format("-{}", operand_text(*operand, OperandRank::Product));
  if (!operand->is_array)
    return scalar(text, negation ? OperandRank::Comparison : OperandRank::Sum);
  return computed(text, OperandRank::Sum, operand->seen_dimensions());
}

ForeignWriter::Result ForeignWriter::elementwise(std::string_view sign, const ForeignOperand& left,
                                                 const ForeignOperand& right) {
  const auto* entry = std::find_if(std::begin(kWrittenOperators), std::end(kWrittenOperators),
                                   [&](const WrittenOperator& s) { return s.own == sign; });
  const bool alone =
      left.use == ForeignOperand::Use::Alone || right.use == ForeignOperand::Use::Alone;
  if (entry == std::end(kWrittenOperators) || alone) return std::nullopt;
  const OperandRank next = entry->rank == OperandRank::Sum       ? OperandRank::Product
                           : entry->rank == OperandRank::Product ? OperandRank::Power
                                                                 : OperandRank::Atom;
  const bool logic = sign == "and" || sign == "or";
  const OperandRank left_rank = entry->rank == OperandRank::Power ? OperandRank::Atom : entry->rank;
  std::string text = fmt::format("{} {} {}", operand_text(left, left_rank), sign,
                                 operand_text(right, logic ? OperandRank::Comparison : next));
  if (sign == "^")
    text = fmt::format("{}^{}", operand_text(left, OperandRank::Atom),
                       operand_text(right, OperandRank::Atom));
  if (!left.is_array && !right.is_array) return scalar(std::move(text), entry->rank);
  return computed(std::move(text), entry->rank, united(left, right));
}

// `x ·_D w`
ForeignWriter::Result ForeignWriter::write_contraction(const ForeignTree& tree) {
  const auto left = write_array(tree.parts[0]);
  const auto right = write_array(tree.parts[1]);
  if (!left || !right) return std::nullopt;
  const std::string over = tree.text.substr(tree.text.find('_') + 1);
  std::vector<ForeignDimension> dimensions;
  for (const ForeignDimension& dimension : united(*left, *right)) {
    if (dimension.name != over) dimensions.push_back(dimension);
  }
  return computed(fmt::format("{} {} {}", operand_text(*left, OperandRank::Product), tree.text,
                              operand_text(*right, OperandRank::Power)),
                  OperandRank::Product, std::move(dimensions));
}

ForeignWriter::Result ForeignWriter::write_binary(const ForeignTree& tree) {
  if (tree.text.starts_with("·_")) return write_contraction(tree);
  const auto* sign = std::find_if(std::begin(kWrittenOperators), std::end(kWrittenOperators),
                                  [&](const WrittenOperator& s) { return s.foreign == tree.text; });
  if (sign == std::end(kWrittenOperators)) return std::nullopt;
  const auto left = write(tree.parts[0]);
  auto right = write(tree.parts[1]);
  if (!left || !right) return std::nullopt;
  // What is added to an array and nothing is known of: `x @ w + b`.
  const bool bias = sign->own == "+" && left->is_array && !left->order.empty() &&
                    left->use != ForeignOperand::Use::Alone && is_unknown(tree.parts[1]);
  if (bias)
    right = unknown_array(tree.parts[1].text,
                          std::vector<std::string>{left->seen_dimensions().back().name});
  const bool both = left->is_array && right->is_array;
  return elementwise(tree.text == "*" && both ? "⊙" : sign->own, *left, *right);
}

// Names for dimensions that none of these are.
std::vector<std::string> ForeignWriter::free_names(const std::set<std::string>& taken) const {
  std::vector<std::string> candidates = names_.dimensions();
  for (const char* const letter : {"I", "J", "K", "L", "M", "N", "P", "Q"})
    candidates.emplace_back(letter);
  // A product needs three, also of an array that has every letter.
  for (std::size_t i = 1; i <= taken.size() + 3; ++i) candidates.push_back(fmt::format("N{}", i));
  std::set<std::string> used = taken;
  std::vector<std::string> free;
  for (const std::string& candidate : candidates) {
    if (used.insert(candidate).second) free.push_back(candidate);
  }
  return free;
}

ForeignOperand ForeignWriter::unknown_array(const std::string& name,
                                            const std::vector<std::string>& dimensions) {
  std::vector<ForeignDimension> all;
  for (const std::string& dimension : dimensions) all.push_back({dimension});
  // What was said of it before holds.
  all = invented_.try_emplace(name, ForeignArray{std::move(all)}).first->second.dimensions;
  ForeignOperand operand = computed(name, OperandRank::Atom, std::move(all));
  operand.named = true;
  operand.must_bracket = true;
  return operand;
}

ForeignOperand ForeignWriter::unknown_array(const std::string& name, std::size_t rank) {
  std::vector<std::string> dimensions = names_.written(name);
  if (dimensions.size() != rank) dimensions = free_names({name});
  dimensions.resize(std::min(rank, dimensions.size()));
  return unknown_array(name, dimensions);
}

// Operands that are no arrays so far get dimensions that fit.
ForeignWriter::Result ForeignWriter::write_matrix_product(const ForeignTree& tree) {
  const auto unknown = [&](const ForeignTree& part) {
    return part.kind == TreeKind::Name && !names_.is_array(part.text);
  };
  std::optional<ForeignOperand> operands[2];
  std::set<std::string> taken;
  for (std::size_t i = 0; i < 2; ++i) {
    const ForeignTree& part = tree.parts[i];
    if (unknown(part)) {
      note(part, fmt::format("`{}` is no array so far: its dimensions stand in brackets where it "
                             "is first used",
                             part.text));
      taken.insert(part.text);
      continue;
    }
    operands[i] = write_array(part);
    // An array of no dimensions has none to sum over.
    if (!operands[i] || operands[i]->dimensions.empty()) return std::nullopt;
    for (const std::string& name : operands[i]->seen_names()) taken.insert(name);
  }
  const bool neither = !operands[0] && !operands[1];
  auto& [left, right] = operands;
  const std::vector<std::string> free = free_names(taken);
  const bool same = tree.parts[0].text == (right ? right->text : "");
  if (!left && !right) left = unknown_array(tree.parts[0].text, {free[0], free[1]});
  if (!left && same) left = unknown_array(tree.parts[0].text, 2);
  if (!left) left = unknown_array(tree.parts[0].text, {free[0], right->seen(0).name});
  if (!right && left->text == tree.parts[1].text) right = left;
  const std::vector<std::string> seen = left->seen_names();
  if (!right) right = unknown_array(tree.parts[1].text, {seen.back(), free[neither ? 2 : 0]});
  const SummedPlaces places = summed_places(*left, *right);
  const std::string& last = left->seen(places.left).name;
  const std::string& first = right->seen(places.right).name;
  if (last != first && are_equally_long(last, first, names_))
    explain(
        fmt::format("it sums by places, over `{}` and `{}`, and a product here over a name that "
                    "both have",
                    last, first));
  return matrix_product(*left, *right, names_);
}

ForeignWriter::Result ForeignWriter::write_attribute(const ForeignTree& tree) {
  const std::string path = path_of(tree);
  const std::string_view module = std::string_view(path).substr(0, path.find('.'));
  const std::string_view language = foreign_language(module);
  if (!language.empty() && !names_.is_array(module) && !names_.is_scalar(module)) {
    if (path == "math.pi" || path == "np.pi" || path == "jnp.pi") {
      note(tree, fmt::format("`{}` is {}: a number is written out", path, language));
      return scalar("3.14159265358979");
    }
    return stuck(tree, fmt::format("`{}` is {}, and nothing here has that name", path, language));
  }
  const ForeignFunction* method = foreign_method(tree.text);
  const ForeignTree& object = tree.parts.front();
  // `c.comms` of a cost block, and `c.time`.
  const bool figure = method == nullptr || method->form == ForeignForm::Say;
  if (figure && object.kind == TreeKind::Name && !names_.is_array(object.text)) return scalar(path);
  const bool field = method != nullptr && method != foreign_function(tree.text);
  if (!field || (object.kind == TreeKind::Name && names_.is_scalar(object.text)))
    return std::nullopt;
  return apply(*method, tree, {.positional = {&object}, .keywords = {}});
}

std::string foreign_dtype(const ForeignTree& tree) {
  const bool word = tree.kind == TreeKind::Attribute || tree.kind == TreeKind::Name ||
                    tree.kind == TreeKind::Text;
  return word ? canonical_dtype(tree.text).value_or("") : "";
}

std::string array_of_dtype(const ForeignTree& tree) {
  const bool of_array = tree.kind == TreeKind::Attribute && tree.text == "dtype" &&
                        tree.parts.front().kind == TreeKind::Name;
  return of_array ? tree.parts.front().text : "";
}

std::optional<std::int64_t> foreign_number(const ForeignTree& tree) {
  constexpr std::size_t kMostDigits = 15;
  const bool minus = tree.kind == TreeKind::Unary && tree.text == "-";
  const ForeignTree& number = minus ? tree.parts.front() : tree;
  std::string digits;
  for (const char c : number.text) {
    if (c != '_') digits += c;
  }
  const bool whole = number.kind == TreeKind::Number && !digits.empty() &&
                     digits.size() <= kMostDigits &&
                     digits.find_first_not_of("0123456789") == std::string::npos;
  if (!whole) return std::nullopt;
  const std::int64_t value = std::stoll(digits);
  return minus ? -value : value;
}

}  // namespace shard
