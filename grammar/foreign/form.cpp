// What the notation has itself, in the form that it would have elsewhere: `cost(…)`, `approx(…)`, `A[I][J]`, `Aᵀ`.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "base/collective.h"
#include "base/words.h"
#include "grammar/foreign/function.h"
#include "grammar/foreign/line.h"
#include "grammar/foreign/token.h"
#include "grammar/tree/names.h"

namespace shard {
namespace {

using ForeignKind = ForeignToken::Kind;
using Tokens = ForeignTokens;

// Where the parenthesis at `open` is closed.
std::size_t closer_of(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[' || text[i] == '{') ++depth;
    if ((text[i] == ')' || text[i] == ']' || text[i] == '}') && --depth == 0) return i;
  }
  return std::string_view::npos;
}

std::string_view without_brackets(std::string_view text) {
  text = bare_text(text);
  if (text.size() > 1 && text.front() == '{' && text.back() == '}')
    text = bare_text(text.substr(1, text.size() - 2));
  return text;
}

// `c = cost(A[I_X] → A[I])`: what takes a block.
std::optional<ForeignMistake> read_called_block(std::string_view text, const Tokens& tokens,
                                                const ForeignNames& names) {
  static constexpr std::string_view kBlocks[] = {"cost", "time", "flops"};
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const bool block =
        std::find(std::begin(kBlocks), std::end(kBlocks), tokens[i].text) != std::end(kBlocks) &&
        tokens[i].kind == ForeignKind::Word && !names.is_function(tokens[i].text);
    const bool opens = is(tokens[i + 1], "(") || is(tokens[i + 1], "[");
    if (!block || !opens || (i > 0 && is(tokens[i - 1], "."))) continue;
    const std::size_t close = closer_of(text, tokens[i + 1].begin);
    if (close == std::string_view::npos) continue;
    const std::string_view inside =
        without_brackets(text.substr(tokens[i + 1].end, close - tokens[i + 1].end));
    const bool statement =
        inside.find('[') != std::string_view::npos || inside.find('(') != std::string_view::npos;
    if (!statement && !names.is_array(inside)) continue;
    ForeignMistake mistake =
        foreign_mistake(tokens[i].begin, tokens[i].end,
                        fmt::format("`{}` takes statements, in braces", tokens[i].text));
    if (!statement) {
      mistake.help = {fmt::format("print {} {{ A[I_X, J] → A[I, J] }}", tokens[i].text)};
      return mistake;
    }
    offer_line(mistake, fmt::format("{}{} {{ {} }}{}", text.substr(0, tokens[i].begin),
                                    tokens[i].text, inside, text.substr(close + 1)));
    if (i == 2 && is(tokens[1], "=")) mistake.made = std::string(tokens[0].text);
    return mistake;
  }
  return std::nullopt;
}

// `overlap Y { A · B → C }`, `with overlap(Y): A · B → C`
std::optional<ForeignMistake> read_overlap_block(std::string_view text, const Tokens& tokens) {
  const std::size_t word = is(tokens[0], "with") ? 1 : 0;
  if (!is(tokens[word], "overlap") || word + 3 >= tokens.size()) return std::nullopt;
  std::size_t open = text.find('{');
  // `overlap {XY} { … }`
  if (is(tokens[word + 1], "{")) open = text.find('{', tokens[word + 1].end);
  const std::size_t colon = text.find(':');
  const bool braces =
      open != std::string_view::npos && (colon == std::string_view::npos || open < colon);
  const std::size_t begin = braces ? open : colon;
  if (begin == std::string_view::npos || bare_text(text.substr(begin + 1)).empty()) {
    ForeignMistake line = foreign_mistake(tokens[0].begin, tokens[word].end,
                                          "`overlap` stands after the statement, without a block");
    line.help = {"A[B, D_X] · W[D, F_X] → Out[B, F_X] overlap X"};
    return line;
  }
  std::string axes(bare_text(text.substr(tokens[word].end, begin - tokens[word].end)));
  if (axes.starts_with('(') && axes.ends_with(')')) axes = axes.substr(1, axes.size() - 2);
  std::string_view inside = bare_text(text.substr(begin + 1));
  if (braces && inside.ends_with('}')) inside = bare_text(inside.substr(0, inside.size() - 1));
  while (inside.ends_with(';')) inside = bare_text(inside.substr(0, inside.size() - 1));
  ForeignMistake mistake = foreign_mistake(tokens[0].begin, tokens[word].end,
                                           "`overlap` stands after the statement, without a block");
  std::vector<std::string> lines;
  while (!inside.empty()) {
    const std::size_t end = std::min(inside.find_first_of(";\n"), inside.size());
    const std::string_view line = bare_text(inside.substr(0, end));
    if (!line.empty()) lines.push_back(fmt::format("{} overlap {}", line, axes));
    inside.remove_prefix(std::min(end + 1, inside.size()));
  }
  offer_line(mistake, join(lines, "; "));
  return mistake;
}

// The arguments of a call, parted at its commas.
std::vector<std::string> arguments_of(std::string_view text) {
  std::vector<std::string> arguments = {""};
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c == ',' && depth == 0)
      arguments.emplace_back();
    else
      arguments.back() += c;
  }
  for (std::string& argument : arguments) argument = std::string(bare_text(argument));
  return arguments;
}

