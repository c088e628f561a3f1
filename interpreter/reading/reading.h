// An article as a program: its notation, statement by statement, judged below what a preamble declares.
//
// In this folder:
//   reading.h          the statements of a document, judged
//   notation_finder.h  what in it is notation
//   reading_report.h   what was read, as text and as JSON
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/estimate/totals.h"
#include "interpreter/session/session.h"

namespace shard {

enum class Verdict {
  Checked,  // it holds
  Skipped,  // it says too little to be judged: an array that is only named
  Error,    // it is notation, and wrong
};

struct ReadStatement {
  std::size_t line = 0;    // in the document, from 1
  std::size_t column = 0;  // in bytes, from 1
  std::string text;        // canonical
  std::string ascii;       // the same in ASCII
  bool of_script = false;  // of a fence in this language
  Verdict verdict = Verdict::Checked;
  std::vector<Diagnostic> diagnostics = {};
  // Of what it plans, per device; none: it plans nothing, or is not right.
  std::optional<Totals> cost = {};
  // Sizes and figures of a chip that the cost depends on and nothing gives, in the order of their names.
  std::vector<std::string> missing = {};
};

// What a script of the document is said to print.
struct ReadOutput {
  std::size_t line = 0;  // of the fence that says it, from 1
  bool holds = false;
};

struct ReadDocument {
  std::string name;
  std::size_t lines = 0;
  std::vector<ReadStatement> statements;  // in the order of the document
  std::vector<ReadOutput> outputs = {};   // likewise; of whoever runs its scripts
  ExitStatus status = ExitStatus::Fine;
};

// The statements of a document. Each piece of notation is judged on its own, in what the session and the declarations of the
// document's scripts suppose, so that one mistake spoils no other. A script continues those above it; one with a machine of its
// own begins anew. REQUIRES: the session is interactive and has no executor, for nothing is run.
ReadDocument read_document(const std::string& name, const std::string& text,
                           const Session& session);

}  // namespace shard
