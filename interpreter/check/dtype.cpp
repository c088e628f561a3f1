// Words for element types, and what a misspelt one was meant to be.
#include "base/dtype.h"

#include <fmt/format.h>

#include <utility>

#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/check/brackets.h"

namespace shard {

std::optional<DType> check_dtype(const ast::Identifier& word, CheckContext& context) {
  if (const auto dtype = parse_dtype(word.text)) return dtype;
  const std::vector<std::string> known = words_of(dtypes(), &DTypeInfo::name);
  auto meant = nearest_name(word.text, known);
  // Words for a kind of numbers, without their size.
  constexpr std::pair<std::string_view, const char*> kKinds[] = {
      {"bfloat", "bf16"}, {"brain", "bf16"},    {"fp", "fp32"},   {"single", "fp32"},
      {"real", "fp32"},   {"integer", "int32"}, {"byte", "int8"}, {"short", "int8"}};
  for (const auto& [kind, dtype] : kKinds) {
    if (word.text == kind) meant = dtype;
  }
  // `bf8`: by its bits.
  constexpr std::pair<std::string_view, const char*> kWidths[] = {
      {"64", "fp64"}, {"32", "fp32"}, {"16", "bf16"}, {"8", "fp8"}, {"4", "int4"}};
  for (const auto& [bits, dtype] : kWidths) {
    if (!meant && word.text.ends_with(bits)) meant = dtype;
  }
  std::vector<Edit> edits;
  if (meant) edits.push_back({word.at.span, *meant});
  report(context, DiagnosticKind::UnknownDtype, word.at.span,
         fmt::format("`{}` is no element type", word.text), {"there are " + join_words(known)}, {},
         std::move(edits));
  return std::nullopt;
}

std::optional<DType> type_of_array(const ast::Expr& like, std::vector<Edit> edits,
                                   CheckContext& context) {
  const auto* array = std::get_if<ast::ArrayRef>(&like.node);
  const bool named = array != nullptr && array->name;
  const auto known = named ? context.scope.names.find_array(array->name->text) : std::nullopt;
  if (known) return std::as_const(context.scope.store.arrays)[*known].dtype;
  if (!named || !context.scope.told.is_unknown(array->name->text))
    report(context, DiagnosticKind::BadArgument, like.at.span,
           fmt::format("`{}` is no array whose element type could be taken",
                       print(like, Spelling::Unicode)),
           {}, {}, std::move(edits));
  return std::nullopt;
}

std::optional<DType> type_of_cast(const ast::Call& call, CheckContext& context) {
  if (call.arguments.size() != 2) {
    std::vector<Edit> edits;  // to one type, by its name
    if (call.arguments.size() == 1) edits.push_back({call.function.at.span, "bf16"});
    report(context, DiagnosticKind::BadArgument, call.function.at.span,
           "`cast` takes two arrays, and gives the first one in the element type of the second", {},
           {}, std::move(edits));
    return std::nullopt;
  }
  const ast::Expr& like = *call.arguments[1];
  const std::string word = print(like, Spelling::Unicode);
  std::vector<Edit> edits;  // `cast(A, bf16)` is bf16(A)
  if (parse_dtype(word)) {
    const Span first = call.arguments[0]->at.span;
    edits = {{call.function.at.span, word}, {{first.file, first.end, like.at.span.end}, ""}};
  }
  return type_of_array(like, std::move(edits), context);
}

}  // namespace shard
