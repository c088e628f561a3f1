// Blocks in which layouts are left open: their holes, what may stand in them, and which of them each statement depends on.
//
// In this folder:
//   open_block.h   a block with holes, and with layouts in their place
//   walk_block.h   walks over statements that may be changed
//   untaken_sides.h  sides of branches that the sizes at hand do not take
//   equal_axes.h   axes of the mesh that differ in nothing but their names
//   even_loops.h   loops of which some passes tell what all take
//   mesh_sizes.h, layout_choices.h  the sizes that the axes of a mesh may have; the holes as variables
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grammar/tree/ast.h"
#include "interpreter/holes/even_loops.h"
#include "interpreter/ir/symbols.h"

namespace shard {

// Axes of the mesh that may split dimensions; of size 1 none.
struct OpenAxis {
  std::string name;
  std::optional<std::int64_t> size;
};
// What a hole may stand for: rows of axes, none at first, then short ones before long ones.
using AxisRow = std::vector<std::string>;

// For each hole an index of `OpenBlock::rows`.
using HoleRows = std::vector<std::size_t>;

// An array of which brackets have holes, as they are written.
struct OpenArray {
  struct Part {
    // Its name as a key; empty for a length. In a function, what the first call gives there is called in the block.
    std::string dimension;
    std::optional<std::size_t> hole;
    std::vector<std::string> axes;  // that are written
    std::optional<std::int64_t> length;
  };
  std::string name;  // as a key; empty: it has none
  ast::ArrayRef written = {};
  std::vector<Part> parts;
  std::vector<std::string> other_axes;  // of partial sums, and those that it has a place on
  bool is_made = false;                 // by the block
  bool in_function = false;             // whose dimensions may have names of their own

  std::vector<std::size_t> holes() const;
};

// A statement that has none inside, and the holes that its layouts come from.
struct OpenStatement {
  Span span;
  std::set<std::size_t> holes;
};

// The statement as it is written on lines of its own; a branch has its sides on others.
std::vector<std::string> statement_lines(const ast::Statement& statement);

class OpenBlock {
 public:
  // A copy of the block, and of the functions that it calls as far as they have holes.
  OpenBlock(const std::vector<ast::Statement>& body, const Scope& scope,
            const std::vector<OpenAxis>& axes);
  OpenBlock(const OpenBlock&) = delete;
  OpenBlock& operator=(const OpenBlock&) = delete;

  std::size_t holes() const { return places_.size(); }
  const std::vector<AxisRow>& rows() const { return rows_; }
  // Whether these are all that a hole may stand for, up to the order of axes.
  bool has_all_rows() const { return has_all_rows_; }
  const std::vector<OpenArray>& arrays() const { return arrays_; }
  // The names of the dimensions, as keys, of the last array that the block itself makes, with holes or without; empty where they are
  // not written.
  const std::vector<std::string>& last_result() const { return last_result_; }
  const std::vector<OpenStatement>& statements() const { return statements_; }
  // The statement that a place of the script lies in; nullopt if it lies in none.
  std::optional<std::size_t> statement_at(const Span& span) const;

  // Whether no array uses an axis twice, and all sizes that are known divide.
  bool allows(const HoleRows& rows) const;
  bool allows(const OpenArray& array, const HoleRows& rows) const;
  // Into how many parts an array is cut.
  double pieces(const OpenArray& array, const HoleRows& rows) const;

  // "W[D_X, F]".
  std::string text(const OpenArray& array, const HoleRows& rows) const;

  // From here on the block has these layouts.
  void fill(const HoleRows& rows);
  // The same for some of the holes: the others stay open in `body`, and are not to be filled otherwise later.
  void fill(const HoleRows& rows, const std::set<std::size_t>& some);
  const std::vector<ast::Statement>& body() const { return body_; }
  const std::vector<EvenLoop>& even_loops() const { return even_loops_; }
  // From here on that loop of `body` has so many passes; nullopt: as many as are written.
  void set_passes(const EvenLoop& loop, std::optional<std::int64_t> passes);
  // The functions with holes, by key.
  const std::map<std::string, std::shared_ptr<ast::Function>>& functions() const {
    return functions_;
  }

 private:
  using Known = std::map<std::string, std::set<std::size_t>>;

  void read(std::vector<ast::Statement>& body, const std::string& owner);
  void read_array(ast::ArrayRef& array, const std::string& owner, Known& known);
  void read_dimensions(std::vector<ast::Dimension>& dimensions, OpenArray& open,
                       const std::string& owner);
  std::size_t hole_at(std::vector<ast::Identifier>& axes, const std::string& key);
  void read_function(const ast::Call& call);
  std::map<std::string, std::string> renames_of(const ast::Call& call,
                                                const ast::Function& function) const;
  std::vector<std::string> dimensions_of(const ast::Expr& argument) const;
  std::optional<std::int64_t> length_of(const ast::Dimension& dimension) const;
  // What a row does to the dimension that it splits; layouts are counted by the million.
  struct Split {
    std::uint64_t axes = 0;  // as bits; none of an axis that many others come before
    std::int64_t pieces = 1;
    bool is_twice = false;  // an axis of it
  };
  Split split_by(const AxisRow& row) const;
  void know_axes(const AxisRow& row);

  const Scope& scope_;
  std::vector<ast::Statement> body_;
  std::vector<AxisRow> rows_;
  bool has_all_rows_;
  std::vector<std::string> last_result_;
  std::map<std::string, std::optional<std::int64_t>> axis_sizes_;
  std::map<std::string, std::size_t> axis_bits_;
  std::vector<Split> splits_;                                       // by rows_
  std::map<std::string, std::size_t> names_;                        // of holes
  std::vector<std::vector<std::vector<ast::Identifier>*>> places_;  // of each hole
  std::vector<OpenArray> arrays_;
  std::vector<OpenStatement> statements_;
  std::map<std::string, std::int64_t> lengths_;  // that the block gives
  // Of the function that is being read: its dimensions, by what they are called in the block.
  std::map<std::string, std::string> renames_;
  std::vector<EvenLoop> even_loops_;
  std::map<std::string, std::shared_ptr<ast::Function>> functions_;
};

}  // namespace shard
