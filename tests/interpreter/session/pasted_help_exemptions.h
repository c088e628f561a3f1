// Helps whose text is not to be pasted as it stands, by the script that draws them (pasted_help_test.cpp).
#pragma once

#include <string>
#include <vector>

namespace shard::pasted_help_test {

// A help that shows how something is written in general, or whose line has another mistake that the help cannot know of.
struct Exemption {
  std::string script;
  std::string help;
};
inline const std::vector<Exemption> kGeneral = {
    {"function_without_call.shard", "it is called as half(n)"},
    {"function_without_call.shard", "it is called as relu(A)"},
    {"function_without_call.shard", "it is called as softmax_J(A)"},
    {"best_mistakes.shard",
     "a hole stands for the axes of a dimension: best { A[I_?, J] ·_J B[J_?, K] → C[I, K] }"},
    {"best_mistakes.shard", "`best 3 { A[I_?, J_?] ·_J B[J_?, K_?] → C[I, K] }`"},
    {"no_gradient.shard",
     "as the condition of `where(A > 0, A, 0)` a comparison only chooses, and gradients go past "
     "it"},
    {"place_best.shard", "`mesh {X: 8, Y: 8} place best c.time`"},
    {"placement_alone.shard", "`mesh {X: 8, Y: 8} place best c.time`"},
    {"axis_lists.shard",
     "a parameter that is to be split over exactly one axis has `B_Y` instead of `B_{Y…}`"},
    {"axis_lists_out_of_place.shard", "inside of the function all of them are `Y`: `h[B_Y, D]`"},
    {"scatter.shard", "S[E, J, D] = scatter_{E,J}(Pick[T], Slot[T], A[T, D])"},
    // What both sides are.
    {"answers-unlike-expected.shard",
     "the left side is sqrt(B·N / F), the right side sqrt(2·B·N / F)"},
    {"when_units.shard", "c.math = 142.8 ps·B, c.hbm_bytes = 576·B + 262144 B"},
    {"when_units.shard", "c.math = 142.8 ps·B, c.hbm_bytes · 1 s = 576·B + 262144 B·s"},
    {"parts.shard", "B[I, 8] = A[I, 0:8]"},
    {"questions.shard", "`solve B { c.math = c.comms }`"},
    {"updates.shard", "each index picks from a dimension of its own: A[I, J][I = 3, J = 0] = …"},
    {"updates.shard", "a part stands in the place of its dimension: A[:, 0:4]"},
    {"parts.shard", "C[I, J] = concat_J(A[I, K], B[I, L])"},
    {"parts.shard",
     "a dimension of its own has the whole length: J = K + L, then C[I, J] = concat_J(A[I, K], "
     "B[I, L])"},
    {"parts.shard",
     "what `one_hot` makes has a dimension more than its indices: one_hot_E(Pick[T])"},
    {"parts.shard", "one_hot_E(Pick)"},
    {"arrays_as_arguments.shard",
     "texts stand in `print \"text\", x`, `save A \"a.npy\"` and `load(\"a.npy\")`"},
    {"contents.shard", "A = load(\"a.npy\")"},
    // A list of what takes the memory.
    {"OutOfDeviceMemory", "A[I_X]: 4.096 kB (input)"},
    {"out_of_device_memory.shard", "A[I_X, J_Y]: 8.389 MB (input)"},
    {"declared_with_value.shard", "write its dimensions to make it an input: `foo[I, J]`"},
    {"fault.shard", "a network that is slow is written mesh {P: 2 dcn 1e9 B/s}"},
    {"fault.shard", "`fault link X[3]`"},
    {"fault.shard", "`slow link X[3] by 10`"},
    {"fault.shard", "`slow link X[3] to 1e9 B/s`"},
    {"fault.shard",
     "put it before the first of them, and say when it happens: fault link R[2] at 2 us"},
    {"jax-axis-index.shard", "y[B, D] = x[L, B, D][L = coord(X)]"},
    {"many_open_sizes.shard", "give them sizes: B = 1024"},
    {"new_user_unreduced_spelt_wrong.shard",
     "one that only the devices with Z = 0 hold is written `A[I, J]{Z=0}`"},
    {"one_mistake_one_error.shard",
     "formulas are written as scalars: `T = 2*B*D*F / C`; remarks begin with `#`"},
    {"overlap-misplaced.shard",
     "once is enough; several axes are overlapped together: overlap {XY}"},
    {"reductions.shard", "give what is found a dimension of its own: top_{E,J}, J = 2"},
    {"send.shard", "`send A from (0,0) to (3,3)`"},
    {"index_among_dimensions.shard", "`W[L = l]` where the layout of `W` is known"},
};
inline const std::vector<Exemption> kOtherMistakes = {
    // J is not 4 long.
    {"parts.shard", "b = A[I, 4][I = 3]"},
    // The arrays are not there, or have other dimensions.
    {"index_behind_expression.shard", "E[K = 3] = E[K = 3] + 2"},
    {"index_behind_expression.shard", "A[I, J] = A - B"},
    {"index_behind_expression.shard", "KC[B, S, H][S = pos] = KC[B, S, H][S = pos] + v"},
    {"scatter.shard", "t[T_Y, D] = ReduceScatter_Y A"},
    // The module has to be read as well.
    {"library-hints.shard", "did you mean `training_flops`? The library has it: use transformer"},
    // The loop changes what W is.
    {"no_gradient.shard", "an element along the first dimension is W[D = D]"},
    // What is gathered has the dimension `B` twice.
    {"misspelt_collective_in_latex.shard", "AllGather_X(A[B_X, B])"},
    // What flows there has another dimension, too.
    {"mistakes_inside_calls.shard", "the mesh has the axis X; with `Z` it is mesh {X: 2, Z: 2}"},
    // B is an array, and no size.
    {"reckoned_lengths.shard", "print bytes(Q[B / 3, 4])"},
    // The function stands below.
    {"46-jax-shard-map-decorator.shard", "y[B_X, F_Y] = layer(x[B_X, D], w[D, F_Y])"},
    // 3 is not 1024.
    {"new_user_expect_without_comparison.shard", "expect 3 = 1024"},
    // The line before the loop goes as well, as is said.
    {"52-accumulate-in-loop.shard", "total = 4 * c.comms"},
    {"19-pluseq-in-a-loop.shard", "total = 4 * c.comms"},
    {"40-accumulate-in-loop.shard", "total = L * 2"},
    // The function's parameters need the dimension first.
    {"jax-vmap.shard", "Out[B_X, S, F] = proj(In[B_X, S, D], W[D, F])"},
};

}  // namespace shard::pasted_help_test
