// Array expressions as the planner sees them: operations on labelled shapes.
#pragma once

#include <variant>
#include <vector>

#include "base/match.h"
#include "interpreter/planning/search/moves.h"

namespace shard::planning {

// Labels name dimensions; the same label on both operands is the same dimension.
using Labels = std::vector<int>;

// What an operand may start from: the live copies of one array. The first is the one that the statement names; the
// first `written` copies are those that the script wrote. Sources with the same number in one term are the same array;
// a negative number is shared with no one.
struct Source {
  std::vector<Layout> layouts;
  int array = -1;
  std::size_t written = 1;
};

struct Product;
struct Elementwise;
struct Reduction;
struct Softmax;
struct Selection;
struct Term {
  std::variant<Source, Box<Product>, Box<Elementwise>, Box<Reduction>, Box<Softmax>, Box<Selection>>
      node;
  Labels labels;
  Shape shape;
};

// left · right, summed over every label that the product's term lacks.
struct Product {
  Term left;
  Term right;
};

// A program over elements; operands that lack one of the term's labels are repeated along it.
struct Elementwise {
  ElementProgram program;
  std::vector<Term> operands;
};

// Over every label of the operand that the reduction's term lacks.
struct Reduction {
  ReductionKind kind;
  Term operand;
};

// e / sum_S e with e = exp(x − max_S x), where S are the labels `along`.
struct Softmax {
  Term operand;
  Labels along;
};

// Elements picked or put by position (runtime/plan/plan.h, `SelectionStep`).
struct Selection {
  SelectionKind kind;
  std::vector<Term> operands;
  Labels along;
  Formula position;
};

// None of a source.
std::vector<const Term*> operands_of(const Term& term);

}  // namespace shard::planning
