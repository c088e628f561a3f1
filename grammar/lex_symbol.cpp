#include "grammar/lex_symbol.h"

#include <array>
#include <cstdint>
#include <iterator>

namespace shard {
namespace {

// A spelling stands before those that it begins with.
constexpr Symbol kSymbols[] = {
    {"=>", TokenKind::Unknown},     {"==>", TokenKind::Unknown},     {"-->", TokenKind::Unknown},
    {"⇒", TokenKind::Unknown},      {"*/", TokenKind::Unknown},      {"...", TokenKind::Ellipsis},
    {"…", TokenKind::Ellipsis},     {".*", TokenKind::CircledDot},   {"..", TokenKind::DotDot},
    {".", TokenKind::Dot},          {"->", TokenKind::Arrow},        {"→", TokenKind::Arrow},
    {"⟶", TokenKind::Arrow},        {"+/-", TokenKind::PlusMinus},   {"±", TokenKind::PlusMinus},
    {"+", TokenKind::Plus},         {"-", TokenKind::Minus},         {"−", TokenKind::Minus},
    {"–", TokenKind::Minus},        {"·", TokenKind::Times},         {"⋅", TokenKind::Times},
    {"∙", TokenKind::Times},        {"•", TokenKind::Times},         {"*", TokenKind::Times},
    {"@", TokenKind::At},           {"⊙", TokenKind::CircledDot},    {"×", TokenKind::Cross},
    {"/", TokenKind::Slash},        {"^", TokenKind::Caret},         {"%", TokenKind::Percent},
    {"==", TokenKind::EqualEqual},  {"=", TokenKind::Equal},         {"!=", TokenKind::NotEqual},
    {"≠", TokenKind::NotEqual},     {"<=", TokenKind::LessEqual},    {"≤", TokenKind::LessEqual},
    {"<", TokenKind::Less},         {">=", TokenKind::GreaterEqual}, {"≥", TokenKind::GreaterEqual},
    {">", TokenKind::Greater},      {"≈", TokenKind::Approx},        {"~=", TokenKind::Approx},
    {",", TokenKind::Comma},        {";", TokenKind::Semicolon},     {":", TokenKind::Colon},
    {"_", TokenKind::Underscore},   {"?", TokenKind::Question},      {"|", TokenKind::Pipe},
    {"(", TokenKind::LeftParen},    {")", TokenKind::RightParen},    {"[", TokenKind::LeftBracket},
    {"]", TokenKind::RightBracket}, {"{", TokenKind::LeftBrace},     {"}", TokenKind::RightBrace}};

// By the first byte: where the first spelling that begins with it stands among the symbols.
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
    if (text.starts_with(kSymbols[i].spelling)) return &kSymbols[i];
  }
  return nullptr;
}

}  // namespace shard
