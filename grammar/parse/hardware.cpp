// The machine: hardware, chips, meshes.
#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "grammar/parse/cloud_name.h"
#include "grammar/parse/construct.h"

namespace shard {
namespace {

// sized figures = "{" NUMBER ":" NUMBER { "," NUMBER ":" NUMBER } "}" ;
std::vector<ast::SizedFigure> parse_sized_figures(ParserContext& context) {
  std::vector<ast::SizedFigure> figures;
  const std::size_t opener = context.open();
  do {
    ast::SizedFigure figure{parse_number(context, "a size"), {}};
    if (!context.accept(TokenKind::Colon))
      context.fail_expected("`:`", {"`{128: 0.01, 4096: 0.8}`"});
    figure.value = parse_number(context, "the figure at this size");
    figures.push_back(std::move(figure));
  } while (!context.failed() && context.accept(TokenKind::Comma));
  context.close(opener, "`,`");
  return figures;
}

// figure = NAME ":" ( slice | NAME | sized figures ) ;
ast::Figure parse_figure(ParserContext& context) {
  ast::Figure figure{parse_identifier(context, "the name of a figure"), ast::Number{}};
  if (!context.accept(TokenKind::Colon)) context.fail_expected("`:`");
  if (context.at(TokenKind::Identifier)) {
    figure.value = parse_identifier(context, "a figure");
    return figure;
  }
  if (context.at(TokenKind::LeftBrace)) {
    figure.value = parse_sized_figures(context);
    return figure;
  }
  // A negative number is read so that its figure can be rejected.
  const std::size_t begin = context.position();
  const bool negative = context.accept(TokenKind::Minus);
  std::vector<ast::Number> numbers = parse_slice(context, "a number or a word");
  if (negative && !numbers.empty()) {
    ast::Number& number = numbers.front();
    number.value = Rational(0) - number.value;
    number.text = "-" + number.text;
    number.at = context.location_from(begin);
  }
  if (numbers.size() > 1) {
    figure.value = std::move(numbers);
  } else {
    figure.value = std::move(numbers.front());
  }
  return figure;
}

// figures = "{" [ figure { "," figure } ] "}" ;
std::vector<ast::Figure> parse_figures(ParserContext& context) {
  std::vector<ast::Figure> figures;
  const std::size_t opener = context.open();
  if (!context.at(TokenKind::RightBrace)) {
    do {
      figures.push_back(parse_figure(context));
    } while (context.accept(TokenKind::Comma));
  }
  reject_unit(context);
  context.close(opener, "`,`");
  return figures;
}

struct AxisKindWord {
  std::string_view word;
  ast::AxisKind kind;
};
constexpr AxisKindWord kAxisKinds[] = {{"ring", ast::AxisKind::Ring},
                                       {"line", ast::AxisKind::Line},
                                       {"dcn", ast::AxisKind::Dcn},
                                       {"switch", ast::AxisKind::Switch},
                                       {"core", ast::AxisKind::Core}};
// Names of the kinds elsewhere.
struct OtherKindWord {
  std::string_view word;  // in small letters
  std::string_view kind;
};
constexpr OtherKindWord kOtherKinds[] = {{"nvlink", "switch"},
                                         {"nvswitch", "switch"},
                                         {"nvl", "switch"},
                                         {"xgmi", "switch"},
                                         {"ib", "dcn"},
                                         {"infiniband", "dcn"},
                                         {"rdma", "dcn"},
                                         {"roce", "dcn"},
                                         {"ethernet", "dcn"},
                                         {"efa", "dcn"},
                                         {"pod", "dcn"},
                                         {"network", "dcn"},
                                         {"torus", "ring"},
                                         {"ici", "ring"},
                                         {"wrap", "ring"},
                                         {"wraparound", "ring"},
                                         {"bidirectional", "ring"},
                                         {"chain", "line"},
                                         {"cores", "core"},
                                         {"die", "core"},
                                         {"dies", "core"},
                                         {"chiplet", "core"},
                                         {"nowrap", "line"}};

std::optional<ast::AxisKind> axis_kind(const ParserContext& context) {
  for (const AxisKindWord& known : kAxisKinds) {
    if (context.at_word(known.word)) return known.kind;
  }
  return std::nullopt;
}

// The kind meant by a word that is not a kind.
std::string meant_kind(std::string_view word) {
  for (const OtherKindWord& other : kOtherKinds) {
    if (name_key(word) == other.word) return std::string(other.kind);
  }
  std::vector<std::string> known;
  for (const AxisKindWord& kind : kAxisKinds) known.emplace_back(kind.word);
  return nearest_name(std::string(word), known).value_or("");
}

void refuse_axis_kind(ParserContext& context) {
  const Token word = context.current();
  const std::string meant = meant_kind(word.text);
  const auto line = meant.empty() ? std::nullopt : context.edited_line(word.span, meant);
  context.fail(
      DiagnosticKind::SyntaxError, word.span,
      fmt::format("`{}` is no kind of axis: there are ring, line, dcn, switch and core", word.text),
      {line            ? *line
       : meant.empty() ? "leave it out for what the slice has: rings, or lines on short sides"
                       : fmt::format("did you mean `{}`?", meant)});
}

// What is open is looked for among the chips of one slice, which says what its axes are.
void refuse_kind_of_open_size(ParserContext& context, const std::string& axis) {
  const auto kind = axis_kind(context);
  if (!kind || context.failed()) return;
  const Token word = context.current();
  if (*kind == ast::AxisKind::Dcn || *kind == ast::AxisKind::Core) {
    const bool dcn = *kind == ast::AxisKind::Dcn;
    return context.fail(
        DiagnosticKind::SyntaxError, word.span,
        fmt::format("the size of an axis over {} is written: `?` is looked for among the chips of "
                    "one slice",
                    dcn ? "DCN" : "cores"),
        {fmt::format("write its size: `{}: 2 {}` over two {}", axis, word.text,
                     dcn ? "slices" : "cores of each chip")});
  }
  context.fail(DiagnosticKind::SyntaxError, word.span,
               "`?` has no kind: what is found for it is what the slice has",
               {fmt::format("leave `{}` out", word.text)});
}

// axis = ( NAME | QUOTED ) ":" slice [ ( "ring" | "line" | "dcn" | "switch" | "core" ) [ NUMBER ] ] ;
ast::MeshAxis parse_mesh_axis(ParserContext& context) {
  ast::MeshAxis axis{parse_axis_name(context), {}, ast::AxisKind::Ici, {}};
  if (!context.accept(TokenKind::Colon)) {
    context.fail_expected("`:`", {"an axis is written with its size: `X: 4`"});
  }
  if (context.at(TokenKind::Question)) {
    const std::size_t begin = context.position();
    context.advance();
    axis.sizes = {
        {.value = Rational(1), .unit = kPlain, .text = "?", .at = context.location_from(begin)}};
    refuse_kind_of_open_size(context, axis.name.text);
    return axis;
  }
  axis.sizes = parse_slice(context, "the size of the axis");
  if (const auto kind = axis_kind(context)) {
    axis.kind = *kind;
    context.advance();
    if (context.at(TokenKind::Number)) axis.bandwidth = parse_number(context, "a bandwidth");
  } else if (context.at(TokenKind::Identifier) && !context.failed()) {
    refuse_axis_kind(context);
  }
  return axis;
}

// An axis whose name reads like a row of others would make every subscript ambiguous.
void check_axis_names(ParserContext& context, const ast::Mesh& mesh) {
  // Each axis is compared with all others. A mesh with more axes is rejected for their number.
  constexpr std::size_t kMostCompared = 100;
  if (mesh.axes.size() > kMostCompared) return;
  for (const ast::MeshAxis& axis : mesh.axes) {
    Names others;
    for (const ast::MeshAxis& other : mesh.axes) {
      if (other.name.text != axis.name.text) others.axes.push_back(other.name.text);
    }
    const auto row = split_axes(axis.name.text, others);
    if (others.axes.empty() || !row || row->size() < 2) continue;
    context.fail(DiagnosticKind::AmbiguousName, axis.name.at.span,
                 fmt::format("axis `{}` reads like the axes `{}`", axis.name.text,
                             fmt::join(*row, "` and `")),
                 {"give the axis another name"});
  }
}

void take_over_axes(ParserContext& context, const ast::Mesh& mesh) {
  context.names().axes.clear();
  for (const ast::MeshAxis& axis : mesh.axes) context.names().axes.push_back(axis.name.text);
}

}  // namespace

void declare_axes(ParserContext& context, const ast::Mesh& mesh) {
  if (!context.failed()) check_axis_names(context, mesh);
  if (!context.failed()) take_over_axes(context, mesh);
}

// axes = "{" axis { "," axis } "}" ;
ast::Mesh parse_axes_list(ParserContext& context) {
  if (!context.at(TokenKind::LeftBrace)) context.fail_expected("`{`", {"`mesh {X: 4, Y: 2}`"});
  ast::Mesh mesh;
  const std::size_t opener = context.open();
  do {
    mesh.axes.push_back(parse_mesh_axis(context));
  } while (context.accept(TokenKind::Comma) && !context.at(TokenKind::RightBrace));
  context.close(opener, "`,`");
  declare_axes(context, mesh);
  return mesh;
}

namespace {

// What people call a slice: `2x2 slice`.
constexpr std::string_view kSliceWords[] = {"slice", "mesh", "grid", "cube",
                                            "chips", "pod",  "torus"};

bool is_version(const Token& token) {
  return token.kind == TokenKind::Identifier && token.text.size() > 1 && token.text[0] == 'v' &&
         token.text[1] >= '0' && token.text[1] <= '9';
}

bool at_slice_word(const ParserContext& context) {
  return context.at(TokenKind::Identifier) && context.on_same_line() &&
         std::find(std::begin(kSliceWords), std::end(kSliceWords), context.current().text) !=
             std::end(kSliceWords);
}

// chip name = NAME [ VERSION ] ;   `TPU v5e` is TPUv5e.
ast::Identifier parse_chip_name(ParserContext& context, std::string_view what) {
  const std::size_t begin = context.position();
  ast::Identifier chip = parse_identifier(context, what);
  if (!is_version(context.current()) || !context.on_same_line()) return chip;
  chip.text += context.current().text;
  context.advance();
  chip.at = context.location_from(begin);
  return chip;
}

}  // namespace

bool is_bare_slice(const ParserContext& context) {
  if (!context.at(TokenKind::Identifier)) return false;
  const std::size_t slice = is_version(context.peek(1)) ? 2 : 1;
  return context.peek(slice).kind == TokenKind::Number &&
         context.peek(slice + 1).kind == TokenKind::Cross;
}

namespace {

// Whether the text is more than the name of a machine can be: `v5litepod-16`, `8x H100`, `TPU v5 lite`.
bool is_other_name(const ParserContext& context, std::size_t end) {
  std::size_t next = context.position();
  const auto is = [&](TokenKind kind) { return next < end && context.token(next).kind == kind; };
  if (!is(TokenKind::Identifier)) return next < end;
  ++next;
  if (next < end && is_version(context.token(next))) ++next;
  // `4 x 4` is a slice with blanks.
  while (is(TokenKind::Number) || is(TokenKind::Cross) ||
         (is(TokenKind::Identifier) && context.token(next).text == "x"))
    ++next;
  return next < end;
}

// Reports a machine that is named as a cloud names it.
void reject_cloud_name(ParserContext& context) {
  const std::size_t begin = context.position();
  std::size_t end = begin;
  for (; end < context.block_end(); ++end) {
    const Token& token = context.token(end);
    const bool behind = token.kind == TokenKind::LeftBrace || token.kind == TokenKind::LeftParen ||
                        token.kind == TokenKind::Semicolon || token.kind == TokenKind::Comma ||
                        token.kind == TokenKind::RightBracket || token.kind == TokenKind::End ||
                        (token.kind == TokenKind::Dot && !context.token(end + 1).glued) ||
                        token.text == "wrap" || token.text == "nowrap";
    if (behind || (end > begin && token.line_start)) break;
  }
  if (!is_other_name(context, end)) return;
  const Span place = cover(context.token(begin).span, context.token(end - 1).span);
  const std::string_view text = context.source_text(place);
  const auto meant = read_cloud_name(text);
  if (!meant) return;
  std::vector<std::string> help(meant->chip.empty() ? 0 : 1, meant->chip);
  const bool statement = begin == context.statement_begin() + 1;
  std::size_t last = end;
  while (last < context.block_end() && !context.token(last).line_start &&
         context.token(last).kind != TokenKind::Semicolon &&
         context.token(last).kind != TokenKind::End)
    ++last;
  const std::string rest =
      last == end ? ""
                  : fmt::format(" {}", context.source_text(cover(context.token(end).span,
                                                                 context.token(last - 1).span)));
  help.push_back(statement ? "hardware " + meant->machine + rest
                           : fmt::format("did you mean `{}`?", meant->machine));
  if (!meant->mesh.empty()) help.push_back(meant->mesh);
  context.fail(DiagnosticKind::UnknownChip, place,
               fmt::format("`{}` is the cloud's name for {}", text, meant->meaning),
               std::move(help));
}

}  // namespace

// machine = chip name [ slice ] [ "wrap" | "nowrap" ] [ figures ] ;
ast::Hardware parse_machine(ParserContext& context) {
  reject_cloud_name(context);
  ast::Hardware hardware{parse_chip_name(context, "a chip such as `TPUv5p`"), {}, {}, {}};
  if (context.at(TokenKind::Number)) {
    hardware.slice = parse_slice(context, "a slice");
    if (at_slice_word(context)) context.advance();
  }
  if (context.at_word("wrap") || context.at_word("nowrap")) {
    hardware.wraparound = context.at_word("wrap");
    context.advance();
  }
  if (context.at(TokenKind::LeftBrace)) hardware.overrides = parse_figures(context);
  return hardware;
}

// hardware = "hardware" machine ;
StatementNode parse_hardware(ParserContext& context) {
  context.advance();
  return parse_machine(context);
}

// bare slice = NAME slice ;   on a line of its own: `TPUv5p 4x4x4`
StatementNode parse_bare_slice(ParserContext& context) {
  ast::Hardware hardware{parse_chip_name(context, "a chip"), {}, {}, {}};
  hardware.slice = parse_slice(context, "a slice");
  if (at_slice_word(context)) context.advance();
  return hardware;
}

// chip = "chip" NAME ( "=" NAME [ figures ] | figures ) ;
StatementNode parse_chip(ParserContext& context) {
  context.advance();
  ast::Chip chip{parse_identifier(context, "the name of the chip"), {}, {}};
  if (context.accept(TokenKind::Equal))
    chip.base = parse_identifier(context, "a chip such as `TPUv5p`");
  if (context.at(TokenKind::LeftBrace)) {
    chip.figures = parse_figures(context);
  } else if (!chip.base) {
    context.fail_expected("`{` or `=`", {"`chip Mine = TPUv5p {HBM: 128 GB}`"});
  }
  return chip;
}

namespace {

// placement = "place" "best" expression ;
ast::Mesh with_placement(ast::Mesh mesh, ParserContext& context) {
  if (context.failed() || !context.at_word("place") || !context.on_same_line()) return mesh;
  context.advance();
  if (!context.at_word("best")) {
    context.fail_expected("`best`", {"`mesh {X: 8, Y: 8} place best c.time`"});
    return mesh;
  }
  context.advance();
  const bool nothing = !context.on_same_line() || context.at(TokenKind::End) ||
                       context.at(TokenKind::Semicolon) || context.at(TokenKind::RightBrace);
  if (nothing) {
    context.fail_expected("what is to be least", {"`mesh {X: 8, Y: 8} place best c.time`"});
    return mesh;
  }
  mesh.least = Box<ast::Expr>(parse_expression(context));
  return mesh;
}

}  // namespace

// mesh = ( "mesh" axes | "Mesh" ( "(" axes ")" | axes ) | axes ) [ placement ] ;
StatementNode parse_mesh(ParserContext& context) {
  if (context.at(TokenKind::LeftBrace)) return with_placement(parse_axes_list(context), context);
  const bool constructor = context.at_word("Mesh");
  context.advance();
  if (!constructor || !context.at(TokenKind::LeftParen))
    return with_placement(parse_axes_list(context), context);
  const std::size_t opener = context.open();
  ast::Mesh mesh = parse_axes_list(context);
  context.close(opener, "");
  return with_placement(std::move(mesh), context);
}

}  // namespace shard
