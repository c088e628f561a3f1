#include "grammar/source/look_alike.h"

#include <algorithm>
#include <iterator>

#include "grammar/source/code_point.h"

namespace shard {

namespace {

constexpr LookAlike kLetters[] = {
    // Cyrillic
    {U'А', 'A'},
    {U'В', 'B'},
    {U'Е', 'E'},
    {U'К', 'K'},
    {U'М', 'M'},
    {U'Н', 'H'},
    {U'О', 'O'},
    {U'Р', 'P'},
    {U'С', 'C'},
    {U'Т', 'T'},
    {U'Х', 'X'},
    {U'У', 'Y'},
    {U'І', 'I'},
    {U'Ј', 'J'},
    {U'Ѕ', 'S'},
    {U'а', 'a'},
    {U'е', 'e'},
    {U'о', 'o'},
    {U'р', 'p'},
    {U'с', 'c'},
    {U'у', 'y'},
    {U'х', 'x'},
    {U'і', 'i'},
    {U'ј', 'j'},
    {U'ѕ', 's'},
    // Greek
    {U'Α', 'A'},
    {U'Β', 'B'},
    {U'Ε', 'E'},
    {U'Ζ', 'Z'},
    {U'Η', 'H'},
    {U'Ι', 'I'},
    {U'Κ', 'K'},
    {U'Μ', 'M'},
    {U'Ν', 'N'},
    {U'Ο', 'O'},
    {U'Ρ', 'P'},
    {U'Τ', 'T'},
    {U'Υ', 'Y'},
    {U'Χ', 'X'},
    {U'ο', 'o'},
    {U'ϲ', 'c'},
    {U'ϳ', 'j'},
    {U'Ϲ', 'C'},
    {U'Ϳ', 'J'},
    {U'\u037E', ';'}};

}  // namespace

std::optional<LookAlike> look_alike(std::string_view text) {
  const char32_t code = first_code_point(text);
  constexpr char32_t kFirstWide = 0xFF01;
  constexpr char32_t kLastWide = 0xFF5E;
  if (code >= kFirstWide && code <= kLastWide)
    return LookAlike{code, static_cast<char>(code - kFirstWide + '!')};
  const auto found =
      std::find_if(std::begin(kLetters), std::end(kLetters),
                   [&](const LookAlike& letter) { return letter.code_point == code; });
  return found == std::end(kLetters) ? std::nullopt : std::optional(*found);
}

}  // namespace shard
