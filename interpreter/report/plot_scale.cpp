#include "interpreter/report/plot_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/format.h"

namespace shard {

namespace {

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::frexp(value, &exponent) == 0.5;
}

struct Prefix {
  double factor;
  const char* sign;
};

// Four digits at most, and no zeros behind them.
std::string plain_digits(double value) {
  const bool whole = std::abs(value) >= 1e4 && std::abs(value) < 1e6;
  return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string with_prefix(double value, const std::array<Prefix, 5>& prefixes, const char* gap,
                        const char* unit) {
  if (value == 0) return fmt::format("0{}{}", gap, unit);
  const Prefix* best = &prefixes.back();
  for (const Prefix& prefix : prefixes) {
    if (std::abs(value) >= prefix.factor * 0.9999) {
      best = &prefix;
      break;
    }
  }
  return fmt::format("{}{}{}{}", plain_digits(value / best->factor), gap, best->sign, unit);
}

std::string binary_text(double value) {
  constexpr std::array<Prefix, 5> kBinary = {{{1099511627776.0, "Ti"},
                                              {1073741824.0, "Gi"},
                                              {1048576.0, "Mi"},
                                              {1024.0, "Ki"},
                                              {1.0, ""}}};
  return with_prefix(value, kBinary, "", "");
}

// Places among these that leave no more than so many: every second one, every third, …
std::vector<double> thinned(const std::vector<double>& places, std::size_t most) {
  const std::size_t stride = (places.size() + most - 1) / most;
  std::vector<double> kept;
  for (std::size_t i = 0; i < places.size(); i += std::max<std::size_t>(stride, 1))
    kept.push_back(places[i]);
  return kept;
}

std::vector<double> powers_in(double low, double high, double base) {
  std::vector<double> places;
  const int first = static_cast<int>(std::ceil((std::log(low) / std::log(base)) - 1e-9));
  const int last = static_cast<int>(std::floor((std::log(high) / std::log(base)) + 1e-9));
  for (int i = first; i <= last; ++i) places.push_back(std::pow(base, i));
  return places;
}

std::vector<double> even_places(double low, double high, std::size_t most) {
  if (high <= low) return {low};
  const double rough = (high - low) / static_cast<double>(most);
  const double ten = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * ten;
  for (const double digit : {5.0, 2.0, 1.0}) {
    if (digit * ten >= rough * (1 - 1e-9)) step = digit * ten;
  }
  std::vector<double> places;
  for (double i = std::ceil((low / step) - 1e-9); i * step <= high * (1 + 1e-12); ++i)
    places.push_back(i * step);
  return places;
}

// A few, and at least two.
std::vector<double> some_even_places(double low, double high, std::size_t most) {
  std::vector<double> places;
  for (std::size_t wanted = 3; places.size() < 2 && wanted <= std::max<std::size_t>(most, 3);
       ++wanted)
    places = even_places(low, high, wanted);
  return places;
}

// 1, 2 and 5 times powers of ten, as many as there is room for. Where less than two of them are in the range, what is even there:
// one number alone gives no scale.
std::vector<double> decimal_places(double low, double high, std::size_t most) {
  std::vector<double> tens = powers_in(low, high, 10);
  std::vector<double> all;
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::ceil(std::log10(high)));
  for (int i = first; i <= last; ++i) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double place = digit * std::pow(10.0, i);
      if (place >= low * (1 - 1e-9) && place <= high * (1 + 1e-9)) all.push_back(place);
    }
  }
  if (all.size() < 2) return some_even_places(low, high, most);
  return all.size() <= most || tens.size() < 2 ? thinned(all, most) : thinned(tens, most);
}

void end_ticks(PlotScale& scale, const std::vector<double>& places, const Unit& unit, bool binary) {
  for (const double place : places) {
    if (place < scale.low * (1 - 1e-9) || place > scale.high * (1 + 1e-9)) continue;
    scale.ticks.push_back({place, binary ? binary_text(place) : tick_text(place, unit)});
  }
}

}  // namespace

double PlotScale::share(double value) const {
  if (high <= low) return 0.5;
  if (by_factors) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

double PlotScale::value(double share) const {
  if (high <= low) return low;
  return by_factors ? low * std::pow(high / low, share) : low + share * (high - low);
}

std::string tick_text(double value, const Unit& unit) {
  constexpr std::array<Prefix, 5> kTimes = {
      {{1.0, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}, {1e-12, "p"}}};
  constexpr std::array<Prefix, 5> kCounts = {
      {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1.0, ""}}};
  if (unit == kSeconds) return with_prefix(value, kTimes, " ", "s");
  if (unit.is_plain())
    return std::abs(value) < 1 ? plain_digits(value) : with_prefix(value, kCounts, "", "");
  return with_prefix(value, kCounts, " ", to_string(unit).c_str());
}

