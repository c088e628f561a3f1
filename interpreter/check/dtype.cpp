// Words for element types, and what a misspelt one was meant to be.
#include "base/dtype.h"

#include <fmt/format.h>

#include <utility>

#include "base/words.h"
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

}  // namespace shard
