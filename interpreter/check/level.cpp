#include "interpreter/check/level.h"

#include <fmt/format.h>

#include "base/format.h"

namespace shard {

Level::Level(Budget* budget) : budget_(budget) {
  if (budget_ != nullptr) ++budget_->levels;
}

Level::~Level() {
  if (budget_ != nullptr && --budget_->levels == 0) budget_->unwinding = false;
}

bool Level::check(Span span, CheckContext& context) const {
  if (budget_ == nullptr || budget_->levels <= kMaxLevels) return true;
  if (!budget_->stopped()) {
    const std::string levels = format_integer(kMaxLevels);
    if (budget_->calls > 0) {
      report(context, DiagnosticKind::TooMuchRecursion, span,
             fmt::format("calls, and the blocks and operands in them, stand inside each other "
                         "deeper than {} levels",
                         levels),
             {"let an `if` end the calls earlier, or write a loop: for i in 0..L { … }"});
    } else {
      report(context, DiagnosticKind::TooDeep, span,
             fmt::format("modules, blocks and operands stand inside each other deeper than {} "
                         "levels",
                         levels),
             {"put some of them side by side, and give their results names"});
    }
  }
  budget_->unwinding = true;
  return false;
}

}  // namespace shard
