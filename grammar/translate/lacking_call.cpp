// Calls of functions that the language lacks.
#include <fmt/format.h>

#include "grammar/translate/lacking.h"
#include "grammar/translate/language.h"
#include "grammar/translate/writer.h"

namespace shard {
namespace {

using OperandRank = ForeignOperand::Rank;
using Use = ForeignOperand::Use;

}  // namespace

// `jnp.tan(x)`, which is written with what there is, or not at all.
ForeignWriter::Result ForeignWriter::apply_lacking(const ForeignTree& callee,
                                                   const std::string& path,
                                                   const Arguments& arguments) {
  auto language = foreign_language(std::string_view(path).substr(0, path.find('.')));
  if (language.empty()) language = "Python";
  const LackingFunction* lacking = lacking_function(callee.text);
  if (lacking == nullptr)
    return stuck(callee, fmt::format("`{}` is {}, and nothing here has that name", path, language));
  const std::string message = fmt::format("`{}` is {}: {}", path, language, said_of(*lacking));
  Operands operands;
  std::vector<std::string> texts;
  for (const ForeignTree* argument : arguments.positional) {
    auto operand = write(*argument);
    if (!operand || operand->use == Use::Alone) return std::nullopt;
    texts.push_back(operand->text);
    operands.push_back(*std::move(operand));
  }
  auto text = arguments.keywords.empty() ? written_out({lacking}, texts, true) : std::nullopt;
  if (!text || operands.empty() || !operands.front().is_array) return stuck(callee, message);
  note(callee, message);
  return computed(*std::move(text), OperandRank::Atom, operands.front().seen_dimensions());
}

// `x.masked_fill(mask, 0)`
ForeignWriter::Result ForeignWriter::apply_lacking_method(const ForeignTree& callee,
                                                          Arguments arguments) {
  if (lacking_function(callee.text) == nullptr) return std::nullopt;
  arguments.positional.insert(arguments.positional.begin(), &callee.parts.front());
  ForeignTree place = callee;
  place.begin = callee.end - callee.text.size() - 1;
  return apply_lacking(place, "." + callee.text, arguments);
}

}  // namespace shard
