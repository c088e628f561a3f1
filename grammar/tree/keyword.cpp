#include "grammar/tree/keyword.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/check.h"
#include "base/words.h"

namespace shard {
namespace {

constexpr Keyword kKeywords[] = {
#define SHARD_KEYWORD(word, parse, does, stands, behind, guess, example, meaning) \
  {#word, Does::does, Standing::stands, Behind::behind, Guess::guess, example, meaning},
#define SHARD_BLOCK_WORD(word, kind, runs)
#include "grammar/tree/keywords.def"
};

constexpr BlockWord kBlockWords[] = {
#define SHARD_KEYWORD(word, parse, does, stands, behind, guess, example, meaning)
#define SHARD_BLOCK_WORD(word, kind, runs) {#word, ast::BlockKind::kind, Runs::runs},
#include "grammar/tree/keywords.def"
};

constexpr std::string_view kQuestions[] = {"solve", "when", "minimize"};  // as in the enum

bool is_word_character(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '\'' || static_cast<signed char>(c) < 0;
}

}  // namespace

std::span<const Keyword> keywords() { return kKeywords; }
std::span<const BlockWord> block_words() { return kBlockWords; }

const Keyword* find_keyword(std::string_view word) {
  const auto at = std::find_if(std::begin(kKeywords), std::end(kKeywords),
                               [&](const Keyword& keyword) { return keyword.word == word; });
  return at == std::end(kKeywords) ? nullptr : at;
}

const BlockWord* find_block_word(std::string_view word) {
  const auto at = std::find_if(std::begin(kBlockWords), std::end(kBlockWords),
                               [&](const BlockWord& block) { return block.word == word; });
  return at == std::end(kBlockWords) ? nullptr : at;
}

std::string_view word_of(ast::BlockKind kind) {
  const auto at = std::find_if(std::begin(kBlockWords), std::end(kBlockWords),
                               [&](const BlockWord& block) { return block.kind == kind; });
  SHARD_CHECK(at != std::end(kBlockWords));
  return at->word;
}

std::optional<ast::QuestionKind> question_of(std::string_view word) {
  const auto at = std::find(std::begin(kQuestions), std::end(kQuestions), word);
  if (at == std::end(kQuestions)) return std::nullopt;
  return static_cast<ast::QuestionKind>(at - std::begin(kQuestions));
}

std::string_view word_of(ast::QuestionKind kind) {
  return kQuestions[static_cast<std::size_t>(kind)];
}

const std::vector<std::string>& guessed_words() {
  static const std::vector<std::string> guessed = [] {
    std::vector<std::string> words;
    for (const Keyword& keyword : kKeywords) {
      if (keyword.guess == Guess::Guessed) words.emplace_back(keyword.word);
    }
    for (const BlockWord& block : kBlockWords) words.emplace_back(block.word);
    return words;
  }();
  return guessed;
}

bool reads_as_keyword(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_word_character);
  const auto length = static_cast<std::size_t>(end - text.begin());
  const Keyword* keyword = find_keyword(text.substr(0, length));
  if (keyword == nullptr) return false;
  std::string_view rest = text.substr(length);
  if (rest.empty()) return keyword->standing == Standing::Alone;
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const char next = rest.empty() ? ' ' : rest.front();
  // `print mod 2`: after a word, only `and` and `or` are read as operators.
  const bool name = is_letter(next) && !rest.starts_with("and ") && !rest.starts_with("or ");
  switch (keyword->behind) {
    case Behind::Expression:
    case Behind::Operand:
      return name || next == '-' || next == '(';
    case Behind::Name:
    case Behind::NameOrNumber:
      return name;
    case Behind::NameOrRemark:
      return name || next == '(';
    case Behind::Remark:
    case Behind::Constructor:
      return next == '(';
    case Behind::Module:
      return name || next == '/' || next == '.';
    case Behind::Axes:
      return name || next == '(';
    case Behind::Branch:
    case Behind::Brace:
    case Behind::BraceOrNumber:
      return false;
    case Behind::BraceOrNamed:  // `solve mod 2`; behind `when` a brace follows the name
      return name && question_of(text.substr(0, length)) == ast::QuestionKind::Solve;
  }
  return false;
}

}  // namespace shard
