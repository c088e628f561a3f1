// Judges one statement of a random program against a `Model`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/interpreter/properties/random_program/model.h"

namespace shard::random_program {

// What an expression leaves.
struct Judged {
  Names labels;
  std::optional<Placement> placement;  // as written, or what a product leaves without communication
  DType dtype = DType::Bf16;
  Values values;
  std::optional<std::size_t> moved;  // the array that it is a use of, or collectives of
};

// Stops at the first thing that is wrong with a statement.
class Judge {
 public:
  Judge(Model& model, Verdict& verdict) : model_(model), verdict_(verdict) {}

  void judge(const Statement& statement);

 private:
  void fail(DiagnosticKind kind) { verdict_.errors.insert(kind); }

  bool check_brackets(const Brackets& brackets);
  void check_declared(const Brackets& target);
  // Whether a bare target of that name may take its layout from a declaration.
  bool is_made_as_declared(const std::string& name, const Names& labels) const;
  bool check_axis(const std::string& axis);
  std::vector<std::int64_t> shape_of(const Names& dims) const;
  std::optional<Judged> resolve(const Expr& value, const Brackets* target);

  // ------------------------------------------------------------ uses

  std::optional<Judged> resolve_use(const Brackets& use);
  std::size_t add_input(const Brackets& use);

  // Brackets name every dimension, in order; other names only of equal length.
  bool check_use_labels(const Brackets& use, const ModelArray& array);
  bool find_copy(const Brackets& use, ModelArray& array);

  // The values as a statement sees them: partial sums are not rounded yet.
  Judged read(std::size_t id, const Names& labels, std::optional<Placement> placement);

  // ------------------------------------------------------------ products

  std::optional<Judged> resolve_product(const Expr& product, const Brackets* target);
  std::optional<std::vector<Judged>> resolve_operands(const Expr& product);
  static void put_in_order(const Names& labels, Judged& result);

  // Planning may start from another copy or reduce before the product, so when sums are rounded is open.
  void weaken(const Expr& operand, Judged& result);
  std::optional<Names> contracted(const Names& index, const Names& left, const Names& right,
                                  const Names& later, bool last, bool has_target);
  std::optional<Judged> multiply(const Judged& left, const Judged& right, const Names& summed,
                                 bool local);

  // Partial sums may be multiplied only with what neither is split nor unreduced over their axes.
  static bool is_linear(const Placement& a, const Placement& b);
  bool check_linear(const Placement& a, const Placement& b);

  // The documents' case ("sharded matrices", Case 1 to Case 4) of two operands.
  static std::string case_of(const Names& left, const Placement& a, const Names& right,
                             const Placement& b, const Names& summed);
  static std::optional<Placement> local_product(const Names& left, const Placement& a,
                                                const Names& right, const Placement& b,
                                                const Names& labels);
  bool check_kept(const Names& labels, const Brackets& target);

  // ------------------------------------------------------------ collectives

  std::optional<Judged> resolve_collective(const Expr& collective, const Brackets* target);
  void round_if_reduced(Judged& result) const;
  static Names inferred(CollectiveKind kind, const Placement& before, const Brackets* target);
  bool apply(const Expr& collective, const Names& axes, const Placement& before,
             const Brackets* target, Judged& result);
  void remove(const Names& axes, Placement& placement);
  bool append(const Expr& collective, Names axes, const Placement& before, const Brackets* target,
              Judged& result);

  // Axes that the target shows go there in its order.
  // The dimension that each axis goes to; nullopt after a failure.
  std::optional<std::vector<std::size_t>> homes_of(const Expr& collective, const Names& axes,
                                                   const Brackets* target, const Judged& result);
  static void add_missing(const Names& more, Names& axes);
  static void order_like(const Placement& wanted, Names& axes);
  bool permute(const Names& named, const Brackets* target, Placement& after);
  void shift(const Expr& collective, const std::string& axis, Judged& result);

  // ------------------------------------------------------------ targets

  bool check_labels(const Expr& value, const Names& target, const Names& labels, bool is_copy);
  bool check_goal(const Expr& value, const Judged& result, const Placement& goal);

  // A re-layout cannot make a sum pending.
  void check_reachable(const Judged& result, const Placement& goal);

  // "An array is unreduced over an axis if the contracted dimension was sharded over it."
  void check_unreduced_product(const Expr& value, const Judged& result, const Placement& goal);

  // ------------------------------------------------------------ results

  static bool is_nested(const Expr& value);
  void add_copy(const Expr& value, const Judged& result, const std::optional<Placement>& goal);
  void add_array(const Expr& value, Judged result, const Brackets& target, const Names& labels,
                 const std::optional<Placement>& goal);
  void note_collective(const Expr& value, const Judged& result);
  void add_unnamed(const Expr& value, Judged result);

  Model& model_;
  Verdict& verdict_;
};

}  // namespace shard::random_program
