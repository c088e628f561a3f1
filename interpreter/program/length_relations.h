// How the lengths of a program depend on each other, and shorter ones that depend on each other in the same way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/rational.h"

namespace shard {

class LengthRelations {
 public:
  using Length = std::size_t;
  // Why a length is not cut: nobody may, or only who asks for it by name.
  enum class Kept { No, UnlessAsked, Always };

  // What was asked for, and why it cannot be had: no text if only a multiple of `multiple` can.
  struct Mistake {
    Length length = 0;
    std::string reason;
    std::int64_t multiple = 1;
  };

  // Another length; nullopt if it is no number.
  Length add(std::optional<std::int64_t> full);

  // Both are one. Lengths that differ are not.
  void same(Length a, Length b);
  // `whole` is their product.
  void product(Length whole, std::vector<Length> parts);
  void multiple_of(Length length, std::int64_t divisor);
  void at_least(Length length, std::int64_t least);
  // `why`: continues "it ".
  void keep(Length length, Kept kept, const std::string& why);

  // To be as long as that when it is cut.
  std::optional<Mistake> ask(Length length, std::int64_t wanted);
  // Cuts all lengths. Those that have none and were not asked for stay without.
  std::optional<Mistake> cut(const Rational& scale);

  bool is_same(Length a, Length b) const { return root(a) == root(b); }
  std::optional<std::int64_t> full(Length length) const { return of(length).full; }
  // REQUIRES: cut.
  std::optional<std::int64_t> cut_length(Length length) const { return of(length).cut; }

 private:
  struct Info {
    Length parent = 0;
    std::optional<std::int64_t> full;
    std::int64_t divisor = 1;
    std::int64_t least = 1;
    Kept kept = Kept::No;
    std::string why;
    std::optional<std::int64_t> asked;
    std::vector<std::vector<Length>> products;
    std::optional<std::int64_t> cut;
    bool under_way = false;
  };

  Length root(Length length) const;
  const Info& of(Length length) const { return infos_[root(length)]; }
  Info& of(Length length) { return infos_[root(length)]; }
  std::int64_t shortened(const Info& info, const Rational& scale) const;
  // Whether the length, and those it is a product of, could be cut in one way. If not, they are kept.
  bool try_cut(Length length, const Rational& scale);
  void keep_products(Length length);
  std::optional<Mistake> mistake_in(Length length) const;

  std::vector<Info> infos_;
};

}  // namespace shard
