#include "base/line_width.h"

#include <algorithm>

#include "base/format.h"

namespace shard {

namespace {

thread_local std::size_t width_now = kLineWidth;

}  // namespace

LineWidth::LineWidth(std::size_t columns) : before_(width_now) {
  constexpr std::size_t kNarrowest = 60;
  width_now = std::max(columns, kNarrowest);
}

LineWidth::~LineWidth() { width_now = before_; }

std::size_t line_width() { return width_now; }

}  // namespace shard