// `approx(x, rel=0.01)` as `x ± 1%`, `isclose(a, b, rtol=1e-3)` as `a ≈ b ± 0.1%`. A difference that is written with `abs` is
// left to the sign's own.
std::string nearly_equal(const std::vector<std::string>& arguments, std::size_t values) {
  std::string text;
  std::string share;
  std::size_t found = 0;
  for (const std::string& argument : arguments) {
    const std::size_t equal = argument.find('=');
    if (equal == std::string_view::npos) {
      if (found < values) text += (found++ == 0 ? "" : " ≈ ") + argument;
      continue;
    }
    if (!argument.starts_with("r")) continue;
    const std::string number(bare_text(std::string_view(argument).substr(equal + 1)));
    char* end = nullptr;
    constexpr double kPercent = 100;
    const double value = std::strtod(number.c_str(), &end);
    if (end != nullptr && *end == '\0' && value > 0 && value < 1)
      share = fmt::format(" ± {:.6g}%", value * kPercent);
  }
  return found == values ? text + share : "";
}

struct NearWord {
  std::string_view name;
  std::size_t values;
};
constexpr NearWord kNearWords[] = {
    {"approx", 1},          {"isclose", 2},      {"allclose", 2},
    {"assert_allclose", 2}, {"assert_close", 2}, {"assertAlmostEqual", 2},
    {"is_close", 2},        {"almost_equal", 2}, {"assert_almost_equal", 2},
    {"approxEqual", 2},     {"isapprox", 2}};

// `expect c.time == approx(1118 us, rel=0.01)`
std::optional<ForeignMistake> read_near(std::string_view text, const Tokens& tokens) {
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const auto* word =
        std::find_if(std::begin(kNearWords), std::end(kNearWords),
                     [&](const NearWord& entry) { return is(tokens[i], entry.name); });
    if (word == std::end(kNearWords) || !is(tokens[i + 1], "(")) continue;
    const std::size_t close = closer_of(text, tokens[i + 1].begin);
    if (close == std::string_view::npos) continue;
    std::size_t first = i;
    while (first > 1 && is(tokens[first - 1], ".") && tokens[first - 2].kind == ForeignKind::Word)
      first -= 2;
    ForeignMistake mistake =
        foreign_mistake(tokens[first].begin, tokens[i].end,
                        "what is nearly equal is compared by `≈`, and `± 1%` says how nearly");
    const std::string near = nearly_equal(
        arguments_of(text.substr(tokens[i + 1].end, close - tokens[i + 1].end)), word->values);
    std::string_view before = bare_text(text.substr(0, tokens[first].begin));
    for (const std::string_view sign : {"==", "=", "≈"}) {
      if (before.ends_with(sign)) before = bare_text(before.substr(0, before.size() - sign.size()));
    }
    if (before.empty() || before == "assert" || before == "self.") before = "expect";
    // `approx(64) == n`
    if (before == "expect" && word->values == 1) {
      std::string_view other = bare_text(text.substr(close + 1));
      while (other.starts_with('=')) other.remove_prefix(1);
      if (!near.empty() && !other.empty())
        offer_line(mistake, fmt::format("expect {} ≈ {}", bare_text(other), near));
      return mistake;
    }
    const std::string_view sign = word->values == 1 ? "≈ " : "";
    if (!near.empty()) offer_line(mistake, fmt::format("{} {}{}", before, sign, near));
    return mistake;
  }
  return std::nullopt;
}

bool is_index_name(std::string_view text) {
  text = bare_text(text);
  if (text.empty() || text.front() < 'A' || text.front() > 'Z') return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return c == '_' || c == '{' || c == '}' || c == ',' || (c >= '0' && c <= '9') || is_letter(c);
  });
}

