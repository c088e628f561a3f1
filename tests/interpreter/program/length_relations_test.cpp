#include "interpreter/program/length_relations.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <numeric>

#include "tests/property.h"

namespace shard {
namespace {

using Kept = LengthRelations::Kept;

Rational part(std::int64_t of) { return Rational(1) / Rational(of); }

TEST(LengthRelations, CutsToAMultipleOfThePartsWithTwoInEach) {
  LengthRelations lengths;
  const auto batch = lengths.add(4096);
  const auto heads = lengths.add(8);
  const auto few = lengths.add(3);
  lengths.multiple_of(batch, 16);
  lengths.multiple_of(batch, 24);
  lengths.multiple_of(heads, 8);
  ASSERT_FALSE(lengths.cut(part(64)));
  EXPECT_EQ(lengths.cut_length(batch),
            96);  // lcm(16, 24) = 48 is the least multiple, 4096 / 64 = 64
  EXPECT_EQ(lengths.cut_length(heads), 8);
  EXPECT_EQ(lengths.cut_length(few), 2);
}

TEST(LengthRelations, CutWhatIsTheSameToTheSame) {
  LengthRelations lengths;
  const auto a = lengths.add(1024);
  const auto b = lengths.add(1024);
  const auto c = lengths.add(1024);
  lengths.same(a, b);
  lengths.same(c, b);
  lengths.multiple_of(a, 3);
  lengths.at_least(c, 200);
  ASSERT_FALSE(lengths.cut(part(64)));
  EXPECT_EQ(lengths.cut_length(a), 201);
  EXPECT_EQ(lengths.cut_length(b), 201);
  EXPECT_EQ(lengths.cut_length(c), 201);
}

TEST(LengthRelations, MultiplyWhatIsMerged) {
  LengthRelations lengths;
  const auto batch = lengths.add(64);
  const auto sequence = lengths.add(128);
  const auto tokens = lengths.add(64 * 128);
  lengths.multiple_of(batch, 4);
  lengths.multiple_of(tokens, 4);
  lengths.product(tokens, {batch, sequence});
  ASSERT_FALSE(lengths.cut(part(32)));
  EXPECT_EQ(lengths.cut_length(batch), 8);
  EXPECT_EQ(lengths.cut_length(sequence), 4);
  EXPECT_EQ(lengths.cut_length(tokens), 32);
}

// Two products of one length that cannot stay equal: nothing of them is cut.
TEST(LengthRelations, KeepProductsThatWouldDiffer) {
  LengthRelations lengths;
  const auto a = lengths.add(6);
  const auto b = lengths.add(35);
  const auto c = lengths.add(10);
  const auto d = lengths.add(21);
  const auto whole = lengths.add(210);
  lengths.product(whole, {a, b});
  lengths.product(whole, {c, d});
  lengths.multiple_of(c, 5);
  ASSERT_FALSE(lengths.cut(part(2)));
  for (const auto length : {a, b, c, d, whole})
    EXPECT_EQ(lengths.cut_length(length), lengths.full(length));
}

TEST(LengthRelations, KeepWhatMayNotChangeUnlessItIsAsked) {
  LengthRelations lengths;
  const auto experts = lengths.add(64);
  const auto file = lengths.add(1000);
  lengths.keep(experts, Kept::UnlessAsked, "is indexed");
  lengths.keep(file, Kept::Always, "is as long as in its file");
  EXPECT_FALSE(lengths.ask(experts, 8));
  const auto mistake = lengths.ask(file, 10);
  ASSERT_TRUE(mistake);
  EXPECT_EQ(mistake->reason, "it is as long as in its file, and keeps its length of 1,000");
}

TEST(LengthRelations, TellWhatCannotBe) {
  LengthRelations lengths;
  const auto split = lengths.add(64);
  const auto same = lengths.add(64);
  const auto tokens = lengths.add(128);
  lengths.multiple_of(split, 16);
  EXPECT_EQ(lengths.ask(split, 20)->multiple, 16);
  EXPECT_EQ(lengths.ask(same, 65)->reason, "it is cut, and cannot become longer than 64");
  LengthRelations merged;
  const auto batch = merged.add(64);
  const auto all = merged.add(128);
  merged.product(all, {batch, merged.add(2)});
  EXPECT_FALSE(merged.ask(all, 100));
  EXPECT_EQ(merged.cut(part(2))->reason, "it is what others are merged to, which makes it 64");
  static_cast<void>(tokens);
}

// A length that a script does not give may be given for executing alone.
TEST(LengthRelations, GiveALengthToWhatHasNone) {
  LengthRelations lengths;
  const auto open = lengths.add(std::nullopt);
  const auto other = lengths.add(std::nullopt);
  EXPECT_FALSE(lengths.ask(open, 12));
  ASSERT_FALSE(lengths.cut(Rational(1)));
  EXPECT_EQ(lengths.cut_length(open), 12);
  EXPECT_EQ(lengths.cut_length(other), std::nullopt);
}

// Whatever depends on whatever: all that was asked of lengths holds of those that are cut.
TEST(LengthRelations, HoldAfterwards) {
  const auto holds = [] {
    LengthRelations lengths;
    struct Split {
      LengthRelations::Length whole;
      std::vector<LengthRelations::Length> parts;
    };
    std::vector<LengthRelations::Length> all;
    std::vector<std::int64_t> divisors;
    std::vector<Split> splits;
    const int count = *rc::gen::inRange(1, 8);
    for (int i = 0; i < count; ++i) {
      const auto divisor = *rc::gen::element<std::int64_t>(1, 2, 3, 4, 8);
      all.push_back(lengths.add(divisor * *rc::gen::inRange<std::int64_t>(1, 40)));
      lengths.multiple_of(all.back(), divisor);
      divisors.push_back(divisor);
    }
    for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
      Split split;
      std::int64_t product = 1;
      for (int k = *rc::gen::inRange(1, 4); k > 0; --k) {
        split.parts.push_back(*rc::gen::elementOf(all));
        // Products of three of them fit into 64 bits.
        RC_PRE(*lengths.full(split.parts.back()) <= std::int64_t{1} << 20);
        product *= *lengths.full(split.parts.back());
      }
      split.whole = lengths.add(product);
      lengths.product(split.whole, split.parts);
      divisors.push_back(std::gcd(product, *rc::gen::element<std::int64_t>(1, 2, 4, 6)));
      lengths.multiple_of(split.whole, divisors.back());
      all.push_back(split.whole);
      splits.push_back(split);
    }
    RC_ASSERT(!lengths.cut(part(*rc::gen::element<std::int64_t>(1, 2, 8, 64))));
    for (std::size_t i = 0; i < all.size(); ++i) {
      RC_ASSERT(*lengths.cut_length(all[i]) % divisors[i] == 0);
      RC_ASSERT(*lengths.cut_length(all[i]) <= *lengths.full(all[i]));
    }
    for (const Split& split : splits) {
      std::int64_t product = 1;
      for (const auto length : split.parts) product *= *lengths.cut_length(length);
      RC_ASSERT(product == *lengths.cut_length(split.whole));
    }
  };
  EXPECT_TRUE(rc::check(holds));
}

}  // namespace
}  // namespace shard
