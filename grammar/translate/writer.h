// Expressions of other languages, and how they are written here. Only grammar/foreign/ reads what is in this folder.
//
// In this folder:
//   writer.h          writes expressions; a file for each kind of function
//   token.h, tree.h   words and signs of other languages, and expressions made of them
//   function.h        the table of functions of other languages
//   lacking.h, lacking.def  functions that the language lacks, and how to write them
//   language.h        which language a module or a function is from
//   operand.h         values as they are written here
//   names.h           what is known where a line stands
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/translate/function.h"
#include "grammar/translate/names.h"
#include "grammar/translate/operand.h"
#include "grammar/translate/tree.h"

namespace shard {

class ForeignWriter {
 public:
  explicit ForeignWriter(const ForeignNames& names) : names_(names) {}

  // What is foreign in it, and why.
  struct Piece {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string message = {};
    std::string example = {};  // a line that can be pasted, if the foreign one cannot be written
  };

  // nullopt: there is no such line here.
  std::optional<ForeignOperand> write(const ForeignTree& tree);
  // The first foreign piece that was met; that which cannot be written goes before.
  const std::optional<Piece>& piece() const { return stuck_ ? stuck_ : piece_; }

  // The axes of `P('X', None)`, also in a NamedSharding; nullopt if it is no layout.
  std::optional<std::vector<std::vector<std::string>>> layout_of(const ForeignTree& tree) const;
  // Names that are no array so far get these dimensions.
  ForeignOperand unknown_array(const std::string& name, std::size_t rank);
  ForeignOperand unknown_array(const std::string& name, const std::vector<std::string>& dimensions);
  bool is_unknown(const ForeignTree& tree) const;
  // `In[B_X, D]`, an array with the brackets that it has here; nullopt if these may be another language's index.
  std::optional<ForeignOperand> bracketed_array(const ForeignTree& tree) const;
  // The dimensions of the target, where it stands with brackets or is known.
  // `I_X` of what stands in brackets.
  ForeignDimension dimension_written(const std::string& text) const;
  void tell_target(std::vector<ForeignDimension> dimensions) { target_ = std::move(dimensions); }
  // The array gets this name in a statement that stands before the line.
  std::string name_before(const ForeignOperand& array);
  // Statements that stand before the line: a reshape within it.
  const std::string& before() const { return before_; }
  // All that got some.
  const std::map<std::string, ForeignArray>& invented() const { return invented_; }

 private:
  struct Arguments {
    std::vector<const ForeignTree*> positional;
    std::vector<const ForeignTree*> keywords;

    const ForeignTree* keyword(std::string_view name) const;
    const ForeignTree* at(std::size_t place, std::string_view name) const;
  };
  using Operands = std::vector<ForeignOperand>;
  using Result = std::optional<ForeignOperand>;

  // ---- writer.cpp: names, numbers, operators, what stands after a dot
  void note(const ForeignTree& tree, std::string message, std::string example = "");
  Result stuck(const ForeignTree& tree, std::string message, std::string example = "");
  // Why the function that is applied is nothing here as it stands, in the place of what is said of it in general.
  void explain(std::string reason) {
    if (reason_.empty()) reason_ = std::move(reason);
  }
  std::vector<std::string> free_names(const std::set<std::string>& taken) const;
  Result write_name(const ForeignTree& tree);
  Result write_unary(const ForeignTree& tree);
  Result write_binary(const ForeignTree& tree);
  Result write_contraction(const ForeignTree& tree);
  Result write_matrix_product(const ForeignTree& tree);
  Result write_attribute(const ForeignTree& tree);
  // in index.cpp
  Result write_index(const ForeignTree& tree);
  Result write_pick(const ForeignTree& tree, const ForeignOperand& array);
  // in places.cpp
  std::string element_text(const ForeignTree& tree) const;
  bool has_places(const ForeignTree& tree) const;
  Result write_places(const ForeignTree& tree, const ForeignOperand& array);
  Result write_places_or_why(const ForeignTree& tree, const ForeignOperand& array);
  // in slice.cpp
  Result write_slice(const ForeignTree& tree, const ForeignOperand& array);
  std::vector<std::string> unused_names(const ForeignOperand& array,
                                        std::initializer_list<const char*> wanted) const;
  Result write_array(const ForeignTree& tree, std::size_t rank = 2);
  Result elementwise(std::string_view sign, const ForeignOperand& left,
                     const ForeignOperand& right);

