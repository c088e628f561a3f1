// Figures after a dot: of cost blocks and of the chip.
#pragma once

#include <optional>
#include <string>

#include "interpreter/estimate/figures.h"
#include "interpreter/evaluate/evaluator.h"

namespace shard {

// `c.math`, `c.comms(X)`, `chip.W_ici`. Reports UnknownField, NoHardware, UnknownAxis, NotYet.
std::optional<Value> evaluate_member(const ast::Member& member, EvaluationContext& context);

// nullopt while numbers are missing, and of `steps`, which are a list.
std::optional<Value> value_of_figure(const BlockFigure& figure, const Figures& figures,
                                     const Scope& scope);

// "a cost block has the figures `math`, … and …".
std::string figures_help();

}  // namespace shard
