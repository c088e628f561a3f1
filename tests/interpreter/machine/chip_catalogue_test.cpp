#include "interpreter/machine/chip_catalogue.h"

#include <gtest/gtest.h>

#include "grammar/tree/names.h"
#include "interpreter/evaluate/evaluator.h"

namespace shard::chip_catalogue_test {
namespace {

TEST(Catalogue, HasTheLibrarysChips) {
  Scope scope;
  load_catalogue(scope, scalar_source());
  for (const char* name : {"TPUv4p", "TPUv5e", "TPUv5p", "TPUv6e", "H100", "B200", "GB200", "GB300",
                           "MI300X", "MI355X", "Trainium2"})
    EXPECT_EQ(scope.names.chips.count(name_key(name)), 1U) << name;
  EXPECT_EQ(scope.names.chips.at(name_key("TPUv5e")).pod, (std::vector<std::int64_t>{16, 16}));
  EXPECT_EQ(scope.names.chips.at(name_key("TPU7x")).cores, Rational(2));
  // One of its seven links.
  EXPECT_EQ(scope.names.chips.at(name_key("MI300X")).ici_one_way, Rational(64'000'000'000));
  EXPECT_EQ(scope.names.chips.at(name_key("MI300X")).wrap, WrapRule::Full);
}

TEST(Catalogue, KeepsAChipThatTheScriptDeclared) {
  Scope scope;
  Chip own;
  own.name = "TPUv5e";
  own.pod = {2};
  scope.names.chips[name_key("TPUv5e")] = own;
  load_catalogue(scope, scalar_source());
  EXPECT_EQ(scope.names.chips.at(name_key("TPUv5e")).pod, std::vector<std::int64_t>{2});
}

TEST(Catalogue, IsReadOnce) {
  Scope scope;
  load_catalogue(scope, scalar_source());
  const std::size_t count = scope.names.chips.size();
  load_catalogue(scope, scalar_source());
  EXPECT_EQ(scope.names.chips.size(), count);
}

}  // namespace
}  // namespace shard::chip_catalogue_test
