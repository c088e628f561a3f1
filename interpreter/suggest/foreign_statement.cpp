#include "interpreter/suggest/foreign_statement.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <variant>

#include "grammar/foreign/foreign.h"
#include "grammar/translate/language.h"
#include "grammar/tree/names.h"

namespace shard {

namespace {

class ScopeNames : public ForeignNames {
 public:
  ScopeNames(const Scope& scope, std::string_view text) : scope_(scope), text_(text) {}

  bool is_array(std::string_view name) const override {
    const std::string key(name);
    return scope_.names.find_array(key).has_value() ||
           scope_.names.foreign.count(name_key(key)) > 0;
  }

  std::optional<ForeignArray> array(std::string_view name) const override {
    const std::string key(name);
    const auto id = scope_.names.find_array(key);
    if (!id) {
      const auto told = scope_.names.foreign.find(name_key(key));
      if (told == scope_.names.foreign.end()) return std::nullopt;
      return told->second;
    }
    const LiveCopies& copies = scope_.held.of(*id);
    if (copies.empty()) return std::nullopt;
    return array_of(scope_.store.arrays[*id], copies.back().layout);
  }

  bool is_scalar(std::string_view name) const override {
    const std::string key(name);
    if (is_array(name)) return false;
    return scope_.find_binding(key) != nullptr || scope_.names.find_dimension(key).has_value() ||
           scope_.find_axes(key).has_value();
  }

  bool is_zero(std::string_view name) const override {
    const BindingInfo* binding = is_scalar(name) ? scope_.find_binding(std::string(name)) : nullptr;
    const auto* quantity = binding == nullptr ? nullptr : std::get_if<Quantity>(&binding->value);
    const auto number = quantity == nullptr ? std::nullopt : quantity->value.constant();
    return number && *number == Rational(0);
  }

  bool is_function(std::string_view name) const override {
    return scope_.names.functions.count(name_key(name)) > 0 || is_language_function(name) ||
           is_defined_later(name);
  }

  std::vector<std::string> dimensions() const override {
    std::vector<const BindingInfo*> sizes;
    for (const auto& [key, binding] : scope_.names.bindings) {
      if (scope_.names.find_dimension(binding.name) || whole_number(binding))
        sizes.push_back(&binding);
    }
    std::sort(sizes.begin(), sizes.end(), [](const BindingInfo* a, const BindingInfo* b) {
      return a->span.begin < b->span.begin;
    });
    std::vector<std::string> names;
    for (const BindingInfo* binding : sizes) names.push_back(binding->name);
    return names;
  }

  std::optional<std::string> dimension_of(std::int64_t length) const override {
    for (const std::string& name : dimensions()) {
      const BindingInfo* binding = scope_.find_binding(name);
      if (binding != nullptr && whole_number(*binding) == length) return name;
    }
    return std::nullopt;
  }

  std::optional<std::int64_t> length_of(std::string_view name) const override {
    const std::string key(name);
    const auto dimension = scope_.names.find_dimension(key);
    const auto length = dimension ? scope_.size_of(*dimension).constant() : std::nullopt;
    if (length) return length->to_int64();
    const BindingInfo* binding = scope_.find_binding(key);
    return binding == nullptr ? std::nullopt : whole_number(*binding);
  }

  std::vector<std::string> axes() const override {
    std::vector<std::string> names;
    for (const MeshAxis& axis : scope_.mesh().axes) names.push_back(axis.name);
    return names;
  }

  std::vector<std::string> parameters(std::string_view function) const override {
    const auto found = scope_.names.functions.find(name_key(function));
    std::vector<std::string> names;
    if (found == scope_.names.functions.end()) return names;
    for (const ast::ArrayRef& parameter : found->second->parameters)
      names.push_back(parameter.name ? parameter.name->text : "");
    return names;
  }

  std::vector<std::string> written(std::string_view name) const override {
    return written_dimensions(text_, name);
  }

 private:
  // `fn mm(…)` below the line that calls it.
  bool is_defined_later(std::string_view name) const {
    return text_.find(fmt::format("fn {}(", name)) != std::string_view::npos;
  }

  static std::optional<std::int64_t> whole_number(const BindingInfo& binding) {
    const auto* quantity = std::get_if<Quantity>(&binding.value);
    if (quantity == nullptr || quantity->unit != kPlain) return std::nullopt;
    const auto number = quantity->value.constant();
    if (!number || *number < Rational(1)) return std::nullopt;
    return number->to_int64();
  }

  ForeignArray array_of(const ArrayInfo& info, const Layout& layout) const {
    ForeignArray array;
    const auto names = scope_.store.names_of(info.dimensions);
    for (std::size_t i = 0; i < names.size(); ++i) {
      ForeignDimension dimension{names[i]};
      for (const AxisId axis : layout.dims.items()[i])
        dimension.axes.push_back(scope_.mesh().axes[axis].name);
      array.dimensions.push_back(std::move(dimension));
    }
    for (const AxisId axis : layout.unreduced.items())
      array.unreduced.push_back(scope_.mesh().axes[axis].name);
    // `{Z=0}`
    const std::string text = to_string(layout, names, scope_.mesh());
    if (!layout.placed.items().empty()) array.placed = text.substr(text.rfind('{'));
    return array;
  }

