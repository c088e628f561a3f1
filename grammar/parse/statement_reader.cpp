#include <algorithm>

#include "base/words.h"
#include "grammar/lex/lexer.h"
#include "grammar/parse/parser.h"
#include "grammar/parse/parser_context.h"

namespace shard {

namespace {

// Most lines of a piece. Pieces grow by doubling while no line has a known form, so that a text without forms is lexed
// in larger pieces and one with forms line by line.
constexpr std::size_t kMostLines = 16;

std::string_view without_blanks_behind(std::string_view line) {
  const std::size_t last = line.find_last_not_of(" \t\r");
  return line.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

// Index after blanks, line ends and comments.
std::size_t behind_blank_lines(std::string_view text, std::size_t place) {
  while (true) {
    place = std::min(text.find_first_not_of(" \t\r\n", place), text.size());
    if (place == text.size() || text[place] != '#') return place;
    place = std::min(text.find_first_of("\r\n", place), text.size());
  }
}

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
        text_(lexer_.file_text()),
        lines_(lines) {
    forms_.note_names(names_);
    begin_piece(0);
  }

  std::optional<ReadStatement> next() {
    while (true) {
      if (context_) {
        if (auto statement = next_of_piece()) return ReadStatement(*std::move(statement));
        if (!piece_.next) return std::nullopt;
        place_ = piece_.next->place;
        refused_line_ = context_->refused_line();
        context_.reset();
      }
      if (auto line = next_line()) {
        lines_ = 1;
        return ReadStatement(*std::move(line));
      }
      if (place_ == text_.size() && !text_.empty()) return std::nullopt;
      lines_ = std::min(2 * lines_, kMostLines);
      begin_piece(place_);
    }
  }

 private:
  // ------------------------------------------------------------ pieces

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
      const std::string_view line = read_line_here();
      const std::size_t dimensions = names_.dimensions.size();
      auto statement = parse_statement_of_piece();
      if (piece_.next && context_->position() > piece_.next->token) {
        read_piece_again();
        continue;
      }
      const bool plain = told_.all().empty() && dimensions == names_.dimensions.size();
      if (statement && plain && fills(*statement, line)) forms_.learn(*statement);
      forms_.note_names(names_);
      for (const Diagnostic& diagnostic : told_.all()) sink_.report(diagnostic);
      told_ = {};
      if (statement) ++handed_out_;
      return statement;
    }
  }

  // ------------------------------------------------------------ lines of known forms

  // The line that begins at the cursor if it may have a form; otherwise empty.
  std::string_view read_line_here() {
    const Token& first = context_->token(context_->position());
    if (text_.empty() || !first.line_start || first.kind != TokenKind::Identifier) return {};
    const std::string_view line = line_at(first.span.begin);
    return forms_.read(line, names_) ? line : std::string_view();
  }

  std::string_view line_at(std::size_t place) const {
    return without_blanks_behind(text_.substr(place, text_.find('\n', place) - place));
  }

  // Whether the statement is all of the line and the next one begins after it.
  bool fills(const ast::Statement& statement, std::string_view line) const {
    const Token& next = context_->token(context_->position());
    const Span& span = statement.at.span;
    return !line.empty() && text_.substr(span.begin, span.end - span.begin) == line &&
           text_.data() + span.begin == line.data() &&
           (next.line_start || next.kind == TokenKind::End);
  }

  // Where a piece may begin: the line there, if it has a form and the next line is another statement.
  std::optional<FormedLine> next_line() {
    if (place_ >= text_.size()) return std::nullopt;
    const std::string_view line = line_at(place_);
    const std::size_t behind = behind_blank_lines(text_, place_ + line.size());
    if (behind < text_.size() && !is_letter(text_[behind])) return std::nullopt;
    if (!forms_.read(line, names_)) return std::nullopt;
    const auto begin = static_cast<std::uint32_t>(place_);
    auto formed =
        forms_.find(line, {file_, begin, begin + static_cast<std::uint32_t>(line.size())}, names_);
    if (formed) place_ = behind;
    return formed;
  }

  const SourceMap& sources_;
  FileId file_;
  Names& names_;
  DiagnosticSink& sink_;
  PieceLexer lexer_;
  std::string_view text_;  // empty if it has markup
  LineForms forms_;
  std::size_t place_ = 0;  // of the piece, or of what is read next
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

std::optional<ReadStatement> StatementReader::next() { return reading_->next(); }

}  // namespace shard
