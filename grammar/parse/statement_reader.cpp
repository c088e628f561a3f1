#include <algorithm>

#include "grammar/lex/lexer.h"
#include "grammar/parse/construct.h"
#include "grammar/parse/parser.h"

namespace shard {

namespace {

// Most lines of a piece. Pieces grow by doubling up to it: setting up a piece costs about as much as reading a line, and
// the tokens of sixteen lines still fit in the processor's first cache.
constexpr std::size_t kMostLines = 16;

}  // namespace

// Pieces of the text are lexed and parsed one after another. A statement that extends beyond its piece is read again,
// with more of the text that follows.
class StatementReader::Reading {
 public:
  Reading(const SourceMap& sources, FileId file, Names& names, DiagnosticSink& sink,
          std::size_t lines)
      : sources_(sources),
        file_(file),
        names_(names),
        sink_(sink),
        lexer_(sources, file, sink),
        lines_(lines) {
    begin_piece(0);
  }

  std::optional<ast::Statement> next() {
    while (true) {
      if (auto statement = next_of_piece()) return statement;
      if (!piece_.next) return std::nullopt;
      refused_line_ = context_->refused_line();
      lines_ = std::min(2 * lines_, kMostLines);
      begin_piece(piece_.next->place);
    }
  }

 private:
  void begin_piece(std::size_t place) {
    place_ = place;
    axes_ = names_.axes;
    dimensions_ = names_.dimensions.size();
    arrays_ = names_.arrays.size();
    handed_out_ = 0;
    lex_piece();
  }

  void lex_piece() {
    context_.reset();
    told_ = {};
    piece_ = {};
    piece_ = lexer_.read(place_, lines_);
    context_.emplace(sources_, piece_.list, names_, told_);
    context_->set_refused_line(refused_line_);
    context_->text_goes_on = piece_.next.has_value();
    context_->begin_statement();
  }

  std::optional<ast::Statement> parse_statement_of_piece() {
    return parse_next_statement(*context_, piece_.next ? piece_.next->token : kToTheEnd);
  }

  // With more text. Statements that were already handed out are skipped.
  void read_piece_again() {
    names_.axes = axes_;
    names_.dimensions.shrink(dimensions_);
    names_.arrays.shrink(arrays_);
    // Doubling keeps statements of several lines from being cut again and again.
    lines_ = 2 * lines_ + 1;
    lex_piece();
    for (std::size_t i = 0; i < handed_out_; ++i) parse_statement_of_piece();
    told_ = {};
  }

  std::optional<ast::Statement> next_of_piece() {
    while (true) {
      auto statement = parse_statement_of_piece();
      if (piece_.next && context_->position() > piece_.next->token) {
        read_piece_again();
        continue;
      }
      for (const Diagnostic& diagnostic : told_.all()) sink_.report(diagnostic);
      told_ = {};
      if (statement) ++handed_out_;
      return statement;
    }
  }

  const SourceMap& sources_;
  FileId file_;
  Names& names_;
  DiagnosticSink& sink_;
  PieceLexer lexer_;
  std::size_t place_ = 0;  // of the piece
  std::size_t lines_;
  // Of the piece.
  LexedPiece piece_;
  DiagnosticSink told_;  // about the current statement
  std::optional<ParserContext> context_;
  std::size_t handed_out_ = 0;
  // At its beginning: what was known, and which line was refused.
  Span refused_line_;
  std::vector<std::string> axes_;
  std::size_t dimensions_ = 0;
  std::size_t arrays_ = 0;
};

StatementReader::StatementReader(const SourceMap& sources, FileId file, Names& names,
                                 DiagnosticSink& sink, std::size_t lines)
    : reading_(std::make_unique<Reading>(sources, file, names, sink, lines)) {}

StatementReader::~StatementReader() = default;

std::optional<ast::Statement> StatementReader::next() { return reading_->next(); }

}  // namespace shard
