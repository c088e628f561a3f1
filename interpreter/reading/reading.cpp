#include "interpreter/reading/reading.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/cancellation.h"
#include "base/contains.h"
#include "grammar/document/document.h"
#include "grammar/document/passed_over.h"
#include "grammar/parse/notation.h"
#include "grammar/parse/parser.h"
#include "grammar/print/printer.h"

namespace shard {
namespace {

// Products of names, which a mark allows, are read when the rest of the document is.
SetApart set_apart(PieceForm form) {
  switch (form) {
    case PieceForm::Formula:
    case PieceForm::Code:
    case PieceForm::Cell:
      return SetApart::Cell;
    case PieceForm::Listing:
      return SetApart::Listing;
    case PieceForm::Line:
    case PieceForm::Script:
    case PieceForm::Output:
      break;
  }
  return SetApart::Nothing;
}

// Whether what stands behind a statement, which a script takes for a remark, may be notation: `Mesh {X: 4}. Then A[I_X, J] is …`
bool may_hide_notation(const Notation& notation) {
  return std::any_of(notation.statements.begin(), notation.statements.end(), [](const auto& one) {
    return one.trailing.find('[') != std::string::npos ||
           one.trailing.find("esh") != std::string::npos;
  });
}

// A piece of the document that is notation, or a script.
struct FoundPiece {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<ast::Statement> statements;
  std::vector<std::size_t> places = {};  // where each begins; none of a script
  std::optional<Fence> script = {};  // the fence of one, in whose body its statements have places
  std::vector<std::string> unsure_words = {};
};

// Finds the notation of a document. A product of names alone is notation or a number, and a word alone in brackets a dimension or one
// of a sentence, as the rest of the document decides: what it calls an array, and a dimension.
class NotationFinder {
 public:
  NotationFinder(std::string_view text, Names names)
      : text_(without_passed_over(text)), names_(std::move(names)) {}

  std::vector<FoundPiece> run() {
    const std::vector<DocumentPiece> pieces = split_document(text_);
    for (const DocumentPiece& piece : pieces) {
      throw_if_cancelled();
      find(piece);
    }
    Names known = names_;
    for (const FoundPiece& piece : found_) {
      if (!piece.script && piece.unsure_words.empty()) learn_names(piece.statements, known);
    }
    const std::vector<std::string> axes = axes_found();
    std::erase_if(found_, [&](const FoundPiece& piece) {
      const auto& words = piece.unsure_words;
      return !words.empty() && std::none_of(words.begin(), words.end(), [&](const auto& word) {
        return known.has_dimension(word) || contains(axes, word);
      });
    });
    for (const DocumentPiece& piece : unread_) add_whole(piece, SetApart::Mark, &known);
    std::stable_sort(found_.begin(), found_.end(),
                     [](const FoundPiece& a, const FoundPiece& b) { return a.begin < b.begin; });
    return std::move(found_);
  }

 private:
  std::string_view written(std::size_t begin, std::size_t end) const {
    return std::string_view(text_).substr(begin, end - begin);
  }

  // Of the meshes in its text.
  std::vector<std::string> axes_found() const {
    std::vector<std::string> axes;
    for (const FoundPiece& piece : found_) {
      for (const ast::Statement& statement : piece.statements) {
        const auto* mesh = std::get_if<ast::Mesh>(&statement.node);
        if (mesh == nullptr) continue;
        for (const auto& axis : mesh->axes) axes.push_back(axis.name.text);
      }
    }
    return axes;
  }

  // What it declares is known in the text that follows.
  void add_script(const DocumentPiece& piece) {
    SourceMap sources;
    DiagnosticSink sink;
    const FileId file = sources.add("", piece.fence->body);
    const ArrayNames arrays = names_.arrays;
    std::vector<ast::Statement> statements = parse(sources, file, names_, sink).statements;
    names_.arrays = arrays;
    found_.push_back({piece.begin, piece.end, std::move(statements), {}, piece.fence});
  }

  bool add_whole(const DocumentPiece& piece, SetApart how, const Names* document = nullptr) {
    auto notation = whole_notation(written(piece.begin, piece.end), names_, how, document);
    if (!notation) return false;
    add(piece.begin, *std::move(notation));
    return true;
  }

