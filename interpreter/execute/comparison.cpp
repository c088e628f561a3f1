#include "interpreter/execute/comparison.h"

#include <fmt/format.h>

#include "base/format.h"

namespace shard {

std::string difference_text(const Comparison& comparison, const Program& program,
                            const Scope& scope) {
  const std::string& name = scope.store.arrays[comparison.array].name;
  std::string cause = "its values";
  if (comparison.statement >= 0) {
    const auto statement = static_cast<std::size_t>(comparison.statement);
    cause = fmt::format("what `{}` gives", *program.statements[statement].text);
  }
  return fmt::format("`{}` differs from {} in fp64 by {}, more than rounding explains",
                     name.empty() ? "the result" : name, cause,
                     format_significant(comparison.largest_error));
}

}  // namespace shard
