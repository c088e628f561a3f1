#include "interpreter/driver/saved_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "base/words.h"
#include "grammar/parse/parser.h"
#include "grammar/tree/names.h"
#include "interpreter/statements/print.h"

namespace shard {

namespace {

// A place of an input that gives a size, a scalar or a function.
struct Giving {
  std::size_t input = 0;
  Span span;
  std::string text;
};

// The size as a number: what it was computed from may have changed.
std::optional<std::string> number_of(const std::string& name, const Scope& scope) {
  const BindingInfo* binding = scope.find_binding(name);
  const auto* quantity = binding == nullptr ? nullptr : std::get_if<Quantity>(&binding->value);
  if (quantity == nullptr || !quantity->unit.is_plain()) return std::nullopt;
  const auto value = quantity->value.constant();
  const auto whole = value ? value->to_int64() : std::nullopt;
  return whole ? std::optional(std::to_string(*whole)) : std::nullopt;
}

// By name, in the order of the inputs.
class Givings {
 public:
  void note(std::size_t input, const ast::Statement& statement, const SourceMap& sources) {
    if (const auto* bindings = std::get_if<ast::Bindings>(&statement.node)) {
      for (const ast::Binding& binding : bindings->items)
        add("= " + name_key(binding.name.text), input, binding.value->at.span, sources);
    } else if (const auto* function = std::get_if<ast::Function>(&statement.node)) {
      add("fn " + name_key(function->name.text), input, statement.at.span, sources);
    }
  }

  // What stands at a place of an input from now on.
  std::vector<Giving> changes(const Scope& scope) const {
    std::vector<Giving> changed;
    for (const auto& entry : by_name_) {
      const std::string& key = entry.first;
      const std::vector<Giving>& places = entry.second;
      const bool differ = std::any_of(places.begin(), places.end(), [&](const Giving& place) {
        return place.text != places.front().text;
      });
      const std::string name = key.substr(key.find(' ') + 1);
      if (!differ || (key[0] == '=' && scope.find_binding(name) == nullptr)) continue;
      const auto number = key[0] == '=' ? number_of(name, scope) : std::nullopt;
      for (const Giving& place : places)
        changed.push_back({place.input, place.span, number.value_or(places.back().text)});
    }
    return changed;
  }

 private:
  void add(const std::string& key, std::size_t input, Span span, const SourceMap& sources) {
    by_name_[key].push_back({input, span, std::string(sources.text(span))});
  }
  std::map<std::string, std::vector<Giving>> by_name_;
};

// Each `ans` that stands alone, as another name.
std::string renamed_last(const std::string& text, const std::string& name) {
  const std::string_view last = kLastValue;
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const bool is_it =
        std::string_view(text).substr(i).starts_with(last) &&
        (i == 0 || !is_name_character(text[i - 1])) &&
        (i + last.size() == text.size() || !is_name_character(text[i + last.size()]));
    result += is_it ? name : std::string(1, text[i]);
    i += is_it ? last.size() : 1;
  }
  return result;
}

}  // namespace

std::string saved_script(const std::vector<TypedInput>& inputs, const Session& session) {
  SourceMap sources;
  Names names;
  DiagnosticSink ignored;
  Givings givings;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ast::Module module =
        parse(sources, sources.add(inputs[i].name, inputs[i].text), names, ignored);
    for (const ast::Statement& statement : module.statements) givings.note(i, statement, sources);
  }
  std::vector<Giving> changes = givings.changes(session.state().scope);
  // From the end of each text, so that earlier places stay where they are.
  std::sort(changes.begin(), changes.end(),
            [](const Giving& a, const Giving& b) { return a.span.begin > b.span.begin; });
  std::vector<std::string> texts;
  for (const TypedInput& input : inputs) texts.push_back(input.text);
  for (const Giving& change : changes)
    texts[change.input].replace(change.span.begin, change.span.end - change.span.begin,
                                change.text);
  std::optional<std::size_t> giver;  // of the last value
  std::map<std::size_t, bool> is_named;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string name = giver ? fmt::format("{}{}", kLastValue, *giver + 1) : "";
    const std::string renamed = giver ? renamed_last(texts[i], name) : texts[i];
    if (renamed != texts[i]) is_named[*giver] = true;
    texts[i] = renamed;
    if (!inputs[i].last_value.empty()) giver = i;
  }
  std::string script;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    script += texts[i].substr(0, texts[i].find_last_not_of(" \t\r\n") + 1) + "\n";
    if (is_named.count(i) != 0)
      script += fmt::format("{}{} = {}\n", kLastValue, i + 1, inputs[i].last_value);
  }
  return script;
}

std::string options_of_run(const SessionOptions& options) {
  std::string text;
  if (options.model == CostModel::Links) text += " --model links";
  if (options.execution.estimate) text += " --estimate";
  if (options.execution.hops) text += " --hops";
  if (options.execution.inputs == InputValues::Normal) text += " --inputs normal";
  return text;
}

}  // namespace shard
