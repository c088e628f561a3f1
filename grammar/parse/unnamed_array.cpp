// Brackets that are no array: an element type in place of a name, and references to literature.
#include <fmt/format.h>

#include "base/dtype.h"
#include "grammar/parse/construct.h"

namespace shard {

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
