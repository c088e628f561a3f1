#include "interpreter/suggest/other_size.h"

#include <fmt/format.h>

#include "base/words.h"
#include "grammar/parse/parser.h"
#include "grammar/tree/statement_parts.h"
#include "interpreter/suggest/change_told.h"
#include "interpreter/suggest/mended_names.h"

namespace shard {

namespace {

// Whether the text is one statement in whose brackets the dimension stands.
bool has_in_brackets(std::string_view text, const std::string& dimension, const Scope& scope) {
  SourceMap sources;
  Names names;
  for (const MeshAxis& axis : scope.mesh().axes) names.axes.push_back(axis.name);
  DiagnosticSink unsaid;
  const FileId file = sources.add("line", std::string(text));
  const ast::Module module = parse(sources, file, names, unsaid);
  if (unsaid.has_errors() || module.statements.size() != 1) return false;
  for (const BracketPart& part : parts_of(module.statements.front()).brackets) {
    for (const ast::Dimension& one : part.dimensions) {
      const auto* name = std::get_if<ast::Identifier>(&one.name);
      if (name != nullptr && name->text == dimension) return true;
    }
  }
  return false;
}

}  // namespace

void mend_other_size(const ast::Statement& statement, std::string_view text, std::string_view last,
                     const Scope& scope, DiagnosticSink& sink) {
  const auto* bindings = std::get_if<ast::Bindings>(&statement.node);
  if (bindings == nullptr || bindings->items.size() != 1 || last.empty() ||
      !sink.has_within(statement.at.span, {DiagnosticKind::SizeRebound}))
    return;
  const ast::Binding& binding = bindings->items.front();
  const BindingInfo* earlier = scope.find_binding(binding.name.text);
  const auto* number = std::get_if<ast::Number>(&binding.value->node);
  if (earlier == nullptr || number == nullptr || !has_in_brackets(last, binding.name.text, scope))
    return;
  change_told(statement.at.span, sink, [&](const Diagnostic& told) -> std::optional<Diagnostic> {
    if (told.kind != DiagnosticKind::SizeRebound || told.edits.empty()) return std::nullopt;
    Diagnostic mended = told;
    const std::string other = told.edits.front().text;
    mended.edits.clear();
    mended.help = {
        fmt::format("{} = cost {{ {}; {} }}", free_block_name(scope), one_line(text),
                    one_line(last)),
        fmt::format("or a loop over both, for {} in [{}, {}] {{ … }}; another dimension "
                    "gets a name of its own, {} = {}",
                    binding.name.text, to_text(earlier->value), number->text, other, number->text)};
    return mended;
  });
}

}  // namespace shard
