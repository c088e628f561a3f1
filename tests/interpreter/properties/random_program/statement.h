// Random statements: legal ones as a rule, and ones with one mistake.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/interpreter/properties/random_program/model.h"
#include "tests/interpreter/properties/random_program/random.h"

namespace shard::random_program {

// What a statement is proposed in. Discarded with the proposal if it comes to nothing.
struct Draft {
  Script script;
  Model model;
};

class Proposer {
 public:
  Proposer(Random& random, Draft& draft, DType dtype)
      : random_(random), draft_(draft), dtype_(dtype) {}

  // ------------------------------------------------------------ statements

  std::optional<Statement> propose();
  std::optional<Statement> product();
  std::optional<Statement> chain();

  // ·LOCAL with the target that it needs.
  std::optional<Statement> local_product();
  std::optional<Statement> collective();
  std::optional<Statement> relayout();

  // ------------------------------------------------------------ pieces

  // The dimensions of a new array; `least` at least.
  Names dims_of_new(std::size_t least);

  // A new input, or a use of an array that is there.
  Brackets operand(const Names& dims, int pending = 6);
  Brackets new_input(const Names& dims, int pending);
  void declare(const Brackets& input, DType dtype);
  Brackets known_use();

  // The other side of a product: shares dimensions with `left`. Leaves in `kept_` what the product has.
  std::optional<Brackets> partner(const Brackets& beside, const Names& left, const Names& before);

  // Makes meeting layouts likely: shared dimensions split alike (cases 1 and 3), or free ones over one axis (case 4).
  void correlate(const Brackets& left, Brackets& right);
  void take_free_axis(const Brackets& left, Brackets& right, std::size_t dimension);
  static void remove_axes(Brackets& brackets, const Names& axes);
  Names written_index(const Names& left, const Names& right);
  void add_product_target(Statement& statement);

  // Now and then a new array is declared, with an element type of its own.
  void declare_target(const Statement& statement);

  // The target unreduced over an axis that splits a summed dimension.
  void leave_pending(Statement& statement);
  void keep_pending(const Brackets& array, Brackets& target);

  // The target that a statement without communication has.
  std::optional<Brackets> natural_target(Statement statement);

  // ------------------------------------------------------------ collectives

  void wrap(Expr& operand);

  // A collective that fits; `placement` becomes what it leaves.
  std::optional<Expr> collective_of(const Expr& value, const Names& dims, Placement& placement);
  bool fill(Expr& collective, const Names& dims, Placement& placement);

  // Some of the last axes of a dimension, now and then any of them.
  Names some_axes(Names& split, bool whole);
  bool fill_gather(Expr& collective, Placement& placement);
  bool fill_reduction(Expr& collective, const Names& dims, Placement& placement);
  bool fill_exchange(Expr& collective, const Names& dims, Placement& placement);
  bool append(Expr& collective, const Names& dims, Placement& placement, const Names& homes);
  bool fill_permute(Expr& collective, Placement& placement);
  bool fill_shift(Expr& collective, Placement& placement);

  // ------------------------------------------------------------ brackets

  // A random layout that divides.
  Brackets placed(std::string name, const Names& dims, int pending);

  // The brackets show a placement; axes of length 1 may stand anywhere.
  void show(const Placement& placement, Brackets& brackets);

  // Another name of equal length for one dimension.
  void rename(Brackets& brackets);
  static Expr use(Brackets brackets) {
    return {.kind = Expr::Kind::Use, .use = std::move(brackets)};
  }

  std::string new_name();
  std::string old_name();
  bool contains_name(const std::string& name) const {
    return draft_.model.names().count(name) != 0;
  }

  Names pool_names() const;
  Names axis_names() const;
  std::int64_t length(const std::string& dimension) const;
  std::int64_t elements(const Names& dims) const;

 private:
  Random& random_;
  Draft& draft_;
  DType dtype_;
  Names kept_;  // dimensions of the product that is being proposed
  Names used_;  // names that it has taken
  bool alike_ = false;
};

}  // namespace shard::random_program
