#include "base/name_index.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

namespace shard::name_index_test {
namespace {

bool any(const std::string&) { return true; }

TEST(NameIndex, FindsWhatALookAtEveryNameFinds) {
  // Few letters, so that many names are near each other, some of them by two edits or by their case.
  const auto name = rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, 12), [](std::size_t length) {
    return rc::gen::container<std::string>(length, rc::gen::elementOf(std::string("abcABw")));
  });
  EXPECT_TRUE(rc::check("as nearest_name", [&] {
    auto names = *rc::gen::container<std::vector<std::string>>(name);
    const std::string word = *name;
    NameIndex index;
    for (const std::string& known : names) index.add(known);
    std::sort(names.begin(), names.end());
    RC_ASSERT(index.nearest(word, any) == nearest_name(word, names));
  }));
}

TEST(NameIndex, FindsLongNamesThatDifferAnywhere) {
  NameIndex index;
  index.add("attention_output_projection");
  EXPECT_EQ(index.nearest("attention_output_projectoin", any), "attention_output_projection");
  EXPECT_EQ(index.nearest("tatention_output_projection", any), "attention_output_projection");
  EXPECT_EQ(index.nearest("attntion_otput_projection", any), "attention_output_projection");
  EXPECT_EQ(index.nearest("attention_input_projection", any), std::nullopt);
}

TEST(NameIndex, OffersWhatIsAcceptedAlone) {
  NameIndex index;
  index.add("weights");
  index.add("weighty");
  index.add("weights");
  const auto is_adjective = [](const std::string& name) { return name.back() == 'y'; };
  EXPECT_EQ(index.nearest("weightz", is_adjective), "weighty");
  EXPECT_EQ(index.nearest("weightz", any), "weights");
}

}  // namespace
}  // namespace shard::name_index_test
