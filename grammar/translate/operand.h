// Values of foreign expressions as they are written here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grammar/translate/names.h"

namespace shard {

struct ForeignOperand {
  // How close its text holds together.
  enum class Rank { Comparison, Sum, Product, Power, Atom };
  // How it may be used.
  enum class Use {
    Value,     // anywhere
    Target,    // anywhere, but the order of its dimensions is said by the target
    Alone,     // alone after `=`, where the target has brackets
    Declared,  // the same, and `dtype` is declared before
  };

  std::string text = {};  // of a named array without its brackets
  Rank rank = Rank::Atom;
  Use use = Use::Value;
  bool is_array = false;
  bool named = false;
  bool must_bracket = false;  // of a named array: its brackets rename dimensions, or make it known
  std::vector<ForeignDimension> dimensions = {};  // of a named array as they are stored
  std::vector<std::string> unreduced = {};
  std::string placed = {};
  std::vector<std::size_t> order = {};  // of the dimensions as the foreign line counts them
  std::string dtype = {};
  std::string flow_of = {};   // the array whose copies it adds to, if the target has its name
  bool is_part = false;       // one of its dimensions is shorter than that of its name
  bool names_target = false;  // `flow_of` is the array that a call names as its output

  const ForeignDimension& seen(std::size_t place) const { return dimensions[order[place]]; }
  std::vector<std::string> seen_names() const;
  std::vector<ForeignDimension> seen_dimensions() const;
  bool is_reordered() const;
};

// "_X", "_{XY}", "_{data,model}"; nothing without axes.
std::string axes_text(const std::vector<std::string>& axes);
// "[B_X, D]{U_Y}".
std::string brackets_text(const std::vector<ForeignDimension>& dimensions,
                          const std::vector<std::string>& unreduced = {});
// "_D", "_{D,F}".
std::string index_text(const std::vector<std::string>& names);
// With brackets if it has any.
std::string bracketed_text(const ForeignOperand& operand);
// The operand where it stands among operators that bind as close as `rank`; with brackets where they are needed.
std::string operand_text(const ForeignOperand& operand, ForeignOperand::Rank rank);

// A number.
ForeignOperand scalar(std::string text, ForeignOperand::Rank rank = ForeignOperand::Rank::Atom);
// The array that a computation gives: axes that stand twice are dropped.
ForeignOperand computed(std::string text, ForeignOperand::Rank rank,
                        std::vector<ForeignDimension> dimensions);
// The same, which stands alone in its statement.
ForeignOperand alone(std::string text, std::vector<ForeignDimension> dimensions);

// `bd,df->bf` of these operands: `sums` are the letters of each, `out` those of the result. Dimensions of equal letters get
// one name. nullopt if it is neither a product, a sum nor another order, or if one letter has two lengths.
std::optional<ForeignOperand> contraction(std::vector<ForeignOperand> operands,
                                          const std::vector<std::string>& letters,
                                          const std::string& out, const ForeignNames& names);
// Whether both are known to be equally long, by a name that both have or by their lengths.
bool are_equally_long(const std::string& left, const std::string& right, const ForeignNames& names);

// The product of matrices by position, or by the one name that both have.
std::optional<ForeignOperand> matrix_product(const ForeignOperand& left,
                                             const ForeignOperand& right,
                                             const ForeignNames& names);
// The dimensions that `left @ right` sums over by position.
struct SummedPlaces {
  std::size_t left = 0;
  std::size_t right = 0;
};
SummedPlaces summed_places(const ForeignOperand& left, const ForeignOperand& right);

}  // namespace shard
