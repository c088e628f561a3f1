// A script after checking, as a value: what it does to arrays, in order. Plans are made of it (lower/lower_program.h), under any cost
// model and as often as one likes; it can be searched, changed and printed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/cow_value.h"
#include "base/plan_rule.h"
#include "interpreter/ir/checked.h"
#include "interpreter/ir/symbols.h"
#include "runtime/machine/machine.h"

namespace shard::checked {

struct Item;

// `E → T`. Its target's layout may be unknown, as may those of operations inside: planning finds them.
struct Assignment {
  FlowOfStatement flow;
  std::string text;  // canonical
  PlanRule rule = PlanRule::Cases;
  bool strict = false;
};

// An array is passed to a function, which sees the copies that there are of it under the parameter's name.
struct Argument {
  ArrayId array;
  ArrayId parameter;
  Layout layout;  // of the copy that is meant; without axes of size 1
  Span span;
  Span parameter_span;
};

// What an operation inside of the statement that made `of` has left becomes an array: the gradient of another one is made of it.
struct Part {
  ArrayId array;
  ArrayId of;
  int operation = 0;  // OnTheWay::operation
  Span span;
};

// `drop A`, or with a layout `drop A[I_X]`.
struct Drop {
  ArrayId array;
  std::optional<Layout> layout;  // without axes of size 1
};

// The copy is wanted when the run is over: an input is one from here on.
struct Request {
  ArrayId array;
  Layout layout;  // without axes of size 1
};

// A function's own array becomes its result, and gets the name that the caller has for it.
struct Rename {
  ArrayId array;
  std::string before;
  std::string name;
};

// No name means the array any more: with the last assignment, which gave its name to another one, or after it, with its block.
struct End {
  ArrayId array;
  bool with_last_assignment = false;
};

// Copies that an assignment did not make: inputs as they are declared, another mesh's, those of an array that is another one from here
// on.
struct Hold {
  struct HeldCopy {
    Layout layout;
    bool planned = false;  // the copy of that layout that there is, and no new one
    bool made = false;
    bool inferred = false;
    friend bool operator==(const HeldCopy&, const HeldCopy&) = default;
  };
  ArrayId array;
  std::vector<HeldCopy> copies;
};

// From here on, on this machine. `grown`: the one before, with more axes, as they are named while no mesh is declared.
struct OnMachine {
  Machine machine;
  bool grown = false;
};

// Statements that stand in others, once for each pass and call.
enum class RegionKind { Group, Pass, Call, Fused };
struct Region {
  RegionKind kind;
  Span span;
  std::vector<Item> items;
};

struct Program;
// What stands for itself, as a pass of a loop over a list does: it begins with the copies that there are, in no plan yet, and
// afterwards they are as before. It has tables of its own.
struct Apart {
  std::shared_ptr<const Program> program;
};

struct Item {
  std::variant<Assignment, Argument, Part, Drop, Request, Rename, End, Hold, OnMachine, Region,
               Apart>
      node;
};

struct Program {
  Scope tables;  // as they are at its end: dimensions and their sizes, arrays
  std::vector<Item> items;
};

}  // namespace shard::checked
