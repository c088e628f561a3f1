// The axes of an argument against those that its parameter names.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "grammar/tree/names.h"
#include "interpreter/statements/functions/bind_arguments.h"

namespace shard {

bool ArgumentBinder::name_axes(const std::string& name, const std::vector<AxisId>& axes,
                               AxisOrder order) {
  const auto [entry, is_new] = axes_.try_emplace(name, axes);
  const std::vector<AxisId>& known = entry->second;
  scope_.names.axis_names[name] = known;
  return known == axes ||
         (order == AxisOrder::Any &&
          std::is_permutation(known.begin(), known.end(), axes.begin(), axes.end()));
}

bool ArgumentBinder::fits_axes(const std::vector<ast::Identifier>& wanted,
                               const std::vector<AxisId>& axes, AxisOrder order) {
  std::vector<AxisId> given = axes;
  const auto is_trivial = [&](AxisId axis) { return scope_.mesh().axes[axis].size == Amount(1); };
  const std::string& first = wanted.front().text;
  if (names_all_axes(first)) {
    std::erase_if(given, is_trivial);
    return name_axes(first.substr(0, first.size() - kAllAxes.size()), given, order);
  }
  // Of a name that has several axes, or none, since an earlier parameter.
  std::vector<std::pair<std::string, std::size_t>> named;
  std::size_t count = 0;
  const auto add = [&](const std::string& name) {
    const auto known = axes_.find(name);
    named.emplace_back(name, known == axes_.end() ? 1 : known->second.size());
    count += named.back().second;
  };
  for (const ast::Identifier& name : wanted) add(name.text);
  if (given.size() != count) std::erase_if(given, is_trivial);
  if (given.size() != count) {
    // An axis of size 1 splits nothing, so it is not missed.
    std::erase_if(named, [&](const auto& one) {
      const auto axis = scope_.mesh().find(one.first);
      const bool trivial = axis && is_trivial(*axis);
      if (trivial) count -= one.second;
      return trivial;
    });
  }
  if (given.size() != count) return false;
  bool fits = true;
  auto next = given.begin();
  for (const auto& [name, size] : named) {
    fits = name_axes(name, {next, next + std::ptrdiff_t(size)}, order) && fits;
    next += std::ptrdiff_t(size);
  }
  return fits;
}

bool ArgumentBinder::match_axes(std::size_t i, const std::vector<ast::Identifier>& wanted,
                                const std::vector<AxisId>& axes, AxisOrder order, Span place) {
  if (wanted.empty() || fits_axes(wanted, axes, order)) return true;
  std::vector<std::string> help = {
      fmt::format("it is `{}`", scope_.describe(std::get<PassedArray>(passed_[i]).array,
                                                std::get<PassedArray>(passed_[i]).layout))};
  for (const ast::Identifier& name : wanted) {
    const auto known = axes_.find(names_all_axes(name.text)
                                      ? name.text.substr(0, name.text.size() - kAllAxes.size())
                                      : name.text);
    if (known == axes_.end() || known->second.size() == 1) continue;
    help.push_back(known->second.empty()
                       ? fmt::format("`{}` is no axis, by an earlier argument", known->first)
                       : fmt::format("`{}` is {}, by an earlier argument", known->first,
                                     axes_to_string(known->second, scope_.mesh())));
  }
  return fail(argument_span(i),
              fmt::format("{} is not laid out as the parameter {} demands", argument_text(i),
                          parameter_text(i)),
              place, "demanded here", std::move(help));
}

}  // namespace shard
