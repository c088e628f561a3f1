// Expressions of arrays: the cheapest layouts to compute each part in; for products by the documents' four cases.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/match.h"
#include "interpreter/planning/relayout.h"

namespace shard::planning {

// Labels name dimensions; the same label on both operands is the same dimension.
using Labels = std::vector<int>;

// What an operand may start from: the live copies of one array. The first is the one that the script wrote.
struct Source {
  std::vector<Layout> layouts;
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

// left · right, summed over every label that the product's term does not have.
struct Product {
  Term left;
  Term right;
};

// A program over elements; operands without one of the term's labels are repeated along it.
struct Elementwise {
  ElementProgram program;
  std::vector<Term> operands;
};

// Over every label of the operand that the reduction's term does not have.
struct Reduction {
  ReductionKind kind;
  Term operand;
};

// e / sum_S e with e = exp(x − max_S x), where S are the labels `along`.
struct Softmax {
  Term operand;
  Labels along;
};

// Elements picked or put by their place (runtime/plan.h, `SelectionStep`).
struct Selection {
  SelectionKind kind;
  std::vector<Term> operands;
  int along = -1;
  Formula position;
};

// Why layouts cannot be combined without communication.
struct Misfit {
  enum class Reason {
    ContractedDiffer,  // a contracted dimension is split differently on the two sides (case 2)
    BatchDiffer,       // a dimension that both keep is split differently
    AxisTwice,     // an axis would split two dimensions of the result (case 4), or split and sum
    NotLinear,     // an operand is unreduced over an axis that the other one uses
    PlacesDiffer,  // the operands are held at different places of an axis
  };
  Reason reason;
  int label = -1;              // ContractedDiffer, BatchDiffer
  std::optional<AxisId> axis;  // AxisTwice, NotLinear, PlacesDiffer
  std::size_t operand = 0;  // NotLinear, of an elementwise computation: the one that is unreduced
};

// The layout of the local product, unreduced over every axis of a contracted dimension; or why there is none.
std::variant<Layout, Misfit> local_product(const Labels& left_labels, const Layout& left,
                                           const Labels& right_labels, const Layout& right,
                                           const Labels& result_labels);

// The same for a computation on elements: it splits each label as all operands that have it do, and is unreduced over
// the axes of those operands that are partial sums, in which the program has to be linear.
std::variant<Layout, Misfit> local_elements(const ElementProgram& program,
                                            const std::vector<Labels>& operand_labels,
                                            const std::vector<Layout>& operands,
                                            const Labels& result_labels);
// And for a reduction, which leaves the axes of the labels it takes away unreduced. NotLinear: a maximum of partial sums,
// or a sum of partial maxima.
std::variant<Layout, Misfit> local_reduction(ReductionKind kind, const Labels& operand_labels,
                                             const Layout& operand, const Labels& result_labels);

// Adds the places of an operand to those of a result, which is where all its operands are. A misfit if the two are at
// different places of an axis.
std::optional<Misfit> add_places(const Layout& operand, Layout& result);

// How a term gets to a layout: start from a source, compute locally, move.
struct Made;
struct MadeFrom {
  std::vector<std::shared_ptr<const Made>> operands;  // of a product left and right
};
struct Made {
  std::variant<std::size_t, MadeFrom> origin;  // index of a source's layout, or a local computation
  Layout start;                                // the layout of the origin
  std::vector<Move> moves;                     // from there
  Layout layout;                               // and where they lead
  Weight weight;                               // of all of it
  Cost cost;
  Formula time;  // Σ of the steps' times
};

// The ways that were weighed, lightest first; never empty unless the target is unreduced over an axis that no product
// is (nor its operands). `target`: the layout to end in, or nullopt for whichever is cheapest with nothing left
// unreduced. Only the lightest way to each layout of an intermediate result is kept.
std::vector<std::shared_ptr<const Made>> plan_product(const Product& product,
                                                      const Labels& result_labels,
                                                      const Shape& result_shape,
                                                      const std::optional<Layout>& target,
                                                      const Machine& machine);
// The same for any term but a source.
std::vector<std::shared_ptr<const Made>> plan_term(const Term& term,
                                                   const std::optional<Layout>& target,
                                                   const Machine& machine);

}  // namespace shard::planning
