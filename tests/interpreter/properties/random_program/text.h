// A program as the property test thinks of it: names only, nothing of the interpreter's tree or tables; and as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/element/dtype.h"
#include "runtime/plan/plan.h"

namespace shard::random_program {

using Names = std::vector<std::string>;

// "A[I_X, J_{YZ}]{U_W}", or a bare "A".
struct Brackets {
  std::string name;
  bool bare = false;
  Names dims;
  std::vector<Names> axes;  // parallel to dims
  Names unreduced;
};

struct Expr {
  enum class Kind { Use, Product, Collective };
  Kind kind = Kind::Use;
  Brackets use;
  std::vector<Expr> operands;  // two or more of a product, one of a collective
  std::vector<Names> indices;  // of a product: one for each sign, empty if not written
  bool local = false;          // ·LOCAL, all signs
  CollectiveKind collective = CollectiveKind::AllGather;
  Names axes;  // empty: not written
  // Of a ReduceScatter or AllToAll: the dimension that each axis goes to, the last one that of all further axes. Empty: not
  // written.
  Names homes;
  int shift = 1;
};

// REQUIRES: it names homes.
inline const std::string& home_of(const Expr& collective, std::size_t axis) {
  return axis < collective.homes.size() ? collective.homes[axis] : collective.homes.back();
}

struct Statement {
  Expr value;
  std::optional<Brackets> target;
  bool assignment = false;  // T = E instead of E → T
};

struct Axis {
  std::string name;
  std::int64_t length = 1;
};
struct Dimension {
  std::string name;
  std::int64_t length = 1;
};
struct Declaration {
  Brackets array;
  DType dtype = DType::Bf16;
};

struct Script {
  std::vector<Axis> axes;
  bool hardware = false;  // a slice of TPU v5p names the axes; otherwise a mesh without a chip
  std::vector<Dimension> dimensions;
  std::vector<Declaration> declarations;
  std::vector<Statement> statements;
};

// How the same text is spelled.
struct Style {
  bool ascii = false;     // ->, *
  bool commas = false;    // I_{X,Y}
  bool unbraced = false;  // I_XY, for axes of one letter
};

std::string text_of(const Script& script, const Style& style);

}  // namespace shard::random_program
