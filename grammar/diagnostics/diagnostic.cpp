#include "grammar/diagnostics/diagnostic.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/dtype.h"
#include "base/words.h"

namespace shard {
namespace {

// The catalogue's raw strings begin with a line break to keep its layout readable.
std::string_view without_outer_breaks(std::string_view text) {
  while (!text.empty() && text.front() == '\n') text.remove_prefix(1);
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  return text;
}

std::string_view explanation_of_unknown_dtype() {
  static const std::string text = [] {
    std::vector<std::string> names;
    for (const DTypeInfo& type : dtypes()) names.push_back("`" + std::string(type.name) + "`");
    return "Element types are " + join_words(names) +
           ".\nOther usual spellings, such as `bfloat16`, `f32` and `s8`, are read as these.";
  }();
  return text;
}

// A note that is about no line is read after those that are.
bool is_at_the_end(const Diagnostic& d) {
  return !d.span.valid() && info(d.kind).severity == Severity::Note;
}

auto place(const Diagnostic& d) { return std::tuple(d.span.file.value, d.span.begin, d.span.end); }

bool is_repetition(const Diagnostic& a, const Diagnostic& b) {
  return a.kind == b.kind && a.span == b.span && a.message == b.message;
}

bool is_error(const Diagnostic& d) { return info(d.kind).severity == Severity::Error; }

bool is_within(const Diagnostic& d, const Span& span, const std::vector<DiagnosticKind>& kinds) {
  return encloses(span, d.span) && std::find(kinds.begin(), kinds.end(), d.kind) != kinds.end();
}

// Removes parentheses around a whole operand that begins at `begin`.
void take_parentheses(std::string& line, std::size_t begin) {
  if (begin >= line.size() || line[begin] != '(') return;
  int depth = 0;
  for (std::size_t i = begin; i < line.size(); ++i) {
    if (line[i] == '(') ++depth;
    if (line[i] != ')' || --depth > 0) continue;
    const std::string_view rest = std::string_view(line).substr(i + 1);
    const std::size_t next = rest.find_first_not_of(' ');
    const bool whole = next == std::string_view::npos || rest.substr(next).starts_with("→") ||
                       rest.substr(next).starts_with("->");
    if (!whole) return;
    line.erase(i, 1);
    line.erase(begin, 1);
    return;
  }
}

// The statement's text with the edits, on one line; empty if a comment inside it prevents that.
std::string edited(std::vector<Edit> edits, const Span& statement, std::string_view text) {
  if (text.find('#') != std::string_view::npos) return "";
  std::sort(edits.begin(), edits.end(),
            [](const Edit& a, const Edit& b) { return a.span.begin > b.span.begin; });
  std::string line(text);
  for (const Edit& edit : edits) {
    const Span& span = edit.span;
    const bool inside =
        span.file == statement.file && span.begin >= statement.begin && span.end <= statement.end;
    if (!inside) return "";
    const std::size_t begin = span.begin - statement.begin;
    std::size_t end = span.end - statement.begin;
    // If a word is replaced by nothing, the colon and blanks after it go as well.
    if (edit.text.empty() && end > begin)
      end = std::min(line.find_first_not_of(": ", end), line.size());
    line.replace(begin, end - begin, edit.text);
    if (edit.text.empty() && end > begin) take_parentheses(line, begin);
  }
  return one_line(line);
}

// The word that a help says was meant, "did you mean `model`?"; empty if it says anything else.
std::string_view meant_word(std::string_view help) {
  constexpr std::string_view kBegin = "did you mean `";
  constexpr std::string_view kEnd = "`?";
  const bool asks =
      help.starts_with(kBegin) && help.ends_with(kEnd) && help.size() > kBegin.size() + kEnd.size();
  if (!asks) return {};
  help = help.substr(kBegin.size(), help.size() - kBegin.size() - kEnd.size());
  return help.find('`') == std::string_view::npos ? help : std::string_view{};
}

bool is_part_of_word(char c) { return is_letter(c) || is_digit(c); }

// The misspelt word in the place of the meant one, everywhere in the statement: what is unknown is reported where it first stands.
std::vector<Edit> respelt(const Diagnostic& diagnostic, const Span& statement,
                          std::string_view text) {
  const Span& place = diagnostic.span;
  const bool inside = place.file == statement.file && place.begin >= statement.begin &&
                      place.end <= statement.end && place.begin < place.end;
  const std::string_view meant =
      diagnostic.help.size() == 1 && inside ? meant_word(diagnostic.help.front()) : "";
  if (meant.empty()) return {};
  std::vector<Edit> edits = {{place, std::string(meant)}};
  const std::string_view word = text.substr(place.begin - statement.begin, place.end - place.begin);
  // One letter may be a dimension here and an axis there.
  constexpr std::size_t kShortest = 3;
  if (word.size() < kShortest) return edits;
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + word.size())) {
    const std::size_t end = at + word.size();
    const bool whole = (at == 0 || !is_part_of_word(text[at - 1])) &&
                       (end == text.size() || !is_part_of_word(text[end]));
    const Span span{place.file, statement.begin + static_cast<std::uint32_t>(at),
                    statement.begin + static_cast<std::uint32_t>(end)};
    if (whole && !(span == place)) edits.push_back({span, std::string(meant)});
  }
  return edits;
}

}  // namespace

