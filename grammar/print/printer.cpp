#include "grammar/print/printer.h"

#include "base/plan_rule.h"
#include "grammar/print/context.h"
#include "grammar/tree/keyword.h"
#include "grammar/tree/names.h"

namespace shard {
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

void Printer::comments(const std::vector<std::string>& comments, int indent) {
  for (const std::string& comment : comments) {
    if (!comment.empty()) blanks(indent);
    put(comment, '\n');
  }
}

void Printer::lines(const std::vector<ast::Statement>& statements,
                    const std::vector<std::string>& trailing, int indent) {
  for (const ast::Statement& one : statements) {
    comments(one.leading, indent);
    blanks(indent);
    statement(one, indent);
    if (!one.trailing.empty()) put("  ", one.trailing);
    put('\n');
  }
  comments(trailing, indent);
}

void Printer::block(const std::vector<ast::Statement>& body,
                    const std::vector<std::string>& trailing, int indent) {
  if (body.empty() && trailing.empty()) return put("{ }");
  const bool plain =
      body.size() == 1 && trailing.empty() && body[0].leading.empty() && body[0].trailing.empty();
  if (plain) {
    const std::size_t begin = text_.size();
    put("{ ");
    statement(body[0], indent);
    put(" }");
    if (text_.find('\n', begin) == std::string::npos) return;
    text_.resize(begin);
  }
  put("{\n");
  lines(body, trailing, indent + 2);
  blanks(indent);
  put('}');
}

void Printer::bindings(const ast::Bindings& bindings, int indent) {
  list(bindings.items, ", ", [&](const ast::Binding& item) {
    name(item.name.text);
    put(" = ");
    expression(*item.value, indent);
  });
}

// `A: bf16[I_X, J]` for one array; with sizes or several arrays the dimensions stay with the names.
void Printer::declaration(const ast::Declaration& declaration, int indent) {
  const ast::ArrayRef& first = declaration.arrays.front();
  // A type that is none would be taken for an array behind a label.
  const bool behind_type = declaration.arrays.size() == 1 && declaration.sizes.empty() &&
                           first.unreduced.empty() && is_dtype(declaration.dtype.text);
  if (behind_type) {
    name(first.name->text);
    put(": ");
    word(declaration.dtype.text);
    behind_name(first, false);
  } else {
    list(declaration.arrays, ", ", [&](const ast::ArrayRef& one) { array(one); });
    put(": ");
    word(declaration.dtype.text);
    if (!declaration.sizes.empty()) {
      put('[');
      list(declaration.sizes, ", ", [&](const ast::Number& size) { put(size.text); });
      put(']');
    }
  }
  if (!declaration.makes) return;
  put(" = ");
  expression(declaration.makes->value, indent);
  overlap(declaration.makes->overlap);
}

void Printer::overlap(const std::vector<ast::Identifier>& axes) {
  if (axes.empty()) return;
  put(" overlap ");
  subscript(axes);
}

void Printer::flow(const ast::Flow& flow, int indent) {
  if (flow.sign == ast::FlowSign::Assignment) {
    array(flow.target);
    put(" = ");
    expression(flow.value, indent);
  } else {
    leading(flow.value, indent);
    put(' ', flow.sign == ast::FlowSign::Arrow ? signs_.arrow : std::string_view("="), ' ');
    array(flow.target);
  }
  overlap(flow.overlap);
}

void Printer::mention(const ast::Mention& mention) {
  list(mention.arrays, ", ", [&](const ast::ArrayRef& one) { array(one); });
  if (mention.given) put(" = ", signs_.rest);
}

void Printer::print(const ast::Print& print, int indent) {
  put("print ");
  list(print.values, ", ", [&](const ast::Expr& value) { expression(value, indent); });
}

// Text that would be read as the statement of its first word gets parentheses.
namespace {

// Its word is meant to be read as that of a statement. An operand in parentheses begins with these.
bool begins_as_question(const ast::Expr& expr) {
  if (const auto* question = std::get_if<ast::Question>(&expr.node)) return !question->follows;
  if (const auto* binary = std::get_if<ast::Binary>(&expr.node))
    return begins_as_question(*binary->left);
  if (const auto* product = std::get_if<ast::Product>(&expr.node))
    return begins_as_question(*product->left);
  const auto* member = std::get_if<ast::Member>(&expr.node);
  return member != nullptr && begins_as_question(*member->object);
}

}  // namespace

void Printer::leading(const ast::Expr& expr, int indent) {
  const std::size_t begin = text_.size();
  expression(expr, indent);
  const bool guarded = signs_.math ? reads_as_keyword(shard::print(expr, Spelling::Unicode))
                                   : reads_as_keyword(std::string_view(text_).substr(begin));
  const bool asks = std::holds_alternative<ast::Question>(expr.node) || begins_as_question(expr);
  if (!guarded || asks) return;
  text_.insert(begin, 1, '(');
  put(')');
}

void Printer::statement(const ast::Statement& statement, int indent) {
  match(
      statement.node, [&](const ast::Hardware& node) { put(hardware_text(node)); },
      [&](const ast::Mesh& node) {
        put(mesh_text(node));
        if (!node.least) return;
        put(" place best ");
        expression(**node.least, indent);
      },
      [&](const ast::Chip& node) { put(chip_text(node)); },
      [&](const ast::Plan& node) {
        put("plan ");
        put(name_of(node.rule));
      },
      [&](const ast::Strict&) { put("strict"); },
      [&](const ast::Bindings& node) { bindings(node, indent); },
      [&](const ast::Declaration& node) { declaration(node, indent); },
      [&](const ast::Flow& node) { flow(node, indent); },
      [&](const ast::Equation& node) {
        leading(node.left, indent);
        put(" = ");
        expression(node.right, indent);
      },
      [&](const ast::Evaluate& node) { leading(node.value, indent); },
      [&](const ast::Mention& node) { mention(node); },
      [&](const ast::Results& node) {
        list(node.targets, ", ", [&](const ast::ArrayRef& target) { array(target); });
        put(" = ");
        expression(node.value, indent);
      },
      [&](const ast::Print& node) { print(node, indent); },
      [&](const ast::Expect& node) {
        put("expect ");
        expression(node.condition, indent);
      },
      [&](const ast::Require& node) {
        put("require ");
        expression(node.condition, indent);
      },
      [&](const ast::ExpectError& node) {
        put("expect error ", node.kind.text, ' ');
        block(node.body, node.trailing, indent);
      },
      [&](const ast::ExpectSteps& node) {
        put(node.pinned == ast::PinnedSteps::Comms ? "expect comms " : "expect plan ");
        block(node.body, node.trailing, indent);
        put(" is ");
        block(node.steps, node.steps_trailing, indent);
      },
      [&](const ast::Why& node) {
        put(node.array ? "why " : "why");
        if (node.array) name(node.array->text);
      },
      [&](const ast::Save& node) {
        put("save ");
        expression(node.array, indent);
        put(" \"", node.path.value, '"');
      },
      [&](const ast::Plot& node) {
        put("plot ");
        list(node.series, ", ", [&](const ast::Expr& value) { operand(value, Rank::Sum, indent); });
        put(" against ");
        word(node.size.text);
        put(" from ");
        operand(node.from, Rank::Sum, indent);
        put(" to ");
        operand(node.to, Rank::Sum, indent);
        if (node.path) put(" save \"", node.path->value, '"');
      },
      [&](const ast::Drop& node) {
        put("drop ");
        array(node.array);
      },
      [&](const ast::Backward& node) {
        put("backward ");
        expression(node.of, indent);
        if (!node.kept.empty()) put(" keep ");
        list(node.kept, ", ", [&](const ast::ArrayRef& kept) { array(kept); });
      },
      [&](const ast::Function& node) { function(node, indent); },
      [&](const ast::Return& node) {
        put(node.values.empty() ? "return" : "return ");
        list(node.values, ", ", [&](const ast::Expr& value) { expression(value, indent); });
      },
      [&](const ast::Loop& node) { loop(node, indent); },
      [&](const ast::If& node) { condition(node, indent); },
      [&](const ast::Group& node) { block(node.body, node.trailing, indent); },
      [&](const ast::Fused& node) {
        put("fused ");
        block(node.body, node.trailing, indent);
      },
      [&](const ast::Best& node) {
        put("best ");
        if (node.count) put(node.count->text, ' ');
        block(node.body, node.trailing, indent);
      },
      [&](const ast::Use& node) { put("use ", node.module.text); },
      [&](const ast::Show& node) {
        put("show ");
        array(node.array);
      },
      [&](const ast::Fault& node) { put(fault_text(node)); },
      [&](const ast::Slow& node) { put(slow_text(node)); },
      [&](const ast::Send& node) {
        put("send ");
        array(node.array);
        put(" from ", device_text(node.from), " to ", device_text(node.to));
      },
      [&](const ast::Unsupported& node) { put(node.text); });
}

std::string print(const ast::Module& module, Spelling spelling) {
  std::string text;
  Printer(spelling, text).lines(module.statements, module.trailing, 0);
  return text;
}

std::string print(const ast::Statement& statement, Spelling spelling) {
  constexpr std::size_t kUsualLength = 64;  // saves regrowing the text
  std::string text;
  text.reserve(kUsualLength);
  Printer(spelling, text).statement(statement, 0);
  return text;
}

std::string print(const ast::Expr& expr, Spelling spelling) {
  std::string text;
  Printer(spelling, text).expression(expr);
  return text;
}

std::string print(const ast::ArrayRef& array, Spelling spelling) {
  std::string text;
  Printer(spelling, text).array(array);
  return text;
}

std::string print(const ast::Dimension& dimension, Spelling spelling) {
  std::string text;
  Printer(spelling, text).dimension(dimension);
  return text;
}

}  // namespace shard
