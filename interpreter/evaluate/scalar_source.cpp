// Numbers for checks.
#include "interpreter/evaluate/evaluator.h"

namespace shard {

namespace {

class Scalars : public ScalarSource {
 public:
  std::optional<Quantity> quantity(const ast::Expr& expr, const RefuseBlock& refuse,
                                   CheckContext& context) const override {
    const Suppose refuse_figures = [&](const Supposition& supposition, CheckContext&) {
      refuse(*supposition.block);
      return std::shared_ptr<const Figures>();
    };
    EvaluationContext evaluation{context, refuse_figures};
    return evaluate_quantity(expr, evaluation);
  }
};

}  // namespace

const ScalarSource& scalar_source() {
  static const Scalars source;
  return source;
}

}  // namespace shard
