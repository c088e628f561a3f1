// What Shard says about a user's script. Every kind is listed in grammar/diagnostics/diagnostics.def.
//
// In this folder:
//   diagnostic.h     one thing that is said about a script, and the sink that collects them
//   diagnostics.def  the catalogue: kind, severity, phase, summary, example, explanation
//   render.h         a diagnostic as text, with its line and a mark
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/source/source.h"

namespace shard {

enum class Severity { Error, Warning, Note };

// When a mistake shows.
enum class Phase {
  File,       // the file is no text: exit status 2
  Reading,    // tokens and statements
  Checking,   // what names, layouts and figures mean
  Answering,  // the script is right, and an expectation of it is not met: exit status 3
  Running,  // the machine does not carry it out: exit status 3, and a session does not keep the line
};
// What becomes of it where the line is one of another language.
enum class Foreign { Retold, Kept };

enum class DiagnosticKind {
#define SHARD_DIAGNOSTIC(kind, severity, phase, foreign, summary, example, explanation) kind,
#include "grammar/diagnostics/diagnostics.def"
#undef SHARD_DIAGNOSTIC
};

// The catalogue's entry of a kind: what `shard help KIND` prints.
struct DiagnosticInfo {
  DiagnosticKind kind;
  std::string_view name;  // "UnknownAxis"
  Severity severity;
  Phase phase;
  Foreign foreign;
  std::string_view summary;      // one line
  std::string_view example;      // a script that draws it
  std::string_view explanation;  // what the rule is and how to mend it
};
const DiagnosticInfo& info(DiagnosticKind kind);
// All kinds, in the order of the catalogue.
const std::vector<DiagnosticInfo>& diagnostic_catalogue();

// Of one diagnostic, about the calls and modules that its place stands in.
inline constexpr std::size_t kMostNotes = 4;
// Most errors that a report shows, and most of everything else.
inline constexpr std::size_t kMostShown = 100;

struct Note {
  Span span;  // may be invalid: then only the text is shown
  std::string text;
};

// Text in the place of another one.
struct Edit {
  Span span;
  std::string text;
};

struct Diagnostic {
  DiagnosticKind kind;
  Span span;
  std::string message;  // lower case, no full stop, code in back-ticks
  std::vector<Note> notes = {};
  std::vector<std::string> help = {};  // advice, or text that can be pasted
  // What makes the statement right. With them it becomes the first help where its text is known.
  std::vector<Edit> edits = {};
};

// Collects diagnostics. Not thread-safe.
class DiagnosticSink {
 public:
  void report(Diagnostic diagnostic);
  const std::vector<Diagnostic>& all() const { return diagnostics_; }
  // Whether one inside `span` is of one of these kinds.
  bool has_within(const Span& span, const std::vector<DiagnosticKind>& kinds) const;
  // Puts a diagnostic in the place of the errors inside `span` that are of one of these kinds, with the notes of the first, and
  // of those that begin where it does. Does nothing if there is none of these kinds.
  void replace(const Span& span, const std::vector<DiagnosticKind>& kinds, Diagnostic diagnostic);
  // The edits of the errors inside of a statement, as the line that they make of its text.
  void write_out_edits(const Span& statement, std::string_view text);
  bool has_errors() const { return errors_ > 0; }
  // Whether one error more, or one of the others, would be shown. A guess at what was meant, which looks through all names,
  // is made for those.
  bool shows_more_errors() const { return errors_ < kMostShown; }
  bool shows_more_others() const { return diagnostics_.size() - errors_ < kMostShown; }
  // Forgets all but the first so many.
  void keep(std::size_t count);
  // Takes what was collected, sorted by place, exact repetitions dropped; the sink is empty afterwards.
  std::vector<Diagnostic> take_sorted();

 private:
  std::vector<Diagnostic> diagnostics_;
  std::size_t errors_ = 0;  // among them
};

}  // namespace shard
