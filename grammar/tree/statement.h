// Statements of a computation, and blocks.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/plan_rule.h"
#include "grammar/tree/expression.h"
#include "grammar/tree/machine.h"

namespace shard::ast {

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

// How a flow is written: `E → T`, `T = E` with a bracketed target, or `E = T` with an operation on the left.
enum class FlowSign { Arrow, Assignment, Result };

struct Flow {
  Expr value;
  ArrayRef target;
  FlowSign sign = FlowSign::Arrow;
  std::vector<Identifier> overlap;  // axes; empty: not written
  friend bool operator==(const Flow&, const Flow&) = default;
};

// `A[I_X, J], B[J, K_Y]: bf16`, `A: bf16[I_X, J]`, `A[I, J]: fp32[1024, 4096]`, `A: fp32[I_X] = E`.
struct Declaration {
  std::vector<ArrayRef> arrays;  // named and bracketed
  Identifier dtype;
  std::vector<Number> sizes = {};  // of the first array's dimensions; empty: not written
  // `= E`: what makes the only array, as an assignment to it. Without an initializer: the parts of a flow are complete later.
  std::optional<Flow> makes;
  friend bool operator==(const Declaration&, const Declaration&) = default;
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

// `require N = |X|`, in a function.
struct Require {
  Expr condition;
  friend bool operator==(const Require&, const Require&) = default;
};

// `expect error AxisReused { … }`.
struct ExpectError {
  Identifier kind;
  std::vector<Statement> body;
  std::vector<std::string> trailing = {};  // comment and blank lines before the closing brace
  bool found_by_parser = false;            // it was a mistake in reading the block
  friend bool operator==(const ExpectError&, const ExpectError&);
};

// `expect comms { … } is { … }`: the collectives of a block; `expect plan { … } is { … }`: all of its steps.
enum class PinnedSteps { Comms, Plan };
struct ExpectSteps {
  PinnedSteps pinned;
  std::vector<Statement> body;
  std::vector<std::string> trailing = {};
  std::vector<Statement> steps;  // in order; each is one step, and is never run
  std::vector<std::string> steps_trailing = {};
  Location is;  // the word and its block
  friend bool operator==(const ExpectSteps&, const ExpectSteps&);
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

// `plot c.time, d.time against B from 1Ki to 1Mi save "times.svg"`.
struct Plot {
  std::vector<Expr> series;
  Identifier size;
  Expr from;
  Expr to;
  std::optional<Text> path;
  friend bool operator==(const Plot&, const Plot&) = default;
};

// `drop A`, `drop A[I, J]`.
struct Drop {
  ArrayRef array;
  friend bool operator==(const Drop&, const Drop&) = default;
};

// `backward Out keep In[B_X, D]`, `backward mlp(In, W)`: the gradients of all that made it. `kept`: copies that the forward
// pass has gathered and the backward pass is not to gather again.
struct Backward {
  Expr of;  // an array, or a call
  std::vector<ArrayRef> kept;
  friend bool operator==(const Backward&, const Backward&) = default;
};

// `fn norm(x[B, T, D], eps) { … }`. A parameter with brackets is a pattern for an array, one without is a scalar.
struct Function {
  Identifier name;
  std::vector<ArrayRef> parameters;
  std::vector<Statement> body;
  std::vector<std::string> trailing = {};
  friend bool operator==(const Function&, const Function&);
};

// `a, b[I_X] = f(x)`, `W[L = l], m[L = l] = f(x)`: a target for each result of one call.
struct Results {
  std::vector<ArrayRef> targets;  // two or more, named
  Expr value;
  friend bool operator==(const Results&, const Results&) = default;
};

// `return E`, `return E, F`, or `return` alone.
struct Return {
  std::vector<Expr> values;
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
  bool spread = false;  // `for b in solve B { … }`: alone and without brackets, each of its values
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

// `fused { … }`.
struct Fused {
  std::vector<Statement> body;
  std::vector<std::string> trailing = {};
  friend bool operator==(const Fused&, const Fused&);
};

// `best 5 { … }`: of the layouts that the block's holes leave open, `A[I_?, J_?b]`, those that take the least time. An axis `?` is
// a hole, with its name behind it if it has one; so is the size of an axis, `mesh {X: ?, Y: ?}`.
struct Best {
  std::optional<Number> count;  // of layouts that are shown; not written: one
  std::vector<Statement> body;
  std::vector<std::string> trailing = {};
  friend bool operator==(const Best&, const Best&);
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

// A statement that this version reads but does not run, or (with `has_error`) one that could not be read. `word` is its
// first word. `defines` are the names that it would have introduced, arrays, sizes and axes alike, so that their later
// use is not a second mistake.
struct Unsupported {
  std::string word;
  std::string text;  // as written
  std::vector<Identifier> defines = {};
  friend bool operator==(const Unsupported&, const Unsupported&) = default;
};

}  // namespace shard::ast
