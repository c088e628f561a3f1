// The printer's state, shared by its files. Private to the folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grammar/print/printer.h"
#include "grammar/tree/ast.h"

namespace shard {

// The signs of one spelling; a new spelling is a new row.
struct Signs {
  std::string_view arrow;
  std::string_view times;
  std::string_view local;  // after a product sign
  std::string_view hadamard;
  std::string_view rest;
  std::string_view less_equal;
  std::string_view greater_equal;
  std::string_view not_equal;
  std::string_view approx;
  std::string_view plus_minus;
  std::string_view open_mark;  // of `{U_X}`
  std::string_view close_mark;
  bool math;  // words of several letters need markup
};
const Signs& signs_of(Spelling spelling);

// Appends to the text.
class Printer {
 public:
  Printer(Spelling spelling, std::string& text) : signs_(signs_of(spelling)), text_(text) {}

  // Everything without a final line end; lines after the first are indented by `indent` blanks.
  void statement(const ast::Statement& statement, int indent);
  void expression(const ast::Expr& expr, int indent = 0);
  // Statements with their comments, one per line, each indented and ended by a newline.
  void lines(const std::vector<ast::Statement>& statements,
             const std::vector<std::string>& trailing, int indent);
  // `{ a }` on one line if it is one statement without comments and may stand so, else several lines.
  void block(const std::vector<ast::Statement>& body, const std::vector<std::string>& trailing,
             int indent, bool on_one_line = true);
  void array(const ast::ArrayRef& array);
  void dimension(const ast::Dimension& dimension);

 private:
  template <class... Parts>
  void put(const Parts&... parts) {
    ((text_ += parts), ...);
  }
  // Writes each item with `write`, separated by the separator.
  template <class Items, class Write>
  void list(const Items& items, std::string_view separator, const Write& write) {
    const std::size_t begin = text_.size();
    for (const auto& item : items) {
      if (text_.size() > begin) text_ += separator;
      write(item);
    }
  }
  // A word, and a name whose subscript is part of it.
  void word(std::string_view text);
  void name(std::string_view text);
  void words(const std::vector<ast::Identifier>& identifiers, std::string_view separator);
  // `X`, `{XY}`, `{data,model}`: what follows an underscore.
  void subscript(const std::vector<ast::Identifier>& axes);
  // `XY`, `data,model`.
  void axis_row(const std::vector<ast::Identifier>& axes);
  // `[I_X, J]`.
  void dimensions(const std::vector<ast::Dimension>& dimensions, bool type = false);
  void split_length(const ast::Dimension& dimension);
  void mark(const std::vector<ast::Identifier>& axes, ast::Parts parts);
  void places(const std::vector<ast::Placement>& placed);
  // An array without its name: type, brackets, marks and indices.
  void behind_name(const ast::ArrayRef& array, bool named);
  // In parentheses if its rank is below `rank`.
  void operand(const ast::Expr& expr, int rank, int indent);
  void in_parentheses(bool guarded, const ast::Expr& expr, int indent);
  void product(const ast::Product& product, int indent);
  void binary(const ast::Binary& operation, int indent);
  void unary(const ast::Unary& operation, int indent);
  void collective(const ast::Collective& collective, int indent);
  void destinations(const ast::Collective& collective);
  void call(const ast::Call& call, int indent);
  void shaped(const ast::Shaped& shaped, int indent);
  void indexed(const ast::Indexed& indexed, int indent);
  void indices(const std::vector<ast::Index>& indices);
  void question(const ast::Question& question, int indent);
  // `=` compares there.
  void asked(const ast::Expr& condition, int indent);
  void slice(const ast::Slice& slice);
  void member(const ast::Member& member, int indent);
  void comments(const std::vector<std::string>& comments, int indent);
  void blanks(int count) { text_.append(static_cast<std::size_t>(count), ' '); }
  void bindings(const ast::Bindings& bindings, int indent);
  void declaration(const ast::Declaration& declaration, int indent);
  void overlap(const std::vector<ast::Identifier>& axes);
  void flow(const ast::Flow& flow, int indent);
  void mention(const ast::Mention& mention);
  void print(const ast::Print& print, int indent);
  void leading(const ast::Expr& expr, int indent);
  void function(const ast::Function& function, int indent);
  void loop(const ast::Loop& loop, int indent);
  void condition(const ast::If& node, int indent);
  std::string_view sign_of(ast::BinaryOp op) const;

  const Signs& signs_;
  std::string& text_;
};

// "4x4x8".
std::string slice_text(const std::vector<ast::Number>& numbers);
std::string hardware_text(const ast::Hardware& hardware);
std::string mesh_text(const ast::Mesh& mesh);
std::string chip_text(const ast::Chip& chip);
std::string fault_text(const ast::Fault& fault);
std::string slow_text(const ast::Slow& slow);
// "5", "(1,2)".
std::string device_text(const ast::DeviceName& device);

}  // namespace shard
