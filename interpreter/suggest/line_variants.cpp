#include "interpreter/suggest/line_variants.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <variant>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/parse/parser.h"
#include "grammar/tree/statement_parts.h"

namespace shard {

namespace {

constexpr std::size_t kLongestLine = 400;

class VariantWriter {
 public:
  VariantWriter(const std::string& text, const ast::Statement& statement, const Scope& scope)
      : text_(text), parts_(parts_of(statement)), scope_(scope) {
    for (const MeshAxis& axis : scope.mesh().axes) axes_.push_back(axis.name);
    for (const BracketPart& part : parts_.brackets) {
      for (const ast::Dimension& dimension : part.dimensions) {
        const auto* name = std::get_if<ast::Identifier>(&dimension.name);
        if (name != nullptr) add_dimension(name->text);
      }
    }
  }

  // The dimensions of a known array.
  void know(const std::string& array) {
    const auto id = scope_.names.find_array(array);
    if (!id) return;
    for (const std::string& name : scope_.store.names_of(scope_.store.arrays[*id].dimensions))
      add_dimension(name);
  }

  std::vector<LineVariant> write() {
    for (const BracketPart& part : parts_.brackets) write(part);
    for (const ast::Collective* collective : parts_.collectives) {
      for (const ast::Identifier& axis : collective->axes) exchange(axis, axes_);
      for (const ast::Destination& destination : collective->destinations)
        exchange(destination.dimension, dimensions_);
      mark_operand(*collective);
    }
    for (const ast::Product* product : parts_.products) {
      for (const ast::Identifier& name : product->index) exchange(name, dimensions_);
    }
    for (const ast::Call* call : parts_.calls) {
      for (const ast::Identifier& name : call->subscript) exchange(name, dimensions_);
    }
    exchange_everywhere();
    return std::move(variants_);
  }

 private:
  void add_dimension(const std::string& name) {
    if (!contains(dimensions_, name)) dimensions_.push_back(name);
  }

  void write(const BracketPart& part) {
    for (const ast::Dimension& dimension : part.dimensions) {
      for (const ast::Identifier& axis : dimension.axes) exchange(axis, axes_);
      const auto* name = std::get_if<ast::Identifier>(&dimension.name);
      if (name == nullptr) continue;
      exchange(*name, dimensions_);
      if (dimension.axes.size() == 1) put(name->at.span.end, dimension.at.span.end, "");
    }
    for (const ast::Identifier& axis : part.unreduced) exchange(axis, axes_);
    if (!part.unreduced.empty()) change_mark(part.unreduced);
  }

  void change_mark(const std::vector<ast::Identifier>& unreduced) {
    const std::size_t open = text_.rfind('{', unreduced.front().at.span.begin);
    const std::size_t close = text_.find('}', unreduced.back().at.span.end);
    if (open == std::string::npos || close == std::string::npos) return;
    put(open, close + 1, "");
    const std::size_t sign = text_.find('_', open);
    const std::string word = text_.substr(open + 1, sign - open - 1);
    const std::vector<std::string> words = {"U", "max", "min"};
    if (!contains(words, word)) return;
    for (const std::string& other : words) {
      if (other != word) put(open + 1, sign, other);
    }
  }

  // `AllReduce_X g[D]` of what was to be partial sums: `g[D]{U_X}`.
  void mark_operand(const ast::Collective& collective) {
    const auto* array = std::get_if<ast::ArrayRef>(&collective.operand->node);
    if (!adds_up(collective.kind) || collective.axes.size() != 1 || array == nullptr ||
        !array->bracketed || !array->unreduced.empty() || !array->placed.empty())
      return;
    const std::size_t end = array->at.span.end;
    put(end, end, "{U_" + collective.axes.front().text + "}");
  }

  void exchange(const ast::Identifier& name, const std::vector<std::string>& others) {
    const Span& span = name.at.span;
    if (span.end > text_.size() || text_.substr(span.begin, span.end - span.begin) != name.text)
      return;
    if (&others == &axes_ && !contains(axes_, name.text)) strangers_[name.text].push_back(span);
    for (const std::string& other : others) {
      if (other != name.text) put(span.begin, span.end, other);
    }
  }

  // An axis that the mesh has not, wherever the line has it.
  void exchange_everywhere() {
    for (const auto& [name, spans] : strangers_) {
      if (spans.size() < 2) continue;
      for (const std::string& axis : axes_) {
        std::vector<Span> places = spans;
        std::sort(places.begin(), places.end(),
                  [](const Span& a, const Span& b) { return a.begin > b.begin; });
        std::string line = text_;
        for (const Span& place : places) line.replace(place.begin, place.end - place.begin, axis);
        variants_.push_back({std::move(line), places.back().begin, places.back().end});
      }
    }
  }

  void put(std::size_t begin, std::size_t end, const std::string& text) {
    if (end > text_.size() || begin > end) return;
    std::string line = text_;
    line.replace(begin, end - begin, text);
    variants_.push_back({std::move(line), begin, end, text.empty()});
  }

