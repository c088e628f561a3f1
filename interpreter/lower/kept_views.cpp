#include "interpreter/lower/kept_views.h"

#include <utility>
#include <variant>
#include <vector>

#include "interpreter/lower/steps_in_place.h"
#include "runtime/cost/occupancy.h"

namespace shard {

namespace {

class ViewKeeper {
 public:
  explicit ViewKeeper(Program& program) : program_(program) {}

  void step(std::size_t at) {
    const Step& step = program_.plan.steps[at];
    const CopyId changed = changed_in_place(step);
    for_each_operand(step, [&](CopyId operand) { read(operand, step, changed); });
    if (changed.valid()) change(changed, step);
    if (const SelectionStep* view = view_made_by(step, program_.plan)) made_view(*view, at);
  }

 private:
  // The step that makes the copy, if it is a view. A plan may have been cut back since it was noted.
  const SelectionStep* view_of(CopyId copy) const {
    const MadeView* view = program_.views.find(copy);
    if (view == nullptr || view->step >= program_.plan.steps.size()) return nullptr;
    const Step& step = program_.plan.steps[view->step];
    return result_of(step) == copy ? view_made_by(step, program_.plan) : nullptr;
  }

  // Whether the copy is a view of one, directly or through others, for which `is_meant` holds.
  template <class IsMeant>
  bool sees(CopyId copy, const IsMeant& is_meant) const {
    for (const SelectionStep* view = view_of(copy); view != nullptr; view = view_of(copy)) {
      copy = view->operands.front();
      if (is_meant(copy)) return true;
    }
    return false;
  }

  void read(CopyId operand, const Step& by, CopyId changed) {
    if (view_of(operand) == nullptr) return;
    const bool was_changed =
        sees(operand, [&](CopyId whole) { return program_.changed_copies.contains(whole); });
    // What is computed element by element reads all of a view for each part of what it writes.
    const bool is_changing = changed.valid() && !is_update(by) &&
                             sees(operand, [&](CopyId whole) { return whole == changed; });
    if (was_changed || is_changing) return keep(operand);
    MadeView view = *program_.views.find(operand);
    view.is_read = true;
    program_.views.set(operand, view);
  }

  void change(CopyId changed, const Step& by) {
    program_.changed_copies.set(changed, true);
    if (is_update(by) && view_of(changed) != nullptr) keep(changed);
    const std::vector<CopyId>* views = program_.views_of.find(changed);
    if (views == nullptr) return;
    for (const CopyId view : std::vector<CopyId>(*views)) {
      const MadeView* made = program_.views.find(view);
      if (made != nullptr && !made->is_read && !program_.ended.contains(view)) keep(view);
    }
  }

  void made_view(const SelectionStep& view, std::size_t at) {
    program_.views.set(view.result, {.step = at});
    const CopyId whole = view.operands.front();
    const std::vector<CopyId>* known = program_.views_of.find(whole);
    std::vector<CopyId> views = known == nullptr ? std::vector<CopyId>() : *known;
    views.push_back(view.result);
    program_.views_of.set(whole, std::move(views));
  }

  void keep(CopyId view) {
    if (view_of(view) == nullptr) return;
    const std::size_t at = program_.views.find(view)->step;
    Step& step = program_.plan.steps[at];
    std::get<SelectionStep>(step.action).is_kept = true;
    program_.steps[at].cost = program_.memo->price(step, program_.plan, program_.machine);
  }

  Program& program_;
};

}  // namespace

void keep_changed_views(Program& program, std::size_t first_step) {
  ViewKeeper keeper(program);
  for (std::size_t at = first_step; at < program.plan.steps.size(); ++at) keeper.step(at);
}

}  // namespace shard
