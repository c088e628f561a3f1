// What a question asks about, with a size open, and with the size at a number.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluator.h"

namespace shard {

// The tables as a question has them while it lives: names without a value are open sizes. What the question makes known of
// mistakes stays, and nothing else.
class AskedTables {
 public:
  explicit AskedTables(Scope& scope);
  AskedTables(const AskedTables&) = delete;
  AskedTables& operator=(const AskedTables&) = delete;
  ~AskedTables();

  // The name has no value any more, or that one.
  void open(const std::string& name);
  void give(const std::string& name, const Rational& value);
  // The open size is weighed at that number.
  void tell_trial(const std::string& symbol, double number);
  // `T_math` and its like are what the script comes to, where no cost block has them and no scalar is called so.
  void name_totals(const StatementHost& host);
  // The tables as they were are taken as they are now: what was tried leaves nothing.
  void forget_mistakes() { keeps_mistakes_ = false; }

 private:
  void ask(const std::string& key);

  Scope& scope_;
  Scope before_;
  bool keeps_mistakes_ = true;
};

// Both sides of a comparison, or what is to be least and nothing.
struct Sides {
  Quantity left;
  Quantity right;

  Formula difference() const { return left.value - right.value; }
};

// A size that is asked for, and what is said of it.
struct AskedSize {
  ast::Identifier name;
  std::string symbol;  // what stands for it in formulas
};
AskedSize asked_size(const ast::Identifier& name, const Scope& scope);

// Both sides with these sizes open; `right` may be null. nullopt after a report. `undecided` is set instead of a report where a
// figure takes numbers.
std::optional<Sides> open_sides(const ast::Expr& left, const ast::Expr* right,
                                const std::vector<std::string>& open, EvaluationContext& context,
                                bool* undecided = nullptr);
// The same with the size at a number; nullopt where it cannot have that, without a report.
std::optional<Sides> sides_at(const ast::Expr& left, const ast::Expr* right,
                              const std::string& size, const Rational& number,
                              EvaluationContext& context);

// The same with these open sizes, by symbol, weighed at numbers where something is planned: formulas that hold where it is planned so.
std::optional<Sides> sides_planned_at(const ast::Expr& left, const ast::Expr* right,
                                      const std::vector<std::string>& open,
                                      const std::map<std::string, double, std::less<>>& numbers,
                                      EvaluationContext& context);

// What both sides depend on: where a figure takes numbers, what the times of its block depend on.
std::vector<std::string> open_symbols(const ast::Expr& left, const ast::Expr& right,
                                      EvaluationContext& context);

// What the plans of the blocks depend on, of which both sides are figures: more than what is in these, where sizes cancel or other
// plans have them.
std::vector<std::string> sizes_of_blocks(const ast::Expr& left, const ast::Expr& right,
                                         EvaluationContext& context);

// Whether a cost block is priced for it: then whole sizes count.
bool prices(const ast::Expr& expr);
// The least number of which the size has to be a multiple, for what is priced to be cut as it is; nullopt if none of the divisors
// of the number of devices is one.
std::optional<std::int64_t> step_of(const ast::Expr& left, const ast::Expr* right,
                                    const std::string& size, EvaluationContext& context);

// The expression with `T_math` and its like as figures of the newest cost block, where they are no names. Where there is no block
// they are names of what the script comes to so far (`AskedTables`).
ast::Expr with_figures(const ast::Expr& expr, const Scope& scope);

}  // namespace shard
