// A text read piece by piece beside the same read at once.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/parse/parser.h"
#include "grammar/print/printer.h"

namespace shard {

// Every place of an expression and of the arrays in it, as far as flows have them.
class PlacesOfTree {
 public:
  std::vector<Span> spans;

  void add(const ast::Expr& expr) {
    add(expr.at);
    match(
        expr.node, [&](const ast::ArrayRef& array) { add(array); },
        [&](const ast::Product& product) {
          add(product.sign);
          add(product.index);
          add(*product.left);
          add(*product.right);
        },
        [&](const ast::Binary& binary) {
          add(binary.sign);
          add(*binary.left);
          add(*binary.right);
        },
        [&](const ast::Unary& unary) { add(*unary.operand); },
        [&](const ast::Collective& collective) {
          add(collective.name);
          add(collective.axes);
          for (const auto& destination : collective.destinations) add(destination.dimension.at);
          if (collective.shift) add(collective.shift->at);
          add(*collective.operand);
        },
        [&](const ast::Call& call) {
          add(call.function.at);
          add(call.subscript);
          for (const auto& argument : call.arguments) add(*argument);
        },
        [&](const ast::Shaped& shaped) {
          add(shaped.dimensions);
          add(shaped.unreduced);
          add(*shaped.value);
        },
        [&](const ast::Indexed& indexed) {
          add(*indexed.value);
          for (const ast::Index& index : indexed.indices) add(*index.value);
        },
        [&](const ast::Number& number) { add(number.at); }, [](const auto&) {});
  }

  void add(const ast::ArrayRef& array) {
    add(array.at);
    if (array.name) add(array.name->at);
    if (array.dtype) add(array.dtype->at);
    add(array.dimensions);
    add(array.unreduced);
    for (const ast::Placement& placed : array.placed) {
      add(placed.axis.at);
      add(*placed.coordinate);
    }
    for (const ast::Index& index : array.indices) {
      if (index.dimension) add(index.dimension->at);
      add(*index.value);
    }
  }

 private:
  void add(const ast::Location& at) { spans.push_back(at.span); }
  void add(const std::vector<ast::Identifier>& names) {
    for (const ast::Identifier& name : names) add(name.at);
  }
  void add(const std::vector<ast::Dimension>& dimensions) {
    for (const ast::Dimension& dimension : dimensions) {
      add(dimension.at);
      add(dimension.axes);
      if (const auto* name = std::get_if<ast::Identifier>(&dimension.name)) add(name->at);
      if (const auto* length = std::get_if<ast::Number>(&dimension.name)) add(length->at);
    }
  }
};

inline std::vector<Span> places_of(const ast::Statement& statement) {
  PlacesOfTree places;
  places.spans.push_back(statement.at.span);
  if (const auto* flow = std::get_if<ast::Flow>(&statement.node)) {
    places.add(flow->value);
    places.add(flow->target);
  }
  return places.spans;
}

// What reading by pieces of at least so many lines gives otherwise than reading all at once; empty if nothing.
inline std::string difference_of_pieces(std::string_view text, std::size_t lines) {
  SourceMap sources;
  const FileId file = sources.add("t.shard", std::string(text));
  Names names;
  DiagnosticSink sink;
  const ast::Module whole = parse(sources, file, names, sink);
  Names piece_names;
  DiagnosticSink piece_sink;
  StatementReader reader(sources, file, piece_names, piece_sink, lines);
  for (std::size_t i = 0; i < whole.statements.size(); ++i) {
    const ast::Statement& expected = whole.statements[i];
    auto next = reader.next();
    const std::string which = "statement " + std::to_string(i) + ", `" +
                              std::string(sources.text(expected.at.span)) + "`: ";
    if (!next) return which + "is missing";
    const ast::Statement& read = *next;
    if (next->at.span != expected.at.span) return which + "its place";
    if (read.node != expected.node || read.has_error != expected.has_error)
      return which + "its tree, " + print(read, Spelling::Unicode);
    if (places_of(read) != places_of(expected)) return which + "places in it";
  }
  if (reader.next()) return "there are more statements";
  if (names.axes != piece_names.axes || !(names.dimensions == piece_names.dimensions) ||
      !(names.arrays == piece_names.arrays))
    return "names";
  const auto& told = sink.all();
  const auto& piece_told = piece_sink.all();
  const bool same = std::equal(told.begin(), told.end(), piece_told.begin(), piece_told.end(),
                               [](const Diagnostic& a, const Diagnostic& b) {
                                 return a.kind == b.kind && a.span == b.span &&
                                        a.message == b.message && a.help == b.help;
                               });
  return same ? "" : "what is wrong";
}

}  // namespace shard