const std::vector<DiagnosticInfo>& diagnostic_catalogue() {
  static const std::vector<DiagnosticInfo> catalogue = {
#define SHARD_DIAGNOSTIC(kind, severity, phase, foreign, summary, example, explanation) \
  {DiagnosticKind::kind,                                                                \
   #kind,                                                                               \
   Severity::severity,                                                                  \
   Phase::phase,                                                                        \
   Foreign::foreign,                                                                    \
   summary,                                                                             \
   without_outer_breaks(example),                                                       \
   without_outer_breaks(explanation)},
#include "grammar/diagnostics/diagnostics.def"
#undef SHARD_DIAGNOSTIC
  };
  return catalogue;
}

const DiagnosticInfo& info(DiagnosticKind kind) {
  return diagnostic_catalogue()[static_cast<std::size_t>(kind)];
}

void DiagnosticSink::report(Diagnostic diagnostic) {
  if (is_error(diagnostic)) ++errors_;
  diagnostics_.push_back(std::move(diagnostic));
}

void DiagnosticSink::keep(std::size_t count) {
  while (diagnostics_.size() > count) {
    if (is_error(diagnostics_.back())) --errors_;
    diagnostics_.pop_back();
  }
}

DiagnosticSink DiagnosticSink::split_off(std::size_t count) {
  DiagnosticSink others;
  for (std::size_t i = count; i < diagnostics_.size(); ++i)
    others.report(std::move(diagnostics_[i]));
  errors_ -= others.errors_;
  diagnostics_.erase(diagnostics_.begin() + static_cast<std::ptrdiff_t>(count), diagnostics_.end());
  return others;
}

void DiagnosticSink::append(DiagnosticSink others) {
  for (Diagnostic& diagnostic : others.diagnostics_) report(std::move(diagnostic));
}

bool DiagnosticSink::has_within(const Span& span, const std::vector<DiagnosticKind>& kinds) const {
  return std::any_of(diagnostics_.begin(), diagnostics_.end(),
                     [&](const Diagnostic& d) { return is_within(d, span, kinds); });
}

void DiagnosticSink::replace(const Span& span, const std::vector<DiagnosticKind>& kinds,
                             Diagnostic diagnostic) {
  const auto is_replaced = [&](const Diagnostic& d) { return is_within(d, span, kinds); };
  const auto first = std::find_if(diagnostics_.begin(), diagnostics_.end(), is_replaced);
  if (first == diagnostics_.end()) return;
  diagnostic.notes = first->notes;
  const Span at = diagnostic.span;
  // Only one diagnostic per place: in `softmax(x) @ w` the softmax lacks its dimension, which the whole line already
  // shows.
  const auto is_same_place = [&](const Diagnostic& d) {
    return is_error(d) && d.span.file == at.file && d.span.begin == at.begin;
  };
  *first = std::move(diagnostic);
  const std::size_t kept = static_cast<std::size_t>(first - diagnostics_.begin());
  std::size_t place = 0;
  std::erase_if(diagnostics_, [&](const Diagnostic& d) {
    return place++ != kept && (is_replaced(d) || is_same_place(d));
  });
  errors_ =
      static_cast<std::size_t>(std::count_if(diagnostics_.begin(), diagnostics_.end(), is_error));
}

void DiagnosticSink::write_out_edits(const Span& statement, std::string_view text) {
  for (Diagnostic& diagnostic : diagnostics_) {
    if (diagnostic.edits.empty()) diagnostic.edits = respelt(diagnostic, statement, text);
    if (diagnostic.edits.empty()) continue;
    std::string line = edited(diagnostic.edits, statement, text);
    if (line.empty()) continue;
    diagnostic.help.insert(diagnostic.help.begin(), std::move(line));
    diagnostic.edits.clear();
  }
}

void DiagnosticSink::drop_edits(FileId file) {
  for (Diagnostic& diagnostic : diagnostics_) {
    if (diagnostic.span.file == file) diagnostic.edits.clear();
  }
}

std::vector<Diagnostic> DiagnosticSink::take_sorted() {
  std::vector<Diagnostic> taken = std::exchange(diagnostics_, {});
  errors_ = 0;
  const auto order = [](const Diagnostic& d) { return std::pair(is_at_the_end(d), place(d)); };
  std::stable_sort(taken.begin(), taken.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return order(a) < order(b); });
  // Repetitions need not be adjacent, as other diagnostics may be at the same place.
  std::vector<Diagnostic> kept;
  for (Diagnostic& diagnostic : taken) {
    bool repeated = false;
    for (auto it = kept.rbegin(); it != kept.rend() && place(*it) == place(diagnostic); ++it) {
      repeated = repeated || is_repetition(*it, diagnostic);
    }
    if (!repeated) kept.push_back(std::move(diagnostic));
  }
  return kept;
}

}  // namespace shard
