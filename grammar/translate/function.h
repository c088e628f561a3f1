// Functions of other languages, and what they are here.
#pragma once

#include <string>
#include <string_view>

#include "base/dtype.h"
#include "grammar/translate/tree.h"

namespace shard {

enum class ForeignForm {
  Say,           // there is no line for it
  Einsum,        // `einsum("bd,df->bf", x, w)`
  Product,       // of matrices, by position
  Outer,         // of all dimensions of both
  Reduce,        // `word_D(x)`
  Along,         // the same, along the last dimension if none is named
  Call,          // `word(x)`, element by element
  Infix,         // `x word y`
  Square,        // x ⊙ x
  Input,         // `A[I, J] = word`, of a shape
  Like,          // the same, of the shape of an array
  Load,          // `load("a.npy")`
  Save,          // `save A "a.npy"`
  Cast,          // another element type
  Reshape,       // `y[B, N, H] = Reshape(x)`
  Rearrange,     // `b (n h) -> b n h`
  EinopsReduce,  // `reduce(x, 'b d -> b', 'mean')`
  Transpose,     // dimensions in another order
  Same,          // its first argument
  AllReduce,     // and the other collectives
  AllGather,
  ReduceScatter,
  AllToAll,
  Shift,
  Relayout,  // `x[B, D] → x[B_X, D]`
  Layout,    // `P('X', None)`
  Wrapper,   // a function of functions: what it is given is called
  Top,       // `top_{D,K}(x)`
  Pick,      // `E[V, D][V = t]`
  Sizes,     // `|B|, |D|`
  Count,     // `|B| * |D|`
  Length,    // of the first dimension
  Bytes,     // `bytes(x)`
  Devices,   // `devices`
  Seed,      // a number
  Device,    // `x.cuda(1)`: `x[B]{Z=0} → x[B]{Z=1}`
  Mesh,      // `mesh {X: 4, Y: 2}`
  Dense,     // a layer `Linear(D, F)(x)`: `x ·_D W`, of which `word` says what is split
  Lookup,    // `Embedding(V, D)(t)`, the same
  Element,   // `ReLU()(x)`
};

struct ForeignFunction {
  std::string_view name;
  ForeignForm form;
  std::string_view word;     // what it is called here
  std::string_view meaning;  // "here …"
  std::string_view
      example;  // a line that can be pasted, for where no line can be built; may be empty
};

// The collective of the notation that the word names in any spelling, `AllGather`, `allgather`; null if there is none.
const ForeignFunction* called_collective(std::string_view word);
// The function after the last dot of `np.linalg.norm`; null if the table has none.
const ForeignFunction* foreign_function(std::string_view name);
// `jnp.float32(x)`: a type that is called.
ForeignFunction foreign_cast(DType dtype);
// What stands after a dot of an array: `x.T`, `x.sum()`; null if the table has none.
const ForeignFunction* foreign_method(std::string_view name);

// `jax.lax.psum` as it is written, or nothing if it is no chain of names.
std::string path_of(const ForeignTree& tree);

}  // namespace shard
