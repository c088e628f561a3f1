// Signs and letters of other blocks of Unicode.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "base/words.h"
#include "grammar/posted/spelling.h"
#include "grammar/source/code_point.h"

namespace shard {
namespace {

// Signs in the place of those of the notation. `=>` is none: it has an answer of their own.
constexpr std::pair<char32_t, std::string_view> kPostedSigns[] = {{U'✕', "·"},
                                                                  {U'✖', "·"},
                                                                  {U'⨯', "·"},
                                                                  {U'⊗', "·"},
                                                                  {U'⨂', "·"},
                                                                  {U'・', "·"},
                                                                  {U'･', "·"},
                                                                  {U'‧', "·"},
                                                                  {U'∘', "·"},
                                                                  {U'⟹', "→"},
                                                                  {U'⟾', "→"},
                                                                  {U'↦', "→"},
                                                                  {U'⟼', "→"},
                                                                  {U'➔', "→"},
                                                                  {U'➜', "→"},
                                                                  {U'➝', "→"},
                                                                  {U'➞', "→"},
                                                                  {U'➡', "→"},
                                                                  {U'⭢', "→"},
                                                                  {U'￫', "→"},
                                                                  {U'【', "["},
                                                                  {U'】', "]"},
                                                                  {U'［', "["},
                                                                  {U'］', "]"},
                                                                  {U'⟨', "{"},
                                                                  {U'⟩', "}"},
                                                                  {U'∗', "*"},
                                                                  {U'＊', "*"},
                                                                  {U'﹡', "*"},
                                                                  {U'‐', "-"},
                                                                  {U'‑', "-"},
                                                                  // No call: it begins a remark.
                                                                  {U'（', " ("}};

// Letters that are printed below the line. There is no y and no z: a gamma stands for the y.
constexpr std::pair<char32_t, char> kSubscripts[] = {
    {U'ₐ', 'a'}, {U'ₑ', 'e'}, {U'ₕ', 'h'}, {U'ᵢ', 'i'}, {U'ⱼ', 'j'}, {U'ₖ', 'k'}, {U'ₗ', 'l'},
    {U'ₘ', 'm'}, {U'ₙ', 'n'}, {U'ₒ', 'o'}, {U'ₚ', 'p'}, {U'ᵣ', 'r'}, {U'ₛ', 's'}, {U'ₜ', 't'},
    {U'ᵤ', 'u'}, {U'ᵥ', 'v'}, {U'ₓ', 'x'}, {U'ᵧ', 'y'}, {U'ᵦ', 'b'}};

char subscript_letter(char32_t code) {
  const auto found = std::find_if(std::begin(kSubscripts), std::end(kSubscripts),
                                  [&](const auto& entry) { return entry.first == code; });
  return found == std::end(kSubscripts) ? '\0' : found->second;
}

char subscript_digit(char32_t code) {
  return code >= U'₀' && code <= U'₉' ? static_cast<char>('0' + (code - U'₀')) : '\0';
}

// Bold, italic and script letters of formulas: alphabets of 52 letters, one after another.
char formula_letter(char32_t code) {
  constexpr char32_t kFirst = 0x1D400;
  constexpr char32_t kBehindLast = 0x1D6A4;
  if (code < kFirst || code >= kBehindLast) return '\0';
  const char32_t letter = (code - kFirst) % 52;
  return static_cast<char>(letter < 26 ? 'A' + letter : 'a' + (letter - 26));
}

// The full-width form of a sign or letter of ASCII.
char narrow_form(char32_t code) {
  constexpr char32_t kFirst = 0xFF01;
  constexpr char32_t kLast = 0xFF5E;
  if (code < kFirst || code > kLast) return '\0';
  return static_cast<char>(code - kFirst + '!');
}

std::string_view posted_sign(char32_t code) {
  const auto found = std::find_if(std::begin(kPostedSigns), std::end(kPostedSigns),
                                  [&](const auto& entry) { return entry.first == code; });
  return found == std::end(kPostedSigns) ? std::string_view() : found->second;
}

// A row of letters below the line, with the capitals and the y and z that have no form of their own: `Jₓyz`, `IₓY`.
void respell_subscript(Respelt& line, std::size_t begin) {
  std::string row = begin > 0 && line.text()[begin - 1] == '_' ? "" : "_";
  std::size_t end = begin;
  while (end < line.text().size()) {
    const std::string_view rest = std::string_view(line.text()).substr(end);
    const char letter = subscript_letter(first_code_point(rest));
    const bool plain = std::string_view("yzXYZ").find(rest.front()) != std::string_view::npos &&
                       (rest.size() < 2 || !is_letter(rest[1]) || rest[1] == 'z');
    if (letter == '\0' && !plain) break;
    row += letter == '\0' ? rest.front() : letter;
    end += code_point_length(rest);
  }
  line.replace(begin, end, row);
}

// `×` between numbers is that of a slice.
bool is_product_cross(std::string_view text, std::size_t at) {
  const std::size_t before = text.find_last_not_of(' ', at == 0 ? 0 : at - 1);
  const std::size_t behind = text.find_first_not_of(' ', at + std::string_view("×").size());
  if (before == std::string_view::npos || behind == std::string_view::npos) return false;
  return !is_digit(text[behind]) || !is_digit(text[before]);
}

// `A[I, J] dot B[J, K]`
void respell_dot(Respelt& line) {
  if (line.text().find(" dot ") == std::string::npos) return;
  static const std::regex dot_pattern(R"(([\]}])\s+dot\s+(?=[A-Za-z]\w*\[))");
  line.replace_all(dot_pattern, [](const auto& match) { return match.str(1) + " · "; });
}

}  // namespace

void respell_signs(Respelt& line) {
  respell_dot(line);
  // A single bracket of another block, or one between those of ASCII, is a slip.
  const std::string& text = line.text();
  const std::size_t wide = text.find("［");
  const bool brackets_mixed = text.find('[') != std::string::npos || wide == std::string::npos ||
                              text.find("［", wide + 1) == std::string::npos;
  int brackets = 0;
  for (std::size_t i = 0; i < line.text().size(); ++i) {
    const std::string_view rest = std::string_view(line.text()).substr(i);
    const char32_t code = first_code_point(rest);
    brackets += rest.front() == '[' ? 1 : rest.front() == ']' ? -1 : 0;
    if (code == 0) continue;
    const std::size_t length = code_point_length(rest);
    const std::string_view sign = posted_sign(code);
    const char letter = std::max(narrow_form(code), formula_letter(code));
    if (brackets_mixed && (code == U'［' || code == U'］')) {
      i += length - 1;
      continue;
    }
    if (code == U'、') {
      // It parts the words of a sentence as well.
      if (brackets > 0) line.replace(i, i + length, ",");
    } else if (code == U'×') {
      if (is_product_cross(line.text(), i)) line.replace(i, i + length, "·");
    } else if (subscript_letter(code) != '\0') {
      respell_subscript(line, i);
    } else if (const char digit = subscript_digit(code); digit != '\0') {
      line.replace(i, i + length, std::string(1, digit));
    } else if (!sign.empty()) {
      brackets += sign == "[" ? 1 : sign == "]" ? -1 : 0;
      line.replace(i, i + length, sign);
    } else if (letter != '\0') {
      line.replace(i, i + length, std::string(1, letter));
    } else {
      i += length - 1;
    }
  }
}

}  // namespace shard
