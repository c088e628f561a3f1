#include "interpreter/planning/written_copies.h"

namespace shard::planning {

namespace {

void keep_written(Term& term) {
  match(
      term.node, [](Source& source) { source.layouts.resize(source.written); },
      [](Box<Product>& product) {
        keep_written(product->left);
        keep_written(product->right);
      },
      [](Box<Elementwise>& elements) {
        for (Term& operand : elements->operands) keep_written(operand);
      },
      [](Box<Reduction>& reduction) { keep_written(reduction->operand); },
      [](Box<Softmax>& softmax) { keep_written(softmax->operand); },
      [](Box<Selection>& selection) {
        for (Term& operand : selection->operands) keep_written(operand);
      });
}

}  // namespace

Term from_written(Term term) {
  keep_written(term);
  return term;
}

}  // namespace shard::planning