  // `begin`: where the text begins that the notation was found in.
  void add(std::size_t begin, Notation notation) {
    for (std::size_t& place : notation.places) place += begin;
    found_.push_back({begin + notation.begin,
                      begin + notation.end,
                      std::move(notation.statements),
                      std::move(notation.places),
                      {},
                      std::move(notation.unsure_words)});
  }

  // Returns whether there is notation in it.
  bool find(const DocumentPiece& piece) {
    if (piece.form == PieceForm::Script) {
      add_script(piece);
      return true;
    }
    auto whole = whole_notation(written(piece.begin, piece.end), names_, set_apart(piece.form));
    const std::size_t before = found_.size();
    std::size_t begin = piece.begin;
    const bool read_whole = whole.has_value();
    if (whole) {
      const bool goes_on = may_hide_notation(*whole);
      if (goes_on)
        whole->end = std::min<std::size_t>(whole->statements.back().at.span.end, whole->end);
      begin += whole->end;
      add(piece.begin, *std::move(whole));
      if (!goes_on) return true;
    }
    for (const DocumentPiece& part : piece.parts) {
      if (part.begin < begin) continue;
      find_within(begin, part.begin);
      find(part);
      begin = part.end;
    }
    // A formula with an arrow to the left is one of another notation.
    const std::string_view text = written(piece.begin, piece.end);
    const bool other = text.find("←") != std::string_view::npos ||
                       text.find("\\leftarrow") != std::string_view::npos;
    const bool within =
        piece.form != PieceForm::Listing && !(piece.form == PieceForm::Formula && other);
    if (within) find_within(begin, piece.end);
    if (within && !read_whole && piece.form == PieceForm::Formula) find_in_rows(piece, before);
    if (found_.size() > before) return true;
    if (piece.form == PieceForm::Formula || piece.form == PieceForm::Code) unread_.push_back(piece);
    return false;
  }

  // How many statements were found from `first` on. Sizes do not count: alone they are arithmetic.
  std::size_t count_from(std::size_t first) const {
    std::size_t count = 0;
    for (; first < found_.size(); ++first) {
      for (const ast::Statement& statement : found_[first].statements)
        count += gives_sizes(statement) ? 0 : 1;
    }
    return count;
  }

  // The rows of a formula take the place of what was found in it, from `before` on, unless they say less.
  void find_in_rows(const DocumentPiece& formula, std::size_t before) {
    const std::vector<DocumentPiece> rows = rows_of_formula(text_, formula);
    if (rows.empty()) return;
    const std::size_t unread = unread_.size();
    const std::size_t together = found_.size();
    for (const DocumentPiece& row : rows) {
      if (row.form != PieceForm::Formula) {
        find(row);
      } else if (!add_whole(row, SetApart::Cell)) {
        const std::size_t first = found_.size();
        find_within_row(row);
        find_in_rows(row, first);
      }
    }
    const auto border = found_.begin() + static_cast<std::ptrdiff_t>(together);
    const std::size_t count = count_from(together);
    if (count > 0 && count * 2 >= count_from(before)) {
      found_.erase(found_.begin() + static_cast<std::ptrdiff_t>(before), border);
    } else {
      found_.erase(border, found_.end());
      unread_.resize(unread);
    }
  }

  // A row stands in a formula, which its marks say. One stands before it, so that no place is less than 0.
  void find_within_row(const DocumentPiece& row) {
    const std::string marked = "$" + std::string(written(row.begin, row.end)) + "$";
    for (Notation& notation : notation_within(marked, names_))
      add(row.begin - 1, std::move(notation));
  }

  void find_within(std::size_t begin, std::size_t end) {
    for (Notation& notation : notation_within(written(begin, end), names_))
      add(begin, std::move(notation));
  }

  const std::string text_;
  Names names_;
  std::vector<FoundPiece> found_;
  std::vector<DocumentPiece> unread_;  // formulas and code, of which nothing was read
};

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
    for (FoundPiece& piece : NotationFinder(text_, preamble_.names()).run()) {
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
