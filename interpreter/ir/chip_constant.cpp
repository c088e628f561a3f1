#include "interpreter/ir/chip_constant.h"

#include <algorithm>
#include <utility>

#include "base/words.h"
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

std::optional<std::string> meant_chip_constant(std::string_view word) {
  constexpr std::pair<std::string_view, const char*> kWords[] = {
      {"memory", "HBM"},    {"mem", "HBM"},
      {"capacity", "HBM"},  {"hbm", "HBM"},
      {"hbm_bytes", "HBM"}, {"bandwidth", "W_hbm"},
      {"bw", "W_hbm"},      {"hbm_bandwidth", "W_hbm"},
      {"hbm_bw", "W_hbm"},  {"memory_bandwidth", "W_hbm"},
      {"flops", "C"},       {"peak", "C"},
      {"peak_flops", "C"},  {"compute", "C"},
      {"ici", "W_ici"},     {"ici_bandwidth", "W_ici"},
      {"link", "W_ici"},    {"dcn", "W_dcn"},
      {"pcie", "W_pcie"},   {"latency", "T_min"}};
  std::string meant(word);
  std::transform(meant.begin(), meant.end(), meant.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  for (const auto& [known, figure] : kWords) {
    if (meant == known) return figure;
  }
  return nearest_name(word, chip_constants());
}

}  // namespace shard
