// Patterns of einsum: `einsum('...d,df->...f', x, w)`.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/words.h"
#include "grammar/translate/writer.h"

namespace shard {
namespace {

using TreeKind = ForeignTree::Kind;

}  // namespace

ForeignWriter::Result ForeignWriter::apply_einsum(const Arguments& arguments) {
  if (arguments.positional.size() < 2) return std::nullopt;
  if (arguments.positional[0]->kind != TreeKind::Text) {
    // The pattern of einops stands after the arrays.
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
  if (!plain) return std::nullopt;
  // Without an arrow the letters that stand once, in their order.
  if (out.empty() && arguments.positional[0]->text.find("->") == std::string::npos) {
    for (char c = 'A'; c <= 'z'; ++c) {
      if (is_letter(c) && std::count(spec.begin(), spec.end(), c) == 1) out += c;
    }
  }
  for (const std::string& word : letters) {
    for (const char c : word) {
      if (std::count(word.begin(), word.end(), c) == 1) continue;
      explain(
          fmt::format("`{}` stands twice in one term: a dimension stands once in an array, and the "
                      "diagonal of S[I, J] is sum_J(where(iota_I == iota_J, S, 0))",
                      c));
      return std::nullopt;
    }
  }
  const auto result = einsum_result(letters, out);
  if (!result) return std::nullopt;
  return einsum_of(arguments, letters, *result);
}

// A letter of the result that stands in no term is meant to be the one that a term has alone; nullopt if that is not known.
std::optional<std::string> ForeignWriter::einsum_result(const std::vector<std::string>& letters,
                                                        std::string out) {
  const std::string all = join(letters, "");
  std::string open;
  for (const char c : all) {
    if (std::count(all.begin(), all.end(), c) == 1 && out.find(c) == std::string::npos) open += c;
  }
  for (char& c : out) {
    if (all.find(c) != std::string::npos) continue;
    explain(fmt::format("the letter `{}` of the result stands in no term of the pattern", c));
    if (open.size() != 1) return std::nullopt;
    c = open.front();
    open.clear();
  }
  return out;
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
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const std::size_t dots = letters[i].find(kDots);
    if (dots == std::string::npos) continue;
    if (i + 1 >= arguments.positional.size()) return false;
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
  const std::size_t given = arguments.positional.size() - 1;
  if (letters.size() != given)
    explain(fmt::format("the pattern has {} term{}, and {} array{} given", letters.size(),
                        letters.size() == 1 ? "" : "s", given, given == 1 ? " is" : "s are"));
  if (letters.size() < given || letters.size() > given + 1) return std::nullopt;
  for (std::size_t i = 0; i < given; ++i) {
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
  if (letters.size() > given) {
    auto last = missing_operand(operands, letters, out);
    if (!last) return std::nullopt;
    operands.push_back(*std::move(last));
  }
  if (!check_lengths(*arguments.positional[0], operands, letters)) return std::nullopt;
  return contraction(std::move(operands), letters, out, names_);
}

// Whether each letter stands for one length; else says which does not.
bool ForeignWriter::check_lengths(const ForeignTree& pattern, const Operands& operands,
                                  const std::vector<std::string>& letters) {
  std::map<char, std::string> first;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    for (std::size_t k = 0; k < std::min(letters[i].size(), operands[i].order.size()); ++k) {
      const std::string& own = operands[i].seen(k).name;
      const std::string& other = first.try_emplace(letters[i][k], own).first->second;
      const auto length = names_.length_of(own);
      const auto meant = names_.length_of(other);
      if (!length || !meant || *length == *meant) continue;
      stuck(pattern, fmt::format("the letter `{}` stands for `{}`, {} long, and for `{}`, {} long",
                                 letters[i][k], other, *meant, own, *length));
      return false;
    }
  }
  return true;
}

// The array of the last term, which is not given: one of the script that fits, or a new one.
ForeignWriter::Result ForeignWriter::missing_operand(const Operands& others,
                                                     const std::vector<std::string>& letters,
                                                     const std::string& out) {
  std::map<char, ForeignDimension> known;
  if (target_.size() == out.size()) {
    for (std::size_t i = 0; i < out.size(); ++i) known[out[i]] = target_[i];
  }
  std::set<std::string> taken;
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (others[i].order.size() != letters[i].size()) return std::nullopt;
    for (std::size_t k = 0; k < letters[i].size(); ++k) {
      known[letters[i][k]] = {others[i].seen(k).name};
      taken.insert(others[i].seen(k).name);
    }
  }
  const std::string& own = letters.back();
  const auto fits = [&](const ForeignArray& array) {
    bool same = array.dimensions.size() == own.size();
    for (std::size_t i = 0; same && i < own.size(); ++i) {
      const auto meant = known.find(own[i]);
      same = meant == known.end() || meant->second.name == array.dimensions[i].name;
    }
    return same;
  };
  for (const char* const name : {"B", "W", "C", "D", "E", "V", "K", "b", "w", "y", "k", "v"}) {
    const auto array = names_.array(name);
    if (array && fits(*array)) return write_name({.text = name});
  }
  std::vector<std::string> free = free_names(taken);
  std::size_t next = 0;
  std::vector<std::string> names;
  for (const char letter : own) {
    const auto meant = known.find(letter);
    names.push_back(meant == known.end() ? free[next++] : meant->second.name);
  }
  ForeignOperand operand = unknown_array(free_array("W"), names);
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto meant = known.find(own[i]);
    if (meant != known.end()) operand.dimensions[i].axes = meant->second.axes;
  }
  return operand;
}

}  // namespace shard