// `A[I_X][J]`: the text with all dimensions in one pair of brackets.
std::optional<ForeignMistake> read_two_pairs(std::string_view text, const ForeignNames& names) {
  std::optional<ForeignMistake> mistake;
  std::string line;
  std::size_t done = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != ']' || text[i + 1] != '[') continue;
    const std::size_t close = closer_of(text, i + 1);
    if (close == std::string_view::npos) break;
    const std::string_view inside = text.substr(i + 2, close - i - 2);
    if (!is_index_name(inside) || names.is_array(inside)) continue;
    if (!mistake)
      mistake =
          foreign_mistake(i + 1, close + 1,
                          "the dimensions of an array stand in one pair of brackets; a second "
                          "pair picks an element");
    line += text.substr(done, i - done);
    line += ", ";
    done = i + 2;
  }
  if (!mistake) return std::nullopt;
  line += text.substr(done);
  offer_line(*mistake, line);
  // `float x[B][D]` is another mistake.
  return mistake->help.empty() ? std::nullopt : mistake;
}

// `i`, `i_x`: a dimension in small letters.
bool is_small_index(std::string_view text) {
  return !text.empty() && text.front() >= 'a' && text.front() <= 'z' &&
         (text.size() == 1 || text[1] == '_');
}

// `I_X`, `J`, `64`: what stands in the brackets of an array. With `small` also `i`, `j`.
bool are_dimensions(std::string_view word, std::string_view text, const ForeignNames& names,
                    bool small) {
  const std::vector<std::string> known = names.dimensions();
  const std::vector<std::string> items = arguments_of(text);
  // `tnah(A)` is a function of an array.
  const bool function = items.size() == 1 && word.size() > 2 && word.front() >= 'a' &&
                        items.front().find('_') == std::string::npos;
  const bool arrays = std::any_of(items.begin(), items.end(),
                                  [&](const std::string& item) { return names.is_array(item); });
  if (function || arrays) return false;
  const bool named =
      std::any_of(items.begin(), items.end(), is_index_name) || (small && items.size() > 1);
  return named && std::all_of(items.begin(), items.end(), [&](const std::string& item) {
           const bool number = !item.empty() && std::all_of(item.begin(), item.end(), is_digit);
           return number || is_index_name(item) || (small && is_small_index(item)) ||
                  std::find(known.begin(), known.end(), item) != known.end();
         });
}

// Whether the word may be an array that stands with its dimensions in parentheses.
bool may_be_array(std::string_view word, const ForeignNames& names) {
  return names.is_array(word) ||
         (!names.is_function(word) && find_collective(word.substr(0, word.find('_'))) == nullptr &&
          foreign_function(word) == nullptr);
}

// `C(I, K) = A(I, J) * B(J, K)`: with brackets. The line makes such an array or another one, or one is known.
std::optional<ForeignMistake> read_parentheses(std::string_view text, const Tokens& tokens,
                                               const ForeignNames& names) {
  std::optional<ForeignMistake> mistake;
  std::string line;
  std::size_t done = 0;
  // What flows, stands next to brackets or is shown, is made of arrays.
  bool certain = is(tokens[0], "show") ||
                 std::any_of(tokens.begin(), tokens.end(), [](const ForeignToken& token) {
                   return is(token, "→") || is(token, "->") || is(token, "[");
                 });
  const auto opens = [&](std::size_t i) {
    return tokens[i].kind == ForeignKind::Word && tokens[i + 1].glued &&
           (is(tokens[i + 1], "(") || is(tokens[i + 1], "{")) && tokens[i].text.back() != '_' &&
           may_be_array(tokens[i].text, names);
  };
  // One alone, `f(a, b)`, is a function of numbers.
  std::size_t groups = 0;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) groups += opens(i) ? 1 : 0;
  const bool small = groups > 1;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!opens(i)) continue;
    const std::size_t open = tokens[i + 1].begin;
    const std::size_t close = closer_of(text, open);
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view inside = text.substr(open + 1, close - open - 1);
    if (!are_dimensions(tokens[i].text, inside, names, small)) continue;
    const std::string_view rest = bare_text(text.substr(close + 1));
    const bool target =
        i == 0 && !rest.starts_with("==") && (rest.starts_with('=') || rest.starts_with(':'));
    certain = certain || target || names.is_array(tokens[i].text);
    if (!mistake)
      mistake = foreign_mistake(open, close + 1, "the dimensions of an array stand in brackets");
    // `x(B, D) w(D, F)`: factors side by side.
    const bool beside = done > 0 && bare_text(text.substr(done, tokens[i].begin - done)).empty();
    if (beside) line += " · ";
    const std::size_t begin = beside ? tokens[i].begin : done;
    line += fmt::format("{}[{}]", text.substr(begin, open - begin), inside);
    done = close + 1;
  }
  if (!mistake || !certain) return std::nullopt;
  line += text.substr(done);
  // The sign of a product of arrays.
  for (const std::string_view sign : {"] * ", "] @ "}) {
    for (std::size_t at = line.find(sign); at != std::string::npos; at = line.find(sign, at + 1))
      line.replace(at, sign.size(), "] · ");
  }
  offer_line(*mistake, line);
  if (mistake->help.empty()) return std::nullopt;
  if (tokens[1].glued && !is(tokens[1], ".")) mistake->made = std::string(tokens[0].text);
  return mistake;
}

