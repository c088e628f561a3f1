#include "interpreter/suggest/chip_help.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/tree/names.h"
#include "interpreter/ir/chip_constant.h"
#include "runtime/machine/chip_figure.h"
#include "runtime/machine/mesh_text.h"

namespace shard {

namespace {

constexpr std::string_view kExampleChip = "TPUv5p";

// What another chip has; the example's if it states the figure. Empty if no chip does.
std::string value_elsewhere(const std::string& figure, const Scope& scope) {
  const auto value_of = [&](const Chip& chip) -> std::string {
    const auto value = chip_constant(figure, chip);
    return value && value->value.constant() ? to_text(*value) : "";
  };
  const auto example = scope.names.chips.find(name_key(std::string(kExampleChip)));
  if (example != scope.names.chips.end()) {
    if (std::string text = value_of(example->second); !text.empty()) return text;
  }
  for (const auto& [key, chip] : scope.names.chips) {
    if (std::string text = value_of(chip); !text.empty()) return text;
  }
  return "";
}

// As a script states it: what is read of several figures is that of the links.
std::string stated_name(const std::string& name) {
  const ChipFigure* figure = find_chip_figure(name);
  return figure == nullptr || is_stated(*figure) ? name : "W1";
}

}  // namespace

std::string hardware_line(const std::vector<std::string>& figures, const Scope& scope,
                          std::string_view slice) {
  const MachineState& machine = scope.machine;
  if (!machine.chip) return fmt::format("hardware {}{}", kExampleChip, slice);
  std::vector<std::string> names;
  std::vector<std::string> stated;
  for (const std::string& figure : figures) {
    const std::string name = stated_name(figure);
    if (find_chip_figure(name) == nullptr || contains(names, name)) continue;
    names.push_back(name);
    const std::string value = value_elsewhere(name, scope);
    stated.push_back(fmt::format("{}: {}", name, value.empty() ? "…" : value));
  }
  const Chip& chip = *machine.chip;
  const auto known = scope.names.chips.find(name_key(chip.name));
  // Those that `hardware` gave the chip stay.
  const bool has_others = known == scope.names.chips.end() || !(known->second == chip);
  const auto wrap = machine.slice ? machine.slice->wraparound : machine.wraparound;
  return fmt::format("hardware {}{}{} {{{}{}}}", chip.name,
                     machine.slice ? " " + slice_text(machine.slice->lengths) : "",
                     !wrap   ? ""
                     : *wrap ? " wrap"
                             : " nowrap",
                     has_others ? "…, " : "", join(stated, ", "));
}

}  // namespace shard
