// Signs by which formulas give a name its value, and those of other notations, between which nothing is a statement of its own.
#pragma once

#include <string>
#include <string_view>

namespace shard {

// The text with `=` for `:=` and the like, in as many bytes.
std::string with_equal_signs(std::string_view text);

// Whether the formula has an arrow to the left: it is one of another notation.
bool has_left_arrow(std::string_view formula);

// Whether what stands between two pieces of a text makes one statement of another notation of them: `C[I, K] <- A[I_X, J]`.
bool joins_pieces(std::string_view between);

// Whether a piece of a formula is a factor of a product that could not be read, by what stands before and behind it.
bool is_cut_from_product(std::string_view before, std::string_view behind);

}  // namespace shard
