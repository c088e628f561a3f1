// Lines that another language's word begins: what they are here.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/translate/language.h"
#include "grammar/translate/token.h"

namespace shard {
namespace {

using ForeignKind = ForeignToken::Kind;
using Tokens = ForeignTokens;

// Words that have no counterpart, or one that is said best by an example.
struct ForeignWord {
  std::string_view word;
  std::string_view meaning;
  std::string_view help;
};
constexpr ForeignWord kForeignWords[] = {
    {"while", "there is no `while`: names keep their values, so a loop counts its passes",
     "for i in 0..3 { print i }"},
    {"do", "there is no `do`: a loop counts its passes", "for i in 0..3 { print i }"},
    {"repeat", "there is no `repeat`: a loop counts its passes", "for i in 0..3 { print i }"},
    {"class", "there are no classes: a layer is a function of arrays",
     "fn dense(x[B, D], W[D, F]) { return x ·_D W }"},
    {"struct", "there are no structures: names stand by themselves", "B = 64, D = 128"},
    {"with", "there is no `with`: what a line says holds from there on, so leave the line out", ""},
    {"try", "errors are expected by kind", "expect error AxisReused { A[I_X, J_X] → B[I, J] }"},
    {"except", "errors are expected by kind", "expect error AxisReused { A[I_X, J_X] → B[I, J] }"},
    {"raise", "a condition that must hold is an `expect`", "expect 2 + 2 = 4"},
    {"break", "a loop runs all of its passes; an `if` leaves statements out",
     "for i in 0..4 { if i < 2 { print i } }"},
    {"continue", "a loop runs all of its passes; an `if` leaves statements out",
     "for i in 0..4 { if i != 2 { print i } }"},
    {"pass", "an empty block needs no word, so leave the line out", ""},
    {"global", "names of outside are seen everywhere, so leave the line out", ""},
    {"nonlocal", "names of outside are seen everywhere, so leave the line out", ""},
    {"lambda", "functions have names", "fn twice(n) { return 2 * n }"},
    {"function", "a function is `fn`, and its block stands in braces",
     "fn twice(n) { return 2 * n }"},
    {"switch", "branches are written `if … else if … else`",
     "if 2 > 3 { print 2 } else { print 3 }"},
    {"match", "branches are written `if … else if … else`",
     "if 2 > 3 { print 2 } else { print 3 }"},
    {"end", "blocks end with `}`", ""},
    {"endif", "blocks end with `}`", ""},
    {"endfor", "blocks end with `}`", ""},
    {"yield", "a function ends with `return`", ""},
};

// Words in front of a name that gets its value.
constexpr std::string_view kBinders[] = {
    "let",       "const",    "var",   "val",    "auto", "int",     "float",   "double",   "long",
    "size_t",    "unsigned", "short", "char",   "bool", "int32_t", "int64_t", "uint32_t", "static",
    "constexpr", "local",    "final", "define", "set",  "mut",     "my",      "dim",      "size"};

ForeignMistake mistake_at(const ForeignToken& token, std::string message,
                          std::vector<std::string> help = {}) {
  return {.begin = token.begin,
          .end = token.end,
          .message = std::move(message),
          .help = std::move(help),
          .made = {},
          .array = {}};
}

std::vector<std::string> if_readable(std::string line) {
  if (line.empty() || !is_readable(line)) return {};
  return {std::move(line)};
}

// `3.0` of C's `3.0f`.
std::string without_number_suffix(std::string_view text) {
  std::string line(text);
  const bool suffix = line.size() > 1 && is_digit(line[line.size() - 2]) &&
                      std::string_view("fFlLuU").find(line.back()) != std::string_view::npos;
  if (suffix) line.pop_back();
  return line;
}

std::string_view without_semicolons(std::string_view text) {
  text = bare_text(text);
  while (!text.empty() && text.back() == ';') text = bare_text(text.substr(0, text.size() - 1));
  return text;
}

// `import layers`, `from layers import mlp`
std::optional<ForeignMistake> read_import(const Tokens& tokens) {
  const bool from = is(tokens[0], "from");
  if (!is(tokens[0], "import") && !is(tokens[0], "include") && !from) return std::nullopt;
  if (tokens[1].kind != ForeignKind::Word) return std::nullopt;
  const std::string module(tokens[1].text);
  const bool alone = tokens[2].kind == ForeignKind::End;
  const bool goes_on =
      is(tokens[2], "import") || is(tokens[2], ".") || is(tokens[2], "as") || is(tokens[2], ",");
  if (!alone && !goes_on) return std::nullopt;
  const bool library = !foreign_language(module).empty() || module == "typing" ||
                       module == "dataclasses" || module == "einops";
  if (library)
    return mistake_at(tokens[0],
                      fmt::format("nothing is imported from {}: functions are there as they are{}",
                                  module, kLeaveOut));
  return mistake_at(tokens[0],
                    fmt::format("`{}` is Python: a module is read by `use`", tokens[0].text),
                    if_readable("use " + module));
}

// `let B = 64`
std::optional<ForeignMistake> read_binder(std::string_view text, const Tokens& tokens,
                                          const ForeignNames& names) {
  std::size_t name = 0;
  // `float* x`, `const double& t`
  const auto points = [&](std::size_t i) {
    return is(tokens[i], "*") || is(tokens[i], "**") || is(tokens[i], "&");
  };
  const auto binds = [&](std::size_t i) {
    const ForeignToken& next = tokens[points(i + 1) ? i + 2 : i + 1];
    return std::find(std::begin(kBinders), std::end(kBinders), tokens[i].text) !=
               std::end(kBinders) &&
           tokens[i].kind == ForeignKind::Word && next.kind == ForeignKind::Word;
  };
  while (binds(name)) name += points(name + 1) ? 2 : 1;
  if (name == 0) return std::nullopt;
  const std::string_view rest = without_semicolons(text.substr(tokens[name].begin));
  ForeignToken words = tokens[0];
  words.end = tokens[name - 1].end;
  const std::string_view written = text.substr(words.begin, words.end - words.begin);
  ForeignMistake mistake =
      mistake_at(words, fmt::format("`{}` is no word here: a name gets its value by `=`", written));
  if (!is(tokens[name + 1], "=") && tokens[name + 1].kind != ForeignKind::End &&
      !is(tokens[name + 1], ":"))
    return std::nullopt;
  mistake.help = if_readable(std::string(rest));
  if (mistake.help.empty()) mistake.help = if_readable(without_number_suffix(rest));
  if (mistake.help.empty()) {
    if (const auto inner = read_foreign(rest, names)) mistake.help = inner->help;
  }
  mistake.made = std::string(tokens[name].text);
  return mistake;
}

// `printf("%d\n", B)`, `disp(B)`, `cout << B << endl`
std::optional<ForeignMistake> read_output(std::string_view text, const Tokens& tokens,
                                          const ForeignNames& names) {
  static constexpr std::string_view kPrinters[] = {"printf", "println", "disp",  "echo",
                                                   "puts",   "fprintf", "write", "log"};
  std::size_t word = 0;
  if (is(tokens[0], "std") || is(tokens[0], "console") || is(tokens[0], "System")) {
    while (is(tokens[word + 1], ":") || is(tokens[word + 1], ".")) {
      word += 2;
      if (is(tokens[word], ":")) ++word;
    }
  }
  std::string values;
  const bool stream = is(tokens[word], "cout") && is(tokens[word + 1], "<<");
  if (stream) {
    std::vector<std::string> items;
    for (std::size_t i = word + 1; is(tokens[i], "<<"); i += 2) {
      const ForeignToken& item = tokens[i + 1];
      if (item.text == "endl" || item.text == "std" || item.text == "\\n") break;
      items.emplace_back(text.substr(item.begin, item.end - item.begin));
    }
    values = join(items, ", ");
  } else {
    const bool printer = std::find(std::begin(kPrinters), std::end(kPrinters), tokens[word].text) !=
                         std::end(kPrinters);
    const std::string_view rest = without_semicolons(text.substr(tokens[word].end));
    if (!printer || tokens[word].kind != ForeignKind::Word ||
        names.is_function(tokens[word].text) || rest.size() < 2 || rest.front() != '(' ||
        rest.back() != ')')
      return std::nullopt;
    values = std::string(rest.substr(1, rest.size() - 2));
    // `"%d\n", B` is what Python writes `"%d" % B`.
    if (const std::size_t line_end = values.find("\\n\""); line_end != std::string::npos)
      values.erase(line_end, 2);
    const std::size_t format = values.find('%');
    const std::size_t comma = values.find("\",");
    if (format != std::string::npos && comma != std::string::npos && format < comma)
      values = fmt::format("{} % ({},)", values.substr(0, comma + 1), values.substr(comma + 2));
  }
  ForeignToken words = tokens[0];
  words.end = tokens[word].end;
  ForeignMistake mistake =
      mistake_at(words, fmt::format("`{}` is no word here: values are shown by `print`",
                                    text.substr(words.begin, words.end - words.begin)));
  const std::string line = "print " + values;
  mistake.help = if_readable(line);
  if (mistake.help.empty() || values.find('%') != std::string::npos) {
    if (const auto inner = read_foreign_line(line, names)) mistake.help = inner->mistake.help;
  }
  return mistake;
}

// `show(x)`, `drop(x)`: statements that others would call.
std::optional<ForeignMistake> read_called_statement(std::string_view text, const Tokens& tokens,
                                                    const ForeignNames& names) {
  const bool statement = is(tokens[0], "show") || is(tokens[0], "drop") || is(tokens[0], "why");
  const std::string_view rest = without_semicolons(text.substr(tokens[0].end));
  const bool called = is(tokens[1], "(") && rest.size() > 2 && rest.ends_with(')');
  if (!statement || !called || names.is_function(tokens[0].text)) return std::nullopt;
  return mistake_at(tokens[0],
                    fmt::format("`{}` is a statement, without parentheses", tokens[0].text),
                    if_readable(fmt::format("{} {}", tokens[0].text,
                                            bare_text(rest.substr(1, rest.size() - 2)))));
}

// `assert x == y`, `del x`
std::optional<ForeignMistake> read_renamed(std::string_view text, const Tokens& tokens,
                                           const ForeignNames& names) {
  const bool asserts = is(tokens[0], "assert");
  const bool drops = is(tokens[0], "del") || is(tokens[0], "delete") || is(tokens[0], "clear");
  if (!asserts && !drops) return std::nullopt;
  if (asserts && text.find(".shape") != std::string_view::npos)
    return mistake_at(
        tokens[0],
        fmt::format("dimensions are told by their names and need no check{}", kLeaveOut));
  std::string_view rest = without_semicolons(text.substr(tokens[0].end));
  if (asserts && rest.find(", \"") != std::string_view::npos)
    rest = rest.substr(0, rest.find(", \""));
  const std::string line = fmt::format("{} {}", asserts ? "expect" : "drop", rest);
  ForeignMistake mistake =
      mistake_at(tokens[0], asserts ? "what must hold is an `expect`" : "an array ends by `drop`",
                 if_readable(line));
  if (mistake.help.empty()) {
    if (const auto signs = read_foreign_signs(line, names)) mistake.help = signs->help;
  }
  return mistake;
}

// `expect c.time < 1 ms, "too slow"`, `assert(x == y, "they differ")`: the text becomes a remark.
std::optional<ForeignMistake> read_told_condition(std::string_view text, const Tokens& tokens,
                                                  const ForeignNames& names) {
  if (!is(tokens[0], "expect") && !is(tokens[0], "assert")) return std::nullopt;
  const auto told = std::find_if(tokens.begin() + 1, tokens.end(), [](const ForeignToken& token) {
    return token.kind == ForeignKind::Text;
  });
  if (told == tokens.end() || told->text.empty()) return std::nullopt;
  const ForeignToken& before = *(told - 1);
  const std::string_view rest = without_semicolons(text.substr(told->end));
  const bool comma = is(before, ",") || is(before, ":");
  std::string_view condition =
      bare_text(text.substr(tokens[0].end, (comma ? before.begin : told->begin) - tokens[0].end));
  const bool parens = condition.starts_with('(') && rest == ")";
  if (parens) condition = bare_text(condition.substr(1));
  if (condition.empty() || (!rest.empty() && !parens && rest.front() != '#')) return std::nullopt;
  const bool asserts = is(tokens[0], "assert");
  ForeignToken place = asserts ? tokens[0] : *told;
  if (comma && !asserts) place.begin = before.begin;
  ForeignMistake mistake = mistake_at(
      place, asserts ? "what must hold is an `expect`, and a text after it a remark"
                     : "`expect` takes a condition alone, and a text after it is a remark");
  std::string line = fmt::format("expect {}", condition);
  if (!is_readable(line)) {
    const auto signs = read_foreign_signs(line, names);
    const auto read = signs ? std::nullopt : read_foreign_line(std::string(condition), names);
    if (signs && !signs->help.empty()) line = signs->help.front();
    if (read && !read->line.empty()) line = "expect " + read->line;
  }
  mistake.help = if_readable(fmt::format("{}  # {}", line, told->text));
  return mistake;
}

// `else if`, in whose place others have a word.
std::optional<ForeignMistake> read_else_if(std::string_view text, const Tokens& tokens) {
  if (!is(tokens[0], "elif") && !is(tokens[0], "elseif") && !is(tokens[0], "elsif"))
    return std::nullopt;
  const std::string_view rest = bare_text(text.substr(tokens[0].end));
  std::string help = fmt::format("else if {}", rest);
  if (rest.find('{') == std::string_view::npos) help = "else if B < 8 { … }";
  return mistake_at(tokens[0], fmt::format("`{}` is written `else if`", tokens[0].text), {help});
}

// `unless B > 2 { print B }`, `print B if B > 2`
std::optional<ForeignMistake> read_condition(std::string_view text, const Tokens& tokens) {
  if (is(tokens[0], "unless")) {
    ForeignMistake mistake =
        mistake_at(tokens[0], "there is no `unless`: what does not hold is `not`");
    mistake.help = if_readable(fmt::format("if not {}", bare_text(text.substr(tokens[0].end))));
    return mistake;
  }
  if (!is(tokens[0], "print") && !is(tokens[0], "expect") && !is(tokens[0], "return"))
    return std::nullopt;
  const auto test = std::find_if(tokens.begin() + 2, tokens.end() - 1,
                                 [](const ForeignToken& token) { return is(token, "if"); });
  if (test >= tokens.end() - 1) return std::nullopt;
  std::string_view condition = without_semicolons(text.substr(test->end));
  std::string other;
  if (const std::size_t sign = condition.find(" else "); sign != std::string_view::npos) {
    other = fmt::format(" else {{ {} {} }}", tokens[0].text, bare_text(condition.substr(sign + 6)));
    condition = bare_text(condition.substr(0, sign));
  }
  ForeignMistake mistake =
      mistake_at(*test, "an `if` stands in front of its statements, which stand in braces");
  mistake.help = if_readable(
      fmt::format("if {} {{ {} }}{}", condition, bare_text(text.substr(0, test->begin)), other));
  if (mistake.help.empty()) return std::nullopt;
  return mistake;
}

std::optional<ForeignMistake> read_word(const Tokens& tokens, const ForeignNames& names) {
  const auto* word =
      std::find_if(std::begin(kForeignWords), std::end(kForeignWords),
                   [&](const ForeignWord& entry) { return is(tokens[0], entry.word); });
  if (word == std::end(kForeignWords) || names.is_array(word->word) || names.is_scalar(word->word))
    return std::nullopt;
  // Where a name of that spelling goes on as an array or a number does, it is no such word.
  const ForeignToken& next = tokens[1];
  const bool name = is(next, "=") || is(next, "[") || is(next, "·") || is(next, "→");
  if (name) return std::nullopt;
  std::vector<std::string> help;
  if (!word->help.empty()) help.emplace_back(word->help);
  return mistake_at(tokens[0], std::string(word->meaning), std::move(help));
}

// `x++`
std::optional<ForeignMistake> read_increment(const Tokens& tokens) {
  const std::size_t sign = tokens[0].kind == ForeignKind::Word ? 1 : 0;
  const bool steps = is(tokens[sign], "++") || is(tokens[sign], "--");
  const ForeignToken& name = tokens[1 - sign];
  if (!steps || name.kind != ForeignKind::Word) return std::nullopt;
  const char operation = tokens[sign].text.front();
  return mistake_at(tokens[sign],
                    fmt::format("there is no `{0}`: the new value has a name of its own, `{1}2`; a "
                                "session takes `{1} = {1} {2} 1`, too",
                                tokens[sign].text, name.text, operation),
                    {fmt::format("{0}2 = {0} {1} 1", name.text, operation)});
}

}  // namespace

std::optional<ForeignMistake> read_foreign_words(std::string_view text, const ForeignNames& names) {
  if (text.starts_with("\"\"\"") || text.starts_with("'''")) {
    std::string remark;
    for (const char c : text.substr(0, text.find('\n'))) {
      if (c != '"' && c != '\'') remark += c;
    }
    return mistake_at({.kind = ForeignKind::Sign, .text = {}, .begin = 0, .end = 3},
                      "remarks begin with `#`", {"# " + std::string(bare_text(remark))});
  }
  const auto tokens = foreign_tokens(text);
  if (!tokens || tokens->size() < 2) return std::nullopt;
  if (auto mistake = read_import(*tokens)) return mistake;
  if (auto mistake = read_c_declaration(text, *tokens, names)) return mistake;
  if (auto mistake = read_binder(text, *tokens, names)) return mistake;
  if (auto mistake = read_output(text, *tokens, names)) return mistake;
  if (auto mistake = read_told_condition(text, *tokens, names)) return mistake;
  if (auto mistake = read_renamed(text, *tokens, names)) return mistake;
  if (auto mistake = read_called_statement(text, *tokens, names)) return mistake;
  if (auto mistake = read_else_if(text, *tokens)) return mistake;
  if (auto mistake = read_increment(*tokens)) return mistake;
  if (auto mistake = read_condition(text, *tokens)) return mistake;
  if (auto mistake = read_foreign_decorator(text, names)) return mistake;
  return read_word(*tokens, names);
}

}  // namespace shard
