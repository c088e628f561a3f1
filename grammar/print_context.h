// The printer's state, shared by its files. Private to the folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grammar/ast.h"
#include "grammar/printer.h"

namespace shard {

// Signs of one spelling; a further spelling is a further row.
struct Signs {
  std::string_view arrow;
  std::string_view times;
  std::string_view local;  // behind the sign of a product
  std::string_view hadamard;
  std::string_view rest;
  std::string_view less_equal;
  std::string_view greater_equal;
  std::string_view not_equal;
  std::string_view approx;
  std::string_view plus_minus;
  std::string_view open_mark;  // of `{U_X}`
  std::string_view close_mark;
  bool math;  // a word of several letters is none by itself
};
const Signs& signs_of(Spelling spelling);

class Printer {
 public:
  explicit Printer(Spelling spelling) : signs_(signs_of(spelling)) {}

  // Everything without a line end behind it; lines after the first are indented by `indent` blanks.
  std::string statement(const ast::Statement& statement, int indent) const;
  std::string expression(const ast::Expr& expr, int indent = 0) const;
  // Statements with their comments, one per line, each indented and ended by a newline.
  std::string lines(const std::vector<ast::Statement>& statements,
                    const std::vector<std::string>& trailing, int indent) const;
  // `{ a }` on one line if it is one statement without comments, else several lines.
  std::string block(const std::vector<ast::Statement>& body,
                    const std::vector<std::string>& trailing, int indent) const;
  std::string array(const ast::ArrayRef& array) const;
  std::string dimension(const ast::Dimension& dimension) const;
  // `[I_X, J]`.
  std::string dimensions(const std::vector<ast::Dimension>& dimensions, bool type = false) const;
  std::string split_length(const ast::Dimension& dimension) const;

 private:
  // A word, and a name whose subscript belongs to it.
  std::string word(const std::string& text) const;
  std::string name(const std::string& text) const;
  std::string words(const std::vector<ast::Identifier>& identifiers,
                    std::string_view separator) const;
  // `X`, `{XY}`, `{data,model}`: what stands behind an underscore.
  std::string subscript(const std::vector<ast::Identifier>& axes) const;
  // `XY`, `data,model`.
  std::string axis_row(const std::vector<ast::Identifier>& axes) const;
  std::string mark(const std::vector<ast::Identifier>& axes, ast::Parts parts) const;
  std::string places(const std::vector<ast::Placement>& placed) const;
  // In parentheses if its rank is below `rank`.
  std::string operand(const ast::Expr& expr, int rank, int indent) const;
  std::string product(const ast::Product& product, int indent) const;
  std::string binary(const ast::Binary& operation, int indent) const;
  std::string collective(const ast::Collective& collective, int indent) const;
  std::string call(const ast::Call& call, int indent) const;
  std::string shaped(const ast::Shaped& shaped, int indent) const;
  std::string slice(const ast::Slice& slice) const;
  std::string member(const ast::Member& member, int indent) const;
  std::string bindings(const ast::Bindings& bindings, int indent) const;
  std::string declaration(const ast::Declaration& declaration) const;
  std::string flow(const ast::Flow& flow, int indent) const;
  std::string mention(const ast::Mention& mention) const;
  std::string print(const ast::Print& print, int indent) const;
  std::string evaluate(const ast::Evaluate& evaluate, int indent) const;
  std::string function(const ast::Function& function, int indent) const;
  std::string loop(const ast::Loop& loop, int indent) const;
  std::string condition(const ast::If& node, int indent) const;
  std::string_view sign_of(ast::BinaryOp op) const;

  const Signs& signs_;
};

// "4x4x8".
std::string slice_text(const std::vector<ast::Number>& numbers);
std::string hardware_text(const ast::Hardware& hardware);
// "TPUv5p 4x4x4 {HBM: 300 MB}": what stands behind `hardware`.
std::string machine_text(const ast::Hardware& hardware);
std::string mesh_text(const ast::Mesh& mesh);
// "{X: 4, Y: 2}".
std::string axes_text(const ast::Mesh& mesh);
std::string chip_text(const ast::Chip& chip);
std::string fault_text(const ast::Fault& fault);
std::string slow_text(const ast::Slow& slow);
// "5", "(1,2)".
std::string device_text(const ast::DeviceName& device);

}  // namespace shard
