// Transposes, which are told by brackets here: `A' B`, `A.T @ B`, `B[K, J].T`.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/foreign/rewrite.h"
#include "grammar/translate/token.h"

namespace shard {
namespace {

using ForeignKind = ForeignToken::Kind;

// Signs of a transpose after a name.
constexpr std::string_view kTransposes[] = {".'", "'", "ᵀ",  "^T", "^{T}", "^\\top",
                                            "^⊤", "⊤", "^t", "†",  "ᵗ",    "^\\intercal"};

// `A.T B` with the sign of a product between the arrays.
std::string with_product_signs(std::string_view text, const ForeignNames& names) {
  const auto tokens = foreign_tokens(text);
  if (!tokens) return std::string(text);
  ForeignRewrite line(text);
  for (std::size_t i = 1; i < tokens->size(); ++i) {
    const ForeignToken& before = (*tokens)[i - 1];
    const ForeignToken& next = (*tokens)[i];
    const bool transposed = i > 2 && is(before, "T") && is((*tokens)[i - 2], ".");
    const bool ends = transposed || is(before, "]") ||
                      (before.kind == ForeignKind::Word && names.is_array(before.text));
    if (!ends || next.kind != ForeignKind::Word || !names.is_array(next.text)) continue;
    line.replace(before.end, next.begin, " @ ");
  }
  return line.line();
}

// Whether what stands between these texts is what the line makes: a name of its own, also with a prime.
bool is_target(std::string_view before, std::string_view behind) {
  before = bare_text(before);
  behind = bare_text(behind);
  if (behind.starts_with('[')) {
    const std::size_t close = closing_bracket(behind, 0);
    behind = close == std::string_view::npos ? "" : bare_text(behind.substr(close + 1));
  }
  const bool assigned = before.empty() && behind.starts_with('=') && !behind.starts_with("==");
  return assigned || before.ends_with("→") || before.ends_with("->");
}

// `A[I, J] · B[K, J].T → C[I, K]`: arrays with their dimensions need no transpose.
std::optional<ForeignMistake> read_transposed_brackets(std::string_view text) {
  std::string line(text);
  std::optional<ForeignMistake> mistake;
  for (const std::string_view transpose : {".transpose()", ".t()", ".mT", ".T"}) {
    const std::string behind = fmt::format("]{}", transpose);
    for (std::size_t i = line.find(behind); i != std::string::npos; i = line.find(behind, i)) {
      const std::size_t end = i + behind.size();
      if (end < line.size() && (is_letter(line[end]) || line[end] == '(')) break;
      if (!mistake)
        mistake =
            foreign_mistake(i + 1, end, "dimensions are matched by name, so nothing is transposed");
      line.erase(i + 1, transpose.size());
    }
  }
  if (!mistake) return std::nullopt;
  offer_line(*mistake, line);
  return mistake->help.empty() ? std::nullopt : mistake;
}

// `C[I, K] = A' * B`, of which both sides are known.
std::optional<ForeignMistake> read_transposed(std::string_view text, const ForeignNames& names) {
  std::string line;
  std::size_t begin = std::string_view::npos;
  std::size_t end = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto* sign =
        std::find_if(std::begin(kTransposes), std::end(kTransposes),
                     [&](std::string_view one) { return text.substr(i).starts_with(one); });
    const bool behind =
        i > 0 && (is_letter(text[i - 1]) || text[i - 1] == ']' || text[i - 1] == ')');
    if (sign == std::end(kTransposes) || !behind) {
      line += text[i++];
      continue;
    }
    std::size_t name = line.size();
    while (name > 0 && (is_letter(line[name - 1]) || line[name - 1] == '_')) --name;
    const std::string own = line.substr(name);
    const bool known = !own.empty() && names.is_array(own) && !names.is_array(own + "'");
    if (!known || is_target(line.substr(0, name), text.substr(i + sign->size())))
      return std::nullopt;
    if (begin == std::string_view::npos) {
      begin = i - (line.size() - name);
      end = i + sign->size();
    }
    line += ".T";
    i += sign->size();
  }
  if (begin == std::string_view::npos) return std::nullopt;
  line = with_product_signs(line, names);
  // The product of matrices, whatever its sign.
  for (const std::string_view product : {" · ", " * ", " × ", "*", "·"}) {
    for (std::size_t at = line.find(product); at != std::string::npos; at = line.find(product))
      line.replace(at, product.size(), " @ ");
  }
  std::string_view left = line;
  std::string turned;
  for (const std::string_view arrow : {"→", "->"}) {
    const std::size_t at = left.find(arrow);
    if (at == std::string_view::npos) continue;
    turned = fmt::format("{} = {}", bare_text(left.substr(at + arrow.size())),
                         bare_text(left.substr(0, at)));
    line = turned;
    break;
  }
  ForeignMistake mistake = foreign_mistake(
      begin, end, "there is no sign of a transpose: dimensions are matched by name");
  const auto read = read_foreign_line(line, names);
  if (!read) return std::nullopt;
  mistake.help = read->mistake.help;
  mistake.made = read->mistake.made;
  mistake.array = read->mistake.array;
  return mistake;
}

}  // namespace

std::optional<ForeignMistake> read_foreign_transpose(std::string_view text,
                                                     const ForeignNames& names) {
  if (auto mistake = read_transposed_brackets(text)) return mistake;
  return read_transposed(text, names);
}

}  // namespace shard
