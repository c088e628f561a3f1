// Layouts beside an array or in the place of its type: `A = P('X', None)`, `A: bf16[Shard(0)]`.
#include <fmt/format.h>

#include <algorithm>

#include "grammar/foreign/line_reader.h"
#include "grammar/translate/language.h"

namespace shard {
namespace {

using TreeKind = ForeignTree::Kind;

}  // namespace

// `A = P('X', None)`
std::optional<std::string> ForeignLineReader::write_layout(
    const ForeignStatement& statement, const std::vector<std::vector<std::string>>& layout) {
  find_layout(statement.values.front());
  const bool named = statement.targets.size() == 1 && statement.targets[0].kind == TreeKind::Name;
  if (!named || layout.empty()) return std::nullopt;
  const std::string& name = statement.targets[0].text;
  const auto known = names_.array(name);
  ForeignOperand array = writer_.unknown_array(name, layout.size());
  if (known && known->dimensions.size() >= layout.size()) {
    array.dimensions = known->dimensions;
    array.order.resize(array.dimensions.size());
  }
  std::vector<ForeignDimension> to = array.dimensions;
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i].axes = i < layout.size() ? layout[i] : std::vector<std::string>{};
  read_.mistake.made = name;
  read_.mistake.array = {to};
  if (known) return fmt::format("{} → {}{}", bracketed_text(array), name, brackets_text(to));
  return fmt::format("{}: bf16{}", name, brackets_text(to));
}

// `A[B, D]: P('X', None)`
std::optional<std::string> ForeignLineReader::write_annotation(const ForeignTree& array,
                                                               const ForeignTree& tree) {
  if (tree.kind == TreeKind::Index && array.kind == TreeKind::Name)
    return write_typed_layout(array, tree);
  const bool written = tree.kind == TreeKind::Call || tree.kind == TreeKind::Tuple;
  const auto layout = written ? writer_.layout_of(tree) : std::nullopt;
  auto own = writer_.bracketed_array(array);
  // `W1: P(None, 'model')`
  if (layout && array.kind == TreeKind::Name)
    own = writer_.unknown_array(array.text, std::max<std::size_t>(layout->size(), 1));
  if (!layout || !own || layout->size() > own->dimensions.size()) return std::nullopt;
  find_layout(tree);
  std::vector<ForeignDimension> to = own->dimensions;
  for (std::size_t i = 0; i < layout->size(); ++i) to[i].axes = (*layout)[i];
  read_.mistake.made = own->text;
  read_.mistake.array = {to};
  return fmt::format("{}: bf16{}", own->text, brackets_text(to));
}

// `A: bf16[Shard(0), Replicate()]`, `A: bf16[P('X', None)]`: what the dimensions are called is not known.
std::optional<std::string> ForeignLineReader::write_typed_layout(const ForeignTree& array,
                                                                 const ForeignTree& tree) {
  ForeignTree placements{.kind = TreeKind::Tuple};
  placements.parts = {tree.parts.begin() + 1, tree.parts.end()};
  const bool one = placements.parts.size() == 1;
  const auto layout = writer_.layout_of(one ? placements.parts.front() : placements);
  if (!layout || placements.parts.front().kind == TreeKind::Name) return std::nullopt;
  const std::string dtype = foreign_dtype(tree.parts.front());
  find_layout(placements.parts.front());
  constexpr std::size_t kLeast = 2;
  std::vector<ForeignDimension> to =
      writer_.unknown_array(array.text, std::max(layout->size(), kLeast)).dimensions;
  for (std::size_t i = 0; i < layout->size() && i < to.size(); ++i) to[i].axes = (*layout)[i];
  read_.mistake.made = array.text;
  read_.mistake.array = {to};
  return fmt::format("{}: {}{}", array.text, dtype.empty() ? "bf16" : dtype, brackets_text(to));
}

// The mistake of a layout that is written as a call, or as a list of them.
void ForeignLineReader::find_layout(const ForeignTree& tree) {
  const bool list = tree.kind == TreeKind::Tuple && !tree.parts.empty();
  const ForeignTree& call = list ? tree.parts.front() : tree;
  if (call.kind != TreeKind::Call) return;
  const std::string path = path_of(call.parts.front());
  const std::string_view language =
      language_of_function(std::string_view(path).substr(path.rfind('.') + 1));
  find(call.parts.front(),
       fmt::format("`{}` is {}: {}", path, language.empty() ? "JAX" : language,
                   foreign_function("P")->meaning),
       "A: bf16[I_X, J]");
}

}  // namespace shard
