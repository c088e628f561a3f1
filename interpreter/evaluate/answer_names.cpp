#include "interpreter/evaluate/answer_names.h"

#include <string>
#include <utility>
#include <vector>

#include "grammar/tree/names.h"
#include "interpreter/ir/chip_constant.h"

namespace shard {

namespace {

bool is_known(const std::string& name, const Scope& scope) {
  return scope.find_binding(name) != nullptr || scope.names.find_dimension(name) ||
         scope.find_axes(name) || chip_constant(name, scope.hardware().chip);
}

}  // namespace

AnswerNames::AnswerNames(const std::optional<Value>& answer, Scope& scope) : scope_(scope) {
  const auto* number = answer ? std::get_if<Quantity>(&*answer) : nullptr;
  if (number == nullptr) return;
  for (const std::string& symbol : number->value.symbols()) {
    if (is_known(symbol, scope)) continue;
    if (!before_) before_ = scope.names.bindings;
    scope.names.bindings.insert_or_assign(
        name_key(symbol), BindingInfo{.name = symbol,
                                      .value = Quantity{Formula::symbol(symbol), kPlain},
                                      .span = {},
                                      .depth = scope.names.depth});
  }
}

AnswerNames::~AnswerNames() {
  if (before_) scope_.names.bindings = *std::move(before_);
}

}  // namespace shard
