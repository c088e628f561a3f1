#include "interpreter/program/length_relations.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/format.h"

namespace shard {

LengthRelations::Length LengthRelations::add(std::optional<std::int64_t> full) {
  infos_.push_back(
      {.parent = infos_.size(), .full = full, .why = {}, .asked = {}, .products = {}, .cut = {}});
  return infos_.size() - 1;
}

LengthRelations::Length LengthRelations::root(Length length) const {
  while (infos_[length].parent != length) length = infos_[length].parent;
  return length;
}

void LengthRelations::same(Length a, Length b) {
  a = root(a);
  b = root(b);
  if (a == b || infos_[a].full != infos_[b].full) return;
  // The older one stays: chains are as long as names are renamed in turn.
  if (a > b) std::swap(a, b);
  Info& into = infos_[a];
  Info& from = infos_[b];
  from.parent = a;
  into.divisor = std::lcm(into.divisor, from.divisor);
  into.least = std::max(into.least, from.least);
  if (from.kept > into.kept) {
    into.kept = from.kept;
    into.why = from.why;
  }
  for (std::vector<Length>& parts : from.products) into.products.push_back(std::move(parts));
  from.products.clear();
}

void LengthRelations::product(Length whole, std::vector<Length> parts) {
  of(whole).products.push_back(std::move(parts));
}

void LengthRelations::multiple_of(Length length, std::int64_t divisor) {
  Info& info = of(length);
  info.divisor = std::lcm(info.divisor, divisor);
}

void LengthRelations::at_least(Length length, std::int64_t least) {
  Info& info = of(length);
  info.least = std::max(info.least, least);
}

void LengthRelations::keep(Length length, Kept kept, const std::string& why) {
  Info& info = of(length);
  if (kept <= info.kept) return;
  info.kept = kept;
  info.why = why;
}

std::optional<LengthRelations::Mistake> LengthRelations::mistake_in(Length length) const {
  const Info& info = of(length);
  if (!info.asked) return std::nullopt;
  const auto mistake = [&](std::string reason) { return Mistake{length, std::move(reason)}; };
  const std::int64_t wanted = *info.asked;
  if (info.full && wanted > *info.full)
    return mistake(
        fmt::format("it is cut, and cannot become longer than {}", format_integer(*info.full)));
  if (wanted % info.divisor != 0) return Mistake{length, "", info.divisor};
  if (wanted < info.least)
    return mistake(fmt::format("{} of its elements are wanted", format_integer(info.least)));
  if (info.kept == Kept::Always && info.full && wanted != *info.full)
    return mistake(
        fmt::format("it {}, and keeps its length of {}", info.why, format_integer(*info.full)));
  return std::nullopt;
}

std::optional<LengthRelations::Mistake> LengthRelations::ask(Length length, std::int64_t wanted) {
  Info& info = of(length);
  if (info.asked && *info.asked != wanted)
    return Mistake{length, fmt::format("it is as long as another that is to be {}",
                                       format_integer(*info.asked))};
  info.asked = wanted;
  return mistake_in(length);
}

std::int64_t LengthRelations::shortened(const Info& info, const Rational& scale) const {
  if (info.asked) return *info.asked;
  const std::int64_t full = *info.full;
  if (info.kept != Kept::No) return full;
  // Two in each part: with one, an order within a part that is wrong would not be seen.
  constexpr std::int64_t kInEachPart = 2;
  const std::int64_t divisor = info.divisor;
  const auto up = [&](std::int64_t length) { return (length + divisor - 1) / divisor * divisor; };
  const std::int64_t wanted = ceil(Rational(full) * scale).to_int64().value_or(full);
  return std::min(full, up(std::max({wanted, kInEachPart * divisor, info.least})));
}

void LengthRelations::keep_products(Length length) {
  const std::string why = "is split and merged in ways that leave it no other length";
  keep(length, Kept::Always, why);
  for (const std::vector<Length>& parts : of(length).products) {
    for (const Length part : parts) keep(part, Kept::Always, why);
  }
}

bool LengthRelations::try_cut(Length length, const Rational& scale) {
  length = root(length);
  Info& info = infos_[length];
  if (info.cut) return true;
  if (info.under_way) return false;
  info.under_way = true;
  std::optional<std::int64_t> cut;
  bool fits = true;
  for (const std::vector<Length>& parts : info.products) {
    std::optional<std::int64_t> value = 1;
    for (const Length part : parts) {
      fits = fits && try_cut(part, scale);
      const auto factor = of(part).cut;
      value = value && factor ? std::optional(*value * *factor) : std::nullopt;
    }
    if (!value) continue;
    fits = fits && (!cut || cut == value);
    cut = value;
  }
  infos_[length].under_way = false;
  if (!fits) return false;
  if (!cut && (info.full || info.asked)) cut = shortened(info, scale);
  const bool is_kept = info.kept == Kept::Always && info.full && cut != info.full;
  if (cut && (*cut % info.divisor != 0 || *cut < info.least || is_kept)) return false;
  info.cut = cut;
  return true;
}

std::optional<LengthRelations::Mistake> LengthRelations::cut(const Rational& scale) {
  // Each round keeps lengths that were not kept before.
  for (bool again = true; again;) {
    again = false;
    for (Info& info : infos_) info.cut.reset();
    for (Length i = 0; i < infos_.size(); ++i) {
      if (root(i) != i || try_cut(i, scale)) continue;
      const auto is_kept = [&](Length part) { return of(part).kept == Kept::Always; };
      const auto& products = infos_[i].products;
      const bool all_kept =
          is_kept(i) && std::all_of(products.begin(), products.end(), [&](const auto& parts) {
            return std::all_of(parts.begin(), parts.end(), is_kept);
          });
      if (all_kept) continue;
      keep_products(i);
      again = true;
    }
  }
  for (Length i = 0; i < infos_.size(); ++i) {
    if (root(i) != i) continue;
    if (auto mistake = mistake_in(i)) return mistake;
    const Info& info = infos_[i];
    if (info.asked && info.cut != info.asked)
      return Mistake{i, info.cut ? fmt::format("it is what others are merged to, which makes it {}",
                                               format_integer(*info.cut))
                                 : "what it is merged from has other lengths"};
  }
  return std::nullopt;
}

}  // namespace shard
