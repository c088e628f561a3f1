// What is written otherwise before a line is searched for notation. Private to the folder.
#pragma once

#include "grammar/posted/posted.h"
#include "grammar/posted/respelt.h"

namespace shard {

// ---- typst.cpp: `$"AllGather"_(X)(Y[D_X, F]) -> Y[D, F]$`, `dot_D`, `J_(X Y Z)`
void respell_typst(Respelt& line);

// ---- formula.cpp: what formulas have beyond grammar/markup/: `\xrightarrow{…}`, `^{\{U_X\}}`
// Before its markup is removed.
void respell_formula(Respelt& line);
// `AllGather over X of A[I_X, J]`, in a formula or not.
void respell_collective_over(Respelt& line);

// ---- bracketless.cpp: `BM_x × M_xE = BE → RS over x → BE_x`, a formula, inline code or all of the line
// Before its markup is removed. Whether there was such a chain.
bool respell_bracketless(Respelt& line);

// ---- chain.cpp: what such a chain says
// What an arrow says: `AllGather_x` for `\text{AG over x}`; nullopt if that is no collective.
std::optional<std::string> collective_of_arrow(std::string_view text);

// ---- sign.cpp: signs and letters of other blocks of Unicode
void respell_signs(Respelt& line);

// ---- jax.cpp: types and meshes as JAX prints them; whether a type was inside a call
bool respell_jax(Respelt& line);

// ---- layout.cpp: axes beside dimensions: `F{X}`, `F@X`, `B~X~`, `W[in][D, F]`
void respell_layouts(Respelt& line);
// What is a mistake in a script, and clear in a line with remarks: `[N P]`, `_X,K`. Whether there was any.
bool respell_slips(Respelt& line);

// ---- spec.cpp: `A[I, J] P('X', None)`, `[Shard(0), Replicate()]` beside an array; whether there was one
bool respell_specs(Respelt& line, const PostedNames& names);

// ---- partial.cpp: `C[I, K] { partial sum }`: what is unreduced, said in words
void respell_partial_sums(Respelt& line);

// ---- einsum.cpp: `einsum("bd,df->bf", x, w)` of arrays whose dimensions are known; whether there was one
bool respell_einsum(Respelt& line, const PostedNames& names);

}  // namespace shard
