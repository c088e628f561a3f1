// The product A[I, J] · B[J, K] → C[I, K] on a mesh of two rings of four (labels I = 0, J = 1, K = 2).
#pragma once

#include "interpreter/planning/local_layout.h"
#include "runtime/machine/machine.h"
#include "tests/interpreter/support/machines.h"

namespace shard::testing {

inline const Mesh& mesh() {
  static const Machine machine = rings({4, 4});
  return machine.mesh;
}

inline const planning::Labels kLeft = {0, 1};
inline const planning::Labels kRight = {1, 2};
inline const planning::Labels kResult = {0, 2};

}  // namespace shard::testing
