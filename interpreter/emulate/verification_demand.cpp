// The memory that verifying takes.
#include <algorithm>
#include <set>

#include "interpreter/emulate/verification.h"

namespace shard {

namespace {

double elements_of(const std::vector<DimensionId>& labels, const Scope& scope) {
  double elements = 1;
  for (const DimensionId label : labels)
    elements *= static_cast<double>(oracle::length_of(label, scope));
  return elements;
}

// Elements of an operation and of all its parts.
double elements_within(const checked::Operation& operation, const Scope& scope) {
  double elements = elements_of(operation.labels, scope);
  for (const checked::Operation* part : checked::operands_of(operation))
    elements += elements_within(*part, scope);
  return elements;
}

// Bytes per element: of an array of the unsharded computation, one fp64; of a copy's contents, one fp64, and with sizes
// and bounds, for partial sums, three.
constexpr double kWholeBytes = 8;
double held_bytes(const Copy& copy) {
  return elements_of(copy) * (copy.layout.unreduced.empty() ? 8 : 24);
}

// Bytes per element that a statement computes with while its value is made, six fp64: of an operand its bounds and
// sizes and all of it in another order; of a result its values, its bounds and what leads to these.
constexpr double kBytesWhileMade = 48;

class Demand {
 public:
  Demand(const Program& program, const Plan& plan, const Scope& scope)
      : program_(program), plan_(plan), scope_(scope), judgements_(program, plan) {}

  double peak() {
    for (const Step& step : plan_.steps) {
      const CopyId copy = result_of(step);
      const auto* input = std::get_if<InputStep>(&step.action);
      if (input != nullptr && input->kind == InputKind::Held)
        alive_ += held_bytes(plan_.copies[copy]);
      if (const Judgement* judgement = judgements_.find(copy)) judge(copy, *judgement);
    }
    return peak_;
  }

 private:
  void judge(CopyId id, const Judgement& judgement) {
    const Copy& copy = plan_.copies[id];
    const ArrayId owner = *program_.owners.find(id);
    alive_ += held_bytes(copy);
    if (arrays_.insert(owner).second) alive_ += kWholeBytes * elements_of(copy);
    const double elements =
        judgement.by == Judgement::By::Statement
            ? elements_within(program_.statements[static_cast<std::size_t>(judgement.statement)]
                                  .flow.get()
                                  .value,
                              scope_)
            : elements_of(copy);
    peak_ = std::max(peak_, alive_ + kBytesWhileMade * elements);
    for (const CopyId done : judgements_.copies_done_with(id))
      alive_ -= held_bytes(plan_.copies[done]);
    for (const ArrayId done : judgements_.arrays_done_with(id)) {
      if (arrays_.erase(done) != 0)
        alive_ -= kWholeBytes * elements_of(scope_.store.arrays[done].dimensions, scope_);
    }
  }

  const Program& program_;
  const Plan& plan_;
  const Scope& scope_;
  Judgements judgements_;
  std::set<ArrayId> arrays_;  // those of the unsharded computation that are alive
  double alive_ = 0;
  double peak_ = 0;
};

}  // namespace

double bytes_to_verify(const Program& program, const Plan& plan, const Scope& scope) {
  return Demand(program, plan, scope).peak();
}

}  // namespace shard
