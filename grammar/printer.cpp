#include "grammar/printer.h"

#include <fmt/format.h>

#include <algorithm>

#include "grammar/print_context.h"

namespace shard {
namespace {

std::string blanks(int count) { return std::string(static_cast<std::size_t>(count), ' '); }

std::string comment_lines(const std::vector<std::string>& comments, int indent) {
  std::string text;
  for (const std::string& comment : comments)
    text += comment.empty() ? "\n" : blanks(indent) + comment + "\n";
  return text;
}

}  // namespace

const Signs& signs_of(Spelling spelling) {
  static constexpr Signs kUnicode = {"→", "·", "LOCAL", "⊙", "…", "≤",  "≥",
                                     "≠", "≈", "±",     "{", "}", false};
  static constexpr Signs kAscii = {
      "->", "*", "_LOCAL", ".*", "...", "<=", ">=", "!=", "~=", "+/-", "{", "}", false};
  static constexpr Signs kLatex = {
      "\\rightarrow", "\\cdot",   "_\\text{LOCAL}", "\\odot", "\\ldots", "\\le", "\\ge",
      "\\ne",         "\\approx", "\\pm",           "\\{",    "\\}",     true};
  if (spelling == Spelling::Latex) return kLatex;
  return spelling == Spelling::Unicode ? kUnicode : kAscii;
}

std::string Printer::lines(const std::vector<ast::Statement>& statements,
                           const std::vector<std::string>& trailing, int indent) const {
  std::string text;
  for (const ast::Statement& one : statements) {
    text += comment_lines(one.leading, indent) + blanks(indent) + statement(one, indent);
    if (!one.trailing.empty()) text += "  " + one.trailing;
    text += "\n";
  }
  return text + comment_lines(trailing, indent);
}

std::string Printer::block(const std::vector<ast::Statement>& body,
                           const std::vector<std::string>& trailing, int indent) const {
  if (body.empty() && trailing.empty()) return "{ }";
  const bool plain =
      body.size() == 1 && trailing.empty() && body[0].leading.empty() && body[0].trailing.empty();
  if (plain) {
    const std::string only = statement(body[0], indent);
    if (only.find('\n') == std::string::npos) return fmt::format("{{ {} }}", only);
  }
  return "{\n" + lines(body, trailing, indent + 2) + blanks(indent) + "}";
}

std::string Printer::bindings(const ast::Bindings& bindings, int indent) const {
  std::string text;
  for (const ast::Binding& item : bindings.items) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} = {}", name(item.name.text), expression(*item.value, indent));
  }
  return text;
}

// `A: bf16[I_X, J]` for one array; with sizes or several arrays the dimensions stand at the names.
std::string Printer::declaration(const ast::Declaration& declaration) const {
  const ast::ArrayRef& first = declaration.arrays.front();
  if (declaration.arrays.size() == 1 && declaration.sizes.empty() && first.unreduced.empty()) {
    ast::ArrayRef type = first;
    type.name.reset();
    return fmt::format("{}: {}{}", name(first.name->text), word(declaration.dtype.text),
                       array(type));
  }
  std::string text;
  for (const ast::ArrayRef& one : declaration.arrays)
    text += (text.empty() ? "" : ", ") + array(one);
  text += ": " + word(declaration.dtype.text);
  if (declaration.sizes.empty()) return text;
  std::string sizes;
  for (const ast::Number& size : declaration.sizes)
    sizes += (sizes.empty() ? "" : ", ") + size.text;
  return fmt::format("{}[{}]", text, sizes);
}

std::string Printer::flow(const ast::Flow& flow, int indent) const {
  const std::string value = expression(flow.value, indent);
  const std::string overlap = flow.overlap.empty() ? "" : " overlap " + subscript(flow.overlap);
  if (flow.sign == ast::FlowSign::Assignment)
    return fmt::format("{} = {}{}", array(flow.target), value, overlap);
  const std::string_view sign = flow.sign == ast::FlowSign::Arrow ? signs_.arrow : "=";
  return fmt::format("{} {} {}{}", value, sign, array(flow.target), overlap);
}

