// How the blocks are planned of which a question reads figures: by their steps plans are told apart.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "interpreter/estimate/figures.h"
#include "interpreter/evaluate/evaluator.h"
#include "interpreter/program/step_text.h"

namespace shard {

// Hears how the blocks are planned that an evaluation prices.
class PlanListener final : public StatementHost {
 public:
  explicit PlanListener(StatementHost& host) : host_(host) {}

  // All steps since this was asked last, in the notation.
  std::string take_steps() { return std::exchange(steps_, ""); }

  std::shared_ptr<const Figures> suppose(const Supposition& supposition,
                                         CheckContext& context) override {
    auto figures = host_.suppose(supposition, context);
    if (figures != nullptr && figures->planned != nullptr) {
      for (std::size_t step = 0; step < figures->planned->steps.size(); ++step)
        steps_ += step_text(*figures->planned, step) + "\n";
    }
    return figures;
  }
  bool calls_functions() const override { return host_.calls_functions(); }
  std::optional<Value> call(const ast::Call& call, Span span) override {
    return host_.call(call, span);
  }
  std::optional<Value> answer(const ast::Question& question, Span span,
                              CheckContext& context) override {
    return host_.answer(question, span, context);
  }
  std::shared_ptr<const Figures> totals() const override { return host_.totals(); }
  Budget* budget() const override { return host_.budget(); }

 private:
  StatementHost& host_;
  std::string steps_;
};

}  // namespace shard