  // ---- einops.cpp
  Result apply_rearrange(const Arguments& arguments);
  Result apply_einops_reduce(const Arguments& arguments);
  struct EinopsPattern;
  static std::optional<EinopsPattern> einops_pattern(const Arguments& arguments);
  Result reshaped_in_order(const ForeignOperand& array, const EinopsPattern& pattern,
                           const Arguments& arguments);
  Result reshaped(const ForeignOperand& array, const EinopsPattern& pattern,
                  const Arguments& arguments);

  // ---- call.cpp: functions
  Result write_call(const ForeignTree& tree);
  Result apply(const ForeignFunction& function, const ForeignTree& tree,
               const Arguments& arguments);
  Result write_compared(const ForeignTree& call);
  Result apply_lacking_method(const ForeignTree& callee, Arguments arguments);
  // in keyword.cpp
  std::optional<std::vector<const ForeignTree*>> in_order(const std::string& function,
                                                          const Arguments& arguments);
  bool is_of_unknown_module(const ForeignTree& callee, const Arguments& arguments) const;
  Result apply_form(const ForeignFunction& function, const Arguments& arguments);
  Result apply_product(const ForeignFunction& function, const Arguments& arguments);
  Result apply_einsum(const Arguments& arguments);
  std::optional<std::string> einsum_result(const std::vector<std::string>& letters,
                                           std::string out);
  Result missing_operand(const Operands& others, const std::vector<std::string>& letters,
                         const std::string& out);
  // in einsum.cpp
  bool expand_ellipsis(const Arguments& arguments, std::vector<std::string>& letters,
                       std::string& out);
  Result einsum_of(const Arguments& arguments, const std::vector<std::string>& letters,
                   const std::string& out);
  bool check_lengths(const ForeignTree& pattern, const Operands& operands,
                     const std::vector<std::string>& letters);
  Result apply_reduce(const ForeignFunction& function, const Arguments& arguments);
  Result apply_elements(const ForeignFunction& function, const Arguments& arguments);
  Result like_array(const ForeignFunction& function, const Arguments& arguments);
  Result apply_input(const ForeignFunction& function, const Arguments& arguments);
  Result apply_wrapper(const ForeignTree& tree);
  Result apply_lacking(const ForeignTree& callee, const std::string& path,
                       const Arguments& arguments);
  Result apply_top(const Arguments& arguments);
  Result apply_pick(const Arguments& arguments);
  Result index_of(const std::string& name, const ForeignOperand& table);
  std::optional<std::vector<std::size_t>> axes_argument(const ForeignTree* tree,
                                                        const ForeignOperand& operand) const;

