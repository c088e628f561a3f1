// The arguments of a call against the parameters of its function: patterns of arrays, and scalars.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "interpreter/statements/run_context.h"
#include "interpreter/suggest/argument_shape.h"

namespace shard {

// An array that is passed: one of its copies, and the names that the caller's brackets gave to its dimensions.
struct PassedArray {
  ArrayId array;
  std::vector<DimensionId> labels;
  Layout layout;
};
using Passed = std::variant<PassedArray, Value>;

// A dimension of a call in the place of one of an argument.
struct StandIn {
  DimensionId own;
  DimensionId argument;
  std::string name;          // in the pattern
  bool is_only_one = false;  // no other name of the pattern stands for the same dimension
};

// Dimensions of a pattern: those beside `…`, or all.
std::vector<ast::Dimension> named_dimensions(const ast::ArrayRef& pattern);
// The subscripts of all patterns, and the axes of their marks.
std::vector<const std::vector<ast::Identifier>*> subscripts_of(const ast::Function& function);

// Begins in the caller's scope; `bind` enters the function's. Reports ArgumentMismatch, and what is wrong with
// arguments.
class ArgumentBinder {
 public:
  ArgumentBinder(std::shared_ptr<const ast::Function> function, const ast::Call& call, Span span,
                 RunContext& context);
  // The arguments' values, as the caller sees them. `expanded` are they with the calls inside them done.
  bool evaluate(const std::vector<ast::Expr>& expanded);
  // Binds the parameters in the function's scope, which is in force now.
  bool bind();
  // As many arguments as parameters.
  bool check_count();
  // Dimensions of this call that stand for those of arguments, which have names that mean another one in the function.
  const std::vector<StandIn>& stand_ins() const { return stand_ins_; }
  // Whether a parameter in brackets has it: it is as long as what is passed there.
  bool is_dimension_of_pattern(const std::string& name) const;

 private:
  bool fail(Span span, std::string message, Span place, std::string note,
            std::vector<std::string> help = {}, std::vector<Edit> edits = {});
  // The lengths of the argument are not those that the parameter has here.
  bool fail_shape(std::size_t i, std::size_t d, const PassedArray& passed);
  std::vector<Edit> exchanged(std::size_t i, const std::vector<Amount>& lengths,
                              const WantedLengths& wanted) const;
  Span argument_span(std::size_t i) const;
  std::string argument_text(std::size_t i) const;
  std::string parameter_text(std::size_t i) const;
  bool is_array(const ast::Expr& expr) const;
  const ast::ArrayRef* unknown_name(const ast::Expr& expr) const;
  std::optional<Passed> array_argument(const ast::Expr& expr, std::size_t i);
  std::optional<Passed> use_of(const ast::ArrayRef& array);
  // An expression is computed first, under the parameter's name.
  std::optional<Passed> computed(const ast::Expr& expr, std::size_t i);
  std::optional<Passed> scalar_argument(const ast::Expr& expr, std::size_t i);
  std::string with_brackets();
  std::string body_text() const;
  bool match_pattern(std::size_t i, const PassedArray& whole);
  // A dimension that `…` stands for: no name of the pattern means it.
  DimensionId unnamed(DimensionId label);
  bool match_whole(std::size_t i, const PassedArray& whole);
  bool contains_alike(const std::vector<DimensionId>& labels, DimensionId label) const;
  bool means_another(DimensionId label, const std::string& name) const;
  const std::set<std::string>& words_of_function() const;
  void name_dimension(const std::string& name, DimensionId label);
  // Binds the dimension's name, or compares it with what it is bound to. The name stands for the argument's dimension, or, where
  // that has a name which the pattern or the body of the function has for another one, for a dimension of its own.
  bool match_length(std::size_t i, std::size_t d, const PassedArray& passed);
  // Those of a dimension are in order, major first; those of a mark are not.
  enum class AxisOrder { Written, Any };
  // A subscript demands as many axes, and names them; of those with lists, `Y…`, one at most takes what the others leave
  // (match_axes.cpp).
  bool match_axes(std::size_t i, const std::vector<ast::Identifier>& wanted,
                  const std::vector<AxisId>& axes, AxisOrder order, Span place);
  // Of a subscript with several names, among them lists, others tell how many axes each has.
  bool waits_for_others(const std::vector<ast::Identifier>& wanted) const;
  // Axes of such subscripts are matched when all others are.
  bool match_or_wait(std::size_t i, const std::vector<ast::Identifier>& wanted,
                     const std::vector<AxisId>& axes, AxisOrder order, Span place);
  bool match_waiting();
  struct NamedAxes {
    std::string name;
    std::size_t count = 1;
    bool is_rest = false;  // a list that nobody has told yet: what the other names leave
  };
  // By what is known: since an earlier parameter a name has several axes, or none.
  std::vector<NamedAxes> shares_of(const std::vector<ast::Identifier>& wanted) const;
  // For marks, where order says nothing: the axes of known names in their places.
  std::vector<AxisId> in_order_of(const std::vector<NamedAxes>& shares,
                                  std::vector<AxisId> given) const;
  bool fits_axes(const std::vector<ast::Identifier>& wanted, const std::vector<AxisId>& axes,
                 AxisOrder order);
  bool is_trivial(AxisId axis) const;
  // The axes that the subscript demands, as far as others tell them and those that are given are left to it; nullopt if
  // that says nothing, or what is given.
  std::optional<std::vector<AxisId>> demanded_axes(const std::vector<ast::Identifier>& wanted,
                                                   const std::vector<AxisId>& given) const;
  // The call with the argument laid out so, or how to lay it out before, is added to what is said.
  void offer_layout(std::size_t i, Span place, const std::vector<AxisId>& axes,
                    std::vector<std::string>& help, std::vector<Edit>& edits) const;
  // Whether the parameters have `Y…` somewhere.
  bool is_list(const ast::Identifier& name) const;
  // Whether the name stands for these axes, also since an earlier parameter.
  bool name_axes(const std::string& name, const std::vector<AxisId>& axes, AxisOrder order);
  // The parameter is another name of the array, with the copy that was passed as its newest.
  ArrayId bind_array(std::size_t i, const PassedArray& passed);

  std::shared_ptr<const ast::Function> known_;
  const ast::Function& function_;
  const ast::Call& call_;
  Span span_;
  RunContext& run_;
  CheckContext& context_;
  Scope& scope_;
  std::vector<Passed> passed_;
  std::vector<std::vector<DimensionId>> labels_;  // of the array parameters, by parameter
  std::map<std::string, DimensionId> bound_;      // by name_key
  std::vector<StandIn> stand_ins_;
  std::vector<DimensionId> named_;    // of arguments, that names of the pattern stand for
  std::vector<DimensionId> unnamed_;  // that `…` stands for
  struct Alike {
    std::size_t argument = 0;
    std::vector<DimensionId> labels;
  };
  std::optional<Alike> alike_;  // the first argument whose parameter is `[…]`
  std::map<std::string, std::vector<AxisId>> axes_;
  std::set<std::string> lists_;  // names that a parameter has with `…`
  struct Waiting {
    std::size_t parameter;
    std::vector<ast::Identifier> wanted;
    std::vector<AxisId> axes;
    AxisOrder order;
    Span place;
  };
  std::vector<Waiting> waiting_;
};

}  // namespace shard
