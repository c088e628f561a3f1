#include "interpreter/check/described_copy.h"

namespace shard {

std::optional<Copy> described_copy(const ast::ArrayRef& array, CheckContext& context) {
  Scope& scope = context.scope;
  const auto known = array.name ? scope.names.find_array(array.name->text) : std::nullopt;
  Copy copy;
  if (known) copy.dtype = scope.store.arrays[*known].dtype;
  if (array.dtype) {
    const auto dtype = check_dtype(*array.dtype, context);
    if (!dtype) return std::nullopt;
    copy.dtype = *dtype;
  }
  std::vector<DimensionId> labels;
  if (!array.bracketed) {
    const auto use = check_use(array, context);
    if (!use) return std::nullopt;
    copy.layout = *use->layout;
    labels = use->labels;
  } else {
    const auto brackets = check_brackets(array, context);
    if (!brackets ||
        (known && !check_labels(array, *brackets, scope.store.arrays[*known], context)))
      return std::nullopt;
    copy.layout = brackets->layout;
    labels = brackets->labels;
  }
  copy.shape = scope.shape_of(labels);
  copy.dimensions = scope.store.names_of(labels);
  if (array.name) copy.name = array.name->text;
  return copy;
}

}  // namespace shard
