#include "interpreter/ir/chip_constant.h"

#include "runtime/machine/chip_figure.h"

namespace shard {

std::optional<Quantity> chip_constant(const std::string& name, const Chip& chip) {
  if (const ChipFigure* figure = find_chip_figure(name)) {
    const auto value = is_read(*figure) ? read_figure(*figure, chip) : std::nullopt;
    return value ? std::optional(Quantity{*value, figure->unit}) : std::nullopt;
  }
  // The rate of a type that is not stated by this name: `C_uint32`, `C_bf16`.
  if (!name.starts_with("C_")) return std::nullopt;
  const auto dtype = parse_dtype(name.substr(2));
  return dtype ? std::optional(Quantity{rate_of(chip, *dtype).flops_per_second, kFlopsPerSecond})
               : std::nullopt;
}

std::vector<std::string> chip_constants() {
  std::vector<std::string> names;
  for (const ChipFigure& figure : chip_figures()) {
    if (is_read(figure)) names.emplace_back(figure.name);
  }
  return names;
}

}  // namespace shard
