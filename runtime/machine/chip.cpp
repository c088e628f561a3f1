#include "runtime/machine/chip.h"

namespace shard {
namespace {

std::optional<Rational> rate_in_catalogue(const Chip& chip, DType dtype) {
  const auto rate = chip.rates.find(rated_as(dtype));
  return rate != chip.rates.end() ? std::optional(rate->second) : std::nullopt;
}

Formula figure_or_symbol(const std::optional<Rational>& figure, const char* symbol) {
  return figure ? Formula(*figure) : Formula::symbol(symbol);
}

}  // namespace

Chip unknown_chip() { return {}; }

DType rated_as(DType dtype) { return info_of(dtype).rated_as; }

Rate rate_of(const Chip& chip, DType dtype) {
  if (const auto rate = rate_in_catalogue(chip, dtype)) return {*rate};
  if (const auto rate = rate_in_catalogue(chip, DType::Bf16)) return {*rate, dtype};
  return {Formula::symbol("C")};
}

Formula one_way_bandwidth(const Chip& chip) {
  return chip.ici_one_way ? Formula(*chip.ici_one_way) : Formula::symbol("W") / Formula(2);
}

Formula axis_bandwidth(const Chip& chip) { return Formula(2) * one_way_bandwidth(chip); }

Formula hbm_bandwidth(const Chip& chip) { return figure_or_symbol(chip.hbm_bandwidth, "W_hbm"); }

Formula dcn_bandwidth(const Chip& chip) { return figure_or_symbol(chip.dcn_bandwidth, "W_dcn"); }

Formula hop_latency(AxisKind kind, const Chip& chip) {
  // 1 us on ICI and behind a switch, 10 us between slices (S, "Case 2").
  const Formula hops(kind == AxisKind::Dcn ? 10 : 1);
  if (!chip.ici_one_way) return hops * Formula::symbol("T_min");
  return hops * Formula(Rational::fraction(1, 1'000'000));
}

}  // namespace shard
