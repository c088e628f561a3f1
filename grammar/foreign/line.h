// Parts of reading foreign lines, each in a file. Private to the folder.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/collective.h"
#include "grammar/foreign/foreign.h"
#include "grammar/translate/token.h"

namespace shard {

// Names with arrays besides: parameters of a function, what lines before have made.
class MoreForeignNames : public ForeignNames {
 public:
  explicit MoreForeignNames(const ForeignNames& names) : names_(names) {}
  void add(const std::string& name, ForeignArray array) { arrays_[name] = std::move(array); }
  // Parameters are what the function's own lines make of them.
  void hide(const std::string& name) { hidden_.push_back(name); }

  bool is_array(std::string_view name) const override;
  std::optional<ForeignArray> array(std::string_view name) const override;
  bool is_scalar(std::string_view name) const override;
  bool is_zero(std::string_view name) const override {
    return is_scalar(name) && names_.is_zero(name);
  }
  bool is_function(std::string_view name) const override { return names_.is_function(name); }
  std::vector<std::string> dimensions() const override { return names_.dimensions(); }
  std::optional<std::string> dimension_of(std::int64_t length) const override {
    return names_.dimension_of(length);
  }
  std::optional<std::int64_t> length_of(std::string_view dimension) const override {
    return names_.length_of(dimension);
  }
  std::vector<std::string> axes() const override { return names_.axes(); }
  std::vector<std::string> parameters(std::string_view function) const override {
    return names_.parameters(function);
  }
  std::vector<std::string> written(std::string_view name) const override {
    return names_.written(name);
  }

 private:
  bool is_hidden(std::string_view name) const;

