// What a written collective does to a layout, and over which axes. Private to the folder.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/check/operation.h"

namespace shard {

// In collective_axes.cpp the axes and the dimensions that they go to, in collective.cpp the rest.
class CollectiveChecker {
 public:
  CollectiveChecker(const ast::Collective& collective, Span span, const TargetHint& target,
                    CheckContext& context)
      : collective_(collective), span_(span), context_(context), scope_(context.scope) {
    if (target.brackets) hint_ = &target.brackets->layout;
    hint_is_result_ = !target.within;
    target_failed_ = target.failed;
  }

  std::optional<checked::Operation> check();

 private:
  std::string kind_name() const { return std::string(name_of(collective_.kind)); }
  std::string axis_name(AxisId axis) const { return scope_.mesh().axes[axis].name; }
  std::string operand_text() const { return describe(*operand_, scope_); }
  std::string dimension_name(std::size_t dimension) const {
    return scope_.store.dimensions[operand_->labels[dimension]].name;
  }

  // Always false, for `return fail(…)`.
  bool fail(DiagnosticKind kind, Span span, std::string message, std::vector<std::string> help);
  // The axes that were written; else those that the target shows. None where the names that were written stand for none.
  bool find_axes();
  // What each kind does to `layout_`; false after a report.
  bool apply();
  bool gather();
  bool reduce();
  bool reduce_scatter();
  bool exchange();
  bool permute();
  bool broadcast();
  bool shift();

  // What makes the statement right; empty if nothing shows it.
  std::vector<Edit> edits() const;
  // Whether only the collective is another one.
  static bool say_all(const std::vector<Edit>& edits) {
    return !edits.empty() && !edits.front().text.empty();
  }
  // The edits make a line that stands before the advice, or says it all.
  bool fail_with_edits(DiagnosticKind kind, std::string message, std::string advice,
                       std::vector<Edit> edits);
  // With the line that leads to the target, where there is one.
  bool fail_towards_target(std::string message, std::string advice);
  bool report_not_split(AxisId axis);
  bool report_not_unreduced(std::optional<AxisId> axis);
  bool all_split();
  bool all_unreduced();
  // Takes the axes out of a dimension. Those that are not its minor ones leave blocks out of order: a note says that it
  // costs a reordering as well.
  void remove_from_dimensions();
  // Each axis becomes the minor one of its dimension.
  bool append(const std::vector<std::size_t>& homes);
  // The dimensions that ReduceScatter and AllToAll put their axes on, by axis: as written, as the target shows, or the
  // only one.
  std::optional<std::vector<std::size_t>> destinations();
  std::vector<std::size_t> all_to(std::size_t dimension) const;
  // The target shows that no dimension is to be split, so another collective is meant.
  void report_splits_nothing();
  std::optional<std::vector<std::size_t>> written_destinations();
  std::optional<std::size_t> dimension_called(const ast::Identifier& name);
  // Whether the collective names these axes, and no others but of size 1.
  bool names_all(const std::vector<AxisId>& axes) const;

  const ast::Collective& collective_;
  Span span_;
  CheckContext& context_;
  Scope& scope_;
  const Layout* hint_ = nullptr;
  bool target_failed_ = false;
  bool hint_is_result_ = true;  // and not that of an expression around the collective
  const checked::Operation* operand_ = nullptr;
  Layout layout_;
  std::vector<AxisId> axes_;
  std::vector<std::size_t> called_;  // how many each written name stands for
  int shift_ = 0;
};

// The axes over which the collective turns `from` into `to` (design: language, "Collectives"), in the order in which the
// target has them. Without a target, null, what `from` alone shows; none if nothing shows them. REQUIRES: equal ranks.
std::vector<AxisId> inferred_axes(CollectiveKind kind, const Layout& from, const Layout* to);

}  // namespace shard
