// An `if` on one line, without braces: `if n > 2 then print n else print 3`.
#include <fmt/format.h>

#include <algorithm>

#include "grammar/foreign/line.h"
#include "grammar/translate/token.h"
#include "grammar/tree/keyword.h"

namespace shard {
namespace {

using ForeignKind = ForeignToken::Kind;

// A statement of another language as it is here; as it is written if nothing is known of it.
std::string own_statement(std::string_view text, const ForeignNames& names) {
  text = bare_text(text);
  while (text.ends_with(';')) text = bare_text(text.substr(0, text.size() - 1));
  if (const auto line = read_foreign_line(text, names); line && !line->line.empty())
    return line->line;
  for (const auto& read : {read_foreign_signs(text, names), read_foreign_words(text, names)}) {
    if (read && !read->help.empty() && is_readable(read->help.front())) return read->help.front();
  }
  return std::string(text);
}

// The token after the condition of an `if`: `then`, a colon, or the word that begins its statement. 0 if there is none.
std::size_t behind_condition(const ForeignTokens& tokens) {
  int depth = 0;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    const ForeignToken& token = tokens[i];
    if (is(token, "(") || is(token, "[")) ++depth;
    if (is(token, ")") || is(token, "]")) --depth;
    if (depth > 0) continue;
    const bool closes = i > 1 && is(token, ")") && is(tokens[1], "(");
    const bool statement = tokens[i + 1].kind == ForeignKind::Word && is(tokens[i + 2], "=");
    if (closes && statement) return i + 1;
    const Keyword* keyword = token.kind == ForeignKind::Word ? find_keyword(token.text) : nullptr;
    const bool command = is(token, "assert") || (keyword != nullptr && keyword->does == Does::Acts);
    if (i > 1 && (is(token, "then") || is(token, ":") || is(token, "{") || command)) return i;
  }
  return 0;
}

// `if n > 2 { print n } else: print 3`: what stands after `else`, in braces.
std::optional<ForeignMistake> read_other_branch(std::string_view text, const ForeignTokens& tokens,
                                                std::size_t open, const ForeignNames& names) {
  int depth = 0;
  std::size_t i = open;
  for (; i + 2 < tokens.size(); ++i) {
    if (is(tokens[i], "{")) ++depth;
    if (is(tokens[i], "}") && --depth == 0) break;
  }
  if (i + 2 >= tokens.size() || !is(tokens[i + 1], "else")) return std::nullopt;
  const ForeignToken& next = tokens[i + 2];
  const std::size_t begin = is(next, ":") ? next.end : next.begin;
  const std::string_view rest = bare_text(text.substr(std::min(begin, text.size())));
  if (rest.empty() || rest.starts_with('{') || rest.starts_with("if ")) return std::nullopt;
  ForeignMistake mistake = foreign_mistake(next, "the block of an `else` stands in braces");
  std::string line =
      fmt::format("{} {{ {} }}", text.substr(0, tokens[i + 1].end), own_statement(rest, names));
  if (!is_readable(line)) return std::nullopt;
  mistake.help = {std::move(line)};
  return mistake;
}

}  // namespace

// `if n > 2 then print n else print 3`, `if n > 2: print n`, `if (n > 2) print n;`: on one line, without braces.
std::optional<ForeignMistake> read_foreign_branch(std::string_view text,
                                                  const ForeignNames& names) {
  const bool branch = text.starts_with("if ") || text.starts_with("if(");
  const auto tokens = branch ? foreign_tokens(text) : std::nullopt;
  if (!tokens || text.find('\n') != std::string_view::npos) return std::nullopt;
  const std::size_t split = behind_condition(*tokens);
  if (split == 0) return std::nullopt;
  if (is((*tokens)[split], "{")) return read_other_branch(text, *tokens, split, names);
  const ForeignToken& sign = (*tokens)[split];
  const bool sign_goes = is(sign, "then") || is(sign, ":");
  const std::size_t begin = sign_goes ? sign.end : sign.begin;
  std::size_t other = split;
  while (other < tokens->size() && !is((*tokens)[other], "else")) ++other;
  const bool has_other = other < tokens->size();
  const std::size_t body_end = has_other ? (*tokens)[other].begin : text.size();
  const std::string_view condition =
      bare_text(text.substr((*tokens)[0].end, sign.begin - (*tokens)[0].end));
  std::string_view first = bare_text(text.substr(begin, body_end - begin));
  if (first.empty()) return std::nullopt;
  if (first.ends_with(" end")) first = bare_text(first.substr(0, first.size() - 4));
  std::string written(condition);
  if (const auto signs = read_foreign_signs(condition, names); signs && !signs->help.empty())
    written = signs->help.front();
  const auto block = [&](std::string_view body) {
    return body.starts_with('{') ? std::string(body)
                                 : fmt::format("{{ {} }}", own_statement(body, names));
  };
  std::string line = fmt::format("if {} {}", written, block(first));
  if (has_other) {
    std::string_view rest = bare_text(text.substr((*tokens)[other].end));
    if (rest.starts_with(':')) rest = bare_text(rest.substr(1));
    if (rest.ends_with(" end")) rest = bare_text(rest.substr(0, rest.size() - 4));
    line += fmt::format(" else {}", rest.starts_with("if ") ? std::string(rest) : block(rest));
  }
  ForeignMistake mistake = foreign_mistake(sign, "the block of an `if` stands in braces");
  if (!is_readable(line)) return std::nullopt;
  mistake.help = {std::move(line)};
  return mistake;
}

}  // namespace shard
