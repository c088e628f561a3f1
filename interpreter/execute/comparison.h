// How what the devices hold compares with the unsharded computation.
#pragma once

#include <cstddef>
#include <string>

#include "interpreter/ir/symbols.h"
#include "interpreter/program/program.h"

namespace shard {

// How the copies of one array compare with what they have to be.
struct Comparison {
  ArrayId array;
  int copies = 0;            // number compared
  std::size_t elements = 0;  // of the array
  bool within = true;        // every judged element is within its bound, in every copy
  int statement = -1;        // the first statement with a copy that is not
  // Elements of which nothing can be said, because they depend on NaN or infinities, or rounding decides them; and
  // those of them that are themselves not finite.
  std::size_t not_judged = 0;
  std::size_t not_finite = 0;
  double largest_error = 0;  // absolute
  double largest_share = 0;  // relative to the bound; > 1 is outside
  // Distance from the whole script without shards in fp64, as a share of the largest element of both. Elements that are
  // not finite in one of them are left out.
  double drift = 0;
};

// "`C` differs from what `C[I, K] = A[I, J] · B[J, K]` gives in fp64 by 0.25, more than rounding explains". REQUIRES:
// not within its bounds.
std::string difference_text(const Comparison& comparison, const Program& program,
                            const Scope& scope);

}  // namespace shard
