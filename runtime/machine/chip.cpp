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

// Sums of fractions with denominators of their own would soon not fit.
Rational in_billionths(const Rational& value) {
  constexpr std::int64_t kBillion = 1'000'000'000;
  return round(value * Rational(kBillion)) / Rational(kBillion);
}

// A line from each size to the next, as a sum of max(0, …), which holds while sizes are symbols.
Formula by_size(const std::vector<SizedEfficiency>& sizes, const Amount& flops) {
  const auto work = [&](std::size_t i) {
    const Rational size(sizes[i].size);
    return Rational(2) * size * size * size;
  };
  const auto at_peak = [&](std::size_t i) { return work(i) / sizes[i].efficiency; };
  Formula sum = round(at_peak(0));
  Rational before = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool last = i + 1 == sizes.size();
    const Rational slope =
        in_billionths(last ? Rational(1) / sizes[i].efficiency
                           : (at_peak(i + 1) - at_peak(i)) / (work(i + 1) - work(i)));
    sum = sum + Formula(slope - before) * max(Formula(0), Formula(flops) - Formula(work(i)));
    before = slope;
  }
  return sum;
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

Formula exchange_bandwidth(const Chip& chip) {
  if (has_torus(chip.wrap)) return axis_bandwidth(chip);
  std::int64_t others = 1;
  if (chip.wrap == WrapRule::Full) {
    std::int64_t chips = 1;
    for (const std::int64_t length : chip.pod) chips *= length;
    others = std::max<std::int64_t>(1, chips - 1);
  }
  return Formula(others) * one_way_bandwidth(chip);
}

Formula hbm_bandwidth(const Chip& chip) { return figure_or_symbol(chip.hbm_bandwidth, "W_hbm"); }

Formula dcn_bandwidth(const Chip& chip) { return figure_or_symbol(chip.dcn_bandwidth, "W_dcn"); }

Formula core_bandwidth(const Chip& chip) { return figure_or_symbol(chip.core_link, "W_core"); }

Formula hop_latency(AxisKind kind, const Chip& chip) {
  // 1 us on ICI and behind a switch, 10 us between slices (S, "Case 2").
  const Formula hops(kind == AxisKind::Dcn ? 10 : 1);
  if (chip.hop) return hops * Formula(*chip.hop);
  if (!chip.ici_one_way) return hops * Formula::symbol("T_min");
  return hops * Formula(Rational::fraction(1, 1'000'000));
}

Formula launch_time(const Chip& chip) { return chip.launch.value_or(0); }

Formula cores_of(const Chip& chip) { return chip.cores.value_or(1); }

Chip one_core_of(const Chip& chip) {
  Chip core = chip;
  const Rational cores = chip.cores.value_or(1);
  for (auto figure : {&Chip::hbm, &Chip::hbm_bandwidth, &Chip::fast_memory, &Chip::ici_one_way,
                      &Chip::dcn_bandwidth, &Chip::pcie_bandwidth}) {
    if (core.*figure) core.*figure = *(core.*figure) / cores;
  }
  for (auto& [dtype, rate] : core.rates) rate = rate / cores;
  return core;
}

Formula efficiency_of(const Chip& chip) { return chip.efficiency.value_or(1); }

Formula flops_at_peak(const Chip& chip, const Amount& flops, bool is_product) {
  if (!chip.efficiency) return flops;
  if (!is_product || chip.efficiency_by_size.empty()) return Formula(flops) / *chip.efficiency;
  return by_size(chip.efficiency_by_size, flops);
}

}  // namespace shard
