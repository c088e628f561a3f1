#include "interpreter/statements/flow_form.h"

#include <variant>

namespace shard {

namespace {

class FormWriter {
 public:
  FormWriter(const ArrayNumber& number_of, FlowForm& form) : number_of_(number_of), form_(form) {}

  bool add(const ast::Expr& expr) {
    number(static_cast<std::int64_t>(expr.node.index()));
    return match(
        expr.node, [&](const ast::Number& node) { return add(node); },
        [&](const ast::ArrayRef& array) { return add(array); },
        [&](const ast::Product& product) {
          flag(product.local);
          return names(product.index) && add(*product.left) && add(*product.right);
        },
        [&](const ast::Binary& binary) {
          number(static_cast<std::int64_t>(binary.op));
          return !binary.tolerance && add(*binary.left) && add(*binary.right);
        },
        [&](const ast::Unary& unary) {
          number(static_cast<std::int64_t>(unary.op));
          return add(*unary.operand);
        },
        [&](const ast::Collective& collective) { return add(collective); },
        [&](const ast::Call& call) {
          // The places of an axis are an array without a name in the flow.
          if (call.function.text == "coord") return false;
          text(call.function.text);
          number(static_cast<std::int64_t>(call.arguments.size()));
          bool told = names(call.subscript);
          for (const auto& argument : call.arguments) told = told && add(*argument);
          return told;
        },
        [&](const ast::Shaped& shaped) {
          number(static_cast<std::int64_t>(shaped.parts));
          return dimensions(shaped.dimensions) && names(shaped.unreduced) && add(*shaped.value);
        },
        [](const auto&) { return false; });
  }

  bool add(const ast::ArrayRef& array) {
    if (!array.name) return false;
    const int which = number_of_(array);
    number(which + 1);
    if (which >= 0)
      form_.arrays.push_back(&array);
    else
      text(array.name->text);
    flag(array.dtype.has_value());
    if (array.dtype) text(array.dtype->text);
    flag(array.bracketed);
    number(static_cast<std::int64_t>(array.parts));
    return dimensions(array.dimensions) && names(array.unreduced) && placements(array.placed) &&
           indices(array.indices);
  }

 private:
  void number(std::int64_t value) { form_.bytes.add(value); }
  void flag(bool value) { number(value ? 1 : 0); }
  void text(std::string_view value) { form_.bytes.add(value); }

  bool names(const std::vector<ast::Identifier>& identifiers) {
    number(static_cast<std::int64_t>(identifiers.size()));
    for (const ast::Identifier& identifier : identifiers) text(identifier.text);
    return true;
  }

  bool add(const ast::Number& node) {
    text(node.text);
    return true;
  }

  bool add(const ast::Collective& collective) {
    number(static_cast<std::int64_t>(collective.kind));
    flag(collective.dimension.has_value());
    if (collective.dimension) text(collective.dimension->text);
    flag(collective.shift.has_value());
    if (collective.shift) add(*collective.shift);
    return names(collective.axes) && add(*collective.operand);
  }

  bool dimensions(const std::vector<ast::Dimension>& written) {
    number(static_cast<std::int64_t>(written.size()));
    for (const ast::Dimension& dimension : written) {
      number(static_cast<std::int64_t>(dimension.name.index()));
      const bool told = match(
          dimension.name,
          [&](const ast::Identifier& name) {
            text(name.text);
            return true;
          },
          [&](const ast::Number& length) { return add(length); },
          [](const auto&) { return false; });
      if (!told || !names(dimension.axes)) return false;
    }
    return true;
  }

  bool placements(const std::vector<ast::Placement>& placed) {
    number(static_cast<std::int64_t>(placed.size()));
    for (const ast::Placement& place : placed) {
      text(place.axis.text);
      if (!add(*place.coordinate)) return false;
    }
    return true;
  }

  bool indices(const std::vector<ast::Index>& written) {
    number(static_cast<std::int64_t>(written.size()));
    for (const ast::Index& index : written) {
      flag(index.dimension.has_value());
      if (index.dimension) text(index.dimension->text);
      if (!add(*index.value)) return false;
    }
    return true;
  }

  const ArrayNumber& number_of_;
  FlowForm& form_;
};

}  // namespace

bool add_form(const ast::Expr& value, const ast::ArrayRef& target, const ArrayNumber& number_of,
              FlowForm& form) {
  FormWriter writer(number_of, form);
  return writer.add(value) && writer.add(target);
}

}  // namespace shard