// Signs of a transpose after a name.
constexpr std::string_view kTransposes[] = {".'", "'", "ᵀ",  "^T", "^{T}", "^\\top",
                                            "^⊤", "⊤", "^t", "†",  "ᵗ",    "^\\intercal"};

// `A.T B` with the sign of a product between the arrays.
std::string with_product_signs(std::string_view text, const ForeignNames& names) {
  const auto tokens = foreign_tokens(text);
  if (!tokens) return std::string(text);
  std::string line;
  std::size_t done = 0;
  for (std::size_t i = 1; i < tokens->size(); ++i) {
    const ForeignToken& before = (*tokens)[i - 1];
    const ForeignToken& next = (*tokens)[i];
    const bool transposed = i > 2 && is(before, "T") && is((*tokens)[i - 2], ".");
    const bool ends = transposed || is(before, "]") ||
                      (before.kind == ForeignKind::Word && names.is_array(before.text));
    if (!ends || next.kind != ForeignKind::Word || !names.is_array(next.text)) continue;
    line += fmt::format("{} @ ", text.substr(done, before.end - done));
    done = next.begin;
  }
  line += text.substr(done);
  return line;
}

// Whether what stands between these texts is what the line makes: a name of its own, also with a prime.
bool is_target(std::string_view before, std::string_view behind) {
  before = bare_text(before);
  behind = bare_text(behind);
  if (behind.starts_with('[')) {
    const std::size_t close = closer_of(behind, 0);
    behind = close == std::string_view::npos ? "" : bare_text(behind.substr(close + 1));
  }
  const bool assigned = before.empty() && behind.starts_with('=') && !behind.starts_with("==");
  return assigned || before.ends_with("→") || before.ends_with("->");
}

// `C[I, K] = A' * B`, of which both sides are known.
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

// `c->comms`, `c::comms`, `c.get("comms")`: a figure of a block, as `c.comms`.
std::optional<ForeignMistake> read_figures(std::string_view text, const Tokens& tokens,
                                           const ForeignNames& names) {
  std::optional<ForeignMistake> mistake;
  std::string line;
  std::size_t done = 0;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].kind != ForeignKind::Word || !names.is_scalar(tokens[i].text)) continue;
    std::size_t end = 0;
    std::size_t field = 0;
    if (is(tokens[i + 1], "->") && tokens[i + 1].glued && tokens[i + 2].glued) {
      field = i + 2;
      end = tokens[field].end;
    } else if (i + 3 < tokens.size() && is(tokens[i + 1], ":") && is(tokens[i + 2], ":") &&
               tokens[i + 2].glued) {
      field = i + 3;
      end = tokens[field].end;
    } else if (i + 5 < tokens.size() && is(tokens[i + 1], ".") && is(tokens[i + 2], "get") &&
               is(tokens[i + 3], "(") && tokens[i + 4].kind == ForeignKind::Text &&
               is(tokens[i + 5], ")")) {
      field = i + 4;
      end = tokens[i + 5].end;
    }
    const bool figure = field > 0 && tokens[field].kind != ForeignKind::Number &&
                        !tokens[field].text.empty() && tokens[field].text.front() >= 'a' &&
                        tokens[field].text.front() <= 'z';
    if (!figure) continue;
    if (!mistake)
      mistake = foreign_mistake(tokens[i].end, end,
                                fmt::format("a figure of a block stands after a dot, as `{}.{}`",
                                            tokens[i].text, tokens[field].text));
    line += fmt::format("{}.{}", text.substr(done, tokens[i].end - done), tokens[field].text);
    done = end;
  }
  if (!mistake) return std::nullopt;
  line += text.substr(done);
  offer_line(*mistake, line);
  if (mistake->help.empty()) return std::nullopt;
  return mistake;
}

}  // namespace

std::optional<ForeignMistake> read_foreign_form(std::string_view text, const ForeignNames& names) {
  auto tokens = foreign_tokens(text);
  if (auto mistake = read_foreign_formula(text, names)) return mistake;
  if (auto mistake = read_two_pairs(text, names)) return mistake;
  if (auto mistake = read_transposed_brackets(text)) return mistake;
  if (auto mistake = read_transposed(text, names)) return mistake;
  if (!tokens || tokens->size() < 3) return std::nullopt;
  if (auto mistake = read_figures(text, *tokens, names)) return mistake;
  if (auto mistake = read_parentheses(text, *tokens, names)) return mistake;
  if (auto mistake = read_overlap_block(text, *tokens)) return mistake;
  if (auto mistake = read_near(text, *tokens)) return mistake;
  if (auto mistake = read_called_block(text, *tokens, names)) return mistake;
  return std::nullopt;
}

}  // namespace shard
