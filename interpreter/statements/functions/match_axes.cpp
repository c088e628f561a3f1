// The axes of an argument against those that its parameter names.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/contains.h"
#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/statements/functions/bind_arguments.h"

namespace shard {

std::vector<const std::vector<ast::Identifier>*> subscripts_of(const ast::Function& function) {
  std::vector<const std::vector<ast::Identifier>*> subscripts;
  for (const ast::ArrayRef& parameter : function.parameters) {
    for (const ast::Dimension& dimension : parameter.dimensions)
      subscripts.push_back(&dimension.axes);
    subscripts.push_back(&parameter.unreduced);
  }
  return subscripts;
}

bool ArgumentBinder::name_axes(const std::string& name, const std::vector<AxisId>& axes,
                               AxisOrder order) {
  const auto [entry, is_new] = axes_.try_emplace(name, axes);
  const std::vector<AxisId>& known = entry->second;
  scope_.names.axis_names[name] = known;
  return known == axes ||
         (order == AxisOrder::Any &&
          std::is_permutation(known.begin(), known.end(), axes.begin(), axes.end()));
}

bool ArgumentBinder::is_trivial(AxisId axis) const {
  return scope_.mesh().axes[axis].size == Amount(1);
}

bool ArgumentBinder::is_list(const ast::Identifier& name) const {
  return lists_.count(std::string(without_all_axes(name.text))) > 0;
}

bool ArgumentBinder::waits_for_others(const std::vector<ast::Identifier>& wanted) const {
  return wanted.size() > 1 &&
         std::any_of(wanted.begin(), wanted.end(), [&](const auto& name) { return is_list(name); });
}

std::vector<ArgumentBinder::NamedAxes> ArgumentBinder::shares_of(
    const std::vector<ast::Identifier>& wanted) const {
  std::vector<NamedAxes> shares;
  for (const ast::Identifier& one : wanted) {
    const std::string name(without_all_axes(one.text));
    const auto known = axes_.find(name);
    const bool open = known == axes_.end();
    const bool rest = open && is_list(one);
    shares.push_back({name, open ? std::size_t(!rest) : known->second.size(), rest});
  }
  return shares;
}

std::vector<AxisId> ArgumentBinder::in_order_of(const std::vector<NamedAxes>& shares,
                                                std::vector<AxisId> given) const {
  std::vector<AxisId> others = given;
  const auto known = [&](const NamedAxes& one) {
    const auto found = axes_.find(one.name);
    return found != axes_.end() && contains_all(given, found->second) ? &found->second : nullptr;
  };
  for (const NamedAxes& one : shares) {
    if (const auto* axes = known(one))
      std::erase_if(others, [&](AxisId axis) { return contains(*axes, axis); });
  }
  std::vector<AxisId> ordered;
  auto next = others.begin();
  for (const NamedAxes& one : shares) {
    if (const auto* axes = known(one)) {
      ordered.insert(ordered.end(), axes->begin(), axes->end());
      continue;
    }
    const auto count = std::min(std::ptrdiff_t(one.count), others.end() - next);
    ordered.insert(ordered.end(), next, next + count);
    next += count;
  }
  return ordered.size() == given.size() ? ordered : given;
}

bool ArgumentBinder::fits_axes(const std::vector<ast::Identifier>& wanted,
                               const std::vector<AxisId>& axes, AxisOrder order) {
  std::vector<AxisId> given = axes;
  std::vector<NamedAxes> shares = shares_of(wanted);
  const auto count = [&] {
    return std::accumulate(shares.begin(), shares.end(), std::size_t(0),
                           [](std::size_t sum, const NamedAxes& one) { return sum + one.count; });
  };
  const auto trivial = [&](AxisId axis) { return is_trivial(axis); };
  const auto rest =
      std::find_if(shares.begin(), shares.end(), [](const NamedAxes& one) { return one.is_rest; });
  if (rest != shares.end()) {
    std::erase_if(given, trivial);
    if (given.size() < count()) return false;
    rest->count = given.size() - count();
  }
  if (given.size() != count()) std::erase_if(given, trivial);
  if (given.size() != count()) {
    // An axis of size 1 splits nothing, so it is not missed.
    std::erase_if(shares, [&](const NamedAxes& one) {
      const auto axis = scope_.mesh().find(one.name);
      return axis && is_trivial(*axis);
    });
  }
  if (given.size() != count()) return false;
  if (order == AxisOrder::Any) given = in_order_of(shares, std::move(given));
  // What is known first: where it does not fit, others get no axes that a help would show.
  for (const bool known : {true, false}) {
    auto next = given.begin();
    for (const NamedAxes& one : shares) {
      const std::vector<AxisId> own(next, next + std::ptrdiff_t(one.count));
      next += std::ptrdiff_t(one.count);
      if (known == (axes_.count(one.name) > 0) && !name_axes(one.name, own, order)) return false;
    }
  }
  return true;
}

std::optional<std::vector<AxisId>> ArgumentBinder::demanded_axes(
    const std::vector<ast::Identifier>& wanted, const std::vector<AxisId>& given) const {
  const std::vector<NamedAxes> shares = shares_of(wanted);
  std::vector<AxisId> others = given;
  for (const NamedAxes& one : shares) {
    const auto known = axes_.find(one.name);
    if (known == axes_.end()) continue;
    std::erase_if(others, [&](AxisId axis) { return contains(known->second, axis); });
  }
  std::vector<AxisId> demanded;
  for (const NamedAxes& one : shares) {
    const auto known = axes_.find(one.name);
    if (known == axes_.end() && !one.is_rest && others.size() != 1) return std::nullopt;
    const std::vector<AxisId>& own = known == axes_.end() ? others : known->second;
    demanded.insert(demanded.end(), own.begin(), own.end());
  }
  if (demanded == given) return std::nullopt;
  return demanded;
}

void ArgumentBinder::offer_layout(std::size_t i, Span place, const std::vector<AxisId>& axes,
                                  std::vector<std::string>& help, std::vector<Edit>& edits) const {
  const auto& pattern = function_.parameters[i].dimensions;
  const auto behind = std::find_if(pattern.rbegin(), pattern.rend(), [&](const auto& dimension) {
    return dimension.at.span == place;
  });
  const auto* written = std::get_if<ast::ArrayRef>(&call_.arguments[i]->node);
  if (behind == pattern.rend() || written == nullptr) return;
  const auto& passed = std::get<PassedArray>(passed_[i]);
  const std::size_t d = passed.layout.dims.size() - 1 - std::size_t(behind - pattern.rbegin());
  if (!written->bracketed) {
    Layout layout = passed.layout;
    layout.dims.edit()[d] = axes;
    // Another subscript of the parameter may want what its dimension has now.
    if (reused_axis(layout)) return;
    help.push_back(fmt::format("`{} → {}` before the call lays it out so",
                               scope_.describe(passed.array, passed.layout),
                               scope_.describe(passed.array, layout)));
    return;
  }
  if (written->dimensions.size() != passed.layout.dims.size()) return;
  ast::ArrayRef meant = *written;
  std::vector<ast::Identifier> names;
  for (const AxisId axis : axes) names.push_back({scope_.mesh().axes[axis].name, {}});
  for (ast::Dimension& dimension : meant.dimensions)
    std::erase_if(dimension.axes, [&](const auto& axis) { return contains(names, axis); });
  meant.dimensions[d].axes = std::move(names);
  edits.push_back({argument_span(i), print(meant, Spelling::Unicode)});
}

bool ArgumentBinder::match_axes(std::size_t i, const std::vector<ast::Identifier>& wanted,
                                const std::vector<AxisId>& axes, AxisOrder order, Span place) {
  if (wanted.empty() || fits_axes(wanted, axes, order)) return true;
  std::vector<std::string> help = {
      fmt::format("it is `{}`", scope_.describe(std::get<PassedArray>(passed_[i]).array,
                                                std::get<PassedArray>(passed_[i]).layout))};
  for (const ast::Identifier& name : wanted) {
    const auto known = axes_.find(std::string(without_all_axes(name.text)));
    if (known == axes_.end() || (known->second.size() == 1 && !is_list(name))) continue;
    const std::string told = axes_to_string(known->second, scope_.mesh());
    if (known->second.empty())
      help.push_back(fmt::format("`{}` is no axis, by another argument", known->first));
    else if (told != known->first)
      help.push_back(fmt::format("`{}` is {}, by another argument", known->first, told));
  }
  std::vector<Edit> edits;
  if (const auto demanded = demanded_axes(wanted, axes))
    offer_layout(i, place, *demanded, help, edits);
  return fail(argument_span(i),
              fmt::format("{} is not laid out as the parameter {} demands", argument_text(i),
                          parameter_text(i)),
              place, "demanded here", std::move(help), std::move(edits));
}

bool ArgumentBinder::match_or_wait(std::size_t i, const std::vector<ast::Identifier>& wanted,
                                   const std::vector<AxisId>& axes, AxisOrder order, Span place) {
  if (!waits_for_others(wanted)) return match_axes(i, wanted, axes, order, place);
  waiting_.push_back({i, wanted, axes, order, place});
  return true;
}

bool ArgumentBinder::match_waiting() {
  return std::all_of(waiting_.begin(), waiting_.end(), [&](const Waiting& one) {
    return match_axes(one.parameter, one.wanted, one.axes, one.order, one.place);
  });
}

}  // namespace shard