std::string Printer::mention(const ast::Mention& mention) const {
  std::string text;
  for (const ast::ArrayRef& one : mention.arrays) text += (text.empty() ? "" : ", ") + array(one);
  return mention.given ? fmt::format("{} = {}", text, signs_.rest) : text;
}

std::string Printer::print(const ast::Print& print, int indent) const {
  std::string text;
  for (const ast::Expr& value : print.values)
    text += (text.empty() ? "" : ", ") + expression(value, indent);
  return "print " + text;
}

// A bare name that would begin a statement of its own stands in parentheses.
std::string Printer::evaluate(const ast::Evaluate& evaluate, int indent) const {
  static const std::vector<std::string> alone = {"hardware", "mesh",   "Mesh",  "chip",
                                                 "plan",     "strict", "print", "why",
                                                 "drop",     "expect", "return"};
  const std::string text = expression(evaluate.value, indent);
  const auto* name = std::get_if<ast::ArrayRef>(&evaluate.value.node);
  const bool is_word = name != nullptr && name->name &&
                       std::find(alone.begin(), alone.end(), name->name->text) != alone.end();
  return is_word && !name->bracketed ? "(" + text + ")" : text;
}

std::string Printer::statement(const ast::Statement& statement, int indent) const {
  return match(
      statement.node, [](const ast::Hardware& node) { return hardware_text(node); },
      [](const ast::Mesh& node) { return mesh_text(node); },
      [](const ast::Chip& node) { return chip_text(node); },
      [](const ast::Plan& node) {
        return std::string(node.rule == ast::PlanRule::Cases ? "plan cases" : "plan cheapest");
      },
      [](const ast::Strict&) { return std::string("strict"); },
      [&](const ast::Bindings& node) { return bindings(node, indent); },
      [&](const ast::Declaration& node) { return declaration(node); },
      [&](const ast::Flow& node) { return flow(node, indent); },
      [&](const ast::Equation& node) {
        return fmt::format("{} = {}", expression(node.left, indent),
                           expression(node.right, indent));
      },
      [&](const ast::Evaluate& node) { return evaluate(node, indent); },
      [&](const ast::Mention& node) { return mention(node); },
      [&](const ast::Print& node) { return print(node, indent); },
      [&](const ast::Expect& node) { return "expect " + expression(node.condition, indent); },
      [&](const ast::ExpectError& node) {
        return fmt::format("expect error {} {}", node.kind.text,
                           block(node.body, node.trailing, indent));
      },
      [&](const ast::Why& node) {
        return node.array ? "why " + name(node.array->text) : std::string("why");
      },
      [&](const ast::Save& node) {
        return fmt::format("save {} \"{}\"", expression(node.array, indent), node.path.value);
      },
      [&](const ast::Drop& node) { return "drop " + array(node.array); },
      [&](const ast::Function& node) { return function(node, indent); },
      [&](const ast::Return& node) {
        return node.value ? "return " + expression(*node.value, indent) : std::string("return");
      },
      [&](const ast::Loop& node) { return loop(node, indent); },
      [&](const ast::If& node) { return condition(node, indent); },
      [&](const ast::Group& node) { return block(node.body, node.trailing, indent); },
      [](const ast::Use& node) { return "use " + node.module.text; },
      [&](const ast::Show& node) { return "show " + array(node.array); },
      [](const ast::Fault& node) { return fault_text(node); },
      [](const ast::Slow& node) { return slow_text(node); },
      [&](const ast::Send& node) {
        return fmt::format("send {} from {} to {}", array(node.array), device_text(node.from),
                           device_text(node.to));
      },
      [](const ast::Unsupported& node) { return node.text; });
}

std::string print(const ast::Module& module, Spelling spelling) {
  return Printer(spelling).lines(module.statements, module.trailing, 0);
}

std::string print(const ast::Statement& statement, Spelling spelling) {
  return Printer(spelling).statement(statement, 0);
}

std::string print(const ast::Expr& expr, Spelling spelling) {
  return Printer(spelling).expression(expr);
}

std::string print(const ast::ArrayRef& array, Spelling spelling) {
  return Printer(spelling).array(array);
}

std::string print(const ast::Dimension& dimension, Spelling spelling) {
  return Printer(spelling).dimension(dimension);
}

}  // namespace shard