  const ForeignNames& names_;
  std::map<std::string, ForeignArray, std::less<>> arrays_;
  std::vector<std::string> hidden_;
};

// ---- line.cpp: assignments, prints and expressions of functions
struct ForeignLine {
  ForeignMistake mistake;
  std::string line;       // what it is here; empty: there is no such line
  bool needless = false;  // it does nothing, so it is no help
  std::map<std::string, ForeignArray>
      invented;  // arrays that nothing declared, as the line has them
};
std::optional<ForeignLine> read_foreign_line(std::string_view text, const ForeignNames& names);

// ---- word.cpp: by their first word
std::optional<ForeignMistake> read_foreign_words(std::string_view text, const ForeignNames& names);

// ---- c.cpp: `float A[64][128];`, `std::vector<float> q(B * D);`
std::optional<ForeignMistake> read_c_declaration(std::string_view text, const ForeignTokens& tokens,
                                                 const ForeignNames& names);

// ---- sheet.cpp: `=2*B2*C2`, `SUM(a; b)`
std::optional<ForeignMistake> read_foreign_sheet(std::string_view text, const ForeignNames& names);

// ---- remark.cpp: `// gathered`, `/* gathered */`
std::optional<ForeignMistake> read_foreign_remark(std::string_view text);

// ---- block.cpp: blocks by indentation, and of C
std::optional<ForeignMistake> read_foreign_block(std::string_view text, const ForeignNames& names);

// ---- sign.cpp: operators that are written otherwise here
std::optional<ForeignMistake> read_foreign_signs(std::string_view text, const ForeignNames& names);
bool ends_operand(const ForeignToken& token);

// ---- condition.cpp: conditions of elements, `C = (A > 0) & (B > 0)`
std::optional<ForeignMistake> read_conditions_of_arrays(std::string_view text,
                                                        const ForeignNames& names);

// ---- order.cpp: meshes, types and arrows in another order
std::optional<ForeignMistake> read_foreign_order(std::string_view text, const ForeignNames& names);

// ---- declaration.cpp: `x: torch.float16[B, D]`, `W: bf16[D, F] placements=[Shard(1)]`
std::optional<ForeignMistake> read_foreign_declaration(std::string_view text,
                                                       const ForeignNames& names);

// ---- mark.cpp: `a[B]{Z: 0}`; target.cpp: `A · B →`
std::optional<ForeignMistake> read_foreign_mark(std::string_view text, const ForeignNames& names);
std::optional<ForeignMistake> read_foreign_target(std::string_view text, const ForeignNames& names);

// ---- board.cpp: `C_{ik} = \sum_j A_{ij} B_{jk}`, `A ∈ R^{I×J}`
std::optional<ForeignMistake> read_foreign_board(std::string_view text, const ForeignNames& names);

// ---- matrix.cpp: `y = W x`, `y = x * w'`
std::optional<ForeignMistake> read_foreign_matrices(std::string_view text,
                                                    const ForeignNames& names);

// ---- form.cpp: what the notation has itself, in another form
std::optional<ForeignMistake> read_foreign_form(std::string_view text, const ForeignNames& names);

// ---- bracket.cpp: `A[I][J]`, `A(I, J)`
std::optional<ForeignMistake> read_two_pairs(std::string_view text, const ForeignNames& names);
std::optional<ForeignMistake> read_parentheses(std::string_view text, const ForeignTokens& tokens,
                                               const ForeignNames& names);

// ---- transpose.cpp: `A' B`, `B[K, J].T`
std::optional<ForeignMistake> read_foreign_transpose(std::string_view text,
                                                     const ForeignNames& names);

// ---- near.cpp: `approx(64, rel=0.01)`
std::optional<ForeignMistake> read_foreign_near(std::string_view text, const ForeignTokens& tokens);

// ---- factor.cpp: factors side by side, also in LaTeX
std::optional<ForeignMistake> read_foreign_formula(std::string_view text,
                                                   const ForeignNames& names);
std::optional<ForeignMistake> read_foreign_factors(std::string_view text,
                                                   const ForeignNames& names);

// ---- phrase.cpp: `move A[I_X] to A[I]`, `gather x over X`
// What papers call a collective: `AG`, `AG_X`.
std::optional<CollectiveKind> abbreviated_collective(std::string_view word);
std::optional<ForeignMistake> read_foreign_phrase(std::string_view text, const ForeignNames& names);

// ---- split.cpp: `A: bf16[I, J] sharded on X`, `allgather A[I_X, J] over X → A[I, J]`
std::optional<ForeignMistake> read_foreign_split(std::string_view text, const ForeignNames& names);

// ---- size.cpp: `x.shape[0] / |X|`
std::optional<ForeignMistake> read_foreign_size(std::string_view text, const ForeignNames& names);

// ---- shape.cpp: `A: I × J in bf16`
std::optional<ForeignMistake> read_foreign_shape(std::string_view text);

// ---- decorator.cpp: `@jax.jit`, `@partial(shard_map, in_specs=…)`
std::optional<ForeignMistake> read_foreign_decorator(std::string_view text,
                                                     const ForeignNames& names);

// ---- text.cpp: pieces of texts
// The text without blanks around it.
std::string_view bare_text(std::string_view text);
// Where the bracket at `open` is closed, of whatever kind; npos if it is not.
std::size_t closing_bracket(std::string_view text, std::size_t open);
// The arguments of a call: what stands between the commas that no brackets hold.
std::vector<std::string> parted_at_commas(std::string_view text);

// ---- foreign.cpp
// Ends what is said of a line that does nothing here: it is offered as a remark.
inline constexpr std::string_view kLeaveOut = ", so leave the line out";
// Whether the parser reads the text without a mistake.
bool is_readable(std::string_view text);
// The line becomes the help of the mistake if it can be read.
inline void offer_line(ForeignMistake& mistake, std::string_view line) {
  line = bare_text(line);
  if (is_readable(line)) mistake.help = {std::string(line)};
}

// Of the piece [begin, end) of a text, with no help yet.
inline ForeignMistake foreign_mistake(std::size_t begin, std::size_t end, std::string message) {
  return {.begin = begin, .end = end, .message = std::move(message)};
}
inline ForeignMistake foreign_mistake(const ForeignToken& token, std::string message) {
  return foreign_mistake(token.begin, token.end, std::move(message));
}
inline ForeignMistake foreign_mistake(const ForeignToken& first, const ForeignToken& last,
                                      std::string message) {
  return foreign_mistake(first.begin, last.end, std::move(message));
}

}  // namespace shard
