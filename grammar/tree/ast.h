// The tree of a script: value structs without behaviour. Every spelling of the language ends in this one tree; names
// are not resolved here, and nothing is added that was not written.
//
// In this folder:
//   ast.h                    the tree itself
//   keyword.h, keywords.def  the words that begin statements and blocks, and what may follow each
//   names.h                  names known so far, for words that have lost their underscore
//   statement_parts.h        the names of a statement, by where they stand
//   walk_expression.h        walks over expressions
//   foreign_array.h          arrays that lines of other languages would have made
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

// A product of arrays or of scalars, depending on the names. `·_J`, `·_{K,G}`, `·LOCAL`.
struct Product {
  Box<Expr> left;
  Box<Expr> right;
  bool local = false;
  std::vector<Identifier> index;  // empty: not written
  Location sign;                  // the product sign with its index
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

// `AllGather_{XY} A[…]`, `ReduceScatter_{Y,J} A[…]`, `AllReduce A[…]` (axes follow from the target), `Shift_{X,-1}
// A[…]`.
struct Collective {
  CollectiveKind kind;
  std::vector<Identifier> axes;
  std::optional<Identifier> dimension;
  std::optional<Number> shift;  // Shift only; a step of ±n
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

struct Expr {
  std::variant<Number, ArrayRef, Product, Binary, Unary, Collective, Call, Shaped, Text, Member,
               SizeOf, BlockExpr>
      node;
  Location at;
  friend bool operator==(const Expr&, const Expr&) = default;
};

// ---------------------------------------------------------------- statements

// `HBM: 300 MB` in `hardware … {…}` and `chip … {…}`. A value may be a word ("cube4", "pod") or a slice ("16x20x28").
struct Figure {
  Identifier name;
  std::variant<Number, Identifier, std::vector<Number>> value;
  friend bool operator==(const Figure&, const Figure&) = default;
};

// `hardware TPUv5p 4x4x4 wrap {HBM: 300 MB}`.
struct Hardware {
  Identifier chip;
  std::vector<Number> slice;       // empty: not written
  std::optional<bool> wraparound;  // `wrap`, `nowrap`
  std::vector<Figure> overrides;
  friend bool operator==(const Hardware&, const Hardware&) = default;
};

enum class AxisKind { Ici, Ring, Line, Dcn, Switch };

// `X: 4`, `X: 4x4`, `X: 8 ring`, `P: 2 dcn`, `X: 16 switch 2.5e10 B/s`, `X: 4 line`.
struct MeshAxis {
  Identifier name;
  std::vector<Number> sizes;
  AxisKind kind = AxisKind::Ici;
  std::optional<Number> bandwidth;
  friend bool operator==(const MeshAxis&, const MeshAxis&) = default;
};

struct Mesh {
  std::vector<MeshAxis> axes;
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

// `chip Mine = TPUv5p {HBM: 128 GB}`, `chip New {HBM: …, …}`.
struct Chip {
  Identifier name;
  std::optional<Identifier> base;
  std::vector<Figure> figures;
  friend bool operator==(const Chip&, const Chip&) = default;
};

enum class PlanRule { Cases, Cheapest };
struct Plan {
  PlanRule rule;
  friend bool operator==(const Plan&, const Plan&) = default;
};

struct Strict {
  friend bool operator==(const Strict&, const Strict&) = default;
};

// `B = 512, D = 256`, `c = cost { … }`, `Y = X * A`: a bare name on the left. The value decides whether it is a size, a
// scalar or an array.
struct Binding {
  Identifier name;
  Box<Expr> value;
  friend bool operator==(const Binding&, const Binding&) = default;
};
struct Bindings {
  std::vector<Binding> items;
  friend bool operator==(const Bindings&, const Bindings&) = default;
};

// `A[I_X, J], B[J, K_Y]: bf16`, `A: bf16[I_X, J]`, `A[I, J]: fp32[1024, 4096]`.
struct Declaration {
  std::vector<ArrayRef> arrays;  // named and bracketed
  Identifier dtype;
  std::vector<Number> sizes;  // of the first array's dimensions; empty: not written
  friend bool operator==(const Declaration&, const Declaration&) = default;
};

// How a flow is written: `E → T`, `T = E` with a bracketed target, or `E = T` with an operation on the left.
enum class FlowSign { Arrow, Assignment, Result };

struct Flow {
  Expr value;
  ArrayRef target;
  FlowSign sign = FlowSign::Arrow;
  std::vector<Identifier> overlap;  // axes; empty: not written
  friend bool operator==(const Flow&, const Flow&) = default;
};

// Operations on both sides of `=`: checked, defines nothing.
struct Equation {
  Expr left;
  Expr right;
  friend bool operator==(const Equation&, const Equation&) = default;
};

// An expression on its own: `AllGather_X A[I_X]`, or an array that is only named.
struct Evaluate {
  Expr value;
  friend bool operator==(const Evaluate&, const Evaluate&) = default;
};

// `A[I_X, J], B[J, K]`: arrays that are only named. With `given`, `A[I_X, J] = …`: their values come from elsewhere.
struct Mention {
  std::vector<ArrayRef> arrays;
  bool given = false;
  friend bool operator==(const Mention&, const Mention&) = default;
};

struct Print {
  std::vector<Expr> values;
  friend bool operator==(const Print&, const Print&) = default;
};

struct Expect {
  Expr condition;
  friend bool operator==(const Expect&, const Expect&) = default;
};

// `expect error AxisReused { … }`.
struct ExpectError {
  Identifier kind;
  std::vector<Statement> body;
  std::vector<std::string> trailing = {};  // comment and blank lines before the closing brace
  bool found_by_parser = false;            // it was a mistake in reading the block
  friend bool operator==(const ExpectError&, const ExpectError&);
};

// `why` (the previous statement) or `why C` (the statement that made C).
struct Why {
  std::optional<Identifier> array;
  friend bool operator==(const Why&, const Why&) = default;
};

// `save A "a.npy"`.
struct Save {
  Expr array;
  Text path;
  friend bool operator==(const Save&, const Save&) = default;
};

// `drop A`, `drop A[I, J]`.
struct Drop {
  ArrayRef array;
  friend bool operator==(const Drop&, const Drop&) = default;
};

// ---------------------------------------------------------------- blocks

// `fn norm(x[B, T, D], eps) { … }`. A parameter with brackets is a pattern for an array, one without is a scalar.
struct Function {
  Identifier name;
  std::vector<ArrayRef> parameters;
  std::vector<Statement> body;
  std::vector<std::string> trailing = {};
  friend bool operator==(const Function&, const Function&);
};

// `return E`, or `return` alone.
struct Return {
  std::optional<Expr> value;
  friend bool operator==(const Return&, const Return&) = default;
};

// `0..L`: from `begin` up to but not including `end`.
struct Range {
  Expr begin;
  Expr end;
  friend bool operator==(const Range&, const Range&) = default;
};

// One item of a loop's list: a number, a mesh, or a chip with its slice.
struct Alternative {
  std::variant<Expr, Mesh, Hardware> value;
  Location at;
  friend bool operator==(const Alternative&, const Alternative&) = default;
};

// `for i in 0..L { … }`, `for B in [1Ki, 4Ki] { … }`, `for mesh in [{X: 4}, {X: 8}] { … }`,
// `for hardware in [TPUv5e 4x4, TPUv5p 4x4x4] { … }`.
struct Loop {
  Identifier variable;
  std::variant<Range, std::vector<Alternative>> values;
  std::vector<Statement> body;
  std::vector<std::string> trailing = {};
  friend bool operator==(const Loop&, const Loop&);
};

// `if … { … } else { … }`. `else if` is an `otherwise` that contains exactly one more of these.
struct If {
  Expr condition;
  std::vector<Statement> body;
  std::vector<std::string> trailing = {};
  std::optional<std::vector<Statement>> otherwise;
  std::vector<std::string> otherwise_trailing = {};
  friend bool operator==(const If&, const If&);
};

// `{ … }`.
struct Group {
  std::vector<Statement> body;
  std::vector<std::string> trailing = {};
  friend bool operator==(const Group&, const Group&);
};

// `use mlp`.
struct Use {
  Identifier module;
  friend bool operator==(const Use&, const Use&) = default;
};

// `show A[I_X, J]`.
struct Show {
  ArrayRef array;
  friend bool operator==(const Show&, const Show&) = default;
};

// `link X[3]`, `link X.1[3]`: the link after that place of the axis, or of the second torus axis that it runs over.
struct LinkName {
  Identifier axis;
  std::optional<Number> torus;
  Number position;
  friend bool operator==(const LinkName&, const LinkName&) = default;
};

// `device 5`, `device (1,2)`.
struct DeviceName {
  std::vector<Number> coordinates;  // or a number
  bool listed = false;
  friend bool operator==(const DeviceName&, const DeviceName&) = default;
};

// A part of the machine that has a fault.
struct MachinePart {
  std::variant<LinkName, DeviceName> name;
  Location at;
  friend bool operator==(const MachinePart&, const MachinePart&) = default;
};

// `fault link X[3]`, `fault device 5 at 2 us`.
struct Fault {
  MachinePart part;
  std::optional<Number> at;
  friend bool operator==(const Fault&, const Fault&) = default;
};

// `slow link X[3] by 10`, `slow link X[3] to 1e9 B/s`, `slow device 5 by 2`.
struct Slow {
  MachinePart part;
  Number amount;
  bool to = false;
  friend bool operator==(const Slow&, const Slow&) = default;
};

// `send A from (0,0) to (3,3)`.
struct Send {
  ArrayRef array;
  DeviceName from;
  DeviceName to;
  friend bool operator==(const Send&, const Send&) = default;
};

// A statement that this version reads but does not run, or (with `has_error`) one that could not be read. `word` is its
// first word. `defines` are the names that it would have introduced, arrays, sizes and axes alike, so that their later
// use is not a second mistake.
struct Unsupported {
  std::string word;
  std::string text;  // as written
  std::vector<Identifier> defines = {};
  friend bool operator==(const Unsupported&, const Unsupported&) = default;
};

struct Statement {
  std::variant<Hardware, Mesh, Chip, Plan, Strict, Bindings, Declaration, Flow, Equation, Evaluate,
               Mention, Print, Expect, ExpectError, Why, Save, Drop, Function, Return, Loop, If,
               Group, Use, Show, Fault, Slow, Send, Unsupported>
      node;
  Location at;
  std::vector<std::string>
      leading;             // comment lines and blank lines ("") before it, comments with their `#`
  std::string trailing;    // the comment after it
  bool has_error = false;  // the parser reported a mistake inside: later steps skip it silently
  friend bool operator==(const Statement&, const Statement&) = default;
};

inline bool operator==(const BlockExpr& a, const BlockExpr& b) {
  return a.kind == b.kind && a.body == b.body && a.trailing == b.trailing;
}
inline bool operator==(const ExpectError& a, const ExpectError& b) {
  return a.kind == b.kind && a.body == b.body && a.trailing == b.trailing;
}

inline bool operator==(const Function& a, const Function& b) {
  return a.name == b.name && a.parameters == b.parameters && a.body == b.body &&
         a.trailing == b.trailing;
}
inline bool operator==(const Loop& a, const Loop& b) {
  return a.variable == b.variable && a.values == b.values && a.body == b.body &&
         a.trailing == b.trailing;
}
inline bool operator==(const If& a, const If& b) {
  return a.condition == b.condition && a.body == b.body && a.trailing == b.trailing &&
         a.otherwise == b.otherwise && a.otherwise_trailing == b.otherwise_trailing;
}
inline bool operator==(const Group& a, const Group& b) {
  return a.body == b.body && a.trailing == b.trailing;
}

struct Module {
  std::vector<Statement> statements;
  std::vector<std::string> trailing;  // comment and blank lines at the end
  friend bool operator==(const Module&, const Module&) = default;
};

}  // namespace shard::ast
