// Names, dimensions and arrays in canonical spelling.
#include <algorithm>

#include "base/words.h"
#include "grammar/print/context.h"
#include "grammar/tree/names.h"

namespace shard {
namespace {

// The parser splits such a row into letters again, with or without a mesh.
bool is_letter_row(const std::vector<ast::Identifier>& axes) {
  const auto every = [&](std::string_view letters) {
    return std::all_of(axes.begin(), axes.end(), [&](const ast::Identifier& axis) {
      return axis.text.size() == 1 && letters.find(axis.text[0]) != std::string_view::npos;
    });
  };
  return every("ABCDEFGHIJKLMNOPQRSTUVWXYZ") || every("XYZxyz");
}

// A letter followed by primes and digits needs no markup in a formula.
bool is_plain_in_math(std::string_view text) {
  if (text.empty() || text[0] == '?') return true;  // a hole, which is no text
  if (!is_letter(text[0])) return false;
  return text.find_first_not_of('\'', 1) == std::string_view::npos;
}

}  // namespace

void Printer::word(std::string_view text) {
  if (names_all_axes(text)) {
    word(without_all_axes(text));
    return put(signs_.rest);
  }
  if (!signs_.math || is_plain_in_math(text)) return put(text);
  const std::size_t primes = text.find_last_not_of('\'') + 1;
  put("\\text{");
  for (const char c : text.substr(0, primes)) {
    if (c == '_') put('\\');
    put(c);
  }
  put('}', text.substr(primes));
}

// `W_in`, `W_{i+1}`, `dL/dOut`.
void Printer::name(std::string_view text) {
  const std::size_t underscore = text.find('_');
  // Behind a prime an underscore is a sign of its own: `z'_{in}`.
  const bool primed = underscore != std::string_view::npos &&
                      text.substr(0, underscore).find('\'') != std::string_view::npos;
  if (!signs_.math) {
    if (!primed) return put(text);
    return put(text.substr(0, underscore), "_{", text.substr(underscore + 1), '}');
  }
  if (text.substr(0, 4) == "dL/d") {
    put("\\partial L / \\partial ");
    return name(text.substr(4));
  }
  const bool subscript = underscore != std::string_view::npos && underscore > 0 &&
                         text.find('_', underscore + 1) == std::string_view::npos &&
                         text.find('\'', underscore) == std::string_view::npos;
  if (!subscript) return word(text);
  const std::string_view below = text.substr(underscore + 1);
  // `2d` in a subscript of its own would be read as a number with a unit.
  const std::size_t digits = std::min(below.find_first_not_of("0123456789"), below.size());
  if (digits > 0 && digits < below.size()) return word(text);
  const bool plain = is_plain_in_math(below) || below[0] == '{';
  word(text.substr(0, underscore));
  if (plain) return primed ? put("_{", below, '}') : put('_', below);
  put("_\\text{", below, '}');
}

void Printer::words(const std::vector<ast::Identifier>& identifiers, std::string_view separator) {
  list(identifiers, separator, [&](const ast::Identifier& identifier) { word(identifier.text); });
}

void Printer::axis_row(const std::vector<ast::Identifier>& axes) {
  words(axes, is_letter_row(axes) ? "" : ",");
}

void Printer::subscript(const std::vector<ast::Identifier>& axes) {
  // An axis's own underscore could be taken for the one before the axes.
  const bool hole = axes.size() == 1 && axes[0].text[0] == '?';
  const bool all = axes.size() == 1 && names_all_axes(axes[0].text);
  const bool plain =
      hole || (axes.size() == 1 && !all && axes[0].text.find('_') == std::string::npos &&
               (!signs_.math || axes[0].text.size() == 1));
  if (plain) return put(axes[0].text);
  put('{');
  axis_row(axes);
  put('}');
}

void Printer::mark(const std::vector<ast::Identifier>& axes, ast::Parts parts) {
  if (axes.empty()) return;
  put(signs_.open_mark);
  if (parts == ast::Parts::Sums)
    put('U');
  else
    word(parts == ast::Parts::Maxima ? "max" : "min");
  put('_');
  subscript(axes);
  put(signs_.close_mark);
}

void Printer::places(const std::vector<ast::Placement>& placed) {
  put(signs_.open_mark);
  list(placed, ", ", [&](const ast::Placement& place) {
    word(place.axis.text);
    put('=');
    expression(*place.coordinate);
  });
  put(signs_.close_mark);
}

void Printer::dimension(const ast::Dimension& dimension) {
  match(
      dimension.name, [&](const ast::Identifier& identifier) { word(identifier.text); },
      [&](const ast::Number& number) { put(number.text); },
      [&](const Box<ast::Expr>& length) { expression(*length); },
      [&](const ast::Slice& part) { slice(part); }, [&](const ast::Rest&) { put(signs_.rest); });
  if (dimension.axes.empty()) return;
  put('_');
  subscript(dimension.axes);
}

void Printer::dimensions(const std::vector<ast::Dimension>& dimensions, bool type) {
  put('[');
  list(dimensions, ", ", [&](const ast::Dimension& one) {
    // JAX has no sign for a hole.
    const bool length = std::holds_alternative<ast::Number>(one.name) && !one.axes.empty() &&
                        one.axes.front().text[0] != '?';
    if (type && length) return split_length(one);
    dimension(one);
  });
  put(']');
}

// A type without a name is written as in JAX: `bf16[2048@X, 8192]`.
void Printer::split_length(const ast::Dimension& dimension) {
  const bool several = dimension.axes.size() != 1;
  put(std::get<ast::Number>(dimension.name).text, several ? "@(" : "@");
  words(dimension.axes, ",");
  if (several) put(')');
}

void Printer::slice(const ast::Slice& slice) {
  if (slice.begin) expression(**slice.begin);
  put(':');
  if (slice.end) expression(**slice.end);
}

void Printer::array(const ast::ArrayRef& array) {
  if (array.name) name(array.name->text);
  behind_name(array, array.name.has_value());
}

void Printer::behind_name(const ast::ArrayRef& array, bool named) {
  if (array.dtype) {
    if (named) put(": ");
    word(array.dtype->text);
  }
  if (array.bracketed) dimensions(array.dimensions, array.dtype && !named);
  mark(array.unreduced, array.parts);
  if (!array.placed.empty()) places(array.placed);
  indices(array.indices);
}

void Printer::indices(const std::vector<ast::Index>& indices) {
  for (std::size_t i = 0; i < indices.size(); ++i) {
    // Those of named dimensions stand in one pair of brackets: they mean the same in two.
    const bool goes_on = i > 0 && indices[i - 1].dimension && indices[i].dimension;
    const bool ends = i + 1 == indices.size() || !indices[i].dimension || !indices[i + 1].dimension;
    put(goes_on ? ", " : "[");
    if (indices[i].dimension) {
      word(indices[i].dimension->text);
      put(" = ");
    }
    expression(*indices[i].value);
    if (ends) put(']');
  }
}

}  // namespace shard
