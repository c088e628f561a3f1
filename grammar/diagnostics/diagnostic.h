// What Shard says about a user's script. Every kind is listed in grammar/diagnostics/diagnostics.def.
//
// In this folder:
//   diagnostic.h     a single remark about a script, and the sink that collects them
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

// When a mistake is found.
enum class Phase {
  File,       // the file is not text: exit status 2
  Reading,    // tokens and statements
  Checking,   // the meaning of names, layouts and figures
  Answering,  // the script is right, but an expectation in it does not hold: exit status 3
  Running,    // the machine cannot do it: exit status 3, and a session drops the line
};
// What happens to it if the line turns out to be in another language.
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
  std::string_view example;      // a script that causes it
  std::string_view explanation;  // the rule, and how to fix the script
};
const DiagnosticInfo& info(DiagnosticKind kind);
// All kinds, in catalogue order.
const std::vector<DiagnosticInfo>& diagnostic_catalogue();

// For one diagnostic, about the calls and modules that contain its place. More of a deep recursion would only repeat.
inline constexpr std::size_t kMostNotes = 4;
// How many errors a report shows, and how many warnings and notes. Nobody reads more; the rest is counted.
inline constexpr std::size_t kMostShown = 100;

struct Note {
  Span span;  // may be invalid: then only the text is shown
  std::string text;
};

// Text that replaces other text.
struct Edit {
  Span span;
  std::string text;
};

struct Diagnostic {
  DiagnosticKind kind;
  Span span;
  std::string message;  // lower case, no full stop, code in back-ticks
  std::vector<Note> notes = {};
  std::vector<std::string> help = {};  // advice, or text to paste
  // Corrections of the statement. If its text is known, they become the first help.
  std::vector<Edit> edits = {};
  bool tried = false;  // the lines of its help were run, and stay
};

// Collects diagnostics. Not thread-safe.
class DiagnosticSink {
 public:
  void report(Diagnostic diagnostic);
  const std::vector<Diagnostic>& all() const { return diagnostics_; }
  // Whether there is one of these kinds inside `span`.
  bool has_within(const Span& span, const std::vector<DiagnosticKind>& kinds) const;
  // Replaces the errors of these kinds inside `span`, and others that begin where the first of them does, by a
  // diagnostic that keeps the first one's notes. Does nothing if there is no error of these kinds.
  void replace(const Span& span, const std::vector<DiagnosticKind>& kinds, Diagnostic diagnostic);
  // Turns the edits of the errors inside a statement into the corrected line.
  void write_out_edits(const Span& statement, std::string_view text);
  // Drops the edits in this text.
  void drop_edits(FileId file);
  bool has_errors() const { return errors_ > 0; }
  // Whether another error, or another warning or note, would still be shown. Guesses at what was meant search all
  // names, so they are made only then.
  bool shows_more_errors() const { return errors_ < kMostShown; }
  bool shows_more_others() const { return diagnostics_.size() - errors_ < kMostShown; }
  // Drops all but the first `count`.
  void keep(std::size_t count);
  // Moves all but the first `count` out, and back.
  DiagnosticSink split_off(std::size_t count);
  void append(DiagnosticSink others);
  // Returns what was collected, sorted by place and without exact repetitions; the sink is empty afterwards.
  std::vector<Diagnostic> take_sorted();

 private:
  std::vector<Diagnostic> diagnostics_;
  std::size_t errors_ = 0;  // of all diagnostics
};

}  // namespace shard
