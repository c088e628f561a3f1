// Where the names of a text stand, by what they stand for.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grammar/tree/ast.h"

namespace shard {

// Where an array stands with brackets.
struct Appearance {
  const ast::ArrayRef* array;
  std::vector<std::string> dimensions;  // their keys; "" for what is no name
  bool written;
  bool may_be_wrong;  // in a block that is to have an error
  int block;          // the cost block that it stands in; 0: none
};

struct KnownArray {
  std::string name;
  int count = 0;  // with brackets or without
  bool written = false;
  bool declared = false;
  std::vector<Appearance> appearances;
};

struct GivenSize {
  const ast::Identifier* name;
  const ast::Expr* value;  // null: of a loop
  int block;               // the cost block that it is given in; 0: none
};

// Null where a length stands in the place of the name.
const ast::Identifier* name_of_dimension(const ast::Dimension& dimension);

// The names of a text, by what they stand for.
class Occurrences {
 public:
  explicit Occurrences(const std::vector<ast::Statement>& statements) { read(statements); }

  // By function and name: what a parameter is called says nothing of the script's arrays.
  std::map<std::pair<std::string, std::string>, KnownArray> arrays;
  std::vector<GivenSize> sizes;
  // By function: the names that expressions are given, but for numbers.
  std::vector<std::pair<std::string, const ast::Identifier*>> bound;
  std::set<std::string> sized;                    // names with a value
  std::map<int, std::set<std::string>> sized_in;  // the same by block; it ends with the block
  std::map<std::string, int> bare;                // names without brackets
  std::set<std::string> axes;

  // How often the name stands as a dimension, a size or a scalar. Of an axis that has the same name it is not said which
  // of the two is meant where it stands alone: there it is the axis.
  int count(const std::string& key) const;

 private:
  void read(const std::vector<ast::Statement>& statements);
  void read(const ast::Statement& statement);
  void read(const ast::Mesh& mesh);
  void read(const ast::Binding& binding);
  void read(const ast::Function& function);
  void read(const ast::Loop& loop);
  void read(const ast::Expr& expr);
  void read(const ast::Dimension& dimension);
  KnownArray& read(const ast::ArrayRef& array, bool written = false);
  void give_size(const std::string& key);
  void write(const ast::ArrayRef& array);
  void count_bracketed(const std::vector<ast::Identifier>& names);
  KnownArray& count_bare(const ast::Identifier& name);
  KnownArray& array_of(const std::string& key, const std::string& name);

  std::map<std::string, int> bracketed_;
  std::string function_;
  bool may_be_wrong_ = false;
  int block_ = 0;
  int blocks_ = 0;  // so far
  KnownArray unnamed_;
};

}  // namespace shard
