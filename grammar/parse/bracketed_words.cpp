// Brackets that are no array: operators of statistics, placeholders of commands, an element type in place of a name, and references to
// literature.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/contains.h"
#include "base/dtype.h"
#include "base/words.h"
#include "grammar/parse/construct.h"
#include "grammar/tree/names.h"
#include "grammar/tree/statement_parts.h"

namespace shard {
namespace {

// Of axes that nothing declares: those that axes are called by everywhere.
bool is_usual_axis(std::string_view name) {
  return name.find_first_not_of("XYZxyz") == std::string_view::npos;
}

// `E[X_i]`: a subscript of one small letter that is no axis is an index.
bool has_axes_beyond_index(const ast::ArrayRef& array, const Names& names) {
  const auto is_index = [&](const ast::Identifier& axis) {
    return axis.text.size() == 1 && axis.text[0] >= 'a' && axis.text[0] <= 'z' &&
           !names.has_axis(axis.text) && !is_usual_axis(axis.text);
  };
  return !array.unreduced.empty() ||
         std::any_of(array.dimensions.begin(), array.dimensions.end(), [&](const auto& one) {
           return !std::all_of(one.axes.begin(), one.axes.end(), is_index);
         });
}

bool has_axes(const ast::ArrayRef& array) {
  return !array.unreduced.empty() ||
         std::any_of(array.dimensions.begin(), array.dimensions.end(),
                     [](const ast::Dimension& one) { return !one.axes.empty(); });
}

// `E[X]`, `Var[X]`: an operator of statistics and what it is of, no array and its dimensions.
bool is_statistic(const ast::ArrayRef& array, const Names& names) {
  constexpr std::string_view kOperators[] = {"E", "P", "Pr", "Var", "Cov", "Corr", "Std"};
  return array.bracketed && array.name && !has_axes_beyond_index(array, names) &&
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

// `Attention[Q, K, V]`: a layer and what it is given, unless one of these is a dimension.
bool is_layer(const ast::ArrayRef& array, const Names& names) {
  constexpr std::string_view kLayers[] = {
      "attention", "concat",  "crossattention", "dropout", "feedforward",       "layernorm",
      "multihead", "rmsnorm", "selfattention",  "softmax", "multiheadattention"};
  if (!array.bracketed || !array.name || has_axes(array)) return false;
  std::string name = array.name->text;
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return contains(kLayers, std::string_view(name)) && !names.arrays.contains(array.name->text) &&
         std::all_of(array.dimensions.begin(), array.dimensions.end(), [&](const auto& dimension) {
           const auto* word = std::get_if<ast::Identifier>(&dimension.name);
           return word != nullptr && !names.has_dimension(word->text);
         });
}

// `Figure[A]`, `Eq[B]`, `Optional[T]`: a part of a text, or a type of another language.
bool is_label(const ast::ArrayRef& array, const Names& names) {
  constexpr std::string_view kParts[] = {
      "Alg",        "Algorithm", "Appendix", "Assumption", "Chapter",     "Claim",    "Corollary",
      "Definition", "Eq",        "Eqn",      "Eqs",        "Equation",    "Example",  "Exercise",
      "Fig",        "Figs",      "Figure",   "Footnote",   "Lemma",       "Line",     "Listing",
      "Note",       "Page",      "Problem",  "Prop",       "Proposition", "Question", "Ref",
      "Refs",       "Remark",    "Sec",      "Section",    "Step",        "Tab",      "Table",
      "Theorem",    "Thm"};
  constexpr std::string_view kTypes[] = {"Any",    "Callable", "Dict",    "Iterable", "Iterator",
                                         "List",   "Map",      "Mapping", "Option",   "Optional",
                                         "Result", "Sequence", "Set",     "Tuple",    "Type",
                                         "Union",  "Vec",      "Vector"};
  if (!array.bracketed || !array.name || names.arrays.contains(array.name->text)) return false;
  const std::string_view name = array.name->text;
  return contains(kParts, name) || contains(kTypes, name);
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
  auto arrays = stated_arrays(statement);
  // `E[X] = mu`: what is equal to it.
  std::erase_if(arrays, [](const auto* array) { return !array->bracketed; });
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
    return is_placeholder(*array, names, fewest) || is_layer(*array, names);
  });
}

bool has_only_labels(const ast::Statement& statement, const Names& names) {
  const auto arrays = stated_arrays(statement);
  return !arrays.empty() && std::all_of(arrays.begin(), arrays.end(),
                                        [&](const auto* array) { return is_label(*array, names); });
}

bool is_variable(const ast::Dimension& dimension, const Names& names) {
  const auto* name = std::get_if<ast::Identifier>(&dimension.name);
  const auto in_small_letters = [](std::string_view word) {
    return std::all_of(word.begin(), word.end(),
                       [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '_'; });
  };
  if (name == nullptr || dimension.axes.empty() || !in_small_letters(name->text) ||
      names.has_dimension(name->text))
    return false;
  return std::all_of(dimension.axes.begin(), dimension.axes.end(), [&](const auto& axis) {
    return in_small_letters(axis.text) && !names.has_axis(axis.text) && !is_usual_axis(axis.text);
  });
}

// `half[B, D]` alone: a declaration without the name of the array. Other types stand for arrays without a name.
void reject_nameless_array(ParserContext& context) {
  const Token& word = context.current();
  const auto dtype = context.at(TokenKind::Identifier) && !is_dtype(word.text)
                         ? parse_dtype(word.text)
                         : std::nullopt;
  const bool alone = dtype && !context.names().arrays.contains(word.text) &&
                     context.peek(1).kind == TokenKind::LeftBracket &&
                     context.peek(context.after_group(1)).kind == TokenKind::End;
  if (!alone) return;
  std::string name = "A";
  for (const char* const other : {"A", "E", "Q", "V"}) {
    name = other;
    if (!context.means_something(name)) break;
  }
  const auto line = context.edited_line(word.span, fmt::format("{}: {}", name, name_of(*dtype)));
  context.fail(
      DiagnosticKind::SyntaxError, word.span,
      fmt::format("`{}` is an element type, and the name of the array stands before it", word.text),
      line ? std::vector<std::string>{*line} : std::vector<std::string>());
}

// `See [Smith, 2020].`: a word, and words in brackets of which none is known. An array that is only named and split over nothing
// would do nothing, so that nothing is lost. Names of dimensions are short, or in lower case.
void reject_reference(ParserContext& context) {
  const Token& name = context.current();
  const Token& opener = context.peek(1);
  if (name.kind != TokenKind::Identifier || opener.kind != TokenKind::LeftBracket ||
      opener.partner < 0 || opener.glued || context.names().arrays.contains(name.text))
    return;
  const std::size_t behind = context.after_group(1);
  bool is_reference = false;  // a year, or a word that begins with a capital letter
  for (std::size_t i = 2; i + 1 < behind; ++i) {
    const Token& token = context.peek(i);
    const bool word = token.kind == TokenKind::Identifier || token.kind == TokenKind::Number;
    const bool notation =
        token.text.find('_') != std::string_view::npos || context.names().has_dimension(token.text);
    if (token.kind != TokenKind::Comma && (!word || notation)) return;
    const std::string_view text = token.text;
    is_reference = is_reference || (token.kind == TokenKind::Number
                                        ? behind > 4 && text.size() == 4 &&
                                              (text.starts_with("19") || text.starts_with("20"))
                                        : text.size() > 2 && text[0] >= 'A' && text[0] <= 'Z' &&
                                              text[1] >= 'a' && text[1] <= 'z');
  }
  const Token& next = context.peek(behind);
  const bool ends_sentence = next.text == ".";
  if (!ends_sentence && (next.kind != TokenKind::End || !is_reference)) return;
  context.fail(DiagnosticKind::NotNotation, cover(name.span, context.peek(behind - 1).span),
               "these words are no statement, or an array stands apart from its brackets",
               {"an array is written A[I, J], and a remark begins with #"});
}

}  // namespace shard
