#include "interpreter/holes/even_loops.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/holes/walk_block.h"

namespace shard {

namespace {

// Loops of fewer passes are as quickly run.
constexpr std::int64_t kFewPasses = 6;

using LoopBody = std::vector<ast::Statement>;

bool only_computes(const LoopBody& body) {
  return std::all_of(body.begin(), body.end(), [](const ast::Statement& statement) {
    if (const auto* group = std::get_if<ast::Group>(&statement.node))
      return only_computes(group->body);
    if (const auto* fused = std::get_if<ast::Fused>(&statement.node))
      return only_computes(fused->body);
    return std::holds_alternative<ast::Flow>(statement.node) ||
           std::holds_alternative<ast::Mention>(statement.node) ||
           std::holds_alternative<ast::Results>(statement.node);
  });
}

bool is_bare(const ast::Expr& expr, const std::string& name) {
  const auto* array = std::get_if<ast::ArrayRef>(&expr.node);
  return array != nullptr && array->name && !array->bracketed && array->indices.empty() &&
         array->name->text == name;
}

// Whether no axis cuts the dimension that is indexed.
bool is_whole(const ast::ArrayRef& array, const ast::Index& index) {
  if (array.dimensions.empty()) return false;
  if (!index.dimension) return array.dimensions.front().axes.empty();
  return std::any_of(
      array.dimensions.begin(), array.dimensions.end(), [&](const ast::Dimension& dimension) {
        const auto* name = std::get_if<ast::Identifier>(&dimension.name);
        return name != nullptr && name->text == index.dimension->text && dimension.axes.empty();
      });
}

// The words of the body but for the variable where it is an index of a whole dimension.
std::set<std::string> words_without_indices(LoopBody body, const std::string& variable) {
  walk_block(body, {.statement = {},
                    .array =
                        [&](ast::ArrayRef& array) {
                          for (ast::Index& index : array.indices) {
                            if (is_bare(*index.value, variable) && is_whole(array, index))
                              index.value->node = whole_number(0);
                          }
                        },
                    .shaped = {},
                    .call = {}});
  std::string text;
  for (const ast::Statement& statement : body) text += print(statement, Spelling::Ascii) + "\n";
  return letter_runs(text);
}

// With those of the functions whose names are among them.
bool mentions_with_functions(const std::set<std::string>& words, const std::string& variable,
                             const Scope& scope) {
  std::set<std::string> read;
  std::vector<std::string> open(words.begin(), words.end());
  while (!open.empty()) {
    const std::string word = std::move(open.back());
    open.pop_back();
    if (word == variable) return true;
    const auto function = scope.names.functions.find(name_key(word));
    if (function == scope.names.functions.end() || !read.insert(word).second) continue;
    const ast::Statement statement{.node = *function->second, .at = {}};
    for (const std::string& inner : letter_runs(print(statement, Spelling::Ascii)))
      open.push_back(inner);
  }
  return false;
}

std::optional<std::int64_t> known_number(const ast::Expr& expr, const Scope& scope) {
  if (const auto* number = std::get_if<ast::Number>(&expr.node)) return number->value.to_int64();
  const auto* name = std::get_if<ast::ArrayRef>(&expr.node);
  if (name == nullptr || !name->name || !is_bare(expr, name->name->text)) return std::nullopt;
  const auto* binding = scope.find_binding(name->name->text);
  const auto* quantity = binding == nullptr ? nullptr : std::get_if<Quantity>(&binding->value);
  const auto value = quantity == nullptr ? std::nullopt : quantity->value.constant();
  return value ? value->to_int64() : std::nullopt;
}

}  // namespace

std::vector<EvenLoop> even_loops(const std::vector<ast::Statement>& body, const Scope& scope) {
  std::vector<EvenLoop> loops;
  for (std::size_t i = 0; i < body.size(); ++i) {
    // What the block gives a value may be the number of passes.
    if (std::holds_alternative<ast::Bindings>(body[i].node)) return {};
    const auto* loop = std::get_if<ast::Loop>(&body[i].node);
    const auto* range = loop == nullptr ? nullptr : std::get_if<ast::Range>(&loop->values);
    if (range == nullptr || !only_computes(loop->body)) continue;
    const auto begin = known_number(range->begin, scope);
    const auto end = known_number(range->end, scope);
    const std::string& variable = loop->variable.text;
    if (!begin || !end || *end - *begin < kFewPasses ||
        scope.names.find_dimension(variable).has_value() ||
        mentions_with_functions(words_without_indices(loop->body, variable), variable, scope))
      continue;
    loops.push_back({i, *begin, *end - *begin, range->end});
  }
  return loops;
}

}  // namespace shard
