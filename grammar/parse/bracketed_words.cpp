// Brackets of a text that are no arrays: operators of statistics, placeholders of commands.
#include <algorithm>
#include <iterator>

#include "base/words.h"
#include "grammar/parse/construct.h"
#include "grammar/tree/names.h"
#include "grammar/tree/statement_parts.h"

namespace shard {
namespace {

bool has_axes(const ast::ArrayRef& array) {
  return !array.unreduced.empty() ||
         std::any_of(array.dimensions.begin(), array.dimensions.end(),
                     [](const ast::Dimension& one) { return !one.axes.empty(); });
}

// `E[X]`, `Var[X]`: an operator of statistics and what it is of, no array and its dimensions.
bool is_statistic(const ast::ArrayRef& array, const Names& names) {
  constexpr std::string_view kOperators[] = {"E", "P", "Pr", "Var", "Cov", "Corr", "Std"};
  return array.bracketed && array.name && !has_axes(array) &&
         !names.arrays.contains(array.name->text) &&
         std::find(std::begin(kOperators), std::end(kOperators), array.name->text) !=
             std::end(kOperators);
}

// `rm -rf [FILE]`, `MIT[License]`: one word in brackets, in letters that a dimension's name of one word hardly has. `fewest`: the
// letters from which it is a word.
bool is_placeholder(const ast::ArrayRef& array, const Names& names, std::size_t fewest) {
  if (!array.bracketed || array.dimensions.size() != 1 || has_axes(array)) return false;
  const auto* word = std::get_if<ast::Identifier>(&array.dimensions.front().name);
  return word != nullptr && word->text.size() >= fewest && !names.has_dimension(word->text) &&
         std::all_of(word->text.begin(), word->text.end(), is_letter) &&
         !(array.name && names.arrays.contains(array.name->text));
}

}  // namespace

std::vector<const ast::ArrayRef*> stated_arrays(const ast::Statement& statement) {
  std::vector<const ast::ArrayRef*> arrays;
  const auto add = [&](const ast::Expr& expr) {
    for (const ast::ArrayRef* array : arrays_in(expr)) arrays.push_back(array);
  };
  if (const auto* evaluate = std::get_if<ast::Evaluate>(&statement.node)) {
    add(evaluate->value);
  } else if (const auto* equation = std::get_if<ast::Equation>(&statement.node)) {
    add(equation->left);
    add(equation->right);
  } else if (const auto* flow = std::get_if<ast::Flow>(&statement.node)) {
    add(flow->value);
    arrays.push_back(&flow->target);
  } else if (const auto* mention = std::get_if<ast::Mention>(&statement.node)) {
    for (const ast::ArrayRef& array : mention->arrays) arrays.push_back(&array);
  }
  return arrays;
}

bool is_about_statistics(const ast::Statement& statement, const Names& names) {
  const auto arrays = stated_arrays(statement);
  return !arrays.empty() && std::all_of(arrays.begin(), arrays.end(), [&](const auto* array) {
    return is_statistic(*array, names);
  }) && std::any_of(arrays.begin(), arrays.end(), [](const auto* array) {
    return array->name->text.size() > 1 || array->dimensions.size() == 1;
  });
}

bool has_only_placeholders(const ast::Statement& statement, const Names& names,
                           std::size_t fewest) {
  if (!std::holds_alternative<ast::Evaluate>(statement.node) &&
      !std::holds_alternative<ast::Mention>(statement.node))
    return false;
  auto arrays = stated_arrays(statement);
  std::erase_if(arrays, [](const auto* array) { return !array->bracketed; });
  return !arrays.empty() && std::all_of(arrays.begin(), arrays.end(), [&](const auto* array) {
    return is_placeholder(*array, names, fewest);
  });
}

}  // namespace shard