  const Scope& scope_;
  std::string_view text_;  // of the script
};

// With `(I, K)` directly after a bare name at its end, which is read as a remark, and is a target's brackets elsewhere.
Span with_parentheses(const Span& place, const SourceMap& sources) {
  const std::string_view text = sources.text(place.file);
  if (place.end >= text.size() || text[place.end] != '(') return place;
  const std::size_t close = text.find_first_of(")\n", place.end);
  if (close == std::string_view::npos || text[close] != ')') return place;
  return {place.file, place.begin, static_cast<std::uint32_t>(close + 1)};
}

// A decorator with the line below it, if a function of the notation begins there: what stands in front of it is about that.
Span with_function(const Span& place, const SourceMap& sources) {
  const std::string_view text = sources.text(place.file);
  const std::size_t line = text.find_first_not_of(" \t\r\n", place.end);
  const bool decorates = sources.text(place).starts_with('@') && line != std::string_view::npos &&
                         text.substr(line).starts_with("fn ");
  if (!decorates) return place;
  const std::size_t end = std::min(text.find('\n', line), text.size());
  return {place.file, place.begin, static_cast<std::uint32_t>(end)};
}

void retell_all(const std::vector<ast::Statement>& statements, const SourceMap& sources,
                Scope& scope, DiagnosticSink& sink) {
  for (const ast::Statement& statement : statements)
    retell_foreign(statement, sources, scope, sink);
}

// Of an `if` on one line, so that the help has all of it.
void retell_condition(const ast::Statement& statement, const ast::If& branch,
                      const SourceMap& sources, const Scope& scope, DiagnosticSink& sink) {
  if (!sink.has_within(branch.condition.at.span, foreign_kinds())) return;
  const Span& place = statement.at.span;
  const std::string_view text = sources.text(place);
  if (text.find('\n') != std::string_view::npos) return;
  const auto mistake = read_foreign(text, ScopeNames(scope, sources.text(place.file)));
  if (!mistake) return;
  sink.replace(branch.condition.at.span, foreign_kinds(),
               diagnostic_of(*mistake, place, sources.text(place.file)));
}

// A loop that adds up is reported as a whole: its help stands in the place of all of it.
bool retell_sum(const ast::Statement& statement, const SourceMap& sources, const Scope& scope,
                DiagnosticSink& sink) {
  const Span& place = statement.at.span;
  const auto mistake =
      read_foreign_sum(sources.text(place), ScopeNames(scope, sources.text(place.file)));
  if (!mistake) return false;
  std::vector<DiagnosticKind> kinds = foreign_kinds();
  kinds.push_back(DiagnosticKind::SizeRebound);
  sink.replace(place, kinds, diagnostic_of(*mistake, place, sources.text(place.file)));
  return true;
}

// Statements that stand in others have mistakes of their own.
bool retell_inside(const ast::Statement& statement, const SourceMap& sources, Scope& scope,
                   DiagnosticSink& sink) {
  if (const auto* loop = std::get_if<ast::Loop>(&statement.node)) {
    if (retell_sum(statement, sources, scope, sink)) return true;
    retell_all(loop->body, sources, scope, sink);
  } else if (const auto* group = std::get_if<ast::Group>(&statement.node)) {
    retell_all(group->body, sources, scope, sink);
  } else if (const auto* function = std::get_if<ast::Function>(&statement.node)) {
    retell_all(function->body, sources, scope, sink);
  } else if (const auto* branch = std::get_if<ast::If>(&statement.node)) {
    retell_condition(statement, *branch, sources, scope, sink);
    retell_all(branch->body, sources, scope, sink);
    if (branch->otherwise) retell_all(*branch->otherwise, sources, scope, sink);
  } else {
    return std::holds_alternative<ast::Use>(statement.node);
  }
  return true;
}

}  // namespace

void retell_foreign(const ast::Statement& statement, const SourceMap& sources, Scope& scope,
                    DiagnosticSink& sink) {
  const Span& place = statement.at.span;
  // Reading lines as another language's takes longer than running them: what is in order is not read, however many blocks
  // stand around a mistake.
  const bool sums = std::holds_alternative<ast::Loop>(statement.node) &&
                    sink.has_within(place, {DiagnosticKind::SizeRebound});
  if (!sums && !sink.has_within(place, foreign_kinds())) return;
  if (retell_inside(statement, sources, scope, sink)) return;
  const Span all = with_function(with_parentheses(place, sources), sources);
  const auto mistake = read_foreign(sources.text(all), ScopeNames(scope, sources.text(place.file)));
  if (!mistake) return;
  sink.replace(place, foreign_kinds(), diagnostic_of(*mistake, all, sources.text(place.file)));
  if (mistake->made.empty()) return;
  // What an array of that name was before is no longer what is meant.
  scope.forget_array(mistake->made);
  scope.told.unknown.insert(name_key(mistake->made));
  if (!mistake->array.dimensions.empty())
    scope.names.foreign[name_key(mistake->made)] = mistake->array;
}

}  // namespace shard
