// Meshes as JAX writes them: `jax.make_mesh((4, 2), ('X', 'Y'))`, `Mesh(devices=((0, 1), (2, 3)), axis_names=('X',
// 'Y'))`.
#include <fmt/format.h>

#include <algorithm>

#include "grammar/foreign/foreign.h"
#include "grammar/parse/construct.h"
#include "grammar/parse/scope.h"

namespace shard {
namespace {

bool is_constructor(std::string_view word) {
  return word == "make_mesh" || word == "Mesh" || word == "AbstractMesh" ||
         word == "create_device_mesh";
}

// How many tokens precede the parenthesis of a mesh's constructor: `mesh = jax.make_mesh` has 5; 0 if there is no such
// constructor here.
std::size_t head_length(const ParserContext& context) {
  std::size_t place = 0;
  const auto kind = [&](std::size_t ahead) { return context.peek(ahead).kind; };
  if (kind(0) == TokenKind::Identifier && kind(1) == TokenKind::Equal) place = 2;
  // Tokens; `mesh = jax.experimental.mesh_utils.` has eight. Names with more dots are not looked at.
  constexpr std::size_t kLongest = 8;
  while (place < kLongest && kind(place) == TokenKind::Identifier &&
         kind(place + 1) == TokenKind::Dot)
    place += 2;
  const Token& word = context.peek(place);
  const bool found = word.kind == TokenKind::Identifier && is_constructor(word.text) &&
                     kind(place + 1) == TokenKind::LeftParen;
  return found ? place + 1 : 0;
}

struct Arguments {
  std::vector<ast::Number> shape;
  std::vector<ast::Identifier> names;
};

// tuple = "(" item { "," item } [ "," ] ")" ;   In brackets as well.
template <class ParseItem>
auto parse_tuple(ParserContext& context, const ParseItem& parse_item) {
  std::vector<decltype(parse_item())> items;
  const std::size_t opener = context.open();
  const TokenKind end = context.token(opener).kind == TokenKind::LeftParen
                            ? TokenKind::RightParen
                            : TokenKind::RightBracket;
  do {
    items.push_back(parse_item());
  } while (context.accept(TokenKind::Comma) && !context.at(end));
  context.close(opener, "`,`");
  return items;
}

// shape = "(" NUMBER { "," NUMBER } [ "," ] ")" | NUMBER ;
std::vector<ast::Number> parse_shape(ParserContext& context) {
  if (context.at(TokenKind::Number)) return {parse_number(context, "a size")};
  return parse_tuple(context, [&] { return parse_number(context, "the size of an axis"); });
}

// `np.array(jax.devices()).reshape(4, 2)`, `create_device_mesh((4, 2))`: the devices row by row, and their shape.
bool at_shape_of_devices(const ParserContext& context) {
  const bool word = context.at_word("reshape") || context.at_word("create_device_mesh");
  if (!word || context.peek(1).kind != TokenKind::LeftParen) return false;
  const TokenKind first = context.peek(2).kind;
  return first == TokenKind::Number ||
         (first == TokenKind::LeftParen && context.peek(3).kind == TokenKind::Number);
}

// devices = … { "." NAME } "(" ( NUMBER { "," NUMBER } | shape ) ")" ;
//   Anything else in the argument is skipped.
void pass_argument(ParserContext& context, std::vector<ast::Number>& shape) {
  while (!context.failed() && !context.at(TokenKind::Comma) && !context.at(TokenKind::RightParen) &&
         !context.at(TokenKind::End)) {
    if (at_shape_of_devices(context)) {
      context.advance();
      if (context.peek(1).kind == TokenKind::Number) {
        shape = parse_shape(context);
      } else {
        const std::size_t opener = context.open();
        shape = parse_shape(context);
        context.close(opener, "`,`");
      }
    } else if (context.current().partner >= 0) {
      context.skip_group();
    } else {
      context.advance();
    }
  }
}

// names = "(" QUOTED { "," QUOTED } [ "," ] ")" | QUOTED ;
std::vector<ast::Identifier> parse_names(ParserContext& context) {
  if (context.at(TokenKind::Quoted)) return {parse_axis_name(context)};
  return parse_tuple(context, [&] { return parse_axis_name(context); });
}

ast::Number plain_number(std::int64_t value, const Span& place) {
  return {Rational(value), {}, fmt::format("{}", value), {place}};
}

// The device numbers in nested brackets, row by row: their order is the mesh's, and the nesting is its shape.
class DeviceReader {
 public:
  explicit DeviceReader(ParserContext& context) : context_(context) {}

  std::vector<ast::Number> read() {
    const Span place = context_.current().span;
    read_level(0);
    std::vector<ast::Number> shape;
    for (const std::int64_t size : sizes_) shape.push_back(plain_number(size, place));
    return shape;
  }

 private:
  void read_level(std::size_t depth) {
    const Nesting nesting(context_);
    if (context_.failed()) return;
    if (context_.at(TokenKind::Number)) return read_device();
    const bool opens = context_.at(TokenKind::LeftParen) || context_.at(TokenKind::LeftBracket);
    if (!opens) return context_.fail_expected("the devices, row by row");
    const std::size_t opener = context_.open();
    const std::size_t end = static_cast<std::size_t>(context_.token(opener).partner);
    std::int64_t count = 0;
    do {
      read_level(depth + 1);
      ++count;
    } while (!context_.failed() && context_.accept(TokenKind::Comma) && context_.position() != end);
    if (sizes_.size() <= depth) sizes_.resize(depth + 1, 0);
    if (sizes_[depth] == 0) sizes_[depth] = count;
    if (sizes_[depth] != count) {
      context_.fail(DiagnosticKind::BadMesh, context_.token(opener).span,
                    "the rows of devices have different lengths");
    }
    context_.close(opener, "`,`");
  }