PlotScale size_scale(const Curves& curves, std::size_t most_ticks) {
  PlotScale scale;
  scale.low = static_cast<double>(curves.sizes.front());
  scale.high = static_cast<double>(curves.sizes.back());
  scale.by_factors = scale.high >= 10 * scale.low;
  const bool binary = scale.low >= 64 && is_power_of_two(scale.low) && is_power_of_two(scale.high);
  if (!scale.by_factors) {
    end_ticks(scale, even_places(scale.low, scale.high, most_ticks), kPlain, false);
  } else if (binary) {
    end_ticks(scale, thinned(powers_in(scale.low, scale.high, 2), most_ticks), kPlain, true);
  } else {
    end_ticks(scale, decimal_places(scale.low, scale.high, most_ticks), kPlain, false);
  }
  return scale;
}

PlotScale value_scale(const Curves& curves, std::size_t most_ticks) {
  std::optional<double> least;
  std::optional<double> most;
  for (const Curve& curve : curves.curves) {
    for (const auto& value : curve.values) {
      if (!value) continue;
      least = std::min(least.value_or(*value), *value);
      most = std::max(most.value_or(*value), *value);
    }
  }
  PlotScale scale;
  scale.low = least.value_or(0);
  scale.high = most.value_or(1);
  const bool sizes_by_factors = curves.sizes.back() / 10 >= curves.sizes.front();
  scale.by_factors = scale.low > 0 && (scale.high >= 20 * scale.low ||
                                       (sizes_by_factors && scale.high >= 2 * scale.low));
  if (scale.by_factors) {
    // A little air above and below the curves.
    const double air = std::pow(scale.high / scale.low, 0.04);
    scale.low /= air;
    scale.high *= air;
    end_ticks(scale, decimal_places(scale.low, scale.high, most_ticks), curves.unit, false);
    return scale;
  }
  if (scale.low >= 0) scale.low = 0;
  if (scale.high <= scale.low) scale.high = scale.low + 1;
  scale.high += 0.04 * (scale.high - scale.low);
  for (const double place : even_places(scale.low, scale.high, most_ticks))
    scale.ticks.push_back(
        {place, tick_text(std::abs(place) < 1e-9 * scale.high ? 0 : place, curves.unit)});
  return scale;
}

std::string value_title(const Curves& curves, const PlotScale& scale) {
  const char* what = curves.unit == kSeconds          ? "time"
                     : curves.unit == kBytes          ? "bytes"
                     : curves.unit == kFlops          ? "FLOPs"
                     : curves.unit == kBytesPerSecond ? "bytes per second"
                                                      : "value";
  return scale.by_factors ? fmt::format("{} (log)", what) : what;
}

std::string size_title(const Curves& curves, const PlotScale& scale) {
  return scale.by_factors ? curves.size + " (log)" : curves.size;
}

std::string crossing_size(const CurveCrossing& crossing) {
  // Whole sizes count: a few devices more or less are not seen in a picture.
  return crossing.size >= 1000 ? format_integer(std::llround(crossing.size))
                               : format_number(crossing.size);
}

std::string crossing_text(const Curves& curves, const CurveCrossing& crossing) {
  return fmt::format("{} = {} at {} = {}", curves.curves[crossing.one].name,
                     curves.curves[crossing.other].name, curves.size, crossing_size(crossing));
}

std::optional<double> value_near(const Curves& curves, const Curve& curve, double size,
                                 bool by_factors) {
  const auto& sizes = curves.sizes;
  const auto next = std::lower_bound(sizes.begin(), sizes.end(), size * (1 - 1e-12),
                                     [](auto a, double b) { return static_cast<double>(a) < b; });
  if (next == sizes.end()) return curve.values.back();
  const auto right = static_cast<std::size_t>(next - sizes.begin());
  if (right == 0 || static_cast<double>(*next) <= size) return curve.values[right];
  const auto& before = curve.values[right - 1];
  const auto& after = curve.values[right];
  if (!before || !after) return std::nullopt;
  const auto begin = static_cast<double>(sizes[right - 1]);
  const auto end = static_cast<double>(*next);
  if (by_factors && *before > 0 && *after > 0) {
    const double share = std::log(size / begin) / std::log(end / begin);
    return *before * std::pow(*after / *before, share);
  }
  return *before + (size - begin) / (end - begin) * (*after - *before);
}

}  // namespace shard
