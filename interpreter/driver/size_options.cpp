#include "interpreter/driver/size_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/format.h"
#include "base/words.h"
#include "grammar/parse/parser.h"
#include "interpreter/session/session.h"

namespace shard {

namespace {

// What a script of bindings alone gives its names, in order.
Result<std::vector<std::pair<std::string, Rational>>> values_of(const std::string& text) {
  SourceMap sources;
  Names names;
  DiagnosticSink sink;
  const ast::Module module = parse(sources, sources.add("", text), names, sink);
  std::vector<std::string> bound;
  for (const ast::Statement& statement : module.statements) {
    const auto* bindings = std::get_if<ast::Bindings>(&statement.node);
    if (bindings == nullptr) return failure("it names no dimension");
    for (const ast::Binding& binding : bindings->items) bound.push_back(binding.name.text);
  }
  Session session({.check_only = true, .execution = {}});
  const Outcome outcome = session.run("", text);
  if (!is_sound(outcome.status)) return failure(outcome.diagnostics.front().message);
  std::vector<std::pair<std::string, Rational>> values;
  for (const std::string& name : bound) {
    const BindingInfo* binding = session.state().scope.find_binding(name);
    const auto* quantity = binding == nullptr ? nullptr : std::get_if<Quantity>(&binding->value);
    const auto number = quantity == nullptr ? std::nullopt : quantity->value.constant();
    if (!number || !quantity->unit.is_plain())
      return failure(fmt::format("`{}` is given no number", name));
    values.emplace_back(name, *number);
  }
  return values;
}

}  // namespace

Result<Rational> parse_scale(const std::string& text) {
  const auto values = values_of("scale = " + text);
  const auto number =
      values && values->size() == 1 ? std::optional(values->front().second) : std::nullopt;
  if (!number || number->is_overflow() || !(*number > Rational(0)) || *number > Rational(1))
    return failure(fmt::format("{} is no part of a whole; write 1/64", text));
  return *number;
}

Result<std::vector<SizeCut::Length>> parse_sizes(const std::string& text) {
  const auto values = values_of(text);
  if (!values || values->empty()) {
    return failure(fmt::format("{}: {}; write B=1Ki", text,
                               values ? "it names no dimension" : values.error().message));
  }
  std::vector<SizeCut::Length> lengths;
  for (const auto& [name, number] : *values) {
    const auto length = number.to_int64();
    if (!length || *length < 1)
      return failure(
          fmt::format("{} gives `{}` no length: that is a whole number from 1 on", text, name));
    lengths.push_back({.name = name, .length = *length});
  }
  return lengths;
}

std::string sizes_text(const std::vector<SizeCut::Length>& lengths) {
  std::vector<std::string> texts;
  for (const SizeCut::Length& length : lengths) texts.push_back(to_text(length));
  return join(texts, ",");
}

}  // namespace shard