  void read_device() {
    const ast::Number device = parse_number(context_, "a device");
    if (device.value == Rational(next_++)) return;
    context_.fail(DiagnosticKind::NotYet, device.at.span,
                  "devices in another order are not run by this version",
                  {"row by row they are counted 0, 1, 2, …"});
  }

  ParserContext& context_;
  std::vector<std::int64_t> sizes_;
  std::int64_t next_ = 0;
};

bool at_tuple_of(const ParserContext& context, TokenKind kind) {
  if (context.at(kind)) return true;
  const bool opens = context.at(TokenKind::LeftParen) || context.at(TokenKind::LeftBracket);
  return opens && context.peek(1).kind == kind;
}

// argument = [ NAME "=" ] ( shape | devices | names | … ) ;
void parse_argument(ParserContext& context, Arguments& arguments) {
  std::string keyword;
  if (context.at(TokenKind::Identifier) && context.peek(1).kind == TokenKind::Equal) {
    keyword = context.current().text;
    context.advance();
    context.advance();
  }
  const bool shape = keyword.empty() || keyword == "axis_shapes" || keyword == "mesh_shape" ||
                     keyword == "shape" || keyword == "axis_sizes";
  const bool names =
      keyword.empty() || keyword == "axis_names" || keyword == "names" || keyword == "axes";
  const bool devices = keyword == "devices" || (keyword.empty() && arguments.shape.empty());
  const bool nested = context.at(TokenKind::LeftParen) || context.at(TokenKind::LeftBracket);
  if (shape && arguments.shape.empty() && at_tuple_of(context, TokenKind::Number)) {
    arguments.shape = parse_shape(context);
  } else if (names && arguments.names.empty() && at_tuple_of(context, TokenKind::Quoted)) {
    arguments.names = parse_names(context);
  } else if (devices && nested) {
    arguments.shape = DeviceReader(context).read();
  } else {
    pass_argument(context, arguments.shape);
  }
}

// The mesh with all sizes and names that were written.
std::string mesh_help(const Arguments& arguments) {
  std::vector<std::string> sizes;
  for (const ast::Number& size : arguments.shape) sizes.push_back(size.text);
  std::vector<std::string> axes;
  for (const ast::Identifier& name : arguments.names) axes.push_back(name.text);
  return mesh_line(sizes, std::move(axes));
}

}  // namespace

bool is_jax_mesh(const ParserContext& context) {
  const std::size_t head = head_length(context);
  // `Mesh({'X': 4})` is a mesh of this language.
  return head > 0 && (head > 1 || context.peek(head + 1).kind != TokenKind::LeftBrace);
}

bool is_python(const ParserContext& context) {
  constexpr std::string_view kModules[] = {"jax", "jnp", "np", "numpy", "torch", "plt", "pltpu"};
  const std::string_view word = context.current().text;
  const bool module =
      context.at(TokenKind::Identifier) &&
      std::find(std::begin(kModules), std::end(kModules), word) != std::end(kModules);
  return module && context.peek(1).kind == TokenKind::Dot && context.peek(1).glued &&
         !context.knows(word);
}

void reject_python(ParserContext& context) {
  context.fail(DiagnosticKind::NotNotation, context.current().span,
               "this is Python and no sharding notation",
               {"of JAX a mesh is read: `jax.make_mesh((4, 2), ('X', 'Y'))`"});
}

// mesh = [ NAME "=" ] { NAME "." } ( "make_mesh" | "Mesh" ) "(" ( axes | argument { "," argument } ) ")" ;
StatementNode parse_jax_mesh(ParserContext& context) {
  const std::size_t head = head_length(context);
  if (context.peek(head + 1).kind == TokenKind::LeftBrace) {
    for (std::size_t i = 1; i < head; ++i) context.advance();
    return parse_mesh(context);
  }
  for (std::size_t i = 0; i < head; ++i) context.advance();
  const std::size_t opener = context.open();
  Arguments arguments;
  do {
    if (!context.at(TokenKind::RightParen)) parse_argument(context, arguments);
  } while (!context.failed() && context.accept(TokenKind::Comma));
  context.close(opener, "`,`");
  ast::Mesh mesh;
  if (arguments.names.empty() || arguments.names.size() != arguments.shape.size()) {
    context.fail(DiagnosticKind::BadMesh, context.span_from(opener),
                 arguments.shape.empty()
                     ? std::string("nothing tells how many devices each axis has")
                     : fmt::format("{} sizes and {} names of axes", arguments.shape.size(),
                                   arguments.names.size()),
                 {mesh_help(arguments)});
    return mesh;
  }
  for (std::size_t i = 0; i < arguments.names.size(); ++i) {
    mesh.axes.push_back({arguments.names[i], {arguments.shape[i]}, ast::AxisKind::Ici, {}});
  }
  declare_axes(context, mesh);
  return mesh;
}

}  // namespace shard