  const std::string& text_;
  StatementParts parts_;
  const Scope& scope_;
  std::vector<std::string> axes_;
  std::vector<std::string> dimensions_;
  std::map<std::string, std::vector<Span>> strangers_;
  std::vector<LineVariant> variants_;
};

void know_arrays(const ast::Expr& value, VariantWriter& writer) {
  for (const ast::ArrayRef* array : arrays_in(value)) {
    if (array->name) writer.know(array->name->text);
  }
}

std::optional<ast::Statement> only_statement(const std::string& text, const Scope& scope) {
  if (text.size() > kLongestLine) return std::nullopt;
  SourceMap sources;
  Names names;
  for (const MeshAxis& axis : scope.mesh().axes) names.axes.push_back(axis.name);
  DiagnosticSink unsaid;
  const FileId file = sources.add("line", text);
  ast::Module module = parse(sources, file, names, unsaid);
  if (unsaid.has_errors() || module.statements.size() != 1) return std::nullopt;
  return std::move(module.statements.front());
}

// The places of a dimension's name in brackets.
std::vector<Span> places_of(const std::string& name, const StatementParts& parts) {
  std::vector<Span> places;
  for (const BracketPart& part : parts.brackets) {
    for (const ast::Dimension& dimension : part.dimensions) {
      const auto* word = std::get_if<ast::Identifier>(&dimension.name);
      if (word != nullptr && word->text == name) places.push_back(word->at.span);
    }
  }
  std::sort(places.begin(), places.end(),
            [](const Span& a, const Span& b) { return a.begin < b.begin; });
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

std::string renamed(std::string text, std::vector<Span> places, const std::string& name) {
  std::sort(places.begin(), places.end(),
            [](const Span& a, const Span& b) { return a.begin > b.begin; });
  for (const Span& place : places) text.replace(place.begin, place.end - place.begin, name);
  return text;
}

// Where else the second dimension may stand: that of the target in the last operand; that of an operand in the next one, or in
// the target.
std::vector<Span> in_likely_order(const std::vector<Span>& places, const Span& second,
                                  const ast::Statement& statement) {
  const auto* flow = std::get_if<ast::Flow>(&statement.node);
  const Span target = flow == nullptr ? Span{} : flow->target.at.span;
  const auto rank = [&](const Span& place) {
    if (encloses(target, second)) return -static_cast<std::int64_t>(place.begin);
    constexpr std::int64_t kBehind = 1 << 20;
    const std::int64_t at = place.begin;
    if (encloses(target, place)) return kBehind;
    return at > second.begin ? at : 2 * kBehind - at;
  };
  std::vector<Span> others;
  std::copy_if(places.begin(), places.end(), std::back_inserter(others),
               [&](const Span& place) { return !(place == second); });
  std::sort(others.begin(), others.end(),
            [&](const Span& a, const Span& b) { return rank(a) < rank(b); });
  return others;
}

// In `Big[N_X, M] = P[N_X, N] ·_N Q[N, M]` the second `N` of `P` is summed with that of `Q`, and the first one is the target's.
// The first one; nullopt where the second is not summed, or is of the right operand, of which the first one is.
std::optional<Span> kept_place(const ast::Identifier& second, const BracketPart& brackets,
                               const StatementParts& parts) {
  const bool is_summed =
      std::any_of(parts.products.begin(), parts.products.end(), [&](const ast::Product* product) {
        return encloses(product->left->at.span, second.at.span) &&
               std::any_of(product->index.begin(), product->index.end(),
                           [&](const ast::Identifier& name) { return name.text == second.text; });
      });
  if (!is_summed) return std::nullopt;
  for (const ast::Dimension& dimension : brackets.dimensions) {
    const auto* word = std::get_if<ast::Identifier>(&dimension.name);
    if (word != nullptr && word->text == second.text && word->at.span != second.at.span)
      return word->at.span;
  }
  return std::nullopt;
}

}  // namespace

std::string free_name(const std::string& name, const Scope& scope, std::string_view text) {
  const std::string stem = is_digit(name.back()) ? name + "_" : name;
  for (int i = 2;; ++i) {
    std::string other = stem + std::to_string(i);
    const bool taken = scope.find_binding(other) != nullptr || scope.names.find_dimension(other) ||
                       scope.names.find_array(other) || scope.find_axes(other) ||
                       text.find(other) != std::string_view::npos;
    if (!taken) return other;
  }
}

std::vector<std::string> with_second_name(const std::string& text, std::size_t place,
                                          const Scope& scope) {
  const auto statement = only_statement(text, scope);
  if (!statement) return {};
  const StatementParts parts = parts_of(*statement);
  for (const BracketPart& part : parts.brackets) {
    for (const ast::Dimension& dimension : part.dimensions) {
      const auto* word = std::get_if<ast::Identifier>(&dimension.name);
      if (word == nullptr || word->at.span.begin != place) continue;
      const std::string other = free_name(word->text, scope, text);
      const BindingInfo* binding = scope.find_binding(word->text);
      const std::string size =
          binding == nullptr ? "" : other + " = " + to_text(binding->value) + "; ";
      std::vector<std::string> lines;
      const std::vector<Span> places = places_of(word->text, parts);
      const auto* flow = std::get_if<ast::Flow>(&statement->node);
      if (const auto kept = kept_place(*word, part, parts); kept && flow != nullptr) {
        for (const Span& also : places) {
          if (encloses(flow->target.at.span, also))
            lines.push_back(size + renamed(text, {*kept, also}, other));
        }
      }
      for (const Span& also : in_likely_order(places, word->at.span, *statement))
        lines.push_back(size + renamed(text, {word->at.span, also}, other));
      lines.push_back(size + renamed(text, {word->at.span}, other));
      return lines;
    }
  }
  return {};
}

std::vector<LineVariant> variants_of(const std::string& text, const Scope& scope) {
  const auto read = only_statement(text, scope);
  if (!read) return {};
  const ast::Statement& statement = *read;
  VariantWriter writer(text, statement, scope);
  if (const auto* flow = std::get_if<ast::Flow>(&statement.node)) {
    know_arrays(flow->value, writer);
  } else if (const auto* bindings = std::get_if<ast::Bindings>(&statement.node)) {
    for (const ast::Binding& binding : bindings->items) know_arrays(*binding.value, writer);
  } else {
    return {};
  }
  return writer.write();
}

}  // namespace shard
