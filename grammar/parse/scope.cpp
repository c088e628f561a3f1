#include "grammar/parse/scope.h"

#include <fmt/format.h>

#include <utility>

namespace shard {

Nesting::Nesting(ParserContext& context) : context_(context) {
  if (++context.depth_ <= kDeepest) return;
  context.fail(DiagnosticKind::TooDeep, context.current().span,
               fmt::format("nested deeper than {} levels", kDeepest),
               {"give parts of it names of their own"});
}

BlockScope::BlockScope(ParserContext& context, DiagnosticSink& sink)
    : context_(context),
      axes_(context.names_.axes),
      dimensions_(context.names_.dimensions.size()),
      arrays_(context.names_.arrays.size()),
      sink_(context.sink_),
      limit_(context.limit_),
      begin_(context.begin_),
      open_(std::move(context.open_)),
      equal_compares_(context.equal_compares),
      before_block_(context.before_block),
      may_relate_(context.may_relate) {
  const std::size_t closer = static_cast<std::size_t>(context.current().partner);
  context.advance();
  context.limit_ = closer;
  context.update();
  context.sink_ = &sink;
}

BlockScope::~BlockScope() {
  context_.names_.axes = std::move(axes_);
  context_.names_.dimensions.shrink(dimensions_);
  context_.names_.arrays.shrink(arrays_);
  context_.sink_ = sink_;
  context_.position_ = context_.limit_ + 1;
  context_.limit_ = limit_;
  context_.begin_ = begin_;
  context_.open_ = std::move(open_);
  context_.equal_compares = equal_compares_;
  context_.before_block = before_block_;
  context_.may_relate = may_relate_;
  context_.failed_ = false;
  context_.prose_ = false;
  context_.joined_ = context_.position_ - 1;
  context_.update();
}

}  // namespace shard
