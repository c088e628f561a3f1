#include "grammar/lex/symbol.h"

#include <array>
#include <cstdint>
#include <iterator>

namespace shard {
namespace {

// Grouped by first byte; within a group longer signs come before their prefixes, as the first match is taken.
constexpr Symbol kSymbols[] = {
    {"→", TokenKind::Arrow},        {"⟶", TokenKind::Arrow},         {"⇒", TokenKind::Arrow},
    {"…", TokenKind::Ellipsis},     {"−", TokenKind::Minus},         {"–", TokenKind::Minus},
    {"⋅", TokenKind::Times},        {"∙", TokenKind::Times},         {"•", TokenKind::Times},
    {"⊙", TokenKind::CircledDot},   {"≠", TokenKind::NotEqual},      {"≤", TokenKind::LessEqual},
    {"≥", TokenKind::GreaterEqual}, {"≈", TokenKind::Approx},        {"·", TokenKind::Times},
    {"±", TokenKind::PlusMinus},    {"×", TokenKind::Cross},         {"==>", TokenKind::Unknown},
    {"=>", TokenKind::Unknown},     {"==", TokenKind::EqualEqual},   {"=", TokenKind::Equal},
    {"-->", TokenKind::Unknown},    {"->", TokenKind::Arrow},        {"-", TokenKind::Minus},
    {"*/", TokenKind::Unknown},     {"*", TokenKind::Times},         {"...", TokenKind::Ellipsis},
    {"..", TokenKind::DotDot},      {".*", TokenKind::CircledDot},   {".", TokenKind::Dot},
    {"+/-", TokenKind::PlusMinus},  {"+", TokenKind::Plus},          {"<=", TokenKind::LessEqual},
    {"<", TokenKind::Less},         {">=", TokenKind::GreaterEqual}, {">", TokenKind::Greater},
    {"!=", TokenKind::NotEqual},    {"~=", TokenKind::Approx},       {"@", TokenKind::At},
    {"/", TokenKind::Slash},        {"^", TokenKind::Caret},         {"%", TokenKind::Percent},
    {",", TokenKind::Comma},        {";", TokenKind::Semicolon},     {":", TokenKind::Colon},
    {"_", TokenKind::Underscore},   {"?", TokenKind::Question},      {"|", TokenKind::Pipe},
    {"(", TokenKind::LeftParen},    {")", TokenKind::RightParen},    {"[", TokenKind::LeftBracket},
    {"]", TokenKind::RightBracket}, {"{", TokenKind::LeftBrace},     {"}", TokenKind::RightBrace},
    {"\u0387", TokenKind::Times}};

// By first byte: the index of the first spelling that begins with it.
constexpr std::array<std::uint8_t, 256> first_symbols() {
  std::array<std::uint8_t, 256> first{};
  first.fill(static_cast<std::uint8_t>(std::size(kSymbols)));
  for (std::size_t i = std::size(kSymbols); i-- > 0;)
    first[static_cast<unsigned char>(kSymbols[i].spelling.front())] = static_cast<std::uint8_t>(i);
  return first;
}
constexpr auto kFirstSymbols = first_symbols();

}  // namespace

const Symbol* find_symbol(std::string_view text) {
  const std::size_t first = kFirstSymbols[static_cast<unsigned char>(text.front())];
  for (std::size_t i = first; i < std::size(kSymbols); ++i) {
    const std::string_view spelling = kSymbols[i].spelling;
    if (spelling.front() != text.front()) return nullptr;
    if (spelling.size() == 1 || text.starts_with(spelling)) return &kSymbols[i];
  }
  return nullptr;
}

}  // namespace shard