  // ---- layout.cpp: shapes and layouts
  Result apply_layout_function(const ForeignFunction& function, const Arguments& arguments);
  Result apply_reshape(const Arguments& arguments);
  std::optional<std::int64_t> elements_of(const std::vector<ForeignDimension>& dimensions) const;
  std::optional<std::string> rest_of_shape(const ForeignOperand& array,
                                           const std::vector<ForeignDimension>& shape) const;
  std::optional<std::vector<ForeignDimension>> new_shape(const ForeignOperand& array,
                                                         const Arguments& arguments);
  Result apply_transpose(const ForeignFunction& function, const Arguments& arguments);
  Result apply_cast(const ForeignFunction& function, const Arguments& arguments);
  Result apply_device(const Arguments& arguments);
  static bool is_device(const Arguments& arguments);
  // ---- collective.cpp: collectives
  Result write_called_collective(const ForeignTree& callee, const Arguments& arguments);
  Result apply_collective(const ForeignFunction& function, const Arguments& arguments);
  struct Moved {
    const ForeignTree* input = nullptr;
    const ForeignTree* output = nullptr;
  };
  Moved moved_by(const ForeignFunction& function, const Arguments& arguments) const;
  std::vector<std::string> collective_axes(const Arguments& arguments, const ForeignOperand& array,
                                           bool reduces) const;
  // in collective_place.cpp: which dimensions a collective of JAX is along, and where blocks move
  static bool has_named_axes(const Arguments& arguments);
  const ForeignFunction* function_called(const ForeignTree& callee, const std::string& path,
                                         const Arguments& arguments) const;
  static bool is_tiled(const Arguments& arguments);
  static std::optional<std::int64_t> written_place(ForeignForm form, const Arguments& arguments);
  static std::size_t collective_rank(ForeignForm form, const Arguments& arguments);
  std::optional<std::size_t> dimension_argument(const ForeignTree* tree,
                                                const ForeignOperand& array) const;
  std::optional<std::size_t> joined_dimension(ForeignForm form, const Arguments& arguments,
                                              const ForeignOperand& array) const;
  bool joins_split(const ForeignOperand& array, std::size_t joined, std::size_t split,
                   const std::string& axis);
  void explain_untiled(const ForeignFunction& function, const Arguments& arguments,
                       const std::vector<std::string>& axes);
  std::optional<std::int64_t> shift_distance(const Arguments& arguments);
  std::string example_of(const ForeignFunction& function, const Arguments& arguments) const;
  void take_known_layout(ForeignOperand& array) const;
  Result sum_of_blocks(const ForeignFunction& function, const ForeignOperand& array,
                       const std::string& axis);
  Result without_sums(const ForeignFunction& function, const ForeignOperand& array,
                      const std::vector<std::string>& axes);
  Result reduced(const ForeignFunction& function, const Arguments& arguments, ForeignOperand array,
                 const std::vector<std::string>& axes);
  Result moved(const ForeignFunction& function, const Arguments& arguments, ForeignOperand array,
               const std::vector<std::string>& axes);
  Result exchanged(const Arguments& arguments, const ForeignOperand& array,
                   const std::vector<std::string>& axes);
  // ---- layer.cpp: layers, which have their weights inside
  Result apply_layer(const ForeignFunction& function, const ForeignTree& tree);
  Result apply_dense(const ForeignFunction& function, const Arguments& sizes,
                     const ForeignOperand& array);
  Result apply_lookup(const ForeignFunction& function, const Arguments& sizes,
                      const ForeignOperand& index);
  Result apply_weights(const ForeignTree& tree);
  Result apply_layer_of_array(const ForeignFunction& function, const Arguments& arguments);
  Result apply_weights_alone(const ForeignFunction& function, const Arguments& arguments);
  std::optional<std::vector<ForeignDimension>> weights_of(const ForeignFunction& function,
                                                          const Arguments& sizes,
                                                          const std::string& from,
                                                          const std::string& axis) const;
  std::string weights_axis(const ForeignFunction& function, const ForeignOperand* array) const;
  std::string free_array(std::string_view name) const;

  Result apply_relayout(const ForeignFunction& function, const Arguments& arguments);
  Result apply_sizes(const ForeignFunction& function, const Arguments& arguments);
  std::optional<std::vector<ForeignDimension>> shape_of(
      const std::vector<const ForeignTree*>& sizes) const;
  std::string axis_named(std::string_view word) const;
  std::vector<std::string> axes_written(std::string_view subscript) const;
  std::optional<std::vector<std::vector<std::string>>> placements_of(const ForeignTree& tree) const;
  std::optional<std::vector<std::vector<std::string>>> named_layout(const std::string& name) const;

  const ForeignNames& names_;
  std::optional<Piece> piece_;
  std::optional<Piece> stuck_;
  std::string reason_;
  std::map<std::string, ForeignArray> invented_;
  std::string before_;
  std::vector<ForeignDimension> target_;
};

// "fp32" of `jnp.float32`, `torch.bfloat16`, `'int8'`; empty if it is no element type.
std::string foreign_dtype(const ForeignTree& tree);
// `w.dtype`: the array whose element type it is; "" if it is none.
std::string array_of_dtype(const ForeignTree& tree);
// A number that is written; nullopt if it is none that is whole.
std::optional<std::int64_t> foreign_number(const ForeignTree& tree);

}  // namespace shard
