#include "interpreter/solve/absent_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/words.h"
#include "interpreter/suggest/chip_help.h"
#include "runtime/machine/chip_figure.h"

namespace shard {

void report_absent(const AskedSize& size, const std::vector<Formula>& asked,
                   const std::string& which, CheckContext& context) {
  const Scope& scope = context.scope;
  // What a mistake left out may depend on it.
  if (scope.machine.failed || scope.told.lacks_anything()) return;
  const std::string& name = size.name.text;
  const auto axis = scope.find_axis(name);
  if (axis && scope.mesh().axes[*axis].size.constant()) {
    return report(context, DiagnosticKind::NoOpenSize, size.name.at.span,
                  fmt::format("`{}` is {} by the mesh, and not open", name,
                              scope.mesh().axes[*axis].size.to_string()),
                  {fmt::format("minimize c.time over {} tries the meshes of as many devices", name),
                   "or ask before the mesh is declared: its axes are open there"});
  }
  std::vector<std::string> open;
  for (const Formula& formula : asked) {
    for (std::string& symbol : formula.symbols()) {
      if (!is_chip_symbol(symbol)) open.push_back(std::move(symbol));
    }
  }
  std::sort(open.begin(), open.end());
  open.erase(std::unique(open.begin(), open.end()), open.end());
  const std::string message = fmt::format("{} on `{}`", which, name);
  if (open.empty()) {
    return report(context, DiagnosticKind::NoOpenSize, size.name.at.span, message,
                  {fmt::format("a scalar that was computed with a number keeps it, and so does a "
                               "block that gives `{}` itself: write the formula, or leave the size "
                               "out of the block",
                               name)});
  }
  const auto near = nearest_name(name, open);
  std::vector<Edit> edits;
  if (near || open.size() == 1) edits.push_back({size.name.at.span, near ? *near : open.front()});
  std::vector<std::string> quoted;
  for (const std::string& symbol : open) quoted.push_back("`" + symbol + "`");
  return report(context, DiagnosticKind::NoOpenSize, size.name.at.span, message,
                {fmt::format("open {} {}", open.size() == 1 ? "is" : "are", join_words(quoted))},
                {}, std::move(edits));
}

bool lacks_what_was_reported(const std::vector<std::string>& open, const Scope& scope) {
  return std::any_of(open.begin(), open.end(), [&](const std::string& name) {
    return (scope.machine.failed && is_chip_symbol(name)) || scope.told.was_reported(name) ||
           scope.told.unknown_axes.contains(name);
  });
}

std::string values_help(const std::vector<std::string>& missing, const Scope& scope) {
  std::vector<std::string> values;
  std::vector<std::string> of_chip;
  for (const std::string& name : missing) {
    if (is_chip_symbol(name))
      of_chip.push_back(name);
    else
      values.push_back(name + " = 128");
  }
  const std::string hardware = hardware_line(of_chip, scope, " 4x4");
  if (values.empty()) return "give the hardware before: " + hardware;
  const bool lacks_chip = !of_chip.empty();
  return fmt::format("give the {}{} before: {}{}", values.size() == 1 ? "size" : "sizes",
                     lacks_chip ? " and the hardware" : "", join(values, ", "),
                     lacks_chip ? "; " + hardware : "");
}

}  // namespace shard
