#include "grammar/parse/notation.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/lex/lexer.h"
#include "grammar/parse/construct.h"
#include "grammar/tree/statement_parts.h"

namespace shard {
namespace {

// The statements of a text whose characters stand in `source`; nullopt if there is anything wrong with it.
std::optional<std::vector<ast::Statement>> read_notation(PlainText plain, std::string_view source,
                                                         const Names& names) {
  SourceMap sources;
  DiagnosticSink sink;
  Names known = names;
  const FileId file = sources.add("", std::string(source));
  const TokenList list = lex(std::move(plain), file);
  ParserContext context(sources, list, known, sink);
  context.knows_languages = false;
  std::vector<ast::Statement> statements = parse_statements(context);
  if (!sink.all().empty() || statements.empty()) return std::nullopt;
  return statements;
}

bool is_capital_name(std::string_view name) {
  return !name.empty() && name.front() >= 'A' && name.front() <= 'Z';
}

// Whether brackets are those of an array wherever they stand, and no index or note of a text: `[I_X, j]`, `[I, J]`, `{U_X}`. Below
// `names`, variables of a program are none.
bool is_surely_split(const BracketPart& part, const Names* names) {
  bool named = false;
  for (const ast::Dimension& dimension : part.dimensions) {
    if (!dimension.axes.empty() && (names == nullptr || !is_variable(dimension, *names)))
      return true;
    const auto* name = std::get_if<ast::Identifier>(&dimension.name);
    if (name != nullptr && !is_capital_name(name->text)) return false;
    named = named || name != nullptr || std::holds_alternative<ast::Slice>(dimension.name);
  }
  return named || !part.unreduced.empty();
}

bool has_sure_brackets(const ast::Statement& statement, const Names* names = nullptr) {
  const StatementParts parts = parts_of(statement);
  return std::any_of(parts.brackets.begin(), parts.brackets.end(),
                     [&](const BracketPart& part) { return is_surely_split(part, names); });
}

// The words of dimensions that are variables of a program: `user` and `id` of `users[user_id]`.
std::vector<std::string> variable_words(const ast::Statement& statement, const Names& names) {
  std::vector<std::string> words;
  for (const BracketPart& part : parts_of(statement).brackets) {
    for (const ast::Dimension& dimension : part.dimensions) {
      if (!is_variable(dimension, names)) continue;
      words.push_back(std::get<ast::Identifier>(dimension.name).text);
      for (const ast::Identifier& axis : dimension.axes) words.push_back(axis.text);
    }
  }
  return words;
}

// Whether a value is an array of another language: `A[0:2]` of a listing.
bool has_slice(const ast::Statement& statement) {
  const StatementParts parts = parts_of(statement);
  return std::any_of(parts.brackets.begin(), parts.brackets.end(), [](const BracketPart& part) {
    return std::any_of(part.dimensions.begin(), part.dimensions.end(), [](const auto& dimension) {
      return std::holds_alternative<ast::Slice>(dimension.name);
    });
  });
}

// A name on its own that may be an array: no dimension, unless there is an array of that name as well.
bool is_array_name(const ast::Expr& expr, const Names& names) {
  const auto* array = std::get_if<ast::ArrayRef>(&expr.node);
  if (array == nullptr || array->bracketed || !array->name) return false;
  const std::string& name = array->name->text;
  return names.arrays.contains(name) || (!names.has_dimension(name) && !names.has_axis(name));
}

// `A · B`, `W_i @ x_i`: a product of arrays that are only named.
bool is_product_of_names(const ast::Expr& expr, const Names& names) {
  const auto* product = std::get_if<ast::Product>(&expr.node);
  if (product == nullptr) return false;
  // What is said to be summed is a dimension, so that both are arrays.
  const bool contracts = !product->index.empty() || product->local;
  const auto fits = [&](const ast::Expr& factor) {
    const auto* array = std::get_if<ast::ArrayRef>(&factor.node);
    const bool name = array != nullptr && !array->bracketed && array->name;
    return (contracts && name) || is_array_name(factor, names) ||
           is_product_of_names(factor, names);
  };
  return fits(*product->left) && fits(*product->right);
}

bool states_product_of_names(const ast::Statement& statement, const Names& names) {
  if (const auto* evaluate = std::get_if<ast::Evaluate>(&statement.node))
    return is_product_of_names(evaluate->value, names);
  if (const auto* flow = std::get_if<ast::Flow>(&statement.node))
    return is_product_of_names(flow->value, names);
  const auto* bindings = std::get_if<ast::Bindings>(&statement.node);
  return bindings != nullptr && bindings->items.size() == 1 &&
         is_product_of_names(*bindings->items.front().value, names);
}

bool is_flow_by_arrow(const ast::Statement& statement) {
  const auto* flow = std::get_if<ast::Flow>(&statement.node);
  return flow != nullptr && flow->sign == ast::FlowSign::Arrow;
}

// Whether a line of a program has what programs hardly have: an arrow, a `·`, a collective, or capitals in all of its brackets.
bool is_surely_listed(const ast::Statement& statement, std::string_view text) {
  const StatementParts parts = parts_of(statement);
  const auto is_capital = [](const ast::Dimension& dimension) {
    const auto* name = std::get_if<ast::Identifier>(&dimension.name);
    return name == nullptr || is_capital_name(name->text);
  };
  return is_flow_by_arrow(statement) || text.find("·") != std::string_view::npos ||
         !parts.collectives.empty() ||
         std::all_of(parts.brackets.begin(), parts.brackets.end(), [&](const BracketPart& part) {
           return std::all_of(part.dimensions.begin(), part.dimensions.end(), is_capital);
         });
}

// `bf16[8, 128] · bf16[128, 128] → fp32[8, 128]`
bool has_typed_operand(const ast::Statement& statement) {
  const auto typed = [](const ast::Expr& expr) {
    const auto arrays = arrays_in(expr);
    return std::any_of(arrays.begin(), arrays.end(),
                       [](const ast::ArrayRef* array) { return array->bracketed && array->dtype; });
  };
  if (const auto* evaluate = std::get_if<ast::Evaluate>(&statement.node))
    return std::holds_alternative<ast::Product>(evaluate->value.node) && typed(evaluate->value);
  if (const auto* flow = std::get_if<ast::Flow>(&statement.node)) return typed(flow->value);
  const auto* equation = std::get_if<ast::Equation>(&statement.node);
  return equation != nullptr && typed(equation->left);
}

// Brackets with an axis of the mesh, if there is one.
bool has_known_axis(const ast::Statement& statement, const Names& names) {
  const StatementParts parts = parts_of(statement);
  return std::any_of(parts.brackets.begin(), parts.brackets.end(), [&](const BracketPart& part) {
    return std::any_of(part.dimensions.begin(), part.dimensions.end(), [&](const auto& dimension) {
      return !dimension.axes.empty() &&
             (names.axes.empty() || names.has_axis(dimension.axes.front().text));
    });
  });
}

// An array without a name, on its own.
bool is_unnamed_array(const ast::Statement& statement) {
  const auto* evaluate = std::get_if<ast::Evaluate>(&statement.node);
  const auto* array =
      evaluate == nullptr ? nullptr : std::get_if<ast::ArrayRef>(&evaluate->value.node);
  return array != nullptr && array->bracketed && !array->name;
}

// Whether it is notation wherever it stands.
bool is_surely_notation(const ast::Statement& statement, const Names& names) {
  return posted_kind(statement) == PostedKind::Type || has_sure_brackets(statement, &names) ||
         is_flow_by_arrow(statement) || !parts_of(statement).collectives.empty();
}

// `I[DONT], A[SAP]` in a sentence, also with short words: these, of which none stands there twice.
std::vector<std::string> short_words(const std::vector<ast::Statement>& statements,
                                     const Names& names, SetApart how) {
  std::vector<std::string> words;
  for (const ast::Statement& statement : statements) {
    if (how != SetApart::Nothing || !has_only_placeholders(statement, names, 1)) return {};
    for (const ast::ArrayRef* array : stated_arrays(statement)) {
      if (!array->bracketed) continue;
      const std::string& word = std::get<ast::Identifier>(array->dimensions.front().name).text;
      if (contains(words, word)) return {};
      words.push_back(word);
    }
  }
  return words;
}

// What the rest of the document has to have if the statements are to be notation.
std::vector<std::string> unsure_words(const std::vector<ast::Statement>& statements,
                                      const Names& names, SetApart how) {
  std::vector<std::string> words = short_words(statements, names, how);
  if (!words.empty()) return words;
  for (const ast::Statement& statement : statements) {
    if (is_surely_notation(statement, names)) return {};
    for (std::string& word : variable_words(statement, names)) words.push_back(std::move(word));
  }
  return words;
}

// `Total = 256 bytes` in a sentence: a word, and how much that is.
bool gives_amount_of_word(const ast::Statement& statement) {
  constexpr std::size_t kFewest = 4;
  const auto* bindings = std::get_if<ast::Bindings>(&statement.node);
  return bindings != nullptr &&
         std::all_of(bindings->items.begin(), bindings->items.end(), [](const auto& item) {
           const std::string& name = item.name.text;
           const auto* number = std::get_if<ast::Number>(&item.value->node);
           return number != nullptr && !(number->unit == Unit()) && name.size() >= kFewest &&
                  std::all_of(name.begin() + 1, name.end(),
                              [](char c) { return c >= 'a' && c <= 'z'; });
         });
}

bool gives_named_sizes(const ast::Statement& statement) {
  const auto* bindings = std::get_if<ast::Bindings>(&statement.node);
  return bindings != nullptr &&
         std::all_of(bindings->items.begin(), bindings->items.end(),
                     [](const auto& item) { return is_capital_name(item.name.text); });
}

// `help [TOPIC]`: the usage of a command.
bool is_set_off(const ast::Statement& statement, std::string_view text) {
  if (!std::holds_alternative<ast::Evaluate>(statement.node)) return false;
  const std::size_t bracket = text.find('[');
  return bracket != std::string_view::npos && bracket > 0 && text[bracket - 1] == ' ';
}

// Whether a statement that could be read is meant as one.
bool is_meant(const ast::Statement& statement, const Names& names, SetApart how,
              std::string_view text) {
  const bool listing = how == SetApart::Listing;
  constexpr std::size_t kWord = 4;
  if (is_about_statistics(statement, names) || has_only_placeholders(statement, names, kWord))
    return false;
  switch (posted_kind(statement)) {
    case PostedKind::Unreadable:
      return false;
    case PostedKind::Mesh:
      return true;
    case PostedKind::Given:
      return std::holds_alternative<ast::Hardware>(statement.node) ||
             (!listing && gives_named_sizes(statement) &&
              !(how == SetApart::Nothing && gives_amount_of_word(statement)));
    case PostedKind::Type:
      return !listing;
    case PostedKind::Named:
      if (is_unnamed_array(statement))
        return !listing && (how == SetApart::Nothing ? has_known_axis(statement, names)
                                                     : has_sure_brackets(statement));
      if (!listing && has_typed_operand(statement)) return true;
      return how == SetApart::Mark && states_product_of_names(statement, names);
    case PostedKind::Array:
      if (is_set_off(statement, text) || has_only_labels(statement, names)) return false;
      [[fallthrough]];
    case PostedKind::Statement:
      if (listing && (has_slice(statement) || !is_surely_listed(statement, text))) return false;
      return has_sure_brackets(statement) || is_flow_by_arrow(statement);
  }
  return false;
}

// Whether it is a line of a compiler's program, as HLO and MLIR print it: their names begin with a sign of their own.
bool is_compiler_output(std::string_view line) {
  for (std::size_t at = line.find('%'); at != std::string_view::npos; at = line.find('%', at + 1)) {
    const bool begins = at == 0 || line[at - 1] == ' ' || line[at - 1] == '(';
    if (begins && at + 1 < line.size() && is_letter(line[at + 1])) return true;
  }
  return line.find("HloModule") != std::string_view::npos;
}

// Where a text may be cut into sentences: behind the sign that ends one, and before a remark of a program.
std::vector<std::string_view> sentences_of(std::string_view text) {
  std::vector<std::string_view> sentences;
  std::size_t begin = 0;
  for (std::size_t at = 0; at + 2 < text.size(); ++at) {
    const bool full = (text[at] == '.' || text[at] == '?' || text[at] == '!') && at > begin &&
                      !is_digit(text[at - 1]);
    const bool remark = text[at] == '#' && at > begin && text[at - 1] == ' ';
    if (text[at + 1] != ' ' || !(full || remark)) continue;
    sentences.push_back(text.substr(begin, at - begin));
    begin = at + 2;
  }
  sentences.push_back(text.substr(begin));
  return sentences;
}

// Without any of these, or a chain without brackets, no notation is in a sentence, and reading it costs nothing.
bool may_hold_notation_within(std::string_view sentence) {
  constexpr std::string_view kSigns[] = {"[", "esh", "TPU", "［", "【"};
  if (may_hold_chain(sentence)) return true;
  return std::any_of(std::begin(kSigns), std::end(kSigns), [&](std::string_view sign) {
    return sentence.find(sign) != std::string_view::npos;
  });
}

}  // namespace

std::optional<Notation> whole_notation(std::string_view text, const Names& names, SetApart how,
                                       const Names* document) {
  std::optional<std::vector<ast::Statement>> statements;
  bool chained = false;
  // The marks of a formula are none of a chain's.
  const std::size_t first = std::min(text.find_first_not_of(" $"), text.size());
  const std::size_t last = text.find_last_not_of(" $") + 1;
  if (how != SetApart::Listing && first < last) {
    if (auto chain = with_brackets(text.substr(first, last - first)))
      statements = read_notation(without_markup(*chain), *chain, names);
    chained = statements.has_value();
  }
  // What is written over an arrow is lost where markup is taken out.
  if (how != SetApart::Listing && !statements && text.find("xrightarrow{") < text.size()) {
    auto within = notation_within(text, names);
    const bool named = within.size() == 1 && within.front().statements.size() == 1 &&
                       !parts_of(within.front().statements.front()).collectives.empty();
    if (named) return std::move(within.front());
  }
  if (!statements) statements = read_notation(without_markup(text), text, names);
  if (!statements) return std::nullopt;
  const bool meant = std::all_of(statements->begin(), statements->end(), [&](const auto& one) {
    return is_meant(one, document == nullptr ? names : *document, how, text);
  });
  if (!meant) return std::nullopt;
  Notation notation{0, text.size(), *std::move(statements), {}};
  notation.unsure_words = unsure_words(notation.statements, names, how);
  for (const ast::Statement& one : notation.statements)
    notation.places.push_back(chained ? first : std::min<std::size_t>(one.at.span.begin, last));
  return notation;
}

std::vector<Notation> notation_within(std::string_view text, const Names& names) {
  std::vector<Notation> found;
  if (is_compiler_output(text)) return found;
  for (const std::string_view sentence : sentences_of(text)) {
    if (!may_hold_notation_within(sentence)) continue;
    const auto offset = static_cast<std::size_t>(sentence.data() - text.data());
    for (PostedPiece& piece : find_posted(sentence, posted_names(names, "", true))) {
      const std::string_view written = sentence.substr(piece.begin, piece.end - piece.begin);
      auto statements = read_notation(std::move(piece.text), sentence, names);
      const bool meant =
          statements && std::all_of(statements->begin(), statements->end(), [&](const auto& one) {
            return is_meant(one, names, SetApart::Nothing, written);
          });
      if (!meant) continue;
      std::vector<std::size_t> places;
      for (const ast::Statement& one : *statements)
        places.push_back(offset +
                         std::clamp<std::size_t>(one.at.span.begin, piece.begin, piece.end));
      auto words = unsure_words(*statements, names, SetApart::Nothing);
      found.push_back({offset + piece.begin, offset + piece.end, *std::move(statements),
                       std::move(places), std::move(words)});
    }
  }
  // Sizes on their own are words of a sentence about anything.
  if (std::all_of(found.begin(), found.end(),
                  [](const Notation& one) { return gives_sizes(one.statements.front()); }))
    found.clear();
  return found;
}

bool gives_sizes(const ast::Statement& statement) {
  return std::holds_alternative<ast::Bindings>(statement.node) &&
         posted_kind(statement) == PostedKind::Given;
}

void learn_names(const std::vector<ast::Statement>& statements, Names& names) {
  for (const ast::Statement& statement : statements) {
    for (const BracketPart& part : parts_of(statement).brackets) {
      for (const ast::Dimension& dimension : part.dimensions) {
        const auto* name = std::get_if<ast::Identifier>(&dimension.name);
        if (name != nullptr) names.dimensions.add(name->text);
      }
    }
    const auto learn = [&](const ast::ArrayRef& array) {
      if (array.bracketed && array.name) names.arrays.add(array.name->text);
    };
    if (const auto* evaluate = std::get_if<ast::Evaluate>(&statement.node)) {
      for (const ast::ArrayRef* array : arrays_in(evaluate->value)) learn(*array);
    } else if (const auto* flow = std::get_if<ast::Flow>(&statement.node)) {
      for (const ast::ArrayRef* array : arrays_in(flow->value)) learn(*array);
      learn(flow->target);
    } else if (const auto* mention = std::get_if<ast::Mention>(&statement.node)) {
      for (const ast::ArrayRef& array : mention->arrays) learn(array);
    } else if (const auto* declaration = std::get_if<ast::Declaration>(&statement.node)) {
      for (const ast::ArrayRef& array : declaration->arrays) learn(array);
    }
  }
}

}  // namespace shard
