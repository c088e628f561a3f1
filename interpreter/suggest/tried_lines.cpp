#include "interpreter/suggest/tried_lines.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/parse/parser.h"
#include "interpreter/suggest/change_told.h"
#include "interpreter/suggest/line_variants.h"

namespace shard {

namespace {

// Mistakes that one name may put right.
bool may_be_a_slip(DiagnosticKind kind) {
  using K = DiagnosticKind;
  static const std::vector<K> kinds = {K::UnknownAxis,      K::UnknownDimension, K::AxisReused,
                                       K::DimensionReused,  K::WrongCollective,  K::NotSharded,
                                       K::NotUnreduced,     K::TargetMismatch,   K::ResultUnreduced,
                                       K::DroppedDimension, K::UnreducedOperand, K::BadContraction,
                                       K::TransposedUse,    K::ArgumentMismatch};
  return contains(kinds, kind);
}

// Whether the text can be read as statements, and is no advice in words: "write it first: A[I, J]".
bool is_line(const std::string& text) {
  const std::size_t code = std::min(text.find_first_of("=[{("), text.find("→"));
  if (code == std::string::npos || text.find('`') != std::string::npos) return false;
  const std::string_view head = std::string_view(text).substr(0, code);
  if (head.find(": ") != std::string_view::npos && head.find(' ') < head.find(": ")) return false;
  SourceMap sources;
  Names names;
  DiagnosticSink unsaid;
  const FileId file = sources.add("line", text);
  const ast::Module module = parse(sources, file, names, unsaid);
  return !unsaid.has_errors() && !module.statements.empty();
}

// The same, or words with a line at their end: "reduce them first: AllReduce_X m[I]{max_X} → m[I]".
bool offers_line(const std::string& help) {
  const std::size_t colon = help.rfind(": ");
  return is_line(help) || (colon != std::string::npos && is_line(help.substr(colon + 2)));
}

class LineJudge {
 public:
  LineJudge(const Span& statement, std::string_view text, const std::set<std::string>& corrections,
            const Scope& scope, const TryLine& try_line)
      : statement_(statement),
        text_(text),
        corrections_(corrections),
        scope_(scope),
        try_line_(try_line) {}

  // What is said of the mistake once its lines were tried.
  Diagnostic judged(Diagnostic told) {
    told.tried = true;
    if (!before_) before_ = try_line_(text_);
    if (!before_ || before_->mistakes.empty()) return told;
    std::vector<std::string> refused;
    std::vector<std::string> kept;
    for (std::string& help : told.help) {
      if (!corrections_.contains(help) || mends(help)) {
        kept.push_back(std::move(help));
      } else if (auto line = mended_further(help)) {
        kept.push_back(*std::move(line));
      } else {
        refused.push_back(std::move(help));
      }
    }
    told.help = std::move(kept);
    if (told.kind == DiagnosticKind::AxisReused) offer_free_axis(told);
    if (std::any_of(told.help.begin(), told.help.end(), offers_line)) return told;
    const bool slip = may_be_a_slip(told.kind);
    auto line = slip ? replacement(told, refused) : std::nullopt;
    // A word that is spelt right may show that something else in the line is wrong as well; where there are two readings, the
    // one that does not work was not meant.
    const bool readings = told.kind == DiagnosticKind::AmbiguousName;
    if (!line && !slip && !readings && !refused.empty()) line = refused.front();
    // The way to the target as it is written is not what is meant then.
    if (line && told.kind == DiagnosticKind::WrongCollective) told.help.clear();
    if (line) told.help.insert(told.help.begin(), *std::move(line));
    return told;
  }

 private:
  // In the statement's place, or on a line of its own before it.
  bool mends(const std::string& line) {
    return leaves_less(line) || leaves_less(line + "\n" + text_);
  }

  bool leaves_less(const std::string& lines) {
    const auto after = try_line_(lines);
    return !after || is_less(after->mistakes);
  }

  bool is_less(const LineMistakes& after) const {
    const LineMistakes& before = before_->mistakes;
    return after.size() < before.size() &&
           std::includes(before.begin(), before.end(), after.begin(), after.end());
  }

  bool is_right(const std::string& line) {
    const auto after = try_line_(line);
    return after && after->mistakes.empty() && !after->warns;
  }

