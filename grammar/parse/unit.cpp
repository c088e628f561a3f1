// Units as written elsewhere: `Gbps`, `TFLOPS`, `usec`.
#include "base/unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

#include "base/words.h"
#include "grammar/parse/construct.h"

namespace shard {
namespace {

struct OtherWord {
  std::string_view word;  // in small letters
  std::string_view unit;
};
constexpr OtherWord kTimes[] = {
    {"sec", "s"},   {"secs", "s"},   {"second", "s"},       {"seconds", "s"},
    {"msec", "ms"}, {"msecs", "ms"}, {"millisecond", "ms"}, {"milliseconds", "ms"},
    {"usec", "us"}, {"usecs", "us"}, {"microsecond", "us"}, {"microseconds", "us"},
    {"nsec", "ns"}, {"nsecs", "ns"}, {"nanosecond", "ns"},  {"nanoseconds", "ns"}};
constexpr OtherWord kPrefixes[] = {{"kilo", "k"},  {"mega", "M"},  {"giga", "G"},  {"tera", "T"},
                                   {"peta", "P"},  {"kibi", "Ki"}, {"mebi", "Mi"}, {"gibi", "Gi"},
                                   {"tebi", "Ti"}, {"ki", "Ki"},   {"mi", "Mi"},   {"gi", "Gi"},
                                   {"ti", "Ti"},   {"k", "k"},     {"m", "M"},     {"g", "G"},
                                   {"t", "T"},     {"p", "P"},     {"", ""}};

std::string small_letters(std::string_view word) {
  std::string small(word);
  for (char& c : small) c = static_cast<char>(is_letter(c) ? c | ' ' : c);
  return small;
}

std::string time_unit(std::string_view word) {
  const std::string small = small_letters(word);
  for (const OtherWord& time : kTimes) {
    if (small == time.word) return std::string(time.unit);
  }
  return "";
}

struct OtherUnit {
  std::string unit;   // in this language's spelling
  bool bits = false;  // it counts bits: an eighth of the number
};

// What a word counts after its prefix: bytes, bits or FLOPs, possibly per second.
OtherUnit counted(std::string_view prefix, std::string_view word) {
  const auto is_any = [&](std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  const std::string scale(prefix);
  if (is_any({"byte", "bytes", "b"})) return {scale + "B"};
  if (is_any({"bps/s", "bytes/s", "byte/s", "b/s", "byteps"})) return {scale + "B/s"};
  if (is_any({"bit", "bits"})) return {scale + "B", true};
  if (is_any({"bps", "bit/s", "bits/s", "bitps"})) return {scale + "B/s", true};
  if (is_any({"flop/s", "flops/s", "flopps", "flops"})) return {scale + "FLOP/s"};
  if (is_any({"flop"})) return {scale + "FLOP"};
  return {};
}

// For a word that is not a unit here.
OtherUnit other_unit(std::string_view word) {
  if (std::string time = time_unit(word); !time.empty()) return {std::move(time)};
  std::string small = small_letters(word);
  const std::size_t slash = small.find('/');
  if (slash != std::string::npos) {
    const std::string below = time_unit(small.substr(slash + 1));
    if (!below.empty()) small = small.substr(0, slash + 1) + below;
  }
  // `GBps` and `Gb/s`: a capital letter counts bytes, a small one bits.
  const std::size_t letter = word.find_first_of("bB");
  const bool bytes = letter != std::string_view::npos && word[letter] == 'B';
  for (const OtherWord& prefix : kPrefixes) {
    if (!small.starts_with(prefix.word)) continue;
    std::string rest = small.substr(prefix.word.size());
    OtherUnit found = counted(prefix.unit, rest);
    if (found.unit.empty()) continue;
    if (rest == "bps") found.bits = !bytes;
    if (rest == "b/s") found.bits = !bytes;
    return found;
  }
  return {};
}

// The word at the current token, with its divisor: `Gb/s`.
std::string word_here(const ParserContext& context) {
  const Token& word = context.current();
  const Token& slash = context.peek(1);
  const Token& below = context.peek(2);
  const bool rate = slash.kind == TokenKind::Slash && slash.glued && below.glued &&
                    below.kind == TokenKind::Identifier &&
                    (below.text == "s" || !time_unit(below.text).empty());
  return std::string(word.text) + (rate ? "/" + std::string(below.text) : "");
}

}  // namespace

namespace {

bool stands_for_unit(const ParserContext& context) {
  return context.token(context.position() - 1).kind == TokenKind::Number &&
         context.at(TokenKind::Identifier) && context.on_same_line() &&
         context.peek(1).kind != TokenKind::LeftBracket &&
         !context.means_something(context.current().text) && !context.failed();
}

// The statement with all quantities in this language's units; nullopt if it could not be read then.
std::optional<std::string> with_own_units(const ParserContext& context) {
  const Span all = context.line_span();
  constexpr std::uint32_t kLongestRead = 400;  // as for edited_line: no longer one is offered
  if (all.end - all.begin > kLongestRead) return std::nullopt;
  std::string line;
  std::uint32_t done = all.begin;
  for (std::size_t i = context.statement_begin(); i + 1 < context.block_end(); ++i) {
    const Token& number = context.token(i);
    const Token& word = context.token(i + 1);
    if (word.span.end > all.end) break;
    if (number.kind != TokenKind::Number || word.kind != TokenKind::Identifier) continue;
    const OtherUnit meant = other_unit(word.text);
    if (meant.unit.empty() || meant.unit == word.text || meant.bits) continue;
    line += context.source_text({all.file, done, number.span.end});
    line += " " + meant.unit;
    done = word.span.end;
  }
  line += context.source_text({all.file, done, all.end});
  return context.edited_line(all, line);
}

// `quantity` replaces the number and the word after it, for the given reason.
void fail_unit(ParserContext& context, std::string_view word, const std::string& quantity,
               std::string_view reason) {
  Span span = context.current().span;
  span.end = span.begin + static_cast<std::uint32_t>(word.size());
  const Span number = context.token(context.position() - 1).span;
  auto line = context.edited_line({span.file, number.begin, span.end}, quantity);
  if (!line) line = with_own_units(context);
  context.fail(DiagnosticKind::SyntaxError, span,
               fmt::format("`{}` is no unit{}{}", word, reason.empty() ? "" : ": ", reason),
               {line.value_or(fmt::format("it is written {}", quantity))});
}

}  // namespace

bool reject_other_unit(ParserContext& context) {
  if (context.position() == 0 || !stands_for_unit(context)) return false;
  const std::string word = word_here(context);
  const OtherUnit meant = other_unit(word);
  if (meant.unit.empty() || meant.unit == word) return false;
  const std::string number(context.source_text(context.token(context.position() - 1).span));
  const bool rate = meant.unit.ends_with("/s");
  if (meant.bits) {
    fail_unit(context, word,
              fmt::format("{:g} {}", std::strtod(number.c_str(), nullptr) / 8, meant.unit),
              fmt::format("a {} is bytes{}, of 8 bits each", rate ? "rate" : "volume",
                          rate ? " per second" : ""));
  } else {
    fail_unit(context, word, fmt::format("{} {}", number, meant.unit),
              fmt::format("{} is written `{}`", rate ? "a rate" : "it", meant.unit));
  }
  return true;
}

bool reject_unit(ParserContext& context) {
  if (reject_other_unit(context)) return true;
  if (context.position() == 0 || !stands_for_unit(context)) return false;
  static const std::vector<std::string> units = {"B",    "kB",    "MB",    "GB",     "TB", "KiB",
                                                 "MiB",  "GiB",   "s",     "ms",     "us", "ns",
                                                 "FLOP", "GFLOP", "TFLOP", "FLOP/s", "B/s"};
  const std::string word(context.current().text);
  const auto near = nearest_name(word, units);
  if (!near) return false;
  const Token& number = context.token(context.position() - 1);
  fail_unit(context, word, fmt::format("{} {}", context.source_text(number.span), *near),
            fmt::format("did you mean `{}`?", *near));
  return true;
}

bool reject_divided_unit(ParserContext& context) {
  const Token& number = context.token(context.position() - 1);
  const Token& word = context.peek(1);
  const bool divided = context.at(TokenKind::Slash) && context.current().glued && word.glued &&
                       number.kind == TokenKind::Number && word.kind == TokenKind::Identifier &&
                       context.peek(2).kind != TokenKind::LeftBracket &&
                       !context.means_something(word.text);
  const std::string unit = divided ? time_unit(word.text) : "";
  if (unit.empty() || context.failed()) return false;
  const auto line = context.edited_line(word.span, unit);
  context.fail(DiagnosticKind::SyntaxError, word.span,
               fmt::format("`{}` is no unit: a time is written `{}`", word.text, unit),
               {line.value_or(fmt::format("a rate is written {}/{}",
                                          context.source_text(number.span), unit))});
  return true;
}

}  // namespace shard
