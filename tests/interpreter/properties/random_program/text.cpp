#include "tests/interpreter/properties/random_program/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"

namespace shard::random_program {

namespace {

class Writer {
 public:
  explicit Writer(const Style& style) : style_(style) {}

  std::string script(const Script& script) const {
    std::string text = machine(script);
    for (const Dimension& dimension : script.dimensions)
      text += fmt::format("{} = {}\n", dimension.name, dimension.length);
    for (const Declaration& declaration : script.declarations) text += declared(declaration) + "\n";
    for (const Statement& one : script.statements) text += statement(one) + "\n";
    return text;
  }

 private:
  static std::string machine(const Script& script) {
    Names parts;
    if (script.hardware) {
      for (const Axis& axis : script.axes) parts.push_back(fmt::format("{}", axis.length));
      return "hardware TPUv5p " + join(parts, "x") + "\n";
    }
    for (const Axis& axis : script.axes)
      parts.push_back(fmt::format("{}: {}", axis.name, axis.length));
    return "mesh {" + join(parts, ", ") + "}\n";
  }

  std::string declared(const Declaration& declaration) const {
    if (!declaration.array.unreduced.empty())
      return fmt::format("{}: {}", brackets(declaration.array), name_of(declaration.dtype));
    Brackets shape = declaration.array;
    shape.name.clear();
    return fmt::format("{}: {}{}", declaration.array.name, name_of(declaration.dtype),
                       brackets(shape));
  }

  std::string list(const Names& axes) const {
    if (axes.size() == 1) return axes.front();
    const bool letters =
        std::all_of(axes.begin(), axes.end(), [](const auto& axis) { return axis.size() == 1; });
    if (letters && style_.unbraced) return join(axes, "");
    return "{" + join(axes, letters && !style_.commas ? "" : ",") + "}";
  }

  std::string brackets(const Brackets& array) const {
    if (array.bare) return array.name;
    Names dims;
    for (std::size_t i = 0; i < array.dims.size(); ++i) {
      dims.push_back(array.dims[i] + (array.axes[i].empty() ? "" : "_" + list(array.axes[i])));
    }
    const std::string pending = array.unreduced.empty() ? "" : "{U_" + list(array.unreduced) + "}";
    return array.name + "[" + join(dims, ", ") + "]" + pending;
  }

  std::string sign(const Names& index, bool local) const {
    const std::string dot = style_.ascii ? "*" : "·";
    if (local) return dot + (style_.ascii ? "_LOCAL" : "LOCAL");
    if (index.empty()) return dot;
    return dot + "_" + (index.size() == 1 ? index.front() : "{" + join(index, ",") + "}");
  }

  std::string subscript(const Expr& collective) const {
    Names parts = collective.axes;
    const bool shifts = collective.collective == CollectiveKind::Shift && collective.shift != 1;
    if (parts.empty()) return "";
    if (collective.homes.empty() && !shifts) return "_" + list(parts);
    if (shifts) return "_{" + row(parts) + "," + fmt::format("{}", collective.shift) + "}";
    Names groups;
    for (std::size_t begin = 0, end = 0; begin < parts.size(); begin = end) {
      const std::string& home = home_of(collective, begin);
      while (end < parts.size() && home_of(collective, end) == home) ++end;
      const Names axes(parts.begin() + static_cast<std::ptrdiff_t>(begin),
                       parts.begin() + static_cast<std::ptrdiff_t>(end));
      const bool all = axes.size() == parts.size();
      groups.push_back(row(axes) + (all ? "," : style_.ascii ? "->" : "→") + home);
    }
    return "_{" + join(groups, ",") + "}";
  }

  std::string row(const Names& axes) const {
    const bool letters =
        std::all_of(axes.begin(), axes.end(), [](const auto& axis) { return axis.size() == 1; });
    return join(axes, letters && !style_.commas ? "" : ",");
  }

  std::string expr(const Expr& value) const {
    if (value.kind == Expr::Kind::Use) return brackets(value.use);
    if (value.kind == Expr::Kind::Collective) {
      return std::string(name_of(value.collective)) + subscript(value) + " " +
             expr(value.operands.front());
    }
    std::string text = expr(value.operands.front());
    for (std::size_t i = 1; i < value.operands.size(); ++i)
      text += " " + sign(value.indices[i - 1], value.local) + " " + expr(value.operands[i]);
    return text;
  }

  std::string statement(const Statement& one) const {
    if (!one.target) return expr(one.value);
    if (one.assignment) return brackets(*one.target) + " = " + expr(one.value);
    return expr(one.value) + (style_.ascii ? " -> " : " → ") + brackets(*one.target);
  }

  Style style_;
};

}  // namespace

std::string text_of(const Script& script, const Style& style) {
  return Writer(style).script(script);
}

}  // namespace shard::random_program
