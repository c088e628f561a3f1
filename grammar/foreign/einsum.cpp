// Patterns of einsum: `einsum('...d,df->...f', x, w)`.
#include <algorithm>

#include "base/words.h"
#include "grammar/foreign/writer.h"

namespace shard {
namespace {

using TreeKind = ForeignTree::Kind;

}  // namespace

ForeignWriter::Result ForeignWriter::apply_einsum(const Arguments& arguments) {
  if (arguments.positional.size() < 2) return std::nullopt;
  if (arguments.positional[0]->kind != TreeKind::Text) {
    // The pattern of einops stands behind the arrays.
    if (arguments.positional.back()->kind != TreeKind::Text) return std::nullopt;
    Arguments turned = arguments;
    std::rotate(turned.positional.begin(), turned.positional.end() - 1, turned.positional.end());
    return apply_einsum(turned);
  }
  std::string spec;
  for (const char c : arguments.positional[0]->text) {
    if (c != ' ') spec += c;
  }
  std::string out;
  if (const std::size_t arrow = spec.find("->"); arrow != std::string::npos) {
    out = spec.substr(arrow + 2);
    spec.resize(arrow);
  }
  std::vector<std::string> letters = {""};
  for (const char c : spec) {
    if (c == ',')
      letters.emplace_back();
    else
      letters.back() += c;
  }
  if (!expand_ellipsis(arguments, letters, out)) return std::nullopt;
  const bool plain = std::all_of(letters.begin(), letters.end(), [](const std::string& word) {
    return std::all_of(word.begin(), word.end(), is_letter);
  });
  if (!plain || letters.size() != arguments.positional.size() - 1) return std::nullopt;
  // Without an arrow the letters that stand once, in their order.
  if (out.empty() && arguments.positional[0]->text.find("->") == std::string::npos) {
    for (char c = 'A'; c <= 'z'; ++c) {
      if (is_letter(c) && std::count(spec.begin(), spec.end(), c) == 1) out += c;
    }
  }
  return einsum_of(arguments, letters, out);
}

// `...d` gets a letter for each dimension that the array has in the place of the dots.
bool ForeignWriter::expand_ellipsis(const Arguments& arguments, std::vector<std::string>& letters,
                                    std::string& out) {
  constexpr std::string_view kDots = "...";
  std::string others = "BSTUVWXYZGHLMNPQR";
  std::string all = out;
  for (const std::string& word : letters) all += word;
  std::erase_if(others, [&](char c) { return all.find(c) != std::string::npos; });
  std::string longest;
  if (letters.size() + 1 > arguments.positional.size()) return false;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const std::size_t dots = letters[i].find(kDots);
    if (dots == std::string::npos) continue;
    const ForeignTree& tree = *arguments.positional[i + 1];
    const auto array = is_unknown(tree) ? std::nullopt : write_array(tree);
    const std::size_t named = letters[i].size() - kDots.size();
    const std::size_t rank = array ? array->order.size() : named + 1;
    if (rank < named || rank - named > others.size()) return false;
    // They are counted from the last.
    const std::string meant = others.substr(others.size() - (rank - named));
    letters[i].replace(dots, kDots.size(), meant);
    if (meant.size() > longest.size()) longest = meant;
  }
  if (const std::size_t dots = out.find(kDots); dots != std::string::npos)
    out.replace(dots, kDots.size(), longest);
  return true;
}

ForeignWriter::Result ForeignWriter::einsum_of(const Arguments& arguments,
                                               const std::vector<std::string>& letters,
                                               const std::string& out) {
  Operands operands;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const ForeignTree& tree = *arguments.positional[i + 1];
    const bool known =
        !is_unknown(tree) && !(tree.kind == TreeKind::Name && !names_.array(tree.text));
    if (known) {
      auto operand = write_array(tree);
      if (!operand) return std::nullopt;
      operands.push_back(*std::move(operand));
      continue;
    }
    std::vector<std::string> names;
    for (const char letter : letters[i]) names.emplace_back(1, static_cast<char>(letter & ~0x20));
    operands.push_back(unknown_array(tree.text, names));
  }
  return contraction(std::move(operands), letters, out);
}

}  // namespace shard