  // A line whose own mistakes have help, until none is left: `c.bytes, c.memory` has two names to be mended.
  std::optional<std::string> mended_further(std::string line) {
    constexpr int kMostSteps = 4;
    for (int i = 0; i < kMostSteps; ++i) {
      const auto tried = try_line_(line);
      if (!tried) return std::nullopt;
      if (is_less(tried->mistakes)) return line;
      if (tried->mended.empty() || tried->mended == line) return std::nullopt;
      line = tried->mended;
    }
    return std::nullopt;
  }

  // `C[I_X, K_X]`, where an operand has `K_Y`.
  void offer_free_axis(Diagnostic& told) {
    for (const LineVariant& variant : variants_of(text_, scope_)) {
      const bool there = statement_.begin + variant.begin == told.span.begin &&
                         statement_.begin + variant.end == told.span.end;
      if (!there || !stands_elsewhere(variant) || !is_right(variant.line)) continue;
      std::string line = one_line(variant.line);
      std::erase(told.help, line);
      told.help.insert(told.help.begin(), std::move(line));
      return;
    }
  }

  // Whether the dimension with its changed axis is one of the statement.
  bool stands_elsewhere(const LineVariant& variant) const {
    const std::size_t begin = text_.find_last_of("[, ", variant.begin);
    if (begin == std::string::npos) return false;
    const std::size_t longer = variant.line.size() - text_.size();
    const std::string dimension = variant.line.substr(begin + 1, variant.end + longer - begin - 1);
    return text_.find(dimension + "]") != std::string::npos ||
           text_.find(dimension + ",") != std::string::npos;
  }

  std::optional<std::string> replacement(const Diagnostic& told,
                                         const std::vector<std::string>& refused) {
    if (told.kind == DiagnosticKind::DimensionReused) {
      for (std::string& line :
           with_second_name(text_, told.span.begin - statement_.begin, scope_)) {
        if (is_right(line)) return std::move(line);
      }
    }
    return found(told.span, refused);
  }

  // At the mistake's place first, then anywhere, then in what was refused.
  std::optional<std::string> found(const Span& place, const std::vector<std::string>& refused) {
    const auto is_near = [&](const LineVariant& variant) {
      return statement_.begin + variant.begin <= place.end &&
             statement_.begin + variant.end >= place.begin;
    };
    const auto variants = variants_of(text_, scope_);
    for (const bool near : {true, false}) {
      for (const bool shorter : {false, true}) {
        std::vector<LineVariant> some;
        std::copy_if(variants.begin(), variants.end(), std::back_inserter(some),
                     [&](const LineVariant& variant) {
                       return is_near(variant) == near && variant.shorter == shorter;
                     });
        const std::vector<std::string> right = without_mistakes(some);
        if (right.size() == 1) return one_line(right.front());
        if (right.size() > 1) return std::nullopt;
      }
    }
    for (const std::string& line : refused) {
      const std::vector<std::string> right = without_mistakes(variants_of(line, scope_));
      if (right.size() == 1) return one_line(right.front());
    }
    return std::nullopt;
  }

  std::vector<std::string> without_mistakes(const std::vector<LineVariant>& variants) {
    std::vector<std::string> right;
    for (const LineVariant& variant : variants) {
      if (contains(right, variant.line) || !is_right(variant.line)) continue;
      right.push_back(variant.line);
      if (right.size() > 1) break;
    }
    return right;
  }

  const Span statement_;
  const std::string text_;
  const std::set<std::string>& corrections_;
  const Scope& scope_;
  const TryLine& try_line_;
  std::optional<TriedLine> before_;
};

}  // namespace

std::set<std::string> write_out_corrections(const Span& statement, std::string_view text,
                                            DiagnosticSink& sink) {
  std::vector<std::size_t> before;
  for (const Diagnostic& told : sink.all()) before.push_back(told.help.size());
  sink.write_out_edits(statement, text);
  std::set<std::string> corrections;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Diagnostic& told = sink.all()[i];
    if (told.help.size() > before[i]) corrections.insert(told.help.front());
  }
  return corrections;
}

void try_lines(const Span& statement, std::string_view text,
               const std::set<std::string>& corrections, const Scope& scope,
               const TryLine& try_line, DiagnosticSink& sink) {
  LineJudge judge(statement, text, corrections, scope, try_line);
  change_told(statement, sink, [&](const Diagnostic& told) -> std::optional<Diagnostic> {
    const bool error = info(told.kind).severity == Severity::Error;
    if (!error || told.tried || info(told.kind).phase == Phase::Answering) return std::nullopt;
    return judge.judged(told);
  });
}

}  // namespace shard
