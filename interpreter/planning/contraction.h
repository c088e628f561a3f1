// Chains of contractions: the cheapest layouts to multiply in, by the documents' four cases.
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
struct Term {
  std::variant<Source, Box<Product>> node;
  Labels labels;
  Shape shape;
};

// left · right, summed over every label that the product's term does not have.
struct Product {
  Term left;
  Term right;
};

// Why two layouts cannot be multiplied without communication.
struct Misfit {
  enum class Reason {
    ContractedDiffer,  // a contracted dimension is split differently on the two sides (case 2)
    BatchDiffer,       // a dimension that both keep is split differently
    AxisTwice,  // an axis would split two dimensions of the result (case 4), or split and sum
    NotLinear,  // an operand is unreduced over an axis that the other one uses
  };
  Reason reason;
  int label = -1;              // ContractedDiffer, BatchDiffer
  std::optional<AxisId> axis;  // AxisTwice, NotLinear
};

// The layout of the local product, unreduced over every axis of a contracted dimension; or why there is none.
std::variant<Layout, Misfit> local_product(const Labels& left_labels, const Layout& left,
                                           const Labels& right_labels, const Layout& right,
                                           const Labels& result_labels);

// How a term gets to a layout: start from a source, multiply, move.
struct Made;
struct MadeProduct {
  std::shared_ptr<const Made> left;
  std::shared_ptr<const Made> right;
};
struct Made {
  std::variant<std::size_t, MadeProduct> origin;  // index of a source's layout, or a local product
  Layout start;                                   // the layout of the origin
  std::vector<Move> moves;                        // from there
  Layout layout;                                  // and where they lead
  Weight weight;                                  // of all of it
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

}  // namespace shard::planning
