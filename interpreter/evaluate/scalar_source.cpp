// Numbers for checks.
#include "interpreter/evaluate/evaluator.h"

namespace shard {

namespace {

// Checks run no statements: a cost block has no figures for them, and a function no value.
class NoStatements : public StatementHost {
 public:
  explicit NoStatements(const RefuseBlock& refuse) : refuse_(refuse) {}

  std::shared_ptr<const Figures> suppose(const Supposition& supposition, CheckContext&) override {
    refuse_(*supposition.block);
    return nullptr;
  }
  bool calls_functions() const override { return false; }
  std::optional<Value> call(const ast::Call&, Span) override { return std::nullopt; }
  std::optional<Value> answer(const ast::Question&, Span span, CheckContext& context) override {
    report(context, DiagnosticKind::BadArgument, span,
           "`solve`, `when` and `minimize` stand in no expression of arrays",
           {"give what they find a name on a line of its own: x = solve B { … }"});
    return std::nullopt;
  }
  std::shared_ptr<const Figures> totals() const override { return nullptr; }
  Budget* budget() const override { return nullptr; }

 private:
  const RefuseBlock& refuse_;
};

class Scalars : public ScalarSource {
 public:
  std::optional<Quantity> quantity(const ast::Expr& expr, const RefuseBlock& refuse,
                                   CheckContext& context) const override {
    NoStatements host(refuse);
    EvaluationContext evaluation{context, host};
    return evaluate_quantity(expr, evaluation);
  }
};

}  // namespace

const ScalarSource& scalar_source() {
  static const Scalars source;
  return source;
}

}  // namespace shard
