// Expressions: arrays with their brackets, numbers, operators, collectives, calls, blocks.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/collective.h"
#include "base/match.h"
#include "base/rational.h"
#include "base/unit.h"
#include "grammar/source/source.h"

namespace shard::ast {

// Where a node was written. Places never make two trees differ.
struct Location {
  Span span;
  friend bool operator==(const Location&, const Location&) { return true; }
};

// A name in its first spelling. `name_key` in grammar/tree/names.h defines which spellings are the same name.
struct Identifier {
  std::string text;
  Location at;
  friend bool operator==(const Identifier&, const Identifier&) = default;
};

// A literal. `value` is in base units (bytes, seconds, FLOPs) with suffixes applied; `text` is its canonical spelling
// ("48k", "4.5e10 B/s", "377 us": as written, without thousands commas).
struct Number {
  Rational value;
  Unit unit;
  std::string text;
  Location at;
  friend bool operator==(const Number&, const Number&) = default;
};

struct Expr;

// `0:I/2`, `:D//2`, `:` in place of a dimension: the part [begin, end).
struct Slice {
  std::optional<Box<Expr>> begin;
  std::optional<Box<Expr>> end;
  friend bool operator==(const Slice&, const Slice&) = default;
};

// `…` in place of dimensions: further unnamed ones.
struct Rest {
  friend bool operator==(const Rest&, const Rest&) = default;
};

// `I`, `I_{XY}`, `48k_X`: a dimension's name or length, and the axes that split it, major first. The length may be an
// expression: `[I/4, 128 * 1024]`.
struct Dimension {
  std::variant<Identifier, Number, Box<Expr>, Slice, Rest> name;
  std::vector<Identifier> axes;
  Location at;
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

// `[i]` after an array's brackets, an index of its first dimension; `[V = Tok]`, an index of the dimension V.
struct Index {
  std::optional<Identifier> dimension;
  Box<Expr> value;
  friend bool operator==(const Index&, const Index&) = default;
};

// `Z=0` of `x[B, D]{Z=0}`: held by the devices with this coordinate on the axis.
struct Placement {
  Identifier axis;
  Box<Expr> coordinate;
  friend bool operator==(const Placement&, const Placement&) = default;
};
// How the parts of an unreduced array combine: `{U_X}`, `{max_X}`, `{min_X}`.
enum class Parts { Sums, Maxima, Minima };

// `A[I_X, J]{U_Y}`, `[A_X, B]` (no name), `bf16[2048_X, 8192]` (no name, a dtype), `A` (no brackets), `In[L_Z, B,
// D][i]` (with an index), `X: bf16[B, D]` (a name and a dtype, an operand with its type).
struct ArrayRef {
  std::optional<Identifier> name;
  std::optional<Identifier> dtype;
  bool bracketed = false;
  std::vector<Dimension> dimensions;
  std::vector<Index> indices;         // after the brackets, in their order
  std::vector<Identifier> unreduced;  // axes of `{U_…}`
  Parts parts = Parts::Sums;          // of the same mark
  std::vector<Placement> placed;      // of `{Z=0}`; marks come before the indices
  Location at;
  friend bool operator==(const ArrayRef&, const ArrayRef&) = default;
};

struct Statement;

// On arrays, all but the logical ones work element by element.
enum class BinaryOp {
  Add,
  Subtract,
  Hadamard,  // `⊙`
  Divide,
  FloorDivide,  // `//`
  Modulo,       // `mod`
  Power,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  Approx,
  And,
  Or
};
enum class UnaryOp { Negate, Not };
using shard::CollectiveKind;
// What a block in an expression asks for: `cost { … }`, `time { … }`, `flops { … }`, `comms { … }`.
enum class BlockKind { Cost, Time, Flops, Comms };

// How the sign of a product was written. The canonical one is `·`, and two trees never differ by it.
struct ProductSign {
  enum class Sign { Dot, Star, At };
  Sign sign = Sign::Dot;
  friend bool operator==(const ProductSign&, const ProductSign&) { return true; }
};

// A product of arrays or of scalars, depending on the names. `·_J`, `·_{K,G}`, `·LOCAL`.
struct Product {
  Box<Expr> left;
  Box<Expr> right;
  bool local = false;
  std::vector<Identifier> index;  // empty: not written
  Location sign;                  // the product sign with its index
  ProductSign written = {};
  friend bool operator==(const Product&, const Product&) = default;
};

struct Binary {
  BinaryOp op;
  Box<Expr> left;
  Box<Expr> right;
  // `≈ x ± 2%`: the tolerance as a fraction, if written.
  std::optional<Number> tolerance;
  Location sign;
  friend bool operator==(const Binary&, const Binary&) = default;
};

struct Unary {
  UnaryOp op;
  Box<Expr> operand;
  friend bool operator==(const Unary&, const Unary&) = default;
};

// A dimension that axes of a collective go to: those behind the axes of the destination before it.
struct Destination {
  std::size_t axes = 0;  // how many
  Identifier dimension;
  friend bool operator==(const Destination&, const Destination&) = default;
};

// `AllGather_X A[I_X]`, `ReduceScatter_{X,J} C[I, J]{U_X}`, `ReduceScatter_{X→I,Y→J} C[I, J]{U_{XY}}`, `Shift_{X,-1} A[I_X]`,
// `AllReduce A[…]`, whose axes follow from the target.
struct Collective {
  CollectiveKind kind;
  std::vector<Identifier> axes;
  std::vector<Destination> destinations;  // of all axes; empty: not written
  std::optional<Number> shift;            // Shift only; a step of ±n
  Box<Expr> operand;
  Location name;  // the collective's name with its subscript
  friend bool operator==(const Collective&, const Collective&) = default;
};

// `bytes(A[I_X])`, `min(a, b)`, `equal(A, B)`, `softmax_S(O[B, S])`, `Reshape(Q[B, N])`.
struct Call {
  Identifier function;
  std::vector<Identifier> subscript = {};  // `S` of `softmax_S`, `E`, `J` of `top_{E,J}`
  std::vector<Box<Expr>> arguments = {};
  friend bool operator==(const Call&, const Call&) = default;
};

// `σ(A)[B, T]`, `(A · B)[I, K]{U_X}`: an expression with the layout of its result.
struct Shaped {
  Box<Expr> value;
  std::vector<Dimension> dimensions;
  std::vector<Identifier> unreduced = {};
  Parts parts = Parts::Sums;
  friend bool operator==(const Shaped&, const Shaped&) = default;
};

// `(A · B)[I = 2]`, `relu(A)[I = 3, J = Pick]`: elements of what an expression gives, by indices of its dimensions.
struct Indexed {
  Box<Expr> value;
  std::vector<Index> indices;  // in their order; each names its dimension
  friend bool operator==(const Indexed&, const Indexed&) = default;
};

// `"weights.npy"`: a quoted text.
struct Text {
  std::string value;
  friend bool operator==(const Text&, const Text&) = default;
};

// `c.math`, `chip.W_ici`, `c.comms(X)`.
struct Member {
  Box<Expr> object;
  Identifier field;
  std::vector<Identifier> arguments;
  friend bool operator==(const Member&, const Member&) = default;
};

// `|X|`, `|I|`.
struct SizeOf {
  Identifier name;
  friend bool operator==(const SizeOf&, const SizeOf&) = default;
};

// `cost { … }` and its kin.
struct BlockExpr {
  BlockKind kind;
  std::vector<Statement> body;
  std::vector<std::string> trailing = {};  // comment and blank lines before the closing brace
  friend bool operator==(const BlockExpr&, const BlockExpr&);
};

// `solve B { c.math = c.comms }`, `when { a.time < b.time }`, `minimize c.time over X with Y = N / X`.
enum class QuestionKind { Solve, When, Minimize };
// `Y = N / X`: a size that follows from the one that is asked for.
struct Follows {
  Identifier name;
  Box<Expr> value;
  friend bool operator==(const Follows&, const Follows&) = default;
};
struct Question {
  QuestionKind kind;
  std::optional<Identifier> size;       // that is asked for; `when` may leave it out
  Box<Expr> asked;                      // a condition; of `minimize` what is to be least
  std::optional<Follows> follows = {};  // of `minimize`
  friend bool operator==(const Question&, const Question&) = default;
};

struct Expr {
  std::variant<Number, ArrayRef, Product, Binary, Unary, Collective, Call, Shaped, Indexed, Text,
               Member, SizeOf, BlockExpr, Question>
      node;
  Location at;
  friend bool operator==(const Expr&, const Expr&) = default;
};

}  // namespace shard::ast
