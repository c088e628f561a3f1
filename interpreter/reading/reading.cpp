#include "interpreter/reading/reading.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/cancellation.h"
#include "grammar/print/printer.h"
#include "interpreter/reading/notation_finder.h"

namespace shard {
namespace {

class DocumentReader {
 public:
  DocumentReader(const std::string& name, const std::string& text, const Session& session)
      : text_(text), preamble_(session), script_(session), declared_(session) {
    document_.name = name;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      begins_.push_back(at);
      if (text.find('\n', at) == std::string::npos) break;
    }
    document_.lines = begins_.size();
  }

  ReadDocument run() {
    for (FoundPiece& piece : find_notation(text_, preamble_.names())) {
      throw_if_cancelled();
      if (piece.script) {
        run_script(piece);
        continue;
      }
      // A machine of the document takes the place of the preamble's.
      const auto machine = [](const ast::Statement& one) { return is_machine(one); };
      const bool alone = std::all_of(piece.statements.begin(), piece.statements.end(), machine);
      Session supposed = alone ? Session({.interactive = true}) : declared_.supposed();
      for (std::size_t i = 0; i < piece.statements.size(); ++i) {
        const ast::Statement& statement = piece.statements[i];
        judge({print(statement, Spelling::Unicode), print(statement, Spelling::Ascii)},
              piece.places[i], is_only_named(statement) ? Origin::Named : Origin::Text, supposed);
      }
    }
    return std::move(document_);
  }

 private:
  std::size_t line_of(std::size_t place) const {
    return static_cast<std::size_t>(std::upper_bound(begins_.begin(), begins_.end(), place) -
                                    begins_.begin());
  }

  // Where a statement stands: in a script, in the text as an array that is only named, otherwise in the text.
  enum class Origin { Script, Named, Text };

  // A statement in Unicode and in ASCII.
  struct Spelt {
    std::string text;
    std::string ascii;
  };

  static bool is_machine(const ast::Statement& statement) {
    return std::holds_alternative<ast::Mesh>(statement.node) ||
           std::holds_alternative<ast::Hardware>(statement.node);
  }

  // Whether it holds for the text around a script as well: what its arrays are has nothing to do with that.
  static bool declares(const ast::Statement& statement) {
    const auto* declaration = std::get_if<ast::Declaration>(&statement.node);
    return is_machine(statement) || std::holds_alternative<ast::Chip>(statement.node) ||
           std::holds_alternative<ast::Bindings>(statement.node) ||
           std::holds_alternative<ast::Use>(statement.node) ||
           (declaration != nullptr && !declaration->makes);
  }

  static bool is_only_named(const ast::Statement& statement) {
    const auto* evaluate = std::get_if<ast::Evaluate>(&statement.node);
    return std::holds_alternative<ast::Mention>(statement.node) ||
           (evaluate != nullptr && std::holds_alternative<ast::ArrayRef>(evaluate->value.node));
  }

  // Its statements, one after the other. With a machine of its own it begins anew, below the preamble.
  void run_script(const FoundPiece& piece) {
    if (std::any_of(piece.statements.begin(), piece.statements.end(),
                    [](const auto& one) { return is_machine(one); }))
      script_ = declared_ = preamble_;
    if (piece.damage) {
      const std::string& body = piece.script->body;
      const std::size_t begin = body.rfind('\n', *piece.damage) + 1;
      const std::string line = body.substr(begin, body.find('\n', begin) - begin);
      judge({line, line}, piece.script->place_of(begin), Origin::Script, script_);
      // The document itself was read.
      document_.status = ExitStatus::ProgramErrors;
    }
    for (const ast::Statement& statement : piece.statements) {
      const Span place = statement.at.span;
      const std::string written = piece.script->body.substr(place.begin, place.end - place.begin);
      Spelt spelt{written, written};
      if (!statement.has_error)
        spelt = {print(statement, Spelling::Unicode), print(statement, Spelling::Ascii)};
      if (declares(statement)) declared_.run(document_.name, spelt.text + "\n");
      judge(std::move(spelt), piece.script->place_of(place.begin), Origin::Script, script_);
    }
  }

  // Runs a statement that stands at the place.
  void judge(Spelt spelt, std::size_t place, Origin origin, Session& session) {
    const std::size_t line = line_of(place);
    ReadStatement& read = document_.statements.emplace_back();
    read.line = line;
    read.column = place - begins_[line - 1] + 1;
    // On its line of the document, so that messages name that.
    Outcome outcome = session.run(document_.name, std::string(line - 1, '\n') + spelt.text + "\n");
    read.text = std::move(spelt.text);
    read.ascii = std::move(spelt.ascii);
    read.of_script = origin == Origin::Script;
    if (is_sound(outcome.status)) add_cost(outcome, session.state(), read);
    if (outcome.status != ExitStatus::Fine) {
      read.verdict = says_too_little(outcome, origin) ? Verdict::Skipped : Verdict::Error;
      if (read.verdict == Verdict::Error && document_.status != ExitStatus::ProgramErrors)
        document_.status = outcome.status;
    }
    read.diagnostics = std::move(outcome.diagnostics);
  }

  // Whether all that is wrong is that nothing says what an array or a function is. In a script that is a mistake.
  static bool says_too_little(const Outcome& outcome, Origin origin) {
    if (origin == Origin::Script) return false;
    return std::all_of(
        outcome.diagnostics.begin(), outcome.diagnostics.end(), [&](const Diagnostic& diagnostic) {
          const bool unknown = diagnostic.kind == DiagnosticKind::UnknownName ||
                               diagnostic.kind == DiagnosticKind::UnknownFunction;
          return unknown || info(diagnostic.kind).severity != Severity::Error ||
                 (origin == Origin::Named && diagnostic.kind == DiagnosticKind::UnknownDimension);
        });
  }

  static void add_cost(const Outcome& outcome, const RunnerState& state, ReadStatement& read) {
    std::optional<Cost> cost;
    for (const Entry& entry : outcome.entries) {
      const auto* planned = std::get_if<PlannedEntry>(&entry);
      if (planned == nullptr) continue;
      const Program& program = state.programs[planned->program];
      const StatementRecord& record = program.statements[planned->statement];
      if (!cost) cost.emplace();
      *cost += total_cost(program, record.first_step, record.end_step);
    }
    if (!cost) return;
    read.cost = totals_of(*cost);
    for (const Formula* formula : {&read.cost->math, &read.cost->hbm, &read.cost->comms}) {
      for (std::string& symbol : formula->symbols()) read.missing.push_back(std::move(symbol));
    }
    std::sort(read.missing.begin(), read.missing.end());
    read.missing.erase(std::unique(read.missing.begin(), read.missing.end()), read.missing.end());
  }

  const std::string& text_;
  const Session& preamble_;
  Session script_;                   // in which the scripts of the document run
  Session declared_;                 // what holds for the text around them
  std::vector<std::size_t> begins_;  // of the lines
  ReadDocument document_;
};

}  // namespace

ReadDocument read_document(const std::string& name, const std::string& text,
                           const Session& session) {
  return DocumentReader(name, text, session).run();
}

}  // namespace shard
